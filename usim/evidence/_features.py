"""The features of a comparison that trained judges read: named numbers, each beside its formula.

All features are finite. Without vectors, cosines are 1 for equal sentences and 0 otherwise, and ``has_vectors`` is 0.
Where there is nothing to take a maximum or mean of, a similarity is 1 and a cost is 0, as for equal sentences.

A judge is trained with these very numbers. Whoever changes a feature, the weight of a finding, or a cost in
``usim.lexicon._closed_classes`` raises :data:`FEATURE_SCHEMA`, makes the golden values anew
(``python -m tests.evidence.test_features``) and trains the judge again: a judge of another schema is refused when it is
loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log, prod

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from usim.evidence._analysis import Analysis
from usim.evidence._comparison import Comparison, compare
from usim.evidence._finders.detect import detect_findings
from usim.evidence._finders.finding import FEATURE_KINDS, Finding
from usim.evidence._finders.words import substitution_cost
from usim.evidence._matching import Match, lexical_relation
from usim.evidence._sentence import GROUP_OF, GROUPS, SentenceView
from usim.evidence.values import HALF_DAY, Value
from usim.lexicon.topics import TOPICS
from usim.ucca import Edge, Graph, Terminal, Unit

#: The version of the features and of the weights of findings; judges name the one that they were trained with.
FEATURE_SCHEMA = 2

Floats = npt.NDArray[np.float64]
#: The features of a family by name, in their order.
Features = dict[str, float]

#: Neighbours of a changed place.
_NEAR = (-3, -2, -1, 1, 2, 3)
#: Counts of relations, in order; some names are plurals.
_COUNTED = ("broader", "narrower", "siblings", "similars", "unrelated", "unknown")
#: Ranks of synonyms count up to this.
_LAST_RANK = 20


def compute_features(comparison: Comparison, findings: Sequence[Finding] | None = None) -> Floats:
    """Return the features of a comparison, (len(:func:`feature_names`),), all finite, by its findings if at hand."""
    return np.array(list(named_features(comparison, findings).values()), np.float64)


def named_features(comparison: Comparison, findings: Sequence[Finding] | None = None) -> Features:
    """Return the features of a comparison by name; see :func:`compute_features`. New families are put at the end."""
    if findings is None:
        findings = detect_findings(comparison)
    relations = [lexical_relation(match) for match in comparison.matches]
    return {
        **_usim(comparison),
        **_by_category(comparison),
        **_tokens(comparison),
        **_words(comparison, relations),
        **_vectors(comparison),
        **_of_findings(findings),
        **_places(comparison, relations),
        **_structure(comparison),
        **_ends(comparison),
        **_topics(comparison, relations),
    }


def _usim(comparison: Comparison) -> Features:
    score = comparison.score
    s2r, r2s = score.s2r, score.r2s
    return {
        "usim": score.f,
        "s2r_recall": s2r.recall,
        "s2r_precision": s2r.precision,
        "s2r_f": s2r.f,
        "r2s_recall": r2s.recall,
        "r2s_precision": r2s.precision,
        "r2s_f": r2s.f,
    }


def _by_category(comparison: Comparison) -> Features:
    """Compute the share of edges without a match on the other side, for each group of categories."""
    score = comparison.score  # where everything is matched there is nothing to look for
    lost = _unmatched_shares(score.unmatched_source if score.s2r.recall < 1 else (), comparison.source)
    added = _unmatched_shares(score.unmatched_output if score.r2s.precision < 1 else (), comparison.output)
    features = {}
    for k, group in enumerate(GROUPS):
        features[f"lost_{group}"] = lost[k]
        features[f"added_{group}"] = added[k]
    return features


def _unmatched_shares(unmatched: Sequence[Edge], view: SentenceView) -> list[float]:
    """Return the share of unmatched edges for each group of :data:`GROUPS`; 0 where there are no edges."""
    counts = Counter(GROUP_OF.get(edge.categories[0]) for edge in unmatched)
    totals = view.group_totals
    return [min(1.0, counts[k] / total) if total else float(counts[k] > 0) for k, total in enumerate(totals)]


def _tokens(comparison: Comparison) -> Features:
    """Count the tokens that are kept, gone, new and moved; compare the letters of both texts."""
    a, b = comparison.source, comparison.output
    gone, new = comparison.gone, comparison.new
    n, m = len(a.words), len(b.words)
    content_a, content_b = len(a.content), len(b.content)
    gone_function = len([i for i in gone if a.entries[i].is_function and a.entries[i].is_word])
    new_function = len([j for j in new if b.entries[j].is_function and b.entries[j].is_word])
    lost, added = [a.informativeness[i] for i in comparison.lost], [b.informativeness[j] for j in comparison.added]
    chrf_f, chrf_recall, chrf_precision = chrf(a.letters, b.letters)
    overlap = len(a.vocabulary & b.vocabulary) / max(1, len(a.vocabulary | b.vocabulary))
    return {
        "same": float(comparison.is_same),
        "log_length": log(1 + n),
        "length_ratio": log((1 + m) / (1 + n)),
        "content_length_ratio": log((1 + content_b) / (1 + content_a)),
        "gone_share": len(gone) / max(1, n),
        "new_share": len(new) / max(1, m),
        "gone_content_share": sum([a.is_content[i] for i in gone]) / max(1, content_a),
        "new_content_share": sum([b.is_content[j] for j in new]) / max(1, content_b),
        "gone_function_share": gone_function / max(1, n - content_a),
        "new_function_share": new_function / max(1, m - content_b),
        "lost_content": float(len(lost)),
        "added_content": float(len(added)),
        "lost_weight": sum(lost),
        "added_weight": sum(added),
        "lost_weight_share": sum(lost) / a.total,
        "added_weight_share": sum(added) / b.total,
        "lost_rarest": max(lost, default=0.0),
        "added_rarest": max(added, default=0.0),
        "groups": float(len(comparison.groups)),
        "widest_group": float(max((max(len(g.source), len(g.output)) for g in comparison.groups), default=0)),
        "moved_share": len(comparison.moved) / max(1, len(comparison.kept)),
        "crossing": comparison.crossing,
        "chrf": chrf_f,
        "chrf_recall": chrf_recall,
        "chrf_precision": chrf_precision,
        "edit_similarity": Levenshtein.normalized_similarity(a.text, b.text),
        "token_edit_similarity": Levenshtein.normalized_similarity(a.words, b.words),
        "word_overlap": overlap if n or m else 1.0,
        "respelled": float(len(comparison.respelled.words)),
    }


def chrf(source: str, output: str) -> tuple[float, float, float]:
    """Return chrF (Popović 2015) of two texts without white space, its recall and its precision, each in [0, 1].

    The source is the reference. The longest n-grams have six characters, and recall counts twice as much as precision.
    """
    if source == output:
        return 1.0, 1.0, 1.0
    recalls = precisions = 0.0
    orders = min(6, len(source), len(output))
    for k in range(1, orders + 1):
        left, right = (Counter(text[i : i + k] for i in range(len(text) - k + 1)) for text in (source, output))
        common = (left & right).total()
        recalls += common / left.total()
        precisions += common / right.total()
    if not recalls:
        return 0.0, 0.0, 0.0
    recall, precision = recalls / orders, precisions / orders
    return 5 * precision * recall / (4 * precision + recall), recall, precision


def _words(comparison: Comparison, relations: Sequence[str]) -> Features:
    """Relate content words to those that replace them, by WordNet and by their letters."""
    matches = comparison.matches
    costs = [substitution_cost(comparison, match)[1] for match in matches]
    replaced = [m for m, r in zip(matches, relations, strict=True) if r not in ("spelling", "form", "equivalent")]
    known_relations = [m.relation for m in replaced if m.relation.known]
    synonyms = [r for r in known_relations if r.synonym]
    letters = [m.chars for m in replaced]
    frequency = [m.relation.frequency_b - m.relation.frequency_a for m in replaced]
    return {
        "matches": float(len(replaced)),
        "forms": float(relations.count("form")),
        "spellings": float(relations.count("spelling")),
        "synonyms": float(relations.count("synonym")),
        "derivations": float(relations.count("derived")),
        "opposites_direct": float(sum([r.antonym == "direct" for r in known_relations])),
        "opposites_indirect": float(sum([r.antonym == "indirect" for r in known_relations])),
        **{name: float(relations.count(name.removesuffix("s"))) for name in _COUNTED},
        **_least_and_mean("path", [r.path for r in known_relations]),
        **_least_and_mean("wup", [r.wup for r in known_relations]),
        **_least_and_mean("lin", [r.lin for r in known_relations]),
        "synonym_rank_max": float(min(_LAST_RANK, max((max(r.rank_a, r.rank_b) for r in synonyms), default=0))),
        "synonym_share_min": min((min(r.share_a, r.share_b) for r in synonyms), default=1.0),
        "synonym_share_mean": _mean([min(r.share_a, r.share_b) for r in synonyms], 1.0),
        **_least_and_mean("letters", letters),
        "frequency_drop_max": max((-f for f in frequency), default=0.0),
        "frequency_rise_max": max(frequency, default=0.0),
        "frequency_change_mean": _mean([abs(f) for f in frequency], 0.0),
        "word_cost_max": max(costs, default=0.0),
        "word_cost_sum": sum(costs),
        "hypernym_steps_max": float(max((r.hypernym for r in known_relations), default=0)),
        "hyponym_steps_max": float(max((-r.hypernym for r in known_relations), default=0)),
    }


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _least_and_mean(name: str, values: Sequence[float]) -> Features:
    return {f"{name}_min": min(values, default=1.0), f"{name}_mean": _mean(values, 1.0)}


def _vectors(comparison: Comparison) -> Features:
    """Compute the cosines of words with themselves, their matches and best counterparts, and of the sentences."""
    cosines, best = comparison.cosines, comparison.best_cosines
    if cosines is None or best is None:
        _, *names = _vectors(_least_comparison())
        return {"has_vectors": 0.0, **dict.fromkeys(names, float(comparison.is_same))}
    a, b = comparison.source, comparison.output
    pairs = comparison.kept
    of_kept: list[float] = cosines[[i for i, _ in pairs], [j for _, j in pairs]].tolist() if pairs else []
    kept = [c for c, (i, _) in zip(of_kept, pairs, strict=True) if a.entries[i].is_word]
    kept_content = [c for c, (i, _) in zip(of_kept, pairs, strict=True) if a.is_content[i]]
    best_a, best_b = best
    list_a, list_b = best_a.tolist(), best_b.tolist()
    recall, precision = sum(list_a) / len(list_a), sum(list_b) / len(list_b)
    weighted_recall = float(best_a @ a.weights) / a.total if a.total > 0.1 else recall
    weighted_precision = float(best_b @ b.weights) / b.total if b.total > 0.1 else precision
    assert a.means is not None
    assert b.means is not None
    sentence_cosine, content_cosine = np.einsum("ij,ij->i", a.means, b.means).tolist()
    return {
        "has_vectors": 1.0,
        **_least_and_mean("kept_cosine", kept),
        **_least_and_mean("kept_content_cosine", kept_content),
        **_least_and_mean("match_cosine", [m.cosine for m in comparison.matches]),
        "best_recall": recall,
        "best_precision": precision,
        "best_f": _harmonic_mean(recall, precision),
        "best_recall_weighted": weighted_recall,
        "best_precision_weighted": weighted_precision,
        "best_f_weighted": _harmonic_mean(weighted_recall, weighted_precision),
        "best_recall_min": min([c for c, e in zip(list_a, a.entries, strict=True) if e.is_word], default=1.0),
        "best_precision_min": min([c for c, e in zip(list_b, b.entries, strict=True) if e.is_word], default=1.0),
        "best_content_recall_min": min((list_a[i] for i in a.content), default=1.0),
        "best_content_precision_min": min((list_b[j] for j in b.content), default=1.0),
        "lost_best_min": min((list_a[i] for i in comparison.lost), default=1.0),
        "added_best_min": min((list_b[j] for j in comparison.added), default=1.0),
        "sentence_cosine": sentence_cosine,
        "content_cosine": content_cosine,
    }


def _harmonic_mean(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall > 0 and precision > 0 else 0.0


def _of_findings(findings: Sequence[Finding]) -> Features:
    """Return the weights of the gravest findings, and the weights and counts of each kind."""
    by_kind: dict[str, list[float]] = {kind: [] for kind in FEATURE_KINDS}
    for finding in findings:
        by_kind.get(finding.kind, []).append(finding.weight)
    weights = [finding.weight for finding in findings if finding.kind in by_kind]
    first, second, *_ = *weights, 0.0, 0.0
    return {
        "reasons": float(len(weights)),
        "reasons_max": first,
        "reasons_second": second,
        "reasons_sum": sum(weights),
        "reasons_or": 1 - prod([1 - weight for weight in weights], start=1.0),
        **{f"max_{kind}": max(own, default=0.0) for kind, own in by_kind.items()},
        **{f"count_{kind}": float(len(own)) for kind, own in by_kind.items()},
    }


def _places(comparison: Comparison, relations: Sequence[str]) -> Features:
    """Measure how a word that replaces another changes its neighbours, and whether it fits there."""
    a, b = comparison.source, comparison.output
    others = ("spelling", "equivalent")
    replaced = [m for m, r in zip(comparison.matches, relations, strict=True) if r not in others]
    near, beside = _shifts(comparison)
    drops = _fit_drops(comparison, replaced)
    words = [(a.entries[m.source].word, b.entries[m.output].word) for m in replaced]
    words = [(x, y) for x, y in words if x.known and y.known]
    senses = [[log(len(pair[side].senses)) for pair in words] for side in (0, 1)]
    usual = [[max(share for _, share in pair[side].senses.values()) for pair in words] for side in (0, 1)]
    endings = [_ending(a.words[m.source]) != _ending(b.words[m.output]) for m in replaced]
    growth = [len(g.output) - len(g.source) for g in comparison.groups if g.source and g.output]
    return {
        "near_shift_mean": _mean(near, 1.0),
        "near_shift_min": min(near, default=1.0),
        "next_shift_mean": _mean(beside, 1.0),
        "fit_drop_max": max(drops, default=0.0),
        "fit_drop_mean": _mean(drops, 0.0),
        "parts_overlap_min": min((x.overlap(y) for x, y in words), default=1.0),
        "ending_mismatches": float(sum(endings)),
        "log_senses_source_max": max(senses[0], default=0.0),
        "log_senses_target_max": max(senses[1], default=0.0),
        "usual_sense_source_min": min(usual[0], default=1.0),
        "usual_sense_target_min": min(usual[1], default=1.0),
        "match_category_changes": float(sum([a.category[m.source] != b.category[m.output] for m in replaced])),
        "match_names": float(sum([m.source in a.names or m.output in b.names for m in replaced])),
        "match_verbs": float(sum([m.source in a.verbs for m in replaced])),
        "match_adverbs": float(sum([a.category[m.source] in ("D", "T") for m in replaced])),
        "stand_ins": float(sum(map(len, comparison.stand_ins))),
        "phrase_growth": float(max(growth, key=abs, default=0)),
    }


def _shifts(comparison: Comparison) -> tuple[list[float], list[float]]:
    """Return the cosines with themselves of kept words near a word that is gone, and of those next to one."""
    cosines = comparison.cosines
    if cosines is None:
        return [], []
    near, beside = ({i + d for i in comparison.gone for d in steps} for steps in (_NEAR, (-1, 1)))
    shifts = [(i, float(cosines[i, j])) for i, j in comparison.kept if i in near]
    return [cosine for _, cosine in shifts], [cosine for i, cosine in shifts if i in beside]


def _fit_drops(comparison: Comparison, matches: Sequence[Match]) -> list[float]:
    """Return by how much less each new word fits the source's mean vector than the word that it stands for."""
    means, a, b = comparison.source.means, comparison.source.unit_vectors, comparison.output.unit_vectors
    if not comparison.gone or not matches or means is None or a is None or b is None:
        return []
    fits = a[[m.source for m in matches]] @ means[0] - b[[m.output for m in matches]] @ means[0]
    drops: list[float] = fits.tolist()
    return drops


