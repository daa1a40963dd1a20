"""The ledger of a pair: the facts of either text, matched, with what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from msgspec import Struct
from rapidfuzz.distance import Indel

from usim.evidence._finders.finding import LIMITS
from usim.evidence._ledger import clauses
from usim.evidence._ledger.anchored import anchored
from usim.evidence._ledger.side import Found, Places, Side
from usim.evidence._ledger.values import exact, names
from usim.evidence._sentence import SentenceView
from usim.lexicon.tables import COMPARING

Status = Literal["kept", "changed", "lost", "added"]


class Fact(Struct, frozen=True, rename={"is_certain": "certain"}):
    """A fact of either text, and what became of it.

    Attributes:
        kind: what it is about, such as ``number``, ``date``, ``name``, ``condition`` or ``negation``.
        status: ``kept``, ``changed``, ``lost`` or ``added``.
        old, new: the words of the source and of the output as they are written; empty where there are none.
        source, output: the places of their tokens, from 0.
        is_certain: whether a careful rule says so; a guess is for readers alone and decides nothing.
    """

    kind: str
    status: Status
    old: str
    new: str
    source: tuple[int, ...]
    output: tuple[int, ...]
    is_certain: bool = False


@dataclass(frozen=True)
class Ledger:
    """The facts of a pair of texts, in the order of the source; what was added comes last.

    Attributes:
        is_all: whether one certain change is all that changed: the texts are equal otherwise, and no participant moved
            past another.
    """

    entries: tuple[Fact, ...] = ()
    is_all: bool = False

    @property
    def findings(self) -> tuple[Fact, ...]:
        """The facts that certainly changed, are gone or are new."""
        return tuple(entry for entry in self.entries if entry.is_certain and entry.status != "kept")


#: A token of the source, the most similar token of the output, and their cosine.
SoftLink = tuple[int, int, float]

_KINDS = (
    exact, names, anchored, clauses.denied, clauses.said, clauses.complements, clauses.actors, clauses.evidence,
    clauses.causes,
)  # fmt: skip


def build_ledger(
    source: SentenceView,
    output: SentenceView,
    alignment: Iterable[tuple[int, int]],
    soft: Iterable[SoftLink] | None = None,
) -> Ledger:
    """Return the facts of two texts, matched.

    Args:
        alignment: the tokens of the source with those of the output that stand for them.
        soft: further tokens that are most alike, each with their cosine (``usim.verdicts.Opinion.soft_links``);
            None where that is not known: then no loss of a clause is certain.
    """
    is_soft = soft is not None
    links = {(int(i), int(j)) for i, j in alignment} | {(i, j) for i, j, _ in soft or ()}
    a = Side(source, _grouped(links), is_soft=is_soft)
    b = Side(output, _grouped((j, i) for i, j in links), is_soft=is_soft)
    same = _compare(a, b)
    facts = _confirmed(a, b, [found for find in _KINDS for found in find(a, b)], same)
    ordered = sorted(facts, key=lambda found: (not found.source, found.source, found.output, found.kind))
    ledger = Ledger(tuple(_entry(a, b, found) for found in ordered))
    old, new = {i for e in ledger.findings for i in e.source}, {j for e in ledger.findings for j in e.output}
    is_all = bool(ledger.findings) and a.changed <= old and b.changed <= new and not _is_crossed(a, b)
    return replace(ledger, is_all=is_all)


#: What is certainly another then: small numbers, too, which are said in many ways otherwise.
_CHANGED_ALONE = frozenset(("number", "date", "time", "possibility"))
#: Kinds whose facts are the whole stretch that changed.
_WHOLE = clauses.LIMITING | {"attribution"}
#: What words are about that say when or how much.
_NO_PARTICIPANTS = frozenset(("unit", "clock", "calendar", "digits"))


def _compare(a: Side, b: Side) -> list[tuple[int, int]]:
    """Mark the words of either text that changed, and those that moved; return the others in pairs."""
    same: list[tuple[int, int]] = []
    for edit in Indel.opcodes(a.view.words, b.view.words):
        if edit.tag == "equal":
            same += zip(range(edit.src_start, edit.src_end), range(edit.dest_start, edit.dest_end), strict=True)
    other = [
        [i for i in set(range(len(side.view.words))).difference(kept) if _is_word(side.view.words[i])]
        for side, kept in ((a, (i for i, _ in same)), (b, (j for _, j in same)))
    ]
    forms = a.forms_of(other[0]) & b.forms_of(other[1])
    for side, places in zip((a, b), other, strict=True):
        side.changed = frozenset(side.without(places, forms))
        side.moved = frozenset(i for i in places if i not in side.changed and side.view.is_content[i])
    return same


def _is_crossed(a: Side, b: Side) -> bool:
    """Return whether a participant moved past another one; what stands behind its preposition may stand anywhere."""
    old, new = ({side.view.words[i]: i for i in _participants(side.view)} for side in (a, b))
    order = []
    for word in sorted(old.keys() & new, key=old.__getitem__):
        before, now = a.view.governors[old[word]], b.view.governors[new[word]]
        if not before or before != now:
            order.append(new[word])
    return order != sorted(order)


def _participants(view: SentenceView) -> Iterator[int]:
    for i, entry in enumerate(view.entries):
        if view.may_be_participant(i) and entry.topics.isdisjoint(_NO_PARTICIPANTS):
            yield i


def _entry(a: Side, b: Side, found: Found) -> Fact:
    kind, source, output, is_certain, is_kept = found
    status: Status = "kept" if is_kept else "changed" if source and output else "lost" if source else "added"
    quoted = source, output
    if kind == "negation" and status == "changed":
        quoted = _with_words_before(b, output, source, a), _with_words_before(a, source, output, b)
    elif kind in clauses.LIMITING:
        quoted = a.to_break(source), b.to_break(output)
    elif kind == "order":
        quoted = a.with_noun(source), b.with_noun(output)
    old, new = (side.view.written(places) for side, places in zip((a, b), quoted, strict=True))
    return Fact(kind, status, old, new, source, output, is_certain)


def _with_words_before(other: Side, others: Places, places: Places, side: Side) -> Places:
    """Return places with those before them that stand for others: *somebody has seen* for *nobody has seen*."""
    reach = range(places[0] - len(others) + 1, places[0])
    counterparts = {j for i in others for j in other.links.get(i, ()) if j in reach}
    return tuple(range(min((*counterparts, places[0])), places[-1] + 1))


def _confirmed(a: Side, b: Side, facts: Iterable[Found], same: Sequence[tuple[int, int]]) -> Iterator[Found]:
    """Yield facts; of certainty where, with others that are, they are all that changed in their sentences.

    Where all that changed is one stretch, which begins with a condition or an exception or says who says it, that is
    the whole of it.
    """
    facts = list(facts)
    telling = [found for found in facts if not found.is_kept and (found.is_certain or _is_limit(found))]
    for found in facts:
        if found.is_kept or not (_is_limit(found) or (found.source and found.output and found.kind in _CHANGED_ALONE)):
            yield found
            continue
        gone, new = _around(a, b, found, same)
        if found.kind in _WHOLE and _is_limit(found):
            found = _whole(a, found, gone, new) if found.source else _whole(b, found.turned, new, gone).turned
        own = set(found.source), set(found.output)
        others = [other for other in telling if own[0].isdisjoint(other.source) and own[1].isdisjoint(other.output)]
        is_all = gone.issubset(chain(found.source, *(other.source for other in others)))
        is_all &= new.issubset(chain(found.output, *(other.output for other in others))) and bool(gone or new)
        word = a.view.words[found.source[0]] if found.source else b.view.words[found.output[0]]
        # A clause whose words still stand somewhere may be said in another way.
        is_elsewhere = _is_limit(found) and (_stands_elsewhere(a, found.source) or _stands_elsewhere(b, found.output))
        is_plain = is_all and not is_elsewhere and word not in COMPARING["little loss"]
        yield found._replace(is_certain=found.is_certain or is_plain)


def _stands_elsewhere(side: Side, places: Places) -> bool:
    """Return whether the other text has some words of a clause in other places, or all of them."""
    content = {i for i in places if side.view.is_content[i]}
    return not side.moved.isdisjoint(content) or (bool(content) and side.changed.isdisjoint(content))


def _is_limit(found: Found) -> bool:
    """Return whether a fact of one text alone limits what is claimed."""
    return found.kind in LIMITS and not (found.source and found.output)


def _around(a: Side, b: Side, found: Found, same: Sequence[tuple[int, int]]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the changed words of the sentences that a fact is in, and of those that have the same words."""
    own, others = {a.sentence[i] for i in found.source}, {b.sentence[j] for j in found.output}
    size = -1
    while size < len(own) + len(others):
        size = len(own) + len(others)
        own.update(a.sentence[i] for i, j in same if b.sentence[j] in others)
        others.update(b.sentence[j] for i, j in same if a.sentence[i] in own)
    if not own or not others:  # a sentence that has no counterpart may be said anywhere
        return a.changed, b.changed
    gone = frozenset(i for i in a.changed if a.sentence[i] in own)
    return gone, frozenset(j for j in b.changed if b.sentence[j] in others)


def _whole(side: Side, found: Found, own: frozenset[int], others: frozenset[int]) -> Found:
    """Return a fact of one text, as the whole stretch that the other text lacks where nothing else changed."""
    is_source = found.kind == "attribution"
    # Who says it may stand before the verb.
    first = min((*own, found.source[0])) if is_source else found.source[0]
    stop = max((*own, found.source[-1])) + 1
    if others or own != {i for i in range(first, stop) if _is_word(side.view.words[i])}:
        return found
    behind = [i for i in range(stop, len(side.sentence)) if side.sentence[i] == side.sentence[first]]
    if is_source and not any(side.view.entries[i].is_word for i in behind):
        return found
    return found._replace(source=tuple(range(first, stop)), is_certain=is_source)


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token)) and token not in ("to", "that", "and", "both")


def _grouped(links: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    grouped: dict[int, set[int]] = {}
    for i, j in links:
        grouped.setdefault(i, set()).add(j)
    return {i: frozenset(others) for i, others in grouped.items()}
