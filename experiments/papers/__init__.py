"""The figures of the papers that usim follows, each as it was printed and as usim measures it.

    python -m experiments papers usim|sws|prolex|swords|all --data DIR [--part dev|test] [--row NAME] [--slow]
    python -m experiments papers all --data DIR --part dev --judged --limit 150 --format markdown --row §4.5 \\
        --row systems --row ranking --row "table 4" --row "table 6" > docs/papers/judge.md
    python -m experiments papers PAPER --list

A module for each paper holds its rows. DIR is the folder that ``python -m experiments data`` filled; files that lie in
it without the folder of their data set are found too. A row whose files are not there is reported with their names and
does not stop the others. Rows that take minutes are measured where they are named themselves, or with ``--slow``. The
exit status is 0 when every row that has its files was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from experiments.common.command import Command, Option
from experiments.common.printed import Reports, Row, listed, measure, needing, printed
from usim.errors import InputError

PAPERS = {
    "usim": (
        "Choshen and Abend (2018), Reference-less Measure of Faithfulness for Grammatical Error Correction, NAACL. "
        "USim is that of usim's default preset and parser where nothing else is said."
    ),
    "sws": (
        "Wang, Mao, Ge, Wu, Wang, Xia, Tien and Zhao (2023), Smart Word Suggestions for Writing Assistance, Findings "
        "of ACL. Figures are shares between 0 and 1, pooled as in the published scorer."
    ),
    "prolex": (
        "Zhang, Chen and Yu (2024), ProLex: A Benchmark for Language Proficiency-oriented Lexical Substitution, "
        "Findings of ACL. F1 of the first ten substitutes, in per cent: Fa of the acceptable, Fp of the proficient "
        "ones; hard as they are written, soft by lemmas."
    ),
    "swords": (
        "Lee, Donahue, Jia, Iyabor and Liang (2021), Swords: A Benchmark for Lexical Substitution with Improved Data "
        "Coverage and Quality, NAACL. F1 of the first ten substitutes, in per cent: Fa of the acceptable, Fc of the "
        "conceivable ones."
    ),
}
ALL = "all"


def load(name: str) -> dict[str, Row]:
    """Return a paper's rows by their names, with the printed figures."""
    rows, known = import_module(f"experiments.papers.{name}").ROWS.values(), printed(name)
    rows = (replace(row, printed={**known.get(row.name, {}), **row.printed}) for row in (*rows, *needing(name)))
    return {row.name: row for row in rows}


def _run(
    paper: str,
    data: Path | None,
    part: str | None,
    row: Sequence[str],
    *,
    slow: bool,
    judged: bool,
    limit: int | None,
    list: bool,
) -> Reports | None:
    papers = {PAPERS[name]: load(name) for name in (PAPERS if paper == ALL else [paper])}
    if list:
        print("\n\n".join(f"{citation}\n\n{listed(rows.values())}" for citation, rows in papers.items()))
        return None
    if data is None:
        main.parser.error("where are the data? --data DIR names the folder that python -m experiments data filled")
    if not data.is_dir():
        raise InputError("no such folder; python -m experiments data NAME --to DIR fills it", path=data)
    names = {name.lower() for name in row}
    known = {name for rows in papers.values() for row in rows.values() for name in row.names}
    for name in row:
        if name.lower() not in known:
            raise InputError("no row is called so; --list names all", text=name)
    parts = ("", part or "test") if part or not names else ("", "dev", "test")
    reports = []
    for citation, every in papers.items():
        rows = [row for row in every.values() if row.part in parts and (not names or names & row.names)]
        if judged:
            rows = [row for row in rows if row.judged and not row.missing(data)]
        # A row that is named itself, not with its table, is measured however long it takes.
        rows = [replace(row, slow=row.slow and row.name.lower() not in names) for row in rows]
        reports.append(measure(citation, rows, data, slow=slow or judged, limit=limit))
    return Reports(reports)


main = Command(
    _run,
    Option("paper", choices=(*PAPERS, ALL), help="the paper"),
    Option("--data", type=Path, metavar="DIR", help="the folder with the data"),
    Option("--part", choices=("dev", "test"), help="of the data (default: test, as in the papers)"),
    Option("--row", action="append", metavar="NAME", help="a row, or all of a table; may be given more than once"),
    Option("--slow", action="store_true", help="measure the rows that take minutes, too"),
    Option("--judged", action="store_true", help="the rows that change with the models, where files are there"),
    Option("--limit", type=int, metavar="N", help="of rows that take long, measure the first N targets or sentences"),
    Option("--list", action="store_true", help="list the rows with the files that they need"),
    shared=(),
    forms=("text", "json", "markdown"),
)

__all__ = ["PAPERS", "load", "main"]
