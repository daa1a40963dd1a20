"""Read pairs as a judge reads them in use: parsed by the model's parser, with the vectors of the trunk that both share.

Half of the pairs that have text around them are read in it, and half of the substitutes in the places of their
targets, as screens do. Blocks ``NAME.parts/NNNN.pkl`` are not read anew by a command that is started again.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from judges import data
from judges.data import Pair
from usim.compare import Analysis, compare, compute_features
from usim.judge import TokenEncoder
from usim.judge.classifier import TokenVectors
from usim.judge.inputs import PairInputs, pair_inputs, replaced_tokens, replacements, sides_of
from usim.judge.similarities import similar_layers
from usim.judge.substituted import substituted
from usim.judge.unsupported import token_figures
from usim.judge.words import read_alone
from usim.parsing import Parser, load, load_trunk
from usim.registry import find_model
from usim.text import Context, context_of, token_texts, tokenise
from usim.ucca import Graph

#: Sentences of more tokens are left out.
LONGEST = 250
#: Pairs a block.
_BLOCK = 500


class Block(NamedTuple):
    """Some pairs as the networks read them.

    Attributes:
        pairs: what people said about each.
        readings: what the networks read of its tokens.
        features: float32 (pairs, features), those of the comparison and the similarities of the layers.
        upper: float16 (tokens, width), the last layer's vectors of the tokens of all sentences.
        starts: int64 (pairs, 2), where the tokens of source and target begin in it.
        of_pair: int64 (replacements,), the pair of each place where words stand for others.
        figures: float32 (replacements, figures), see :mod:`usim.judge.words`.
        unsupported: float32 (tokens, figures), those of :mod:`usim.judge.unsupported`, for pairs with marks.
        is_marked: bool (tokens,), whether people marked them.
        of_marked: int64 (tokens,), the pair of each.
    """

    pairs: list[Pair]
    readings: list[PairInputs]
    features: np.ndarray
    upper: np.ndarray
    starts: np.ndarray
    of_pair: np.ndarray
    figures: np.ndarray
    unsupported: np.ndarray
    is_marked: np.ndarray
    of_marked: np.ndarray


def layers_of(trunk: Path) -> tuple[int, ...]:
    """Return the layers that a judge reads, in its order.

    The comparison reads the first, for which the last but one is best; the networks over tokens read the last.
    """
    *lower, middle, last = load_trunk(trunk).layers
    return (middle, *lower, last)


def context_for(pair: Pair) -> Context | None:
    """Return what a pair is read with: the text around it, where that decides, else for every other group."""
    if not (pair.before or pair.after):
        return None
    if pair.kind != data.IN_TEXT and int(data.digest(pair.group + pair.source), 16) % 2:
        return None
    text = f"{pair.before} {pair.source} {pair.after}"
    return context_of(text, len(pair.before) + 1, len(pair.before) + 1 + len(pair.source))


def is_in_place(pair: Pair) -> bool:
    """Return whether a substitute is read in the place of its target, as in screens: those of every other group."""
    return bool(int(data.digest("in place " + pair.group), 16) % 2)


def read_block(pairs: Sequence[Pair], parser: Parser, encoder: TokenEncoder) -> Block:
    """Read some pairs; leave out those that are too long or have an empty side."""
    graphs: dict[str, Graph] = {}

    def parse(texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in graphs]
        graphs.update(zip(new, parser.parse(new), strict=True))

    parse(pair.source for pair in pairs)
    in_place = [substituted(graphs[p.source], token_texts(p.target)) if is_in_place(p) else None for p in pairs]
    parse(pair.target for pair, graph in zip(pairs, in_place, strict=True) if graph is None)
    rows: list[tuple[Pair, Graph, Graph, Context | None, tuple[str, ...] | None]] = []
    for pair, placed in zip(pairs, in_place, strict=True):
        source = graphs[pair.source]
        target = placed or graphs[pair.target]
        if min(len(source.tokens), len(target.tokens)) > 0 and max(len(source.tokens), len(target.tokens)) <= LONGEST:
            context = context_for(pair)
            has_room = encoder.has_room(source.tokens) and encoder.has_room(target.tokens)
            rows.append((pair, source, target, context if has_room else None, source.tokens if placed else None))
    width = encoder.lower
    # The tokens of each sentence, the text around it, and those of the sentence in which it is read.
    keys = [
        ((source.tokens, context, None), (target.tokens, context, within))
        for _, source, target, context, within in rows
    ]
    distinct = list(dict.fromkeys(key for both in keys for key in both))
    vectors = [packed.unpacked() for packed in encoder.packed(*zip(*distinct, strict=True))]
    read = dict(zip(distinct, vectors, strict=True))
    start_of = dict(zip(distinct, np.cumsum([0, *(len(tokens) for tokens, *_ in distinct)]).tolist(), strict=False))
    upper = np.concatenate([v[:, -width:] for v in vectors]).astype(np.float16)
    readings, features, starts = [], [], []
    of_pair: list[int] = []
    means: list[tuple[np.ndarray, np.ndarray]] = []
    phrases: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    unsupported: list[np.ndarray] = []
    marked: list[bool] = []
    of_marked: list[int] = []
    for number, ((pair, source, target, *_), both) in enumerate(zip(rows, keys, strict=True)):
        before, after = (TokenVectors(np.ascontiguousarray(v[:, :width]), v[:, width:]) for v in map(read.get, both))
        comparison = compare(Analysis(source, before.lower, pair.source), Analysis(target, after.lower, pair.target))
        inputs = pair_inputs(source, target, comparison.alignment, replacements(comparison))
        readings.append(inputs)
        alike, soft = similar_layers(before, after, inputs, encoder.width // width)
        features.append(np.append(compute_features(comparison), alike).astype(np.float32))
        starts.append((start_of[both[0]], start_of[both[1]]))
        means += [(before.mean(words), after.mean(others)) for words, others in inputs.replaced]
        phrases += replaced_tokens(source.tokens, target.tokens, inputs)
        of_pair += [number] * len(inputs.replaced)
        if pair.marks is not None:
            own = sides_of(comparison.source, comparison.target, inputs, soft)
            unsupported.append(token_figures(*own[::-1]))
            marked += [_is_marked(pair, token.start, token.end) for token in _tokens(pair, target, inputs)]
            of_marked += [number] * len(inputs.target)
    t, s = (np.stack([both[side] for both in means]) for side in (0, 1))
    figures = np.concatenate(unsupported) if unsupported else np.zeros((0, 1), np.float32)
    return Block(
        [row[0] for row in rows], readings, np.stack(features), upper, np.array(starts), np.array(of_pair, np.int64),
        read_alone(phrases, t, s, encoder), figures, np.array(marked, bool), np.array(of_marked, np.int64),
    )  # fmt: skip


def _tokens(pair: Pair, target: Graph, inputs: PairInputs) -> list:
    tokens = tokenise(pair.target)
    assert tuple(token.text for token in tokens) == target.tokens
    return [tokens[k] for k in inputs.target.tolist()]


def _is_marked(pair: Pair, start: int, end: int) -> bool:
    return any(start < last and first < end for first, last in pair.marks or ())


def joined(blocks: Sequence[Block]) -> Block:
    """Return blocks as one."""
    pairs, tokens = (
        np.cumsum([0, *map(len, parts)]) for parts in zip(*((b.pairs, b.upper) for b in blocks), strict=True)
    )
    arrays = {}
    for name in Block._fields[2:]:
        before = tokens if name == "starts" else pairs if name.startswith("of_") else np.zeros(len(blocks), np.int64)
        parts = [getattr(block, name) for block in blocks]
        if name == "unsupported":
            parts = [part for part in parts if len(part)] or parts[:1]
            arrays[name] = np.concatenate(parts)
            continue
        arrays[name] = np.concatenate([p + b if b else p for p, b in zip(parts, before.tolist(), strict=False)])
    return Block(
        pairs=[pair for block in blocks for pair in block.pairs],
        readings=[reading for block in blocks for reading in block.readings],
        **arrays,
    )


def blocks(pairs: Sequence[Pair], out: Path, parser: Parser, encoder: TokenEncoder) -> Iterator[Block]:
    """Yield the pairs block by block; those of a command that was stopped are read from their files."""
    parts = out.with_suffix(".parts")
    parts.mkdir(parents=True, exist_ok=True)
    began = time.time()
    for number, at in enumerate(range(0, len(pairs), _BLOCK)):
        part = parts / f"{number:04}.pkl"
        if part.exists():
            yield load_block(part)
            continue
        block = read_block(pairs[at : at + _BLOCK], parser, encoder)
        partial = part.with_suffix(".part")
        with open(partial, "wb") as file:
            pickle.dump(tuple(block), file, protocol=5)
        partial.replace(part)
        print(
            f"{out.stem}: {at + _BLOCK} of {len(pairs)} pairs, {time.time() - began:.0f} s", file=sys.stderr, flush=True
        )
        yield block


def load_block(path: Path) -> Block:
    """Return what the command wrote."""
    with open(path, "rb") as file:
        return Block(*pickle.load(file))


def make(pairs: Sequence[Pair], out: Path, model: str) -> None:
    """Read pairs with the parser and the trunk of a model, and write them as one :class:`Block`."""
    out.parent.mkdir(parents=True, exist_ok=True)
    parser = find_model(model).parser
    trunk = parser.parent / "trunk"
    read = joined(list(blocks(pairs, out, load(parser), TokenEncoder(trunk, layers_of(trunk)))))
    with open(out, "wb") as file:
        pickle.dump(tuple(read), file, protocol=5)
