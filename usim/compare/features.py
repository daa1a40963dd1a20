"""The difference of two sentences in figures, for a judge that is trained.

All figures are finite. Where vectors are missing, their cosines are 1 for equal sentences and 0 else, and
``has_vectors`` is 0. Where there is nothing to take a maximum or mean of, a similarity is 1 and a cost is 0, as for
sentences that are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from usim.compare.comparison import Comparison
from usim.compare.sentence import GROUP_OF, GROUPS, SentenceView
from usim.ucca import Edge

USIM = ("usim", "s2r_recall", "s2r_precision", "s2r_f", "r2s_recall", "r2s_precision", "r2s_f")
BY_CATEGORY = tuple(f"{side}_{name}" for name in GROUPS for side in ("lost", "added"))
TOKENS = (
    "same",
    "log_length",
    "length_ratio",
    "content_length_ratio",
    "gone_share",
    "new_share",
    "gone_content_share",
    "new_content_share",
    "gone_function_share",
    "new_function_share",
    "lost_content",
    "added_content",
    "lost_weight",
    "added_weight",
    "lost_weight_share",
    "added_weight_share",
    "lost_rarest",
    "added_rarest",
    "groups",
    "widest_group",
    "moved_share",
    "crossing",
    "chrf",
    "chrf_recall",
    "chrf_precision",
    "edit_similarity",
    "token_edit_similarity",
    "word_overlap",
    "respelled",
)
WORDS = (
    "matches",
    "forms",
    "spellings",
    "synonyms",
    "derivations",
    "opposites_direct",
    "opposites_indirect",
    "broader",
    "narrower",
    "siblings",
    "similars",
    "unrelated",
    "unknown",
    "path_min",
    "path_mean",
    "wup_min",
    "wup_mean",
    "lin_min",
    "lin_mean",
    "synonym_rank_max",
    "synonym_share_min",
    "synonym_share_mean",
    "letters_min",
    "letters_mean",
    "frequency_drop_max",
    "frequency_rise_max",
    "frequency_change_mean",
    "word_cost_max",
    "word_cost_sum",
    "hypernym_steps_max",
    "hyponym_steps_max",
)
VECTORS = (
    "has_vectors",
    "kept_cosine_min",
    "kept_cosine_mean",
    "kept_content_cosine_min",
    "kept_content_cosine_mean",
    "match_cosine_min",
    "match_cosine_mean",
    "best_recall",
    "best_precision",
    "best_f",
    "best_recall_weighted",
    "best_precision_weighted",
    "best_f_weighted",
    "best_recall_min",
    "best_precision_min",
    "best_content_recall_min",
    "best_content_precision_min",
    "lost_best_min",
    "added_best_min",
    "sentence_cosine",
    "content_cosine",
)
#: Added later; they stand behind all others.
MORE = (
    "near_shift_mean",
    "near_shift_min",
    "next_shift_mean",
    "fit_drop_max",
    "fit_drop_mean",
    "parts_overlap_min",
    "ending_mismatches",
    "log_senses_source_max",
    "log_senses_target_max",
    "usual_sense_source_min",
    "usual_sense_target_min",
    "match_category_changes",
    "match_names",
    "match_verbs",
    "match_adverbs",
    "stand_ins",
    "phrase_growth",
    "scene_heads_lost",
    "scene_heads_added",
    "participant_heads_lost",
    "participant_heads_added",
    "names_lost_share",
    "names_added_share",
    "numbers_lost_share",
    "numbers_added_share",
    "unknown_source",
    "unknown_target",
    "bare_verbs_source",
    "bare_verbs_target",
    "scenes_source",
    "scenes_target",
    "names_source",
    "numbers_source",
    "kept_weight_share_source",
    "kept_weight_share_target",
    "same_category_share",
    "length_characters_ratio",
    "lost_best_mean",
    "added_best_mean",
    "lost_best_weighted",
    "added_best_weighted",
    "prefix_share",
    "suffix_share",
)

Floats = npt.NDArray[np.float64]


def figures(diff: Comparison, costs: Sequence[float], relations: Sequence[str]) -> list[float]:
    """The figures of :data:`USIM`, :data:`BY_CATEGORY`, :data:`TOKENS`, :data:`WORDS`, :data:`VECTORS`, in this order.

    Args:
        diff: the difference.
        costs: what each of its matches costs, in [0, 1].
        relations: what holds between the words of each.
    """
    return [*_usim(diff), *_by_category(diff), *_tokens(diff), *_words(diff, costs, relations), *_vectors(diff)]


def _usim(diff: Comparison) -> list[float]:
    score = diff.score
    s2r, r2s = score.s2r, score.r2s
    return [score.f, s2r.recall, s2r.precision, s2r.f, r2s.recall, r2s.precision, r2s.f]


def _by_category(diff: Comparison) -> list[float]:
    score = diff.score  # where all is found there is nothing to look for
    lost = _shares(score.unmatched_source if score.s2r.recall < 1 else (), diff.source)
    added = _shares(score.unmatched_output if score.r2s.precision < 1 else (), diff.target)
    return [value for both in zip(lost, added, strict=True) for value in both]


def _shares(unmatched: Sequence[Edge], reading: SentenceView) -> list[float]:
    """The share of the edges of each group of categories that have no match; 0 where there are no edges."""
    found = [0.0] * len(GROUPS)
    if not unmatched:
        return found
    for edge in unmatched:
        k = GROUP_OF.get(edge.categories[0])
        if k is not None:
            found[k] += 1
    return [
        min(1.0, n / total) if total else float(n > 0) for n, total in zip(found, reading.group_totals, strict=True)
    ]


def _tokens(diff: Comparison) -> list[float]:
    a, b = diff.source, diff.target
    n, m = len(a.words), len(b.words)
    cn, cm = len(a.content), len(b.content)
    gone_content = len([i for i in diff.gone if a.is_content[i]])
    new_content = len([j for j in diff.new if b.is_content[j]])
    gone_function = len([i for i in diff.gone if a.entries[i].is_function and a.entries[i].is_word])
    new_function = len([j for j in diff.new if b.entries[j].is_function and b.entries[j].is_word])
    lost, added = [a.says[i] for i in diff.lost], [b.says[j] for j in diff.added]
    chrf, chrf_recall, chrf_precision = chrf_of(a.letters, b.letters)
    mine, theirs = set(a.words), set(b.words)
    overlap = len(mine & theirs) / max(1, len(mine | theirs))
    return [
        float(diff.is_same),
        log(1 + n),
        log((1 + m) / (1 + n)),
        log((1 + cm) / (1 + cn)),
        len(diff.gone) / max(1, n),
        len(diff.new) / max(1, m),
        gone_content / max(1, cn),
        new_content / max(1, cm),
        gone_function / max(1, n - cn),
        new_function / max(1, m - cm),
        float(len(lost)),
        float(len(added)),
        sum(lost),
        sum(added),
        sum(lost) / a.total,
        sum(added) / b.total,
        max(lost, default=0.0),
        max(added, default=0.0),
        float(len(diff.groups)),
        float(max((max(len(g.source), len(g.target)) for g in diff.groups), default=0)),
        len(diff.moved) / max(1, len(diff.kept)),
        diff.crossing,
        chrf,
        chrf_recall,
        chrf_precision,
        Levenshtein.normalized_similarity(a.text, b.text),
        Levenshtein.normalized_similarity(a.words, b.words),
        overlap if n or m else 1.0,
        float(len(diff.respelled)),
    ]


def chrf_of(source: str, target: str, order: int = 6, beta: float = 2.0) -> tuple[float, float, float]:
    """chrF with its recall and precision (Popović 2015), the source being the reference; texts without white space.

    The same as counting all n-grams: those inside of a stretch that is the same on both sides, along a cheapest way
    from one text to the other, are in both, so that only those that touch what lies between need be counted. (A minimum
    of counts that share a summand is that summand and the minimum of the rests.)
    """
    if source == target:
        return 1.0, 1.0, 1.0
    n, m = len(source), len(target)
    blocks = [(a, b, size) for a, b, size in Levenshtein.opcodes(source, target).as_matching_blocks() if size]
    recalls = precisions = 0.0
    orders = min(order, n, m)
    for k in range(1, orders + 1):
        blocks = [block for block in blocks if block[2] >= k]
        common = sum(size for _, _, size in blocks) - (k - 1) * len(blocks)
        rest: dict[str, int] = {}
        start = 0
        for a, _, size in blocks:
            for i in range(start, a):
                gram = source[i : i + k]
                rest[gram] = rest.get(gram, 0) + 1
            start = a + size - k + 1
        for i in range(start, n - k + 1):
            gram = source[i : i + k]
            rest[gram] = rest.get(gram, 0) + 1
        if rest:
            start = 0
            for _, b, size in (*blocks, (0, m - k + 1, 0)):
                for j in range(start, b):
                    gram = target[j : j + k]
                    left = rest.get(gram, 0)
                    if left:
                        rest[gram] = left - 1
                        common += 1
                start = b + size - k + 1
        recalls += common / (n - k + 1)
        precisions += common / (m - k + 1)
    if not recalls:
        return 0.0, 0.0, 0.0
    recall, precision = recalls / orders, precisions / orders
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall), recall, precision


def _words(diff: Comparison, costs: Sequence[float], relations: Sequence[str]) -> list[float]:
    matches = diff.matches
    told = [(m, c, b) for m, c, b in zip(matches, costs, relations, strict=True) if b not in ("spelling", "form")]
    known = [m.relation for m, _, _ in told if m.relation.known]
    shared = [r for r in known if r.synonym]
    letters = [m.chars for m, _, _ in told]
    frequency = [m.relation.frequency_b - m.relation.frequency_a for m, _, _ in told]
    counts = dict.fromkeys(
        ("form", "spelling", "synonym", "derived", "broader", "narrower", "sibling", "similar", "unrelated", "unknown"),
        0,
    )
    for b in relations:
        counts[b] = counts.get(b, 0) + 1
    return [
        float(len(told)),
        float(counts["form"]),
        float(counts["spelling"]),
        float(counts["synonym"]),
        float(counts["derived"]),
        float(sum(r.antonym == "direct" for r in known)),
        float(sum(r.antonym == "indirect" for r in known)),
        float(counts["broader"]),
        float(counts["narrower"]),
        float(counts["sibling"]),
        float(counts["similar"]),
        float(counts["unrelated"]),
        float(counts["unknown"]),
        min((r.path for r in known), default=1.0),
        _mean([r.path for r in known], 1.0),
        min((r.wup for r in known), default=1.0),
        _mean([r.wup for r in known], 1.0),
        min((r.lin for r in known), default=1.0),
        _mean([r.lin for r in known], 1.0),
        float(min(20, max((max(r.rank_a, r.rank_b) for r in shared), default=0))),
        min((min(r.share_a, r.share_b) for r in shared), default=1.0),
        _mean([min(r.share_a, r.share_b) for r in shared], 1.0),
        min(letters, default=1.0),
        _mean(letters, 1.0),
        max((-f for f in frequency), default=0.0),
        max(frequency, default=0.0),
        _mean([abs(f) for f in frequency], 0.0),
        max(costs, default=0.0),
        sum(costs),
        float(max((r.hypernym for r in known), default=0)),
        float(max((-r.hypernym for r in known), default=0)),
    ]


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _vectors(diff: Comparison) -> list[float]:
    cosines = diff.cosines
    if cosines is None:
        return [0.0, *[float(diff.is_same)] * (len(VECTORS) - 1)]
    a, b = diff.source, diff.target
    paired = cosines[[i for i, _ in diff.kept], [j for _, j in diff.kept]].tolist() if diff.kept else []
    kept = [c for c, (i, _) in zip(paired, diff.kept, strict=True) if a.entries[i].is_word]
    kept_content = [c for c, (i, _) in zip(paired, diff.kept, strict=True) if a.is_content[i]]
    matched = [m.cosine for m in diff.matches]
    best_a, best_b = np.maximum.reduce(cosines, 1), np.maximum.reduce(cosines, 0)
    list_a, list_b = best_a.tolist(), best_b.tolist()
    recall, precision = sum(list_a) / len(list_a), sum(list_b) / len(list_b)
    recall_w = float(best_a @ a.weights) / a.total if a.total > 0.1 else recall
    precision_w = float(best_b @ b.weights) / b.total if b.total > 0.1 else precision
    words_a = [v for v, e in zip(list_a, a.entries, strict=True) if e.is_word]
    words_b = [v for v, e in zip(list_b, b.entries, strict=True) if e.is_word]
    assert a.means is not None
    assert b.means is not None
    whole, content = np.einsum("ij,ij->i", a.means, b.means).tolist()
    return [
        1.0,
        min(kept, default=1.0),
        _mean(kept, 1.0),
        min(kept_content, default=1.0),
        _mean(kept_content, 1.0),
        min(matched, default=1.0),
        _mean(matched, 1.0),
        recall,
        precision,
        _harmonic(recall, precision),
        recall_w,
        precision_w,
        _harmonic(recall_w, precision_w),
        min(words_a, default=1.0),
        min(words_b, default=1.0),
        min((list_a[i] for i in a.content), default=1.0),
        min((list_b[j] for j in b.content), default=1.0),
        min((list_a[i] for i in diff.lost), default=1.0),
        min((list_b[j] for j in diff.added), default=1.0),
        whole,
        content,
    ]


def _harmonic(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall > 0 and precision > 0 else 0.0


def more_figures(diff: Comparison, relations: Sequence[str]) -> list[float]:
    """The figures of :data:`MORE`."""
    return [*_places(diff, relations), *_structure(diff), *_rest(diff)]


def _places(diff: Comparison, relations: Sequence[str]) -> list[float]:
    """Where a word was put in the place of another: what that does to its neighbours, and whether it fits there."""
    a, b, cosines = diff.source, diff.target, diff.cosines
    told = [m for m, relation_name in zip(diff.matches, relations, strict=True) if relation_name != "spelling"]
    near: list[float] = []
    beside: list[float] = []
    drops: list[float] = []
    if cosines is not None and diff.gone:
        close = {g + d for g in diff.gone for d in (-3, -2, -1, 1, 2, 3)}
        nearest = {g + d for g in diff.gone for d in (-1, 1)}
        for i, j in diff.kept:
            if i in close:
                cosine = float(cosines[i, j])
                near.append(cosine)
                if i in nearest:
                    beside.append(cosine)
        if a.units is not None and b.units is not None and a.means is not None and told:
            context = a.means[0]
            fits = a.units[[m.source for m in told]] @ context - b.units[[m.target for m in told]] @ context
            drops = fits.tolist()
    overlaps: list[float] = []
    senses: tuple[list[float], list[float]] = ([], [])
    usual: tuple[list[float], list[float]] = ([], [])
    endings = categories = names = verbs = adverbs = 0
    for m in told:
        x, y = a.entries[m.source], b.entries[m.target]
        if x.word.known and y.word.known:
            overlaps.append(sum(min(share, y.word.parts.get(part, 0.0)) for part, share in x.word.parts.items()))
            for k, word in enumerate((x.word, y.word)):
                senses[k].append(log(len(word.senses)))
                usual[k].append(max(share for _, share in word.senses.values()))
        endings += _ending(x.form) != _ending(y.form)
        categories += a.category[m.source] != b.category[m.target]
        names += m.source in a.names or m.target in b.names
        verbs += m.source in a.verbs
        adverbs += a.category[m.source] in ("D", "T")
    growth = max((len(g.target) - len(g.source) for g in diff.groups if g.source and g.target), key=abs, default=0)
    return [
        _mean(near, 1.0),
        min(near, default=1.0),
        _mean(beside, 1.0),
        max(drops, default=0.0),
        _mean(drops, 0.0),
        min(overlaps, default=1.0),
        float(endings),
        max(senses[0], default=0.0),
        max(senses[1], default=0.0),
        min(usual[0], default=1.0),
        min(usual[1], default=1.0),
        float(categories),
        float(names),
        float(verbs),
        float(adverbs),
        float(diff.stand_ins),
        float(growth),
    ]


def _ending(form: str) -> str:
    return next((end for end in ("ing", "ed", "ly", "s") if form.endswith(end)), "")


def _structure(diff: Comparison) -> list[float]:
    """How much of what carries a sentence is left: main relations, participants, names, numbers."""
    a, b = diff.source, diff.target
    kept, found = diff.partner.keys(), diff.stood_for
    values = []
    for mine, theirs in (
        (a.scene_words, b.scene_words),
        (a.participant_words, b.participant_words),
        (a.names, b.names),
    ):
        values.append(len(mine - kept) / len(mine) if mine else 0.0)
        values.append(len(theirs - found) / len(theirs) if theirs else 0.0)
    if (diff.gone or diff.new) and (a.numbers or b.numbers):
        for ours, others in ((a.numbers, b.numbers), (b.numbers, a.numbers)):
            values.append(sum(not any(n.same(o) for o in others) for n in ours) / max(1, len(ours)))
    else:
        values += [0.0, 0.0]
    bare = [sum([time == "bare" for time in reading.tenses.values()]) for reading in (a, b)]
    scenes = [sum(reading.is_scene) for reading in (a, b)]
    return [*values, a.unknown, b.unknown, *map(float, (*bare, *scenes, len(a.names), len(a.numbers)))]


def _rest(diff: Comparison) -> list[float]:
    a, b = diff.source, diff.target
    says_a, says_b = a.says, b.says
    kept_a, kept_b = sum([says_a[i] for i, _ in diff.kept]), sum([says_b[j] for _, j in diff.kept])
    same = sum([a.category[i] == b.category[j] for i, j in diff.kept]) / len(diff.kept) if diff.kept else 1.0
    best: list[tuple[list[float], list[float]]] = []
    for places, axis, says in ((diff.lost, 1, says_a), (diff.added, 0, says_b)):
        if diff.cosines is None or not places:
            best.append(([], []))
        else:
            cosines = diff.cosines[places] if axis else diff.cosines[:, places]
            best.append((cosines.max(axis=axis).tolist(), [says[i] for i in places]))
    n, m = len(a.words), len(b.words)
    short = min(n, m)
    prefix = next((k for k in range(short) if a.words[k] != b.words[k]), short)
    suffix = next((k for k in range(short) if a.words[n - 1 - k] != b.words[m - 1 - k]), short)
    return [
        kept_a / a.total if n else 1.0,
        kept_b / b.total if m else 1.0,
        same,
        log((1 + len(b.letters)) / (1 + len(a.letters))),
        _mean(best[0][0], 1.0),
        _mean(best[1][0], 1.0),
        sum((1 - c) * w for c, w in zip(*best[0], strict=True)),
        sum((1 - c) * w for c, w in zip(*best[1], strict=True)),
        prefix / max(1, n, m),
        suffix / max(1, n, m),
    ]
