"""A masked language model: what it would write in a place, and what a word there does to the sentence.

The model is any that ``transformers`` can load for masked words (BERT, RoBERTa, …), from a folder or by name:
``pip install torch transformers``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from usim.benchmarks.case import Candidate
from usim.benchmarks.transformer import Transformer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_PIECES = 4  # of a candidate: longer ones are left out
_BATCH = 32


class InPlace(NamedTuple):
    """A sentence in pieces, special ones too, with its target as the single piece at ``place``."""

    pieces: tuple[int, ...]
    place: int

    @property
    def target(self) -> int:
        """The piece of the target."""
        return self.pieces[self.place]

    def put(self, piece: int) -> tuple[int, ...]:
        """Return the pieces with another one in the place of the target."""
        return (*self.pieces[: self.place], piece, *self.pieces[self.place + 1 :])


class MaskedModel(Transformer):
    """A masked language model with its tokeniser; errors are as for :class:`~usim.benchmarks.transformer.Transformer`.

    Args:
        name: a folder, or a name that ``transformers`` knows.
        context: whether the whole sentence comes before the masked one.
        device: where it runs, e.g. ``cpu`` or ``cuda``.
        attention: whether the model must give its attention, as validation scores need; it is slower then.
    """

    def __init__(self, name: str, *, context: bool = True, device: str = "cpu", attention: bool = False) -> None:
        settings = {"attn_implementation": "eager"} if attention else {}
        super().__init__(name, "a masked language model needs", device=device, **settings)
        self.has_attention = attention
        self._context = context

    @property
    def short_name(self) -> str:
        """The name for signatures, without folders."""
        return self.name.rstrip("/").split("/")[-1]

    @property
    def signature(self) -> str:
        """The model, and what it is shown of a sentence."""
        return f"model:{self.short_name}|sees:{'pair' if self._context else 'masked'}"

    def word_of(self, piece: int) -> str:
        """Return the word that a piece of the vocabulary is."""
        return str(self.tokeniser.decode([piece])).strip()

    def in_place(self, words: Sequence[str], start: int, end: int) -> InPlace | None:
        """Return a sentence in pieces with its target, words[start:end], as one piece; None where it is too long.

        A target of several pieces stands as its longest one, as Lee et al. (2021) have it.
        """
        target = self.pieces(" ".join(words[start:end]))
        if not target:
            return None
        longest = max(target, key=lambda piece: len(self.word_of(piece)))
        before, after = self.pieces(" ".join(words[:start])), self.pieces(" ".join(words[end:]))
        pieces = (*self.head, *before, longest, *after, *self.tail)
        return InPlace(pieces, len(self.head) + len(before)) if len(pieces) <= self.most else None

    def unmasked(self, sentence: InPlace, *, dropout: float = 0.0, seed: int = 0) -> npt.NDArray[np.float32]:
        """Compute the log-probabilities of pieces, (vocabulary,), in the place of a target that is there to see.

        Args:
            sentence: see :meth:`in_place`.
            dropout: the share of the dimensions of the target's embedding that are set to zero, so that the model sees
                it in part (Zhou et al. 2019, section 2.1), in [0, 1].
            seed: which ones they are, together with the sentence and the place.
        """
        import numpy as np

        ids = self.torch.tensor([sentence.pieces], device=self.device)
        with self.torch.inference_mode():
            embedded = self.body.get_input_embeddings()(ids)
            if dropout:
                digest = zlib.crc32(repr((seed, sentence)).encode())
                kept = np.random.default_rng(digest).random(embedded.shape[-1]) >= dropout
                embedded[0, sentence.place] *= self.torch.tensor(kept, device=self.device)
            logits = self.body(inputs_embeds=embedded, attention_mask=self.torch.ones_like(ids)).logits
            scores: npt.NDArray[np.float32] = logits[0, sentence.place].float().log_softmax(-1).cpu().numpy()
        return scores

    def validated(self, sentence: InPlace, pieces: Sequence[int]) -> npt.NDArray[np.float64]:
        """Compute how little pieces, in the place of the target, change a sentence; an array (pieces,).

        That is s_v of Zhou et al. (2019, section 2.2): the cosines of each place's representation before and after, a
        representation being the last four layers put together, weighted by the attention that the place pays to the
        target, the mean of all heads of all layers.
        """
        import numpy as np

        torch = self.torch
        rows = [sentence.pieces, *(sentence.put(piece) for piece in pieces)]
        layers, weights = [], None
        with torch.inference_mode():
            for first in range(0, len(rows), _BATCH):
                ids = torch.tensor(rows[first : first + _BATCH], device=self.device)
                given = self.body(input_ids=ids, output_hidden_states=True, output_attentions=True)
                layers.append(torch.cat(given.hidden_states[-4:], dim=-1).float())
                if weights is None:
                    heads = torch.stack([attention[0].float().mean(0) for attention in given.attentions])
                    weights = heads.mean(0)[:, sentence.place]
            states = torch.cat(layers)
            cosines = torch.nn.functional.cosine_similarity(states[:1], states[1:], dim=-1)
            scores = (cosines * weights).sum(-1).cpu().numpy()
        return np.asarray(scores, dtype=np.float64)

    def distributions(
        self, sentences: Sequence[tuple[Sequence[str], int, int, int]]
    ) -> list[npt.NDArray[np.float32] | None]:
        """Compute the log-probabilities of pieces at masked places.

        Args:
            sentences: words, the first word and the word after the last to mask, and the number of masks.

        Returns:
            for each an array (masks, vocabulary); None where the sentence is too long for the model.
        """
        distributions: list[npt.NDArray[np.float32] | None] = [None] * len(sentences)
        rows: list[tuple[int, Any]] = []
        for place, sentence in enumerate(sentences):
            row = self._encoded(*sentence)
            if len(row["input_ids"]) <= self.most:
                rows.append((place, row))
        rows.sort(key=lambda row: len(row[1]["input_ids"]))
        for first in range(0, len(rows), _BATCH):
            block = rows[first : first + _BATCH]
            batch = self.tokeniser.pad([row for _, row in block], return_tensors="pt").to(self.device)
            with self.torch.inference_mode():
                logits = self.body(**batch).logits
                for number, (place, _) in enumerate(block):
                    masks = (batch["input_ids"][number] == self.tokeniser.mask_token_id).nonzero()[:, 0]
                    distributions[place] = logits[number, masks].float().log_softmax(-1).cpu().numpy()
        return distributions

    def _encoded(self, words: Sequence[str], start: int, end: int, masks: int) -> Any:
        """Encode a sentence with masks in the place of some words, with ``context`` after the whole sentence."""
        mask = self.tokeniser.mask_token
        # The sentence itself may contain the mask's text.
        plain = [word.replace(mask, "") for word in words]
        masked = " ".join([*plain[:start], *[mask] * masks, *plain[end:]])
        if not self._context:
            return self.tokeniser(masked)
        return self.tokeniser(" ".join(plain), masked)

    def ranked(
        self, words: Sequence[str], start: int, end: int, candidates: Iterable[str]
    ) -> tuple[list[Candidate], float]:
        """Rank candidates by how likely they are in the place of the target words[start:end], the likeliest first.

        Those of more than four pieces are left out.

        Returns:
            the candidates, and the log-probability of the target itself; nothing, and minus infinity, where the
            sentence is too long for the model.
        """
        in_pieces = {text: self.pieces(text) for text in dict.fromkeys(candidates)}
        in_pieces = {text: pieces for text, pieces in in_pieces.items() if 0 < len(pieces) <= _PIECES}
        target = self.pieces(" ".join(words[start:end]))
        sizes = sorted({len(target), *map(len, in_pieces.values())})
        distributions = self.distributions([(words, start, end, size) for size in sizes])
        by_size = {size: scores for size, scores in zip(sizes, distributions, strict=True) if scores is not None}
        if len(by_size) < len(sizes):
            return [], float("-inf")

        def score(pieces: Sequence[int]) -> float:
            scores = by_size[len(pieces)]
            return float(sum(scores[place, piece] for place, piece in enumerate(pieces))) / len(pieces)

        scored = [Candidate(text, score(pieces)) for text, pieces in in_pieces.items()]
        return sorted(scored, key=lambda candidate: (-candidate.score, candidate.text)), score(target)
