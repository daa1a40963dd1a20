"""From prepared pairs to what the network is trained on: word pieces, readings, and features.

::

    python -m judges.encode prepared/tmu.pkl --out encoded/tmu.pkl [--count 3500]

The features read the vectors of the lower layers of the pretrained encoder, which stay as they are.
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
from judges.network import Pieces, SentenceEncoder, token_means
from judges.prepare import read
from training.encoders import encoder_folder, load_pieces
from usim.compare import Analysis, compare, compute_features, feature_names
from usim.judge.inputs import PairInputs, pair_inputs, replacements
from usim.measures import align_graphs
from usim.ucca import Graph

#: Sentences of more pieces are left out.
LONGEST = 500


@dataclass
class Encoded:
    """Pairs ready for the network.

    Attributes:
        pairs: what people said about each.
        readings: what the network reads of each.
        features: float32 (pairs, features).
        names: of the features.
        sentences: the distinct sentences.
        tokens: those of each sentence.
        numbers: int64 (pairs, 2), the sentences of each pair.
        lower: float16 (pieces, width), what the lower layers give for the pieces of all sentences.
        offsets: int64 (sentences + 1,), where each sentence begins in it.
    """

    pairs: list[Pair]
    readings: list[PairInputs]
    features: np.ndarray
    names: tuple[str, ...]
    sentences: list[Pieces]
    tokens: list[tuple[str, ...]]
    numbers: np.ndarray
    lower: np.ndarray
    offsets: np.ndarray


def encode(path: Path, encoder: Path, count: int | None, rng: random.Random) -> Encoded:
    """Encode a prepared file, or so many of its pairs at most."""
    pieces = load_pieces(encoder)
    known: dict[tuple[str, ...], int] = {}
    sentences: list[Pieces] = []
    rows: list[tuple[Pair, Graph, Graph, tuple[int, int]]] = []

    def number(tokens: tuple[str, ...]) -> int:
        if tokens not in known:
            pieces.learn(tokens)
            ids, _, _, starts = pieces.encode(tokens, [])
            known[tokens] = len(sentences)
            sentences.append(Pieces(ids, starts))
        return known[tokens]

    read_pairs = list(read(path))
    if count is not None and count < len(read_pairs):
        read_pairs = rng.sample(read_pairs, count)
    for pair, source, target in read_pairs:
        if not source.tokens or not target.tokens:
            continue
        both = number(source.tokens), number(target.tokens)
        if max(len(sentences[k].ids) for k in both) <= LONGEST:
            rows.append((pair, source, target, both))
    began = time.time()
    lower, offsets = SentenceEncoder(encoder).lower_of(sentences)
    print(f"{len(sentences)} sentences in {time.time() - began:.0f} s", file=sys.stderr, flush=True)

    def analysis(graph: Graph, text: str, k: int) -> Analysis:
        return Analysis(graph, token_means(lower[offsets[k] : offsets[k + 1]], sentences[k].starts), text)

    feature_rows: list[np.ndarray] = []
    readings: list[PairInputs] = []
    for pair, source, target, (a, b) in rows:
        alignment = align_graphs(source, target)
        comparison = compare(analysis(source, pair.source, a), analysis(target, pair.target, b), alignment)
        readings.append(pair_inputs(source, target, alignment, replacements(comparison)))
        feature_rows.append(compute_features(comparison).astype(np.float32))
    print(f"{len(rows)} pairs, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    numbers = np.array([row[3] for row in rows])
    features = np.stack(feature_rows)
    pairs = [row[0] for row in rows]
    return Encoded(pairs, readings, features, feature_names(), sentences, list(known), numbers, lower, offsets)


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
    p.add_argument("--count", type=int, help="how many pairs at most, by chance; by default all")
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    encoded = encode(args.prepared, encoder_folder(args.encoder), args.count, random.Random(args.seed))
    with open(args.out, "wb") as file:
        pickle.dump(encoded, file, protocol=5)


if __name__ == "__main__":
    main()
