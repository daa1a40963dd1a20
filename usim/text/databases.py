"""SQLite files of usim's own: the caches. Not imported with the package: most commands have none."""

from __future__ import annotations

import os
import re
import sqlite3

from usim.errors import InputError

#: The most bytes of a row.
LARGEST_ROW = 64 * 2**20
# Columns with types and constraints, but without an expression, which would stand in brackets.
_PLAIN = re.compile(r"CREATE TABLE \w+ \([^()]*\)( WITHOUT ROWID)?")


def open_table(path: str | os.PathLike[str], mark: int, table: str, what: str) -> sqlite3.Connection:
    """Open an SQLite file that holds plain tables and nothing else; it is made if it is not there.

    A file with anything else is refused: a view in the place of a table, a trigger or an expression in a table is a
    program, which may never come to its end.

    Args:
        path: the file; ``:memory:`` or an empty name for none.
        mark: SQLite's ``application_id``, so that no other database is taken for one of this kind.
        table: the table that is needed, as SQL has it: its name and its columns.
        what: what the file is called in errors.

    Returns:
        a connection that any thread may use, one at a time, without transactions of its own making.

    Raises:
        InputError: the file cannot be opened, or is something else.
    """
    file = None
    try:
        file = sqlite3.connect(os.fspath(path), timeout=60, isolation_level=None, check_same_thread=False)
        file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_ROW)
        (known,) = file.execute("PRAGMA application_id").fetchone()
        # The index of a column that is unique has no text.
        held = file.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        if any(known != mark or not _PLAIN.fullmatch(sql) for (sql,) in held):
            raise InputError(f"an SQLite file, but no {what}; name another file", path=path)
        if known != mark:  # before the journal mode, so that it stands in the file itself from the beginning
            file.execute(f"PRAGMA application_id={mark}")
        if os.fspath(path) not in ("", ":memory:"):
            file.execute("PRAGMA journal_mode=WAL")
        # A write that is lost with the power is done again; the file stays whole all the same.
        file.execute("PRAGMA synchronous=NORMAL")
        file.execute(f"CREATE TABLE IF NOT EXISTS {table}")
    except (sqlite3.Error, InputError) as e:
        if file is not None:
            file.close()
        if isinstance(e, InputError):
            raise
        raise InputError(f"not usable as a {what} ({e}); delete it, or name another file", path=path) from e
    return file
