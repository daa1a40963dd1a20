"""usim inside other libraries: a module for each, which needs that library when it is imported; tables need none."""

from __future__ import annotations

from pathlib import Path


def evaluate_metric_path() -> str:
    """Return what ``evaluate.load`` takes to load usim as a metric; see :mod:`usim.plugins.evaluate_metric`."""
    return str(Path(__file__).with_name("evaluate_metric.py"))
