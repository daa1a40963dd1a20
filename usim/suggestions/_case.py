"""The case of a substitute: that of the words that it replaces, unless the case belongs to a name or an acronym.

What the case of a word means depends on where it stands. A capital at the beginning of a sentence passes to the
substitute. One within a headline or a name of several words (*The Quick Fox*) passes to every content word in it. One
on a word that stands alone (*in Paris*) belongs to the name and does not pass. All capitals are emphasis and pass,
unless the word is an acronym. Words of the substitute that have a capital of their own are never changed.
"""

from __future__ import annotations

import re
from enum import Enum

from usim.lexicon.tables import WRITING
from usim.suggestions.articles import SHORT_WORDS

_WORD = re.compile(r"[^\W\d_](?:[\w'’]*\w)?")
#: Words that stay small in headlines.
_SMALL = WRITING["small in headlines"]
#: Acronyms of four and more letters that would be taken for emphasis.
_ACRONYMS = WRITING["acronyms"]
_OPENING = "\"'“‘«([{¿¡*_-–—•"


class LetterCase(Enum):
    """How a substitute is written."""

    AS_IS = "as it is"
    FIRST = "first letter capital"
    TITLE = "content words capital"
    UPPER = "all capitals"


def case_of(text: str, start: int, end: int, *, sentence: tuple[int, int], begins: bool) -> LetterCase:
    """Decide how a substitute for ``text[start:end]`` is written.

    Args:
        text: the sentence, or a longer text.
        start, end: the words to replace.
        sentence: where the sentence around them begins and ends.
        begins: whether the sentence begins with them.
    """
    words = _WORD.findall(text[start:end])
    before = _WORD.findall(text[sentence[0] : start])
    after = _WORD.findall(text[end : sentence[1]])
    if words and all(word.isupper() for word in words) and _is_emphasis(words, before, after):
        return LetterCase.UPPER
    first = text[start : start + 1]
    capital = first.isupper()
    if capital and _in_headline(words, before, after, begins=begins):
        return LetterCase.TITLE
    if begins:
        return LetterCase.AS_IS if first.islower() else LetterCase.FIRST
    if capital and _after_opening(text, start):
        return LetterCase.FIRST
    return LetterCase.AS_IS


def recased(substitute: str, case: LetterCase) -> str:
    """Return the substitute in this case; words with a capital of their own stay as they are.

    >>> recased("go to NASA", LetterCase.TITLE), recased("very good", LetterCase.UPPER)
    ('Go to NASA', 'VERY GOOD')
    >>> recased("iPhones", LetterCase.FIRST)
    'iPhones'
    """
    if case is LetterCase.AS_IS:
        return substitute
    words = list(_WORD.finditer(substitute))
    places = {match.start(): place for place, match in enumerate(words)}

    def recased_word(match: re.Match[str]) -> str:
        word, place = match.group(), places[match.start()]
        if word != word.lower():
            # Capitals within a word are part of its spelling: iPhone, McDonald.
            mixed = any(c.isupper() for c in word[1:])
            return word.upper() if case is LetterCase.UPPER and not mixed else word
        if case is LetterCase.UPPER:
            return word.upper()
        if place == 0 or (case is LetterCase.TITLE and (word not in _SMALL or place == len(words) - 1)):
            return capitalised(word)
        return word

    if case is LetterCase.FIRST and words and substitute[: words[0].start()].strip(_OPENING + " "):
        return substitute  # it begins with a number: nothing to capitalise
    return _WORD.sub(recased_word, substitute)


def capitalised(word: str) -> str:
    """Return the word with a capital first letter, unless it has a capital elsewhere (iPhone) or is no word."""
    return word[:1].upper() + word[1:] if word == word.lower() and len(word[:1].upper()) == 1 else word


def _is_acronym(word: str) -> bool:
    """Return whether a word in capitals is an acronym and not an emphasised word."""
    if len(word) < 4:
        return word.lower() not in SHORT_WORDS
    return word in _ACRONYMS or not re.search("[AEIOUY]", word)


def _is_emphasis(words: list[str], before: list[str], after: list[str]) -> bool:
    """Return whether words in capitals are emphasised: with a word beside them, with all around, or no acronyms."""
    around = [word for word in (*before, *after) if len(word) > 1]
    if len(around) > 1 and all(word.isupper() for word in around):
        return True
    near = any(word.isupper() and len(word) > 1 for word in (*before[-1:], *after[:1]))
    return any(len(word) > 1 for word in words) and (near or not all(map(_is_acronym, words)))


def _in_headline(words: list[str], before: list[str], after: list[str], *, begins: bool) -> bool:
    """Return whether capitalised words are part of a headline, or of a name of several words."""
    if not words or not all(word[0].isupper() or word.lower() in _SMALL for word in words):
        return False
    around = [word for word in (*before, *after) if len(word) > 3]
    if len(around) > 1 and all(word[0].isupper() for word in around):
        return True
    if begins:
        return False
    # The capital of the first word of the sentence says nothing.
    return any(word[0].isupper() and word != "I" for word in (*before[1:][-1:], *after[:1]))


def _after_opening(text: str, start: int) -> bool:
    """Return whether a quotation opens, or a colon stands, right before a place."""
    before = text[:start]
    quoted = before.rstrip("\"'“‘«([{")
    return (len(quoted) < len(before) and (not quoted or quoted[-1].isspace())) or before.rstrip().endswith(":")
