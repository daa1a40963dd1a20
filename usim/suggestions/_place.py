"""Put a substitute into a sentence as a writer would.

:func:`put` replaces a span and corrects what the replacement alone would leave wrong: the case of the substitute, the
article before it, blanks and punctuation at its ends, the clitic after it, and the traces of a deletion. It makes no
other change, and none at all if the substitute is the text of the span. It does not choose word forms: see
``usim.suggestions._inflect``.

>>> put("She told an old story.", 12, 15, "new").text
'She told a new story.'
>>> put("Intimate friends are rare.", 0, 8, "close").text
'Close friends are rare.'
>>> put("We saw him again yesterday.", 17, 26, "").text
'We saw him again.'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from usim.errors import SuggestionError
from usim.lexicon.tables import WRITING
from usim.suggestions.articles import article
from usim.text import Span, sentence_around, tokenise
from usim.text.differing import differing


class Edit(NamedTuple):
    """A change of a text: ``text[start:end]`` becomes ``new``."""

    start: int
    end: int
    new: str


class Placed(NamedTuple):
    """A changed text.

    Attributes:
        text: the text after the change.
        start, end: where the substitute is in it; empty after a deletion.
        edits: all changes, in offsets of the text before, in order; they do not overlap.
    """

    text: str
    start: int
    end: int
    edits: tuple[Edit, ...]

    def around(self, text: str) -> tuple[Span, Span]:
        """Return where the sentence that changed stands in the text before and after.

        Args:
            text: the text before the change.

        >>> text = "He came. It was an old friend. She went."
        >>> placed = put(text, 19, 22, "close")
        >>> (a, b), (c, d) = placed.around(text)
        >>> text[a:b], placed.text[c:d]
        ('It was an old friend.', 'It was a close friend.')
        """
        changed = [(edit.start, edit.end) for edit in self.edits] or [(self.start, self.end)]
        start, end = sentence_around(text, changed[0][0], changed[-1][1])
        return (start, end), (start, len(self.text) - (len(text) - end))


_CLOSING = frozenset(".,;:!?)]}%’”»…")
_OPENING = frozenset("([{“‘«¿¡")
_PAIRS = frozenset({"()", "[]", "{}", "“”", "‘’", "«»", '""'})
_CLITIC = re.compile(r"['’](?:s|re|ve|ll|d|m)(?!\w)|n['’]t(?!\w)", re.IGNORECASE)
#: Text whose tokens stand apart: "He left , did n't he ?"
_APART = re.compile(r"\w (?:[.,;:!?](?:\s|$)|['’](?:s|re|ve|ll|d|m)\b|n['’]t\b)")
_ARTICLE = re.compile(r"(?<![\w'’.-])(an?)\s+[\"'“‘(*_]*$", re.IGNORECASE)
#: What people who give a wrong place are told.
OFFSETS = "offsets count Unicode characters (code points), not bytes or UTF-16 units, from 0, the end exclusive"
_DETERMINERS = WRITING["determiners"]
#: Words that have a capital only at the beginning of a sentence.
_SMALL = _DETERMINERS | WRITING["begin sentences"]


def check_span(text: str, start: int, end: int) -> None:
    """Raise a SuggestionError if a span lies outside of the text, ends before it begins, or cuts a word."""
    if start > end:
        message = f"the span {start} to {end} ends before it begins: give its start first; {OFFSETS}"
        raise SuggestionError(message, text=text)
    if not 0 <= start <= len(text) >= end:
        message = f"the span {start} to {end} does not fit a text of {len(text)} characters; {OFFSETS}"
        raise SuggestionError(message, text=text)
    for place in (start, end):
        if _cuts_word(text, place):
            first, stop = _word_around(text, place)
            halves = f"{text[first:place]}|{text[place:stop]}"
            raise SuggestionError(f"the span {start} to {end} cuts a word ({halves}); {OFFSETS}", text=text[start:end])


def put(sentence: str, start: int, end: int, substitute: str) -> Placed:
    """Put a substitute in the place of ``sentence[start:end]``.

    Args:
        sentence: a sentence, or a longer text.
        start, end: the words to replace, in characters, the end exclusive; the same twice to insert between two words.
        substitute: what to put there, of any number of words; empty to delete.

    Raises:
        SuggestionError: the span lies outside of the text or cuts a word.
    """
    check_span(sentence, start, end)
    if substitute == sentence[start:end]:
        return Placed(sentence, start, end, ())
    target = sentence[start:end].rstrip()
    bare = start + len(target) - len(target.lstrip()), start + len(target)
    new = " ".join(substitute.split())
    if not new:
        return _deletion(sentence, *bare)
    if new == " ".join(sentence[bare[0] : bare[1]].split()):
        return Placed(sentence, *bare, ())
    return _replacement(sentence, *bare, new)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Make edits as they are; of two at the same place the earlier comes first.

    Raises:
        SuggestionError: an edit lies outside of the text, or two of them overlap.
    """
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not done <= start <= end <= len(text):
            raise SuggestionError(f"the edit of {start} to {end} overlaps with another or leaves the text", text=new)
        parts += text[done:start], new
        done = end
    return "".join((*parts, text[done:]))


