"""The figures of Smart Word Suggestions: detection, suggestion, end to end."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Unpack

from usim.benchmarks.result import Bootstrap, Figure, FMeasure, Ratio, Result, Tally, check_known
from usim.benchmarks.sws.annotators import Agreement, merge
from usim.benchmarks.sws.ndcg import SCRIPT, Definition
from usim.benchmarks.sws.values import Annotation, Annotations, Gold, Predictions, Sentence, Span, Target
from usim.errors import InputError

#: Numbers of positions that NDCG is also given for, as in figure 4 of the paper.
POSITIONS = (1, 2, 3, 4)


def score(
    gold: Gold,
    predictions: Predictions,
    *,
    definition: Definition = SCRIPT,
    agreed: Agreement | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Compute all figures of the benchmark.

    Args:
        gold: the sentences.
        predictions: the system's targets in each sentence; sentences that are not in it have none.
        definition: ``SCRIPT``, ``PAPER``, or another one.
        agreed: the agreement of the annotators whose work was merged to the gold data, to report it with the rest.
        bootstrap: settings of the intervals over sentences, see :class:`~usim.benchmarks.result.Bootstrap`.

    Returns:
        figures in [0, 1], under the names of the published script:

        - ``p_detection``, ``r_detection``, ``f_detection``, ``f_detection_05``: spans found;
        - ``weighted_acc_detection``: votes of the targets found over all votes;
        - ``substitute_rate``: the improvable ratio, words in the spans named over all words;
        - ``acc_recommendation``: how often the first suggestion for a detected target is one of the gold ones;
        - ``ndcg_recommendation``: mean over the detected targets;
        - ``ndcg@1``, …, ``ndcg@4``: over that many positions, shorter lists filled up (figure 4 of the paper);
        - ``p_recommendation``, ``r_recommendation``, ``f_recommendation``, ``f_recommendation_05``: suggestions made
          for detected targets, as sets (in the script only);
        - ``p_e2e``, ``r_e2e``, ``f_e2e``, ``f_e2e_05``: targets detected whose first suggestion is a gold one;
        - ``r_detection``, ``acc_recommendation`` and ``r_e2e`` with ``_type.1``, ``_type.2`` for the targets of a type,
          and ``_votes.2``, ``_votes.3``, … for those with a voting index;
        - ``pa_det`` and ``pa_sug`` if the agreement is given.

    Raises:
        InputError: no sentence, or predictions for a sentence that is not in the gold data.
    """
    parts = {} if agreed is None else {"gold": "merged"}
    result = tally(gold, predictions, definition=definition, parts=parts).result(**bootstrap)
    return result if agreed is None else replace(result, figures=result.figures | agreed.figures)


def tally(
    gold: Gold,
    predictions: Predictions,
    *,
    definition: Definition = SCRIPT,
    parts: Mapping[str, object] = MappingProxyType({}),
) -> Tally:
    """Count what each sentence adds to the figures of :func:`score`.

    Args:
        gold, predictions, definition: as for :func:`score`.
        parts: what else the signature says, before the definition.

    Raises:
        InputError: predictions for a sentence that is not in the gold data.
    """
    check_known(gold, predictions, "sentence")
    records = [_record(sentence, predictions.get(name, {}), definition) for name, sentence in gold.items()]
    levels = sorted({target.votes for sentence in gold.values() for target in sentence.targets})
    return Tally("sws", records, _figures(levels), {**parts, **definition.signature})


