"""MPNet (Song et al. 2020) over packed substitutes: one pass reads a text, and many words in the place of one word.

The pieces of the text come first and see one another. Those of each substitute follow. They have the positions of the
word that they replace. They see the text without that word, and themselves, so that a substitute costs its own pieces
alone.

The vocabulary of MPNet still holds BERT's special pieces, which mean nothing to it. The right ones are named here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional

BEGIN, PAD, END = 0, 1, 2
#: Positions are numbered from here.
_FIRST_POSITION = 2
_BUCKETS, _FARTHEST = 32, 128


class Config(NamedTuple):
    """Sizes of an encoder."""

    layers: int = 12
    width: int = 768
    heads: int = 12
    epsilon: float = 1e-5


@dataclass(frozen=True)
class Packed:
    """A text with substitutes for one of its words, as pieces.

    Attributes:
        ids: pieces of the text, then those of each substitute.
        positions: the place of each piece in the text, from 0.
        owner: 0 for the text, and the number of the substitute, from 1.
        target: which pieces of the text are those of the word, first and end.
        groups: first and end of the pieces of each substitute.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    owner: tuple[int, ...]
    target: tuple[int, int]
    groups: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.ids)


class Packer:
    """Cuts texts into word pieces and packs them with substitutes.

    Args:
        tokenizer: the word pieces.
        before, after: how many pieces of the text to keep on either side of the word.
    """

    def __init__(self, tokenizer: Tokenizer, before: int = 60, after: int = 60) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self._before, self._after = before, after
        self._pieces: dict[str, tuple[int, ...]] = {}

    def pieces(self, text: str) -> tuple[int, ...]:
        """Return the pieces of a text without special ones."""
        if text not in self._pieces:
            self._pieces[text] = tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return self._pieces[text]

    def pack(self, text: str, start: int, end: int, substitutes: Sequence[str]) -> Packed:
        """Pack a text with substitutes for its characters from ``start`` to ``end``.

        Raises:
            ValueError: no piece lies between the offsets.
        """
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        inside = [k for k, (a, b) in enumerate(encoding.offsets) if a < end and b > start]
        if not inside:
            raise ValueError(f"no word at {start}:{end} of {text!r}")
        low = max(0, inside[0] - self._before)
        high = min(len(encoding.ids), inside[-1] + 1 + self._after)
        ids = [BEGIN, *encoding.ids[low:high], END]
        first, last = inside[0] - low + 1, inside[-1] - low + 2
        positions = list(range(len(ids)))
        owner = [0] * len(ids)
        groups = []
        for number, substitute in enumerate(substitutes, start=1):
            pieces = self.pieces(substitute)
            groups.append((len(ids), len(ids) + len(pieces)))
            ids += pieces
            positions += range(first, first + len(pieces))
            owner += [number] * len(pieces)
        return Packed(tuple(ids), tuple(positions), tuple(owner), (first, last), tuple(groups))


class Batch(NamedTuple):
    """Packs as tensors: ids and positions of shape (packs, pieces), and who sees whom (packs, pieces, pieces)."""

    ids: torch.Tensor
    positions: torch.Tensor
    sees: torch.Tensor


def batch(packs: Sequence[Packed]) -> Batch:
    """Return packs side by side, filled up to the longest."""
    longest = max(map(len, packs))
    ids = np.full((len(packs), longest), PAD)
    positions = np.zeros((len(packs), longest), np.int64)
    sees = np.zeros((len(packs), longest, longest), bool)
    for k, pack in enumerate(packs):
        n = len(pack)
        ids[k, :n], positions[k, :n] = pack.ids, pack.positions
        owner = np.array(pack.owner)
        visible = owner == 0
        others = visible.copy()
        others[pack.target[0] : pack.target[1]] = False
        own = owner[:, None] == owner[None, :]
        sees[k, :n, :n] = own | ((owner > 0)[:, None] & others[None, :])
        sees[k, n:, 0] = True  # a row that sees nothing has no softmax
    return Batch(torch.from_numpy(ids), torch.from_numpy(positions), torch.from_numpy(sees))


