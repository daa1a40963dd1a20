"""Read pairs as a judge reads them in use: parsed by the model's parser, with the vectors of the trunk that both share.

Half of the pairs that have text around them are read in it, and half of the substitutes in the places of their
targets, as screens do.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from judges import data
from judges.data import Pair
from usim.judge import Analyser, EncoderInput, TokenEncoder
from usim.judge.inputs import PairInputs
from usim.judge.reading import ReadPair
from usim.judge.substituted import substituted
from usim.parsing import Parser, load, load_trunk
from usim.registry import find_model
from usim.text import Context, context_of, token_texts
from usim.text.files import written_beside
from usim.ucca import Graph

#: Sentences of more tokens are left out.
LONGEST = 250
_BLOCK = 500


class Block(NamedTuple):
    """Some pairs as the networks read them: the pairs, and what is read of their tokens.

    Attributes:
        features: float32 (pairs, features), those of the comparison and the similarities of the layers.
        upper: float16 (tokens, width), the last layer's vectors of the tokens of all sentences.
        starts: int64 (pairs, 2), where the tokens of source and output begin in it.
    """

    pairs: list[Pair]
    readings: list[PairInputs]
    features: np.ndarray
    upper: np.ndarray
    starts: np.ndarray


def layers_of(trunk: Path) -> tuple[int, ...]:
    """Return the layers that a judge reads: first that of the comparison, for which the last but one is best."""
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
    in_place = [substituted(graphs[p.source], token_texts(p.output)) if is_in_place(p) else None for p in pairs]
    parse(pair.output for pair, graph in zip(pairs, in_place, strict=True) if graph is None)
    rows: list[tuple[Pair, Graph, Graph, Context | None, tuple[str, ...] | None]] = []
    for pair, placed in zip(pairs, in_place, strict=True):
        source = graphs[pair.source]
        output = placed or graphs[pair.output]
        if min(len(source.tokens), len(output.tokens)) > 0 and max(len(source.tokens), len(output.tokens)) <= LONGEST:
            context = context_for(pair)
            has_room = encoder.has_room(source.tokens) and encoder.has_room(output.tokens)
            rows.append((pair, source, output, context if has_room else None, source.tokens if placed else None))
    keys = [
        (EncoderInput(source.tokens, context), EncoderInput(output.tokens, context, within))
        for _, source, output, context, within in rows
    ]
    sentences = {
        key: (graph, text, key)
        for (pair, source, output, *_), both in zip(rows, keys, strict=True)
        for key, graph, text in zip(both, (source, output), (pair.source, pair.output), strict=True)
    }
    analyses = Analyser(parser, encoder).analyse_graphs(list(sentences.values()))
    of_key = dict(zip(sentences, analyses, strict=True))
    read = [ReadPair(of_key[a], of_key[b]) for a, b in keys]
    ends = np.cumsum([0, *(len(analysis.tokens) for analysis in analyses)]).tolist()
    start_of = dict(zip(sentences, ends, strict=False))
    return Block(
        [row[0] for row in rows],
        [reading.inputs for reading in read],
        np.stack([reading.features for reading in read]),
        np.concatenate([a.upper.unpacked()[:, -encoder.lower :] for a in analyses]).astype(np.float16),
        np.array([[start_of[key] for key in both] for both in keys]),
    )


def joined(blocks: Sequence[Block]) -> Block:
    """Return blocks as one."""
    before = np.cumsum([0, *(len(b.upper) for b in blocks)])
    return Block(
        [pair for b in blocks for pair in b.pairs],
        [reading for b in blocks for reading in b.readings],
        np.concatenate([b.features for b in blocks]),
        np.concatenate([b.upper for b in blocks]),
        np.concatenate([b.starts + n for b, n in zip(blocks, before, strict=False)]),
    )


def make(pairs: Sequence[Pair], out: Path, model: str) -> None:
    """Read pairs with the parser and the trunk of a model, and write them as one :class:`Block`."""
    out.parent.mkdir(parents=True, exist_ok=True)
    parser = find_model(model).parser
    trunk = parser.parent / "trunk"
    reads = load(parser), TokenEncoder(trunk, layers_of(trunk))
    blocks = [read_block(pairs[at : at + _BLOCK], *reads) for at in range(0, len(pairs), _BLOCK)]
    with written_beside(out) as file:
        pickle.dump(tuple(joined(blocks)), file, protocol=5)
