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
>>> system = {"t": [("frank", 3.0), ("loud", 2.0), ("odd", 1.0)]}
>>> result = Swords(gold, ks=(10,)).score(system, resamples=0)
>>> result.figures["lenient_a_p@10"], round(result.figures["strict_a_p@10"], 1), result.figures["strict_c_r@10"]
(50.0, 33.3, 50.0)
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import IO, Any, NamedTuple, Unpack

import click

from usim.benchmarks.benchmark import Benchmark, Change, Warn
from usim.benchmarks.case import Candidate, Case, GivenTarget, Label, Place
from usim.benchmarks.measures import generalised_average_precision, rank_biased_overlap, semeval_record
from usim.benchmarks.result import Bootstrap, Figure, FMeasure, Ratio, Result, Tally, check_known
from usim.errors import FormatError, InputError, OptionError
from usim.lexicon import Lemmatise, WordNetLemmatiser, lemmatiser_name
from usim.suggestions.swords import read_targets
from usim.text import Path, fail, member, read_json

#: Judgements, as the data name them. The implicit ones come from people who were asked for substitutes, not shown them.
POSITIVE = frozenset({"TRUE", "TRUE_IMPLICIT"})
LABELS = POSITIVE | {"FALSE", "FALSE_IMPLICIT", "UNSURE"}
#: From which share of its labels a substitute counts, as in the published scorer.
THRESHOLDS = {"a": 0.5 + 1e-4, "c": 0.1}


class Target(NamedTuple):
    """A word to replace: the word, its universal part of speech, and substitute → the labels it was given."""

    word: str
    pos: str | None
    labels: Mapping[str, tuple[str, ...]]


Gold = Mapping[str, Target]
#: Target id → substitutes with their scores; a higher score is better, among equals the earlier.
Predictions = Mapping[str, Sequence[tuple[str, float]]]


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


def sure_shares(target: Target) -> dict[str, float]:
    """Return substitute → the share of positive labels among those that are not UNSURE, where it has such labels."""
    sure = {s: [label for label in labels if label != "UNSURE"] for s, labels in target.labels.items()}
    return {s: sum(label in POSITIVE for label in given) / len(given) for s, given in sure.items() if given}


def _votes(target: Target) -> dict[str, int]:
    return {s: sum(label in POSITIVE for label in labels) for s, labels in target.labels.items()}


def positive_shares(target: Target) -> dict[str, float]:
    """Return substitute → the share of its labels that are positive, in [0, 1]; for :func:`lemmatised_gold`."""
    votes = _votes(target)
    return {s: votes[s] / len(labels) for s, labels in target.labels.items()}


