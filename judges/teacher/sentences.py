"""What the trunk of the large model sees in two sentences: figures of their tokens' vectors, layer by layer.

::

    python -m judges.teacher.sentences prepared/swords.pkl --out large/swords.npz --encoder all-mpnet-base-v2

Reads what ``judges.prepare`` wrote. The vectors come from the lowest layers of MPNet as published, which the parser of
the large model shares. The features of :mod:`usim.compare` are computed with those of the first layer of
:data:`LAYERS`.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import pickle
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from judges.data import Pair
from judges.prepare import read
from judges.teacher.encoder import BEGIN, END, Encoder, Packed, Packer, batch
from usim.compare import Analysis, compare, compute_features, feature_names
from usim.judge.words import SURFACE, surface
from usim.measures import Alignment, align_graphs
from usim.ucca import Graph

#: The layers whose outputs are compared; 0 would be the embeddings.
LAYERS = (3, 4, 5, 6)
_PIECES = 2400
_BLOCK = 400
#: For each layer, of two sentences.
_OF_SENTENCES = ("matched forward", "matched back", "least forward", "least back", "pooled", "aligned", "least aligned",
                 "unchanged", "least unchanged")  # fmt: skip
#: For each layer, of the words that stand for others: the least similar place, and the mean of all.
_OF_WORDS = ("least t, s", "mean t, s")
_ALONE = ("alone t, alone s", "t, alone s", "s, alone s", "s, alone t", "t, alone t")
_COUNTS = ("places", "tokens of source", "tokens of target", "changed in source", "changed in target")


def names() -> tuple[str, ...]:
    """Return the names of what :func:`pair_features` gives."""
    return (
        *(f"{name}, layer {k}" for name in _OF_SENTENCES for k in LAYERS),
        *(f"{name}, layer {k}" for name in (*_OF_WORDS, *_ALONE) for k in LAYERS),
        *SURFACE,
        *_COUNTS,
    )


class Reader:
    """Reads sentences with the lower layers of an encoder.

    Args:
        encoder: as many layers as :data:`LAYERS` needs.
        packer: cuts words into pieces.
    """

    def __init__(self, encoder: Encoder, packer: Packer) -> None:
        self._encoder = encoder
        self._packer = packer
        self._alone: dict[str, np.ndarray] = {}

    def tokens(self, sentences: Sequence[tuple[str, ...]]) -> list[np.ndarray]:
        """Return vectors of the tokens of each sentence, float32 (layers, tokens, width), each of length 1."""
        packs, starts = [], []
        for tokens in sentences:
            ids, places = [BEGIN], []
            for token in tokens:
                places.append(len(ids))
                ids += self._packer.pieces(token) or (END,)
            starts.append([*places, len(ids)])
            ids = [*ids[:509], END]
            packs.append(Packed(tuple(ids), tuple(range(len(ids))), (0,) * len(ids), (0, 0), ()))
        vectors: list[np.ndarray] = [np.empty(0)] * len(packs)
        order = sorted(range(len(packs)), key=lambda k: len(packs[k]))
        while order:
            count = max(1, min(64, _PIECES // len(packs[order[-1]])))
            numbers, order = order[-count:], order[:-count]
            with torch.inference_mode():
                states = self._encoder(batch([packs[k] for k in numbers]))
                outputs = torch.stack([states[k] for k in LAYERS], 1).float().numpy()
            for row, number in enumerate(numbers):
                length = len(packs[number])
                ends = np.minimum(starts[number], length)
                sums = np.concatenate([np.zeros_like(outputs[row, :, :1]), outputs[row, :, :length].cumsum(1)], 1)
                vectors[number] = _unit(sums[:, ends[1:]] - sums[:, ends[:-1]])
        return vectors

    def alone(self, words: Iterable[str]) -> None:
        """Read words without any text and remember their vectors."""
        missing = [w for w in dict.fromkeys(words) if w not in self._alone]
        for word, vectors in zip(missing, self.tokens([(w,) for w in missing]), strict=True):
            self._alone[word] = vectors[:, 0].astype(np.float16)

    def word_alone(self, word: str) -> np.ndarray:
        """Return the vectors of a word that was read before, (layers, width)."""
        return self._alone[word].astype(np.float32)


def pair_features(
    a: np.ndarray, b: np.ndarray, alignment: Alignment, places: Sequence[tuple[str, str, Sequence[int], Sequence[int]]],
    changed: tuple[np.ndarray, np.ndarray], reader: Reader,
) -> np.ndarray:  # fmt: skip
    """Return the figures of a pair, float32, named by :func:`names`.

    Args:
        a, b: vectors of the tokens of source and target, (layers, tokens, width).
        alignment: of their tokens.
        places: where words stand for others: both texts and the places of both.
        changed: which tokens of source and target have no partner of the same form.
        reader: knows the vectors of the words alone.
    """
    similar = a @ b.transpose(0, 2, 1)
    forward, back = similar.max(2), similar.max(1)
    rows = [forward.mean(1), back.mean(1), forward.min(1), back.min(1), _cosine(a.mean(1), b.mean(1))]
    here = np.flatnonzero(alignment.to_output >= 0)
    aligned = similar[:, here, alignment.to_output[here]]
    same = aligned[:, ~changed[0][here]]
    for some in (aligned, same):
        rows += [some.mean(1), some.min(1)] if some.shape[1] else [np.ones(len(a)), np.ones(len(a))]
    of_words = np.ones((len(_OF_WORDS) + len(_ALONE), len(a)))
    least = (0.0,) * len(SURFACE)
    if places:
        t = np.stack([_unit(a[:, list(p[2])].mean(1)) for p in places])
        s = np.stack([_unit(b[:, list(p[3])].mean(1)) for p in places])
        together = (t * s).sum(-1)
        worst = int(together.mean(1).argmin())
        t_alone, s_alone = reader.word_alone(places[worst][0]), reader.word_alone(places[worst][1])
        t, s = t[worst], s[worst]
        least = surface(places[worst][0], places[worst][1])
        of_words = np.stack([
            together[worst], together.mean(0), *((x * y).sum(-1) for x, y in
            ((t_alone, s_alone), (t, s_alone), (s, s_alone), (s, t_alone), (t, t_alone))),
        ])  # fmt: skip
    counts = (len(places), a.shape[1], b.shape[1], changed[0].sum(), changed[1].sum())
    return np.concatenate([np.array(rows).ravel(), of_words.ravel(), least, counts]).astype(np.float32)


def block_features(block: Sequence[tuple[Pair, Graph, Graph]], reader: Reader) -> tuple[np.ndarray, np.ndarray]:
    """Return the figures of pairs, and the features of :mod:`usim.compare`, float32 (pairs, ..) each."""
    distinct = list(dict.fromkeys(g.tokens for _, a, b in block for g in (a, b)))
    vectors = dict(zip(distinct, reader.tokens(distinct), strict=True))
    compared, prepared = [], []
    for pair, source, target in block:
        alignment = align_graphs(source, target)
        before = Analysis(source, vectors[source.tokens][0], pair.source)
        after = Analysis(target, vectors[target.tokens][0], pair.target)
        comparison = compare(before, after, alignment)
        compared.append(compute_features(comparison).astype(np.float32))
        places = [
            (_text(source, group.source), _text(target, group.target), group.source, group.target)
            for group in comparison.groups
            if group.source and group.target
        ]
        prepared.append((source.tokens, target.tokens, alignment, places))
    reader.alone(text for _, _, _, places in prepared for place in places for text in place[:2])
    rows = [
        pair_features(vectors[a], vectors[b], alignment, places, _changed(a, b, alignment), reader)
        for a, b, alignment, places in prepared
    ]
    return np.stack(rows), np.stack(compared)


def _text(graph: Graph, places: Sequence[int]) -> str:
    return " ".join(graph.tokens[k] for k in places)


def _changed(a: tuple[str, ...], b: tuple[str, ...], alignment: Alignment) -> tuple[np.ndarray, np.ndarray]:
    def of(tokens: tuple[str, ...], partners: np.ndarray, others: tuple[str, ...]) -> np.ndarray:
        places = zip(tokens, partners.tolist(), strict=True)
        return np.array([p < 0 or token.lower() != others[p].lower() for token, p in places])

    return of(a, alignment.to_output, b), of(b, alignment.reversed.to_output, a)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)


def _cosine(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (_unit(x) * _unit(y)).sum(-1)


def _some(path: Path, share: float) -> Iterator[tuple[Pair, Graph, Graph]]:
    """Yield a share of the pairs of a prepared file; those of one target or sentence stay together."""
    for pair, source, target in read(path):
        number = int(hashlib.sha1((pair.key or pair.group).encode()).hexdigest()[:8], 16) / 2**32
        if number < share and source.tokens and target.tokens and max(len(source.tokens), len(target.tokens)) < 300:
            yield pair, source, target


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("prepared", type=Path)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--encoder", type=Path, required=True, help="folder of all-mpnet-base-v2")
    p.add_argument("--share", type=float, default=1.0)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    encoder = Encoder.load(args.encoder, max(LAYERS)).to(torch.bfloat16)
    reader = Reader(encoder, Packer(Tokenizer.from_file(str(args.encoder / "tokenizer.json"))))
    pairs: list[Pair] = []
    figures, compared = [], []
    began = time.time()
    rows = _some(args.prepared, args.share)
    while block := list(itertools.islice(rows, _BLOCK)):
        of_block = block_features(block, reader)
        figures.append(of_block[0])
        compared.append(of_block[1])
        pairs += [row[0] for row in block]
        print(f"{args.prepared.stem}: {len(pairs)} pairs, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with open(args.out, "wb") as file:
        pickle.dump(
            {
                "pairs": pairs,
                "trunk": np.concatenate(figures),
                "trunk_names": names(),
                "features": np.concatenate(compared),
                "names": feature_names(),
            },
            file,
            protocol=5,
        )


if __name__ == "__main__":
    main()
