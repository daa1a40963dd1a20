"""Claims: what was said as a fact is now thought, said, tried or wished, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._comparison import Comparison
from usim.compare._reasons.reason import HandledTokens, Reason, make_reason
from usim.compare._sentence import SentenceView
from usim.lexicon import exchange_cost
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import stance


def detect_stances(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find verbs of knowing, saying, trying and wishing lost, added or exchanged."""
    a, b = comparison.source, comparison.target
    for m in comparison.matches:
        if m.spelling or m.equivalent or handled.has(m):
            continue
        x, y = stance(a.words[m.source]), stance(b.words[m.target])
        if (
            x is None
            or y is None
            or x == y
            or (m.relation.synonym and min(m.relation.share_a, m.relation.share_b) > 0.1)
        ):
            continue
        if not (_embeds(a, m.source) and _embeds(b, m.target)):
            continue
        weight = exchange_cost("stance", x, y)
        yield make_reason(comparison, "claim", (m.source,), (m.target,), weight)
        handled.add((m.source,), (m.target,))
    for view, other_view, places, taken, case in (
        (a, b, comparison.lost, handled.source, "claim.gone"),
        (b, a, comparison.added, handled.target, "claim.new"),
    ):
        for i in places:
            kind = stance(view.words[i])
            if kind is None or i in taken or not _embeds(view, i):
                continue
            weight = exchange_cost("stance", kind, None)
            if not weight or not other_view.lemmas.isdisjoint(view.entries[i].word.lemmas):
                continue
            at, to = ((i,), ()) if view is a else ((), (i,))
            yield make_reason(comparison, case, at, to, weight, claim=_NAMES[kind])
            taken.add(i)


_NAMES = {"belief": "thought", "report": "said", "seem": "seeming", "pretend": "pretended", "wish": "wished or planned",
          "try": "tried", "fail": "failed or refused"}  # fmt: skip


def _embeds(view: SentenceView, i: int) -> bool:
    """Return whether a verb has another verb or a clause behind it."""
    following = view.entries[i + 1 : i + 5]
    for k, e in enumerate(following, i + 1):
        if (
            e.form in COMPARING["before embedded verbs"]
            or (k in view.verbs and k != i)
            or (e.person and k == i + 1)
            or e.form.endswith("ing")
        ):
            return True
        if not e.is_word:
            return False
    return False


def detect_unreal(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find what is only imagined now, or was."""
    a, b = comparison.source, comparison.target
    gone, new = _unreal(a, comparison.gone), _unreal(b, comparison.new)
    if bool(gone) == bool(new) or not {"if", "wish"}.isdisjoint(a.vocabulary & b.vocabulary):
        return
    if not (handled.source.issuperset(gone) and handled.target.issuperset(new)):
        handled.add(gone, new)
        case = "claim.new" if new else "claim.gone"
        yield make_reason(comparison, case, gone, new, claim="imagined")


def _unreal(view: SentenceView, places: list[int]) -> list[int]:
    """Return *would have* and its like among changed words."""
    changed = set(places)
    for i in places:
        if view.words[i] in ("have", "'ve", "’ve"):
            for k in range(max(0, i - 2), i):
                if view.words[k] in COMPARING["imagining"] and k in changed:
                    return [k, i]
    return []
