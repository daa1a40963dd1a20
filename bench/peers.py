"""Quality, speed, memory and size of usim beside what one would take otherwise, on the same pairs in the same run.

::

    python -m bench.peers --data DIR [--minilm DIR] [--mpnet DIR] [--limit 500] [--out DIR] [--page FILE]
                          [--alignscore DIR] [--minicheck DIR] [--summac DIR] [--lettucedetect DIR]

The peers: chrF (sacrebleu); of two sentence encoders (all-MiniLM-L6-v2 and all-mpnet-base-v2, the folders that
sentence-transformers reads) the cosine of the sentences, which is what sentence-transformers computes, and a match of
their tokens, which is what BERTScore computes (Zhang et al. 2020, last layer, no weights, no rescaling); checkers of
factual consistency (:mod:`bench.checkers`). All but chrF need torch and transformers, and a folder of weights that the
user has.

Quality is mostly the AUC, so that nobody needs a threshold. Of JFLEG, the threshold of each system is where 95 % of the
contrast pairs that changed the meaning lie below it. ``--data`` holds the sets as ``experiments data`` fetches them; a
set whose file is not there is left out. usim has learned from none of the pairs.

Each model has a process of its own with one thread; the cosine and the token match of an encoder come from one reading.
Time is the processor's, from two texts to the scores. Memory is the peak of the process. Size is that of the packages
that have to be installed, with all that they need, and of the model. What each model said is kept in ``--out``, so that
a run over whole sets that was cut off goes on where it was.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import metadata
from itertools import accumulate, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench import checkers
from bench.common import command, peak
from experiments.common.corrections import read_corrections
from experiments.common.statistics import Draws, Places, Values, risk_coverage
from experiments.common.study import Study
from experiments.judges import ACCEPTED, SETS, Judged, Source, read
from experiments.references import whole_corrections
from judges.data import Pair, digest
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.text.files import written_whole

TextPair = tuple[str, str]
#: Returns the scores of each pair, one for each title of the system.
Score = Callable[[Sequence[TextPair]], Sequence[tuple[float, ...]]]

#: The sets of :mod:`experiments.judges` that are measured.
NAMES = ("contrast", "blind", "otherwise", "rewrites", "paws", "summedits", "swords-held-out", "tmu-changed", "csmd")
#: The figures of these sets that need no threshold.
FIGURES = ("AUC", "GAP", "Pearson")
#: The sets in which people or authors said of each pair yes or no: of these the curve is drawn.
CERTAIN = ("contrast", "blind", "otherwise", "rewrites", "paws", "summedits")
#: The share of changed contrast pairs that lie below the threshold by which JFLEG's references are kept.
CAUGHT = 0.95
JFLEG = "JFLEG dev"
#: What was published of SummEdits: balanced accuracy over ten domains; four of them are measured here.
PUBLISHED = (("people", 0.909), ("GPT-4 (2023), with the document", 0.824))
SOURCE = "Laban et al. 2023, “SummEdits”, EMNLP"
_BLOCK = 256  # pairs whose sentences are encoded together
_BATCH = 32


class System(NamedTuple):
    """A model that scores pairs, in one or more ways, which have titles.

    Attributes:
        load: reads the model from the folder and returns what scores pairs.
        packages: what has to be installed for it.
        folder: the name of the option with the folder of its model; empty where it needs none.
    """

    titles: tuple[str, ...]
    load: Callable[[str], Score]
    packages: tuple[str, ...]
    folder: str = ""


def _usim(model: str, judge: str | None, folder: str) -> Score:
    scorer = Scorer(model=model, judge=judge)

    def score(pairs: Sequence[TextPair]) -> list[tuple[float]]:
        results = scorer.score_pairs(pairs)
        return [(result.score if judge == "usim" else result.judgement.faithfulness,) for result in results]

    return score


class Encoder(checkers.Model):
    """A sentence encoder of a folder that sentence-transformers reads, with the mean of the tokens as the sentence."""

    def __init__(self, folder: str) -> None:
        settings = json.loads((Path(folder) / "sentence_bert_config.json").read_text())
        super().__init__(folder, "AutoModel", longest=settings["max_seq_length"])

    def tokens(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        """Return the vectors of the word pieces of texts, shape (pieces, dimensions), special ones first and last."""
        vectors = {}
        order = sorted(set(texts), key=len)
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            pieces, read = self.read(batch)
            for text, state, mask in zip(batch, read.last_hidden_state, pieces["attention_mask"], strict=True):
                vectors[text] = state[: int(mask.sum())].numpy()
        return vectors


def _encoded(folder: str) -> Score:
    encoder = Encoder(folder)

    def score(pairs: Sequence[TextPair]) -> list[tuple[float, float]]:
        scores = []
        for start in range(0, len(pairs), _BLOCK):
            block = pairs[start : start + _BLOCK]
            vectors = encoder.tokens([text for pair in block for text in pair])
            read = ((vectors[source], vectors[output]) for source, output in block)
            scores += [(cosine(*both), token_match(*both)) for both in read]
        return scores

    return score


def cosine(source: np.ndarray, output: np.ndarray) -> float:
    """Return the cosine of the means of two sentences' vectors."""
    a, b = source.mean(axis=0), output.mean(axis=0)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def token_match(source: np.ndarray, output: np.ndarray) -> float:
    """Return the F of the best cosines of either sentence's vectors, without the first and the last."""
    a, b = (x[1:-1] / np.linalg.norm(x[1:-1], axis=1, keepdims=True) for x in (source, output))
    if not len(a) or not len(b):
        return 0.0
    likeness = a @ b.T
    recall, precision = float(likeness.max(axis=1).mean()), float(likeness.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall)


