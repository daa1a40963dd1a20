"""SWORDS: substitutes for a word in context, judged one by one by ten people (Lee et al. 2021).

A substitute's *share* is the part of its judges who would use it. It is *conceivable* from a share of .1, *acceptable*
above .5. A system is scored on its first k substitutes for each target, for k = 10 and 1, summed over targets;
*lenient* leaves out what nobody has judged, *strict* counts it as wrong. Both sides are lemmatised by the target's part
of speech first, what becomes equal is merged (labels of the gold put together, the best score of the system's), and
what becomes the target itself is dropped.

Beside these: generalised average precision for rankings, and ``best`` and ``oot`` of SemEval-2007 task 10. All figures
are in per cent, as the published scorer has them.

>>> labels = {"frank": ("TRUE", "TRUE", "TRUE"), "honest": ("TRUE", "FALSE", "FALSE"), "loud": ("FALSE",)}
>>> gold = {"t": SwordsTarget("straightforward", "ADJ", labels)}
>>> system = {"t": [("frank", 3.0), ("loud", 2.0), ("odd", 1.0)]}
>>> result = Swords(gold).score(system, resamples=0)
>>> result.figures["lenient_a_p@10"], round(result.figures["strict_a_p@10"], 1), result.figures["strict_c_r@10"]
(50.0, 33.3, 50.0)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from msgspec import Meta, Struct

from usim.benchmarks.benchmark import Benchmark, Change, Warn
from usim.benchmarks.case import Case, Label, Place, check_form, read_record
from usim.benchmarks.result import Figure, FMeasure, Ratio, Tally, check_known
from usim.errors import FormatError, InputError
from usim.lexicon import WordNetLemmatiser
from usim.text.files import Path, fail, read_json

T = TypeVar("T")

#: Judgements, as the data name them. The implicit ones come from people who were asked for substitutes, not shown them.
POSITIVE = frozenset({"TRUE", "TRUE_IMPLICIT"})
#: From which share of its labels a substitute counts, as in the published scorer.
THRESHOLDS = {"a": 0.5 + 1e-4, "c": 0.1}
#: How many substitutes of a target count, as in the published scorer.
KS = (10, 1)
_LEMMATISE = WordNetLemmatiser()


class SwordsTarget(NamedTuple):
    """A word to replace: the word, its universal part of speech, substitute → the labels it was given; and its text."""

    word: str
    pos: str | None
    labels: Mapping[str, tuple[str, ...]]
    place: Place | None = None


Gold = Mapping[str, SwordsTarget]
#: SwordsTarget id → substitutes with their scores; a higher score is better, among equals the earlier.
Predictions = Mapping[str, Sequence[tuple[str, float]]]


# Reading


class _Target(Struct):
    target: str
    pos: str | None = None
    context_id: str = ""
    offset: Annotated[int, Meta(ge=0)] = 0


class _Substitute(Struct):
    target_id: str
    substitute: str


class _Context(Struct):
    context: str


_Labels = Annotated[
    tuple[Literal["TRUE", "TRUE_IMPLICIT", "FALSE", "FALSE_IMPLICIT", "UNSURE"], ...], Meta(min_length=1)
]


def _records(data: Mapping[str, Any], name: str, kind: Any, path: Path) -> dict[str, Any]:
    """Return the records of a member of a file, by their ids."""
    records = read_record(data.get(name), dict[str, Any], path, name)
    return {key: read_record(value, kind, path, key) for key, value in records.items()}


class _Clue(Struct):
    suggestion: str
    score: float


class _Clues(Struct):
    suggestions: list[_Clue]


class _Choice(Struct):
    text: str


class _RawAnswer(Struct):
    """What a model answered, as published: Wordtune's ``drilldown``, or null; ``choices`` of GPT-3."""

    drilldown: _Clues | None = None
    choices: Annotated[list[_Choice], Meta(min_length=1)] | None = None

    def substitutes(self) -> list[tuple[str, float]]:
        if self.choices:  # a list in a text, the best first, in which one may come again
            found = dict.fromkeys(each.strip() for each in self.choices[0].text.split(",") if each.strip())
            return [(substitute, -float(place)) for place, substitute in enumerate(found)]
        clues = self.drilldown.suggestions if self.drilldown else []
        return sorted(((clue.suggestion, clue.score) for clue in clues), key=lambda pair: -pair[1])


# Lemmas


def lemmatised_gold(gold: Gold) -> dict[str, SwordsTarget]:
    """Lemmatise the gold data and join the labels of equal lemmas; UNSURE and lemmas without another label go."""
    result = {}
    for tid, target in gold.items():
        target_lemma = compared_form(target.word, target.pos)
        labels: dict[str, tuple[str, ...]] = {}
        for substitute, given in target.labels.items():
            lemma = compared_form(substitute, target.pos)
            if lemma != target_lemma:
                labels[lemma] = (*labels.get(lemma, ()), *given)
        sure = {lemma: tuple(label for label in given if label != "UNSURE") for lemma, given in labels.items()}
        sure = {lemma: given for lemma, given in sure.items() if given}
        if sure:
            result[tid] = target._replace(labels=sure)
    return result


