"""SWORDS: substitutes for a word in context, judged one by one by ten people (Lee et al. 2021).

A substitute's *share* is the part of its judges who would use it. It is *conceivable* from a share of .1, *acceptable*
above .5. A system is scored on its first k substitutes for each target, summed over targets; *lenient* leaves out
what nobody has judged, *strict* counts it as wrong. Both sides are lemmatised by the target's part of speech first,
what becomes equal is merged (labels of the gold put together, the best score of the system's), and what becomes the
target itself is dropped.

Beside these: generalised average precision for rankings, ``best`` and ``oot`` of SemEval-2007 task 10, and rank-biased
overlap between two annotations of the same targets. All figures are in per cent, as the published scorer has them.

>>> labels = {"frank": ("TRUE", "TRUE", "TRUE"), "honest": ("TRUE", "FALSE", "FALSE"), "loud": ("FALSE",)}
>>> gold = {"t": Target("straightforward", "ADJ", labels)}
>>> result = score(gold, {"t": [("frank", 3.0), ("loud", 2.0), ("odd", 1.0)]}, ks=(10,), resamples=0)
>>> result.figures["lenient_a_p@10"], round(result.figures["strict_a_p@10"], 1), result.figures["strict_c_r@10"]
(50.0, 33.3, 50.0)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, Unpack

from usim.benchmarks.result import Bootstrap, Figure, FMeasure, Ratio, Result, Tally, check_known
from usim.errors import FormatError, InputError
from usim.lexicon import Lemmatise, WordNetLemmatiser, lemmatiser_name
from usim.text import Path, fail, member, read_json

#: Judgements, as the data name them. The implicit ones come from people who were asked for substitutes, not shown them.
POSITIVE = frozenset({"TRUE", "TRUE_IMPLICIT"})
LABELS = POSITIVE | {"FALSE", "FALSE_IMPLICIT", "UNSURE"}
#: From which share of its labels a substitute counts, as in the published scorer.
THRESHOLDS = {"a": 0.5 + 1e-4, "c": 0.1}


_Item = TypeVar("_Item")


class Target(NamedTuple):
    """A word to replace: the word, its universal part of speech, and substitute → the labels it was given."""

    word: str
    pos: str | None
    labels: Mapping[str, tuple[str, ...]]


Gold = Mapping[str, Target]
#: Target id → substitutes with their scores; a higher score is better, among equals the earlier.
Predictions = Mapping[str, Sequence[tuple[str, float]]]
#: A ranking: groups of items, best group first; the items of a group are tied.
Ranking = Sequence[Collection[str]]


# Reading


def read_gold(path: Path) -> dict[str, Target]:
    """Read a data set in the SWORDS format: ``targets``, ``substitutes`` and ``substitute_labels``, packed or not.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_json(path)
    name = "the whole file"
    targets = member(data, "targets", path, name, dict)
    substitutes = member(data, "substitutes", path, name, dict)
    labels = member(data, "substitute_labels", path, name, dict)
    judged: dict[str, dict[str, tuple[str, ...]]] = {target: {} for target in targets}
    for sid, substitute in substitutes.items():
        tid = member(substitute, "target_id", path, sid, str)
        if tid not in judged:
            fail("its target is not among the targets", path, sid, tid)
        given = member(labels, sid, path, f"labels of {sid}", list)
        if not given or not all(isinstance(label, str) and label in LABELS for label in given):
            fail("labels must be one or more of " + ", ".join(sorted(LABELS)), path, sid, given)
        word = member(substitute, "substitute", path, sid, str)
        judged[tid][word] = (*judged[tid].get(word, ()), *given)
    gold = {}
    for tid, target in targets.items():
        pos = target.get("pos") if isinstance(target, dict) else None
        gold[tid] = Target(member(target, "target", path, tid, str), pos, judged[tid])
    if not gold:
        raise InputError("no target in the gold file", path=path)
    return gold


def read_predictions(path: Path, gold: Gold) -> dict[str, list[tuple[str, float]]]:
    """Read a system's substitutes: target id → [[substitute, score], …], alone or under ``substitutes``.

    Targets of the gold data may be missing: nothing is proposed for them.

    Raises:
        InputError, FormatError: the file cannot be read, is not of that form, or does not fit the gold data.
    """
    records = read_json(path)
    if "contexts" in records and "targets" in records:
        raise FormatError("gold data given as predictions; they have [[substitute, score], …] by target", path=path)
    if "substitutes_lemmatized" in records or isinstance(records.get("substitutes"), dict):
        records = member(records, "substitutes", path, "the whole file", dict)
    predictions: dict[str, list[tuple[str, float]]] = {}
    for tid, items in records.items():
        if tid not in gold:
            fail("this target is not in the gold file; are these the same data?", path, tid)
        if not isinstance(items, list):
            fail("an array of [substitute, score] is needed", path, tid, items)
        predictions[tid] = []
        for item in items:
            if not isinstance(item, list) or len(item) != 2 or not isinstance(item[0], str) or not _is_number(item[1]):
                fail("a substitute must be [text, score]", path, tid, item)
            predictions[tid].append((item[0], float(item[1])))
    return predictions


