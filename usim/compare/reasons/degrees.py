"""Degrees: positive, comparative, superlative."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason
from usim.compare.sentence import SentenceView
from usim.lexicon import WordNet

#: Another degree of an adjective or adverb; the same where the sentence asks for it on both sides (*than*).
DEGREE_WEIGHT = 0.45
ASKED_WEIGHT = 0.15
_IRREGULAR = {
    "better": ("good", 1), "best": ("good", 2), "worse": ("bad", 1), "worst": ("bad", 2), "further": ("far", 1),
    "farther": ("far", 1), "furthest": ("far", 2), "farthest": ("far", 2), "elder": ("old", 1), "eldest": ("old", 2),
}  # fmt: skip
_PLAIN = {"good": "good", "well": "good", "bad": "bad", "badly": "bad", "far": "far", "old": "old"}


def detect_degrees(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find adjectives and adverbs that are kept in another degree (*older*, *oldest*)."""
    a, b = comparison.source, comparison.target
    reasons = []
    for i, j in _candidates(comparison):
        if i in claimed.source or j in claimed.target:
            continue
        degree, new_degree = _degree(a, i), _degree(b, j)
        if degree == new_degree or None in (degree, new_degree):
            continue
        asked = {"than", "of"} & a.vocabulary & b.vocabulary if 1 in (degree, new_degree) else {}
        is_learner = ("than" in a.vocabulary) == ("than" in b.vocabulary) and bool(asked)
        weight = ASKED_WEIGHT if is_learner or comparison.respelled else DEGREE_WEIGHT
        reasons.append(make_reason(comparison, "comparison", (i,), (j,), weight))
        claimed.add((i,), (j,))
    return reasons


def _candidates(comparison: Comparison) -> list[tuple[int, int]]:
    a, b = comparison.source, comparison.target
    pairs = [
        (m.source, m.target)
        for m in comparison.matches
        if not m.spelling
        and (_is_compared(a.words[m.source]) or _is_compared(b.words[m.target]))
        and _base(a.words[m.source]) == _base(b.words[m.target])
    ]
    degrees = ("more", "most")
    gone, new = comparison.gone, comparison.new
    for i in gone:
        if a.words[i] in degrees and i + 1 in comparison.kept_source:
            pairs.append((i + 1, comparison.to[i + 1]))
    for j in new:
        if b.words[j] in degrees and j + 1 in comparison.kept_target:
            pairs += [(i, j + 1) for i, k in comparison.kept if k == j + 1]
    return list(dict.fromkeys(pairs))


def _is_compared(form: str) -> bool:
    return form.endswith(("er", "est")) or form in _IRREGULAR


def _base(form: str) -> str:
    """Return the adjective that a form belongs to."""
    if form in _IRREGULAR:
        return _IRREGULAR[form][0]
    if form in _PLAIN:
        return _PLAIN[form]
    stem = form[:-2] if form.endswith("er") else form[:-3] if form.endswith("est") else form
    if len(stem) > 2 and stem[-1] == stem[-2] and stem != form:
        stem = stem[:-1]
    return stem.rstrip("e").removesuffix("i").removesuffix("y")


def _degree(view: SentenceView, i: int) -> int | None:
    """Return 0 for the positive, 1 for the comparative, 2 for the superlative, None for no adjective or adverb."""
    form = view.words[i]
    if form in _IRREGULAR:
        return _IRREGULAR[form][1]
    parts = view.entries[i].word.parts
    if parts.get("a", 0.0) < 0.3 and not (parts.get("r", 0.0) > 0.3 and form.endswith(("ly", "er", "est"))):
        return None
    before = view.words[i - 1] if i else ""
    if before in ("more", "less"):
        return 1
    if before in ("most", "least"):
        return 2
    degree = 1 if form.endswith("er") else 2 if form.endswith("est") else 0
    return 0 if degree and _is_plain(view, i) else degree


def _is_plain(view: SentenceView, i: int) -> bool:
    """Return whether a form in -er or -est is an adjective itself: *clever*, *honest*."""
    net = WordNet.shipped()
    form = view.words[i]
    stem = form[:-2] if form.endswith("er") else form[:-3]
    stems = [stem, stem + "e", stem[:-1] + "y" if stem.endswith("i") else stem[:-1]]
    return not any(len(s) > 2 and net.has(s, "a") for s in stems)