def one_against_the_others(annotations: Annotations, *, definition: Definition = SCRIPT) -> dict[str, float]:
    """Score each annotator as a system against the merged work of the others, and average (*Human* in Wang et al.).

    Args:
        annotations: what each annotator wrote.
        definition: as for :func:`~usim.benchmarks.sws.scoring.score`.

    Returns:
        the figures of :func:`~usim.benchmarks.sws.scoring.score`, each the mean over the annotators for whom it is
        defined. An annotator is scored on the sentences that he or she saw; suggestions keep the order of writing.

    Raises:
        InputError: no sentence has the work of several annotators.
    """
    figures: dict[str, list[float]] = defaultdict(list)
    for annotator in sorted({name for annotation in annotations.values() for name in annotation.marks}):
        seen = {name: annotation for name, annotation in annotations.items() if annotator in annotation.marks}
        rest = {
            name: Annotation(words, {other: marks[other] for other in marks if other != annotator})
            for name, (words, marks) in seen.items()
        }
        gold = merge({name: annotation for name, annotation in rest.items() if annotation.marks})
        own = {name: {s: mark.suggestions for s, mark in seen[name].marks[annotator].items()} for name in gold}
        for name, value in (score(gold, own, definition=definition, resamples=0).figures if gold else {}).items():
            if not math.isnan(value):
                figures[name].append(value)
    if not figures:
        raise InputError("no sentence has the work of several annotators")
    return {name: sum(values) / len(values) for name, values in figures.items()}


def _groups(target: Target) -> tuple[str, ...]:
    return "", f"_type.{target.type}", f"_votes.{target.votes}"


def _record(sentence: Sentence, predicted: Mapping[Span, Sequence[str]], definition: Definition) -> dict[str, float]:
    record: dict[str, float] = defaultdict(float)
    record["words"] = len(sentence.words)
    record["words named"] = sum(end - start for start, end in predicted)
    record["found"] = len(predicted)
    for target in sentence.targets:
        suggestions = predicted.get(target.span)
        hit = bool(suggestions) and suggestions[0] in target.suggestions if suggestions is not None else False
        record["votes"] += target.votes
        for group in _groups(target):
            record["targets" + group] += 1
            record["detected" + group] += suggestions is not None
            record["hit" + group] += hit
        if suggestions is not None:
            record["votes detected"] += target.votes
            record["made"] += len(suggestions)
            record["wanted"] += len(target.suggestions)
            record["right"] += len(set(suggestions) & set(target.suggestions))
            record["ndcg"] += definition.ndcg.of(suggestions, target.suggestions)
            for m in POSITIONS:
                record[f"ndcg@{m}"] += definition.ndcg.at(m).of(suggestions, target.suggestions)
    for column in [column for column in record if column.startswith("detected")]:
        group = column.removeprefix("detected")
        detected, hits = record[column], record["hit" + group]
        if definition.pooled:
            record["accurate" + group], record["judged" + group] = hits, detected
        elif detected:
            record["accurate" + group], record["judged" + group] = hits / detected, 1
    return record


def _figures(levels: Sequence[int]) -> dict[str, Figure]:
    groups = ["_type.1", "_type.2", *(f"_votes.{level}" for level in levels)]
    figures: dict[str, Figure] = {}

    def measured(name: str, precision: Ratio, recall: Ratio) -> None:
        figures["p_" + name], figures["r_" + name] = precision, recall
        figures["f_" + name] = FMeasure(precision, recall)
        figures[f"f_{name}_05"] = FMeasure(precision, recall, beta=0.5)

    measured("detection", Ratio("detected", "found"), Ratio("detected", "targets"))
    figures |= {f"r_detection{group}": Ratio("detected" + group, "targets" + group) for group in groups}
    figures["weighted_acc_detection"] = Ratio("votes detected", "votes")
    figures["substitute_rate"] = Ratio("words named", "words")
    for group in ("", *groups):
        figures[f"acc_recommendation{group}"] = Ratio("accurate" + group, "judged" + group)
    figures["ndcg_recommendation"] = Ratio("ndcg", "detected")
    figures |= {f"ndcg@{m}": Ratio(f"ndcg@{m}", "detected") for m in POSITIONS}
    measured("recommendation", Ratio("right", "made"), Ratio("right", "wanted"))
    measured("e2e", Ratio("hit", "found"), Ratio("hit", "targets"))
    figures |= {f"r_e2e{group}": Ratio("hit" + group, "targets" + group) for group in groups}
    return figures
