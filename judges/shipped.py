"""Read prepared pairs with a judge that ships, whose encoder and network of words stay as they are.

::

    python -m judges.shipped prepared/*.pkl --judge usim/models/judge --out encoded

The networks over pairs can then be trained anew (``judges.head``), calibrated or measured without the run that the
judge came from. Writes for each file ``NAME.pkl`` and ``NAME.npz``, as :mod:`judges.encode` and :mod:`judges.vectors`
do, and ``NAME.logits.npy``, float32 (pairs,), what the judge's own networks say. ``--rows FILE`` writes that of all
pairs that the judge has not learned from, as :mod:`judges.calibrate` reads it: of the data sets in
:data:`judges.head.SHARES` those of the folds that are held out, and all others.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from judges.data import HELD, Pair
from judges.encode import LONGEST, Encoded
from judges.head import SHARES, part_of, write_rows
from judges.larger.encode import joined, read_block
from judges.larger.words import Replaced, new_head, of_pairs, say
from judges.network import PairNet, WordHead, gather
from judges.prepare import read
from usim.compare import feature_names
from usim.judge.inputs import PairInputs
from usim.judge.trained import CLASSIFIER_FILE, load_encoder, read_settings

#: Pairs that are read together.
_BLOCK = 500
#: Pairs that the networks judge together.
_BATCH = 128


def load_networks(folder: Path) -> tuple[WordHead, PairNet]:
    """Return the network of words and those over pairs from the files of a judge that ``judges.export`` wrote."""
    graph = onnx.load(str(folder / CLASSIFIER_FILE)).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    words = new_head((len(arrays["words.first.weight"]) - len(arrays["words.mean"])) // 3, len(arrays["words.mean"]))
    _fill(words, arrays, "words.", ("first", "last", "figures"))
    settings = read_settings(folder)
    count, features = len(arrays["out"].reshape(-1, arrays["out"].shape[-1])), len(arrays["linear.weight"])
    net = PairNet(words.width, features, count)
    _fill(net, arrays, "", ("first", "between", "second", "query", "pooled", "of_features", "linear"))
    with torch.no_grad():
        for name in ("flag", "lowest", "highest"):
            getattr(net, name).weight.copy_(_tensor(arrays[f"{name}s"]))
        net.norm.weight.copy_(_tensor(arrays["norm.0"]))
        net.norm.bias.copy_(_tensor(arrays["norm.1"]))
        net.last.copy_(_tensor(arrays["last.weight"]))
        for name, array in (("last_bias", arrays["last.bias"]), ("out", arrays["out"])):
            getattr(net, name).copy_(_tensor(array).reshape(count, -1))
        for name in ("mean", "deviation"):
            own = np.append(np.array(settings[name], np.float32), arrays[f"said.{name}"])
            getattr(net, name).copy_(_tensor(own))
            getattr(words, name).copy_(_tensor(arrays[f"words.{name}"]))
    return words.eval(), net.eval()


def _fill(module: nn.Module, arrays: Mapping[str, np.ndarray], prefix: str, names: Sequence[str]) -> None:
    """Give the linear layers of a module the constants of these names."""
    with torch.no_grad():
        for name in names:
            layer: nn.Linear = getattr(module, name)
            layer.weight.copy_(_tensor(arrays[f"{prefix}{name}.weight"]).T)
            if layer.bias is not None:
                layer.bias.copy_(_tensor(arrays[f"{prefix}{name}.bias"]))


def _tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.copy())


@torch.no_grad()
def logits_of(
    net: PairNet, upper: np.ndarray, features: np.ndarray, starts: np.ndarray, readings: Sequence[PairInputs]
) -> np.ndarray:
    """Return the logits of pairs, float32 (pairs,)."""
    order = sorted(range(len(readings)), key=lambda k: len(readings[k].flag))
    said = np.zeros(len(readings), np.float32)
    for k in range(0, len(order), _BATCH):
        some = np.array(order[k : k + _BATCH])
        batch = gather(upper, [readings[j] for j in some], starts[some])
        batch["features"] = torch.from_numpy(features[some])
        said[some] = net(batch).numpy()
    return said


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("prepared", nargs="+", type=Path)
    p.add_argument("--judge", type=Path, required=True, help="folder of the judge")
    p.add_argument("--out", type=Path, required=True, help="folder")
    p.add_argument("--rows", type=Path, metavar="FILE", help="write what it says of pairs that it has not learned from")
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    encoder = load_encoder(args.judge)
    words, net = load_networks(args.judge)
    args.out.mkdir(parents=True, exist_ok=True)
    unseen: list[Pair] = []
    logits: list[np.ndarray] = []
    for path in args.prepared:
        rows = [row for row in read(path) if all(0 < len(graph.tokens) <= LONGEST // 2 for graph in row[1:])]
        if not rows:
            sys.exit(f"{path}: no pairs")
        began, blocks = time.time(), []
        for k in range(0, len(rows), _BLOCK):
            blocks.append(read_block(rows[k : k + _BLOCK], encoder))
            done = min(k + _BLOCK, len(rows))
            print(f"{path.stem}: {done} of {len(rows)} pairs, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
        whole = joined(blocks)
        replaced = Replaced(whole.of_pair, whole.figures, whole.before, whole.after)
        said = of_pairs(say(words, replaced), whole.of_pair, len(whole.pairs))
        features = np.concatenate([whole.features, said], axis=1)
        nothing = np.zeros((0, whole.upper.shape[1]), np.float16)
        no_numbers, no_offsets = np.zeros((0, 2), np.int64), np.zeros(1, np.int64)
        encoded = Encoded(
            whole.pairs, whole.readings, whole.features, feature_names(), [], [], no_numbers, nothing, no_offsets
        )
        out = args.out / path.name
        with open(out, "wb") as file:
            pickle.dump(encoded, file, protocol=5)
        np.savez(out.with_suffix(".npz"), upper=whole.upper, starts=whole.starts, features=features)
        own = logits_of(net, whole.upper, features, whole.starts, whole.readings)
        np.save(out.with_suffix(".logits.npy"), own)
        outside = [k for k, pair in enumerate(whole.pairs) if part_of(pair) not in SHARES or pair.fold in HELD]
        unseen += [whole.pairs[k] for k in outside]
        logits.append(own[outside])
    if args.rows:
        write_rows(args.rows, unseen, 1 / (1 + np.exp(-np.concatenate(logits).astype(np.float64))))


if __name__ == "__main__":
    main()
