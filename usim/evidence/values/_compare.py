"""What became of the values of one text in another: equal, changed, lost, added or exchanged.

Both texts are cut into atoms, in which a value counts by what it says. The atoms are aligned, and a value without an
equal in its place is a finding; so are two values that changed places while all around them stayed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, dropwhile, groupby, pairwise, permutations, product, takewhile, zip_longest
from typing import NamedTuple

from rapidfuzz.distance import Indel

from usim.evidence._places import pair_off
from usim.evidence.values._find import Atom, atoms_of, find_values
from usim.evidence.values._value import HALF_DAY, Date, Value
from usim.lexicon import word_info
from usim.lexicon.tables import COMPARING, read_tables, word_sets
from usim.lexicon.terms import are_other_terms
from usim.lexicon.units import SPANS, MeasureUnit, unit_readings
from usim.text import Span

_FILLERS = word_sets("values.tsv")["fillers"]
#: Words that say a number, or a span of time by its seconds, without naming it.
_SAID_BY = {float(value): frozenset(words.split()) for value, words in read_tables("values.tsv")["said"].items()}
#: Kinds that other words can say, such as the words of an acronym: certain only where another such value is in place.
_SOFT = frozenset(("acronym", "rhythm", "factor", "range", "sign", "weekday"))
#: Bounds of times and dates of which one is the opposite of the other.
_OPPOSED = {*product(("before", "by", "until"), ("after", "since")), ("early", "late"), ("early", "end")}
#: From this day on one may be the last of a month.
_LAST_DAY = 28
#: What stands between the two numbers of a part.
_PARTS = re.compile(r"(?i)\s(?:out of|in)\s")
#: Kinds of which another way to write them is put in their place before a text is read.
_REWRITTEN = frozenset(
    ("number", "ordinal", "decade", "time", "date", "weekday", "code", "range", "sign", "link", "acronym")
)
#: What limits a value, and elsewhere says where something is or what it is about.
_PREPOSITIONS = ("about", "around", "over", "above", "under", "below", "close to", "top")
#: Numbers in words up to these may be said by listing what they count; what stands alone for a power is vague.
_FEW_LOST, _FEW_NEW = 2, 4
_POWERS = COMPARING["powers"]
_HALF_A_DAY = 12
#: So many other words may stand beside a value in a changed stretch that is about it alone.
_FEW = 3
#: So many words on either side say what a value is about; of these so many must stand where they did, or somewhere.
_BESIDE, _KEPT, _SAID, _HALF = 6, 0.65, 0.9, 0.5
_ENDS = COMPARING["ends of sentences"]
#: What tells a label before a value from a word behind it.
_IS_LABEL = " #"
#: What joins two things, and where what stands beside a value ends.
_JOINS = ("and", "or")
_BREAKS = _ENDS | {",", ";", ":", "and", "or", "but"}


class ValueFinding(NamedTuple):
    """What became of a value.

    Attributes:
        kind: ``number``, ``unit``, ``time``, ``date``, ``code``, ``sign``, ``term``, …
        source, output: where it stands in either text, in characters; None where it does not.
        old, new: how it is written; empty where there is none.
        is_certain: whether nothing else can say it.
    """

    kind: str
    source: Span | None
    output: Span | None
    old: str
    new: str
    is_certain: bool


class ComparedValues(NamedTuple):
    """The values of two texts.

    Attributes:
        findings: what changed, in the order of the source.
        equal: the values that are equal, though perhaps written otherwise.
    """

    findings: tuple[ValueFinding, ...] = ()
    equal: tuple[tuple[Value, Value], ...] = ()


_Block = tuple[list[Atom], list[Atom]]


@lru_cache(256)
def compare_values(source: str, output: str) -> ComparedValues:
    """Compare the values of two texts, one to one and each in its place.

    >>> [(f.kind, f.old, f.new) for f in compare_values("Take 5 mg at noon.", "Take 5 g at 12 p.m.").findings]
    [('unit', '5 mg', '5 g')]
    >>> [(f.kind, f.old, f.new) for f in compare_values("Ann is 20, Ben 30.", "Ann is 30, Ben 20.").findings]
    [('exchanged', '20', '30'), ('exchanged', '30', '20')]
    """
    if source == output:
        return ComparedValues()
    both = _BothTexts(source, output)
    equal = tuple(both.equal())
    findings = list(both.joined(list(both.findings())))
    if len(equal) > 1 and not any(found.kind == "exchanged" for found in findings):
        findings += both.exchanged()
    if not findings:
        findings += both.moved()
    if len(both.blocks) > 1:  # of what changed in one stretch the words around tell enough
        findings = list(both.confirmed(findings))
    return ComparedValues(tuple(findings), equal)


class _BothTexts:
    """Two texts, cut into atoms, in which equal values have one key.

    Attributes:
        left, right: their atoms.
        blocks: the stretches in which the atoms differ.
        gone, new: how many values of each key either text has more than the other.
    """

    def __init__(self, source: str, output: str) -> None:
        self.source, self.output = source, output
        left, right = atoms_of(source), atoms_of(output)
        self.left, self.right = _keyed(_fused(source, left, right), _fused(output, right, left))
        self.blocks = list(_blocks(self.left, self.right))
        old, new = (Counter(atom.key for atom in side if atom.value) for side in (self.left, self.right))
        self.gone, self.new = old - new, new - old
        for key in {*_in_rates(self.left, self.right), *_in_rates(self.right, self.left)}:
            self.gone[key] = self.new[key] = 0

    def equal(self) -> Iterator[tuple[Value, Value]]:
        """Yield the values that are equal: of several with one key the first with the first."""
        by_key: dict[str, list[Value]] = {}
        for atom in self.left:
            if atom.value:
                by_key.setdefault(atom.key, []).append(atom.value)
        for atom in self.right:
            if atom.value and by_key.get(atom.key):
                yield by_key[atom.key].pop(0), atom.value

    def finding(self, kind: str, at: Span | None, to: Span | None, *, is_certain: bool = True) -> ValueFinding:
        old, new = self.source[slice(*at)] if at else "", self.output[slice(*to)] if to else ""
        return ValueFinding(kind, at, to, old, new, is_certain)

    def findings(self) -> Iterator[ValueFinding]:
        """Yield what became of the values of each stretch."""
        gone, new = self.gone.copy(), self.new.copy()
        are_values = all(atom.value is not None for block in self.blocks for side in block for atom in side)
        are_exchanges = are_values and all(len(old) == len(other) for old, other in self.blocks)
        for block in self.blocks:
            old, other = ([atom for atom in side if atom.value] for side in block)
            if are_exchanges and not any(gone[x.key] or new[y.key] for x, y in zip(*block, strict=True)):
                yield from (self.finding("exchanged", x.span, y.span) for x, y in zip(*block, strict=True))
                continue
            words = [[atom for atom in side if atom.key not in _FILLERS] for side in block]
            if [len(side) for side in words] == [1, 1] and are_other_terms(*(side[0].key.lower() for side in words)):
                yield self.finding("term", words[0][0].span, words[1][0].span)
                continue
            old, other = _taken(old, gone), _taken(other, new)
            if old or other:
                yield from self._of_block(block, old, other)

    def _of_block(self, block: _Block, old: Sequence[Atom], new: Sequence[Atom]) -> Iterator[ValueFinding]:
        """Yield what became of the values of a stretch without an equal, with the n-th of the other side."""
        words = [_words(side) for side in block]
        counts = [len(_values(side)) for side in block]
        is_short = all(len(side) <= _FEW for side in words) and counts[0] == counts[1]
        place = _Place(not any(words), is_short, is_all=len(self.blocks) == 1)
        pairs, gone, left = pair_off(old, new, lambda x, y: x.value and y.value and x.value.kind == y.value.kind)
        for x, y in (*pairs, *zip_longest(gone, left)):
            a, b, at, to = x and x.value, y and y.value, x and x.span, y and y.span
            if a and b and _are_place_and_share(a, b):
                continue  # the first of two is half of them
            if a and b:
                is_said = (
                    _is_rate(a, b, self.source)
                    or _is_rate(b, a, self.output)
                    or _is_elided(a, b, self.output)
                    or _is_elided(b, a, self.source)
                    or _is_part(a, b, self.source)
                )
                is_certain = _is_changed(a, b, place) and not is_said
                if is_certain and counts == [1, 1] and (place.is_alone or (place.is_short and _is_counted(a, b))):
                    at, to = map(_whole, block)
                yield self.finding(_kind(a, b), at, to, is_certain=is_certain)
            elif value := a or b:
                is_certain = (
                    value.is_hard
                    and value.kind not in _SOFT
                    and (_is_name(value) or not words[a is not None])
                    and (place.is_all or _is_exact(value, _FEW_LOST if a else _FEW_NEW))
                    and not _may_be_said_by(value, self.output if a else self.source)
                )
                yield self.finding(value.kind, at, to, is_certain=is_certain)

    def joined(self, findings: Sequence[ValueFinding]) -> Iterator[ValueFinding]:
        """Yield findings; a value that is gone and one that is new are one that changed if they are of one thing.

        They are where the same label stands before them; and where both are certain, or are dates, if the same word
        stands behind them or nothing else of their kind is gone or new.
        """
        gone, new = [x for x in findings if not x.output], [x for x in findings if not x.source]

        def are_alike(x: ValueFinding, y: ValueFinding) -> bool:
            about, other = _counted(self.left, x.source), _counted(self.right, y.output)
            is_sure = about.endswith(_IS_LABEL) or (x.is_certain and y.is_certain)
            return x.kind == y.kind and is_sure and about == other != ""

        pairs, gone, new = pair_off(gone, new, are_alike)
        kinds = Counter(x.kind for x in gone), Counter(y.kind for y in new)

        def are_only(x: ValueFinding, y: ValueFinding) -> bool:
            is_sure = x.kind in ("date", "ordinal") or (x.is_certain and y.is_certain)
            return x.kind == y.kind and is_sure and kinds[0][x.kind] == kinds[1][x.kind] == 1

        joined = dict(pairs + pair_off(gone, new, are_only)[0])
        are_words_equal = [x.key for x in _words(self.left)] == [y.key for y in _words(self.right)]
        for x in findings:
            if y := joined.get(x):
                is_sure = x.kind == "ordinal" and are_words_equal  # World War II, the First World War
                is_certain = is_sure or (x.is_certain and y.is_certain)
                yield self.finding(x.kind, x.source, y.output, is_certain=is_certain)
            elif x not in joined.values():
                yield x

    def exchanged(self) -> Iterator[ValueFinding]:
        """Yield the values of a reworded text that changed places: each now stands among the words of the other."""
        old, new = _contexts(self.left), _contexts(self.right)
        for x, y in permutations([key for key in old if key in new], 2):
            (a, words), (b, others) = old[x], new[y]
            is_moved = words & others and old[y][1] & new[x][1]
            is_kept = words & new[x][1] or old[y][1] & others
            if is_moved and not is_kept and _are_of_one_sort(a, b):
                yield self.finding("exchanged", a.span, b.span)

    def moved(self) -> Iterator[ValueFinding]:
        """Yield the values that went from one of two joined things to the other: *cleaning up to £9 and repairs*."""
        left, right = ([atom.key for atom in side] for side in (self.left, self.right))
        for i, x in enumerate(self.left):
            if x.value and left.count(x.key) == right.count(x.key) == 1:
                j = right.index(x.key)
                if _is_of_other(left, i, right, j) or _is_of_other(right, j, left, i):
                    yield self.finding("moved", x.span, self.right[j].span)

    def confirmed(self, findings: Iterable[ValueFinding]) -> Iterator[ValueFinding]:
        """Yield findings, of which those are certain whose values no other words may say.

        Of a reworded sentence that is one whose neighbours stayed, one of the only values without an equal, or one that
        is gone where no value is new.
        """
        changed = {id(atom) for block in self.blocks for side in block for atom in side}
        keys = {atom.key for atom in self.left} & {atom.key for atom in self.right}
        unsaid = {id(atom) for atom in (*self.left, *self.right) if atom.key not in keys}
        gone, new = _values(_taken(self.left, self.gone.copy())), _values(_taken(self.right, self.new.copy()))
        for each in findings:
            places = [(atoms, at) for atoms, at in ((self.left, each.source), (self.right, each.output)) if at]
            said = min(_share_without(unsaid, *at) for at in places)
            if each.source and each.output:
                kept = min(_share_without(changed, *at) for at in places)
                is_only = [v.kind for v in gone] == [v.kind for v in new] in (["number"], ["code"]) and (
                    _counted(*places[0]) == _counted(*places[1]) != ""
                )
                is_sure = kept >= _KEPT or said >= _SAID or is_only or _are_one_unit(gone, new)
            else:
                is_sure = said >= _SAID or (not new if each.source else not gone and said >= _HALF)
            yield each if is_sure or each.kind == "exchanged" else each._replace(is_certain=False)


def _values(atoms: Iterable[Atom]) -> list[Value]:
    return [atom.value for atom in atoms if atom.value]


def _words(atoms: Iterable[Atom]) -> list[Atom]:
    return [atom for atom in atoms if atom.value is None and atom.key not in _FILLERS]


def _is_telling(word: str) -> bool:
    """Return whether a word may say what a value is about."""
    return bool(word) and word not in _FILLERS and not word_info(word).is_function


def _share_without(changed: set[int], atoms: Sequence[Atom], place: Span) -> float:
    """Return the share of the words beside a stretch, within its sentence, that are not among those that changed."""
    before, behind = ([a for a in atoms if a.end <= place[0]], [a for a in atoms if a.start >= place[1]])
    sentence = (takewhile(lambda atom: atom.key not in _ENDS, side) for side in (reversed(before), behind))
    beside = [atom for side in sentence for atom in _words(side)[:_BESIDE]]
    return sum(id(atom) not in changed for atom in beside) / len(beside) if beside else 1.0


def _counted(atoms: Sequence[Atom], place: Span | None) -> str:
    """Return the label before a value, or the word behind it; empty for none that says something."""
    if place is None:
        return ""
    for x, y in pairwise(atoms):  # a code has a label: version, Figure
        if y.start == place[0] and y.value and (_is_name(y.value) or y.value.kind == "code") and _is_telling(x.key):
            return x.key + _IS_LABEL
    word = next((atom.key for atom in atoms if atom.start >= place[1]), "")
    return word * _is_telling(word)


def _contexts(atoms: Sequence[Atom]) -> dict[str, tuple[Value, set[str]]]:
    """Return the values that stand once in a text, by their keys, each with the words of its clause that stand once."""
    counts = Counter(atom.key for atom in atoms)
    contexts = {}
    for i, atom in enumerate(atoms):
        if atom.value and counts[atom.key] == 1 and atom.value.kind not in _SOFT:
            sides = (
                takewhile(lambda x: x.value is None and x.key not in _BREAKS, side)
                for side in (atoms[i + 1 :], reversed(atoms[:i]))
            )
            words = {x.key for side in sides for x in side if counts[x.key] == 1 and _is_telling(x.key)}
            contexts[atom.key] = atom.value, words
    return contexts


def _is_of_other(first: Sequence[str], i: int, last: Sequence[str], j: int) -> bool:
    """Return whether a value is about the first of two joined things in one text, and stands behind both in another."""
    one, other = _thing(first, i), _thing(last, j)
    begin, end = (first[i + 1 :], last[j + 1 :])
    same = next((k for k, pair in enumerate(zip(begin, end, strict=False)) if len(set(pair)) > 1), 0)  # *20 people*
    begin, end = begin[same + (begin[same : same + 1] == [","]) :], end[same:]
    if not (one and other and begin and begin[0] in _JOINS) or (end and (end[0] in _JOINS or end[0] not in _BREAKS)):
        return False
    between = last[last.index(one) : j] if one in last[:j] else []
    return one != other and other in begin and begin[0] in between


def _thing(words: Sequence[str], at: int) -> str:
    """Return the noun that a value stands behind: *cleaning* of *the cost of cleaning up to £9*; empty for none."""
    before = list(dropwhile(lambda word: word in COMPARING["before values"], reversed(words[:at])))
    is_thing = len(before) > 1 and before[1] in COMPARING["before things"] and word_info(before[0]).word.parts.get("n")
    return before[0] if is_thing else ""


def _are_of_one_sort(a: Value, b: Value) -> bool:
    """Return whether two values may stand for one another: of one kind and unit, both years or neither."""
    years = [len(value.text) == 4 and value.text.isdecimal() for value in (a, b)]
    return a.kind == b.kind and years[0] == years[1] and _dimensions(a) == _dimensions(b)


def _are_one_unit(gone: Sequence[Value], new: Sequence[Value]) -> bool:
    """Return whether the values without an equal are as many in either text, of one kind, and of one unit."""
    if len(gone) != len(new) or len({value.kind for value in (*gone, *new)}) != 1:
        return False
    units = set[str].intersection(*map(_dimensions, (*gone, *new))) - {""}
    return bool(units) or gone[0].kind in ("time", "date", "rhythm", "weekday")


#: How many atoms may be one code that is written apart, and what is left out of codes, and short for another word.
_MOST_PARTS = 5
_APART = re.compile(r"[\s()]|(?<=[^\W\d])-|-(?=[^\W\d])")
_SHORT = ((re.compile(r"(?<=\d)alpha(?=\d|$)"), "a"), (re.compile(r"(?<=\d)beta(?=\d|$)"), "b"))


def _as_one(text: str) -> str:
    """Return a code as it is compared with one that is written apart: *3.0-beta2* as *3.0 b2*."""
    text = _APART.sub("", text.lower())
    for word, short in _SHORT:
        text = word.sub(short, text)
    return text


def _fused(text: str, atoms: Sequence[Atom], others: Sequence[Atom]) -> list[Atom]:
    """Return atoms in which neighbours that another text writes as one code are one: *RTX 4070* and *RTX4070*."""
    own = {atom.key for atom in atoms}
    written = (atom.value for atom in others if atom.key not in own)
    codes = {_as_one(v.text): v for v in written if v and (v.kind in ("code", "link") or v.quantities)}
    codes = {one: v for one, v in codes.items() if any(map(str.isdigit, one)) and any(map(str.isalpha, one))}
    fused: list[Atom] = []
    i = 0
    while i < len(atoms):
        start, stop, value = atoms[i].start, i + 1, None
        for last in range(min(len(atoms), i + _MOST_PARTS), i + 1, -1) if codes else ():
            if value := codes.get(_as_one(text[start : atoms[last - 1].end])):
                stop = last
                break
        end = atoms[stop - 1].end
        part = value and Atom(value.form, start, end, value._replace(start=start, end=end, text=text[start:end]))
        fused.append(part or atoms[i])
        i = stop
    return fused


def _in_rates(atoms: Sequence[Atom], others: Sequence[Atom]) -> Iterator[str]:
    """Yield the keys of an amount, of how often it is due, and of the rate by which another text says both."""
    own, rates = [(a.key, a.value) for a in atoms if a.value], [(a.key, a.value) for a in others if a.value]
    rates = [(key, rate) for key, rate in rates if any("/" in each for each in _dimensions(rate))]
    for (key, rate), (own_key, rhythm) in product(rates, own):
        if rhythm.kind == "rhythm":
            amounts = [each for each, amount in own if _is_rate(amount, rate, rhythm.text)]
            yield from (*amounts, own_key, key) if amounts else ()


def _keyed(left: Sequence[Atom], right: Sequence[Atom]) -> tuple[list[Atom], list[Atom]]:
    """Return atoms in which equal values have one key."""
    values: dict[str, Value] = {}

    def key(value: Value) -> str:
        if value.kind in ("acronym", "range"):
            return value.form
        found = next((key for key, other in values.items() if value.equals(other)), f"\0{len(values)}")
        values.setdefault(found, value)
        return found

    left, right = ([a._replace(key=key(a.value)) if a.value else a for a in side] for side in (left, right))
    return left, right


def _blocks(left: Sequence[Atom], right: Sequence[Atom]) -> Iterator[_Block]:
    """Yield the stretches in which the atoms differ."""
    # Where the words are the same, a value in the place of another is one that changed.
    if [a.key if a.value is None else "" for a in left] == [b.key if b.value is None else "" for b in right]:
        for x, y in zip(left, right, strict=True):
            if x.key != y.key:
                yield [x], [y]
        return
    # Of several alignments the same is chosen in either direction.
    if _forms(right) < _forms(left):
        for b, a in _blocks(right, left):
            yield a, b
        return
    codes = Indel.opcodes([atom.key for atom in left], [atom.key for atom in right])
    for is_equal, neighbours in groupby(codes, lambda code: code.tag == "equal"):
        run = list(neighbours)
        if not is_equal:
            yield list(left[run[0].src_start : run[-1].src_end]), list(right[run[0].dest_start : run[-1].dest_end])


def _forms(atoms: Sequence[Atom]) -> list[str]:
    return [atom.value.form if atom.value else atom.key for atom in atoms]


def _taken(atoms: Sequence[Atom], counts: Counter[str]) -> list[Atom]:
    """Return the atoms that count as without an equal, and count them off."""
    found = []
    for atom in atoms:
        if counts[atom.key] > 0:
            counts[atom.key] -= 1
            found.append(atom)
    return found


class _Place(NamedTuple):
    """What else changed where a value did.

    Attributes:
        is_alone: nothing else of the stretch is a word.
        is_short: it has few other words, and as many values on either side.
        is_all: nothing changed elsewhere.
    """

    is_alone: bool
    is_short: bool
    is_all: bool


def _is_exact(value: Value, few: int) -> bool:
    """Return whether a value without a counterpart can hardly be said by counting: digits, and larger numbers."""
    are_many = value.text.lower() not in _POWERS and all(q.number > few for q in value.quantities)
    return are_many or any(map(str.isdigit, value.text))


def _may_be_said_by(value: Value, other: str) -> bool:
    """Return whether another text has the number of a value, perhaps of something else, or a word that says it."""
    numbers, atoms = _numbers(value), atoms_of(other)
    quantities = [q for each in _values(atoms) for q in each.quantities]
    words = {atom.key for atom in atoms if atom.value is None}
    others = [x for x in _values(atoms) if _OPPOSED.isdisjoint(((value.bound, x.bound), (x.bound, value.bound)))]
    if any(value.is_same(each) or not numbers.isdisjoint(_numbers(each)) for each in others):
        return True
    if any(_are_parts(x, y) for each in others for x in _days(value) for y in _days(each) if value.dates or each.dates):
        return True  # the end of May, 31 May, the 31st
    if value.text.lower() in words:  # March is when it ends
        return True
    # Three are two of one kind and one of another.
    parts = [q.number for q in quantities if q.unit is None] + [Decimal(1)] * ("one" in words)
    if any(not numbers.isdisjoint((x + y, abs(x - y))) for x, y in combinations(parts, 2)):
        return True
    # Ten years are the decade of *61 km a decade*, twelve months the year of *the first year*.
    names = {q.unit.name.rpartition(" per ")[2] for q in quantities if q.unit} | {x for x in words if len(x) > 2}
    periods = {period.factor for name in names for period in unit_readings(name) if period.dimension in SPANS}
    if any(q.unit and q.unit.dimension in SPANS and q.base[0] in periods for q in value.quantities):
        return True
    keys = {atom.key for atom in atoms}
    return any(number in numbers and not keys.isdisjoint(said) for number, said in _SAID_BY.items())


def _numbers(value: Value) -> set[Decimal]:
    """Return the numbers of a value, and those it is made of: *8 out of 10*, *every 5 minutes*."""
    parts = re.findall(r"\d+", value.characters) if _PARTS.search(value.text) else []
    rates = [q.number for q in value.quantities if q.number and q.unit and q.unit.dimension.startswith("factor/")]
    return {q.number for q in value.quantities} | {*map(Decimal, parts), *(round(1 / rate, 6) for rate in rates)}


def _is_counted(a: Value, b: Value) -> bool:
    """Return whether one value has a unit and the other, with the same number, counts what the word beside it says."""
    return {q.unit is None for value in (a, b) for q in value.quantities} == {True, False}


def _is_name(value: Value) -> bool:
    """Return whether a number is one of a name, such as *version 4.2*, which other words can hardly say."""
    return value.is_code and "/" not in value.characters


def _whole(atoms: Sequence[Atom]) -> Span:
    """Return where the values and the words of a stretch stand, without the marks around them."""
    said = [atom for atom in atoms if atom.value or any(map(str.isalnum, atom.key))]
    return said[0].start, said[-1].end


def _is_changed(a: Value, b: Value, place: _Place) -> bool:
    """Return whether a value that gave way to another certainly says something else.

    Where other words changed as well, these may say the rest: *34 years of age* is *34*, *$-5* is *$5 overdrawn*.
    """
    is_part = bool(_PARTS.search(a.text)) != bool(_PARTS.search(b.text))  # 8 out of 10 women, eight women in ten
    if not place.is_all and (_may_be_same(a, b) or (is_part and _numbers(a) & _numbers(b))):
        return False
    if a.kind == "range" and {a.form, b.form} == {"and", "or"}:  # not on 1 and 4 June, on neither 1 or 4 June
        return False
    if place.is_alone:
        return a.bound == b.bound or not a.is_same(b) or place.is_all
    if a.kind in _SOFT or b.kind in _SOFT:
        return a.kind == b.kind and place.is_short
    if not (a.is_hard or b.is_hard) or a.kind != b.kind:
        return False
    if a.is_same(b):
        return False
    if a.kind == "time" and a.clock % HALF_DAY == b.clock % HALF_DAY:
        return True
    numbers, others = ({abs(number) for number in _numbers(value)} for value in (a, b))
    if numbers.isdisjoint(others):
        return place.is_short or not _dimensions(a).isdisjoint(_dimensions(b))
    is_unit = not _dimensions(a).isdisjoint(_dimensions(b) - {""})
    return is_unit and all(x.number == y.number for x in a.quantities for y in b.quantities)


def _is_rate(amount: Value, rate: Value, text: str) -> bool:
    """Return whether an amount is a rate, whose period the text says elsewhere: *a monthly fee of £5*, *£5 a month*."""
    units = [(q.unit, q.number) for value in find_values(text) for q in value.quantities if q.unit and q.number]
    periods = [unit._replace(factor=unit.factor * number) for unit, number in units if unit.dimension in SPANS]
    often = [(unit.dimension.removeprefix("factor/"), unit.factor * number) for unit, number in units]
    periods += [MeasureUnit(dimension, 1 / times, "") for dimension, times in often if dimension in SPANS]
    return any(
        x.unit is not None and x._replace(unit=x.unit.per(period)).equals(y)
        for x in amount.quantities
        for y in rate.quantities
        for period in periods
    )


def _is_elided(measure: Value, bare: Value, text: str) -> bool:
    """Return whether a text says the unit of a number with another one: *cool it from 45 °C to 27*."""
    units = {q.unit for value in find_values(text) for q in value.quantities if q.unit}
    numbers = {q.number for q in bare.quantities if q.unit is None}
    return any(q.unit in units and q.number in numbers for q in measure.quantities)


def _is_part(a: Value, b: Value, text: str) -> bool:
    """Return whether one number is so large a part of another one of the text: *half of the 300*, *150 of the 300*."""
    wholes = {q.number for value in find_values(text) for q in value.quantities}
    parts = ((x.base[0], y) for xs, ys in ((a, b), (b, a)) for x in xs.quantities for y in ys.quantities)
    return any(0 < part < 1 and not y.unit and y.number in {part * whole for whole in wholes} for part, y in parts)


def _may_be_same(a: Value, b: Value) -> bool:
    """Return whether other words may make two values one.

    *Under six* is *up to five*, *before 21* is *before nine*, *half as often* is *twice as rarely*, *five* is *five
    years old*, *by the end of May* is *before June*, *the 18th* is *18 May*.
    """
    if a.kind == b.kind == "weekday":  # on Friday, this Friday
        words = [value.form.split() for value in (a, b)]
        return words[0][-1] == words[1][-1] and "weekday" in (words[0][0], words[1][0])
    if (a.dates or b.dates) and not (a.characters and b.characters):
        days = list(product(_days(a), _days(b)))
        is_next = a.bound != b.bound and any(_are_next(x, y) for x, y in days)
        return is_next or any(_are_parts(x, y) for x, y in days)
    is_rate = {a.kind, b.kind} == {"number", "rhythm"}  # an hour a day, an hour each day
    if is_rate or (_is_counted(a, b) and not _numbers(a).isdisjoint(_numbers(b))):
        return True
    shares = [[q.base[0] for q in v.quantities if not _dimensions(v) - {"", "share", "factor"}] for v in (a, b)]
    if any(1 in (x * y, x + y) or x == -y for x, y in product(*shares)):
        return True
    x, y = (next((q.number for q in value.quantities if q.unit is None), None) for value in (a, b))
    if x is None or y is None:
        return False
    return (abs(x - y) == 1 and a.bound != b.bound) or (abs(x - y) == _HALF_A_DAY and max(x, y) <= 2 * _HALF_A_DAY)


def _dimensions(value: Value) -> set[str]:
    return {q.unit.dimension if q.unit else "" for q in value.quantities}


def _are_place_and_share(a: Value, b: Value) -> bool:
    return {a.kind, b.kind} == {"number", "ordinal"} and any(0 < n < 1 for n in _numbers(a) | _numbers(b))


def _days(value: Value) -> list[Date]:
    """Return the dates of a value; of a place in an order the day of some month: *the 18th*."""
    return [*value.dates] or [(None, None, int(q.number)) for q in value.quantities if value.kind == "ordinal"]


def _are_next(x: Date, y: Date) -> bool:
    """Return whether of two dates one may follow the other: *4 May* and *5 May*, *31 May* and *June*."""
    is_edge = all(day is None or day == 1 or day >= _LAST_DAY for _, _, day in (x, y))
    is_of_months = is_edge and None in (x[2], y[2])
    first, second = (date[1] if is_of_months else date[2] for date in (x, y))
    return first is not None and second is not None and abs(first - second) == 1


def _are_parts(x: Date, y: Date) -> bool:
    """Return whether two dates agree in all that both say."""
    return all(p == q for p, q in zip(x, y, strict=True) if p is not None and q is not None)


def _kind(a: Value, b: Value) -> str:
    """Return what differs of two values."""
    if "number" in (a.kind, b.kind) and a.is_same(b):
        return "bound"
    if a.kind == b.kind == "number":
        numbers = [{q.number for q in value.quantities} for value in (a, b)]
        units = [{q.unit for q in value.quantities} for value in (a, b)]
        if not numbers[0].isdisjoint(numbers[1]) and units[0] != units[1]:
            return "unit"
    return "number" if "number" in (a.kind, b.kind) else min(a.kind, b.kind)


class ValueRow(NamedTuple):
    """A value of either text or of both, as it is written and in its normal form, and whether they are equal."""

    kind: str
    old: str
    old_form: str
    new: str
    new_form: str
    is_equal: bool


def value_rows(source: str, output: str) -> list[ValueRow]:
    """Return the values of two texts: the equal ones, and what changed, is gone or is new.

    >>> value_rows("It is 2.4 GHz.", "It is 2400 MHz.")  # doctest: +NORMALIZE_WHITESPACE
    [ValueRow(kind='number', old='2.4 GHz', old_form='2.4 gigahertz', new='2400 MHz', new_form='2400 megahertz',
              is_equal=True)]
    """
    both = _BothTexts(source, output)
    pairs: list[tuple[Value | None, Value | None, bool]] = [(a, b, True) for a, b in both.equal()]
    used = {id(value) for a, b, _ in pairs for value in (a, b)}
    left, right = ([value for value in _values(side) if id(value) not in used] for side in (both.left, both.right))

    def take(values: list[Value], span: Span | None) -> Value | None:
        value = next((v for v in values if span and v.start < span[1] and span[0] < v.end), None)
        return value and values.pop(values.index(value))

    for found in compare_values(source, output).findings:
        pairs.append((take(left, found.source), take(right, found.output), False))
    pairs += [(a, None, False) for a in left] + [(None, b, False) for b in right]
    pairs.sort(key=lambda pair: pair[0].start if pair[0] else len(source))
    rows = []
    for a, b, is_equal in pairs:
        if value := a or b:
            old, new = ((each.text, each.form) if each else ("", "") for each in (a, b))
            rows.append(ValueRow(value.kind, *old, *new, is_equal))
    return rows


def _preposition(value: Value) -> str:
    """Return the preposition or comparative that a value begins with, empty if it begins with none."""
    text = f"{value.text.lower()} "
    comparative = text.partition(" than ")[0] if "er than " in text else ""
    return comparative or next((word for word in _PREPOSITIONS if text.startswith(f"{word} ")), "")


def read_alike(source: str, output: str) -> tuple[str, list[tuple[Span, Span]]]:
    """Return an output in which values are written as the source writes equal ones, and where they stand.

    The places are those of each such value in the text that is returned, and in the output. What may be a preposition
    that limits no value, as in *a book about forty refugees*, stays as it is, and the judge reads it.

    >>> read_alike("It uses 2.4 GHz.", "It now uses 2.4GHz.")
    ('It now uses 2.4 GHz.', [((12, 19), (12, 18))])
    """
    changes: list[tuple[Value, Value]] = []
    for old, new in sorted(compare_values(source, output).equal, key=lambda pair: pair[1].start):
        # The *and* of *between 5 and 7* makes no range of *from 5 to 7*.
        is_and = old.kind == "range" and "and" in (old.text.lower(), new.text.lower())
        is_day = any(value.dates and value.quantities for value in (old, new))  # the 3 of 3 and 11 May
        is_read = not (is_and or is_day) and _preposition(old) == _preposition(new)
        if {old.kind, new.kind} <= _REWRITTEN and is_read:
            x, y = changes[-1] if changes else (old, new)
            gaps = source[x.end : old.start], output[y.end : new.start]
            if changes and x.end <= old.start and not any(map(str.strip, gaps)):  # 3 to 1, as the source writes 3:1
                changes.pop()
                old = old._replace(start=x.start, text=source[x.start : old.end])
                new = new._replace(start=y.start, text=output[y.start : new.end])
            changes.append((old, new))
    text, stop = "", 0
    places: list[tuple[Span, Span]] = []
    for old, new in changes:
        if old.text.lower() != new.text.lower():
            is_last = new.text.endswith(".") and not output[new.end :].lstrip()[:1].islower()
            end = new.end - (is_last and not old.text.endswith("."))
            text += output[stop : new.start]
            places.append(((len(text), len(text) + len(old.text)), (new.start, end)))
            text, stop = text + old.text, end
    return text + output[stop:], places
