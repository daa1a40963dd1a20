"""The examples of the documentation run."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_docs() -> None:
    failed, tried = doctest.testfile(
        str(Path(__file__).parents[2] / "docs/how-to/suggestions.md"), module_relative=False, encoding="utf-8"
    )
    assert tried > 20
    assert failed == 0
