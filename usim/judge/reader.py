"""The reader: the upper layers of an encoder that see the tokens of source and output side by side.

The trunk has read each text by itself. The reader says how likely both say the same, the source supports the output,
and the output covers the source. For each token it says how likely the other side does not say it. ``judges.reader``
trains it and says how it is built. A cross-encoder from elsewhere (:mod:`usim.judge.cross_encoder`) can replace it.

The :class:`LastLayer` weighs the logits of the reader and of the networks, and gives the probabilities of a judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from usim.evidence import Finding, SentenceView, make_finding, stretches
from usim.judge.classifier import load_graph
from usim.judge.inputs import Ints
from usim.judge.reading import ReadPair
from usim.verdicts.nouns import BANDS

#: The files of a reader in the folder of a judge.
GRAPH_FILE, WEIGHTS_FILE = "reader.onnx", "reader.npz"
#: The inputs of the graph.
_INPUTS = {"x", "side", "place"}
#: The logit of tokens that a reader did not read, and the least logit of others.
_UNREAD = -10.0
#: How many places of either side become findings at most, and the greatest weight of a finding of a network.
_MOST_PLACES, _MOST_WEIGHT = 2, 0.8
#: The distances between tokens that the graph of a reader knows are below this.
_FARTHEST = 512

Floats = npt.NDArray[np.float32]


class ReaderLogits(NamedTuple):
    """What the reader says of a pair, as logits.

    Attributes:
        said: that both say the same, that the source supports the output, that the output covers the source.
        source: for each token of the source that takes part, that the output does not say it.
        output: for each token of the output that takes part, that the source does not say it.
    """

    said: list[float]
    source: Floats
    output: Floats

    @property
    def figures(self) -> list[float]:
        """What the last layer reads: the three logits, and the largest logit of a token of either side."""
        return [*self.said, *(float(side.max(initial=_UNREAD)) for side in (self.source, self.output))]


class LastLayer:
    """A logistic regression for each output, over the logits of the networks and :attr:`ReaderLogits.figures`.

    Args:
        settings: ``bands``, the kinds of changes that the reader reads; ``weights``, eight for each of three outputs;
            ``bias``, one for each.

    Raises:
        KeyError, TypeError, ValueError: they are no such settings.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.bands = frozenset(map(str, settings["bands"]))
        self._weights = np.array(settings["weights"], np.float64).reshape(3, 8)
        self._bias = np.array(settings["bias"], np.float64).reshape(3)

    def __call__(self, logits: Sequence[float], opinion: ReaderLogits) -> list[float]:
        """Return calibrated logits: that both say the same, the output is supported, the source is covered."""
        calibrated: list[float] = (self._weights @ [*logits, *opinion.figures] + self._bias).tolist()
        return calibrated


#: The settings of the last layer for a reader that it was not fitted to.
AS_IT_IS = {"bands": BANDS, "weights": np.eye(3, 8, 3).tolist(), "bias": [0.0, 0.0, 0.0]}


class Reader:
    """A reader in onnxruntime.

    It reads ``layers`` of the judge in this folder, by their places in :attr:`ReadPair.before`.

    Raises:
        ParsingError: see :func:`usim.judge.classifier.load_graph`.
    """

    def __init__(self, folder: Path, layers: Sequence[int]) -> None:
        self._session = load_graph(folder / GRAPH_FILE, _INPUTS, folder / WEIGHTS_FILE)
        self._layers = layers

    def __call__(self, pairs: Sequence[ReadPair]) -> list[ReaderLogits]:
        """Return what the reader says of pairs, in order.

        Each pair is read alone: the greatest of the numbers that are read together decides how they are rounded, and
        the logits of a pair must not depend on other pairs.
        """
        return list(map(self._read, pairs))

    def _read(self, pair: ReadPair) -> ReaderLogits:
        source, output = pair.places
        n, m = len(source), len(output)
        tokens = np.concatenate([pair.before[source], pair.after[output]])
        x = np.hstack([tokens[:, k * pair.width : (k + 1) * pair.width] for k in self._layers])
        side, place = np.repeat([0, 1], [n, m]), np.concatenate([_near(source), _near(output)])
        feed = {"x": x[None].astype(np.float32), "side": side[None], "place": place[None].astype(np.int64)}
        said, drifted = self._session.run(["said", "tokens"], feed)
        return ReaderLogits(said[0].tolist(), drifted[0, :n], drifted[0, n:])


def _near(places: Ints) -> Ints:
    """Return the places of tokens; if they are too far apart for the graph, as if no others stood between them."""
    return places if not len(places) or places[-1] - places[0] < _FARTHEST else np.arange(len(places))


def unsaid(pair: ReadPair) -> list[Finding]:
    """Return findings of the words that the other side does not say, by the reader; the surest first.

    Neighbouring words are one place. If each side has just one, and words of one gave way to words of the other, both
    together are one change.
    """
    if pair.read is None or not len(pair.read.source):  # a reader from elsewhere says nothing about tokens
        return []
    comparison, (at, to) = pair.comparison, pair.places
    source = _places(comparison.source, at.tolist(), pair.read.source)
    output = _places(comparison.output, to.tolist(), pair.read.output)
    if len(source) == len(output) == 1:
        (weight, old), (other, new) = *source, *output
        if any(comparison.are_at_one_place(i, j) for i in old for j in new):
            return [make_finding(comparison, "unsaid", old, new, max(weight, other))]
    found = [make_finding(comparison, "unsaid.lost", old, (), weight) for weight, old in source]
    found += [make_finding(comparison, "unsaid.added", (), new, weight) for weight, new in output]
    return sorted(found, key=lambda finding: -finding.weight)


def _places(view: SentenceView, tokens: Sequence[int], logits: Floats) -> list[tuple[float, tuple[int, ...]]]:
    """Return the places that the other side most surely does not say, each with the probability as its weight."""
    chances = dict(zip(tokens, (1 / (1 + np.exp(-logits))).tolist(), strict=True))
    likely = [i for i, chance in chances.items() if chance > 0.5 and view.entries[i].is_word]
    places = [(max(map(chances.__getitem__, place)), place) for place in stretches(sorted(likely))]
    telling = [place for place in places if not all(view.entries[i].is_article for i in place[1])]
    return sorted(((min(weight, _MOST_WEIGHT), at) for weight, at in telling), reverse=True)[:_MOST_PLACES]