def _ending(form: str) -> str:
    return next((end for end in ("ing", "ed", "ly", "s") if form.endswith(end)), "")


def _structure(comparison: Comparison) -> Features:
    """Measure how much of the core of a sentence is left: main relations, participants, names, numbers."""
    a, b = comparison.source, comparison.output
    kept, stood_for = comparison.partner.keys(), comparison.back.keys()
    numbers_a, numbers_b = ([_without_unit(number.value) for number in view.numbers] for view in (a, b))
    bare_a, bare_b = (sum([time == "bare" for time in view.tenses.values()]) for view in (a, b))
    return {
        "scene_heads_lost": _share(a.scene_words - kept, a.scene_words),
        "scene_heads_added": _share(b.scene_words - stood_for, b.scene_words),
        "participant_heads_lost": _share(a.participant_words - kept, a.participant_words),
        "participant_heads_added": _share(b.participant_words - stood_for, b.participant_words),
        "names_lost_share": _share(a.names - kept, a.names),
        "names_added_share": _share(b.names - stood_for, b.names),
        "numbers_lost_share": _share([n for n in numbers_a if all(map(n.isdisjoint, numbers_b))], numbers_a),
        "numbers_added_share": _share([n for n in numbers_b if all(map(n.isdisjoint, numbers_a))], numbers_b),
        "unknown_source": a.unknown,
        "unknown_target": b.unknown,
        "bare_verbs_source": float(bare_a),
        "bare_verbs_target": float(bare_b),
        "scenes_source": float(sum(a.is_scene)),
        "scenes_target": float(sum(b.is_scene)),
        "names_source": float(len(a.names)),
        "numbers_source": float(len(numbers_a)),
    }


