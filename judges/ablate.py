"""What each family of features and each source of pairs is worth: leave it out, train, and measure.

::

    python -m judges.ablate runs/judge/*.pkl --out runs/ablation.tsv

Reads files of :mod:`judges.encode` with those of :mod:`judges.words` beside. What is trained are the networks of a
judge that read the features alone, which takes seconds; those that read the tokens as well lose less. A row says by how
much each figure changes without a family of features, a maker of pairs or a data set, as the mean over some seeds. The
first row has the figures with everything, the second how far these deviate from seed to seed.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch

from judges.data import Pair
from judges.evaluate import figures
from judges.head import Pairs, is_outside, predict, train_head
from judges.network import INNER, OF_WORDS, QUERIES, PairNet
from judges.pairs.make import MODULES  # noqa: F401 - registers the makers
from judges.pairs.registry import MAKERS
from usim.compare import feature_families
from usim.judge.similarities import NAMES
from usim.text.files import written_whole

#: How many networks, and for how many epochs each is trained.
COUNT, EPOCHS = 4, 4
#: The figures of a row: correlations and areas, not errors.
_SUFFIXES = (" auc", " r", " gap")


class FeatureNet(PairNet):
    """The networks over features alone."""

    def pool(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return zeros in place of what the tokens say."""
        return torch.zeros(len(batch["features"]), (QUERIES + 2) * INNER)


class FeaturePairs(Pairs):
    """Pairs whose tokens are not read."""

    def batch(self, which: np.ndarray) -> dict[str, torch.Tensor]:
        """Return the features and labels of some pairs."""
        label = torch.tensor([self.pairs[k].wanted for k in which])
        return {"features": torch.from_numpy(self.features[which]), "label": label}


def families(width: int) -> dict[str, list[int]]:
    """Return the places of each family's features among those of a judge, (width,)."""
    places: dict[str, list[int]] = {}
    at = 0
    for name, count in feature_families().items():
        places[name] = list(range(at, at + count))
        at += count
    end = width - OF_WORDS
    places["network of words"] = [*range(end, width)]
    similar = np.arange(at, end).reshape(-1, len(NAMES))
    places["soft alignment"] = similar.flatten().tolist()
    for number, layer in enumerate(similar.tolist()):
        places[f"soft alignment, layer {number + 1}"] = layer
    return places


def lesson_of(pair: Pair) -> str:
    """Return the module that made a pair, or the data set that people judged."""
    if pair.origin != "made":
        return pair.origin
    return f"judges.pairs.{_modules().get(pair.kind.partition('.')[0], 'templates')}"


@cache
def _modules() -> dict[str, str]:
    """Return the module of each family of makers; those of templates are all registered in one."""
    modules = {}
    for name, maker in MAKERS.items():
        make = maker.edit or maker.make
        modules[name.partition(".")[0]] = getattr(make, "func", make).__module__.rpartition(".")[2]
    return modules | {"template": "templates"}


def measure(data: FeaturePairs, used: np.ndarray, held: np.ndarray, seeds: int) -> Iterator[dict[str, float]]:
    """Train with each seed on the pairs ``used`` and yield the figures on those ``held``."""
    pairs = [data.pairs[k] for k in held]
    for seed in range(1, seeds + 1):
        net = train_head(data, used, count=COUNT, plain=COUNT, epochs=EPOCHS, seed=seed, network=FeatureNet)
        said = 1 / (1 + np.exp(-predict(net, data, held).astype(np.float64)))
        yield {name: value for name, value in figures(pairs, said).items() if name.endswith(_SUFFIXES)}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure with everything, and without each family of features and each source of pairs."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("encoded", nargs="+", type=Path, help="files of judges.encode")
    p.add_argument("--out", type=Path, required=True, help="the table to write")
    p.add_argument("--seeds", type=int, default=3)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    data = FeaturePairs(args.encoded)
    outside = is_outside(data.pairs)
    # Pairs that are made are not what people say.
    held = np.flatnonzero(outside & [pair.origin not in ("made", "prolex") for pair in data.pairs])
    used, all_features = np.flatnonzero(~outside), data.features.copy()
    lessons = np.array([lesson_of(pair) for pair in data.pairs])
    whole = list(measure(data, used, held, args.seeds))
    mean = {name: float(np.mean([row[name] for row in whole])) for name in whole[0]}
    deviation = {name: float(np.std([row[name] for row in whole], ddof=1)) for name in mean if args.seeds > 1}
    with written_whole(args.out) as file:
        table = csv.DictWriter(file, ["without", "count", *mean], delimiter="\t", lineterminator="\n")
        table.writeheader()

        def write(name: str, count: int, row: dict[str, float]) -> None:
            table.writerow({"without": name, "count": count, **{k: f"{v:.4f}" for k, v in row.items()}})
            print(name, count, {k: round(v, 4) for k, v in row.items()}, file=sys.stderr, flush=True)

        def compare(name: str, count: int, used: np.ndarray) -> None:
            rows = list(measure(data, used, held, args.seeds))
            write(name, count, {k: float(np.mean([row[k] for row in rows])) - mean[k] for k in mean})

        write("(nothing)", len(used), mean)
        write("(deviation)", args.seeds, deviation)
        for name, places in families(all_features.shape[1]).items():
            data.features[:, places] = 0
            compare(name, len(places), used)
            data.features[:] = all_features
        for name in sorted({*lessons[used].tolist()}):
            rest = used[lessons[used] != name]
            compare(name, len(used) - len(rest), rest)


if __name__ == "__main__":
    main()
