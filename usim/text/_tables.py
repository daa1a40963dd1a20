"""Tables: whether a line names columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_NAME = re.compile(r"[a-z][a-z0-9]*(?:[ _-][a-z0-9]+)?", re.IGNORECASE)
#: What columns of texts and of suggestions are called.
_USUAL = frozenset(
    "id name line source sources src input original orig before noisy incorrect sentence sentences sent text output"
    " outputs out target targets tgt hyp hypothesis reference ref after changed clean correct correction corrections"
    " corrected prediction predictions candidate start end substitute substitutes suggestion suggestions label score"
    " lang language".split()
)


def is_header(cells: Sequence[str], known: Collection[str] = ()) -> bool:
    """Return whether cells look like the names of columns.

    That is so if all of them look like names, and two of them are usual names or one is known.

    Args:
        cells: the cells of a line.
        known: names that a reader expects.

    >>> is_header(["src", "tgt"]), is_header(["source", "mine"], known=["source", "output"])
    (True, True)
    >>> is_header(["He go home.", "He goes home."]), is_header(["cat", "cats"])
    (False, False)
    """
    names = [cell.strip() for cell in cells]
    if not all(_NAME.fullmatch(name) for name in names):
        return False
    usual = sum(any(part in _USUAL for part in re.split("[ _-]", name.lower())) for name in names)
    return usual >= 2 or (len(names) > 1 and any(name in known for name in names))
