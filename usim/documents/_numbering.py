"""The numbers of clauses, and the references to clauses, which follow where these are numbered anew."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from usim.lexicon import word_info
from usim.text import Span

_CLAUSE = r"(?:\b(?:clause|section|article|paragraph|point|part|step|item|rule)s?|§§?)\s{0,9}"
#: A number in digits: *4.2*.
DIGITS = r"\d{1,3}(?:\.\d{1,3}){0,6}"
#: In digits or, in capitals, in Roman letters: *4.2*, *IV*.
_NUMBER = rf"(?:{DIGITS}(?![\d%]|\.\d)|(?<!\w)(?-i:[IVXLC]{{1,7}})(?!\w))"
#: A number at the head of a clause, which begins with a capital: of several parts (*4.2 Payment*, *4.2 “Fee” means …*),
#: or of one and without a mark, as of a heading (*4 Payment*).
_HEAD = re.compile(r"(\d{1,3}(?:\.\d{1,3}){1,6})[.):]?\s+|(\d{1,3})\s+")
_OPENING = "“‘\"'(["
#: So many characters at most stand on the line in front of the words of a numbered clause.
_FRONT = 80
#: The number of a clause where it stands like a label, perhaps with a name and after marks: a mark follows, or the end,
#: or a capital. *4.2 Payment*, *(a) by card*, *Article II*; but not *30 days*, nor *Clause 2.3 continues to apply*.
NUMBERED = re.compile(
    rf"[\s>#*_•|-]*\(?(?P<name>(?i:{_CLAUSE}))?"
    rf"(?P<number>{_NUMBER}|(?:[a-z]|[ivx]{{2,5}})(?=[.)])|[A-Z](?=\)))(?(name)|(?:(?<=\d)|(?=[.)])))"
    rf"(?:[.):]+(?=[\s*_]|$)|(?=\s*$)|(?=[\s*_]+(?:[–—-]+\s+)?(?(name)[“‘\"']*|[“‘\"'(\[]*)(?![a-zß-ÿ])[^\W\d_]))[\s*_]*"
)
#: The signs that items of a list begin with.
BULLETS = "-*+•▪◦–—·"
#: The name and number of a clause in front of its words: *Step 3:*.
LABEL = rf"(?i:{_CLAUSE}){_NUMBER}:"
_AND = r"(?:\s?[,–-]|,?\s{1,9}(?:and|or|to|through))\s{0,9}"
_REFERENCE = re.compile(rf"{_CLAUSE}{_NUMBER}(?:{_AND}{_NUMBER})*", re.IGNORECASE)
_NUMBERS = re.compile(_NUMBER)
#: What stands in front of a reference to another text, and after one: *GDPR, Article 6*; *clause 4 of the Act*.
_OF_OTHER = re.compile(r"(?:\b[A-Z]*[A-Z]{2}s?|\b\d{4}|\b(?:Act|Code|Directive|Regulation|Convention|Treaty))[\s,:(]+$")
_TO_OTHER = re.compile(r"\s+(?:of|in|under)\s+(?:the\b(?!\s+present)|an?\b|any\b|its\b|that\b|such\b|and\b|[A-Z])")
#: What is called so is an item of a list; other numbers of clauses do not count the steps of a procedure.
_ITEMS = frozenset(("step", "item", "point", "rule"))
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
#: So many passages after the last item belong to its list.
_BELOW = 2
#: So many lists are open at once.
_DEPTH = 20


def heads(passages: Sequence[str]) -> list[int]:
    """Return how many characters at the head of each passage are the number of its clause.

    Numbers are those of clauses where most of them follow the one before. A number of one part without a mark is one
    where it follows or is followed, and what it numbers is the heading of what stands below.

    >>> heads(["1.1 Rent", "1.2 Pets", "2.1 Keys", "10 Dogs"]), heads(["1.5 kg of flour", "2.5 Eggs"])
    ([4, 4, 4, 0], [0, 0])
    >>> heads(["6 Rent", "Pay it.", "7 Pets", "None."]), heads(["6 Eggs", "7 Onions"])
    ([2, 0, 2, 0], [0, 0])
    """
    found = [_HEAD.match(passage) for passage in passages]
    found = [head if head and head.string[head.end() :].lstrip(_OPENING)[:1].isupper() else None for head in found]
    numbers = {k: tuple(map(int, (head[1] or head[2]).split("."))) for k, head in enumerate(found) if head}
    following = {pair for pair in pairwise(numbers) if _follows(numbers[pair[0]], numbers[pair[1]])}
    in_order = {k for pair in following for k in pair}
    plain = {k for k, head in enumerate(found) if head and head[2]}
    kept = [k for k in numbers if k not in plain or (k in in_order and k + 1 not in plain)]
    are_clauses = 0 < len(kept) - 1 <= 2 * sum(_follows(numbers[a], numbers[b]) for a, b in pairwise(kept))
    return [head.end() if head and are_clauses and k in kept else 0 for k, head in enumerate(found)]


def _follows(number: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether a number of a clause comes next after another: 1.2 after 1.1, 2.1 and 1.1.1 after 1.1."""
    shared = next((k for k, pair in enumerate(zip(number, other, strict=False)) if pair[0] != pair[1]), len(number))
    rest = other[shared:]
    if shared < len(number):
        rest = (rest[0] - number[shared], *rest[1:]) if rest else ()
    return bool(rest) and set(rest) == {1}


