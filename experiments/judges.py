"""How well do judges agree with people and with themselves? One command for every figure of their cards.

    python -m experiments judges --model en --model en-large --data DIR [--ucca DIR …] [--limit N] [--only NAME …]
    python -m experiments judges --model en-large --judge DIR --data DIR

Every judge gets the same pairs (:data:`SETS`), as :class:`usim.Scorer` judges them. The pairs of ``contexts`` are read
in their texts. The expected calibration error is the mean distance, by tenths, of the
faithfulness from the share of people who accept; it leaves identical pairs out, and has no interval, as drawing pairs
again would only add to it. ``--limit`` draws so many pairs of each set with the seed; of SWORDS whole lists, until
there are so many. A set whose file is not there is left out. Intervals come from drawing again contexts, sources and
pairs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments import reasons, rewrites
from experiments.common.command import SHARED, Command, Option
from experiments.common.statistics import Draws, Places, Values, pearson, prepare_area
from experiments.common.study import Study
from experiments.data import located
from judges import data
from judges.calibrate import ACCEPTED, calibration_error
from judges.data import HELD, Pair, csmd, prolex_dev, summedits, swords, tmu, written
from training.corpora import from_graphs
from training.sentence import Sentence
from training.statistics import grouped
from usim.benchmarks.swords import generalised_average_precision
from usim.cli.output import progress
from usim.errors import InputError
from usim.judge import Result
from usim.report.tables import Cell, Row, Table
from usim.scorer import Scorer
from usim.text import context_between

OTHERWISE = Path(__file__).with_name("otherwise_pairs.tsv")
SUGGESTIONS = OTHERWISE.with_name("suggestion_lists.tsv")
CONTEXTS = OTHERWISE.with_name("context_pairs.tsv")
BLIND_PAIRS = OTHERWISE.with_name("contrast_pairs_blind.tsv")
#: One change each, as a keyboard suggests it.
SINGLE = OTHERWISE.with_name("single_changes.tsv")
#: The least mean rating of a pair of TMU-GFM that counts as one that keeps the meaning.
KEEPS_MEANING = 3.0
#: What identical sentences should get at the least, and unrelated ones at the most (MeaningBERT's tests).
SAME, UNRELATED = 0.95, 0.05


@dataclass(frozen=True)
class Judged:
    """Pairs with what a judge says of them: the faithfulness of each, shape (pairs,), and perhaps the results."""

    pairs: Sequence[Pair]
    said: Values
    results: Sequence[Result] = ()

    @cached_property
    def label(self) -> Values:
        """How likely people say that the meaning is preserved, shape (pairs,)."""
        return np.array([pair.label for pair in self.pairs])

    @cached_property
    def rating(self) -> Values:
        """The ratings as the data set has them, shape (pairs,)."""
        return np.array([pair.figure for pair in self.pairs])


#: Prepares a figure; what it returns computes it from the places of pairs.
Figure = Callable[[Judged], Callable[[Places], float]]


def accuracy(judged: Judged) -> Callable[[Places], float]:
    """Prepare the share of pairs that are at least .5 where the label is."""
    right = (judged.said >= ACCEPTED) == (judged.label >= ACCEPTED)
    return lambda places: float(right[places].mean())


def area(judged: Judged, *, bound: float | None = None) -> Callable[[Places], float]:
    """Prepare the AUC; good are the pairs whose rating is at least ``bound``, by default those with a label of .5."""
    return prepare_area(judged.said, judged.label >= ACCEPTED if bound is None else judged.rating >= bound)


def supported(judged: Judged, *, figure: str) -> Callable[[Places], float]:
    """Prepare the accuracy at .5, or the AUC, of whether the source says all that the output says."""
    said = np.array([result.judgement.supported or 0.0 for result in judged.results])
    right = judged.rating >= ACCEPTED
    if figure == "AUC":
        return prepare_area(said, right)
    return lambda places: float(((said >= ACCEPTED) == right)[places].mean())


def correlation(judged: Judged) -> Callable[[Places], float]:
    """Prepare Pearson's correlation with the ratings."""
    return lambda places: pearson(judged.said[places], judged.rating[places])


