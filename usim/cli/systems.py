"""``usim score`` with several systems."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import IO

import click

from usim.cli.output import ForeignLines, JsonRecords, check_gate, counted, opened_output, progress, tsv_line, warn
from usim.judge import Result
from usim.records import Line
from usim.report.systems import FIGURES, Systems
from usim.report.tables import Table
from usim.scorer import Scorer
from usim.text import is_foreign

#: Formats of the figures of systems as tables, for papers and spreadsheets.
TABLES = ("csv", "markdown", "latex")

#: Returns the parts of the sentences that an outcome counts in: given the line, the place of the system, the result.
PartsOf = Callable[[int, int, Result], Sequence[str]]


def compare_systems(
    systems: Systems,
    path: str,
    rows: Sequence[tuple[Line, ...]],
    scorer: Scorer,
    output: str | None,
    form: str,
    gates: Mapping[str, float | None],
    parts_of: PartsOf | None = None,
    plot: str | None = None,
) -> None:
    """Score all systems, and write how they compare; ends the program as ``usim score`` does.

    A sentence of which a line cannot be read is left out for all systems. Gates are the least means of each system.
    """
    good = []
    for row in rows:
        error = next((line.error for line in map(Line.checked, row) if line.error), None)
        if error:
            warn(f"{path}:{row[0].number}: {error}; the sentence is left out for all systems")
        else:
            good.append(row)
    unreadable = len(rows) - len(good)
    with opened_output(output) as stream:
        foreign = ForeignLines(path)
        records = JsonRecords(form, stream)
        if form == "tsv":
            stream.write(tsv_line("line", "system", *FIGURES, "verdict", "reasons", "source", "output") + "\n")
        for row, results in progress(_scored(scorer, good), len(good), "scoring", quiet=output not in (None, "-")):
            parts = [parts_of(row[0].number, k, result) for k, result in enumerate(results)] if parts_of else ()
            systems.add(row[0].number, results, parts)
            foreign.see(next((r.language for r in results if is_foreign(r.language)), None), row[0].number)
            if form == "tsv":
                stream.writelines(_rows(systems))
            else:
                records.write(systems.record(-1))
        foreign.finish()
        if form == "json":
            records.end({**systems.to_dict(), "unreadable": unreadable})
        else:
            _summary(systems, form, stream)
    if plot is not None and systems.outcomes:
        systems.plot(plot)
    _end(systems, unreadable, gates)


def _summary(systems: Systems, form: str, stream: IO[str]) -> None:
    if form == "brief":
        for k, name in enumerate(systems.names):
            values = systems.values(k, "faithfulness")
            stream.write(f"{name}\t{fmean(values):.4f}\n" if values else f"{name}\t-\n")
        return
    if form in TABLES and systems.outcomes:
        write = {"csv": Table.as_csv, "markdown": Table.as_markdown, "latex": Table.as_latex}[form]
        stream.write("\n".join(f"{write(table).rstrip()}\n" for table in systems.tables()))
        return
    count = f"{counted(len(systems.outcomes), 'sentence')}, {counted(len(systems.names), 'system')}"
    text = "\n".join((count, *systems.text(), systems.full_signature)) + "\n"
    if form == "text":
        stream.write(text)
    else:
        stream.flush()
        click.echo(text, nl=False, err=True)


def _scored(scorer: Scorer, rows: Sequence[tuple[Line, ...]]) -> Iterator[tuple[tuple[Line, ...], list[Result]]]:
    results = scorer.score_pairs((row[0].text, output.text, row[0].context) for row in rows for output in row[1:])
    for row in rows:
        yield row, [next(results) for _ in row[1:]]


def _rows(systems: Systems) -> Iterator[str]:
    """Yield the rows of the sentence that was added last, one for each system."""
    for name, outcome in zip(systems.names, systems.outcomes[-1], strict=True):
        reasons = "; ".join(reason.text for reason in outcome.reasons)
        judged = *(getattr(outcome, figure) for figure in FIGURES), outcome.verdict, reasons
        yield tsv_line(systems.lines[-1], name, *judged, systems.sources[-1], outcome.output) + "\n"


def _end(systems: Systems, unreadable: int, gates: Mapping[str, float | None]) -> None:
    if unreadable or not systems.outcomes:
        sys.exit(2)
    means = (
        (FIGURES[figure], fmean(systems.values(k, figure)), name, least)
        for figure, least in gates.items()
        for k, name in enumerate(systems.names)
        if least is not None
    )
    check_gate(
        f"the mean {title} {mean:.4f} of {name} is below {least}" for title, mean, name, least in means if mean < least
    )