def _each(load: Callable[[str], checkers.Score], folder: str) -> Score:
    score = load(folder)
    return lambda pairs: [(score(pair),) for pair in pairs]


def _chrf(folder: str) -> checkers.Score:
    from sacrebleu.metrics import CHRF

    metric = CHRF(eps_smoothing=False)
    return lambda pair: float(metric.sentence_score(pair[1], [pair[0]]).score) / 100


_TORCH = ("torch", "transformers")
#: What sentence-transformers needs, which itself is small.
_ENCODER = (*_TORCH, "scikit-learn", "scipy")
SYSTEMS: dict[str, System] = {
    "en": System(("usim en",), partial(_usim, "en", None), ("usim-faithfulness",)),
    "en-fast": System(("usim en-fast",), partial(_usim, "en-fast", None), ("usim-faithfulness",)),
    "usim": System(("USim alone (2018)",), partial(_usim, "en", "usim"), ("usim-faithfulness",)),
    "chrf": System(("chrF",), partial(_each, _chrf), ("sacrebleu",)),
    "minilm": System(("MiniLM cosine", "MiniLM token match"), _encoded, _ENCODER, "minilm"),
    "mpnet": System(("mpnet cosine", "mpnet token match"), _encoded, _ENCODER, "mpnet"),
    "alignscore": System(("AlignScore",), partial(_each, checkers.alignscore), _TORCH, "alignscore"),
    "minicheck": System(("MiniCheck",), partial(_each, checkers.minicheck), _TORCH, "minicheck"),
    "summac": System(("SummaC-ZS",), partial(_each, checkers.summac), _TORCH, "summac"),
    "lettucedetect": System(("LettuceDetect",), partial(_each, checkers.lettucedetect), _TORCH, "lettucedetect"),
}
#: The titles of usim's own scores; the first is compared with the best peer.
_OWN = ("usim en", "usim en-fast", "USim alone (2018)")


class Cost(NamedTuple):
    """What a system needs: pairs a second, MiB at the peak, MB to install."""

    rate: float
    memory: float
    size: float