class Encoder(torch.nn.Module):
    """The lower layers of MPNet.

    Args:
        tensors: the weights by the names that the published files have.
        layers: how many layers to keep.
        heads: heads of attention.
    """

    def __init__(self, tensors: Mapping[str, torch.Tensor], layers: int, heads: int = 12) -> None:
        super().__init__()
        self._heads = heads
        self.layers = layers
        names = [name for name in tensors if name.startswith("embeddings.") and not name.endswith("position_ids")]
        names += [name for name in tensors if _layer(name) is not None and _layer(name) < layers]  # type: ignore[operator]
        names.append("encoder.relative_attention_bias.weight")
        self._weights = torch.nn.ParameterDict(
            {name.replace(".", "/"): torch.nn.Parameter(tensors[name].clone(), requires_grad=False) for name in names}
        )

    @classmethod
    def load(cls, folder: Path, layers: int) -> Encoder:
        """Read an encoder from a folder with ``model.safetensors`` and ``config.json``."""
        config = json.loads((folder / "config.json").read_text("utf-8"))
        return cls(load_file(folder / "model.safetensors"), layers, config["num_attention_heads"])

    def weight(self, name: str) -> torch.Tensor:
        """Return a weight by its published name."""
        return self._weights[name.replace(".", "/")]

    def embed(self, given: Batch) -> torch.Tensor:
        """Return the vectors that the first layer reads, of shape (packs, pieces, width)."""
        words = self.weight("embeddings.word_embeddings.weight")[given.ids]
        places = self.weight("embeddings.position_embeddings.weight")[given.positions + _FIRST_POSITION]
        return self._norm(words + places, "embeddings.LayerNorm")

    def mask(self, given: Batch) -> torch.Tensor:
        """Return what is added to the scores of attention, of shape (packs, heads, pieces, pieces)."""
        distance = given.positions[:, None, :] - given.positions[:, :, None]
        table = self.weight("encoder.relative_attention_bias.weight")
        bias = table[buckets(distance)].permute(0, 3, 1, 2)
        return bias.masked_fill(~given.sees[:, None], float("-inf"))

    def layer(self, number: int, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the output of one layer, numbered from 0."""
        at = f"encoder.layer.{number}"
        n, length, width = x.shape

        def heads(name: str) -> torch.Tensor:
            return self._linear(x, f"{at}.attention.attn.{name}").view(n, length, self._heads, -1).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(heads("q"), heads("k"), heads("v"), attn_mask=mask)
        mixed = self._linear(mixed.transpose(1, 2).reshape(n, length, width), f"{at}.attention.attn.o")
        x = self._norm(x + mixed, f"{at}.attention.LayerNorm")
        inner = functional.gelu(self._linear(x, f"{at}.intermediate.dense"))
        return self._norm(x + self._linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")

    def forward(self, given: Batch) -> list[torch.Tensor]:
        """Return the embeddings and the output of each layer, each of shape (packs, pieces, width)."""
        x = self.embed(given)
        mask = self.mask(given)
        states = [x]
        for number in range(self.layers):
            x = self.layer(number, x, mask)
            states.append(x)
        return states

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(x, x.shape[-1:], self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), 1e-5)


def buckets(distance: torch.Tensor) -> torch.Tensor:
    """Return the bucket of each distance from a piece to the one that it sees (Raffel et al. 2020, section 2.1)."""
    half = _BUCKETS // 2
    exact = half // 2
    far = distance.abs()
    scale = math.log(_FARTHEST / exact)
    large = exact + (torch.log(far.clamp(min=1).float() / exact) / scale * (half - exact)).long()
    return torch.where(distance > 0, half, 0) + torch.where(far < exact, far, large.clamp(max=half - 1))


def _layer(name: str) -> int | None:
    parts = name.split(".")
    return int(parts[2]) if name.startswith("encoder.layer.") else None
