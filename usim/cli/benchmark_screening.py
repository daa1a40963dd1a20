"""``--screen`` of the benchmarks' scorers: a system before and after screening as text, JSON or TSV."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from usim.cli.benchmark_figures import comparison_record, comparison_text, comparison_tsv
from usim.cli.output import echo_json, nullable, opened_output, tsv_line, warn

if TYPE_CHECKING:
    from usim.benchmarks.screening import Effect

#: How dropped suggestions are called, by what the gold data say of them.
_DROPPED = {"acceptable": "dropped wrongly", "wrong": "dropped rightly", "unjudged": "dropped, unjudged"}
_KEPT = 0.95


def emit_screened(effect: Effect, form: str, curve: str | None, listing: str | None) -> None:
    """Print the system before and after, and write the curve and the suggestions to the files asked for.

    Args:
        effect: of screening.
        form: ``text``, ``json`` or ``tsv``.
        curve, listing: the files to write, ``-`` for standard output instead of the figures.
    """
    from usim.benchmarks.screening import as_tsv

    if effect.unscreened:
        warn(f"{effect.unscreened} suggestions could not be judged and stay: their targets cut a word")
    if curve is not None:
        with opened_output(curve) as file:
            file.write(as_tsv(effect.curve))
    if listing is not None:
        with opened_output(listing) as file:
            file.write(_listing(effect))
    if "-" in (curve, listing):
        return
    if form == "json":
        echo_json(_record(effect))
    else:
        click.echo("\n".join((_tsv if form == "tsv" else _text)(effect)))


def _listing(effect: Effect) -> str:
    lines = [tsv_line("target", "word", "substitute", "gold", "faithfulness", "verdict")]
    for target, word, substitute, label, opinion in effect.suggestions:
        if isinstance(target, tuple):
            name, (start, end) = target
            target = f"{name}:{start}-{end}"
        lines.append(tsv_line(target, word, substitute, label, *(opinion or (None, None))))
    return "\n".join(lines) + "\n"


def _text(effect: Effect) -> list[str]:
    width = max(map(len, effect.comparison.differences))
    lines = [*comparison_text(effect.comparison), ""]
    for label, count in effect.counts.items():
        line = f"{_DROPPED[label]:<{width}}  {count.dropped:>7}  of {count.total} {label}"
        lines.append(line if math.isnan(count.share) else f"{line}: {100 * count.share:.1f}%")
    lines.append(f"{'kept':<{width}}  {sum(count.total - count.dropped for count in effect.counts.values()):>7}")
    for name, value in effect.shares.figures.items():
        if not math.isnan(value):
            interval = effect.shares.intervals.get(name)
            suffix = "" if interval is None else f"  [{interval.low:.4f}, {interval.high:.4f}]"
            lines.append(f"{name:<{width}}  {value:>7.4f}{suffix}")
    verdicts = ", ".join(f"{verdict} {number}" for verdict, number in effect.verdicts.items())
    lines.append(f"{'verdicts':<{width}}  {verdicts}")
    point = effect.at_kept(_KEPT)
    if not math.isnan(point.wrong_dropped + point.acceptable_kept):
        lines.append(
            f"at a threshold of {point.threshold:.4f}, {100 * point.acceptable_kept:.1f}% of the acceptable are kept "
            f"and {100 * point.wrong_dropped:.1f}% of the wrong dropped: precision {effect.curve[0].precision:.4f} → "
            f"{point.precision:.4f}, of all {effect.curve[0].precision_all:.4f} → {point.precision_all:.4f}"
        )
    return [*lines, effect.signature]


def _tsv(effect: Effect) -> list[str]:
    lines = comparison_tsv(effect.comparison)
    for label, count in effect.counts.items():
        lines.append(tsv_line(label, count.total, count.total - count.dropped, -count.dropped, None, None))
    return [*lines, tsv_line("signature", effect.signature, *[None] * 4)]


def _record(effect: Effect) -> dict[str, Any]:
    def values(figures: dict[str, float]) -> dict[str, float | None]:
        return {name: nullable(value) for name, value in figures.items()}

    return {
        **comparison_record(effect.comparison),
        "suggestions": {
            label: {"total": count.total, "dropped": count.dropped, "share": nullable(count.share)}
            for label, count in effect.counts.items()
        },
        "shares": values(effect.shares.figures),
        "share_intervals": {
            name: [nullable(interval.low), nullable(interval.high)]
            for name, interval in effect.shares.intervals.items()
        },
        "verdicts": effect.verdicts,
        "unscreened": effect.unscreened,
        "at_kept_95": values(effect.at_kept(_KEPT)._asdict()),
        "signature": effect.signature,
    }
