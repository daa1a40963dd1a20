"""Lexical simplification: substitutes ranked by simplicity, as TSAR-2022 and MLSP-2024 score them.

Annotators of a *sentence* and a *complex word* wrote what they would put; *top 1* is what most of them wrote, or all of
these where several are first. Targets that a system has nothing for count as missed (Saggion et al. 2022; the authors'
script counts the lines of the system alone). TSAR-2022 leaves out the complex word itself, MLSP-2024 (Shardlow et al.
2024) only among predictions, by a flag of the same script.

>>> gold = {("A big dog.", "big"): ("large", "large", "huge", "big")}
>>> result = Tsar(gold).score({("A big dog.", "big"): ("huge", "big", "odd", "large")}, resamples=0)
>>> [round(result.figures[name], 4) for name in ("acc@1", "acc@1@top1", "acc@3@top1", "map@3", "potential@3")]
[1.0, 0.0, 1.0, 0.5556, 1.0]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from usim.benchmarks.benchmark import Benchmark, Warn
from usim.benchmarks.case import Case, Label, Place
from usim.benchmarks.result import Figure, Ratio, Tally, check_known
from usim.errors import FormatError, InputError
from usim.text.files import Path, read_text, text_lines

#: A sentence and its complex word.
Target = tuple[str, str]
#: What each annotator wrote for each target.
Gold = Mapping[Target, Sequence[str]]
#: Substitutes of each target, best first.
Predictions = Mapping[Target, Sequence[str]]
#: How many substitutes count, and for how many the top 1 is looked for.
KS, TOPS = (1, 3, 5, 10), (1, 2, 3)


def read_lines(path: Path) -> dict[Target, tuple[str, ...]]:
    """Read gold data or predictions: sentence, complex word, substitute, substitute, … between tabs.

    Raises:
        InputError, FormatError: the file cannot be read, has no line, no word in a line, or two lines for a target.
    """
    targets: dict[Target, tuple[str, ...]] = {}
    for number, line in enumerate(text_lines(read_text(path)), 1):
        if not line.strip():
            continue
        sentence, *rest = (cell.strip() for cell in line.split("\t"))
        if not rest or not rest[0]:
            problem = "a line must have a sentence, its complex word and substitutes between tabs"
            raise FormatError(problem, path=path, line=number, text=line)
        if (sentence, rest[0]) in targets:
            raise FormatError("a second line for this target", path=path, line=number, text=line)
        targets[sentence, rest[0]] = tuple(filter(None, rest[1:]))
    if not targets:
        raise InputError("no target in it", path=path)
    return targets


@dataclass
class Tsar(Benchmark[Predictions]):
    """TSAR-2022.

    :meth:`score` has these figures in [0, 1], each a mean over the targets: ``acc@1``, whether the first substitute is
    annotated; ``acc@n@top1``, whether one of the first n is a top one; ``map@k``, the precision at each annotated one
    of the first k, summed and divided by k; ``potential@k``, whether one of the first k is annotated; ``p@k``, ``r@k``.
    """

    name = "tsar"
    example = "tsv"
    keeps_word: ClassVar[bool] = False
    about = """Score a system on lexical simplification as TSAR-2022 does: accuracy@n@top1, MAP, potential.

    GOLD and PRED have a line for each target: sentence, complex word, substitutes, between tabs (-: standard input)."""

    gold: Gold

    @classmethod
    def open(cls, path: Path) -> Tsar:
        return cls(read_lines(path))

    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> Predictions:
        predictions = read_lines(path)
        for sentence, word in predictions:
            if (sentence, word) not in self.gold:
                problem = "not in the gold file; are these the same data?"
                raise FormatError(problem, path=path, text=f"{word}: {sentence}")
        if missing := len(self.gold) - len(predictions):
            warn(f"{path}: {missing} of {len(self.gold)} targets have no line and count as missed")
        return predictions

    def tally(self, predictions: Predictions) -> Tally:
        check_known(self.gold, predictions, "target")
        records = [self._record(target, predictions.get(target, ())) for target in self.gold]
        figures: dict[str, Figure] = {"acc@1": Ratio("potential@1", "targets")}
        figures |= {f"acc@{n}@top1": Ratio(f"top@{n}", "targets") for n in TOPS}
        names = ("map", "potential", "p", "r")
        figures |= {f"{name}@{k}": Ratio(f"{name}@{k}", "targets") for name in names for k in KS if k > 1}
        return Tally(self.name, records, figures, {"word": "in" if self.keeps_word else "out", "avg": "macro"})

    def _annotated(self, target: Target) -> Counter[str]:
        return Counter(own for own in self.gold[target] if self.keeps_word or own != target[1])

    def _record(self, target: Target, substitutes: Sequence[str]) -> dict[str, float]:
        counts = self._annotated(target)
        most = max(counts.values(), default=0)
        top = {own for own, count in counts.items() if count == most}
        made = [own for own in dict.fromkeys(substitutes) if own != target[1]]
        right = [own in counts for own in made]
        record: dict[str, float] = {"targets": 1}
        record |= {f"top@{n}": not top.isdisjoint(made[:n]) for n in TOPS}
        for k in KS:
            hits = sum(right[:k])
            record[f"potential@{k}"] = hits > 0
            record[f"p@{k}"] = hits / len(made[:k]) if made else 0.0
            record[f"r@{k}"] = hits / len(counts) if counts else 0.0
            record[f"map@{k}"] = sum(sum(right[: i + 1]) / (i + 1) for i, hit in enumerate(right[:k]) if hit) / k
        return record

    def cases(self, predictions: Predictions) -> list[Case]:
        """Return the substitutes in their sentences; what no annotator wrote is unjudged."""
        cases = []
        for record, target in enumerate(self.gold):
            sentence, word = target
            found = _as_word(word).search(sentence)
            if found is None:
                raise InputError("the complex word is not in its sentence", text=f"{word}: {sentence}")
            annotated = self._annotated(target)
            offered = [own for own in predictions.get(target, ()) if own != word]
            labels: dict[str, Label] = {own: "acceptable" if own in annotated else "unjudged" for own in offered}
            cases.append(Case(record, target, Place(sentence, *found.span()), labels))
        return cases


def _as_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


class Mlsp(Tsar):
    """MLSP-2024: the same, but the complex word itself counts as annotated where annotators left it as it is."""

    name = "mlsp"
    keeps_word = True
    about = Tsar.about.replace("TSAR-2022", "MLSP-2024")
