"""An evaluation as the tables that UCCA papers print, and as rows."""

from __future__ import annotations

from collections.abc import Iterator

from usim.text import printable
from usim.ucca import CATEGORIES, Counts
from usim.ucca.evaluate import LABELS, Evaluation

_ROWS = ("primary", "remote", "all", "implicit")
_TITLES = {"labelled": "labelled", "unlabelled": "unlabelled", "weak": "weakly labelled"}
_HEAD = f"{'P':>8}{'R':>8}{'F':>8}{'matched':>10}{'predicted':>11}{'gold':>8}"

#: The columns of :func:`rows`.
COLUMNS = ("table", "row", "precision", "recall", "f", "matched", "predicted", "gold")


def rows(evaluation: Evaluation) -> Iterator[tuple[str, str, Counts]]:
    """Yield each line of the tables: the table, the row in it, the counts.

    The tables are ``labelled``, ``unlabelled``, ``weak``, ``category`` and ``category_at_gold``.
    """
    for how in LABELS:
        agreement = getattr(evaluation, how)
        for row in _ROWS:
            yield how, row, getattr(agreement, row)
    for category, counts in evaluation.categories.items():
        yield "category", category, counts
    for category, counts in evaluation.labelled.at_gold.items():
        yield "category_at_gold", category, counts


def table(evaluation: Evaluation) -> str:
    """Return the tables as text."""
    lines = []
    for how, title in _TITLES.items():
        lines.append(f"{title:24}{_HEAD}")
        agreement = getattr(evaluation, how)
        lines += [f"  {row:22}{_figures(getattr(agreement, row))}" for row in _ROWS]
        lines.append("")
    at_gold = evaluation.labelled.at_gold
    lines.append(f"{'category':24}{_HEAD}{'F at gold':>11}")
    for category, counts in evaluation.categories.items():
        name = f"{printable(category)} {CATEGORIES.get(category, '')}".rstrip()
        beside = f"{at_gold[category].f:11.4f}" if category in at_gold else f"{'-':>11}"
        lines.append(f"  {name:22}{_figures(counts)}{beside}")
    return "\n".join(lines)


def _figures(counts: Counts) -> str:
    scores = f"{counts.precision:8.4f}{counts.recall:8.4f}{counts.f:8.4f}"
    return f"{scores}{counts.matched:10d}{counts.predicted:11d}{counts.gold:8d}"