def are_answers(path: Path) -> bool:
    """Return whether a file holds the raw answers of GPT-3 or Wordtune as published, see :func:`read_answers`."""
    return any(
        isinstance(answer, dict) and ("choices" in answer or "drilldown" in answer)
        for answer in read_json(path).values()
    )


def read_answers(path: Path, gold: Gold) -> tuple[dict[str, list[tuple[str, float]]], list[str]]:
    """Read the substitutes in the raw answers of GPT-3 and Wordtune, as the authors of SWORDS read them.

    GPT-3 answers with a text, ``"a, b, c"``, from best to worst, in which a substitute may come again and again (the
    first one counts); Wordtune with suggestions that have scores, or with none (``drilldown`` is null). The published
    answers are to an earlier version of the data, in which some targets have other ids.

    Returns:
        the predictions, as :func:`read_predictions` has them, and the ids that are not in the gold data.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    predictions = {}
    for tid, answer in read_json(path).items():
        if isinstance(answer, dict) and "choices" in answer:
            predictions[tid] = _completion(answer["choices"], path, tid)
        else:
            predictions[tid] = _clues(member(answer, "drilldown", path, tid, (dict, type(None))), path, tid)
    known = {tid: substitutes for tid, substitutes in predictions.items() if tid in gold}
    return known, [tid for tid in predictions if tid not in gold]


def _completion(choices: object, path: Path, tid: str) -> list[tuple[str, float]]:
    if not isinstance(choices, list) or not choices:
        fail("choices must be an array of objects with a text", path, tid, choices)
    text: str = member(choices[0], "text", path, tid, str)
    substitutes = dict.fromkeys(s.strip() for s in text.split(",") if s.strip())
    return [(substitute, -float(place)) for place, substitute in enumerate(substitutes)]


def _clues(drilldown: dict[str, Any] | None, path: Path, tid: str) -> list[tuple[str, float]]:
    if drilldown is None:
        return []
    substitutes = []
    for item in member(drilldown, "suggestions", path, tid, list):
        value = member(item, "score", path, tid, (int, float))
        if not _is_number(value):
            fail("the field 'score' must be a number", path, tid)
        substitutes.append((member(item, "suggestion", path, tid, str), float(value)))
    return sorted(substitutes, key=lambda pair: -pair[1])


def _is_number(value: object) -> bool:
    """Return whether a value of JSON is a number, and one that a float can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return not math.isnan(value)
    except OverflowError:
        return False


# Lemmas


def lemmatised_gold(gold: Gold, lemmatise: Lemmatise) -> dict[str, Target]:
    """Lemmatise the gold data and join the labels of equal lemmas; UNSURE and lemmas without another label go."""
    result = {}
    for tid, target in gold.items():
        target_lemma = compared_form(target.word, target.pos, lemmatise)
        labels: dict[str, tuple[str, ...]] = {}
        for substitute, given in target.labels.items():
            lemma = compared_form(substitute, target.pos, lemmatise)
            if lemma != target_lemma:
                labels[lemma] = (*labels.get(lemma, ()), *given)
        sure = {lemma: tuple(label for label in given if label != "UNSURE") for lemma, given in labels.items()}
        sure = {lemma: given for lemma, given in sure.items() if given}
        if sure:
            result[tid] = target._replace(labels=sure)
    return result


def lemmatised_predictions(predictions: Predictions, gold: Gold, lemmatise: Lemmatise) -> dict[str, dict[str, float]]:
    """Lemmatise a system's substitutes: lemma → its best score, best first."""
    result = {}
    for tid, substitutes in predictions.items():
        target = gold[tid]
        target_lemma = compared_form(target.word, target.pos, lemmatise)
        scores: dict[str, float] = {}
        for substitute, score_ in substitutes:
            lemma = compared_form(substitute, target.pos, lemmatise)
            if lemma != target_lemma:
                scores[lemma] = max(score_, scores.get(lemma, -math.inf))
        result[tid] = dict(sorted(scores.items(), key=lambda item: -item[1]))
    return result


