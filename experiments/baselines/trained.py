"""A masked language model with two heads over a sentence that is fully seen: which words could be better, and what.

The first head says of every word whether a target begins with it, goes on with it, or neither; the second is the
model's own head for masked words, which learns to give the better word in the place of the target's first piece. Wang
et al. (2023) fine-tune BERT with the second head alone and name the words that it changes.

A folder of weights, which :func:`experiments.baselines.train.train` makes, is one that ``transformers`` reads, with
two more files: :data:`DETECTION`, the weights of the first head, and :data:`ABOUT`, how it was trained. As a system
(:class:`Trained`), the model begins a target with a word of which the first head says so with at least ``threshold``,
and goes on while the first head says that the next word belongs to it. Suggestions are the likeliest words of the
second head.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.baselines.given import Candidate, GivenTarget
from experiments.baselines.transformer import Transformer
from usim.errors import InputError
from usim.text import Span

Values = npt.NDArray[np.float64]

#: Files of a folder of weights, beside those of ``transformers``.
DETECTION = "detection.pt"
ABOUT = "usim.json"
#: What the first head says of a word: no target, the first word of one, another word of it.
OUTSIDE, BEGIN, INSIDE = range(3)
#: What a loss leaves out.
_IGNORED = -100


class TrainingSentence(NamedTuple):
    """A sentence to learn from: its words, and its targets as first word, word after the last, the better words."""

    words: tuple[str, ...]
    targets: tuple[tuple[int, int, str], ...]


class Encoded(NamedTuple):
    """A sentence in pieces, special ones too, and the place of each word's first piece."""

    pieces: tuple[int, ...]
    places: tuple[int, ...]


class TwoHeads(Transformer):
    """The model with its two heads; errors are those of :class:`~experiments.baselines.transformer.Transformer`.

    Args:
        name: a folder or a name of a masked language model to start from, or a folder that was trained.
        device: where it runs, e.g. ``cpu`` or ``cuda``.
    """

    def __init__(self, name: str, *, device: str = "cpu") -> None:
        super().__init__(name, "a trained baseline needs", device=device)
        self.detection: Any = self.torch.nn.Linear(self.body.config.hidden_size, 3).to(device)
        weights = Path(name) / DETECTION
        if weights.exists():
            self.detection.load_state_dict(self.torch.load(weights, map_location=device, weights_only=True))
        self._pieces_of = lru_cache(maxsize=100_000)(self._word_pieces)

    def start(self, seed: int) -> None:
        """Draw the weights of the first head."""
        generator = self.torch.Generator().manual_seed(seed)
        with self.torch.no_grad():
            drawn = self.torch.randn(self.detection.weight.shape, generator=generator) * 0.02
            self.detection.weight.copy_(drawn)
            self.detection.bias.zero_()

    def _word_pieces(self, word: str) -> tuple[int, ...]:
        return tuple(self.pieces(word)) or (self.tokeniser.unk_token_id,)

    def encode(self, words: Sequence[str]) -> Encoded | None:
        """Return a sentence in pieces; None where it is too long for the model or has no word."""
        pieces = list(self.head)
        places = []
        for word in words:
            places.append(len(pieces))
            pieces += self._pieces_of(word)
        pieces += self.tail
        return Encoded(tuple(pieces), tuple(places)) if words and len(pieces) <= self.most else None

    def forward(self, rows: Sequence[Encoded]) -> tuple[Any, Any]:
        """Compute both heads.

        Returns:
            the logits of the first head, a tensor (rows, pieces, 3), and of the second, (rows, pieces, vocabulary).
        """
        longest = max(len(row.pieces) for row in rows)
        padding = self.tokeniser.pad_token_id or 0
        ids = [[*row.pieces, *[padding] * (longest - len(row.pieces))] for row in rows]
        mask = [[1] * len(row.pieces) + [0] * (longest - len(row.pieces)) for row in rows]
        given = self.body(
            input_ids=self.torch.tensor(ids, device=self.device),
            attention_mask=self.torch.tensor(mask, device=self.device),
            output_hidden_states=True,
        )
        return self.detection(given.hidden_states[-1]), given.logits

    def loss(self, rows: Sequence[tuple[Encoded, TrainingSentence]]) -> Any:
        """Compute the loss of sentences: the cross-entropies of the two heads, added up.

        The second head learns from targets whose better word is a single piece, as in the authors' training.
        """
        detection, suggestion = self.forward([encoded for encoded, _ in rows])
        shape = detection.shape[:2]
        labels = self.torch.full(shape, _IGNORED, device=self.device)
        better = self.torch.full(shape, _IGNORED, device=self.device)
        for number, (encoded, example) in enumerate(rows):
            labels[number, list(encoded.places)] = OUTSIDE
            for start, end, text in example.targets:
                labels[number, list(encoded.places[start:end])] = INSIDE
                labels[number, encoded.places[start]] = BEGIN
                pieces = self._pieces_of(text)
                if len(pieces) == 1:
                    better[number, encoded.places[start]] = pieces[0]
        entropy = self.torch.nn.functional.cross_entropy
        loss = entropy(detection.flatten(0, 1), labels.flatten(), ignore_index=_IGNORED)
        if (better != _IGNORED).any():
            loss = loss + entropy(suggestion.flatten(0, 1), better.flatten(), ignore_index=_IGNORED)
        return loss

    def save(self, folder: Path, about: dict[str, Any]) -> None:
        """Write the weights into a folder that is there.

        Raises:
            OSError: it cannot be written.
        """
        self.body.save_pretrained(folder)
        self.tokeniser.save_pretrained(folder)
        self.torch.save(self.detection.state_dict(), folder / DETECTION)
        (folder / ABOUT).write_text(json.dumps(about, indent=1, sort_keys=True) + "\n", encoding="utf-8")


