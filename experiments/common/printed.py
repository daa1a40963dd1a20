"""Figures of papers, as printed and as measured, and the rows that they come from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from experiments.data import SETS, located
from usim.benchmarks.result import FigureComparison
from usim.errors import UsimError
from usim.judge import load_judge
from usim.parsing import load
from usim.report.tables import markdown_table
from usim.text import aligned

Value = float | str | None
#: A part of the data; empty where there is one alone.
Part = Literal["", "dev", "test"]

#: A change with its interval, or an interval alone.
_INTERVAL = re.compile(r"(?:[+-][\d.]+ )?\[[^\]]*\]")


@dataclass(frozen=True)
class Figure:
    """A figure of a paper; its name is that within its row, e.g. the heading of its column.

    Attributes:
        measured: as usim measures it; None where it was not measured.
        why: why the two differ, or why it was not measured.
        printed: as the paper has it; None where it has no such figure, or the row knows it.
        row: the row that it stands in, if not the one that measures it.
    """

    name: str
    measured: Value
    why: str = ""
    printed: Value = None
    row: str = ""

    @property
    def agrees(self) -> bool | None:
        """Whether the measured figure, rounded to the printed digits, is the printed one; None without both."""
        if self.printed is None or self.measured is None:
            return None
        if isinstance(self.printed, str) or isinstance(self.measured, str):
            return self.printed == self.measured
        # The margin is half a unit of the last printed digit, and a little for rounding errors.
        return abs(self.measured - self.printed) <= 0.5 * 10 ** -_decimals(self.printed) + 1e-9


@dataclass(frozen=True)
class Row:
    """A row of a table; its title is the table's and its own, e.g. ``table 4: GPT-3``.

    Attributes:
        files: the files that it needs, each as ``SET/NAME`` with the name of its data set.
        measure: returns its figures, given the paths of its files; where it is ``limited``, also given a ``limit``, how
            many targets or sentences are measured; None for all.
        part: ``dev`` or ``test``, where the row is one of a part of the data.
        slow, judged: whether it takes minutes; whether its figures change with the judge or the parser.
        printed: name → printed figure; those of ``printed.tsv`` are added where the paper is loaded.
    """

    title: str
    files: tuple[str, ...]
    measure: Callable[..., list[Figure]]
    part: Part = ""
    slow: bool = False
    judged: bool = False
    limited: bool = False
    printed: Mapping[str, float | str] = field(default_factory=dict, hash=False)

    def figures(self, data: Path, limit: int | None = None) -> list[Figure]:
        """Return its figures as measured, beside the printed ones; of the first ``limit`` alone where it can."""
        few = {"limit": limit} if self.limited and limit else {}
        note = f"of the first {limit} alone" if few else ""
        return [
            explained(
                replace(
                    figure,
                    row=figure.row or self.name,
                    printed=self.printed.get(figure.name) if figure.printed is None else figure.printed,
                    why="; ".join(filter(None, (figure.why, note))),
                )
            )
            for figure in self.measure(*(located(data, name) for name in self.files), **few)
        ]

    @property
    def name(self) -> str:
        """The title, of a row of the development part with ``(dev)``."""
        return f"{self.title} (dev)" if self.part == "dev" else self.title

    @property
    def names(self) -> set[str]:
        """The names by which the row can be asked for: its own and that of its table, in small letters."""
        return {self.name.lower(), self.name.partition(":")[0].lower()}

    def missing(self, data: Path) -> list[str]:
        """Return the files that are not in the folder of the data."""
        return [name for name in self.files if not located(data, name).exists()]


def explained(figure: Figure) -> Figure:
    """Return a figure that says that nothing was published to stand beside it, or that a difference is unexplained."""
    if figure.printed is None:
        return replace(figure, why="; ".join(filter(None, ("not published", figure.why))))
    return replace(figure, why=figure.why or "unexplained") if figure.agrees is False else figure


def listed(rows: Iterable[Row]) -> str:
    """Return rows with their files, a line each."""
    return "\n".join(aligned([(row.name, "slow" if row.slow else "", ", ".join(row.files)) for row in rows]))


@dataclass(frozen=True)
class Report:
    """The figures of a paper's rows, and what went wrong in rows that have their files."""

    paper: str
    figures: Sequence[Figure]
    problems: Sequence[str] = ()

    def table(self) -> list[tuple[str, ...]]:
        """Return the figures in columns for people, under a header; the name of a row stands in its first line."""
        rows = [("row", "figure", "printed", "measured", "", "why")]
        before = ""
        for figure in self.figures:
            row = "" if figure.row == before else figure.row
            before = figure.row
            mark = {True: "=", False: "≠", None: ""}[figure.agrees]
            rows.append((row, figure.name, _shown(figure.printed), _measured(figure), mark, figure.why))
        return rows

    def by_row(self) -> list[tuple[str, ...]]:
        """Return a line for each row, under a header: its figures, and what explains all of them.

        Figures that were not measured are left out where others of their row were; JSON has them, and the rest of what
        explains single ones.
        """
        lines: list[tuple[str, ...]] = [("row", "measured, with intervals of changes (printed)", "why")]
        for row, of_row in groupby(self.figures, lambda figure: figure.row):
            figures = list(of_row)
            shown = [figure for figure in figures if figure.measured is not None] or figures
            clauses = [_INTERVAL.sub("", figure.why).strip("; ").split("; ") for figure in shown]
            shared = [clause for clause in clauses[0] if clause and all(clause in own for own in clauses)]
            why = "; ".join(clause.strip() for clause in shared if clause != "not published")
            lines.append((row, "; ".join(map(_with_printed, shown)), why))
        return lines


