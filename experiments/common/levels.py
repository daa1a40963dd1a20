"""Levels of words and phrases in the Common European Framework of Reference: A1, A2, B1, B2, C1, C2.

The levels come from the package ``cefrpy`` (MIT; words with their parts of speech): ``pip install cefrpy``. ProLex
took those of a service that reads the word in its sentence (Zhang et al. 2024, section 3.4), which is not open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from usim.errors import extra
from usim.lexicon import WordNetLemmatiser

#: The names of the levels; a level is a number from 1.
LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")

_PARTS = ("NOUN", "VERB", "ADJ", "ADV")
#: How the Penn treebank begins the names of parts of speech.
_PREFIXES = {"n": "NOUN", "v": "VERB", "adj": "ADJ", "jj": "ADJ", "adv": "ADV", "rb": "ADV"}


class Levels:
    """Levels by ``listed``: a word or phrase in lower case → universal part of speech, None if open → level."""

    def __init__(self, name: str, listed: Callable[[str], Mapping[str | None, int]]) -> None:
        self.name = name
        self.listed = listed
        self._lemmatise = WordNetLemmatiser()

    def level(self, text: str, pos: str | None = None) -> int | None:
        """Return the level of a word or phrase, 1 (A1) to 6 (C2), or None where it is not known.

        A word has the level of its form or, if that is not listed, of its lemma; the lowest, if its universal part of
        speech is not known or not listed. A phrase that is not listed has the level of its hardest word.
        """
        text = " ".join(text.lower().split())
        level = self._listed_level(text, pos)
        if level is None and " " in text:
            return max(filter(None, (self._listed_level(word, None) for word in text.split())), default=None)
        return level

    def is_easier(self, target: str, substitute: str, pos: str | None = None) -> bool:
        """Return whether a substitute is less proficient than the word that it replaces.

        As in ProLex, what has no level is not easier, nor is a phrase that is not listed, however easy its words.
        """
        if " " in substitute.strip() and not self.listed(" ".join(substitute.lower().split())):
            return False
        before, after = self.level(target, pos), self.level(substitute, pos)
        return before is not None and after is not None and after < before

    def _listed_level(self, text: str, pos: str | None) -> int | None:
        for form in (text, *(self._lemmatise(text, part) for part in filter(None, (pos, *_PARTS)))):
            if of_part := self.listed(form):
                return of_part[pos] if pos in of_part else min(of_part.values())
        return None


@cache
def load_levels() -> Levels:
    """Return the levels of ``cefrpy``; raise an InputError where it is not installed."""
    analyser = extra("cefrpy", "levels of words need").CEFRAnalyzer()

    def listed(word: str) -> dict[str | None, int]:
        levels: dict[str | None, int] = {}
        for tag, level in analyser.get_pos_level_dict_for_word(word, True, True).items():
            name = str(tag).lower().strip(" .")
            pos = next((part for prefix, part in _PREFIXES.items() if name.startswith(prefix)), None)
            levels[pos] = min(round(level), levels.get(pos, len(LEVELS)))
        return levels

    return Levels("cefrpy", listed)
