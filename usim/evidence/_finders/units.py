"""Units without a counterpart, and the same words in another structure: of another head, or another category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import WEIGHTS, Finding, HandledTokens, make_finding, round_weight, say, words_at
from usim.evidence._finders.words import bounded
from usim.evidence._sentence import SentenceView
from usim.lexicon import relation
from usim.ucca.yields import bit_set, bits

#: A unit of rare words weighs up to so much more than its kind.
RARITY_WEIGHT = 0.4
#: Factor where another word of the same place has a match, which may express the lost one as well.
REPHRASED_FACTOR = 0.7
#: Factor where the word, or one of the same meaning, is elsewhere in the other sentence.
SAID_ELSEWHERE_FACTOR = 0.4

_LONGEST_NAME = 8  # words

#: Only a change between these categories is a finding.
_TELLING_CATEGORIES = ("A", "P", "S", "D", "T", "H")

#: What the encoder may change: usual cosines of lost words with their best counterpart and of the contents of both
#: sentences, and how much being off them counts.
USUAL_BEST_COSINE = 0.6
BEST_SLOPE = 0.5
USUAL_CONTENT_COSINE = 0.93
CONTENT_SLOPE = 2.5


def detect_units(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find content words without a counterpart, grouped by the largest units of which nothing is left."""
    yield from _detect_side(comparison, 0, comparison.lost, handled.source)
    yield from _detect_side(comparison, 1, comparison.added, handled.output)


def _detect_side(comparison: Comparison, side: int, positions: list[int], handled: set[int]) -> Iterator[Finding]:
    """Find the units of the source (side 0) that are lost, or those of the output (side 1) that were added."""
    view, other_view = (comparison.source, comparison.output)[:: -1 if side else 1]
    stand_ins = comparison.stand_ins[side]
    left = [i for i in positions if i not in handled]
    for i in left:
        if i in stand_ins:
            at, to = (stand_ins[i], i) if side else (i, stand_ins[i])
            yield make_finding(comparison, "sense.stand-in", (at,), (to,))
    alone = [i for i in left if i not in stand_ins]
    for u, inside in _largest_units(view, positions, alone).items():
        kind, case = _kind_and_case(view, u, inside)
        weight = WEIGHTS[f"{kind}-lost{case}"]
        if case != ".light":
            weight += RARITY_WEIGHT * max(float(view.weights[i]) for i in inside)
        if not comparison.rephrased[side].isdisjoint(inside):
            weight *= REPHRASED_FACTOR
        if all(_is_said_elsewhere(view, other_view, i) for i in inside):
            weight *= SAID_ELSEWHERE_FACTOR
        weight *= _vector_factor(comparison, side, inside)
        places = tuple(inside)
        at_places, to_places = ((), places) if side else (places, ())
        kind = f"{kind}-added" if side else f"{kind}-lost"
        text = say(kind, words_at(view, _named(view, comparison.new if side else comparison.gone, u, places)))
        units = (f"{view.categories[u]}: {view.graph.text(u)}",)
        yield Finding(kind, text, at_places, to_places, units=units, weight=round_weight(weight))


