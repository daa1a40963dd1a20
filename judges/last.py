"""Fit the last layer of a judge, which weighs its networks and its reader (:class:`usim.judge.reader.LastLayer`).

::

    python -m judges.last --run runs/reader --judge DIR

It learns from pairs that neither has learned from; all sets count the same, but for that of the authors. The AUC of
each set is printed beside those of the networks and of the reader. It is crossed: each fold is judged by a layer that
learned from the other folds.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from judges.calibrate import weights_of
from judges.lessons import Lesson
from training.statistics import auc
from usim.errors import UsimError
from usim.judge import Analyser
from usim.judge.reader import ReaderLogits
from usim.judge.trained import ReadPair, TrainedJudge
from usim.parsing import load
from usim.registry import find_model
from usim.verdicts.nouns import BANDS

#: Into so many parts each set is cut; of sets by several authors, the parts are of whole authors.
FOLDS = 4
#: So many pairs of a set are read at most.
MOST = 250
#: The sets that it learns from: in others raters were asked what fits, the text around decides, or the texts are not of
#: one length.
SETS = (
    "authors", "clear", "corrections", "counterfactual", "ends", "mqm", "otherwise", "paws", "rewrites", "simpler",
    "snli", "summedits", "talks", "vitaminc", "words",
)  # fmt: skip
#: How much a set counts where it is not one: the nine authors who are held out are as many kinds of rewrites.
WEIGHTS = {"authors": 3.0}
#: The strength of the regression: the inverse of the penalty.
_STRENGTH = 0.05
_TOGETHER = 64

Floats = npt.NDArray[np.float64]


class Example(NamedTuple):
    """A pair that no part of the judge has learned from: its set, its band, and its part of the set.

    ``figures`` are the logits of the networks, and what the last layer reads of the reader (8,); ``wanted`` are the
    labels, NaN where nobody said.
    """

    origin: str
    band: str
    fold: int
    figures: list[float]
    wanted: tuple[float, float, float]


def read_pairs(lessons: Sequence[Lesson], judge: TrainedJudge, analyser: Analyser) -> Iterator[tuple[Lesson, ReadPair]]:
    """Yield lessons as the judge reads them; those that cannot be parsed are left out."""
    for at in range(0, len(lessons), _TOGETHER):
        some = lessons[at : at + _TOGETHER]
        texts = list(dict.fromkeys(text for lesson in some for text in (lesson.source, lesson.output)))
        try:
            analyses = dict(zip(texts, analyser.analyse(texts), strict=True))
        except UsimError:
            continue
        pairs = [(analyses[lesson.source], analyses[lesson.output]) for lesson in some]
        yield from zip(some, judge.read(pairs), strict=True)


def examples_of(lessons: Sequence[Lesson], judge: TrainedJudge, model: str) -> list[Example]:
    """Return the lessons that are held out as the judge and its reader see them."""
    analyser = Analyser(load(find_model(model).parser), judge.encoder)
    chosen = []
    rng = random.Random(1)
    for origin in SETS:
        own = [lesson for lesson in lessons if lesson.is_held_out and lesson.origin == origin]
        chosen += rng.sample(own, min(MOST, len(own)))
    found = []
    numbers: dict[str, int] = {}
    for lesson, pair in read_pairs(chosen, judge, analyser):
        assert isinstance(pair.read, ReaderLogits), "a judge without a last layer reads all pairs"
        fold = numbers.setdefault(lesson.author or lesson.source, len(numbers)) % FOLDS
        found.append(Example(lesson.origin, pair.band, fold, [*pair.logits, *pair.read.figures], lesson.wanted))
    return found


def fit(examples: Sequence[Example], output: int) -> tuple[Floats, float]:
    """Return the weights (figures,) and the bias of the regression of an output."""
    known = [e for e in examples if not np.isnan(e.wanted[output])]
    figures, label = np.array([e.figures for e in known]), np.array([e.wanted[output] for e in known])
    share = weights_of([e.origin for e in known]) * [WEIGHTS.get(e.origin, 1.0) for e in known]
    share *= len(known) / share.sum()
    mean, deviation = figures.mean(0), np.maximum(figures.std(0), 1e-3)
    # A label between 0 and 1 counts for both.
    scaled, labels = np.concatenate([(figures - mean) / deviation] * 2), np.repeat([1, 0], len(known))
    model = LogisticRegression(C=_STRENGTH, max_iter=1000)
    model.fit(scaled, labels, sample_weight=np.concatenate([share * label, share * (1 - label)]))
    weights = model.coef_[0] / deviation
    return weights, float(model.intercept_[0] - weights @ mean)


def crossed(examples: Sequence[Example], output: int) -> Floats:
    """Return what regressions say of each pair that learned from the other folds alone, (pairs,)."""
    said = np.zeros(len(examples))
    for fold in range(FOLDS):
        weights, bias = fit([e for e in examples if e.fold != fold], output)
        for k, e in enumerate(examples):
            if e.fold == fold:
                said[k] = weights @ e.figures + bias
    return said


def figures_by_set(examples: Sequence[Example], output: int) -> dict[str, dict[str, float]]:
    """Return for each set the number of pairs, and the AUC of the networks, of the reader, and of the last layer."""
    said, found = crossed(examples, output), {}
    for origin in sorted({e.origin for e in examples}):
        some = [k for k, e in enumerate(examples) if e.origin == origin and not np.isnan(e.wanted[output])]
        label = np.array([examples[k].wanted[output] >= 0.5 for k in some], bool)
        if label.any() and not label.all():
            scores = {
                "networks": np.array([examples[k].figures[output] for k in some]),
                "reader": np.array([examples[k].figures[3 + output] for k in some]),
                "last": said[some],
            }
            areas = {name: round(auc(values[label], values[~label]), 4) for name, values in scores.items()}
            found[origin] = {"pairs": len(some), **areas}
    return found


def make(lessons: Sequence[Lesson], model: str, folder: Path, bands: Sequence[str] = BANDS) -> None:
    """Fit the last layer of a judge's folder for some bands to the lessons that are held out, into its settings."""
    path = folder / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings.pop("last", None)
    path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    examples = [e for e in examples_of(lessons, TrainedJudge(folder), model) if e.band in bands]
    print(json.dumps([figures_by_set(examples, output) for output in range(3)], indent=1))
    fitted = [fit(examples, output) for output in range(3)]
    settings["last"] = {
        "bands": list(bands),
        "weights": [weights.round(6).tolist() for weights, _ in fitted],
        "bias": [round(bias, 6) for _, bias in fitted],
    }
    path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Fit the last layer of a judge."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--run", type=Path, required=True, help="the folder of the reader's training, for its lessons")
    p.add_argument("--judge", type=Path, required=True, help="folder of the judge, which has its reader")
    p.add_argument("--model", default="en", help="the model whose parser reads the pairs")
    p.add_argument("--bands", default=",".join(BANDS), help="the kinds of changes that the judge reads")
    args = p.parse_args(argv)
    lessons = pickle.loads((args.run / "lessons.pkl").read_bytes())
    make(lessons, args.model, args.judge, args.bands.split(","))


if __name__ == "__main__":
    main()
