"""The same words in another structure: units that belong to another head, or have another category."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason, words_at
from usim.compare.reasons.wording import say
from usim.compare.sentence import SentenceView
from usim.ucca import bit_set, bits

#: Words that were moved to another head where nothing else was changed; where other words were changed, too.
ONLY_MOVED_WEIGHT = 0.55
MOVED_WEIGHT = 0.4
#: Words that were moved to a head that is partly the same.
PARTLY_MOVED_WEIGHT = 0.3
#: A unit of the same words in another category.
CATEGORY_WEIGHT = 0.15
#: Only a change between these categories is a reason.
_TELLING_CATEGORIES = ("A", "P", "S", "D", "T", "H")


def detect_attachments(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find words that were moved and belong to another head."""
    a, b = comparison.source, comparison.target
    reasons = []
    for run in comparison.moved_runs:
        source, target = {i for i, _ in run}, {j for _, j in run}
        if not any(a.is_content[i] for i in source):
            continue
        new_heads = _heads(b, target)
        mapped = {comparison.partner[h] for h in _heads(a, source) if h in comparison.partner}
        if not (mapped and new_heads & comparison.stood_for) or mapped == new_heads:
            continue
        if mapped & new_heads:
            weight = PARTLY_MOVED_WEIGHT
        elif comparison.lost or comparison.added or comparison.respelled:  # correctors move words that they correct
            weight = MOVED_WEIGHT
        else:
            weight = ONLY_MOVED_WEIGHT
        reasons.append(make_reason(comparison, "attachment", source, target, weight))
    return reasons


def _heads(view: SentenceView, inside: set[int]) -> set[int]:
    """Return the content words of the head of what a run of words belongs to: the center or main relation beside it."""
    graph = view.graph
    others_mask = view.content_mask & ~bit_set(inside)
    u = view.holder[max(inside, key=lambda t: (view.is_content[t], -t))]
    while u and not graph.yields[u] & others_mask:
        u = view.parents[u]
    if u and not view.is_scene[u]:
        scene = view.scene[min(inside)]
        if view.categories[u] not in ("A", "E", "C", "H") and view.heads.get(scene):
            return set(view.heads[scene])
    for wanted in (("C",), ("P", "S")):
        for edge in graph.children(u, remote=False):
            if edge.categories[0] in wanted:
                heads = set(bits(graph.yields[edge.child] & others_mask))
                if heads:
                    return heads
    return set()


def detect_categories(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find units of the same words in another category, if a change between the two is telling."""
    a, b = comparison.source, comparison.target
    score = comparison.score
    if score.s2r.recall == 1:
        return []
    reasons = []
    for edge in score.unmatched_source:
        category = edge.categories[0]
        if edge.is_remote or category not in _TELLING_CATEGORIES:
            continue
        places = tuple(bits(a.graph.yields[edge.child]))
        if not places or any(i not in comparison.kept_source for i in places):
            continue
        if not any(a.is_content[i] for i in places):
            continue
        partner = int(score.nodes.to_output[edge.child])
        if partner <= 0 or b.categories[partner] == category:
            continue
        new_places = tuple(bits(b.graph.yields[partner]))
        if {comparison.to[i] for i in places} != set(new_places):
            continue
        new_category = b.categories[partner]
        units = f"{category}: {a.graph.text(edge.child)}", f"{new_category}: {b.graph.text(partner)}"
        text = say("category", words_at(a, places))
        reasons.append(Reason("category", text, places, new_places, units, CATEGORY_WEIGHT))
    return reasons
