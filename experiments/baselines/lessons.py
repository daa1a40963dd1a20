"""Training data in the form of ProLex's: a target in its sentence, with substitutes that are at least as proficient.

The authors made two sets (Zhang et al. 2024, section 4): D_L, for which GPT-4 chose a target in a learner's corrected
sentence and proposed up to five substitutes, and D_S, the acceptable substitutes of SWORDS without those that are
easier than their targets. Both can be made like that from open data: from sentences and a thesaurus
(:func:`from_sentences`), and from SWORDS (:func:`from_swords`).
"""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple

from experiments.baselines.given import marked
from experiments.baselines.targets import Finder, Replaceable
from experiments.common.levels import Levels
from usim.benchmarks import swords
from usim.benchmarks.case import Place
from usim.text import tokenise
from usim.text.files import Path

_MOST = 5  # substitutes of a target, as GPT-4 was asked for
_COLUMNS = (
    "target_words",
    "substitutes",
    "query_pos",
    "original_sentences",
    "corrected_sentences",
    "tagged_sentences",
)


class Lesson(NamedTuple):
    """A target in its sentence, or in the longer text that SWORDS has, with its substitutes, at least one."""

    place: Place
    substitutes: tuple[str, ...]

    @property
    def row(self) -> tuple[str, ...]:
        """The cells of the published files; the sentence counts as corrected."""
        text = self.place.text
        return self.place.word, str(list(self.substitutes)), self.place.pos or "", text, text, marked(self.place)


def from_swords(path: Path, levels: Levels | None) -> Iterator[Lesson]:
    """Make lessons from SWORDS: its acceptable substitutes, the best first, without those that are easier by levels.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    benchmark = swords.Swords.open(path)
    for target in benchmark.gold.values():
        shares = swords.sure_shares(target)
        accepted = [s for s, share in sorted(shares.items(), key=lambda item: -item[1]) if share > 0.5]
        kept = _not_easier(accepted, target.word, target.pos, levels)
        if kept and target.place:
            yield Lesson(target.place, kept)


def from_sentences(
    finder: Finder, sentences: Iterable[str], levels: Levels | None, *, seed: int = 0
) -> Iterator[Lesson]:
    """Make lessons from sentences: one target each, of a part of speech that is drawn, with up to five synonyms.

    Sentences without a target that has a synonym are left out, and synonyms that ``levels`` say are easier. The draws
    depend on the seed and the sentence, and on nothing before it.
    """
    for sentence in sentences:
        tokens = tokenise(sentence)
        draw = random.Random(f"{seed}:{sentence}")
        of_part: defaultdict[str | None, list[tuple[Replaceable, tuple[str, ...]]]] = defaultdict(list)
        for target in finder.targets([token.text for token in tokens]):
            word = sentence[tokens[target.start].start : tokens[target.end - 1].end]
            kept = _not_easier(target.synonyms, word, target.pos, levels)
            if kept:
                of_part[target.pos].append((target, kept))
        if of_part:
            target, kept = draw.choice(of_part[draw.choice(sorted(of_part, key=str))])
            start, end = tokens[target.start].start, tokens[target.end - 1].end
            yield Lesson(Place(sentence, start, end, target.pos), kept[:_MOST])


def write_lessons(file: IO[str], lessons: Iterable[Lesson]) -> tuple[int, int]:
    """Write lessons as CSV; return how many there are, and how many substitutes."""
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(_COLUMNS)
    written = substitutes = 0
    for lesson in lessons:
        rows.writerow(lesson.row)
        written += 1
        substitutes += len(lesson.substitutes)
    return written, substitutes


def _not_easier(substitutes: Iterable[str], target: str, pos: str | None, levels: Levels | None) -> tuple[str, ...]:
    if levels is None:
        return tuple(substitutes)
    return tuple(s for s in substitutes if not levels.is_easier(target, s, pos))