def installed(packages: Sequence[str]) -> float:
    """Return the MB of installed packages with all that they need."""
    from packaging.requirements import Requirement

    todo, known, total = list(packages), set(), 0
    while todo:
        name = todo.pop().lower().replace("_", "-")
        if name in known:
            continue
        known.add(name)
        with suppress(metadata.PackageNotFoundError):
            found = metadata.distribution(name)
            needed = map(Requirement, found.requires or ())
            todo += [r.name for r in needed if r.marker is None or r.marker.evaluate({"extra": ""})]
            paths = [Path(str(file.locate())) for file in found.files or ()]
            total += sum(path.stat().st_size for path in paths if path.is_file())
            if name == "usim-faithfulness" and not any("usim/__init__.py" in str(path) for path in paths):
                import usim  # in a checkout the package lies where it is developed

                total += _megabytes(Path(usim.__file__).parent)
    return total / 1e6


def _megabytes(folder: Path) -> int:
    """Return the bytes of the files of a folder, without compiled modules."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and p.suffix != ".pyc")


def _scored(name: str, folder: str, pairs: Sequence[TextPair]) -> tuple[Sequence[tuple[float, ...]], Cost]:
    """Return the scores of pairs by one system, and what they cost this process."""
    score = SYSTEMS[name].load(folder)
    score(pairs[:2])
    began = time.process_time()
    scores = score(pairs)
    rate = len(pairs) / (time.process_time() - began)
    size = installed(SYSTEMS[name].packages) + (_megabytes(Path(folder)) / 1e6 if folder else 0)
    return scores, Cost(rate, peak(), size)


def measure(
    name: str, folder: str, pairs: Sequence[TextPair], out: Path | None = None
) -> tuple[dict[str, Values], Cost]:
    """Score pairs by one system in a process of its own; return its scores by their titles, and what it needs.

    What an earlier run has left in the folder ``out`` for the same pairs is read instead.
    """
    key = digest(json.dumps(pairs))
    kept = None if out is None else out / f"scores-{name}.json"
    content = json.loads(kept.read_text(encoding="utf-8")) if kept is not None and kept.exists() else {}
    if content.get("pairs") != key:
        os.environ.update(OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            scores, cost = process.submit(_scored, name, folder, pairs).result()
        content = {"pairs": key, "scores": scores, "cost": cost}
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(kept) as file:
                json.dump(content, file)
    columns = np.array(content["scores"], float).T
    return dict(zip(SYSTEMS[name].titles, columns, strict=True)), Cost(*content["cost"])


def crossed(scores: Values, labels: Values, groups: Sequence[str], *, balanced: bool = False) -> Values:
    """Return how likely each pair is faithful, by a logistic regression on the pairs of the other half of the groups.

    If it is ``balanced``, both labels weigh the same.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import PredefinedSplit, cross_val_predict

    halves = PredefinedSplit([int(digest(group), 16) % 2 for group in groups])
    values = ((scores - scores.mean()) / (scores.std() or 1.0)).reshape(-1, 1)
    model = LogisticRegression(C=100.0, class_weight="balanced" if balanced else None)
    likely: Values = cross_val_predict(model, values, labels, cv=halves, method="predict_proba")[:, 1]
    return likely


class Scored(NamedTuple):
    """The pairs of all sets, and the scores of all of them by their titles, in one order."""

    sets: dict[str, list[Pair]]
    said: dict[str, Values]

    def of(self, name: str) -> dict[str, Values]:
        """Return the scores of one set."""
        end = dict(zip(self.sets, accumulate(map(len, self.sets.values())), strict=True))[name]
        return {title: values[end - len(self.sets[name]) : end] for title, values in self.said.items()}


def quality(scored: Scored, resamples: int, seed: int) -> list[Row]:
    """Return a row for each figure of a set: that of each system, and how far usim is above the best peer."""
    rows: list[Row] = []
    for name, pairs in scored.sets.items():
        if name == JFLEG:
            continue
        said = scored.of(name)
        draws = Draws([pair.group for pair in pairs], resamples, seed)
        for figure, prepare in SETS[name].figures.items():
            if figure in FIGURES:
                of_system = {own: prepare(Judged(pairs, values)) for own, values in said.items()}
                rows.append(_row(SETS[name].title, figure, len(pairs), of_system, draws))
    if JFLEG in scored.sets and "contrast" in scored.sets:
        changed = np.array([pair.label < ACCEPTED for pair in scored.sets["contrast"]])
        limits = {own: np.quantile(values[changed], CAUGHT) for own, values in scored.of("contrast").items()}
        kept = {own: values > limits[own] for own, values in scored.of(JFLEG).items()}
        shares = {own: lambda at, values=values: float(values[at].mean()) for own, values in kept.items()}
        draws = Draws([pair.group for pair in scored.sets[JFLEG]], resamples, seed)
        rows.append(_row(f"{JFLEG}, references", "kept", len(scored.sets[JFLEG]), shares, draws))
    return rows


