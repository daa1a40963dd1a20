"""What is no finding as a condition says it: other words for *if*, *should*, a verb before its subject, a future."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from usim.evidence._comparison import Comparison
from usim.evidence._conditions import conditions
from usim.evidence._finders.finding import Finding
from usim.evidence._ledger.build import Ledger
from usim.evidence._sentence import SentenceView
from usim.lexicon.tables import COMPARING

#: From this difference on, one text asks and the other does not, see :attr:`SentenceView.asks`.
_ASKS = 0.5
#: So many words behind its first auxiliary the verb of a clause stands at most.
_NEAR_VERB = 3


def without_inversions(found: Sequence[Finding], comparison: Comparison, ledger: Ledger) -> list[Finding]:
    """Return findings without those about how a condition is said that both texts have.

    *Had he known* is *if he had known*, and no question; *should you need help* is *if you need help*, and no duty.
    """
    a, b = comparison.source, comparison.output
    kept = [fact for fact in ledger.entries if fact.kind == "condition" and fact.status == "kept"]

    def is_form(finding: Finding) -> bool:
        if finding.kind == "question" and kept and abs(_asks(a) - _asks(b)) < _ASKS:
            return True
        return any(_is_form(finding, (a, fact.source), (b, fact.output)) for fact in kept)

    return [finding for finding in found if not is_form(finding)]


def _is_form(finding: Finding, *clauses: tuple[SentenceView, tuple[int, ...]]) -> bool:
    """Return whether a finding is about how a condition is said, whose clauses both texts have."""
    about = finding.source, finding.output
    if not any(about) or not all(set(own).issuperset(at) for at, (_, own) in zip(about, clauses, strict=True)):
        return False
    if finding.kind == "connective":
        return all(set(own[:2]).issuperset(at) for at, (_, own) in zip(about, clauses, strict=True))
    if finding.kind in ("negation", "claim"):
        return len({view.words[own[0]] == "unless" for view, own in clauses}) > 1
    words = {view.words[i] for at, (view, _) in zip(about, clauses, strict=True) for i in at}
    lone = {"modality": {"should"}, "pronoun": {"you"}}.get(finding.kind)
    return words == lone or (finding.kind == "tense" and len(words) == 1)


def _asks(view: SentenceView) -> float:
    """Return whether a sentence is a question, by its mark alone where it begins with a condition."""
    first = next((i for i, entry in enumerate(view.entries) if entry.is_word), -1)
    is_condition = any(condition.start == first for condition in conditions(view))
    return min(view.asks, 0.5 * ("?" in view.words[-3:])) if is_condition else view.asks


def without_futures(found: Sequence[Finding], comparison: Comparison) -> list[Finding]:
    """Return findings without those of a future in a condition, or in a clause that says when: there it is no time.

    *If it will rain* is *if it rains*, and *until he will come* is *until he comes*.
    """
    a, b = comparison.source, comparison.output

    def is_no_time(finding: Finding) -> bool:
        places = [(a, i) for i in finding.source] + [(b, j) for j in finding.output]
        if finding.kind == "modality":
            is_future = len(places) == 1 and all(view.words[i] in COMPARING["futures"] for view, i in places)
        else:
            times = {view.tenses.get(i, "") for view, i in places} if finding.kind == "tense" else set()
            is_future = "future" in times and times <= {"future", "present", "bare"}
        return is_future and all(_is_in_clause(view, i) for view, i in places)

    return [finding for finding in found if not is_no_time(finding)]


def _begun(view: SentenceView) -> list[int]:
    """Return the last tokens of what begins conditions and clauses that say when."""
    words = view.words
    ends = [cue.end - 1 for cue in view.cues if cue.kind == "condition" and cue.is_own]
    ends += [k for k, word in enumerate(words) if word in COMPARING["begin times"]]
    ends += [k for k in range(2, len(words)) if words[k - 2 : k + 1] in (("as", "soon", "as"), ("by", "the", "time"))]
    return sorted(ends)


def _is_in_clause(view: SentenceView, i: int) -> bool:
    """Return whether a verb or its auxiliary belongs to the subject behind *if*, *when*, *until* and their like."""
    begun = _begun(view)
    start = begun[at - 1] if (at := bisect_left(begun, i)) else i
    before = view.words[max(0, start - 3) : start]
    if start == i or not COMPARING["ends of clauses"].isdisjoint(view.words[start:i]):
        return False
    if view.words[start] in ("if", "when") and not COMPARING["before what is asked"].isdisjoint(before):
        return False  # "I know when he will come"
    verb = next((k for k in range(start + 1, i) if view.entries[k].is_auxiliary or k in view.verbs), i)
    # "Before noon it will rain" says when it will.
    behind = range(start + 2, i)
    firsts = {k for k in view.names if k - 1 not in view.names}
    others = (view.entries[k].is_article or view.entries[k].person or k in firsts for k in behind)
    return verb > start + 1 and i - verb <= _NEAR_VERB and not any(others)
