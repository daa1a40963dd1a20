"""Tables of pandas and polars, a pair a row: the same table with what usim says of each pair.

Neither library is needed, and none is imported but that of the table: a table has columns by name, and gives a table
with more of them by ``assign`` (pandas) or ``with_columns`` (polars).
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

from usim.compare import Sentence
from usim.errors import InputError, UsimError
from usim.scorer import Scorer
from usim.text import as_list, check_length, check_pair

T = TypeVar("T")
#: The columns that a table gets; all but the last are of :meth:`usim.judge.Result.to_row`.
COLUMNS = ("faithfulness", "verdict", "reasons", "kinds", "score", "language", "error")
_NUMBERS = ("faithfulness", "score")


def score_frame(frame: T, source: str = "source", output: str = "output", *, scorer: Scorer, prefix: str = "") -> T:
    """Score the pairs in two columns of a table; see :func:`usim.score_frame`."""
    if hasattr(frame, "collect"):
        raise InputError("a LazyFrame has no rows yet: pass frame.collect()")
    if not any(hasattr(frame, method) for method in ("assign", "with_columns")):
        raise TypeError(f"a table must be a DataFrame of pandas or polars, not of type {type(frame).__name__}")
    table: Any = frame
    known = list(table.columns)
    for name in (source, output):
        if name not in known:
            raise InputError(f"no column {name!r}; there are {', '.join(map(repr, known)) or 'none'}")
        if known.count(name) > 1:
            raise InputError(f"{known.count(name)} columns are called {name!r}: rename all but one")
    names = {name: prefix + name for name in COLUMNS}
    taken = [name for name in names.values() if name in known]
    if taken:
        listed = ", ".join(map(repr, taken))
        raise InputError(f"the table has {listed} already: rename, or drop, what is there, or give a prefix")
    rows = [_pair(a, b, scorer) for a, b in zip(table[source], table[output], strict=True)]
    results = scorer.score_pairs(row for row in rows if not isinstance(row, str))
    empty: dict[str, Any] = dict.fromkeys(COLUMNS)
    scored = [empty | ({"error": row} if isinstance(row, str) else next(results).to_row()) for row in rows]
    columns = {
        new: _column(new, [row[name] for row in scored], table[source], is_number=name in _NUMBERS)
        for name, new in names.items()
    }
    if hasattr(table, "with_columns"):
        return table.with_columns(list(columns.values()))  # type: ignore[no-any-return]
    return table.assign(**columns)  # type: ignore[no-any-return]


def _column(name: str, values: list[Any], like: Any, *, is_number: bool) -> Any:
    """Return the values of a column for the library of ``like``, with the same type whatever is missing."""
    if type(like).__module__.partition(".")[0] == "polars":
        import polars

        return polars.Series(name, values, dtype=polars.Float64 if is_number else polars.String)
    return [math.nan if value is None else value for value in values] if is_number else values


def _pair(source: Any, output: Any, scorer: Scorer) -> tuple[Sentence, Sentence] | str:
    """Return the sentences of a row, or what is wrong with them."""
    pair = as_list(source), as_list(output)
    try:
        for value in pair:
            if not isinstance(value, str | list | tuple):
                raise InputError(f"a text or an array of tokens is needed, not {value!r}")
        check_pair(pair)
        for sentence in pair:
            check_length(sentence, max_tokens=scorer.options.max_tokens)
    except UsimError as e:
        return e.message
    return pair[0], pair[1]
