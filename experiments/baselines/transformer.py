"""Models of the user's that ``transformers`` loads, and vectors of tokens by them.

Any encoder with a fast tokeniser makes vectors for :func:`experiments.baselines.rankers.by_context`. SWORDS ranks by
the last layer of ``bert-large-uncased`` (Lee et al. 2021, section 5.1).
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import InputError, UsimError

#: How subword vocabularies mark a piece that begins a word.
_BEGINNINGS = ("Ġ", "▁")
_BATCH = 16


class Transformer:
    """A model with its tokeniser: ``pip install torch transformers``. ``most`` is how many pieces it can take.

    Args:
        name: a folder, or a name that ``transformers`` knows.
        what: what the libraries are needed for, for the message where they are missing.
        kind: the class of ``transformers`` that loads the model.
        device: where it runs, e.g. ``cpu`` or ``cuda``.
        settings: what that class is given beside the name.

    Raises:
        UsimError: ``transformers`` or ``torch`` is not installed.
        InputError: the model cannot be loaded, or has no mask and is to be one for masked words.
    """

    def __init__(
        self, name: str, what: str, *, kind: str = "AutoModelForMaskedLM", device: str = "cpu", **settings: Any
    ) -> None:
        try:
            self.torch: Any = importlib.import_module("torch")
            transformers = importlib.import_module("transformers")
        except ImportError as e:
            raise UsimError(f"{what} transformers and torch: pip install torch transformers") from e
        try:
            self.tokeniser: Any = transformers.AutoTokenizer.from_pretrained(name)
            self.body: Any = getattr(transformers, kind).from_pretrained(name, **settings).to(device).eval()
        except (OSError, ValueError, RuntimeError, KeyError) as e:
            raise InputError(f"the model cannot be loaded: {str(e).splitlines()[0]}", path=name) from e
        if kind == "AutoModelForMaskedLM" and self.tokeniser.mask_token_id is None:
            raise InputError("the model has no mask: a masked language model is needed", path=name)
        self.name = name
        self.device = device
        # RoBERTa counts its positions from 2.
        positions = getattr(self.body.config, "max_position_embeddings", 512) - 2
        self.most = int(min(positions, self.tokeniser.model_max_length))
        special = self.tokeniser("")["input_ids"]
        self.head, self.tail = special[: (len(special) + 1) // 2], special[(len(special) + 1) // 2 :]

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a word or phrase in the middle of a sentence."""
        pieces: list[int] = self.tokeniser(" " + text, add_special_tokens=False)["input_ids"]
        return pieces

    @cached_property
    def words(self) -> dict[int, str]:
        """The pieces that are whole words of small letters, by their numbers, in ascending order."""
        pieces = self.tokeniser.convert_ids_to_tokens(list(range(len(self.tokeniser))))
        special = set(self.tokeniser.all_special_ids)
        marked = any(piece.startswith(_BEGINNINGS) for piece in pieces if piece)
        texts = {
            number: piece[1:] if marked and piece.startswith(_BEGINNINGS) else "" if marked else piece
            for number, piece in enumerate(pieces)
            if number not in special
        }
        return {n: word for n, word in texts.items() if len(word) > 1 and word.isalpha() and word.islower()}

    @cached_property
    def _numbers(self) -> npt.NDArray[np.int64]:
        return np.array(list(self.words), dtype=np.int64)

    def likeliest(self, scores: npt.NDArray[Any], k: int) -> list[int]:
        """Return the k pieces that are whole words with the highest of the scores (vocabulary,), the highest first."""
        order = np.argsort(-scores[self._numbers], kind="stable")[:k]
        return [int(piece) for piece in self._numbers[order]]


class TransformerVectors(Transformer):
    """Makes a vector of length ``lower`` for each token of a sentence: the mean of the last layer over its pieces.

    Arguments and errors are those of :class:`Transformer`.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "vectors of a model of yours need", kind="AutoModel")
        self.lower = int(self.body.config.hidden_size)
        self.most = min(int(getattr(self.body.config, "max_position_embeddings", 512)), 512)

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[npt.NDArray[np.float32]]:
        """Return the vectors of the tokens of each sentence, (tokens, lower).

        Tokens beyond what the model can take have a vector of zeros.
        """
        vectors: list[npt.NDArray[np.float32]] = []
        for start in range(0, len(sentences), _BATCH):
            batch = [list(tokens) for tokens in sentences[start : start + _BATCH]]
            pieces = self.tokeniser(
                batch,
                is_split_into_words=True,
                truncation=True,
                max_length=self.most,
                padding=True,
                return_tensors="pt",
            )
            with self.torch.inference_mode():
                states = self.body(**pieces).last_hidden_state.float().numpy()
            for row, tokens in enumerate(batch):
                sums = np.zeros((len(tokens), self.lower), np.float32)
                counts = np.zeros(len(tokens), np.float32)
                for place, token in enumerate(pieces.word_ids(row)):
                    if token is not None:
                        sums[token] += states[row, place]
                        counts[token] += 1
                vectors.append((sums / np.maximum(counts, 1)[:, None]).astype(np.float32))
        return vectors
