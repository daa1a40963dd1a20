"""From prepared pairs to what the network is trained on: readings, features, and the vectors of tokens.

::

    python -m judges.encode prepared/tmu.pkl --out encoded/tmu.pkl [--share .5]

The vectors come from the lower layers of the pretrained encoder, which read each sentence by itself.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from judges.data import Pair
from judges.network import Alone, Sentence
from judges.prepare import read
from training.encoders import encoder_folder, load_pieces
from usim.compare import Analysis, compare, compute_features
from usim.judge.inputs import PairInputs, pair_inputs
from usim.measures import align_graphs


@dataclass
class Encoded:
    """Pairs ready for the network.

    Attributes:
        pairs: what people said about each.
        readings: what the network reads of each.
        features: float32 (pairs, features).
        numbers: int64 (pairs, 2), the sentences of each pair.
        vectors: float16 (tokens, width), those of all sentences one after the other.
        offsets: int64 (sentences + 1,), where the tokens of each sentence begin.
    """

    pairs: list[Pair]
    readings: list[PairInputs]
    features: np.ndarray
    numbers: np.ndarray
    vectors: np.ndarray
    offsets: np.ndarray


def encode(path: Path, encoder: Path, share: float, rng: random.Random, *, rest: bool = False) -> Encoded:
    """Encode a prepared file, a random share of its pairs, or the pairs that this share leaves."""
    pieces = load_pieces(encoder)
    known: dict[tuple[str, ...], int] = {}
    sentences: list[Sentence] = []
    rows = []

    def number(tokens: tuple[str, ...]) -> int:
        if tokens not in known:
            pieces.learn(tokens)
            ids, _, _, starts = pieces.encode(tokens, [])
            known[tokens] = len(sentences)
            sentences.append(Sentence(ids, starts))
        return known[tokens]

    for pair, source, target in read(path):
        both = number(source.tokens), number(target.tokens)
        chosen = share >= 1 or (rng.random() < share) != rest
        if not chosen or not source.tokens or not target.tokens:
            continue
        if max(len(sentences[k].ids) for k in both) <= 500:  # what the encoder can take
            rows.append((pair, source, target, both))
    began = time.time()
    vectors, offsets = Alone(encoder).all(sentences)
    print(f"{len(sentences)} sentences in {time.time() - began:.0f} s", file=sys.stderr, flush=True)

    def analysis(graph: object, text: str, k: int) -> Analysis:
        return Analysis(graph, vectors[offsets[k] : offsets[k + 1]].astype(np.float32), text)  # type: ignore[arg-type]

    feature_rows: list[np.ndarray] = []
    readings: list[PairInputs] = []
    for pair, source, target, (a, b) in rows:
        alignment = align_graphs(source, target)
        readings.append(pair_inputs(source, target, alignment))
        one, other = analysis(source, pair.source, a), analysis(target, pair.target, b)
        feature_rows.append(compute_features(compare(one, other, alignment)).astype(np.float32))
    print(f"{len(rows)} pairs, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    return Encoded(
        [row[0] for row in rows], readings, np.stack(feature_rows), np.array([row[3] for row in rows]), vectors, offsets
    )


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        # Written by this module run as a command.
        return super().find_class("judges.encode" if module == "__main__" else module, name)


def load(path: Path) -> Encoded:
    """Return the pairs that the command wrote."""
    with open(path, "rb") as file:
        encoded = _Unpickler(file).load()
    assert isinstance(encoded, Encoded)
    return encoded


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("prepared", type=Path)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--share", type=float, default=1.0)
    p.add_argument("--rest", action="store_true", help="the pairs that this share leaves")
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    encoded = encode(args.prepared, encoder_folder(args.encoder), args.share, rng, rest=args.rest)
    with open(args.out, "wb") as file:
        pickle.dump(encoded, file, protocol=5)


if __name__ == "__main__":
    main()
