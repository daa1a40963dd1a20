"""What ``usim tune`` found, for people: a table and a drawing of the curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from usim.judge import Thresholds
from usim.judge.tuning import CurvePoint
from usim.text import aligned

_LINES = 20  # of the table
_WIDTH, _HEIGHT, _LEFT, _TOP, _BELOW = 640, 360, 56, 24, 52


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


def curve_svg(points: Sequence[CurvePoint], thresholds: Thresholds) -> str:
    """Draw the curve: the share of pairs that are kept, and both error rates, by threshold."""
    width, height = _WIDTH - _LEFT - 16, _HEIGHT - _TOP - _BELOW

    def x(value: float) -> float:
        return _LEFT + width * value

    def y(value: float) -> float:
        return _TOP + height * (1 - value)

    lines: dict[str, tuple[str, list[tuple[float, float | None]]]] = {
        "kept": ("pairs that are kept", [(p.threshold, p.kept) for p in points]),
        "wrong": ("kept pairs that are unfaithful", [(p.threshold, p.kept_wrong) for p in points]),
        "right": ("dropped pairs that are faithful", [(p.threshold, p.dropped_right) for p in points]),
    }
    shapes = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        shapes.append(f'<line class="grid" x1="{x(0):.1f}" y1="{y(tick):.1f}" x2="{x(1):.1f}" y2="{y(tick):.1f}"/>')
        shapes.append(f'<text x="{x(0) - 8:.1f}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.0%}</text>')
        shapes.append(f'<text x="{x(tick):.1f}" y="{y(0) + 18:.1f}" text-anchor="middle">{tick:g}</text>')
    for name, value in (("keep", thresholds.keep), ("drop", thresholds.drop)):
        shapes.append(f'<line class="mark" x1="{x(value):.1f}" y1="{y(0):.1f}" x2="{x(value):.1f}" y2="{y(1):.1f}"/>')
        shapes.append(f'<text x="{x(value):.1f}" y="{_TOP - 8}" text-anchor="middle">{name}</text>')
    for k, (kind, (name, values)) in enumerate(lines.items()):
        drawn = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in values if b is not None)
        shapes.append(f'<polyline class="{kind}" points="{drawn}"/>')
        at = _LEFT + k * 195
        shapes.append(f'<line class="{kind}" x1="{at}" y1="{_HEIGHT - 12}" x2="{at + 22}" y2="{_HEIGHT - 12}"/>')
        shapes.append(f'<text x="{at + 27}" y="{_HEIGHT - 8}">{name}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
            f'height="{_HEIGHT}" role="img">',
            f"<title>What happens at each threshold: keep {thresholds.keep:.4f}, drop {thresholds.drop:.4f}</title>",
            "<style>text { font: 12px 'DejaVu Sans', Helvetica, Arial, sans-serif; fill: #222 } .grid { stroke: #ddd }",
            ".mark { stroke: #555; stroke-dasharray: 4 4 } polyline { fill: none } .kept { stroke: #1f57c3; "
            "stroke-width: 2 }",
            ".wrong { stroke: #b3261e; stroke-width: 2; stroke-dasharray: 7 3 } .right { stroke: #7a5200; "
            "stroke-width: 2; stroke-dasharray: 2 3 }</style>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *shapes,
            "</svg>",
            "",
        ]
    )