#: From a substitute, the text, the span of its target, and the target's universal part of speech where it is known, to
#: the substitute in the target's form.
Inflect = Callable[[str, str, int, int, str | None], str]
_WORD_OR_MARK = re.compile(r"[^\W_]+|[\W_]")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposal for a text.

    Attributes:
        substitute: the words to put in, as the file has them; for a correction of the whole text, that text.
        span: the target, in characters of the text; None where the suggestion is a whole new text.
        edits: the changes to carry out as they are, where the file says them (M2); else None.
        about: other fields of the file, for the output.
    """

    substitute: str
    span: tuple[int, int] | None = None
    edits: tuple[Edit, ...] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def placed(self, text: str, inflect: Inflect | None = None) -> Placed:
        """Put the suggestion into the text of the record.

        ``inflect`` puts a substitute into the form of its target; corrections and edits are always taken as they are.

        Raises:
            SuggestionError: the span does not fit the text.
        """
        if self.edits is not None:
            return _literal(text, self.edits)
        if self.span is None:
            return _literal(text, (difference(text, self.substitute),))
        start, end = self.span
        new = self.substitute
        if inflect is not None:
            new = inflect(new, text, start, end, self.about.get("pos"))
        return put(text, start, end, new)


def _literal(text: str, edits: tuple[Edit, ...]) -> Placed:
    effective = tuple(edit for edit in edits if text[edit.start : edit.end] != edit.new)
    changed = apply(text, effective)
    if not effective:
        return Placed(changed, 0, len(changed), ())
    first, last = effective[0], effective[-1]
    return Placed(changed, first.start, len(changed) - (len(text) - last.end), effective)


def difference(text: str, other: str) -> Edit:
    """Return the one edit that turns a text into another, as short as whole words allow.

    >>> difference("She have two cat.", "She has two cats.")
    Edit(start=4, end=16, new='has two cats')
    """
    words, others = (_WORD_OR_MARK.findall(each) for each in (text, other))
    start, stop, _ = differing(words, others)
    first, last = (sum(map(len, same)) for same in (words[:start], words[stop:]))
    return Edit(first, len(text) - last, other[first : len(other) - last])


def _placed(text: str, main: Edit, others: Iterable[Edit], inside: Span) -> Placed:
    """Make all edits; the substitute is at ``inside`` of the new text of the main one."""
    others = list(others)
    moved = main.start + sum(len(e.new) - (e.end - e.start) for e in others if e.start < main.start)
    edits = tuple(sorted(e for e in (main, *others) if text[e.start : e.end] != e.new))
    return Placed(apply(text, edits), moved + inside[0], moved + inside[1], edits)


def _cuts_word(text: str, place: int) -> bool:
    """Return whether a place is within a word: letters, digits or marks on both sides, and no clitic begins there."""
    if not 0 < place < len(text) or not (text[place - 1].isalnum() or _is_mark(text[place - 1])):
        return False
    if _is_mark(text[place]):
        return True
    if not text[place].isalnum():
        return False
    # A token boundary within letters is that of a clitic: do|n't, can|not.
    begin, stop = _word_around(text, place, "'’")
    return all(begin + token.start != place for token in tokenise(text[begin:stop]))


def _word_around(text: str, place: int, marks: str = "") -> Span:
    """Return where the letters, digits and ``marks`` on both sides of a place begin and end."""
    start = stop = place
    while start and (text[start - 1].isalnum() or text[start - 1] in f"_{marks}"):
        start -= 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] in f"_{marks}"):
        stop += 1
    return start, stop


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


# Replacing


def _replacement(text: str, start: int, end: int, new: str) -> Placed:
    sentence = sentence_around(text, start, end)
    begins = not any(c.isalnum() for c in text[sentence[0] : start])
    insertion = start == end
    others: list[Edit] = []
    is_first = insertion and begins and text[end:].lstrip()[:1].isupper()
    plain, old = new, text[start:end]
    if not insertion:
        new = _in_case_of(new, text, start, end, sentence=sentence, begins=begins)
    elif is_first:
        new = _with_capital(new)
    if new.isupper() and not plain.isupper():
        old = old.lower()  # the sound is that of the words without capitals: FAX is no acronym in capitals
    if text[end : end + 1] in (*".,;:!?",) and len(new) > 1 and new[-1] == text[end] and new[-2].isalnum():
        new = new[:-1]
    if not insertion:
        new, others = _change_clitic(text, start, end, new)
    elif is_first and (following := _NEXT_NAME.match(text, end)) and following[1].lower() in _SMALL:
        # It had a capital only because it began the sentence.
        others = [Edit(*following.span(1), following[1].lower())]
    if plain.split()[0].lower() not in _DETERMINERS:
        others += _change_article(
            text, start, old + text[end : end + 40], plain + _seam(text, end, plain) + text[end : end + 40]
        )
    left, lead = _left_end(text, sentence, start, end, new)
    trail = text[left:start] if left < start and end < len(text) and not text[end].isspace() else _seam(text, end, new)
    if insertion and not trail and end < len(text) and not text[end].isspace():
        attached = text[end] in _CLOSING or _CLITIC.match(text, end) or text[end] in "-–/"
        trail = "" if attached else " "
    main = Edit(left, end, lead + new + trail)
    return _placed(text, main, others, (len(lead), len(lead) + len(new)))


def _left_end(text: str, sentence: Span, start: int, end: int, new: str) -> tuple[int, str]:
    """Return where the change begins, and the blank before the substitute.

    Punctuation and clitics are joined to the word before; a word that replaces them is set apart from it.
    """
    before = len(text[:start].rstrip())
    joins = new[0] in _CLOSING or _CLITIC.match(new) is not None
    joined = start < end and (text[start] in _CLOSING or _CLITIC.match(text, start) is not None)
    if joins:
        apart = _APART.search(text, *sentence) is not None
        return (start if joined or apart or not before else before), ""
    if not start or before < start:
        return start, ""
    last = text[start - 1]
    needs_blank = last.isalnum() or ((joined or start == end) and last not in _OPENING and last not in '-–/"')
    return start, " " if needs_blank and (new[0].isalnum() or new[0] in _OPENING) else ""


def _seam(text: str, end: int, new: str) -> str:
    """Return the blank between a substitute and a word right behind it, which the text lacks after punctuation."""
    touches = end < len(text) and text[end].isalnum() and new[-1:] not in ("", "-", "/", *_OPENING)
    return " " if touches and not _CLITIC.match(text, end) else ""


# Case

#: A word whose case is changed, and what may stand before the first one.
_CASED = re.compile(r"[^\W\d_](?:[\w'’]*\w)?")
_BEFORE_FIRST = "\"'“‘«([{¿¡*_-–—•"


def _in_case_of(substitute: str, text: str, start: int, end: int, *, sentence: Span, begins: bool) -> str:
    """Return a substitute in the case of the words ``text[start:end]``, with which a sentence may begin.

    A capital at the beginning of a sentence passes to the substitute, and so do the capitals of a sentence without
    small letters. Any other capital (*in Paris*) does not. Words of the substitute with a capital of their own keep it.
    """
    whole = text[slice(*sentence)]
    if text[start:end].isupper() and whole.isupper() and len(_CASED.findall(whole)) > 2:
        return _CASED.sub(lambda match: match[0] if _is_mixed(match[0]) else match[0].upper(), substitute)
    first = text[start : start + 1]
    is_first = not first.islower() if begins else first.isupper() and _after_opening(text, start)
    return _with_capital(substitute) if is_first else substitute


def _with_capital(substitute: str) -> str:
    """Return words with a capital first letter, unless they begin with a number.

    >>> _with_capital("'tis so"), _with_capital("eBay"), _with_capital("2 men")
    ("'Tis so", 'eBay', '2 men')
    """
    first = _CASED.search(substitute)
    if first is None or substitute[: first.start()].strip(_BEFORE_FIRST + " "):
        return substitute
    return substitute[: first.start()] + _capitalised(first[0]) + substitute[first.end() :]


def _capitalised(word: str) -> str:
    """Return the word with a capital first letter, unless it has a capital elsewhere (iPhone) or is no word."""
    return word[:1].upper() + word[1:] if word == word.lower() and len(word[:1].upper()) == 1 else word


def _is_mixed(word: str) -> bool:
    """Return whether capitals within a word are part of its spelling: iPhone, McDonald."""
    return word != word.lower() and any(c.isupper() for c in word[1:])


def _after_opening(text: str, start: int) -> bool:
    """Return whether a quotation opens, or a colon stands, right before a place."""
    before = text[:start]
    quoted = before.rstrip("\"'“‘«([{")
    return (len(quoted) < len(before) and (not quoted or quoted[-1].isspace())) or before.rstrip().endswith(":")


# Articles


def _change_article(text: str, place: int, old: str, new: str) -> list[Edit]:
    """Return the change of the article before a place, where the new text takes the other article."""
    match = _ARTICLE.search(text, max(0, place - 24), place)
    if not match or article(old) == article(new) or not new.lstrip("\"'“‘(*_")[:1].isalnum():
        return []
    word, (start, end) = match.group(1), match.span(1)
    begin, stop = sentence_around(text, start, end)
    before = text[begin:start]
    is_upper = (before + text[end:stop]).isupper()
    if word == "A" and not is_upper and any(c.isalnum() for c in before):  # a name, as in plan A
        return []
    form = article(new)
    if word.islower():
        return [Edit(start, end, form)]
    return [Edit(start, end, form.upper() if is_upper or word == "AN" else form.capitalize())]


# Clitics

_NEGATABLE = WRITING["before not"]
#: What is left of words before *n't* behind their first letter.
_STEMS = {"can": "a", "will": "o", "shall": "ha"}
_BE = dict.fromkeys(("we", "you", "they", "these", "those"), "re") | {"i": "m"}
_BE |= dict.fromkeys(("he", "she", "it", "that", "this", "there", "here", "who", "what"), "s")
_NEXT_NAME = re.compile(r"\s*([A-Z][a-z]*)(?!\w)")
_PERFECT = re.compile(r"\s+(?:\w+ly\s+)?(?:been|got|had|become|gone)\b", re.IGNORECASE)


def _change_clitic(text: str, start: int, end: int, new: str) -> tuple[str, list[Edit]]:
    """Return the substitute, and the change of the clitic after the target, in forms that go together."""
    apart = text[end : end + 1] == " "
    match = _CLITIC.match(text, end + apart)
    word = new[_word_around(new, len(new))[0] :].lower()
    if not word or not match or (apart and match.group()[0] not in "nN"):
        return new, []
    place, clitic = match.start(), match.group().lower()
    if clitic[0] == "n":
        if word in _STEMS:  # with the first letter as it is written
            return new[: 1 - len(word)] + _STEMS[word], []
        if word in _NEGATABLE:
            return new, []
        return new, [Edit(place, match.end(), "not" if apart else " not")]
    old = text[start:end].split()[-1].lower() if text[start:end].split() else ""
    ending = clitic[1:]
    if old in _BE and word in _BE and ending in ("s", "m", "re") and _BE[old] != _BE[word]:
        perfect = ending == "s" and _PERFECT.match(text, match.end())
        return new, [Edit(place + 1, match.end(), "ve" if perfect else _BE[word])]
    return new, []


# Deleting


_AT_COMMA, _AT_END = re.compile(r"\s*[,;:]"), re.compile(r"\s*(?:[.;:!?)\]]|$)")
_NEXT_WORD = re.compile(r"[^\W\d_][\w'’]*")


def _deletion(text: str, start: int, end: int) -> Placed:
    if start == end:
        return Placed(text, start, end, ())
    sentence = sentence_around(text, start, end)
    begins = not any(c.isalnum() for c in text[sentence[0] : start])
    first = start
    while start and text[start - 1 : start] + text[end : end + 1] in _PAIRS:
        start, end = start - 1, end + 1
    start, end = _without_commas(text, start, end, begins=begins)
    start, end, following = _without_blanks(text, start, end)
    stop = sentence[1]
    others = _change_article(text, start, text[first : first + 40], text[following : min(following + 40, stop)])
    word = _NEXT_WORD.match(text, following)
    if begins and text[first].isupper() and following < stop and word:
        others.append(Edit(following, word.end(), _capitalised(word.group())))
    joined = start > 0 and end < len(text) and text[start - 1].isalnum() and text[end].isalnum()
    return _placed(text, Edit(start, end, " " if joined else ""), others, (0, 0))


def _without_commas(text: str, start: int, end: int, *, begins: bool) -> Span:
    """Return the span with the comma that separates nothing once the span is deleted."""
    before = text[:start].rstrip()
    after = _AT_COMMA.match(text, end)
    if after and (begins or not before or before[-1] in ",;:.!?" or before[-1] in _OPENING):
        return start, after.end()
    if before.endswith(",") and _AT_END.match(text, end):
        return len(before) - 1, end
    return start, end


def _without_blanks(text: str, start: int, end: int) -> tuple[int, int, int]:
    """Return the span with the blanks on one of its sides, and where the text goes on after it."""
    left = len(text[:start].rstrip())
    right = len(text) - len(text[end:].lstrip())
    if not left:
        return start, right, right
    if right == len(text):
        return left, end, right
    if left < start and end < right:
        later = "\n" in text[end:right] and "\n" not in text[left:start]
        return (left, end, right) if later else (start, right, right)
    if left < start and (text[end] in _CLOSING or _CLITIC.match(text, end)):
        return left, end, end
    return start, end, right