class Trained(TwoHeads):
    """A fine-tuned model; called with words it finds targets, and :meth:`substitutes` answers those it is given.

    Args:
        folder: a folder of weights.
        k: how many suggestions to make for a target at most.
        threshold: the probability from which a target begins with a word, in [0, 1].
        device: where the model runs.

    Raises:
        InputError: the folder was not made by training, or cannot be read.
    """

    def __init__(self, folder: str, *, k: int = 10, threshold: float = 0.5, device: str = "cpu") -> None:
        if not (Path(folder) / ABOUT).exists():
            raise InputError("no folder of a trained baseline; experiments baseline train makes one", path=folder)
        super().__init__(folder, device=device)
        self._about = json.loads((Path(folder) / ABOUT).read_text(encoding="utf-8"))
        self._k = k
        self._threshold = threshold

    @property
    def training(self) -> str:
        """The model that the training began with, and the data that it has learned from."""
        about = self._about
        start = str(about["model"]).rstrip("/").split("/")[-1]
        return f"start:{start}|data:{about['data']}|steps:{about['steps']}|seed:{about['seed']}"

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        return f"trained|{self.training}|k:{self._k}|threshold:{self._threshold:g}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the likeliest first.

        Nothing where the sentence is too long for the model.
        """
        encoded = self.encode(words)
        if encoded is None:
            return {}
        detection, suggestion = self._heads(encoded)
        suggestions: dict[Span, tuple[str, ...]] = {}
        start = 0
        while start < len(words):
            end = start + 1
            if detection[start, BEGIN] >= self._threshold and words[start][:1].isalpha():
                while end < len(words) and detection[end].argmax() == INSIDE:
                    end += 1
                candidates = self._candidates(suggestion[start], " ".join(words[start:end]))
                suggestions[start, end] = tuple(candidate.text for candidate in candidates)
            start = end
        return suggestions

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return suggestions for a target that is given; none where its context is too long for the model."""
        encoded = self.encode(target.words)
        if encoded is None:
            return []
        return self._candidates(self._heads(encoded)[1][target.start], target.text)

    def _heads(self, encoded: Encoded) -> tuple[Values, Values]:
        """Return the probabilities of the first head and the log-probabilities of the second, a row a word."""
        with self.torch.inference_mode():
            detection, suggestion = self.forward([encoded])
            places = list(encoded.places)
            first = detection[0, places].double().softmax(-1).cpu().numpy()
            second = suggestion[0, places].double().log_softmax(-1).cpu().numpy()
        return first, second

    def _candidates(self, scores: Values, target: str) -> list[Candidate]:
        pieces = self.likeliest(scores, self._k + 1)
        candidates = [Candidate(self.words[piece], float(scores[piece])) for piece in pieces]
        return [candidate for candidate in candidates if candidate.text != target.lower()][: self._k]