def _named(view: SentenceView, changed: Sequence[int], u: int, inside: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a unit is called: its changed words, without links at its ends; if they are many, the content."""
    words = sorted(set(bits(view.graph.yields[u])).intersection(changed)) if u else []
    for end in (0, -1):
        while words and (view.entries[words[end]].links or not view.entries[words[end]].is_word):
            del words[end]
    return tuple(words) if len(inside) <= len(words) <= _LONGEST_NAME else inside


def _largest_units(view: SentenceView, missing: Sequence[int], alone: Sequence[int]) -> dict[int, list[int]]:
    """Return the largest units whose content words are all missing, with those of their words to report."""
    kept_mask = view.content_mask & ~bit_set(missing)
    units: dict[int, list[int]] = {}
    for i in alone:
        u = view.holder[i]
        while view.parents[u] > 0 and not view.graph.yields[view.parents[u]] & kept_mask:
            u = view.parents[u]
        units.setdefault(u, []).append(i)
    return units


def _kind_and_case(view: SentenceView, u: int, inside: Sequence[int]) -> tuple[str, str]:
    """Return the kind of finding, without its ending, that the loss of a unit gives, and its case."""
    category = view.categories[u]
    siblings = view.graph.children(view.parents[u], remote=False) if u else ()
    is_listed = any(edge.categories[0] == "N" for edge in siblings)  # one of several: a, b and c
    if all(view.entries[i].is_light or view.entries[i].is_degree for i in inside):
        return ("adverbial" if category in ("D", "T") else "modifier"), ".light"
    if category == "E" and len(inside) == 1:
        return "modifier", ""
    if view.is_scene[u] or category == "H":
        return "scene", ""
    if category in ("P", "S") or (category == "C" and is_listed and view.categories[view.parents[u]] in "PS"):
        return "scene", ".relation"
    if category == "A":
        return "participant", ""
    if category in ("D", "T", "G"):
        return "adverbial", ""
    if category == "C" and is_listed:
        return "participant", ".listed"
    return "modifier", ""


def _vector_factor(comparison: Comparison, side: int, inside: Sequence[int]) -> float:
    """Return how the encoder changes the weight of lost words: less where the other sentence comes near to them."""
    a, b = comparison.source.means, comparison.output.means
    cosines = comparison.best_cosines
    if cosines is None or a is None or b is None:
        return 1.0
    best = float(cosines[side][list(inside)].min())
    content = float(a[1] @ b[1])
    return bounded(1.0 + BEST_SLOPE * (USUAL_BEST_COSINE - best) + CONTENT_SLOPE * (USUAL_CONTENT_COSINE - content))


def _is_said_elsewhere(view: SentenceView, other: SentenceView, i: int) -> bool:
    """Return whether a lost word stands elsewhere in the other sentence, or a kept word near it means the same."""
    near = (k for k in range(max(0, i - 4), min(len(view.words), i + 5)) if k != i and view.is_content[k])
    between = (relation(view.words[i], view.words[k]) for k in near if view.words[k] in other.vocabulary)
    return other.says(view.entries[i]) or any(
        (r.synonym and min(r.share_a, r.share_b) >= 0.05) or r.derived or r.similar for r in between
    )


def detect_attachments(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find words that were moved and belong to another head."""
    a, b = comparison.source, comparison.output
    for run in comparison.moved_runs:
        source, output = {i for i, _ in run}, {j for _, j in run}
        if not (any(a.is_content[i] for i in source) and handled.source.isdisjoint(source)):
            continue
        new_heads = _heads(b, output)
        mapped = {comparison.partner[h] for h in _heads(a, source) if h in comparison.partner}
        if not (mapped and new_heads & comparison.back.keys()) or mapped == new_heads:
            continue
        # Correctors move words that they correct.
        is_corrected = comparison.lost or comparison.added or comparison.respelled.words
        case = "attachment.corrected" if is_corrected else "attachment"
        yield make_finding(comparison, "attachment.partly" if mapped & new_heads else case, source, output)


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
        edges = (edge for edge in graph.children(u, remote=False) if edge.categories[0] in wanted)
        if heads := next(filter(None, (graph.yields[edge.child] & others_mask for edge in edges)), 0):
            return set(bits(heads))
    return set()


def detect_categories(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find units of the same words in another category, if a change between the two is telling."""
    a, b = comparison.source, comparison.output
    score = comparison.score
    if score.s2r.recall == 1:
        return
    for edge in score.unmatched_source:
        category = edge.categories[0]
        if edge.is_remote or category not in _TELLING_CATEGORIES:
            continue
        places = tuple(bits(a.graph.yields[edge.child]))
        if not comparison.kept_source.issuperset(places) or not any(a.is_content[i] for i in places):
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
        yield Finding("category", text, places, new_places, units=units, weight=WEIGHTS["category"])
