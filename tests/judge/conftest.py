"""The scorers that tests of judges share."""

import pytest

from usim import Scorer


@pytest.fixture(scope="session")
def scorer() -> Scorer:
    return Scorer()


@pytest.fixture(scope="session")
def fast() -> Scorer:
    """A scorer with the small model."""
    return Scorer(model="en-fast")