def lemmatised_predictions(predictions: Predictions, gold: Gold) -> dict[str, dict[str, float]]:
    """Lemmatise a system's substitutes: lemma → its best score, best first."""
    result = {}
    for tid, substitutes in predictions.items():
        target = gold[tid]
        target_lemma = compared_form(target.word, target.pos)
        scores: dict[str, float] = {}
        for substitute, score in substitutes:
            lemma = compared_form(substitute, target.pos)
            if lemma != target_lemma:
                scores[lemma] = max(score, scores.get(lemma, -math.inf))
        result[tid] = dict(sorted(scores.items(), key=lambda item: -item[1]))
    return result


def compared_form(text: str, pos: str | None) -> str:
    """Return a substitute or a target as it is compared: its lemma in lower case."""
    return _LEMMATISE(text, pos).lower().strip()


def votes_of(target: SwordsTarget) -> dict[str, int]:
    """Return substitute → the number of its labels that are positive."""
    return {s: sum(label in POSITIVE for label in labels) for s, labels in target.labels.items()}


def positive_shares(target: SwordsTarget) -> dict[str, float]:
    """Return substitute → the share of its labels that are positive, in [0, 1]; for :func:`lemmatised_gold`."""
    votes = votes_of(target)
    return {s: votes[s] / len(labels) for s, labels in target.labels.items()}


# Measures of rankings


def generalised_average_precision(gold: Mapping[T, float], ranked: Sequence[T]) -> float:
    """Compute how well a ranking puts heavier items first (Kishida 2005; for substitutes, Thater et al. 2010).

    The mean weight of what stands at or above each relevant item, summed, over the same sum for the ideal ranking: in
    [0, 1], or not-a-number where no item has a weight. Weights of items are 0 or more; items are ranked, best first.

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


# How the task's scorer finds substitute and votes in a line of the gold file; what does not match has no votes.
_SEMEVAL_GOLD = re.compile(r"(?<![\w'\s-])['\s-]*(\w[\w'\s-]+) (\d+)")


def semeval_record(votes: Mapping[str, int], substitutes: Sequence[str]) -> dict[str, float]:
    """Count what one target adds to ``best`` and ``oot`` (McCarthy and Navigli 2007).

    The credit of a guess is the part of all votes that it got; ``best`` divides the credit of all guesses by their
    number, ``oot`` takes the first ten and does not divide. The mode is the substitute with most votes, where there is
    only one; ``best`` finds it with the first guess, ``oot`` with any of the ten. Targets with fewer than two votes are
    left out.

    This follows the task's own scorer closely: in guesses hyphens become blanks and one apostrophe is dropped; its
    table of American spellings comes out empty, so that none is converted. A gold substitute with a hyphen gives credit
    with a blank as well, but is never found as a mode; gold substitutes with *pn*, its mark of proper nouns, are left
    out, and so are those of one letter. The guesses are given best first.
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
    guesses = [re.sub(r"^non[\s-]", "non", each).replace("-", " ").replace("'", "", 1) for each in substitutes]
    modes = [substitute for substitute, count in gold if count == gold[0][1]]
    record: dict[str, float] = {"items": 1, "attempted": bool(guesses)}
    record["best"] = sum(credit.get(g, 0) for g in guesses) / total / len(guesses) if guesses else 0
    record["oot"] = sum(credit.get(g, 0) for g in guesses[:10]) / total
    if len(modes) == 1:
        record |= {"modes": 1, "modes attempted": bool(guesses)}
        record["best mode"] = modes[0] in guesses[:1]
        record["oot mode"] = modes[0] in guesses[:10]
    return record


# The benchmark


