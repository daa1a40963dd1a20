"""``--screen`` of the benchmarks' scorers: options, and a system before and after screening as text, JSON or TSV."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from usim.cli.options import judge_options, make_screen
from usim.cli.output import opened_output, warn

if TYPE_CHECKING:
    from usim.benchmarks.screening import Effect
    from usim.screen import Screen
    from usim.stats import Interval

#: How dropped suggestions are called, by what the gold data say of them.
_DROPPED = {"acceptable": "dropped wrongly", "wrong": "dropped rightly", "unjudged": "dropped, unjudged"}
_KEPT = 0.95


@dataclass(frozen=True)
class ScreenOptions:
    """What the user wants screening to be.

    Attributes:
        options: those of :class:`usim.options.Options`, by name.
        curve, listing: the files to write.
    """

    options: dict[str, Any]
    curve: str | None
    listing: str | None

    def screen(self) -> Screen:
        """Make the screen.

        Raises:
            ParsingError: the parser cannot be loaded.
            click.BadParameter: there is no such judge, or the thresholds contradict each other.
        """
        return make_screen(**self.options)


def screen_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--screen`` and what belongs to it; the command gets ``screening``, :class:`ScreenOptions` or None."""

    @wraps(function)
    def gathered(*arguments: Any, screen: bool, curve: str | None, listing: str | None, **others: Any) -> Any:
        options = {name: others.pop(name) for name in ("judge", "keep", "drop", "parser", "threads", "inflect")}
        thresholds = options["keep"], options["drop"]
        if not screen and (options["inflect"] or curve or listing or thresholds != (None, None)):
            raise click.UsageError("--keep, --drop, --inflect, --curve and --list say how to screen: add --screen")
        return function(*arguments, screening=ScreenOptions(options, curve, listing) if screen else None, **others)

    command: Callable[..., Any] = gathered
    for option in (
        click.option("--list", "listing", metavar="FILE", help="Write each suggestion with its verdict to a TSV file."),
        click.option("--curve", metavar="FILE", help="Write what each threshold would do to a TSV file."),
        click.option("--inflect", is_flag=True, help="Screening puts suggestions into the form of their targets."),
        click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of the parser."),
        click.option(
            "--parser", default="en", show_default=True, help="Parser of the judge, see docs/how-to/parsers.md."
        ),
        judge_options,
        click.option("--screen", is_flag=True, help="Score before and after the suggestions judged unfaithful go."),
    ):
        command = option(command)
    return command


def emit_screened(effect: Effect, form: str, options: ScreenOptions) -> None:
    """Print the system before and after, and write the curve where one is asked for."""
    if effect.unscreened:
        warn(f"{effect.unscreened} suggestions could not be judged and stay: their targets cut a word")
    for path, table in ((options.curve, _curve), (options.listing, _listing)):
        if path is not None:
            with opened_output(path) as file:
                file.write(table(effect))
    if "-" not in (options.curve, options.listing):
        click.echo(_PRINTERS[form](effect))


def _curve(effect: Effect) -> str:
    from usim.benchmarks.screening import as_tsv

    return as_tsv(effect.curve)


def _listing(effect: Effect) -> str:
    rows = [("target", "word", "substitute", "gold", "faithfulness", "verdict")]
    for one in effect.suggestions:
        target = one.target
        if isinstance(target, tuple):
            name, (start, end) = target
            target = f"{name}:{start}-{end}"
        said = ("", "") if one.opinion is None else (repr(one.opinion.faithfulness), one.opinion.verdict)
        rows.append((str(target), one.word, one.substitute, one.label, *said))
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)


def _rows(effect: Effect) -> list[tuple[str, float, float, Interval]]:
    """Figure, before, after, difference."""
    before, after = effect.comparison.before.figures, effect.comparison.after.figures
    return [(name, before[name], after[name], found) for name, found in effect.comparison.differences.items()]