def _row(title: str, figure: str, count: int, of_system: dict[str, Callable[[Places], float]], draws: Draws) -> Row:
    every = np.arange(count)
    values = {own: value(every) for own, value in of_system.items()}
    peers = [own for own in of_system if own not in _OWN]
    gain = None
    if _OWN[0] in of_system and peers:
        best = max(peers, key=values.__getitem__)
        gain = draws.interval(lambda places: of_system[_OWN[0]](places) - of_system[best](places))
    return title, figure, count, *values.values(), gain


def balanced_accuracy(scored: Scored) -> list[Row]:
    """Return the balanced accuracy on SummEdits, measured and published."""
    rows: list[Row] = []
    if "summedits" in scored.sets:
        pairs = scored.sets["summedits"]
        labels = np.array([pair.label >= ACCEPTED for pair in pairs])
        groups = [pair.group for pair in pairs]
        for own, values in scored.of("summedits").items():
            right = (crossed(values, labels, groups, balanced=True) >= 0.5) == labels
            value = float((right[labels].mean() + right[~labels].mean()) / 2)
            rows.append((own, value, f"measured, {len(pairs)} pairs, without the document"))
    return [*rows, *((title, value, f"published: {SOURCE}") for title, value in PUBLISHED)]


def curves(scored: Scored) -> list[Row]:
    """Return the points of the curves of risk over coverage, on all pairs whose label is certain."""
    sets = [name for name in CERTAIN if name in scored.sets]
    pairs = [pair for name in sets for pair in scored.sets[name]]
    labels = np.array([pair.label >= ACCEPTED for pair in pairs])
    groups = [pair.group for pair in pairs]
    rows: list[Row] = []
    for own in scored.said:
        values = np.concatenate([scored.of(name)[own] for name in sets])
        rows += [(own, *point) for point in risk_coverage(crossed(values, labels, groups), labels)]
    return rows


def study(scored: Scored, costs: dict[str, Cost], *, settings: dict[str, Any], resamples: int, seed: int) -> Study:
    """Put the figures together."""
    rows = quality(scored, resamples, seed)
    titles = list(scored.said)
    peer = "mpnet cosine" if "mpnet cosine" in costs else titles[-1]
    means = {own: float(np.mean([row[3 + at] for row in rows if row[1] == "AUC"])) for at, own in enumerate(titles)}
    points = curves(scored)
    tables = (
        Table(
            "quality",
            "Quality",
            ("pairs", "figure", "number", *titles, "usim en above the best peer"),
            tuple(rows),
            f"kept: the share above the threshold that {CAUGHT:.0%} of the changed contrast pairs lie below; "
            "GAP in per cent; the last column has the 95% interval, sources drawn again",
        ),
        Table(
            "cost",
            "Cost on one core",
            ("system", "mean AUC", "pairs a second", f"times {peer}", "peak, MiB", "MB"),
            tuple(
                (own, means[own], round(rate, 1), round(rate / costs[peer].rate, 2), round(memory), round(size))
                for own, (rate, memory, size) in costs.items()
            ),
            "the processor's time; an encoder gives both of its scores in it; MB: installed packages and model",
            2,
        ),
        Table(
            "summedits",
            "SummEdits, balanced accuracy",
            ("system", "balanced accuracy", "where from"),
            tuple(balanced_accuracy(scored)),
            "the threshold of a measured system comes from the other half of the sources; "
            "published figures are of other pairs, over ten domains, by systems that saw the document",
        ),
        Table("curve", "Risk over coverage", ("system", "decided", "wrong"), tuple(points), shown=False),
    )

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        for own, cost in costs.items():
            left.plot([cost.rate], [means[own]], "o" if own in _OWN else "s", color="C1" if own in _OWN else "C0")
            below = -12 if own.endswith("match") else 6
            offset: Any = {"xytext": (0, below), "textcoords": "offset points", "ha": "center", "fontsize": "small"}
            left.annotate(own, (cost.rate, means[own]), **offset)
        left.set(xscale="log", xlabel="pairs a second, one core", ylabel="mean AUC")
        left.margins(0.2)
        for own in titles:
            some = [row for row in points if row[0] == own]
            right.plot([row[1] for row in some], [row[2] for row in some], "-" if own in _OWN else "--", label=own)
        right.set(xlabel="share of pairs with a verdict", ylabel="share of these that is wrong", xlim=(0, 1), ylim=0)
        right.legend(fontsize="x-small")

    return Study(
        "peers", "usim and its peers", tables, {}, settings | {"seed": seed, "resamples": resamples}, draw=draw,
        size=(11.0, 4.4),
    )  # fmt: skip


