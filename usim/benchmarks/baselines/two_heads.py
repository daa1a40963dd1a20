"""A masked language model with two heads over a sentence that is fully seen: which words could be better, and what.

The first head says of every word whether a target begins with it, goes on with it, or neither; the second is the
model's own head for masked words, which learns to give the better word in the place of the target's first piece. Wang
et al. (2023) fine-tune BERT with the second head alone and name the words that it changes.

A folder of weights is one that ``transformers`` reads, with two more files: :data:`DETECTION`, the weights of the first
head, and :data:`ABOUT`, how it was trained.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from usim.benchmarks.transformer import check_mask, import_libraries, loading

#: Files of a folder of weights, beside those of ``transformers``.
DETECTION = "detection.pt"
ABOUT = "usim.json"
#: What the first head says of a word: no target, the first word of one, another word of it.
OUTSIDE, BEGIN, INSIDE = range(3)
#: What a loss leaves out.
_IGNORED = -100


class Example(NamedTuple):
    """A sentence to learn from: its words, and its targets as first word, word after the last, the better words."""

    words: tuple[str, ...]
    targets: tuple[tuple[int, int, str], ...]


class Encoded(NamedTuple):
    """A sentence in pieces, special ones too, and the place of each word's first piece."""

    pieces: tuple[int, ...]
    places: tuple[int, ...]


class TwoHeads:
    """The model with its two heads.

    Args:
        name: a folder or a name of a masked language model to start from, or a folder that was trained.
        device: where it runs, e.g. ``cpu`` or ``cuda``.

    Raises:
        UsimError: ``transformers`` or ``torch`` is not installed.
        InputError: the model cannot be loaded, or has no mask.
    """

    def __init__(self, name: str, *, device: str = "cpu") -> None:
        self.torch, transformers = import_libraries("a trained baseline needs")
        self.name = name
        self.device = device
        with loading(name, KeyError):
            self._tokeniser: Any = transformers.AutoTokenizer.from_pretrained(name)
            self.body: Any = transformers.AutoModelForMaskedLM.from_pretrained(name).to(device)
            self.head: Any = self.torch.nn.Linear(self.body.config.hidden_size, 3).to(device)
            weights = Path(name) / DETECTION
            if weights.exists():
                self.head.load_state_dict(self.torch.load(weights, map_location=device, weights_only=True))
        check_mask(self._tokeniser, name)
        special = self._tokeniser("")["input_ids"]
        self._special = special[: (len(special) + 1) // 2], special[(len(special) + 1) // 2 :]
        # RoBERTa counts its positions from 2.
        self._most = getattr(self.body.config, "max_position_embeddings", 512) - 2
        self.pieces = lru_cache(maxsize=100_000)(self._pieces)

    def start(self, seed: int) -> None:
        """Draw the weights of the first head."""
        generator = self.torch.Generator().manual_seed(seed)
        with self.torch.no_grad():
            drawn = self.torch.randn(self.head.weight.shape, generator=generator) * 0.02
            self.head.weight.copy_(drawn)
            self.head.bias.zero_()

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Return the pieces of a word within a sentence."""
        pieces = self._tokeniser(" " + word, add_special_tokens=False)["input_ids"]
        return tuple(pieces) or (self._tokeniser.unk_token_id,)

    def encode(self, words: Sequence[str]) -> Encoded | None:
        """Return a sentence in pieces; None where it is too long for the model or has no word."""
        head, tail = self._special
        pieces = list(head)
        places = []
        for word in words:
            places.append(len(pieces))
            pieces += self.pieces(word)
        pieces += tail
        return Encoded(tuple(pieces), tuple(places)) if words and len(pieces) <= self._most else None

    def word_pieces(self) -> dict[int, str]:
        """Return the pieces that are whole words of small letters."""
        pieces = self._tokeniser.convert_ids_to_tokens(list(range(len(self._tokeniser))))
        special = set(self._tokeniser.all_special_ids)
        beginnings = ("Ġ", "▁")
        marked = any(piece.startswith(beginnings) for piece in pieces if piece)
        words = {
            number: piece[1:] if marked and piece.startswith(beginnings) else "" if marked else piece
            for number, piece in enumerate(pieces)
            if number not in special
        }
        return {n: word for n, word in words.items() if len(word) > 1 and word.isalpha() and word.islower()}

    def forward(self, rows: Sequence[Encoded]) -> tuple[Any, Any]:
        """Compute both heads.

        Returns:
            the logits of the first head, a tensor (rows, pieces, 3), and of the second, (rows, pieces, vocabulary).
        """
        longest = max(len(row.pieces) for row in rows)
        padding = self._tokeniser.pad_token_id or 0
        ids = [[*row.pieces, *[padding] * (longest - len(row.pieces))] for row in rows]
        mask = [[1] * len(row.pieces) + [0] * (longest - len(row.pieces)) for row in rows]
        given = self.body(
            input_ids=self.torch.tensor(ids, device=self.device),
            attention_mask=self.torch.tensor(mask, device=self.device),
            output_hidden_states=True,
        )
        return self.head(given.hidden_states[-1]), given.logits

    def loss(self, rows: Sequence[tuple[Encoded, Example]]) -> Any:
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
                pieces = self.pieces(text)
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
        self._tokeniser.save_pretrained(folder)
        self.torch.save(self.head.state_dict(), folder / DETECTION)
        (folder / ABOUT).write_text(json.dumps(about, indent=1, sort_keys=True) + "\n", encoding="utf-8")