def _without_unit(number: Value) -> set[object]:
    """Return what a number says without its unit; of a time without the half of the day."""
    clock = (number.clock % HALF_DAY,) if number.kind == "time" else ()
    return {*(q.number for q in number.quantities), *number.dates, *clock} or {number.form}


def _share(part: Sequence[object] | frozenset[int], whole: Sequence[object] | frozenset[int]) -> float:
    return len(part) / len(whole) if whole else 0.0


def _ends(comparison: Comparison) -> Features:
    """Measure what is kept, by weight and category; distances of lost and added words; equal beginnings and ends."""
    a, b, kept = comparison.source, comparison.output, comparison.kept
    n, m = len(a.words), len(b.words)
    prefix, suffix = Prefix.similarity(a.words, b.words), Postfix.similarity(a.words, b.words)
    best_a, best_b = comparison.best_cosines or (None, None)
    lost_best = [] if best_a is None else best_a[comparison.lost].tolist()
    added_best = [] if best_b is None else best_b[comparison.added].tolist()
    lost_weights = [a.informativeness[i] for i in comparison.lost]
    added_weights = [b.informativeness[j] for j in comparison.added]
    return {
        "kept_weight_share_source": sum([a.informativeness[i] for i, _ in kept]) / a.total if n else 1.0,
        "kept_weight_share_target": sum([b.informativeness[j] for _, j in kept]) / b.total if m else 1.0,
        "same_category_share": sum([a.category[i] == b.category[j] for i, j in kept]) / len(kept) if kept else 1.0,
        "length_characters_ratio": log((1 + len(b.letters)) / (1 + len(a.letters))),
        "lost_best_mean": _mean(lost_best, 1.0),
        "added_best_mean": _mean(added_best, 1.0),
        "lost_best_weighted": sum([(1 - c) * weight for c, weight in zip(lost_best, lost_weights, strict=False)]),
        "added_best_weighted": sum([(1 - c) * weight for c, weight in zip(added_best, added_weights, strict=False)]),
        "prefix_share": prefix / max(1, n, m),
        "suffix_share": suffix / max(1, n, m),
    }


def _topics(comparison: Comparison, relations: Sequence[str]) -> Features:
    """Count phrases of one meaning, and the changed words of either side that may be about some topic."""
    sides = ("gone", comparison.source, comparison.gone), ("new", comparison.output, comparison.new)
    counts = {
        f"{side}_{topic}": float(sum(topic in view.entries[i].topics for i in places))
        for topic in TOPICS
        for side, view, places in sides
    }
    return {"equivalents": float(relations.count("equivalent")), **counts}


@cache
def feature_names() -> tuple[str, ...]:
    """Return the names of the features, in the order of :func:`compute_features`."""
    return tuple(named_features(_least_comparison()))


@cache
def _least_comparison() -> Comparison:
    """Return the comparison of a sentence of one token with itself: any comparison names all features."""
    graph = Graph([Terminal("x")], [Unit(), Unit((0,))], [Edge(0, 1, ("H",))])
    sentence = Analysis(graph, np.ones((1, 1), np.float32), "x")
    return compare(sentence, sentence)
