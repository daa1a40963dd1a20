"""A sieve before the label scores: which spans may have a label at all.

Of the n (n + 1) / 2 spans of a sentence at most 2 n - 1 stand in its tree, and for most of the others this is plain.
The sieve looks at a span in the cheapest way there is: a short vector for each fence as a start, one as an end, and
their product (a biaffine score; Dozat & Manning 2017); a hidden layer over each span costs more and ranks no better.
Only the spans that pass get the scores of their labels. It learns from what those scores were for the sentences of
training, from the finished graph, and judges nothing by itself: a span passes if the network may give it a label, right
or wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import nn

Floats = npt.NDArray[np.float32]

WIDTH = 64
#: The most sentences that the sieve is trained on.
SENTENCES = 6000
#: The share of spans with a label that has to pass, on sentences that are held out.
RECALL = 0.9995
#: The score from which a span counts as one with a label there: new sentences have more doubtful spans.
_SURE = -0.5
#: One sentence in so many is held out, to choose the threshold on.
_HELD_OUT = 4
#: The score from which a span should pass: its label could win if numbers change a little.
_ALMOST = -2.0
#: How much more it counts to lose a span with a label than to let another pass.
_WEIGHT = 10.0
_EPOCHS = 12
_BATCH = 32
_RATE = 3e-3


class Sieve(NamedTuple):
    """The weights: matrices (2 * width of a piece, vector) and biases (vector,) for a fence as start and as end.

    A span passes if the product of its two vectors is larger than the threshold.
    """

    left: Floats
    left_bias: Floats
    right: Floats
    right_bias: Floats
    threshold: float


class Seen(NamedTuple):
    """What the network made of a sentence: its fences (fences, 2 * width), and the best score of each longer span."""

    fences: npt.NDArray[np.float16]
    start: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    best: Floats


def look(session: Any, feeds: Iterable[Mapping[str, Any]]) -> list[Seen]:
    """Run a graph without a sieve on sentences and keep fences and scores."""
    seen = []
    for feed in feeds:
        pieces, best = session.run(["pieces", "score"], dict(feed))
        fences = np.concatenate([pieces[0][feed["before"][0]], pieces[0][feed["after"][0]]], axis=1)
        longer = feed["end"] - feed["start"] > 1  # single words always pass
        start, end = feed["start"][longer], feed["end"][longer]
        seen.append(Seen(fences.astype(np.float16), start, end, best.reshape(-1)[longer]))
    return seen


def train(seen: Sequence[Seen], *, width: int = WIDTH) -> Sieve:
    """Train a sieve on the kept fences and scores of sentences, some of which are held out."""
    if not seen:
        raise ValueError("a sieve is trained on sentences, and there are none")
    inputs = seen[0].fences.shape[1]
    rng = random.Random(1)
    order = list(range(len(seen)))
    rng.shuffle(order)
    held = set(order[::_HELD_OUT])
    state = torch.get_rng_state()
    torch.manual_seed(1)
    left, right = nn.Linear(inputs, width), nn.Linear(inputs, width)
    bias = nn.Parameter(torch.zeros(()))
    torch.set_rng_state(state)
    parameters = [*left.parameters(), *right.parameters(), bias]
    optimizer = torch.optim.AdamW(parameters, lr=_RATE, weight_decay=0.01)
    chunks = _chunks([seen[k] for k in order if k not in held] or list(seen))
    total = _EPOCHS * len(chunks)
    for step in range(total):
        if step % len(chunks) == 0:
            rng.shuffle(chunks)
        fences, place, best = chunks[step % len(chunks)]
        scores = _scores(left, right, fences, place) + bias
        loss = F.binary_cross_entropy_with_logits(
            scores, (best > _ALMOST).float(), 1 + (_WEIGHT - 1) * (best > 0).float(), reduction="sum"
        ) / len(fences)
        for group in optimizer.param_groups:
            group["lr"] = _RATE * min(1.0, (step + 1) / (0.1 * total)) * (1 - step / total)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        thresholds = []
        for part in ([seen[k] for k in order if k in held], [seen[k] for k in order if k not in held]):
            parts = [(best, _scores(left, right, fences, place)) for fences, place, best in _chunks(part)]
            good = np.concatenate([scores[best > _SURE].numpy() for best, scores in parts] or [np.zeros(0)])
            if len(good):
                thresholds.append(float(np.quantile(good, 1 - RECALL, method="lower")))
        weights = [t.detach().numpy() for t in (left.weight.T, left.bias, right.weight.T, right.bias)]
    # Each has a half of the division in `_scores`.
    weights = [np.ascontiguousarray(weight) * np.float32(width**-0.25) for weight in weights]
    # What sits on the threshold passes; the graph has it in 32 bits.
    threshold = np.nextafter(np.float32(min(thresholds, default=0.0)), np.float32(-np.inf))
    return Sieve(*weights, threshold=float(threshold))


def _scores(left: Any, right: Any, fences: Any, place: Any) -> Any:
    products = left(fences) @ right(fences).transpose(1, 2) / left.out_features**0.5
    return products.flatten()[place]


def _chunks(seen: Sequence[Seen]) -> list[tuple[Any, Any, Any]]:
    """Yield sentences of like length: fences (sentences, fences, inputs), places of the spans, scores."""
    chunks = []
    ordered = sorted(seen, key=lambda s: len(s.fences))
    for at in range(0, len(ordered), _BATCH):
        chunk = ordered[at : at + _BATCH]
        most = max(len(s.fences) for s in chunk)
        fences = np.zeros((len(chunk), most, chunk[0].fences.shape[1]), np.float32)
        for b, s in enumerate(chunk):
            fences[b, : len(s.fences)] = s.fences
        place = np.concatenate([(b * most + s.start) * most + s.end for b, s in enumerate(chunk)])
        best = np.concatenate([s.best for s in chunk])
        chunks.append((torch.from_numpy(fences), torch.from_numpy(place), torch.from_numpy(best)))
    return chunks
