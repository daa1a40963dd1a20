"""What ``usim tune`` found, as a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from usim.judge import Thresholds
from usim.judge.tuning import CurvePoint
from usim.text import aligned

_LINES = 20  # of the table


def tuning_lines(record: dict[str, Any], points: Sequence[CurvePoint], thresholds: Thresholds) -> Iterator[str]:
    """Yield what was found, as the file of the tuning has it, as lines for the terminal."""
    counts = record["found"]
    yield f"{counts['pairs']} pairs, {counts['faithful']} faithful and {counts['pairs'] - counts['faithful']} not"
    wrong, right = _share(counts["kept_wrong"]), _share(counts["dropped_right"])
    yield f"keep from {thresholds.keep:.5f}: {counts['keep']} pairs, {wrong} of them unfaithful"
    yield f"drop below {thresholds.drop:.5f}: {counts['drop']} pairs, {right} of them faithful"
    yield f"review: {counts['review']} pairs"
    yield (
        f"Brier score: {counts['brier_before']:.4f} before, {counts['brier']:.4f} after the map "
        f"({record['map']['kind']}), {counts['brier_held_out']:.4f} on held-out fifths"
    )
    yield ""
    rows = [["threshold", "kept", "of them unfaithful", "dropped", "of them faithful"]]
    for point in thinned(points):
        kept, dropped = f"{point.kept:.1%}", f"{1 - point.kept:.1%}"
        rows.append([f"{point.threshold:.4f}", kept, _share(point.kept_wrong), dropped, _share(point.dropped_right)])
    yield from aligned(rows, right=range(5))
    yield record["signature"]


def thinned(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    """Return at most some twenty points of a curve, its ends among them."""
    if len(points) <= _LINES:
        return list(points)
    return [points[round(k * (len(points) - 1) / _LINES)] for k in range(_LINES + 1)]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
