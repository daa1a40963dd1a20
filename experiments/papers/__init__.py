"""The figures of the papers that usim follows, each as it was printed and as usim measures it.

    python -m experiments.papers usim|sws|prolex|swords --data DIR [--part dev|test] [--row NAME] [--slow] [--format …]
    python -m experiments.papers PAPER --list

A module for each paper holds its rows (:class:`experiments.papers.figure.Row`). DIR is the folder that ``python -m
experiments.data`` filled; files that lie in it without the folder of their data set are found too. A row whose files
are not there is reported with their names and does not stop the others. Rows that take minutes are measured where
they are named themselves, or with ``--slow``.

The exit status is 0 when every row that has its files was measured, and 2 when a file could not be read or there is no
such row.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from experiments.common.command import Command, Option
from experiments.papers.figure import Paper, Report, Row, measure, printed
from usim.errors import InputError

#: The papers, by the names of their modules.
PAPERS = tuple(name for name in ("usim", "sws", "prolex", "swords") if Path(__file__).with_name(f"{name}.py").exists())


def load(name: str) -> Paper:
    """Return a paper's citation and rows."""
    module = import_module(f"experiments.papers.{name}")
    return Paper(module.PAPER, module.ROWS, printed(name))


def _run(given: Namespace) -> Report | None:
    paper = load(given.paper)
    if given.list:
        print(f"{paper.citation}\n\n{paper.listed()}")
        return None
    if given.data is None:
        main.parser.error("where are the data? --data DIR names the folder that python -m experiments.data filled")
    if not given.data.is_dir():
        raise InputError("no such folder; python -m experiments.data NAME --to DIR fills it", path=given.data)
    report = measure(paper, _chosen(paper, given), given.data, slow=given.slow)
    if report.problems:
        print(report.render(given.format))
        raise InputError("; ".join(report.problems))
    return report


def _chosen(paper: Paper, given: Namespace) -> list[Row]:
    """Return the rows that are named, or all of the part that is asked for."""
    if not given.row:
        return [row for row in paper.rows.values() if row.part in ("", given.part or "test")]
    chosen = []
    for name in given.row:
        rows = [
            row for row in paper.rows.values() if name.lower() in (row.name.lower(), row.name.split(":")[0].lower())
        ]
        if given.part:
            rows = [row for row in rows if row.part in ("", given.part)]
        if not rows:
            raise InputError(f"no row is called so; --list names the {len(paper.rows)} rows", text=name)
        # A row that is named itself, not with its table, is measured however long it takes.
        chosen += [replace(row, slow=row.slow and row.name.lower() != name.lower()) for row in rows]
    return list({row.name: row for row in chosen}.values())


main = Command(
    "papers",
    __doc__,
    _run,
    Option("paper", choices=PAPERS, help="the paper"),
    Option("--data", type=Path, metavar="DIR", help="the folder with the data"),
    Option("--part", choices=("dev", "test"), help="of the data (default: test, as in the papers)"),
    Option("--row", action="append", metavar="NAME", help="a row, or all of a table; may be given more than once"),
    Option("--slow", action="store_true", help="measure the rows that take minutes, too"),
    Option("--list", action="store_true", help="list the rows with the files that they need"),
    shared=(),
    forms=("text", "json"),
)

__all__ = ["PAPERS", "load", "main"]
