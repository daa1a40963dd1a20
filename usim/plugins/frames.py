"""Tables of pandas and polars, a pair a row: the same table with what usim says of each pair.

Neither library is imported here, and neither is needed: a table has columns by name, and gives a table with more of
them by ``assign`` (pandas) or ``with_columns`` (polars).
"""

from __future__ import annotations

from typing import Any, TypeVar

from usim.compare import Sentence
from usim.errors import InputError, UsimError
from usim.scorer import Scorer
from usim.text import as_list, check_length, check_pair

T = TypeVar("T")
#: The columns that a table gets; all but the last are of :meth:`usim.scorer.Result.to_row`.
COLUMNS = ("faithfulness", "verdict", "reasons", "kinds", "score", "language", "error")


def score_frame(frame: T, source: str = "source", output: str = "output", *, scorer: Scorer) -> T:
    """Score the pairs in two columns of a table; see :func:`usim.score_frame`."""
    if not any(hasattr(frame, method) for method in ("assign", "with_columns")):
        raise TypeError(f"a table must be a DataFrame of pandas or polars, not of type {type(frame).__name__}")
    table: Any = frame
    known = list(table.columns)
    for name in (source, output):
        if name not in known:
            raise InputError(f"no column {name!r}; there are {', '.join(map(repr, known)) or 'none'}")
    rows = [_pair(a, b, scorer) for a, b in zip(table[source], table[output], strict=True)]
    results = scorer.score_pairs(row for row in rows if not isinstance(row, str))
    empty: dict[str, Any] = dict.fromkeys(COLUMNS)
    scored = [empty | ({"error": row} if isinstance(row, str) else next(results).to_row()) for row in rows]
    columns = {name: [row[name] for row in scored] for name in COLUMNS}
    if hasattr(table, "with_columns"):
        series = type(table[source])
        return table.with_columns([series(name, values) for name, values in columns.items()])  # type: ignore[no-any-return]
    return table.assign(**columns)  # type: ignore[no-any-return]


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
