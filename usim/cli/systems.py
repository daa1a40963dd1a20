"""``usim score`` with several systems."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import IO, Any, NamedTuple

import click

from usim.cli.output import ForeignLines, opened_output, progress, tsv_line, warn
from usim.records import Line, Table
from usim.report.systems import FIGURES, Outcome, Systems
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
        if settings.form == "tsv":
            stream.write(tsv_line("line", "system", *FIGURES, "verdict", "reasons", "source", "output") + "\n")
        for row, results in progress(_scored(scorer, good), len(good), "scoring", quiet=output not in (None, "-")):
            systems.add(row[0].number, results)
            foreign.see(next((r.language for r in results if is_foreign(r.language)), None), row[0].number)
            stream.writelines(_lines(systems, settings.form))
        foreign.finish()
        _summary(systems, unreadable, settings.form, stream)
    _end(systems, unreadable, settings)


def _lines(systems: Systems, form: str) -> Iterator[str]:
    """Yield the lines of the sentence that was added last."""
    place = len(systems.outcomes) - 1
    if form == "jsonl":
        yield json.dumps(systems.record(place), ensure_ascii=False) + "\n"
    elif form == "tsv":
        for name, outcome in zip(systems.names, systems.outcomes[place], strict=True):
            yield _row(systems.lines[place], name, systems.sources[place], outcome) + "\n"


def _summary(systems: Systems, unreadable: int, form: str, stream: IO[str]) -> None:
    if form == "json":
        records = [systems.record(place) for place in range(len(systems.outcomes))]
        summary: dict[str, Any] = {**systems.to_dict(), "unreadable": unreadable}
        stream.write(json.dumps({"results": records, "summary": summary}, ensure_ascii=False, indent=1) + "\n")
        return
    if form == "brief":
        for k, name in enumerate(systems.names):
            values = systems.values(k, "faithfulness")
            stream.write(f"{name}\t{sum(values) / len(values):.4f}\n" if values else f"{name}\t-\n")
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


def _row(line: int, name: str, source: str, outcome: Outcome) -> str:
    reasons = "; ".join(text for _, text in outcome.reasons)
    figures = [getattr(outcome, figure) for figure in FIGURES]
    return tsv_line(line, name, *figures, outcome.verdict, reasons, source, outcome.output)


def _end(systems: Systems, unreadable: int, settings: SystemsSettings) -> None:
    if unreadable or not systems.outcomes:
        sys.exit(2)
    below = False
    for figure, least in (("usim", settings.fail_under), ("faithfulness", settings.fail_under_faithfulness)):
        for k, name in enumerate(systems.names):
            values = systems.values(k, figure)
            mean = sum(values) / len(values)
            if least is not None and mean < least:
                below = True
                click.echo(f"usim: the mean {FIGURES[figure]} {mean:.4f} of {name} is below {least}", err=True)
    if below:
        sys.exit(1)