def average_precision(judged: Judged) -> Callable[[Places], float]:
    """Prepare the mean GAP of whole lists of substitutes, in per cent; those without an acceptable one do not count."""
    lists = grouped((pair.key, place) for place, pair in enumerate(judged.pairs))
    gaps, weights = np.zeros((2, len(judged.pairs)))
    for places in map(np.array, lists.values()):
        if judged.rating[places].max() > 0:
            ranked = places[np.argsort(-judged.said[places], kind="stable")]
            gold = dict(zip(places.tolist(), judged.rating[places].tolist(), strict=True))
            weights[places] = 1 / len(places)
            gaps[places] = 100 * generalised_average_precision(gold, ranked.tolist()) / len(places)
    return lambda places: float(gaps[places].sum() / total) if (total := weights[places].sum()) else float("nan")


def share(judged: Judged, *, at_least: float = 0.0, at_most: float = 1.0) -> Callable[[Places], float]:
    """Prepare the share of pairs whose faithfulness lies between two bounds, both included."""
    inside = (judged.said >= at_least) & (judged.said <= at_most)
    return lambda places: float(inside[places].mean())


def dropped(judged: Judged, *, acceptable: bool | None = None) -> Callable[[Places], float]:
    """Prepare the share of pairs that the judge drops, of all, or of the acceptable or the other ones alone."""
    below = np.array([result.judgement.verdict == "drop" for result in judged.results])
    counts = np.ones(len(below), bool) if acceptable is None else (judged.label >= ACCEPTED) == acceptable
    return lambda places: float(below[places][some].mean()) if (some := counts[places]).any() else float("nan")


def calibration(judged: Judged) -> float:
    """Return the expected calibration error over the pairs that are not identical; not-a-number if all are."""
    differ = np.array([pair.source != pair.output for pair in judged.pairs])
    return calibration_error(judged.said[differ], judged.label[differ]) if differ.any() else float("nan")