def compared_form(text: str, pos: str | None, lemmatise: Lemmatise) -> str:
    """Return a substitute or a target as it is compared: its lemma in lower case."""
    return lemmatise(text, pos).lower().strip()


def _votes(target: Target) -> dict[str, int]:
    return {s: sum(label in POSITIVE for label in labels) for s, labels in target.labels.items()}


def positive_shares(target: Target) -> dict[str, float]:
    """Return substitute → the share of its labels that are positive, in [0, 1]; for :func:`lemmatised_gold`."""
    votes = _votes(target)
    return {s: votes[s] / len(labels) for s, labels in target.labels.items()}


# Measures of one target


def generalised_average_precision(gold: Mapping[_Item, float], ranked: Sequence[_Item]) -> float:
    """Compute how well a ranking puts heavier items first (Kishida 2005; for substitutes, Thater et al. 2010).

    The mean weight of what stands at or above each relevant item, summed, over the same sum for the ideal ranking.

    Args:
        gold: item → weight, 0 or more; what is not in it has none.
        ranked: items, best first, each once.

    Returns:
        a figure in [0, 1]; not-a-number where no item has a weight.

    >>> round(generalised_average_precision({"a": 3, "b": 2, "c": 0}, ["b", "a", "c"]), 4)
    0.8182
    """

    def summed_means(weights: Iterable[float]) -> float:
        total = means = 0.0
        for place, weight in enumerate(weights, 1):
            total += weight
            if weight > 0:
                means += total / place
        return means

    ideal = summed_means(sorted(gold.values(), reverse=True))
    return summed_means(gold.get(item, 0) for item in ranked) / ideal if ideal else math.nan


def rank_biased_overlap(first: Ranking, second: Ranking, *, p: float = 0.9) -> float:
    """Compute how far two rankings agree, the top counting most: extrapolated RBO (Webber et al. 2010).

    The agreement at depth d is the share of items that both rankings have among their first d; depth d weighs
    p^(d − 1); beyond the end of the shorter ranking its agreement is taken to go on. Tied items share the place of the
    first of them, and the agreement at a depth is 2 · shared / (sum of the two counts).

    Args:
        first, second: the rankings, each item once in each.
        p: in (0, 1); the smaller, the more the top counts.

    Returns:
        a figure in [0, 1]; not-a-number where a ranking is empty.

    Raises:
        ValueError: p is not between 0 and 1.

    >>> rank_biased_overlap([["a"], ["b"], ["c"]], [["a"], ["b"], ["c"]])
    1.0
    >>> rank_biased_overlap([["a"], ["b"]], [["b"], ["a"]], p=0.5)
    0.5
    """
    if not 0 < p < 1:
        raise ValueError(f"p must lie between 0 and 1, not {p}")
    shorter, longer = sorted((_places(first), _places(second)), key=len)
    if not shorter:
        return math.nan
    agreement, total = 0.0, 0.0
    at_end = 0.0
    both = [max(place, longer[item]) for item, place in shorter.items() if item in longer]
    tops = zip(*(_up_to(places, len(longer)) for places in (both, shorter.values(), longer.values())), strict=True)
    for depth, (shared, *counts) in enumerate(tops, 1):
        if depth <= len(shorter):
            agreement = at_end = 2 * shared / sum(counts)
        else:
            # What the shorter ranking would have shown further down is expected to agree as much as what it shows.
            agreement = (shared + at_end * (depth - len(shorter))) / depth
        total += agreement * p ** (depth - 1)
    return (1 - p) * total + agreement * p ** len(longer)


def _up_to(places: Iterable[int], deepest: int) -> Iterable[int]:
    """Count the places up to each depth from 1."""
    counts = Counter(places)
    return accumulate(counts[depth] for depth in range(1, deepest + 1))


def _places(ranking: Ranking) -> dict[str, int]:
    places: dict[str, int] = {}
    for group in ranking:
        place = len(places) + 1
        places |= dict.fromkeys(group, place)
    return places


# SemEval-2007 task 10

# Spellings that the task's scorer takes for the same.
_BRITISH = {
    "molt": "moult",
    "scrutinize": "scrutinise",
    "organize": "organise",
    "utilize": "utilise",
    "realize": "realise",
    "color": "colour",
    "actualization": "actualisation",
    "authorize": "authorise",
    "demeanor": "demeanour",
    "rigor": "rigour",
    "unspoiled": "unspoilt",
}