class Swords(Benchmark[Predictions]):
    """SWORDS.

    :meth:`score` has these figures in per cent, under the names of the published scorer:

    - ``{lenient,strict}_{a,c}_{p,r,f}@k``: acceptable and conceivable; recall wants at most k of a target;
    - ``…_rs@k`` and ``…_fs@k``: recall wants all of them;
    - ``gap`` and ``gap_rat``: weights are counts, or shares, of positive labels; mean over the targets with one;
    - ``{best,oot}_{p,r,mode_p,mode_r}``: of SemEval-2007.

    Args:
        gold: the targets.
        contexts: their texts, for what needs them: values, or the file of the gold data.
        ks: how many substitutes of a target count.
        lemmatise: from a word and its part of speech to its lemma; by default with WordNet 3.0. Its attribute ``name``
            (or ``__name__``) goes into the signature.
        system: what predictions are read from, see :meth:`read_predictions`.
        rbo: makes the second file another annotation to compare with, by this persistence.

    Raises:
        InputError: a k below 1.
    """

    name = "swords"
    scale = 100
    digits = 2
    gold_alone = "--ranking"
    judged_alone = True
    about = """Score a system on SWORDS: precision and recall at k, GAP, best and oot, in per cent.

    GOLD is a data set in the SWORDS format (.json or .json.gz). PRED is a JSON file with an object from target ids to
    [[substitute, score], …], alone or under "substitutes", or with the raw answers of GPT-3 or Wordtune as published
    with the data; - is standard input."""
    options = (
        click.option(
            "-k", "ks", type=click.IntRange(1), multiple=True, default=(10, 1), show_default=True,
            help="Substitutes of a target that count; may be given more than once.",
        ),
        click.option(
            "--agreement", is_flag=True,
            help="PRED is another annotation of the targets: rank-biased overlap of the two.",
        ),
        click.option(
            "--rbo-p", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.9, show_default=True,
            help="Persistence of rank-biased overlap.",
        ),
        click.option(
            "--wordnet", metavar="FOLDER",
            help="Database files of the WordNet to lemmatise by.  [default: WordNet 3.0]",
        ),
        click.option(
            "--system", type=click.Choice(["coinco", "rogets", "humans"]),
            help="PRED is published data to score as a system: CoInCo in the form of SWORDS, the pickled thesaurus, "
            "another annotation of the targets.",
        ),
    )  # fmt: skip

    def __init__(
        self,
        gold: Gold,
        contexts: Mapping[str, Place] | Path = MappingProxyType({}),
        *,
        ks: Iterable[int] = (10, 1),
        lemmatise: Lemmatise | None = None,
        system: str | None = None,
        rbo: float | None = None,
    ) -> None:
        self.gold = gold
        self._contexts = contexts
        self.ks = tuple(dict.fromkeys(ks))
        if not self.ks or min(self.ks) < 1:
            raise InputError("each k must be at least 1")
        self._lemmatise = lemmatise or WordNetLemmatiser.shipped()
        self._system = system
        self._rbo = rbo

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        ks: Iterable[int] = (10, 1),
        agreement: bool = False,
        rbo_p: float = 0.9,
        wordnet: str | None = None,
        system: str | None = None,
    ) -> Swords:
        """Read gold data; their contexts are read when they are asked for."""
        if agreement and system is not None:
            raise OptionError("PRED is an annotation or a system: leave out --system", option="agreement")
        lemmatise = None if wordnet is None else WordNetLemmatiser.from_folder(wordnet)
        gold = read_gold(path)
        return cls(gold, path, ks=ks, lemmatise=lemmatise, system=system, rbo=rbo_p if agreement else None)

    @classmethod
    def gives_targets(cls, path: Path) -> bool:
        """Return whether a file has contexts."""
        return os.fspath(path).removesuffix(".gz").endswith(".json") and "contexts" in read_json(path)

    @cached_property
    def contexts(self) -> Mapping[str, Place]:
        """The targets in their texts."""
        if isinstance(self._contexts, Mapping):
            return self._contexts
        return {name: Place(*target) for name, target in read_targets(self._contexts).items()}

    @cached_property
    def _lemmatised(self) -> dict[str, Target]:
        return lemmatised_gold(self.gold, self._lemmatise)

    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> Predictions:
        """Read a system's substitutes, raw answers as published, or the published data that ``system`` names."""
        predictions: Predictions
        if self._system is not None:
            from usim.benchmarks.swords_systems import read_system

            assert not isinstance(self._contexts, Mapping)
            predictions = read_system(self._system, path, self._contexts)
        elif path == "-" or not are_answers(path):
            predictions = read_predictions(path, self.gold)
        else:
            predictions, unknown = read_answers(path, self.gold)
            if unknown:
                warn(
                    f"{path}: {len(unknown)} of {len(unknown) + len(predictions)} answers are left out, as GOLD does "
                    f"not have their targets ({unknown[0]}, …)"
                )
        if missing := len(self.gold) - len(predictions):
            warn(f"{path}: {missing} of {len(self.gold)} targets have no prediction and count as missed")
        return predictions

    def targets(self) -> list[GivenTarget]:
        """Return the targets, named by their ids."""
        return [GivenTarget.at(name, place) for name, place in self.contexts.items()]

    def write(self, file: IO[str], answers: Iterable[tuple[GivenTarget, Sequence[Candidate]]]) -> None:
        """Write substitutes with their scores."""
        file.write('{"substitutes_lemmatized": false, "substitutes": {')
        for number, (target, candidates) in enumerate(answers):
            pairs = [[candidate.text, candidate.score] for candidate in candidates]
            file.write(",\n" if number else "\n")
            file.write(f"{json.dumps(target.name)}: {json.dumps(pairs, ensure_ascii=False)}")
        file.write("\n}}\n")

    def without_system(self, path: Path | None, **bootstrap: Unpack[Bootstrap]) -> Result | None:
        """Compare the gold data with another annotation."""
        if self._rbo is None or path is None:
            return None
        return compare_annotations(self.gold, read_gold(path), p=self._rbo, lemmatise=self._lemmatise, **bootstrap)

    def tally(self, predictions: Predictions) -> Tally:
        """Count what each target adds to the figures."""
        check_known(self.gold, predictions, "target")
        system = lemmatised_predictions(predictions, self.gold, self._lemmatise)
        records = [_record(target, list(system.get(tid, {})), self.ks) for tid, target in self._lemmatised.items()]
        lemma = lemmatiser_name(self._lemmatise)
        parts = {"k": "+".join(map(str, self.ks)), "avg": "micro", "lemma": lemma, "abstain": "counted"}
        return Tally(self.name, records, _figures(self.ks), parts)

    def cases(self, predictions: Predictions) -> list[Case]:
        """Return the suggestions in their contexts.

        Raises:
            InputError: a target has no context.
        """
        cases = []
        for record, (name, target) in enumerate(self._lemmatised.items()):
            if name not in predictions:
                continue
            if name not in self.contexts:
                raise InputError("a target of the gold data has no context", text=name)
            labels: dict[str, Label | None] = {
                lemma: "acceptable" if share >= THRESHOLDS["a"] else "wrong"
                for lemma, share in positive_shares(target).items()
            }
            labels[compared_form(target.word, target.pos, self._lemmatise)] = None

            def label(
                substitute: str, pos: str | None = target.pos, labels: Mapping[str, Label | None] = labels
            ) -> Label | None:
                return labels.get(compared_form(substitute, pos, self._lemmatise), "unjudged")

            cases.append(Case.of(record, name, self.contexts[name], _best_first(predictions[name]), label))
        return cases

    def changed(self, predictions: Predictions, change: Change) -> Predictions:
        """Return the predictions with other lists, scored by their order where that is another one."""
        after = {}
        for name, pairs in predictions.items():
            before = _best_first(pairs)
            rest = change(name, before)
            scored = [(substitute, -float(place)) for place, substitute in enumerate(rest)]
            after[name] = pairs if rest == before else scored
        return after

    def judged(self) -> Predictions:
        """Return all substitutes of which somebody was sure."""
        if self._system is not None or self._rbo is not None:
            raise OptionError(
                "it ranks the substitutes of GOLD: leave out PRED, --agreement and --system", option="ranking"
            )
        return {name: [(s, 0.0) for s in sure_shares(target)] for name, target in self.gold.items()}

    def ranking(self, ranked: Predictions, ranker: str) -> Tally:
        """Count for ``gap`` and ``gap_rat`` in per cent; Table 6 of the paper has the latter."""
        tally = self.tally(ranked)
        figures = {name: tally.figures[name] for name in ("gap", "gap_rat")}
        return replace(tally, figures=figures, parts={"set": "judged", "rank": ranker, "lemma": tally.parts["lemma"]})


def _best_first(pairs: Sequence[tuple[str, float]]) -> list[str]:
    return [substitute for substitute, _ in sorted(pairs, key=lambda pair: -pair[1])]


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
        lemmatise: as for :class:`Swords`.
        bootstrap: settings of the intervals over targets, see :class:`~usim.benchmarks.result.Bootstrap`.

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
