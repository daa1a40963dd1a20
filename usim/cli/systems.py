"""``usim score`` with several systems."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import IO, NamedTuple

import click

from usim.cli.output import ForeignLines, JsonRecords, check_gate, opened_output, progress, tsv_line, warn
from usim.records import Line, Table
from usim.report.systems import FIGURES, Systems
from usim.scorer import Result, Scorer
from usim.text import is_foreign


class SystemsSettings(NamedTuple):
    """How systems are compared, see the options of ``usim score``."""

    form: str
    fail_under: float | None
    fail_under_faithfulness: float | None
    resamples: int
    seed: int
    most_apart: int = 10


def compare_systems(
    path: str, table: Table, scorer: Scorer, settings: SystemsSettings, output: str | None = None
) -> None:
    """Score all systems, and write how they compare; ends the program as ``usim score`` does.

    A sentence of which a line cannot be read is left out for all systems.

    Args:
        path: the file that sentences are named by.
        table: the sentences.
        scorer: what scores them.
        settings: how they are compared.
        output: where results go; None for standard output.
    """
    systems = Systems(table.names, scorer.signature, settings.resamples, settings.seed, settings.most_apart)
    good = []
    for row in table.rows:
        error = next((line.error for line in map(Line.checked, row) if line.error), None)
        if error:
            warn(f"{path}:{row[0].number}: {error}; the sentence is left out for all systems")
        else:
            good.append(row)
    unreadable = len(table.rows) - len(good)
    with opened_output(output) as stream:
        foreign = ForeignLines(path)
        records = JsonRecords(settings.form, stream)
        if settings.form == "tsv":
            stream.write(tsv_line("line", "system", *FIGURES, "verdict", "reasons", "source", "output") + "\n")
        for row, results in progress(_scored(scorer, good), len(good), "scoring", quiet=output not in (None, "-")):
            systems.add(row[0].number, results)
            foreign.see(next((r.language for r in results if is_foreign(r.language)), None), row[0].number)
            if settings.form == "tsv":
                stream.writelines(_rows(systems))
            else:
                records.write(systems.record(-1))
        foreign.finish()
        if settings.form == "json":
            records.end({**systems.to_dict(), "unreadable": unreadable})
        else:
            _summary(systems, settings.form, stream)
    _end(systems, unreadable, settings)


def _summary(systems: Systems, form: str, stream: IO[str]) -> None:
    if form == "brief":
        for k, name in enumerate(systems.names):
            values = systems.values(k, "faithfulness")
            stream.write(f"{name}\t{fmean(values):.4f}\n" if values else f"{name}\t-\n")
        return
    lines = (
        f"{len(systems.outcomes)} sentences, {len(systems.names)} systems",
        *systems.text(),
        systems.full_signature,
    )
    if form == "text":
        stream.writelines(line + "\n" for line in lines)
        return
    stream.flush()
    for line in lines:
        click.echo(line, err=True)


def _scored(scorer: Scorer, rows: Sequence[tuple[Line, ...]]) -> Iterator[tuple[tuple[Line, ...], list[Result]]]:
    results = scorer.score_pairs((row[0].text, output.text, row[0].context) for row in rows for output in row[1:])
    for row in rows:
        yield row, [next(results) for _ in row[1:]]


def _rows(systems: Systems) -> Iterator[str]:
    """Yield the rows of the sentence that was added last, one for each system."""
    for name, outcome in zip(systems.names, systems.outcomes[-1], strict=True):
        reasons = "; ".join(text for _, text in outcome.reasons)
        judged = *(getattr(outcome, figure) for figure in FIGURES), outcome.verdict, reasons
        yield tsv_line(systems.lines[-1], name, *judged, systems.sources[-1], outcome.output) + "\n"


def _end(systems: Systems, unreadable: int, settings: SystemsSettings) -> None:
    if unreadable or not systems.outcomes:
        sys.exit(2)
    gates = ("usim", settings.fail_under), ("faithfulness", settings.fail_under_faithfulness)
    means = (
        (FIGURES[figure], fmean(systems.values(k, figure)), name, least)
        for figure, least in gates
        for k, name in enumerate(systems.names)
        if least is not None
    )
    check_gate(
        f"the mean {title} {mean:.4f} of {name} is below {least}" for title, mean, name, least in means if mean < least
    )
