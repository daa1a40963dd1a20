"""Tables of figures for people and for programs: aligned text, Markdown, LaTeX, CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from usim.report.words import one_line
from usim.stats import Interval
from usim.text import aligned, as_cell, visible

#: A cell of a table: text, a count, a figure, a figure with its interval, or nothing.
Cell = str | int | float | Interval | None
Row = tuple[Cell, ...]

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "Δ": r"$\Delta$", "≥": r"$\geq$", "≤": r"$\leq$",
    "→": r"$\rightarrow$", "|": r"\textbar{}", "–": "--", "−": "$-$", "§": r"\S{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "κ": r"$\kappa$",
}  # fmt: skip
#: What begins a reference, a tag, an escape, code, emphasis or strikethrough.
_MARKDOWN = str.maketrans({"&": "&amp;", "<": "&lt;"} | {sign: f"&#{ord(sign)};" for sign in "\\`*~"})
#: A line below that does not stand between two letters begins or ends emphasis, too.
_EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_BAR = re.compile(r"(?<!\\)\\*+\|")


def latex(text: str) -> str:
    r"""Return a text with the special characters of LaTeX escaped.

    >>> print(latex("Δ of 5 % & more"))
    $\Delta$ of 5 \% \& more
    """
    return "".join(_LATEX.get(character, character) for character in text)


def markdown(text: str) -> str:
    r"""Return a text that Markdown shows as it is: the characters that would mark it up are named.

    >>> print(markdown(r"<b> [a](b) \| `c` _d_ e_f"))
    &lt;b> [a]&#40;b) &#92;| &#96;c&#96; &#95;d&#95; e_f
    """
    return _EMPHASIS.sub("&#95;", text.translate(_MARKDOWN)).replace("](", "]&#40;")


def markdown_table(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Write rows as a table in Markdown, the first as its header; the columns in ``right`` are flush right."""
    cells = ([_BAR.sub(lambda bar: 2 * bar[0][:-1] + "\\|", " ".join(cell.split())) for cell in row] for row in rows)
    lines = [f"| {' | '.join(row)} |" for row in cells]
    rule = ("---:" if i in right else "---" for i in range(len(rows[0])))
    return "\n".join([lines[0], "| " + " | ".join(rule) + " |", *lines[1:]])


@dataclass(frozen=True)
class Table:
    """Figures in rows and columns.

    Attributes:
        name: the end of the name of its file, e.g. ``means``.
        note: an explanation below the table.
        signature: what made the figures; a comment in LaTeX.
        digits: the number of decimals for people; files of figures (CSV, JSON) have all of them.
        shown: whether it is for people; if not, it is only in files of figures.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    digits: int = 3
    shown: bool = True
    signature: str = ""

    def as_text(self) -> str:
        """Return the table in columns that line up, under its title."""
        lines = [one_line(self.title), *aligned(self._texts, self._columns_of(int | float | Interval))]
        return "\n".join([*lines, *([f"({self.note})"] if self.note else [])])

    def as_markdown(self) -> str:
        """Return the table in Markdown, under its title."""
        rows = [list(map(markdown, row)) for row in self._texts]
        title = f"**{markdown(one_line(self.title))}**"
        lines = [title, "", markdown_table(rows, self._columns_of(int | float | Interval))]
        return "\n".join([*lines, *(line for text in (self.note, self.signature) if text for line in ("", text))])

    def as_latex(self) -> str:
        """Return the table in LaTeX, as the package booktabs has it, with its title as the caption."""
        right = self._columns_of(int | float | Interval)
        columns = "".join("r" if i in right else "l" for i in range(len(self.columns)))
        header, *rows = (" & ".join(map(latex, row)) + " \\\\" for row in self._texts)
        lines = [
            r"% \usepackage{booktabs}",
            *([f"% {one_line(self.signature)}"] if self.signature else []),
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex(one_line(self.title))}}}",
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
        """Return the table with all digits; an interval takes three columns: ``X``, ``X low``, ``X high``.

        Texts are such that a spreadsheet shows them as text (:func:`usim.text.as_cell`).
        """
        wide = self._columns_of(Interval)
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        header = [(name, f"{name} low", f"{name} high") if i in wide else name for i, name in enumerate(self.columns)]
        for row in (header, *self.rows):
            cells: list[object] = []
            for i, cell in enumerate(row):
                cells += cell if isinstance(cell, tuple) else [cell, None, None] if i in wide else [cell]
            shown = (as_cell(visible(cell)) if isinstance(cell, str) else cell for cell in cells)
            writer.writerow(["" if c is None or (isinstance(c, float) and math.isnan(c)) else c for c in shown])
        return file.getvalue()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows by the names of the columns; intervals as ``{"value", "low", "high"}``."""
        rows = ([each._asdict() if isinstance(each, Interval) else each for each in row] for row in self.rows)
        return [dict(zip(self.columns, row, strict=True)) for row in rows]

    @property
    def _texts(self) -> list[list[str]]:
        return [[one_line(show(cell, self.digits)) for cell in row] for row in (self.columns, *self.rows)]

    def _columns_of(self, kind: Any) -> list[int]:
        return [i for i in range(len(self.columns)) if any(isinstance(row[i], kind) for row in self.rows)]


def write_tables(tables: Iterable[Table], form: str) -> str:
    """Return tables in a format, ``text``, ``markdown``, ``latex`` or ``csv``, with a blank line between them."""
    write = {"text": Table.as_text, "markdown": Table.as_markdown, "latex": Table.as_latex, "csv": Table.as_csv}[form]
    return "\n".join(f"{write(table).rstrip()}\n" for table in tables)


def show(cell: Cell, digits: int = 3) -> str:
    """Return a cell as text for people.

    >>> show(Interval(0.8125, 0.8, 0.825)), show(None), show(-0.25, 2), show(12)
    ('.812 [.800, .825]', '–', '-.25', '12')
    """
    if cell is None or (isinstance(cell, Interval) and math.isnan(cell.value)):
        return "–"
    if isinstance(cell, Interval):
        return f"{show(cell.value, digits)} [{show(cell.low, digits)}, {show(cell.high, digits)}]"
    if isinstance(cell, float):
        if math.isnan(cell):
            return "–"
        text = f"{cell:.{digits}f}"
        return text.replace("0.", ".", 1) if abs(cell) < 1 and text.lstrip("-").startswith("0.") else text
    return str(cell)
