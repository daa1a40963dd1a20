"""One Harper for all tests, because its process takes longer to start than to check a text."""

from __future__ import annotations

import pytest

from usim.checkers import load_checker
from usim.checkers._harper import HarperChecker


@pytest.fixture(scope="session")
def harper() -> HarperChecker:
    pytest.importorskip("harper")
    checker = load_checker("harper")
    assert isinstance(checker, HarperChecker)
    return checker
