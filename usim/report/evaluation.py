"""An evaluation as the tables that UCCA papers print, and as rows."""

from __future__ import annotations

from collections.abc import Iterator

from usim.text import aligned, printable
from usim.ucca import CATEGORIES, Counts
from usim.ucca.evaluate import LABELS, Evaluation

_ROWS = ("primary", "remote", "all", "implicit")
_TITLES = {"labelled": "labelled", "unlabelled": "unlabelled", "weak": "weakly labelled"}
_HEAD = ("P", "R", "F", "matched", "predicted", "gold")

#: The columns of :func:`rows`.
COLUMNS = ("table", "row", "precision", "recall", "f", "matched", "predicted", "gold")


def rows(evaluation: Evaluation) -> Iterator[tuple[str, str, Counts]]:
    """Yield each line of the tables: the table, the row in it, the counts.

    The tables are ``labelled``, ``unlabelled``, ``weak`` and ``category``.
    """
    for how in LABELS:
        agreement = getattr(evaluation, how)
        for row in _ROWS:
            yield how, row, getattr(agreement, row)
    for category, counts in evaluation.categories.items():
        yield "category", category, counts


def table(evaluation: Evaluation) -> str:
    """Return the tables as text."""
    rows: list[list[str]] = []
    for how, title in _TITLES.items():
        agreement = getattr(evaluation, how)
        rows.append([title, *_HEAD])
        rows += [[f"  {row}", *_figures(getattr(agreement, row))] for row in _ROWS]
        rows.append([""] * len(rows[0]))
    rows.append(["category", *_HEAD])
    for category, counts in evaluation.categories.items():
        name = f"  {printable(category)} {CATEGORIES.get(category, '')}".rstrip()
        rows.append([name, *_figures(counts)])
    return "\n".join(aligned(rows, right=range(1, len(rows[0]))))


def _figures(counts: Counts) -> list[str]:
    scores = [f"{score:.4f}" for score in (counts.precision, counts.recall, counts.f)]
    return [*scores, *map(str, (counts.matched, counts.predicted, counts.gold))]