def _text(effect: Effect) -> str:
    digits = 2 if effect.comparison.before.benchmark == "swords" else 4

    def shown(value: float, sign: str = "") -> str:
        return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"

    def bounds(interval: Interval | None, sign: str = "") -> str:
        if interval is None or math.isnan(interval.low):
            return ""
        return f"  [{shown(interval.low, sign)}, {shown(interval.high, sign)}]"

    rows = _rows(effect)
    width = max(len(name) for name, *_ in rows)
    lines = [f"{'':<{width}}  {'before':>7}  {'after':>7}  {'change':>8}"]
    for name, before, after, change in rows:
        line = f"{name:<{width}}  {shown(before):>7}  {shown(after):>7}  {shown(change.value, '+'):>8}"
        lines.append(line + bounds(change, "+"))
    lines.append("")
    for label, count in effect.counts.items():
        line = f"{_DROPPED[label]:<{width}}  {count.dropped:>7}  of {count.total} {label}"
        lines.append(line if math.isnan(count.share) else f"{line}: {100 * count.share:.1f}%")
    lines.append(f"{'kept':<{width}}  {sum(count.total - count.dropped for count in effect.counts.values()):>7}")
    for name, value in effect.shares.figures.items():
        if not math.isnan(value):
            interval = effect.shares.intervals.get(name)
            found = "" if interval is None else f"  [{interval.low:.4f}, {interval.high:.4f}]"
            lines.append(f"{name:<{width}}  {value:>7.4f}{found}")
    verdicts = ", ".join(f"{verdict} {number}" for verdict, number in effect.verdicts.items())
    lines.append(f"{'verdicts':<{width}}  {verdicts}")
    point = effect.at_kept(_KEPT)
    if not math.isnan(point.wrong_dropped + point.acceptable_kept):
        lines.append(
            f"at a threshold of {point.threshold:.4f}, {100 * point.acceptable_kept:.1f}% of the acceptable are kept "
            f"and {100 * point.wrong_dropped:.1f}% of the wrong dropped: precision {effect.curve[0].precision:.4f} → "
            f"{point.precision:.4f}, of all {effect.curve[0].precision_all:.4f} → {point.precision_all:.4f}"
        )
    return "\n".join([*lines, effect.signature])


def _tsv(effect: Effect) -> str:
    def shown(*values: float) -> list[str]:
        return ["" if math.isnan(value) else repr(value) for value in values]

    lines = ["figure\tbefore\tafter\tchange\tlow\thigh"]
    lines += ["\t".join([name, *shown(before, after, *change)]) for name, before, after, change in _rows(effect)]
    for label, count in effect.counts.items():
        left = count.total - count.dropped
        lines.append(f"{label}\t{count.total}\t{left}\t{left - count.total}\t\t")
    return "\n".join([*lines, f"signature\t{effect.signature}\t\t\t\t"])


def _json(effect: Effect) -> str:
    def shown(value: float) -> float | None:
        return None if math.isnan(value) else value

    def bounds(interval: Interval) -> list[float | None]:
        return [shown(interval.low), shown(interval.high)]

    comparison, shares = effect.comparison, effect.shares
    point = effect.at_kept(_KEPT)
    return json.dumps(
        {
            "benchmark": comparison.before.benchmark,
            "before": {name: shown(value) for name, value in comparison.before.figures.items()},
            "after": {name: shown(value) for name, value in comparison.after.figures.items()},
            "change": {name: shown(found.value) for name, found in comparison.differences.items()},
            "before_intervals": {name: bounds(found) for name, found in comparison.before.intervals.items()},
            "after_intervals": {name: bounds(found) for name, found in comparison.after.intervals.items()},
            "change_intervals": {
                name: bounds(found) for name, found in comparison.differences.items() if comparison.before.intervals
            },
            "suggestions": {
                label: {"total": count.total, "dropped": count.dropped, "share": shown(count.share)}
                for label, count in effect.counts.items()
            },
            "shares": {name: shown(value) for name, value in shares.figures.items()},
            "share_intervals": {name: bounds(found) for name, found in shares.intervals.items()},
            "verdicts": effect.verdicts,
            "unscreened": effect.unscreened,
            "at_kept_95": {name: shown(value) for name, value in point._asdict().items()},
            "signature": effect.signature,
        },
        ensure_ascii=False,
        indent=1,
    )


_PRINTERS: dict[str, Callable[[Effect], str]] = {"text": _text, "json": _json, "tsv": _tsv}
