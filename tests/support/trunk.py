"""The folder of a trunk that needs no model."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from training.packing import pack
from usim.parsing import _trunk as trunk
from usim.parsing.packed import GROUP, unpack
from usim.text.checksums import digest_of

LEVELS = np.linspace(-1, 1, 16, dtype=np.float32)


WORDS = ["[PAD]", "[CLS]", "[SEP]", "[MASK]", "<s>", "</s>", "<pad>", "<mask>", "[UNK]", "a", "b", "c", ".", "d"]


WIDTH = 2 * GROUP


class Session:
    """A trunk whose layers give the embeddings, times the number of the layer; it counts what it reads."""

    def __init__(self) -> None:
        self.read: list[int] = []
        self.inputs: dict[str, npt.NDArray[Any]] = {}

    names = ("layer6", "half3", "half6")

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in ("embedded", "places", "mask")]

    def get_outputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in self.names]

    def run(self, names: list[str], inputs: dict[str, npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        self.inputs = inputs
        self.read += inputs["mask"][:, 0].sum(axis=1).tolist()
        layers = [inputs["embedded"] * np.float32(name[-1]) for name in names]
        types = {"layer": np.float32, "half": np.float16}
        return [layer.astype(types[name[:-1]]) for name, layer in zip(names, layers, strict=True)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    vocabulary = {word: k for k, word in enumerate(WORDS)}
    tokenizer = {
        "model": {
            "type": "WordPiece", "vocab": vocabulary, "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
        },
        "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": None},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "added_tokens": [],
    }  # fmt: skip
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    table = np.random.default_rng(3).normal(size=(len(WORDS), WIDTH)).astype(np.float32)
    codes, scales = pack(table.T, LEVELS)
    np.save(tmp_path / "words.npy", codes.T)
    np.save(tmp_path / "scales.npy", scales.T)
    np.save(tmp_path / "levels.npy", LEVELS)
    np.save(tmp_path / "whole.npy", unpack(codes, LEVELS, scales).T)
    (tmp_path / "trunk.onnx").write_bytes(b"graph")
    (tmp_path / "weights.npz").write_bytes(b"weights")
    files = ("tokenizer.json", "words.npy", "scales.npy", "levels.npy", "trunk.onnx", "weights.npz")
    digests = ", ".join(f'"{file}": "{digest_of(tmp_path / file)}"' for file in files)
    (tmp_path / "settings.json").write_text(f'{{"name": "t", "layers": [3, 6], "sha256": {{{digests}}}}}')
    monkeypatch.setattr(trunk, "load_session", lambda *arguments: Session())
    return tmp_path
