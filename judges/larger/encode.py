"""Read prepared pairs with a trunk, as the judge reads them in use.

::

    python -m judges.larger.encode prepared/swords.pkl --trunk DIR --out encoded/swords.pkl [--count 3500]

Writes blocks ``NAME.parts/NNNN.pkl``, which a command that is started again does not read anew, then ``NAME.pkl``, the
pairs as :mod:`judges.encode` writes them, but without vectors of pieces; ``NAME.npz``, what :mod:`judges.vectors` would
write, with the layers' similarities and without what the network of words says; and ``NAME.words.npz``:

- ``of_pair``, int64 (replacements,), the number of the pair;
- ``figures``, float32 (replacements, figures), see :mod:`usim.judge.words`;
- ``before``, ``after``, float16 (replacements, width), the mean vectors in the last layer.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from judges.data import Pair
from judges.encode import LONGEST, Encoded
from judges.prepare import read
from usim.compare import Analysis, compare, compute_features, feature_names
from usim.judge.classifier import TokenVectors
from usim.judge.encoder import TokenEncoder, TrunkEncoder
from usim.judge.inputs import PairInputs, pair_inputs, replaced_tokens, replacements
from usim.judge.similarities import similar_layers
from usim.judge.words import word_figures
from usim.measures import align_graphs
from usim.ucca import Graph

#: The layers that the judge reads, in this order: the comparison reads the first, the networks over tokens the last.
LAYERS = (5, 3, 4, 6)
#: Pairs a block.
_BLOCK = 500

Row = tuple[Pair, Graph, Graph]


class Block(NamedTuple):
    """Some pairs as the networks read them; ``upper`` has the last layer's vectors of the tokens of all sentences."""

    pairs: list[Pair]
    readings: list[PairInputs]
    features: np.ndarray
    starts: np.ndarray
    upper: np.ndarray
    of_pair: np.ndarray
    figures: np.ndarray
    before: np.ndarray
    after: np.ndarray


def read_block(rows: Sequence[Row], encoder: TokenEncoder) -> Block:
    """Read some pairs."""
    distinct = list(dict.fromkeys(graph.tokens for _, *both in rows for graph in both))
    of_tokens = dict(zip(distinct, encoder(distinct), strict=True))
    width = encoder.lower
    begins = np.cumsum([0, *map(len, distinct)])
    start_of = dict(zip(distinct, begins.tolist(), strict=False))
    upper = np.concatenate([of_tokens[tokens][:, -width:] for tokens in distinct]).astype(np.float16)
    readings, features, starts = [], [], []
    of_pair: list[int] = []
    means: list[tuple[np.ndarray, np.ndarray]] = []
    phrases: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for number, (pair, source, target) in enumerate(rows):
        a, b = (of_tokens[graph.tokens] for graph in (source, target))
        before, after = (TokenVectors(np.ascontiguousarray(v[:, :width]), v[:, width:]) for v in (a, b))
        alignment = align_graphs(source, target)
        comparison = compare(
            Analysis(source, before.lower, pair.source), Analysis(target, after.lower, pair.target), alignment
        )
        inputs = pair_inputs(source, target, alignment, replacements(comparison))
        readings.append(inputs)
        alike = similar_layers(before, after, inputs, len(LAYERS))
        features.append(np.append(compute_features(comparison), alike).astype(np.float32))
        starts.append((start_of[source.tokens], start_of[target.tokens]))
        means += [(before.mean(words), after.mean(others)) for words, others in inputs.replaced]
        phrases += replaced_tokens(source.tokens, target.tokens, inputs)
        of_pair += [number] * len(inputs.replaced)
    figures, t, s = _of_words(means, phrases, encoder)
    pairs = [row[0] for row in rows]
    index = np.array(of_pair, np.int64)
    return Block(pairs, readings, np.stack(features), np.array(starts), upper, index, figures, t, s)


def _of_words(
    means: Sequence[tuple[np.ndarray, np.ndarray]],
    phrases: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    encoder: TokenEncoder,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the figures of replacements, and the last layer's vectors before and after."""
    alone = encoder.alone([words for words, _ in phrases]), encoder.alone([others for _, others in phrases])
    t, s = (np.stack([both[side] for both in means]) for side in (0, 1))
    texts = [(" ".join(words), " ".join(others)) for words, others in phrases]
    figures = word_figures(t, s, np.stack(alone[0]), np.stack(alone[1]), texts, encoder.lower)
    return figures, t[:, -encoder.lower :].astype(np.float16), s[:, -encoder.lower :].astype(np.float16)


def joined(blocks: Sequence[Block]) -> Block:
    """Return blocks as one."""
    starts, of_pair, pairs, tokens = [], [], 0, 0
    for block in blocks:
        starts.append(block.starts + tokens)
        of_pair.append(block.of_pair + pairs)
        pairs += len(block.pairs)
        tokens += len(block.upper)
    arrays = {
        name: np.concatenate([getattr(block, name) for block in blocks])
        for name in ("features", "upper", "figures", "before", "after")
    }
    return Block(
        pairs=[pair for block in blocks for pair in block.pairs],
        readings=[reading for block in blocks for reading in block.readings],
        starts=np.concatenate(starts),
        of_pair=np.concatenate(of_pair),
        **arrays,
    )


def encode(path: Path, out: Path, encoder: TrunkEncoder, count: int | None, rng: random.Random) -> Block:
    """Read a prepared file, or so many of its pairs at most, block by block."""
    rows = [row for row in read(path) if row[1].tokens and row[2].tokens]
    if count is not None and count < len(rows):
        rows = [rows[k] for k in sorted(rng.sample(range(len(rows)), count))]
    rows = [row for row in rows if max(len(row[1].tokens), len(row[2].tokens)) <= LONGEST // 2]
    parts = out.with_suffix(".parts")
    parts.mkdir(parents=True, exist_ok=True)
    began, blocks = time.time(), []
    for number, at in enumerate(range(0, len(rows), _BLOCK)):
        part = parts / f"{number:04}.pkl"
        if part.exists():
            with open(part, "rb") as known:
                blocks.append(pickle.load(known))
            continue
        blocks.append(read_block(rows[at : at + _BLOCK], encoder))
        partial = part.with_suffix(".part")
        with open(partial, "wb") as file:
            pickle.dump(blocks[-1], file, protocol=5)
        partial.replace(part)
        done = at + len(blocks[-1].pairs)
        print(f"{out.stem}: {done} of {len(rows)} pairs, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    return joined(blocks)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("prepared", type=Path)
    p.add_argument("--trunk", type=Path, required=True, help="folder of the trunk")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--count", type=int, help="how many pairs at most, by chance; by default all")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    whole = encode(args.prepared, args.out, TrunkEncoder(args.trunk, LAYERS), args.count, random.Random(args.seed))
    np.savez(args.out.with_suffix(".npz"), upper=whole.upper, starts=whole.starts, features=whole.features)
    np.savez(args.out.with_suffix(".words.npz"), **{k: getattr(whole, k) for k in Block._fields[-4:]})
    nothing = np.zeros((0, whole.upper.shape[1]), np.float16)
    numbers = np.zeros((0, 2), np.int64)
    encoded = Encoded(
        whole.pairs, whole.readings, whole.features, feature_names(), [], [], numbers, nothing, np.zeros(1, np.int64)
    )
    with open(args.out, "wb") as file:
        pickle.dump(encoded, file, protocol=5)


if __name__ == "__main__":
    main()
