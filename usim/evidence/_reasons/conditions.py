"""What is no finding as a condition says it: other words for *if*, *should*, a verb before its subject, a future."""

from __future__ import annotations

from collections.abc import Sequence

from usim.evidence._comparison import Comparison
from usim.evidence._conditions import conditions
from usim.evidence._ledger.build import Ledger
from usim.evidence._reasons.finding import Finding
from usim.evidence._sentence import SentenceView

#: From this difference on, one text asks and the other does not, see :attr:`SentenceView.asks`.
_ASKS = 0.5


def without_forms_of_conditions(found: Sequence[Finding], comparison: Comparison, ledger: Ledger) -> list[Finding]:
    """Return findings without those about how a condition is said that both texts have.

    *Had he known* is *if he had known*, and no question; *should you need help* is *if you need help*, and no duty;
    *pay or we leave* is *if you do not pay, we leave*.
    """
    a, b = comparison.source, comparison.target
    kept = [fact for fact in ledger.entries if fact.kind == "condition" and fact.status == "kept"]
    is_alike = bool(kept) and abs(_asks(a, b) - _asks(b, a)) < _ASKS
    return [
        finding
        for finding in found
        if not (finding.kind == "question" and is_alike)
        and not any(_is_form(finding, (a, fact.source), (b, fact.target)) for fact in kept)
    ]


def _is_form(finding: Finding, *clauses: tuple[SentenceView, tuple[int, ...]]) -> bool:
    """Return whether a finding is about how a condition is said, whose clauses both texts have."""
    about = finding.source, finding.target
    if not any(about) or not all(set(own).issuperset(at) for at, (_, own) in zip(about, clauses, strict=True)):
        return False
    if finding.kind == "connective":
        return all({own[0], own[-1]}.issuperset(at) for at, (_, own) in zip(about, clauses, strict=True))
    if finding.kind in ("negation", "claim"):
        return len({_is_unless(view, own) for view, own in clauses}) > 1
    words = {view.words[i] for at, (view, _) in zip(about, clauses, strict=True) for i in at}
    lone = {"modality": {"should"}, "pronoun": {"you"}}.get(finding.kind)
    return words == lone or (finding.kind == "tense" and len(words) == 1)


def _is_unless(view: SentenceView, places: Sequence[int]) -> bool:
    """Return whether a condition says when it is not so: *unless you pay*, *pay or*."""
    return view.words[places[0]] == "unless" or view.words[places[-1]] == "or"


def _asks(view: SentenceView, other: SentenceView) -> float:
    """Return whether a sentence is a question, by its mark alone where it begins with a condition."""
    first = next((i for i, entry in enumerate(view.entries) if entry.is_word), -1)
    is_condition = any(condition.start == first for condition in conditions(view, other))
    return min(view.asks, 0.5 * ("?" in view.words[-3:])) if is_condition else view.asks
