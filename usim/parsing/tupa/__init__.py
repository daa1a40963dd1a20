"""TUPA as a parser: ``tupa:MODEL``."""

from __future__ import annotations

from usim.parsing.tupa.parser import ENVIRONMENT, TupaParser, default_environment

__all__ = ["ENVIRONMENT", "TupaParser", "default_environment"]