def _semeval_form(substitute: str) -> str:
    plain = re.sub(r"^non[\s-]", "non", substitute).replace("-", " ").replace("'", "", 1)
    return _BRITISH.get(plain, plain)


# How the task's scorer finds substitute and votes in a line of the gold file; what does not match has no votes.
_SEMEVAL_GOLD = re.compile(r"(\w[\w'\s-]+) (\d+)")


def semeval_record(votes: Mapping[str, int], substitutes: Sequence[str]) -> dict[str, float]:
    """Count what one target adds to ``best`` and ``oot`` (McCarthy and Navigli 2007).

    The credit of a guess is the part of all votes that it got; ``best`` divides the credit of all guesses by their
    number, ``oot`` takes the first ten and does not divide. The mode is the substitute with most votes, where there is
    only one; ``best`` finds it with the first guess, ``oot`` with any of the ten. Targets with fewer than two votes are
    left out.

    This follows the task's own scorer closely: in guesses hyphens become blanks, one apostrophe is dropped and eleven
    American spellings become British; a gold substitute with a hyphen gives credit with a blank as well, but is never
    found as a mode; gold substitutes with *pn*, its mark of proper nouns, are left out, and so are those of one letter.

    Args:
        votes: substitute → votes.
        substitutes: guesses, best first.
    """
    voted = [(substitute, count) for substitute, count in votes.items() if count and "pn" not in substitute]
    voted.sort(key=lambda item: -item[1])
    if not voted or (len(voted) == 1 and voted[0][1] < 2):
        return {}
    matches = (_SEMEVAL_GOLD.search(f"{substitute} {count}") for substitute, count in voted)
    gold = [(match[1].replace("'", "", 1), int(match[2])) for match in matches if match]
    if not gold:
        return {"items": 1}
    # Of "much, really" only "really" is read: what is read twice has the later, lower count, but stays the mode.
    counts = dict(gold)
    total = sum(counts.values())
    credit = {substitute.replace("-", " "): count for substitute, count in counts.items()} | counts
    guesses = [_semeval_form(substitute) for substitute in substitutes]
    modes = [substitute for substitute, count in gold if count == gold[0][1]]
    record: dict[str, float] = {"items": 1, "attempted": bool(guesses)}
    record["best"] = sum(credit.get(g, 0) for g in guesses) / total / len(guesses) if guesses else 0
    record["oot"] = sum(credit.get(g, 0) for g in guesses[:10]) / total
    if len(modes) == 1:
        record |= {"modes": 1, "modes attempted": bool(guesses)}
        record["best mode"] = modes[0] in guesses[:1]
        record["oot mode"] = modes[0] in guesses[:10]
    return record


# Scoring