class Reports(tuple[Report, ...]):
    """The reports of papers."""

    @property
    def problems(self) -> list[str]:
        """What went wrong in all of them."""
        return [problem for report in self for problem in report.problems]

    def render(self, form: str) -> str:
        """Return the figures as ``text``, ``markdown`` (a page) or ``json``."""
        if form == "json":
            papers = [{"paper": own.paper, "figures": [_record(figure) for figure in own.figures]} for own in self]
            return json.dumps(papers[0] if len(papers) == 1 else papers, indent=2)
        if form == "text":
            return "\n\n".join("\n".join([own.paper, "", *aligned(own.table(), right=(2, 3))]) for own in self)
        title = f"# Rows of the papers, by {models()}"
        sections = [
            f"## {own.paper.partition(')')[0]})\n\n{own.paper}\n\n{markdown_table(own.by_row())}"
            for own in self
            if own.figures
        ]
        return "\n\n".join([title, *sections]) + "\n"


def models() -> str:
    """Return the names of the models that ship; a test compares them with those that a page of figures names."""
    return f"{load('en').name} and {load_judge('en').name}"


@cache
def printed(paper: str) -> Mapping[str, Mapping[str, float]]:
    """Return what a paper prints: row → name → figure, as ``experiments/papers/printed.tsv`` has it."""
    rows: dict[str, dict[str, float]] = {}
    for of, row, name, value in _table("printed.tsv"):
        if of == paper:
            rows.setdefault(row, {})[name] = float(value) if "." in value else int(value)
    return rows


def needing(paper: str) -> list[Row]:
    """Return rows whose printed figures cannot be measured, each with what they would need (``needs.tsv``)."""

    def row(name: str, part: Part, needs: str) -> Row:
        return Row(name, (), lambda: figures_of(dict.fromkeys(printed(paper)[name]), f"needs {needs}"), part)

    return [row(name, part, needs) for of, name, part, needs in _table("needs.tsv") if of == paper]  # type: ignore[arg-type]


def _table(name: str) -> list[list[str]]:
    text = Path(__file__).parents[1].joinpath("papers", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def figures_of(measured: Mapping[str, Value], why: Mapping[str, str] | str = "") -> list[Figure]:
    """Return figures from their values by name; ``why`` is that of all of them, or by name."""
    return [Figure(name, value, why if isinstance(why, str) else why.get(name, "")) for name, value in measured.items()]


def reranked(result: FigureComparison, columns: Mapping[str, str], why: str = "", *, scale: float = 1) -> list[Figure]:
    """Return the figures of a system after reranking, by the headings of their columns, with their changes."""
    figures = []
    for heading, name in columns.items():
        change, low, high = (scale * value for value in result.differences[name])
        changed = f"{change:+.2f} [{low:+.2f}, {high:+.2f}] by reranking{why}"
        figures.append(Figure(heading, scale * result.after.figures[name], changed))
    return figures


def measure(paper: str, rows: Sequence[Row], data: Path, *, slow: bool = False, limit: int | None = None) -> Report:
    """Measure rows of a paper, given by its citation; of each that can, the first ``limit`` targets or sentences."""
    figures: list[Figure] = []
    problems: list[str] = []
    for row in rows:
        if missing := row.missing(data):
            figures += _unmeasured(row, _how_to_get(missing, data))
        elif row.slow and not slow:
            figures += _unmeasured(row, f"takes minutes: --row '{row.name}', or --slow")
        else:
            try:
                figures += row.figures(data, limit)
            except UsimError as error:
                figures += _unmeasured(row, str(error))
                problems.append(f"{row.name}: {error}")
    return Report(paper, figures, problems)


def _how_to_get(missing: Sequence[str], data: Path) -> str:
    """Say which files are missing, and what fetches them; some cannot be fetched and are the user's own."""
    names = ", ".join(PurePosixPath(name).name for name in missing)
    sets = " ".join(dict.fromkeys(name.partition("/")[0] for name in missing if _is_published(name)))
    own = ", ".join(str(data / name) for name in missing)
    return f"no {names} here: " + (
        f"python -m experiments data {sets} --to {data}" if sets else f"a file of yours, as {own}"
    )


def _is_published(name: str) -> bool:
    folder, _, file = name.partition("/")
    return folder in SETS and any(known.members or known.name == file for known in SETS[folder].files)


def _unmeasured(row: Row, why: str) -> list[Figure]:
    return [Figure(name, None, why, value, row.name) for name, value in (row.printed or {"": None}).items()]


def _record(figure: Figure) -> dict[str, Any]:
    record = {name: getattr(figure, name) for name in ("row", "name", "printed", "measured", "why", "agrees")}
    return record | ({"measured": None} if record["measured"] != record["measured"] else {})  # JSON has no NaN


def _with_printed(figure: Figure) -> str:
    interval = _INTERVAL.search(figure.why)
    mark = {True: " =", False: " ≠", None: ""}[figure.agrees]
    printed = f"({_shown(figure.printed)}{mark})" if figure.printed is not None else ""
    return " ".join(filter(None, [figure.name, _measured(figure), interval[0] if interval else "", printed]))


def _decimals(value: float) -> int:
    return len(f"{value}".partition(".")[2]) if isinstance(value, float) else 0


def _shown(value: Value) -> str:
    return "–" if value is None else str(value)


def _measured(figure: Figure) -> str:
    """Return the measured figure with a digit more than the printed one."""
    if not isinstance(figure.measured, float):
        return _shown(figure.measured)
    if not isinstance(figure.printed, int | float):
        return f"{figure.measured:.4g}"
    return f"{figure.measured:.{_decimals(figure.printed) + 1}f}"
