"""What is screening worth on the output of published systems? (Study 5)

    python -m experiments.screening [--sws GOLD PRED …] [--prolex GOLD PRED …] [--swords GOLD PRED …] [--out DIR]

Every suggestion of a system is put into its sentence and judged (:class:`usim.screen.Screen`); those that the judge
would drop are taken out (:mod:`usim.benchmarks.screening`). Against the gold data: the precision of what is left, the
share of the acceptable suggestions that is kept, the share of the wrong ones that is dropped; the benchmark's own
figures before and after; and the curve over all thresholds, precision against kept, with the AUC, the chance that an
acceptable suggestion is judged more faithful than a wrong one. What nobody judged counts in neither precision nor AUC.

PRED, or NAME=PRED, is what ``usim sws``, ``usim prolex`` and ``usim swords`` read, the raw answers of GPT-3 and
Wordtune among it, or

- for SWS: ``rules``, the synonyms of WordNet for all words, as the rule-based system of the benchmark has them
  (:mod:`usim.benchmarks.baselines.rules`); no system's output is published with these data;
- for SWORDS: ``judged``, all substitutes that people judged, as if a system had suggested them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from experiments._command import finish, options, store_of
from experiments._report import Cell, Study, Table
from experiments._stats import auc, bootstrap_places
from experiments.scores import Progress, Store, code_version
from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.screening import Effect, Point, screen_prolex, screen_swords, screen_sws
from usim.errors import InputError
from usim.judge import DEFAULT_JUDGE
from usim.lexicon.lemmatise import FirstWordLemmatiser, WordNetLemmatiser
from usim.screen import Screen, Screened
from usim.stats import Interval
from usim.suggestions import Suggestion
from usim.suggestions.swords import read_targets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The share of the acceptable suggestions that a screen should not fall below.
KEPT = 0.95
#: The benchmarks' own figures that are shown.
FIGURES = {
    "SWS": ("p_detection", "acc_recommendation", "p_e2e", "f_e2e_05"),
    "ProLex": ("hard_acceptable_p@10", "hard_acceptable_f@10", "hard_proficient_f@10", "soft_acceptable_f@10"),
    "SWORDS": ("strict_a_p@10", "strict_a_f@10", "lenient_a_p@10", "lenient_a_f@10"),
}
_BLOCK = 64  # texts between two savings
_POINTS = 200  # of a curve, in files


class KeptScreen:
    """A screen whose verdicts are kept on disk, so that a second run does not judge again.

    Args:
        screen: who judges.
        store: where to.
        progress: whether to say on standard error how far things are.
    """

    def __init__(self, screen: Screen, store: Store, *, progress: bool = False) -> None:
        self._screen = screen
        self._store = store
        self._progress = progress
        self.signature = screen.signature

    def screen_texts(self, texts: Iterable[tuple[str, Sequence[Suggestion]]]) -> Iterator[list[Screened]]:
        """See :meth:`usim.screen.Screen.screen_texts`; of what was kept, reasons and sentences are left empty."""
        known = list(texts)
        made_with = f"{self.signature}|code:{code_version('suggestions')}"
        with Progress(sum(len(some) for _, some in known), "suggestions", shown=self._progress) as progress:
            for start in range(0, len(known), _BLOCK):
                block = known[start : start + _BLOCK]
                keys = [[(text, _key(one)) for one in some] for text, some in block]
                found = self._store.get(made_with, (key for some in keys for key in some))
                missing: list[tuple[str, Sequence[Suggestion]]] = [
                    (text, [one for one, key in zip(some, own, strict=True) if key not in found])
                    for (text, some), own in zip(block, keys, strict=True)
                ]
                for (text, some), screened in zip(missing, self._screen.screen_texts(missing), strict=True):
                    made = {(text, _key(s)): r.faithfulness for s, r in zip(some, screened, strict=True)}
                    self._store.put(made_with, made.items())
                    found |= made
                for (text, some), own in zip(block, keys, strict=True):
                    yield [self._result(text, one, found[key]) for one, key in zip(some, own, strict=True)]
                progress.advance(sum(len(some) for _, some in block))

    def _result(self, text: str, suggestion: Suggestion, faithfulness: float) -> Screened:
        verdict = self._screen.judge.thresholds.verdict(faithfulness)
        return Screened(suggestion.substitute, text, faithfulness, verdict, (), math.nan, "", "")


def _key(suggestion: Suggestion) -> str:
    return "\t".join(map(str, (suggestion.span, suggestion.about.get("pos"), suggestion.substitute)))


@dataclass(frozen=True)
class System:
    """What a system suggests on a benchmark.

    Attributes:
        benchmark: ``SWS``, ``ProLex`` or ``SWORDS``.
        gold: the file with the gold data.
        predictions: the file with the system's output, or what stands for one, see the text of this module.
        name: how it is called in the tables.
    """

    benchmark: str
    gold: Path
    predictions: str
    name: str

    @classmethod
    def told(cls, benchmark: str, gold: str, predictions: str) -> System:
        """From the command line: PRED, or NAME=PRED; without a name the system is called by its file."""
        name, equals, path = predictions.partition("=")
        if not equals:
            name, path = Path(predictions).name.split(".")[0], predictions
        return cls(benchmark, Path(gold), path, name)

    def screened(self, screen: KeptScreen, *, resamples: int = 1000, seed: int = 0) -> Effect:
        """The system before and after screening.

        Raises:
            InputError, FormatError: a file cannot be read, or does not fit the gold data.
        """
        lemmatise = WordNetLemmatiser.shipped()
        if self.benchmark == "SWS":
            wanted = sws.read_gold(self.gold)
            made = _rules(wanted) if self.predictions == "rules" else sws.read_predictions(self.predictions, wanted)
            return screen_sws(wanted, made, screen, resamples=resamples, seed=seed)
        if self.benchmark == "ProLex":
            asked = prolex.read_gold(self.gold)
            given = prolex.read_predictions(self.predictions, asked)
            first = FirstWordLemmatiser(lemmatise)
            return screen_prolex(asked, given, screen, lemmatise=first, resamples=resamples, seed=seed)
        gold = swords.read_gold(self.gold)
        return screen_swords(
            gold,
            self._swords(gold),
            read_targets(self.gold),
            screen,
            lemmatise=lemmatise,
            resamples=resamples,
            seed=seed,
        )

    def _swords(self, gold: swords.Gold) -> swords.Predictions:
        if self.predictions == "judged":
            return {name: [(substitute, 0.0) for substitute in target.labels] for name, target in gold.items()}
        if swords.are_answers(self.predictions):
            return swords.read_answers(self.predictions, gold)[0]
        return swords.read_predictions(self.predictions, gold)


def _rules(gold: sws.Gold) -> sws.Predictions:
    from usim.benchmarks.baselines.rules import RuleBased
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.baselines.thesaurus import load

    system = RuleBased(Finder(load("wordnet")))
    return {name: system(sentence.words) for name, sentence in gold.items()}


def separation(effect: Effect, *, resamples: int = 1000, seed: int = 0) -> Interval:
    """The AUC of acceptable suggestions against wrong ones by their faithfulness; targets are drawn again."""
    by: dict[object, list[tuple[bool, float]]] = {}
    for one in effect.suggestions:
        if one.opinion is not None and one.label != "unjudged":
            by.setdefault(one.target, []).append((one.label == "acceptable", one.opinion.faithfulness))
    groups = [np.array(found, dtype=np.float64) for found in by.values()]
    if not groups:
        return Interval(math.nan, math.nan, math.nan)

    def figure(places: np.ndarray) -> float:
        drawn = np.concatenate([groups[k] for k in places])
        return auc(drawn[drawn[:, 0] == 1, 1], drawn[drawn[:, 0] == 0, 1])

    return bootstrap_places(len(groups), figure, resamples=resamples, seed=seed)


def run(systems: Sequence[System], screen: KeptScreen, *, seed: int = 0, resamples: int = 1000) -> Study:
    """The study of some systems.

    Args:
        systems: what is screened.
        screen: who screens.
        seed: for the intervals.
        resamples: of the bootstrap.

    Raises:
        InputError: no system; or a file cannot be read, or does not fit.
        FormatError: a file is not what its format asks for.
    """
    if not systems:
        raise InputError("no system: give --sws, --prolex or --swords, each with GOLD and PRED")
    rows: list[tuple[Cell, ...]] = []
    kept: list[tuple[Cell, ...]] = []
    own: list[tuple[Cell, ...]] = []
    points: list[tuple[Cell, ...]] = []
    curves: dict[str, list[Point]] = {}
    for system in systems:
        effect = system.screened(screen, resamples=resamples, seed=seed)
        name = f"{system.benchmark}: {system.name}"
        scale = 100.0 if system.benchmark == "SWORDS" else 1.0

        def figure(which: str, effect: Effect = effect, scale: float = scale) -> tuple[Cell, Cell, Cell]:
            before, after = effect.comparison.before.figures[which], effect.comparison.after.figures[which]
            change = effect.comparison.differences[which]
            return _scaled(before, scale), _scaled(after, scale), Interval(*(x / scale for x in change))

        counts = {label: count.total for label, count in effect.counts.items()}
        shares = [effect.shares.intervals.get(share) for share in ("acceptable_kept", "wrong_dropped")]
        rows.append(
            (
                name,
                counts["acceptable"],
                counts["wrong"],
                counts["unjudged"],
                *figure("precision_judged"),
                *(None if share is None else Interval(*share) for share in shares),
                separation(effect, resamples=resamples, seed=seed),
            )
        )
        point = effect.at_kept(KEPT)
        first = effect.curve[0]
        kept.append(
            (name, point.threshold, point.acceptable_kept, point.wrong_dropped, first.precision, point.precision)
        )
        own += [(name, which, *figure(which)) for which in FIGURES[system.benchmark]]
        curves[name] = _thin(effect.curve)
        points += [(name, p.threshold, p.acceptable_kept, p.wrong_dropped, p.precision, p.left) for p in curves[name]]

    def draw(plot: Figure) -> None:
        axes = plot.subplots()
        for name, found in curves.items():
            axes.plot([p.acceptable_kept for p in found], [p.precision for p in found], label=name)
        axes.axvline(KEPT, color="grey", linestyle=":", linewidth=0.8)
        axes.set_xlim(1.01, 0.3)
        axes.set_xlabel("share of the acceptable suggestions kept")
        axes.set_ylabel("precision of what is left")
        plot.legend(loc="outside right upper", fontsize="small")

    share = f"{KEPT:.0%}"
    return Study(
        "screening",
        "What is screening worth?",
        (
            Table(
                "systems",
                "Systems before and after screening, by the judge's own thresholds",
                (
                    "system",
                    "acceptable",
                    "wrong",
                    "unjudged",
                    "precision before",
                    "after",
                    "change",
                    "acceptable kept",
                    "wrong dropped",
                    "AUC",
                ),
                tuple(rows),
                "precision: of the judged suggestions, whatever their rank; [95% interval, targets or sentences drawn "
                "again]; AUC: acceptable against wrong ones by faithfulness",
            ),
            Table(
                "kept",
                f"The threshold that keeps {share} of the acceptable suggestions",
                ("system", "threshold", "acceptable kept", "wrong dropped", "precision before", "after"),
                tuple(kept),
                "chosen on the very data: what a threshold could do at best",
            ),
            Table(
                "figures",
                "The benchmarks' own figures",
                ("system", "figure", "before", "after", "change"),
                tuple(own),
                "from 0 to 1, also where the benchmark has per cent",
            ),
            Table(
                "curve",
                "Every threshold that makes a difference, thinned",
                ("system", "threshold", "acceptable kept", "wrong dropped", "precision", "left"),
                tuple(points),
                shown=False,
            ),
        ),
        {"screen": screen.signature},
        {
            "systems": [f"{s.benchmark}: {s.gold.name}, {Path(s.predictions).name}" for s in systems],
            "seed": seed,
            "resamples": resamples,
        },
        draw=draw,
    )


def _scaled(value: float | None, scale: float) -> float:
    return math.nan if value is None else value / scale


def _thin(points: Sequence[Point]) -> list[Point]:
    """Points from all along a curve, the first and the last among them."""
    places = np.unique(np.linspace(0, len(points) - 1, min(len(points), _POINTS)).round().astype(int))
    return [points[place] for place in places.tolist()]


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read."""
    parser = options("screening", __doc__)
    for name, what in (
        ("SWS", "Smart Word Suggestions; PRED may be: rules"),
        ("ProLex", "ProLex"),
        ("SWORDS", "SWORDS; PRED may be: judged"),
    ):
        parser.add_argument(
            f"--{name.lower()}", nargs=2, action="append", default=[], metavar=("GOLD", "PRED"), help=what
        )
    parser.add_argument("--inflect", action="store_true", help="put substitutes into the form of their targets")
    given = parser.parse_args(arguments)
    systems = [
        System.told(name, gold, made)
        for name in ("SWS", "ProLex", "SWORDS")
        for gold, made in getattr(given, name.lower())
    ]

    def make() -> Study:
        try:
            screen = Screen(given.parser, given.judge or DEFAULT_JUDGE, threads=given.threads, inflect=given.inflect)
        except ValueError as e:  # there is no such judge
            raise InputError(str(e)) from e
        kept = KeptScreen(screen, store_of(given), progress=True)
        return run(systems, kept, seed=given.seed, resamples=given.resamples)

    return finish(given, make)


if __name__ == "__main__":
    sys.exit(main())
