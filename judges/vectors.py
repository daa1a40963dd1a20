"""What the taught encoder says of the tokens of encoded pairs, and the features that follow from it.

::

    python -m judges.vectors encoded/*.pkl --run runs/judge

Writes ``NAME.npz`` beside each file: ``upper``, float16 (tokens, width), the vectors of the tokens of all sentences;
``starts``, int64 (pairs, 2), where the source and the target of each pair begin in it; ``features``, float32 (pairs,
features), those of the comparison, of :mod:`usim.judge.similarities`, and what the word head says.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from judges.encode import Encoded, load
from judges.network import Pieces, Replaced, WordNet, in_batches, token_means
from training.encoders import encoder_folder
from usim.judge.similarities import similarities
from usim.judge.words import surface

#: How many replacements the word head reads at a time.
_REPLACEMENTS = 4096


class Read(NamedTuple):
    """Encoded pairs as the networks over pairs read them; see the module's text."""

    upper: np.ndarray
    starts: np.ndarray
    features: np.ndarray


@torch.no_grad()
def read_with(net: WordNet, data: Encoded) -> Read:
    """Read all sentences with a taught encoder."""
    net.eval()
    offsets, starts = data.offsets, np.cumsum([0, *(len(s.starts) - 1 for s in data.sentences)])
    width = net.sentences.width
    lower = np.zeros((starts[-1], width), np.float16)
    upper = np.zeros((starts[-1], width), np.float16)
    for batch in in_batches(data.sentences):
        given = [data.lower[offsets[k] : offsets[k + 1]] for k in batch]
        with torch.autocast("cpu", torch.bfloat16):
            vectors = net.sentences.upper_of(given).float().numpy()
        for k, below, above in zip(batch, given, vectors, strict=True):
            lower[starts[k] : starts[k + 1]] = token_means(below, data.sentences[k].starts)
            upper[starts[k] : starts[k + 1]] = token_means(above, data.sentences[k].starts)
    of_pairs = starts[data.numbers]
    rows = [
        np.concatenate(
            [similarities(_some(layer, a, r.source), _some(layer, b, r.target), r) for layer in (lower, upper)]
        )
        for (a, b), r in zip(of_pairs.tolist(), data.readings, strict=True)
    ]
    words = word_scores(net, lower, upper, data, of_pairs)
    return Read(upper, of_pairs, np.concatenate([data.features, np.stack(rows), words], axis=1))


def _some(upper: np.ndarray, start: int, places: np.ndarray) -> np.ndarray:
    """Return the vectors of a sentence up to the last place that is read."""
    end = start + (int(places.max()) + 1 if len(places) else 0)
    return upper[start:end].astype(np.float32)


def word_scores(net: WordNet, lower: np.ndarray, upper: np.ndarray, data: Encoded, starts: np.ndarray) -> np.ndarray:
    """Return the least and the mean logit of the replacements of each pair, (pairs, 2); 0 where there are none."""
    of_pair: list[int] = []
    means: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    words: tuple[list[Word], list[Word]] = ([], [])
    for number, (reading, begin, both) in enumerate(
        zip(data.readings, starts.tolist(), data.numbers.tolist(), strict=True)
    ):
        for replacement in reading.replaced:
            for side, (start, sentence, places) in enumerate(zip(begin, both, replacement, strict=True)):
                at = start + np.array(places)
                vectors = np.concatenate([lower[at], upper[at]], axis=1).astype(np.float32)
                means[side].append(vectors.mean(axis=0))
                words[side].append(_word(data, sentence, places))
            of_pair.append(number)
    alone = alone_vectors(net, {ids for side in words for _, ids in side})
    logits = []
    for k in range(0, len(of_pair), _REPLACEMENTS):
        some = [side[k : k + _REPLACEMENTS] for side in words]
        rows = [torch.from_numpy(np.stack(side[k : k + _REPLACEMENTS])) for side in means]
        rows += [torch.from_numpy(np.stack([alone[ids] for _, ids in side]).astype(np.float32)) for side in some]
        seen = torch.tensor([surface(before, after) for (before, _), (after, _) in zip(*some, strict=True)])
        logits.append(net.words(Replaced(*rows, seen)).numpy())
    said = np.concatenate([np.zeros(0, np.float32), *logits])
    index = np.array(of_pair, np.int64)
    counts = np.bincount(index, minlength=len(starts))
    mean = np.bincount(index, said, len(starts)) / np.maximum(counts, 1)
    least = np.full(len(starts), np.inf)
    np.minimum.at(least, index, said)
    return np.stack([np.where(counts > 0, least, 0), mean], axis=1).astype(np.float32)


#: The text of some words, and their pieces.
Word = tuple[str, tuple[int, ...]]


def _word(data: Encoded, sentence: int, places: Sequence[int]) -> Word:
    pieces, tokens = data.sentences[sentence], data.tokens[sentence]
    ids = [piece for k in places for piece in pieces.ids[pieces.starts[k] : pieces.starts[k + 1]]]
    return " ".join(tokens[k] for k in places), (pieces.ids[0], *ids, pieces.ids[-1])


def alone_vectors(net: WordNet, words: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], np.ndarray]:
    """Return the mean vectors of words without any text, float16 (2 * width,), by their pieces."""
    distinct = sorted(set(words), key=lambda ids: (len(ids), ids))
    sentences = [Pieces(list(ids), []) for ids in distinct]
    below, begins = net.sentences.lower_of(sentences)
    alone = {}
    for batch in in_batches(sentences):
        given = [below[begins[k] : begins[k + 1]] for k in batch]
        with torch.autocast("cpu", torch.bfloat16):
            upper = net.sentences.upper_of(given).float().numpy()
        for k, low, high in zip(batch, given, upper, strict=True):
            mean = [rows[1 : len(low) - 1].astype(np.float32).mean(axis=0) for rows in (low, high)]
            alone[distinct[k]] = np.concatenate(mean).astype(np.float16)
    return alone


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("encoded", nargs="+", type=Path)
    p.add_argument("--run", type=Path, required=True, help="a run of judges.train")
    p.add_argument("--encoder", metavar="DIR")
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    net = WordNet(encoder_folder(args.encoder))
    net.load_state_dict(torch.load(args.run / "best.pt", weights_only=True))
    for path in args.encoded:
        np.savez(path.with_suffix(".npz"), **read_with(net, load(path))._asdict())


if __name__ == "__main__":
    main()
