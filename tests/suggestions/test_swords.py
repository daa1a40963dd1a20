"""The contexts of SWORDS."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from usim.errors import FormatError
from usim.suggestions.swords import read_targets


def test_targets_stand_in_their_contexts(tmp_path: Path) -> None:
    target = {"context_id": "c", "target": "old", "offset": 3, "pos": "ADJ"}
    data = {"contexts": {"c": {"context": "An old house."}}, "targets": {"t": target}}
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert read_targets(path) == {"t": ("An old house.", 3, 6, "ADJ")}
    path.write_text(json.dumps(data | {"targets": {"t": target | {"offset": 4}}}), encoding="utf-8")
    with pytest.raises(FormatError, match="not at offset 4"):
        read_targets(path)