def number_of(text: str, start: int, passage: str) -> str:
    """Return the number of a clause that begins so in a text: on its line in front of it, or in its words; or empty."""
    line = text.rfind("\n", max(0, start - _FRONT), start) + 1
    found = NUMBERED.fullmatch(text, line, start) if line or start <= _FRONT else None
    found = found or _named(passage)
    return found["number"] if found else ""


def _named(passage: str) -> re.Match[str] | None:
    """Return the name and the number that a passage begins with."""
    found = NUMBERED.match(passage)
    return found if found and found["name"] else None


def is_number(passage: str) -> bool:
    """Return whether a passage is nothing but the number of the clause below, such as *Article II*."""
    found = _named(passage)
    return found is not None and not any(map(str.isalnum, passage[found.end() :]))


def renumbered(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return by new numbers of clauses those before the change, of the clauses and of what they are parts of.

    >>> renumbered([("4.1", "5.1"), ("4.2", "5.2"), ("6", "6")])
    {'5': '4', '5.1': '4.1', '5.2': '4.2'}
    """
    own, whole = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for old, new in pairs:
        own[new].add(old)
        parts, others = old.split("."), new.split(".")
        for depth in range(1, min(len(parts), len(others))):
            whole[".".join(others[:depth])].add(".".join(parts[:depth]))
    return {new: min(olds) for new, olds in (whole | own).items() if len(olds) == 1 and new not in olds}


def follows(number: str, other: str) -> bool:
    """Return whether a number of a clause or an item comes next after another.

    >>> follows("6", "7"), follows("4.2", "5.1"), follows("h", "i"), follows("6", "8")
    (True, True, True, False)
    """
    parts = [each.split(".") for each in (number, other)]
    if all(part.isdigit() for each in parts for part in each):
        return _follows(*([int(part) for part in each] for each in parts))
    before = [(prefix, count - 1) for prefix, count in _counts(other)]
    return any(each in before for each in _counts(number))


class Reference(NamedTuple):
    """A number that refers to a clause, with what the clause is called (*clause*, *step*), and where it stands.

    ``is_own`` says whether the clause is one of the same text, as far as the words around tell.
    """

    name: str
    number: str
    span: Span
    is_own: bool


def references(text: str, span: Span | None = None) -> list[Reference]:
    """Return the references to clauses in a text, or in a part of it.

    >>> [each[:2] for each in references("See clauses 4.2 or 6, and step 3.")]
    [('clause', '4.2'), ('clause', '6'), ('step', '3')]
    >>> [each.is_own for each in references("Section 4 holds, and GDPR Article 6, and section 2 of the Act.")]
    [True, False, False]
    """
    found = []
    for match in _REFERENCE.finditer(text, *(span or ())):
        in_front = text[max(0, match.start() - _FRONT) : match.start()]
        is_shouted = match[0].isupper() and len(match[0]) > 1
        is_own = not (_TO_OTHER.match(text, match.end()) or (_OF_OTHER.search(in_front) and not is_shouted))
        name = re.match(r"[^\W\d_]*|§", match[0])[0].lower().removesuffix("s")  # type: ignore[index]
        found += [Reference(name, each[0], each.span(), is_own) for each in _NUMBERS.finditer(text, *match.span())]
    return found


class Clauses:
    """The numbered clauses and items of a text.

    Attributes:
        lists: of each passage the place of the first item of the list that it counts in; -1 where it has no number.

    >>> Clauses(["1", "2", "1", "2", "3", "", "3", "1"], ["Rent."] * 8).lists
    [0, 0, 2, 2, 2, -1, 0, 7]
    >>> Clauses(["1", "a", "b", "2", "i", "ii", "h", "i"], ["Rent."] * 8).lists
    [0, 1, 1, 0, 4, 4, 6, 6]
    """

    def __init__(self, numbers: Sequence[str], keys: Sequence[str]) -> None:
        self._keys = keys
        self._places = defaultdict[str, list[int]](list)
        self.lists: list[int] = []
        counting: list[tuple[int, str, int]] = []
        for place, number in enumerate(numbers):
            if number:
                self._places[number].append(place)
            counts = _counts(number)
            before = [(prefix, count - 1) for prefix, count in counts]
            last = next((k for k in reversed(range(len(counting))) if counting[k][1:] in before), None)
            if last is not None:
                first, (prefix, count) = counting[last][0], counts[before.index(counting[last][1:])]
                counting = [*counting[:last], (first, prefix, count)]
            elif counts:
                first = place
                counting = [*counting[-_DEPTH:], (first, *min(counts, key=lambda each: each[1]))]
            self.lists.append(first if counts else -1)

    def is_step(self, place: int) -> bool:
        """Return whether a passage tells somebody to do something, as steps do: *Close the valve*, but not *Notice*.

        It begins with a verb, which an article follows where the passage is not a whole sentence.
        """
        key = self._keys[place]
        label = _named(key)
        first, *rest = re.findall(r"[\w'’]+", key[label.end() if label else 0 :].lower())[:3] or [""]
        if first == "never" or (first == "do" and rest[:1] == ["not"]):
            return True
        is_said_of_it = any(word_info(word).is_auxiliary for word in rest)
        is_sentence = key.endswith((".", "!")) or (bool(rest) and word_info(rest[0]).is_article)
        return is_sentence and word_info(first).is_plain_verb and not is_said_of_it

    def named(self, reference: Reference, near: int) -> int | None:
        """Return the place of the clause that a reference in a passage names; None where that is not known.

        Where several have its number, it is the one of the list that the passage belongs to.
        """
        places = self._places.get(reference.number, [])
        if reference.name not in _ITEMS:
            places = [place for place in places if not self.is_step(place)]
        if len(places) > 1:
            own = next((self.lists[k] for k in range(near, max(-1, near - _BELOW - 1), -1) if self.lists[k] >= 0), -1)
            places = [place for place in places if self.lists[place] == own >= 0]
        return places[0] if len(places) == 1 else None


def _counts(number: str) -> list[tuple[str, int]]:
    """Return which items of a list a number may be, with what stands before it: *i* is the first or the ninth."""
    prefix, _, own = number.rpartition(".")
    if own.isdigit():
        return [(prefix, int(own))]
    values = [_ROMAN[letter] for letter in own.lower() if letter in _ROMAN]
    counts = []
    if values and len(values) == len(own):
        signs = [-1 if value < following else 1 for value, following in zip(values, [*values[1:], 0], strict=True)]
        counts.append(("roman", sum(sign * value for sign, value in zip(signs, values, strict=True))))
    return [*counts, ("letter", ord(own.lower()) - ord("a") + 1)] if len(own) == 1 else counts


def out_of_order(items: Sequence[int]) -> list[tuple[int, int]]:
    """Return of numbers those that left the order, as few as can be, each with one that it has changed places with.

    The first of two stands in front now.

    >>> out_of_order([1, 2, 3]), out_of_order([2, 1, 3]), out_of_order([2, 3, 4, 1]), out_of_order([4, 1, 2, 3])
    ([], [(2, 1)], [(2, 1)], [(4, 1)])
    """
    ends: list[int] = []
    lengths = []
    for item in items:
        at = bisect_left(ends, item)
        ends[at : at + 1] = [item]
        lengths.append(at)
    kept, length = set[int](), len(ends) - 1
    for item, own in zip(reversed(items), reversed(lengths), strict=True):
        if own == length:
            kept.add(item)
            length -= 1
    pairs = []
    for at, item in enumerate(items):
        if item not in kept:
            before = next((other for other in items[:at] if other in kept and other > item), None)
            after = next((other for other in items[at + 1 :] if other in kept and other < item), None)
            pairs += [(before, item)] if before is not None else [] if after is None else [(item, after)]
    return pairs


def refer_alike(source: str, output: str, old: Mapping[str, str]) -> tuple[str, list[tuple[Span, Span]]]:
    """Return an output whose references that follow new numbers are as in the source, and where they stand.

    The places are as of :func:`usim.evidence.values.read_alike`.

    >>> refer_alike("Clause 4.2 or 6 holds.", "Clause 5.2 or 8 holds.", {"5.2": "4.2", "8": "7"})
    ('Clause 4.2 or 8 holds.', [((7, 10), (7, 10))])
    """
    text, stop = "", 0
    places: list[tuple[Span, Span]] = []
    if not old:
        return output, places
    theirs, own = references(source), references(output)
    referred = {each.number for each in theirs}
    # A number that stays at its place is one that nobody brought up to date.
    stays = {b.span for a, b in zip(theirs, own, strict=False) if a.number == b.number and len(theirs) == len(own)}
    for reference in own:
        number = old.get(reference.number, "")
        if number in referred and reference.span not in stays:
            start, end = reference.span
            text += output[stop:start]
            places.append(((len(text), len(text) + len(number)), reference.span))
            text, stop = text + number, end
    return text + output[stop:], places
