"""The ledger of a pair: the facts of either text, matched, with what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from textwrap import shorten

from rapidfuzz.distance import Indel

from usim.compare._ledger.anchored import anchored
from usim.compare._ledger.clauses import LIMITING, causes, complements, denied, evidence, intended, said
from usim.compare._ledger.entry import Entry, Ledger, Status
from usim.compare._ledger.side import Found, Side
from usim.compare._ledger.values import days, names, numbers
from usim.compare._reasons.reason import KINDS, SENTENCES, Reason, say
from usim.compare._sentence import SentenceView
from usim.lexicon.tables import COMPARING

#: A token of the source, one of the output that is like it, and their cosine.
SoftLink = tuple[int, int, float]

_KINDS = (numbers, days, names, anchored, denied, intended, said, complements, evidence, causes)


def build_ledger(
    source: SentenceView,
    target: SentenceView,
    alignment: Iterable[tuple[int, int]],
    soft: Iterable[SoftLink] | None = None,
) -> Ledger:
    """Return the facts of two texts, matched.

    Args:
        source, target: the texts.
        alignment: the tokens of the source with those of the target that stand for them.
        soft: further tokens that are most alike, each with their cosine (``usim.judge.Judgement.soft_links``);
            None where that is not known: then no loss of a clause is certain.
    """
    links = {(int(i), int(j)) for i, j in alignment} | {(i, j) for i, j, _ in soft or ()}
    is_soft = soft is not None
    a, b = Side(source, _grouped(links), is_soft), Side(target, _grouped((j, i) for i, j in links), is_soft)
    a.changed, b.changed = _changed(a, b)
    facts = (_confirmed(a, b, found) for find in _KINDS for found in find(a, b))
    ordered = sorted(facts, key=lambda found: (not found.source, found.source, found.target, found.kind))
    ledger = Ledger(tuple(_entry(a.view, b.view, found) for found in ordered))
    old, new = {i for e in ledger.findings for i in e.source}, {j for e in ledger.findings for j in e.target}
    is_all = bool(ledger.findings) and a.changed <= old and b.changed <= new
    return replace(ledger, is_all=is_all)


#: What is certainly lost where nothing else of the texts changed: no other words of theirs can say it then.
_TELLING_ALONE = frozenset(("condition", "exception", "attribution", "possibility", "focus", "intent"))
#: What is certainly another then: small numbers, too, which are said in many ways otherwise.
_CHANGED_ALONE = frozenset(("number", "date", "time", "possibility", "intent"))
#: Kinds whose facts are the whole stretch that changed.
_WHOLE = LIMITING | {"attribution"}


def _changed(a: Side, b: Side) -> tuple[frozenset[int], frozenset[int]]:
    """Return the words of either text that the other lacks in their places, but for other forms of one word."""
    edits = [edit for edit in Indel.opcodes(a.view.words, b.view.words) if edit.tag != "equal"]
    gone = [i for edit in edits for i in range(edit.src_start, edit.src_end) if _is_word(a.view.words[i])]
    new = [j for edit in edits for j in range(edit.dest_start, edit.dest_end) if _is_word(b.view.words[j])]
    forms = set(chain(*map(a.forms, gone))).intersection(chain(*map(b.forms, new)))
    return (
        frozenset(i for i in gone if forms.isdisjoint(a.forms(i))),
        frozenset(j for j in new if forms.isdisjoint(b.forms(j))),
    )


def _entry(a: SentenceView, b: SentenceView, found: Found) -> Entry:
    kind, source, target, is_certain, is_kept = found
    status: Status = "kept" if is_kept else "changed" if source and target else "lost" if source else "added"
    return Entry(kind, status, a.written(source), b.written(target), source, target, is_certain)


def _confirmed(a: Side, b: Side, found: Found) -> Found:
    """Return a fact; of certainty, where it is about all that changed.

    Where all that changed is one stretch, which begins with a condition or an exception or says who says it, that is
    the whole of it.
    """
    is_alone = not (found.source and found.target)
    if found.is_kept or found.kind not in (_TELLING_ALONE if is_alone else _CHANGED_ALONE):
        return found
    if is_alone and found.kind in _WHOLE:
        found = _whole(a, found, b) if found.source else _whole(b, found.turned, a).turned
    is_all = a.changed.issubset(found.source) and b.changed.issubset(found.target) and bool(a.changed or b.changed)
    if found.is_certain or not is_all:
        return found
    word = a.view.words[found.source[0]] if found.source else b.view.words[found.target[0]]
    return found if word in COMPARING["little loss"] else found._replace(is_certain=True)


def _whole(side: Side, found: Found, other: Side) -> Found:
    """Return a fact of one text, as the whole stretch that the other text lacks where nothing else changed."""
    own, is_source = side.changed, found.kind == "attribution"
    # Who says it may stand before the verb.
    first = min((*own, found.source[0])) if is_source else found.source[0]
    stop = max((*own, found.source[-1])) + 1
    if other.changed or own != {i for i in range(first, stop) if _is_word(side.view.words[i])}:
        return found
    behind = [i for i in range(stop, len(side.sentence)) if side.sentence[i] == side.sentence[first]]
    is_inside = any(side.view.entries[i].is_word for i in behind)
    return (
        found if is_source and not is_inside else found._replace(source=tuple(range(first, stop)), is_certain=is_source)
    )


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token)) and token not in ("to", "that", "and", "both")


def _grouped(links: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    grouped: dict[int, set[int]] = {}
    for i, j in links:
        grouped.setdefault(i, set()).add(j)
    return {i: frozenset(others) for i, others in grouped.items()}


#: The weight of a fact that certainly changed.
FACT_WEIGHT = 0.9
#: Longer stretches, such as clauses, are quoted up to here.
_LONGEST_QUOTE = 60
#: The kinds of reasons of kinds of facts; others have the same name, or are cases of ``fact``.
_REASONS = {"date": "time", "way": "direction"}


def ledger_reasons(entries: Iterable[Entry]) -> Iterator[Reason]:
    """Yield a reason for each fact that changed, is gone or is new."""
    for entry in entries:
        case = _REASONS.get(entry.kind, entry.kind if entry.kind in KINDS else f"fact.{entry.kind}")
        alone = f"{case}.alone" if not (entry.old and entry.new) else case
        old, new = (shorten(words, _LONGEST_QUOTE, placeholder=" …") for words in (entry.old, entry.new))
        text = say(alone if alone in SENTENCES else case, old, new)
        yield Reason(case.partition(".")[0], text, entry.source, entry.target, weight=FACT_WEIGHT)