@dataclass
class Swords(Benchmark[Predictions]):
    """SWORDS.

    :meth:`score` has the figures of docs/how-to/benchmarks.md in per cent, under the names of the published scorer.
    """

    name = "swords"
    scale = 100
    digits = 2
    about = """Score a system on SWORDS: precision and recall at k, GAP, best and oot, in per cent.

    GOLD is a data set in the SWORDS format (.json or .json.gz). PRED is a JSON file with an object from target ids to
    [[substitute, score], …], alone or under "substitutes"; - is standard input."""

    gold: Gold

    @classmethod
    def open(cls, path: Path) -> Swords:
        """Read a data set of ``targets``, ``substitutes``, ``substitute_labels``, and perhaps ``contexts``."""
        data = read_json(path)
        has_members = {"targets", "substitutes", "substitute_labels"} <= data.keys()
        check_form(has_members, "SWORDS", "JSON with targets, substitutes and substitute_labels", path)
        targets = _records(data, "targets", _Target, path)
        labels = _records(data, "substitute_labels", _Labels, path)
        judged: dict[str, dict[str, tuple[str, ...]]] = {target: {} for target in targets}
        for sid, substitute in _records(data, "substitutes", _Substitute, path).items():
            if substitute.target_id not in judged:
                fail("its target is not among the targets", path, sid, substitute.target_id)
            if sid not in labels:
                fail("its labels are missing", path, sid)
            of_target = judged[substitute.target_id]
            of_target[substitute.substitute] = (*of_target.get(substitute.substitute, ()), *labels[sid])
        if not targets:
            raise InputError("no target in the gold file", path=path)
        contexts = _records(data, "contexts", _Context, path) if "contexts" in data else {}
        gold = {}
        for tid, target in targets.items():
            place = None
            if contexts:
                if target.context_id not in contexts:
                    fail("its context is not among the contexts", path, tid)
                text, end = contexts[target.context_id].context, target.offset + len(target.target)
                if text[target.offset : end] != target.target:
                    fail(f"the target is not at offset {target.offset} of its context", path, tid, target.target)
                place = Place(text, target.offset, end, target.pos)
            gold[tid] = SwordsTarget(target.target, target.pos, judged[tid], place)
        return cls(gold)

    @cached_property
    def _lemmatised(self) -> dict[str, SwordsTarget]:
        return lemmatised_gold(self.gold)

    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> Predictions:
        """Read a system's substitutes: target id → [[substitute, score], …], alone or under ``substitutes``.

        Targets of the gold data may be missing: nothing is proposed for them. The raw answers of GPT-3 and Wordtune are
        read as published. They are to an earlier version of the data; targets without gold data are left out.
        """
        records = read_json(path)
        if "contexts" in records and "targets" in records:
            raise FormatError("gold data given as predictions; they have [[substitute, score], …] by target", path=path)
        if "substitutes_lemmatized" in records or isinstance(records.get("substitutes"), dict):
            records = read_record(records.get("substitutes"), dict[str, Any], path, "substitutes")
        predictions = {}
        for tid, items in records.items():
            if isinstance(items, dict) and not {"drilldown", "choices"}.isdisjoint(items):
                if tid in self.gold:
                    predictions[tid] = read_record(items, _RawAnswer, path, tid).substitutes()
                continue
            if tid not in self.gold:
                fail("this target is not in the gold file; are these the same data?", path, tid)
            predictions[tid] = read_record(items, list[tuple[str, float]], path, tid)
        if missing := len(self.gold) - len(predictions):
            warn(f"{path}: {missing} of {len(self.gold)} targets have no prediction and count as missed")
        return predictions

    def tally(self, predictions: Predictions) -> Tally:
        check_known(self.gold, predictions, "target")
        system = lemmatised_predictions(predictions, self.gold)
        records = [_record(target, list(system.get(tid, {}))) for tid, target in self._lemmatised.items()]
        parts = {"k": "+".join(map(str, KS)), "avg": "micro", "lemma": _LEMMATISE.name, "abstain": "counted"}
        return Tally(self.name, records, _figures(), parts)

    def cases(self, predictions: Predictions) -> list[Case]:
        """Return the suggestions in their contexts."""
        cases = []
        for record, (name, target) in enumerate(self._lemmatised.items()):
            if name not in predictions:
                continue
            if target.place is None:
                raise InputError("a target of the gold data has no context", text=name)
            labels: dict[str, Label] = {
                lemma: "acceptable" if share >= THRESHOLDS["a"] else "wrong"
                for lemma, share in positive_shares(target).items()
            }
            own = compared_form(target.word, target.pos)
            lemmas = {s: compared_form(s, target.pos) for s in _best_first(predictions[name])}
            judged: dict[str, Label] = {s: labels.get(lemma, "unjudged") for s, lemma in lemmas.items() if lemma != own}
            cases.append(Case(record, name, target.place, judged))
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


def _best_first(pairs: Sequence[tuple[str, float]]) -> list[str]:
    return [substitute for substitute, _ in sorted(pairs, key=lambda pair: -pair[1])]


def _record(target: SwordsTarget, substitutes: Sequence[str]) -> dict[str, float]:
    shares, votes = positive_shares(target), votes_of(target)
    record: dict[str, float] = {}
    judged = [substitute for substitute in substitutes if substitute in shares]
    for kind, threshold in THRESHOLDS.items():
        wanted = {substitute for substitute, share in shares.items() if share >= threshold}
        for k in KS:
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


def _figures() -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for k in KS:
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