def fill(page: Path, tables: Sequence[Table]) -> None:
    """Write tables into a page, each between ``<!-- table: NAME -->`` and ``<!-- end -->``."""
    text = page.read_text(encoding="utf-8")
    for table in tables:
        before, mark, rest = text.partition(f"<!-- table: {table.name} -->\n")
        if mark:
            text = f"{before}{mark}{table.as_markdown()}\n{rest[rest.index('<!-- end -->') :]}"
    with written_whole(page) as file:
        file.write(text)


def main(argv: Sequence[str] | None = None) -> None:
    p = command(__doc__)
    p.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="the data sets, as 'experiments data' fetches them"
    )
    for name in filter(None, (system.folder for system in SYSTEMS.values())):
        p.add_argument(f"--{name}", type=Path, metavar="DIR", help="the model's folder; without it, it is left out")
    p.add_argument("--limit", type=int, metavar="N", help="about so many pairs of each set; by default all")
    p.add_argument("--only", action="append", choices=SYSTEMS, help="one system; again for more")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--resamples", type=int, default=1000)
    p.add_argument("--out", type=Path, metavar="DIR", help="write tables, figure and numbers into this folder")
    p.add_argument("--page", type=Path, metavar="FILE", help="write the tables into this page")
    args = p.parse_args(argv)
    sets = read(Source(args.data, (), args.limit, args.seed), NAMES)
    folder = next((path for path in (args.data / "jfleg", args.data / "jfleg-dev") if path.is_dir()), None)
    if folder is None:
        print(f"warning: left out {JFLEG}: no folder jfleg in {args.data}", file=sys.stderr)
    else:
        corpus = whole_corrections(read_corrections(folder, "dev"))
        changed = [pair for pair in corpus if pair.source.split() != pair.output.split()]
        # Sentence by sentence, so that the first ones are those of few sources with all their references.
        sets[JFLEG] = list(islice(sorted(changed, key=lambda pair: int(pair.group)), args.limit))
    pairs = [(pair.source, pair.output) for some in sets.values() for pair in some]
    said: dict[str, Values] = {}
    costs: dict[str, Cost] = {}
    for name in args.only or SYSTEMS:
        option = SYSTEMS[name].folder
        path = getattr(args, option) if option else ""
        if option and path is None:
            print(f"warning: left out {name}: no --{option}", file=sys.stderr)
            continue
        scores, cost = measure(name, str(path), pairs, args.out)
        said |= scores
        costs |= dict.fromkeys(scores, cost)
        print(f"{name}: {len(pairs)} pairs, {cost.rate:.1f} a second", file=sys.stderr)
    settings = {"data": args.data, "limit": args.limit, "pairs": len(pairs)}
    result = study(Scored(sets, said), costs, settings=settings, resamples=args.resamples, seed=args.seed)
    print(result.as_text())
    if args.out:
        for written in result.write(args.out):
            print(f"wrote {written}", file=sys.stderr)
    if args.page:
        fill(args.page, [table for table in result.tables if table.shown])


if __name__ == "__main__":
    main()