def score(
    gold: Gold,
    predictions: Predictions,
    *,
    ks: Sequence[int] = (10, 1),
    lemmatise: Lemmatise | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Compute all figures of a system's substitutes.

    Args:
        gold: the targets.
        predictions: scored substitutes for each target; targets that are not in it have none.
        ks: how many substitutes of a target count.
        lemmatise: from a word and its part of speech to its lemma; by default with WordNet 3.0. Its attribute ``name``
            (or ``__name__``) goes into the signature.
        bootstrap: settings of the intervals over targets, see :class:`~usim.benchmarks.result.Bootstrap`.

    Returns:
        figures in per cent, under the names of the published scorer:

        - ``{lenient,strict}_{a,c}_{p,r,f}@k``: acceptable and conceivable; recall wants at most k of a target;
        - ``…_rs@k`` and ``…_fs@k``: recall wants all of them;
        - ``gap`` and ``gap_rat``: weights are counts, or shares, of positive labels; mean over the targets with one;
        - ``{best,oot}_{p,r,mode_p,mode_r}``: of SemEval-2007.

    Raises:
        InputError: nothing to score, or predictions for a target that is not in the gold data.
    """
    return tally(gold, predictions, ks=ks, lemmatise=lemmatise).result(**bootstrap)


def tally(
    gold: Gold, predictions: Predictions, *, ks: Sequence[int] = (10, 1), lemmatise: Lemmatise | None = None
) -> Tally:
    """Count what each target adds to the figures of :func:`score`.

    Args:
        gold, predictions, ks, lemmatise: as for :func:`score`.

    Raises:
        InputError: a k below 1, or predictions for a target that is not in the gold data.
    """
    if not ks or min(ks) < 1:
        raise InputError("each k must be at least 1")
    check_known(gold, predictions, "target")
    lemmatise = lemmatise or WordNetLemmatiser.shipped()
    system = lemmatised_predictions(predictions, gold, lemmatise)
    targets = lemmatised_gold(gold, lemmatise)
    records = [_record(target, list(system.get(tid, {})), ks) for tid, target in targets.items()]
    parts = {"k": "+".join(map(str, ks)), "avg": "micro", "lemma": lemmatiser_name(lemmatise), "abstain": "counted"}
    return Tally("swords", records, _figures(ks), parts)


def _record(target: Target, substitutes: Sequence[str], ks: Sequence[int]) -> dict[str, float]:
    shares, votes = positive_shares(target), _votes(target)
    record: dict[str, float] = {}
    judged = [substitute for substitute in substitutes if substitute in shares]
    for kind, threshold in THRESHOLDS.items():
        wanted = {substitute for substitute, share in shares.items() if share >= threshold}
        for k in ks:
            record[f"{kind} wanted@{k}"] = min(k, len(wanted))
            for view, seen in (("lenient", judged[:k]), ("strict", substitutes[:k])):
                record[f"{view} {kind} right@{k}"] = len(wanted.intersection(seen))
                record[f"{view} made@{k}"] = len(seen)
        record[f"{kind} wanted"] = len(wanted)
    for name, weights in (("gap", votes), ("gap_rat", shares)):
        gap = generalised_average_precision(weights, substitutes)
        if not math.isnan(gap):
            record[name], record["ranked"] = gap, 1
    return record | semeval_record(votes, substitutes)


def _figures(ks: Sequence[int]) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for k in ks:
        for view in ("lenient", "strict"):
            for kind in THRESHOLDS:
                right = f"{view} {kind} right@{k}"
                precision = Ratio(right, f"{view} made@{k}", 100)
                recall, strict_recall = Ratio(right, f"{kind} wanted@{k}", 100), Ratio(right, f"{kind} wanted", 100)
                name = f"{view}_{kind}"
                figures |= {
                    f"{name}_p@{k}": precision,
                    f"{name}_r@{k}": recall,
                    f"{name}_f@{k}": FMeasure(precision, recall),
                    f"{name}_rs@{k}": strict_recall,
                    f"{name}_fs@{k}": FMeasure(precision, strict_recall),
                }
    figures |= {"gap": Ratio("gap", "ranked", 100), "gap_rat": Ratio("gap_rat", "ranked", 100)}
    for name in ("best", "oot"):
        figures |= {
            f"{name}_p": Ratio(name, "attempted", 100),
            f"{name}_r": Ratio(name, "items", 100),
            f"{name}_mode_p": Ratio(f"{name} mode", "modes attempted", 100),
            f"{name}_mode_r": Ratio(f"{name} mode", "modes", 100),
        }
    return figures


def compare_annotations(
    first: Gold,
    second: Gold,
    *,
    p: float = 0.9,
    lemmatise: Lemmatise | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Compute the rank-biased overlap between two annotations: the mean over the targets that both have.

    The substitutes of a target that both annotations judged are ranked by share in either; equal shares are ties.

    Args:
        first, second: the annotations.
        p: of :func:`rank_biased_overlap`.
        lemmatise, bootstrap: as for :func:`score`.

    Returns:
        the figure ``rbo`` in per cent.

    Raises:
        InputError: no substitute of a target is judged in both; p is not between 0 and 1.
    """
    if not 0 < p < 1:
        raise InputError(f"p must lie between 0 and 1, not {p}")
    lemmatise = lemmatise or WordNetLemmatiser.shipped()
    annotations = lemmatised_gold(first, lemmatise), lemmatised_gold(second, lemmatise)
    records = []
    for tid in [tid for tid in annotations[0] if tid in annotations[1]]:
        shares = [positive_shares(annotation[tid]) for annotation in annotations]
        common = [substitute for substitute in shares[0] if substitute in shares[1]]
        if common:
            overlap = rank_biased_overlap(*(_ranked({s: share[s] for s in common}) for share in shares), p=p)
            records.append({"rbo": overlap, "targets": 1.0})
    if not records:
        raise InputError(
            "the two annotations have no judged substitute of a target in common; are these the same data?"
        )
    parts = {"rbo": f"ext,p={p:g},ties", "lemma": lemmatiser_name(lemmatise)}
    return Tally("swords", records, {"rbo": Ratio("rbo", "targets", 100)}, parts).result(**bootstrap)


def _ranked(scores: Mapping[str, float]) -> list[list[str]]:
    groups: dict[float, list[str]] = {}
    for item, value in scores.items():
        groups.setdefault(value, []).append(item)
    return [groups[value] for value in sorted(groups, reverse=True)]
