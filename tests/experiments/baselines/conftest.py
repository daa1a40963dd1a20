"""The tiny masked language model, for the baselines."""

from tests.benchmarks.conftest import tiny

__all__ = ["tiny"]
