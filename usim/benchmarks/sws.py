"""Smart Word Suggestions: which words could be better, and which words would be (Wang et al. 2023).

The gold data say which spans of a sentence two or more of ten annotators wanted to improve, what they suggested and how
often (*votes*), and of which of two types a target is. A system names spans and ranked suggestions for each. It is
scored for detection (the spans), for suggestion (the targets that were detected) and end to end.

The definitions are those of the published scorer, and of the tables of the paper: accuracy is pooled over detected
targets, so that precision of detection times accuracy is precision end to end, as it is for the seven systems of the
tables. (The text of the paper averages accuracy by sentence, which does not give the figures of its tables.)

>>> gold = {"1": Sentence(("An", "intimate", "friend"), (SwsTarget(1, 2, {"close": 3, "dear": 1}, 1),))}
>>> result = Sws(gold).score({"1": {(1, 2): ("dear", "close"), (2, 3): ("pal",)}}, resamples=0)
>>> result.figures["p_detection"], result.figures["r_detection"], result.figures["acc_recommendation"]
(0.5, 1.0, 1.0)
>>> result.signature
'usim|sws|def:script|ndcg:votes/log2,m=made,ideal=made|acc:pooled|n:1|v:...'
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from usim.benchmarks.benchmark import Benchmark, Change, Warn
from usim.benchmarks.case import Case, Label, Place, check_form, read_record
from usim.benchmarks.result import Figure, FMeasure, Ratio, Tally, check_known
from usim.errors import FormatError, InputError
from usim.records import RecordError
from usim.records.sws import read_target
from usim.text import Span
from usim.text.files import Path, fail, read_json

#: Numbers of positions that NDCG is also given for, as in figure 4 of the paper.
POSITIONS = (1, 2, 3, 4)
#: What the authors fill lists up with; it is no suggestion unless an annotator made it.
_FILLER = "none"
#: What signatures say of the definitions.
_PARTS = {"def": "script", "ndcg": "votes/log2,m=made,ideal=made", "acc": "pooled"}


class SwsTarget(NamedTuple):
    """A span of words that could be better: first word, word after the last, suggestion → votes, type (1 or 2)."""

    start: int
    end: int
    suggestions: Mapping[str, int]
    type: int

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def votes(self) -> int:
        """The voting index: how many suggestions the annotators made for the target in all."""
        return sum(self.suggestions.values())


class Sentence(NamedTuple):
    """A sentence of the gold data: its words and its targets, no two of them with the same span."""

    words: tuple[str, ...]
    targets: tuple[SwsTarget, ...]


Gold = Mapping[str, Sentence]
#: Sentence → span → suggestions, best first.
Predictions = Mapping[str, Mapping[Span, Sequence[str]]]

_Votes = Annotated[dict[str, Annotated[int, Meta(ge=1)]], Meta(min_length=1)]


class _GoldRecord(Struct):
    sentence_split: tuple[str, ...]
    substitutes: list[tuple[Span, _Votes, Literal[1, 2]]]


class _PredictionRecord(Struct):
    input_words: tuple[str, ...]
    substitute_topk: list[Any]


def check_spans(spans: Iterable[Span], words: int, path: Path, name: str) -> None:
    """Check that spans lie within the words of a sentence, and that no two are the same; ``name`` is its record's.

    Raises:
        FormatError: they do not, or two are.
    """
    seen: set[Span] = set()
    for start, end in spans:
        if not 0 <= start < end <= words:
            fail(f"a span must lie within the {words} words of the sentence", path, name, (start, end))
        if (start, end) in seen:
            fail("two targets with the same span; put their suggestions into one", path, name, (start, end))
        seen.add((start, end))


def dcg(gains: Sequence[float]) -> float:
    """Sum the gains of positions, each discounted by log2(position + 1) (Järvelin and Kekäläinen 2002)."""
    return sum(gain / math.log2(position + 1) for position, gain in enumerate(gains, 1))


def ndcg(suggestions: Sequence[str], votes: Mapping[str, int], m: int | None = None) -> float:
    """Compute the normalised discounted cumulative gain of suggestions, best first; 0 without suggestions.

    A suggestion gains its votes, each time that it is made; the ideal ranking has those of all gold suggestions. So
    many positions count as ``m`` says, where a shorter list counts as filled up; by default as many as the list has.

    Wang et al. (2023) have NDCG three times, and not the same three times: the published script has gains over
    log2(position + 1) for as many positions as the system filled; the worked example (appendix D) has the same for five
    positions; the formula of section 6.2 sums gains that are cumulated already. Without rounding the example is
    4.3235 / 5.1925 = .8326, which is what the script gives (4.4 and 5.1, as printed, come from rounded terms); the
    formula would give .8442.

    >>> votes = {"a": 3, "b": 2, "c": 1, "d": 1}
    >>> made = ["b", "a", "none", "c", "none"]
    >>> [round(ndcg(made, votes, m), 4) for m in (1, 2, 3, 4, None)]
    [0.6667, 0.9134, 0.8175, 0.8326, 0.8326]
    """
    places = len(suggestions) if m is None else m
    best = dcg(sorted(map(float, votes.values()), reverse=True)[:places])
    return dcg([votes.get(suggestion, 0) for suggestion in suggestions[:places]]) / best if best else 0.0


@dataclass
class Sws(Benchmark[Predictions]):
    """Smart Word Suggestions, with the sentences of the gold data.

    :meth:`score` has the figures of docs/how-to/benchmarks.md in [0, 1], under the names of the published script.
    """

    name = "sws"
    about = """Score a system on Smart Word Suggestions: detection, suggestion, end to end.

    GOLD is the benchmark's JSON file, PRED the system's output in the form of the published scorer (input_words,
    substitute_topk); - is standard input."""

    gold: Gold

    @classmethod
    def open(cls, path: Path) -> Sws:
        """Read the published data: sentence id → ``sentence_split`` and ``substitutes``.

        ``substitutes`` = [[[start, end], {suggestion: votes, …}, type], …], in words, the end exclusive.
        """
        gold = {}
        data = read_json(path)
        is_known = not data or any(isinstance(value, dict) and "sentence_split" in value for value in data.values())
        form = "JSON with sentence_split and substitutes for each sentence id"
        check_form(is_known, "Smart Word Suggestions", form, path)
        for name, value in data.items():
            record = read_record(value, _GoldRecord, path, name)
            check_spans((span for span, _, _ in record.substitutes), len(record.sentence_split), path, name)
            targets = tuple(SwsTarget(*span, votes, kind) for span, votes, kind in record.substitutes)
            gold[name] = Sentence(record.sentence_split, targets)
        if not gold:
            raise InputError("no sentence in the gold file", path=path)
        return cls(gold)

    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> Predictions:
        """Read a system's output as the published scorer takes it.

        A sentence has ``input_words`` and ``substitute_topk``: [[[text, start, end], [suggestion, …]], …], best first.
        """
        records = read_json(path)
        for name, value in records.items():
            if isinstance(value, dict) and "input_words" not in value and "substitutes" in value:
                problem = "gold data given as predictions; they have input_words and substitute_topk"
                raise FormatError(problem, path=path)
            if name not in self.gold:
                fail("this sentence is not in the gold file; are these the same data?", path, name)
        predictions = {}
        for name, sentence in self.gold.items():
            if name not in records:
                fail("this sentence of the gold file is missing; give it an empty substitute_topk", path, name)
            record = read_record(records[name], _PredictionRecord, path, name)
            if record.input_words != sentence.words:
                fail("input_words are not the words of the gold sentence", path, name, " ".join(record.input_words))
            try:
                targets = [read_target(item, sentence.words) for item in record.substitute_topk]
            except RecordError as e:
                raise FormatError(f"record {name!r}: {e.message}", path=path, text=e.text) from e
            check_spans((span for span, _ in targets), len(sentence.words), path, name)
            predictions[name] = {span: tuple(suggestions) for span, suggestions in targets}
        return predictions

    def tally(self, predictions: Predictions) -> Tally:
        check_known(self.gold, predictions, "sentence")
        records = [_record(s, predictions.get(name, {})) for name, s in self.gold.items()]
        levels = sorted({target.votes for sentence in self.gold.values() for target in sentence.targets})
        return Tally(self.name, records, _figures(levels), _PARTS)

    def cases(self, predictions: Predictions) -> list[Case]:
        """Return the suggestions for each span; the text is the words with blanks between them.

        The word *none*, with which published lists are filled up, is not judged where no annotator suggested it.
        """
        cases = []
        for record, (name, sentence) in enumerate(self.gold.items()):
            begins = [0, *accumulate(len(word) + 1 for word in sentence.words)]
            votes_of = {target.span: target.suggestions for target in sentence.targets}
            for span, substitutes in predictions.get(name, {}).items():
                place = Place(" ".join(sentence.words), begins[span[0]], begins[span[1]] - 1)
                votes = votes_of.get(span)
                labels: dict[str, Label] = {
                    substitute: "unjudged" if votes is None else "acceptable" if substitute in votes else "wrong"
                    for substitute in substitutes
                    if substitute != _FILLER or _FILLER in (votes or ())
                }
                cases.append(Case(record, (name, span), place, labels))
        return cases

    def changed(self, predictions: Predictions, change: Change) -> Predictions:
        """Return the predictions with other lists.

        A target that loses its last suggestion goes too: the scorer would still count it as detected. What lists are
        filled up with is no suggestion.
        """
        after: dict[str, dict[Span, list[str]]] = {name: {} for name in predictions}
        for name, targets in predictions.items():
            for span, substitutes in targets.items():
                rest = change((name, span), list(substitutes))
                if len(rest) == len(substitutes) or any(substitute != _FILLER for substitute in rest):
                    after[name][span] = rest
        return after


def _record(sentence: Sentence, predicted: Mapping[Span, Sequence[str]]) -> dict[str, float]:
    record: dict[str, float] = defaultdict(float)
    record["words"] = len(sentence.words)
    record["words named"] = sum(end - start for start, end in predicted)
    record["found"] = len(predicted)
    for target in sentence.targets:
        suggestions = predicted.get(target.span)
        hit = bool(suggestions and suggestions[0] in target.suggestions)
        record["votes"] += target.votes
        for group in ("", f"_type.{target.type}", f"_votes.{target.votes}"):
            record["targets" + group] += 1
            record["detected" + group] += suggestions is not None
            record["hit" + group] += hit
        if suggestions is not None:
            record["votes detected"] += target.votes
            record["made"] += len(suggestions)
            record["wanted"] += len(target.suggestions)
            record["right"] += len(set(suggestions) & set(target.suggestions))
            record["ndcg"] += ndcg(suggestions, target.suggestions)
            for m in POSITIONS:
                record[f"ndcg@{m}"] += ndcg(suggestions, target.suggestions, m)
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
        figures[f"acc_recommendation{group}"] = Ratio("hit" + group, "detected" + group)
    figures["ndcg_recommendation"] = Ratio("ndcg", "detected")
    figures |= {f"ndcg@{m}": Ratio(f"ndcg@{m}", "detected") for m in POSITIONS}
    measured("recommendation", Ratio("right", "made"), Ratio("right", "wanted"))
    measured("e2e", Ratio("hit", "found"), Ratio("hit", "targets"))
    figures |= {f"r_e2e{group}": Ratio("hit" + group, "targets" + group) for group in groups}
    return figures
