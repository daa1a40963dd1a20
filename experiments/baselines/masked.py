"""A masked language model as a system: the words that it would write in the place of a given target.

How much of the target the model is shown is one of :data:`METHODS`, the names of Lee et al. (2021):

- ``mask``: nothing (BERT-M);
- ``keep``: all of it: the model's distribution over the place of the word itself (BERT-K).

Candidates are the words of the vocabulary that are one piece of small letters.

The model is any that ``transformers`` can load for masked words (BERT, RoBERTa, …), from a folder or by name:
``pip install torch transformers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.baselines.given import Candidate, GivenTarget
from usim.errors import InputError, extra

METHODS = ("mask", "keep")
#: How subword vocabularies mark a piece that begins a word.
_BEGINNINGS = ("Ġ", "▁")


class Masked:
    """Proposes at most ``k`` words that a masked language model finds likeliest in the place of a target.

    The model is a folder, or a name that ``transformers`` knows.

    Raises:
        InputError: ``torch`` or ``transformers`` is not installed, or the model cannot be loaded or has no mask.
    """

    def __init__(self, name: str, *, method: str = "mask", k: int = 10) -> None:
        self._torch, transformers = (
            extra(library, "masked language models need") for library in ("torch", "transformers")
        )
        try:
            self._tokeniser: Any = transformers.AutoTokenizer.from_pretrained(name)
            self._model: Any = transformers.AutoModelForMaskedLM.from_pretrained(name).eval()
        except (OSError, ValueError, RuntimeError, KeyError) as e:
            raise InputError(f"the model cannot be loaded: {str(e).splitlines()[0]}", path=name) from e
        if self._tokeniser.mask_token_id is None:
            raise InputError("the model has no mask: a masked language model is needed", path=name)
        self._method, self._k = method, k
        self.signature = f"masked|model:{name.rstrip('/').split('/')[-1]}|sees:{method}|vocabulary|k:{k}"
        # RoBERTa counts its positions from 2.
        positions = getattr(self._model.config, "max_position_embeddings", 512) - 2
        self._longest = int(min(positions, self._tokeniser.model_max_length))

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return substitutes for a target, the likeliest first; none where its context is too long for the model."""
        show = self._masked if self._method == "mask" else self._kept
        pieces, place = show(target.words, target.start, target.end)
        if place < 0 or len(pieces) > self._longest:
            return []
        ids = self._torch.tensor([pieces])
        with self._torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=self._torch.ones_like(ids)).logits
        scores = logits[0, place].float().log_softmax(-1).numpy()[self._proposed]
        likeliest = np.argsort(-scores, kind="stable")[: self._k + 8]
        candidates = [Candidate(self._word(self._proposed[row]), float(scores[row])) for row in likeliest]
        return [candidate for candidate in candidates if candidate.text.lower() != target.text.lower()][: self._k]

    @cached_property
    def _proposed(self) -> npt.NDArray[np.int64]:
        """The numbers of the pieces that are whole words of small letters, in ascending order."""
        pieces = self._tokeniser.convert_ids_to_tokens(list(range(len(self._tokeniser))))
        special = set(self._tokeniser.all_special_ids)
        is_marked = any(piece.startswith(_BEGINNINGS) for piece in pieces if piece)
        words = (
            (number, piece[is_marked:])
            for number, piece in enumerate(pieces)
            if number not in special and (not is_marked or piece.startswith(_BEGINNINGS))
        )
        return np.array([n for n, word in words if len(word) > 1 and word.isalpha() and word.islower()], np.int64)

    def _masked(self, words: Sequence[str], start: int, end: int) -> tuple[list[int], int]:
        """Return a sentence in pieces with a mask for the target, and the place of the mask."""
        mask = self._tokeniser.mask_token
        plain = [word.replace(mask, "") for word in words]  # the sentence itself may contain the mask's text
        pieces = self._tokeniser(" ".join([*plain[:start], mask, *plain[end:]]))["input_ids"]
        return pieces, pieces.index(self._tokeniser.mask_token_id)

    def _kept(self, words: Sequence[str], start: int, end: int) -> tuple[list[int], int]:
        """Return a sentence in pieces, of the target the longest alone (Lee et al. 2021), and its place, or -1."""
        before, target, after = map(self._pieces, (words[:start], words[start:end], words[end:]))
        special = self._tokeniser("")["input_ids"]
        head = (len(special) + 1) // 2
        longest = max(target, key=lambda piece: len(self._word(piece)), default=-1)
        place = -1 if longest < 0 else head + len(before)
        return [*special[:head], *before, longest, *after, *special[head:]], place

    def _pieces(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the pieces of words in the middle of a sentence."""
        pieces: list[int] = self._tokeniser(" " + " ".join(words), add_special_tokens=False)["input_ids"]
        return pieces

    def _word(self, piece: int) -> str:
        return str(self._tokeniser.decode([piece])).strip()
