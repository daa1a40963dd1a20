"""Values by key in SQLite files."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from usim.errors import InputError

#: The most bytes of a row, and of all rows that are read for one question: what is beyond them is not there.
LARGEST_ROW = 4 * 2**20
_LARGEST_ANSWER = 256 * 2**20
# Columns with types and constraints, but without an expression, which would stand in brackets.
_PLAIN = re.compile(r"CREATE TABLE \w+ \([^()]*\)( WITHOUT ROWID)?")


_TABLE = "kept (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"
_KEYS_PER_QUERY = 500  # SQLite's limit on variables was once 999
_CHECK_SIZE = 8  # bytes of a row's checksum


class Store:
    """Values by key, in a file that several processes and threads may read and write at the same time.

    Each row has a checksum over its key and its value. A row that is damaged, or belongs to another key, is not there.

    Args:
        path: the file, made if it is not there; ``:memory:`` or an empty name for none.
        mark: SQLite's ``application_id``, so that no other database is taken for one of this kind.
        what: what the file is called in errors.

    Raises:
        InputError: the file cannot be opened, or is something else.
    """

    def __init__(self, path: str | os.PathLike[str], mark: int, what: str) -> None:
        self._file = open_table(path, mark, _TABLE, what)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of those keys that have one.

        Raises:
            sqlite3.Error: the file cannot be read.
        """
        keys = list(keys)
        values: dict[bytes, bytes] = {}
        room = _LARGEST_ANSWER
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            asked = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(asked))
            query = (
                f"SELECT key, value FROM kept WHERE key IN ({marks}) "
                f"AND typeof(value) = 'blob' AND length(value) <= {LARGEST_ROW}"
            )
            rows = []
            with self._lock:
                for row in self._file.execute(query, asked):
                    room -= len(row[1])
                    if room < 0:
                        break
                    rows.append(row)
            for key, sealed in rows:
                if sealed[:_CHECK_SIZE] == _check(key, sealed[_CHECK_SIZE:]):
                    values[key] = sealed[_CHECK_SIZE:]
        return values

    def put(self, values: Mapping[bytes, bytes]) -> None:
        """Keep values: all of them, or none after an error; once this returns they survive the end of the process.

        Raises:
            sqlite3.Error: the file cannot be written.
        """
        rows = [(key, _check(key, value) + value) for key, value in values.items()]
        with self._lock, self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany(
                "INSERT INTO kept (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                rows,
            )


def _check(key: bytes, value: bytes) -> bytes:
    return blake2b(key + value, digest_size=_CHECK_SIZE).digest()


def digest_key(*parts: str) -> bytes:
    """Return a key for texts: 16 bytes, which differ for different texts."""
    hashed = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hashed.update(b"%d\0" % len(data) + data)
    return hashed.digest()


def open_table(path: str | os.PathLike[str], mark: int, table: str, what: str) -> sqlite3.Connection:
    """Open an SQLite file that holds plain tables and nothing else; it is made if it is not there.

    A file with anything else is refused: a view in the place of a table, a trigger or an expression in a table is a
    program, which may never come to its end. Any thread may use the connection, one at a time.

    Args:
        path, mark, what: see :class:`Store`.
        table: the table that is needed, as SQL has it: its name and its columns.

    Raises:
        InputError: the file cannot be opened, or is something else.
    """
    file = None
    try:
        file = sqlite3.connect(os.fspath(path), timeout=60, isolation_level=None, check_same_thread=False)
        file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 16 * LARGEST_ROW)
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
        # Whatever is wrong, the file may be somebody else's, or in use: nobody is told to delete it.
        raise InputError(f"not usable as a {what} ({e}); name another file", path=path) from e
    return file