def right_order(judged: Judged) -> Callable[[Places], float]:
    """Prepare the share of changes that are more faithful in the first of their two texts; equal ones count half."""
    apart = np.sign(judged.said[::2] - judged.said[1::2])
    return lambda places: float(((apart[places[places % 2 == 0] // 2] + 1) / 2).mean())


_RIGHT: dict[str, Figure] = {"accuracy at .5": accuracy, "AUC": area}
_SUBSTITUTES: dict[str, Figure] = {
    "AUC": area,
    "acceptable dropped": partial(dropped, acceptable=True),
    "others dropped": partial(dropped, acceptable=False),
}
_TMU: dict[str, Figure] = {"Pearson": correlation, "AUC": partial(area, bound=KEEPS_MEANING)}
_ALIKE: dict[str, Figure] = {"at least .95": partial(share, at_least=SAME)}
_UNLIKE: dict[str, Figure] = {"at most .05": partial(share, at_most=UNRELATED)}


class Source(NamedTuple):
    """The files that pairs are read from, folders of UCCA XML, and how many pairs of a set are wanted (None: all)."""

    data: Path
    ucca: Sequence[Path]
    limit: int | None
    seed: int

    def file(self, *names: str) -> Path:
        """Return the first file that is there, each named ``SET/NAME``; raise an InputError where none is."""
        for name in names:
            path = located(self.data, name)
            if path.exists():
                return path
        sets = names[0].partition("/")[0]
        raise InputError(f"no {names[0].partition('/')[2]} here: python -m experiments data {sets}", path=self.data)


class PairSet(NamedTuple):
    """A set of pairs, how it is read, and its figures."""

    title: str
    read: Callable[[Source], list[Pair]]
    figures: Mapping[str, Figure]


def _held_out(read: Callable[[Path], Iterable[Pair]], *names: str) -> Callable[[Source], list[Pair]]:
    """Return what reads the pairs of a published file that no judge has learned from."""
    return lambda source: [pair for pair in read(source.file(*names)) if pair.is_held_out]


def _translations(source: Source) -> list[Pair]:
    read_some = partial(data.mqm, rng=random.Random(0), each=3)
    # Intervals come from drawing translations again; the two talks would be too few.
    held_out = _held_out(read_some, "mqm/mqm-ted_zhen.tsv", "mqm/mqm-ted-zhen.tsv.gz")(source)
    return [replace(pair, group=pair.source) for pair in held_out]


def _swords(source: Source) -> list[Pair]:
    return list(swords(source.file("swords/swords-v1.1_dev.json.gz")))


def _tmu(source: Source) -> list[Pair]:
    return list(tmu(source.file("tmu-gfm/tmu-gfm-dev.csv", "tmu-gfm/tmu-gfm-dataset.csv")))


def _ends(kind: str, source: Source) -> list[Pair]:
    """Make pairs of one kind of :mod:`judges.pairs.ends` from sentences that no judge has learned from."""
    # All makers are loaded, which takes seconds.
    from judges.pairs.make import make
    from judges.pairs.registry import Sources

    sentences = _sentences(source)
    wanted = len(sentences) if source.limit is None else source.limit
    # Half of the pairs that are made are faithful. A kind has one label, so that twice as many are asked for.
    pairs = make(Sources(tuple(sentences)), 2 * wanted, source.seed, f"ends.{kind}")
    return [Pair(p.source, p.output, p.label, "ends", p.group, p.label, kind=p.kind) for p in pairs]


def _identical(source: Source) -> list[Pair]:
    texts = dict.fromkeys(sentence.text for sentence in _sentences(source))
    return [Pair(text, text, 1.0, "identical", text, 1.0) for text in texts]


def _sentences(source: Source) -> list[Sentence]:
    if not source.ucca:
        raise InputError("no sentences: give --ucca DIR, the development part of a UCCA corpus")
    for folder in source.ucca:
        if not any(folder.glob("*.xml")):
            raise InputError("no XML files in it", path=folder)
    return [sentence for folder in source.ucca for sentence in from_graphs(folder, folder.name)]


SETS: dict[str, PairSet] = {
    "contrast": PairSet("contrast pairs", lambda source: list(data.contrast(reasons.PAIRS)), _RIGHT),
    "blind": PairSet("contrast pairs by another hand", lambda source: list(data.contrast(BLIND_PAIRS)), _RIGHT),
    "single": PairSet("single changes, by two authors", lambda source: list(data.contrast(SINGLE)), _RIGHT),
    "otherwise": PairSet("sentences said otherwise, by another hand", lambda source: list(written(OTHERWISE)), _RIGHT),
    "rewrites": PairSet("rewrites, by another hand", lambda source: list(written(rewrites.OWN)), _RIGHT),
    "paws": PairSet(
        "PAWS-Wiki dev, a tenth held out", _held_out(data.paws, "paws/dev.tsv", "paws/paws-wiki-dev.tsv.gz"), _RIGHT
    ),
    "summedits": PairSet(
        "SummEdits, two tenths held out", _held_out(summedits, "summedits/summedits-dev.jsonl.gz"), _RIGHT
    ),
    "translations": PairSet("translations of two talks held out", _translations, _RIGHT),
    "breaking-nli": PairSet(
        "Breaking NLI, two tenths held out",
        _held_out(data.breaking_nli, "breaking-nli/breaking-nli-train.jsonl.gz"),
        _RIGHT,
    ),
    "entailment": PairSet(
        "entailment (SNLI, VitaminC, MED), two tenths held out",
        _held_out(data.entailment, "entailment/entailment-dev.tsv.gz"),
        {f"{figure} of *supported*": partial(supported, figure=figure) for figure in ("accuracy", "AUC")},
    ),
    "contexts": PairSet(
        "a change in two texts, by another hand",
        lambda source: [replace(pair, key=pair.source) for pair in written(CONTEXTS)],
        {"right order": right_order, "AUC": area},
    ),
    "suggestions": PairSet(
        "lists of suggestions, by another hand", lambda source: list(written(SUGGESTIONS)), _SUBSTITUTES
    ),
    "swords-held-out": PairSet(
        "SWORDS dev, two tenths held out",
        lambda source: [pair for pair in _swords(source) if pair.fold in HELD],
        {"GAP": average_precision, **_SUBSTITUTES},
    ),
    "swords": PairSet("SWORDS dev, learned from and held out", _swords, {"GAP": average_precision, **_SUBSTITUTES}),
    "prolex": PairSet(
        "ProLex dev", lambda source: list(prolex_dev(source.file("prolex/ProLex_v1.0_dev.csv"))), _SUBSTITUTES
    ),
    "tmu": PairSet("TMU-GFM", _tmu, _TMU),
    "tmu-changed": PairSet(
        "TMU-GFM, changed",
        lambda source: [pair for pair in _tmu(source) if pair.source.split() != pair.output.split()],
        _TMU,
    ),
    "csmd": PairSet(
        "CSMD",
        lambda source: [p for part in ("train", "dev") for p in csmd(source.file(f"csmd/csmd-{part}.tsv"))],
        {"Pearson": correlation},
    ),
    "identical": PairSet("identical sentences", _identical, _ALIKE),
    "respelled": PairSet("respelled sentences", partial(_ends, "respelled"), _ALIKE),
    "unrelated": PairSet("unrelated sentences", partial(_ends, "unrelated"), _UNLIKE),
    "negated": PairSet("plain negations", partial(_ends, "negated"), {"dropped": dropped}),
}


def some(pairs: Sequence[Pair], limit: int | None, seed: int) -> list[Pair]:
    """Draw pairs until there are at least so many, and return them in their order; lists of substitutes stay whole."""
    if limit is None or len(pairs) <= limit:
        return list(pairs)
    order = list(grouped((pair.key or str(place), place) for place, pair in enumerate(pairs)).values())
    random.Random(seed).shuffle(order)
    drawn: list[int] = []
    for places in order:
        if len(drawn) >= limit:
            break
        drawn += places
    return [pairs[place] for place in sorted(drawn)]


def read(source: Source, names: Sequence[str] = ()) -> dict[str, list[Pair]]:
    """Read some of :data:`SETS`, by default all; those whose files are missing are left out with a warning."""
    pairs: dict[str, list[Pair]] = {}
    for name in names or SETS:
        try:
            pairs[name] = some(SETS[name].read(source), source.limit, source.seed)
        except InputError as e:
            print(f"warning: left out {name}: {e}", file=sys.stderr)
    if not any(pairs.values()):
        raise InputError("no pairs to measure on", path=source.data)
    return {name: own for name, own in pairs.items() if own}


def run(
    sets: Mapping[str, Sequence[Pair]], judges: Mapping[str, Scorer], *, seed: int = 0, resamples: int = 1000
) -> Study:
    """Measure judges, each by its name, on sets of pairs by their names in :data:`SETS`."""
    cells: dict[tuple[str, str], dict[str, Cell]] = {}
    for judge, scorer in judges.items():
        for name, pairs in sets.items():
            # Sentences are read alone, as judges of earlier versions were measured, but where the text decides.
            in_text = name == "contexts"
            given = [(p.source, p.output, context_between(p.before, p.after) if in_text else None) for p in pairs]
            results = list(progress(scorer.score_pairs(given), len(given), name, quiet=True))
            judged = Judged(pairs, np.array([result.judgement.faithfulness for result in results]), results)
            draws = Draws([pair.group for pair in pairs], resamples, seed)
            for figure, prepare in SETS[name].figures.items():
                cells.setdefault((name, figure), {})[judge] = draws.interval(prepare(judged))
            cells.setdefault((name, "calibration error"), {})[judge] = calibration(judged)
    rows: list[Row] = [
        (SETS[name].title, figure, len(sets[name]), *(own[judge] for judge in judges))
        for (name, figure), own in cells.items()
    ]
    table = Table(
        "figures",
        "Judges on the same pairs",
        ("pairs", "figure", "number", *judges),
        tuple(rows),
        "value [95% interval]; GAP in per cent; calibration error: without an interval",
    )
    return Study(
        "judges",
        "How well do judges agree with people?",
        (table,),
        {name: str(scorer.signature) for name, scorer in judges.items()},
        {"seed": seed, "resamples": resamples},
    )


def _run(
    model: Sequence[str], judge: str | None, only: Sequence[str], seed: int, resamples: int, **source: Any
) -> Study:
    models = model or ["en"]
    if judge is not None and len(models) > 1:
        raise InputError("--judge goes with one --model")
    sets = read(Source(**source, seed=seed), tuple(dict.fromkeys(only)))
    judges = {name: Scorer(judge=judge, model=name) for name in models}
    return run(sets, judges, seed=seed, resamples=resamples)


main = Command(
    _run,
    Option("--model", action="append", help="a model, for its parser and its judge; again for more (default: en)"),
    Option("--judge", metavar="NAME|DIR", help="another judge than that of the model"),
    Option("--data", type=Path, required=True, metavar="DIR", help="the data sets, as 'experiments data' fetches them"),
    Option("--ucca", type=Path, nargs="+", metavar="DIR", help="UCCA XML, for sentences to be changed"),
    Option("--limit", type=int, metavar="N", help="about so many pairs of each set; by default all"),
    Option("--only", action="append", choices=SETS, help="one set; again for more"),
    shared=[name for name in SHARED if name not in ("model", "parser", "judge")],
)
