"""The figures of the papers that usim follows, each as it was printed and as usim measures it.

    python -m experiments.papers usim|sws|prolex|swords|all --data DIR [--part dev|test] [--row NAME] [--slow]
    python -m experiments.papers all --data DIR --part dev --judged --format markdown > docs/papers/judge.md
    python -m experiments.papers PAPER --list

A module for each paper holds its rows. DIR is the folder that ``python -m experiments.data`` filled; files that lie in
it without the folder of their data set are found too. A row whose files are not there is reported with their names and
does not stop the others. Rows that take minutes are measured where they are named themselves, or with ``--slow``. The
exit status is 0 when every row that has its files was measured.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from experiments.common.command import Command, Option
from experiments.papers.figure import Paper, Reports, Row, measure, printed
from usim.errors import InputError

#: The papers, by the names of their modules.
PAPERS = tuple(name for name in ("usim", "sws", "prolex", "swords") if Path(__file__).with_name(f"{name}.py").exists())

ALL = "all"


def load(name: str) -> Paper:
    """Return a paper's citation and rows."""
    module = import_module(f"experiments.papers.{name}")
    return Paper(module.PAPER, module.ROWS, printed(name))


def _run(given: Namespace) -> Reports | None:
    papers = [load(name) for name in (PAPERS if given.paper == ALL else [given.paper])]
    if given.list:
        print("\n\n".join(f"{paper.citation}\n\n{paper.listed()}" for paper in papers))
        return None
    if given.data is None:
        main.parser.error("where are the data? --data DIR names the folder that python -m experiments.data filled")
    if not given.data.is_dir():
        raise InputError("no such folder; python -m experiments.data NAME --to DIR fills it", path=given.data)
    known = {name for paper in papers for row in paper.rows.values() for name in row.names}
    for name in given.row or ():
        if name.lower() not in known:
            raise InputError("no row is called so; --list names all", text=name)
    slow = given.slow or given.judged
    reports = Reports(measure(paper, _chosen(paper, given), given.data, slow=slow) for paper in papers)
    if problems := [problem for report in reports for problem in report.problems]:
        print(reports.render(given.format))
        raise InputError("; ".join(problems))
    return reports


def _chosen(paper: Paper, given: Namespace) -> list[Row]:
    """Return the rows that are named, or all of the part that is asked for."""
    names = {name.lower() for name in given.row or ()}
    part = given.part or ("" if names else "test")
    rows = [row for row in paper.rows.values() if not part or row.part in ("", part)]
    if names:
        # A row that is named itself, not with its table, is measured however long it takes.
        rows = [replace(row, slow=row.slow and row.name.lower() not in names) for row in rows if names & row.names]
    return [row for row in rows if row.judged and not row.missing(given.data)] if given.judged else rows


main = Command(
    "papers",
    __doc__,
    _run,
    Option("paper", choices=(*PAPERS, ALL), help="the paper"),
    Option("--data", type=Path, metavar="DIR", help="the folder with the data"),
    Option("--part", choices=("dev", "test"), help="of the data (default: test, as in the papers)"),
    Option("--row", action="append", metavar="NAME", help="a row, or all of a table; may be given more than once"),
    Option("--slow", action="store_true", help="measure the rows that take minutes, too"),
    Option("--judged", action="store_true", help="the rows whose figures change with the judge, where files are there"),
    Option("--list", action="store_true", help="list the rows with the files that they need"),
    shared=(),
    forms=("text", "json", "markdown"),
)

__all__ = ["PAPERS", "load", "main"]
