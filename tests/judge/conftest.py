"""The scorers that tests of judges share, and the folder of a trunk that needs no model."""

import pytest

from tests.support.trunk import folder  # noqa: F401
from usim import Scorer


@pytest.fixture(scope="session")
def scorer() -> Scorer:
    return Scorer()


@pytest.fixture(scope="session")
def fast() -> Scorer:
    """A scorer with the small model."""
    return Scorer(model="en-fast")
