"""Results of a study: its tables, its figure, and a JSON file with every number.

A study's ``run(…)`` returns a :class:`Study`. Notebooks take ``study.table`` and ``study.figure()`` from it; the
command lines print it (:meth:`Study.render`) and write it to a folder (:meth:`Study.write`): ``NAME.md``, a CSV file
for each table, one in LaTeX for each that is for people, ``NAME.json``, ``NAME.png``, ``NAME.svg`` and ``NAME.pdf``.
Figures need matplotlib (``pip install matplotlib``), which is imported only when one is drawn.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.common.extras import extra
from usim import __version__
from usim.errors import InputError
from usim.stats import Interval
from usim.text import aligned
from usim.text.files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure
else:
    Figure = Any  # matplotlib is imported when a figure is drawn

#: What stands in a table: text, a count, a figure, a figure with its interval, or nothing.
Cell = str | int | float | Interval | None
Row = tuple[Cell, ...]


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "Δ": r"$\Delta$", "≥": r"$\geq$", "≤": r"$\leq$",
    "→": r"$\rightarrow$", "|": r"\textbar{}", "–": "--", "−": "$-$", "§": r"\S{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "κ": r"$\kappa$",
}  # fmt: skip


def latex(text: str) -> str:
    r"""Return a text as LaTeX has it.

    >>> print(latex("Δ of 5 % & more"))
    $\Delta$ of 5 \% \& more
    """
    return "".join(_LATEX.get(character, character) for character in text)


def markdown_table(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Write rows as a table in Markdown, the first as its header; the columns in ``right`` are flush right."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    rule = ("---:" if i in right else "---" for i in range(len(rows[0])))
    return "\n".join([lines[0], "| " + " | ".join(rule) + " |", *lines[1:]])


@dataclass(frozen=True)
class Table:
    """Figures in rows and columns.

    Attributes:
        name: the end of the name of its file, e.g. ``means``.
        note: what has to be known to read it.
        digits: the number of decimals for people; files of figures (CSV, JSON) have all of them.
        shown: whether it is for people; if not, it is only in files of figures.

    Raises:
        ValueError: a row with more or fewer cells than there are columns.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    digits: int = 3
    shown: bool = True

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {len(row)} cells for {len(self.columns)} columns: {row}")

    def as_text(self) -> str:
        """Return the table in columns that line up, under its title."""
        lines = [self.title, *aligned(self._texts, self._columns_of(int | float | Interval))]
        return "\n".join([*lines, *([f"({self.note})"] if self.note else [])])

    def as_markdown(self) -> str:
        """Return the table in Markdown, under its title."""
        lines = [f"**{self.title}**", "", markdown_table(self._texts, self._columns_of(int | float | Interval))]
        return "\n".join([*lines, *(["", self.note] if self.note else [])])

    def as_latex(self) -> str:
        """Return the table in LaTeX, as the package booktabs has it, with its title as the caption."""
        right = self._columns_of(int | float | Interval)
        columns = "".join("r" if i in right else "l" for i in range(len(self.columns)))
        header, *rows = (" & ".join(map(latex, row)) + " \\\\" for row in self._texts)
        lines = [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex(self.title)}}}",
            rf"\label{{tab:{self.name}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            header,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\\[2pt]", rf"\footnotesize {latex(self.note)}"] if self.note else []),
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def as_csv(self) -> str:
        """Return the table with all digits; an interval takes three columns: ``X``, ``X low``, ``X high``."""
        wide = self._columns_of(Interval)
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        names = enumerate(self.columns)
        writer.writerow(
            [x for i, name in names for x in ([name, f"{name} low", f"{name} high"] if i in wide else [name])]
        )
        for row in self.rows:
            cells: list[object] = []
            for i, cell in enumerate(row):
                cells += cell if isinstance(cell, Interval) else [cell, None, None] if i in wide else [cell]
            writer.writerow(["" if c is None or (isinstance(c, float) and math.isnan(c)) else c for c in cells])
        return file.getvalue()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows by the names of the columns, as JSON values; intervals as ``{"value", "low", "high"}``."""
        return [{name: plain(cell) for name, cell in zip(self.columns, row, strict=True)} for row in self.rows]

    @property
    def _texts(self) -> list[list[str]]:
        return [list(self.columns), *([show(cell, self.digits) for cell in row] for row in self.rows)]

    def _columns_of(self, kind: Any) -> list[int]:
        return [i for i in range(len(self.columns)) if any(isinstance(row[i], kind) for row in self.rows)]


@dataclass(frozen=True)
class Check:
    """Something that ought to hold, and whether it does.

    Attributes:
        found: the result, in words.
        wanted: what it ought to be.
    """

    what: str
    found: str
    wanted: str
    holds: bool

    @classmethod
    def limit(cls, what: str, value: float, sign: str, bound: float, digits: int = 3) -> Check:
        """Compare a figure with a bound; ``sign`` is ``≥``, ``≤`` or ``<``, ``digits`` the decimals of the bound.

        >>> str(Check.limit("the mean", 0.75, "≥", 0.8, 2))
        'NO   the mean: .750 (wanted: ≥ .80)'
        """
        holds = {"≥": value >= bound, "≤": value <= bound, "<": value < bound}[sign]
        return cls(what, show(value), f"{sign} {show(bound, digits)}", holds)

    def __str__(self) -> str:
        return f"{'yes' if self.holds else 'NO '}  {self.what}: {self.found} (wanted: {self.wanted})"


@dataclass(frozen=True)
class Study:
    """The results of a study.

    Attributes:
        name: the beginning of its files' names.
        tables: the tables; the first answers the question.
        signatures: for each kind of score, how it was computed.
        settings: what else decides the figures: files, seeds, sizes.
        checks: what ought to hold.
        numbers: figures that are in no table, as JSON values.
        notes: remarks under the tables.
        size: width and height of the figure in inches.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    signatures: Mapping[str, str]
    settings: Mapping[str, Any]
    checks: tuple[Check, ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    draw: Callable[[Figure], None] | None = None
    size: tuple[float, float] = (8.0, 4.5)

    @property
    def table(self) -> Table:
        """The table that answers the question."""
        return self.tables[0]

    def figure(self) -> Figure:
        """Draw the figure.

        Raises:
            InputError: matplotlib is not installed.
            ValueError: the study has none.
        """
        if self.draw is None:
            raise ValueError(f"the study {self.name} has no figure")
        # The same study gives the same file, to the last byte.
        extra("matplotlib", "figures").rcParams["svg.hashsalt"] = "usim"
        # A figure of its own class is drawn without a window, whatever else of matplotlib is in use.
        figure: Figure = extra("matplotlib.figure", "figures").Figure(figsize=self.size, layout="constrained")
        self.draw(figure)
        return figure

    def render(self, form: str) -> str:
        """Return the study as it is printed: ``text``, ``markdown`` or ``json``."""
        return {"text": self.as_text, "markdown": self.as_markdown, "json": self.as_json}[form]()

    def as_text(self) -> str:
        """Return all tables, checks and signatures, for a terminal."""
        return self._join(self.title, [table.as_text() for table in self.tables if table.shown])

    def as_markdown(self) -> str:
        """Return all tables, checks and signatures, in Markdown."""
        tables = [table.as_markdown() for table in self.tables if table.shown]
        return self._join(f"# {self.title}", tables, "**Checks**\n", "- ", "`", "\n\n") + "\n"

    def _join(
        self, title: str, tables: list[str], checks: str = "Checks", bullet: str = "", quote: str = "", gap: str = "\n"
    ) -> str:
        signatures = [f"{bullet}{name}: {quote}{signature}{quote}" for name, signature in self.signatures.items()]
        lists = ["\n".join([checks, *(f"{bullet}{check}" for check in self.checks)])] if self.checks else []
        lists += [gap.join(self.notes)] if self.notes else []
        return "\n\n".join([title, *tables, *lists, "\n".join(signatures)])

    def as_json(self) -> str:
        """Return every number with its signature; what is not defined is null."""
        content = {
            "study": self.name,
            "title": self.title,
            "version": __version__,
            "signatures": dict(self.signatures),
            "settings": plain(self.settings),
            "checks": [vars(check) for check in self.checks],
            "tables": {t.name: {"title": t.title, "rows": t.to_dicts()} for t in self.tables},
            "numbers": plain(self.numbers),
            "notes": list(self.notes),
        }
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def write(self, folder: str | os.PathLike[str], *, figures: bool = True) -> list[Path]:
        """Write the study's files, each whole or not at all, and return their paths.

        Args:
            folder: where to; it is made if it does not exist.

        Raises:
            InputError: a file cannot be written, or matplotlib is not installed.
        """
        out = Path(folder)
        texts = {f"{self.name}.md": self.as_markdown(), f"{self.name}.json": self.as_json()}
        texts |= {f"{self.name}-{table.name}.csv": table.as_csv() for table in self.tables}
        texts |= {f"{self.name}-{table.name}.tex": table.as_latex() for table in self.tables if table.shown}
        written = []
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name, text in texts.items():
                with written_whole(out / name) as file:
                    file.write(text)
                written.append(out / name)
            if figures and self.draw is not None:
                figure = self.figure()
                for kind in ("png", "svg", "pdf"):
                    written.append(out / f"{self.name}.{kind}")
                    with written_whole(written[-1]) as file:
                        # Without a date the files are the same each time.
                        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
                        figure.savefig(file.buffer, format=kind, dpi=150, metadata=metadata)  # type: ignore[attr-defined]
        except OSError as e:
            raise InputError(e.strerror or str(e), path=out) from e
        return written


def show(cell: Cell, digits: int = 3) -> str:
    """Return a cell as people read it.

    >>> show(Interval(0.8125, 0.8, 0.825)), show(None), show(-0.25, 2), show(12)
    ('.812 [.800, .825]', '–', '-.25', '12')
    """
    if cell is None:
        return "–"
    if isinstance(cell, Interval):
        return f"{show(cell.value, digits)} [{show(cell.low, digits)}, {show(cell.high, digits)}]"
    if isinstance(cell, float):
        if math.isnan(cell):
            return "–"
        text = f"{cell:.{digits}f}"
        return text.replace("0.", ".", 1) if abs(cell) < 1 and text.lstrip("-").startswith("0.") else text
    return str(cell)


def plain(value: Any) -> Any:
    """Return a value as JSON knows it: intervals become objects, what is not a number becomes null."""
    if isinstance(value, Interval):
        return {"value": plain(value.value), "low": plain(value.low), "high": plain(value.high)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str | bool | int) or value is None:
        return value
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    if isinstance(value, os.PathLike):
        return Path(value).name  # where the data lies on a disk is no part of a result
    number = float(value)
    return number if math.isfinite(number) else None
