"""What is screening worth on the output of published systems?

    python -m experiments screening [--sws GOLD PRED …] [--prolex GOLD PRED …] [--swords GOLD PRED …] [--out DIR]

Every suggestion of a system is put into its sentence and judged (:class:`usim.screen.Screen`); those that the judge
would drop are taken out (:mod:`usim.benchmarks.screening`). Beside it stands the screen by USim
alone. Unjudged suggestions count in neither precision nor AUC.

PRED, or NAME=PRED, is a file that ``usim sws``, ``usim prolex`` and ``usim swords`` read; for SWS also ``rules``, the
synonyms of WordNet for all words, as the rule-based system of the benchmark has them; for SWORDS also the published
answers of GPT-3 and Wordtune, and ``judged``, all substitutes that people judged. A system of SWORDS with answers to
fewer than half of the targets is measured on these targets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.baselines import thesaurus
from experiments.baselines.targets import Finder, RuleBased
from experiments.common.command import Command, Option
from experiments.common.statistics import Draws, prepare_area
from experiments.common.study import Figure, Study
from experiments.papers.swords import read_output
from usim.benchmarks import load
from usim.benchmarks.case import LABELS, Label
from usim.benchmarks.screening import Effect, screened
from usim.errors import InputError
from usim.options import Options
from usim.report.tables import Row, Table
from usim.screen import Screen
from usim.stats import Interval

#: The share of the acceptable suggestions that a screen should not fall below.
KEPT = 0.95
_POINTS = 200  # points of a curve in files


class System(NamedTuple):
    """The suggestions of a system on SWS, ProLex or SWORDS: a file, or a word for one, see the text of this module."""

    benchmark: str
    gold: Path
    predictions: str
    name: str

    @classmethod
    def from_option(cls, benchmark: str, gold: str, predictions: str) -> System:
        """Read an option of the command line, PRED or NAME=PRED; without a name the system has that of its file."""
        name, equals, path = predictions.partition("=")
        if not equals:
            name, path = Path(predictions).name.split(".")[0], predictions
        return cls(benchmark, Path(gold), path, name)

    def screened(self, screen: Screen, *, resamples: int = 1000) -> Effect:
        """Evaluate the system before and after screening."""
        benchmark = load(self.benchmark.lower()).open(self.gold)
        if self.benchmark == "SWS" and self.predictions == "rules":
            rules = RuleBased(Finder(thesaurus.load("wordnet")))
            predictions: Any = {name: rules(sentence.words) for name, sentence in benchmark.gold.items()}
        elif self.benchmark == "SWORDS" and self.predictions == "judged":
            predictions = {name: [(s, 0.0) for s in target.labels] for name, target in benchmark.gold.items()}
        elif self.benchmark == "SWORDS":
            benchmark, predictions, _ = read_output("dev", None, self.gold, Path(self.predictions))
        else:
            predictions = benchmark.read_predictions(self.predictions)
        return screened(benchmark, predictions, screen, resamples=resamples)


def separation(effect: Effect, *, resamples: int = 1000, seed: int = 0) -> Interval:
    """Compute the AUC of acceptable suggestions against wrong ones by their faithfulness; targets are drawn again."""
    judged = [s for s in effect.suggestions if s.screened is not None and s.label != "unjudged"]
    if not judged:
        return Interval(math.nan, math.nan, math.nan)
    faithfulness = np.array([s.screened.faithfulness for s in judged if s.screened is not None])
    acceptable = np.array([s.label == "acceptable" for s in judged])
    return Draws((s.target for s in judged), resamples, seed).interval(prepare_area(faithfulness, acceptable))


class Point(NamedTuple):
    """What is left when all suggestions below a threshold of faithfulness are dropped; one of just this stays.

    Shares of the acceptable suggestions that are left, of the wrong ones that are not, and of the acceptable ones among
    the judged that are left, all in [0, 1], are not-a-number where there is nothing to divide by.
    """

    threshold: float
    acceptable_kept: float
    wrong_dropped: float
    precision: float
    left: int


def curve(labels: Sequence[Label], faithfulness: Sequence[float]) -> list[Point]:
    """Return a point for each threshold that makes a difference, the lowest first; at the first nothing is dropped."""
    values = np.asarray(faithfulness, dtype=np.float64)
    by_label = [np.sort(values[[other == label for other in labels]]) for label in LABELS]
    all_acceptable, all_wrong, _ = map(len, by_label)
    points = []
    for threshold in (0.0, *np.unique(values)[1:].tolist()):
        left = [len(scores) - int(np.searchsorted(scores, threshold)) for scores in by_label]
        acceptable, wrong, _ = left
        kept, dropped = _share(acceptable, all_acceptable), _share(all_wrong - wrong, all_wrong)
        points.append(Point(threshold, kept, dropped, _share(acceptable, acceptable + wrong), sum(left)))
    return points


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def at_kept(points: Iterable[Point], share: float) -> Point:
    """Return the point of the highest threshold that keeps a share of the acceptable suggestions, or the first point.

    >>> points = curve(["acceptable", "wrong", "acceptable", "wrong"], [0.9, 0.2, 0.6, 0.7])
    >>> [(point.threshold, point.acceptable_kept, point.wrong_dropped) for point in points]
    [(0.0, 1.0, 0.0), (0.6, 1.0, 0.5), (0.7, 0.5, 0.5), (0.9, 0.5, 1.0)]
    >>> at_kept(points, 0.95).threshold
    0.6
    """
    first, *rest = points
    return [first, *takewhile(lambda point: not point.acceptable_kept < share, rest)][-1]


def curve_of(effect: Effect) -> list[Point]:
    """Return the curve of a system; a suggestion that could not be judged is never dropped, whatever the threshold."""
    suggestions = effect.suggestions
    faithfulness = [1.0 if s.screened is None else s.screened.faithfulness for s in suggestions]
    return curve([suggestion.label for suggestion in suggestions], faithfulness)


def run(
    systems: Sequence[System],
    screen: Screen,
    *,
    others: Mapping[str, Screen] | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Study some systems; ``others`` are screens by name that are put beside the first, such as that by USim alone."""
    if not systems:
        raise InputError("no system: give --sws, --prolex or --swords, each with GOLD and PRED")
    rows: list[Row] = []
    kept: list[Row] = []
    points: list[Row] = []
    curves: dict[str, list[Point]] = {}
    screens = {"": screen, **{f" ({name})": other for name, other in (others or {}).items()}}
    for system, (by, own_screen) in product(systems, screens.items()):
        effect = system.screened(own_screen, resamples=resamples)
        name = f"{system.benchmark}: {system.name}{by}"
        scale = 100.0 if system.benchmark == "SWORDS" else 1.0
        before, after = (
            of.figures["precision_judged"] / scale for of in (effect.comparison.before, effect.comparison.after)
        )
        counts = {label: count.total for label, count in effect.counts.items()}
        shares = [effect.shares.intervals.get(share) for share in ("acceptable_kept", "wrong_dropped")]
        rows.append(
            (
                name,
                *(counts[label] for label in LABELS),
                before,
                after,
                Interval(*(x / scale for x in effect.comparison.differences["precision_judged"])),
                *(None if share is None else Interval(*share) for share in shares),
                separation(effect, resamples=resamples, seed=seed),
            )
        )
        whole = curve_of(effect)
        point, first = at_kept(whole, KEPT), whole[0]
        kept.append((name, *point[:3], first.precision, point.precision))
        curves[name] = _thin(whole)
        points += [(name, *own) for own in curves[name]]

    def draw(plot: Figure) -> None:
        axes = plot.subplots()
        for place, (name, own_curve) in enumerate(curves.items()):
            # A system has a colour, a screen a style of line.
            colour, style = divmod(place, len(screens))
            axes.plot(
                [p.acceptable_kept for p in own_curve],
                [p.precision for p in own_curve],
                color=f"C{colour}",
                linestyle=("-", "--", ":")[style % 3],
                label=name,
            )
        axes.axvline(KEPT, color="grey", linestyle=":", linewidth=0.8)
        axes.set_xlim(1.01, 0.3)
        axes.set_xlabel("share of the acceptable suggestions kept")
        axes.set_ylabel("precision of what is left")
        plot.legend(loc="outside right upper", fontsize="small")

    return Study(
        "screening",
        "What is screening worth?",
        (
            Table(
                "systems",
                "Systems before and after screening, by the judge's own thresholds",
                ("system", *LABELS, "precision before", "after", "change", "acceptable kept", "wrong dropped", "AUC"),
                tuple(rows),
                "precision: of the judged suggestions, whatever their rank; [95% interval, targets or sentences drawn "
                "again]; AUC: acceptable against wrong ones by faithfulness",
            ),
            Table(
                "kept",
                f"The threshold that keeps {KEPT:.0%} of the acceptable suggestions",
                ("system", "threshold", "acceptable kept", "wrong dropped", "precision before", "after"),
                tuple(kept),
                "chosen on the very data: what a threshold could do at best",
            ),
            Table(
                "curve",
                "Every threshold that makes a difference, thinned",
                ("system", "threshold", "acceptable kept", "wrong dropped", "precision", "left"),
                tuple(points),
                shown=False,
            ),
        ),
        {"screen": screen.signature} | {name: other.signature for name, other in (others or {}).items()},
        {
            "systems": [f"{s.benchmark}: {s.gold.name}, {Path(s.predictions).name}" for s in systems],
            "seed": seed,
            "resamples": resamples,
        },
        draw=draw,
    )


def _thin(points: Sequence[Point]) -> list[Point]:
    """Points from all along a curve, the first and the last among them."""
    places = np.unique(np.linspace(0, len(points) - 1, min(len(points), _POINTS)).round().astype(int))
    return [points[place] for place in places.tolist()]


BENCHMARKS = {
    "SWS": "Smart Word Suggestions; PRED may be: rules",
    "ProLex": "ProLex",
    "SWORDS": "SWORDS; PRED may be: judged",
}


def _run(options: Options, seed: int, resamples: int, *, inflect: bool, **given: Any) -> Study:
    options = replace(options, inflect=inflect)
    systems = [System.from_option(name, *pair) for name in BENCHMARKS for pair in given[name.lower()]]
    others = {"USim alone": Screen(options=replace(options, judge="usim"))} if options.judge != "usim" else {}
    return run(systems, Screen(options=options), others=others, seed=seed, resamples=resamples)


main = Command(
    _run,
    *(
        Option(f"--{name.lower()}", nargs=2, action="append", metavar=("GOLD", "PRED"), help=what)
        for name, what in BENCHMARKS.items()
    ),
    Option("--inflect", action="store_true", help="put substitutes into the form of their targets"),
)
