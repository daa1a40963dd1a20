"""The folder of a trunk that needs no model."""

from tests.support.trunk import folder  # noqa: F401
