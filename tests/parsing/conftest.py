"""Fixtures of the tests of parsing."""

from tests.support.trunk import folder  # noqa: F401
