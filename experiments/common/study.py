"""Results of a study: its tables, its figure, and a JSON file with every number.

A study's ``run(…)`` returns a :class:`Study`. Notebooks take ``study.table`` and ``study.figure()`` from it; the
command lines print it (:meth:`Study.render`) and write it to a folder (:meth:`Study.write`): ``NAME.md``, a CSV file
for each table, one in LaTeX for each that is for people, ``NAME.json``, ``NAME.png``, ``NAME.svg`` and ``NAME.pdf``.
Figures need matplotlib (``pip install matplotlib``), which is imported only when one is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from usim import __version__
from usim.errors import InputError, extra
from usim.report.tables import Table
from usim.text.codec import json_text
from usim.text.files import written_whole

Figure = Any  # that of matplotlib, which is imported when one is drawn


@dataclass(frozen=True)
class Study:
    """The results of a study.

    Attributes:
        name: the beginning of its files' names.
        tables: the tables; the first answers the question.
        signatures: for each kind of score, how it was computed.
        settings: what else decides the figures: files, seeds, sizes.
        numbers: figures that are in no table, as JSON values.
        notes: remarks under the tables.
        size: width and height of the figure in inches.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    signatures: Mapping[str, str]
    settings: Mapping[str, Any]
    numbers: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    draw: Callable[[Figure], None] | None = None
    size: tuple[float, float] = (8.0, 4.5)

    @property
    def table(self) -> Table:
        """The table that answers the question."""
        return self.tables[0]

    def figure(self) -> Figure:
        """Draw the figure, by matplotlib; raise a ValueError where the study has none."""
        if self.draw is None:
            raise ValueError(f"the study {self.name} has no figure")
        # The same study gives the same file, to the last byte.
        extra("matplotlib", "figures need").rcParams["svg.hashsalt"] = "usim"
        # Figure, in place of pyplot, draws without a window.
        figure: Figure = extra("matplotlib.figure", "figures need").Figure(figsize=self.size, layout="constrained")
        self.draw(figure)
        return figure

    def render(self, form: str) -> str:
        """Return the study as it is printed: ``text``, ``markdown`` or ``json``."""
        return {"text": self.as_text, "markdown": self.as_markdown, "json": self.as_json}[form]()

    def as_text(self) -> str:
        """Return the tables, notes and signatures, for a terminal."""
        return self._joined(self.title, Table.as_text, "{}: {}")

    def as_markdown(self) -> str:
        """Return the tables, notes and signatures, in Markdown."""
        return self._joined(f"# {self.title}", Table.as_markdown, "- {}: `{}`") + "\n"

    def _joined(self, title: str, written: Callable[[Table], str], line: str) -> str:
        signatures = "\n".join(line.format(*signature) for signature in self.signatures.items())
        return "\n\n".join([title, *(written(t) for t in self.tables if t.shown), *self.notes, signatures])

    def as_json(self) -> str:
        """Return every number with its signature as JSON; numbers that are not defined are null."""
        content = {
            "study": self.name,
            "title": self.title,
            "version": __version__,
            "signatures": dict(self.signatures),
            "settings": {name: each.name if isinstance(each, Path) else each for name, each in self.settings.items()},
            "tables": {t.name: {"title": t.title, "rows": t.to_dicts()} for t in self.tables},
            "numbers": self.numbers,
            "notes": list(self.notes),
        }
        return json_text(content, indent=2)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the study's files, each whole or not at all, and return their paths; the figure comes last."""
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
            if self.draw is not None:
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
