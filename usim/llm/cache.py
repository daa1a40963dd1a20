"""Answers that are kept: an SQLite file that several threads may read and write.

An answer is found by a digest of the address, the model, the settings and the messages. The file holds no key, and
no messages. An answer is kept as soon as it is there, so that a run that was interrupted goes on where it was.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from hashlib import blake2b
from typing import Any

from usim.errors import InputError
from usim.llm.messages import Answer
from usim.text import parse_json
from usim.text.databases import open_table

_MARK = 0x75736C6D  # "uslm": SQLite's application_id, so that no other database is taken for a cache
_TABLE = "answers (key BLOB PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"


class AnswerCache:
    """Answers in an SQLite file.

    Args:
        path: the file, made if it is not there; None keeps answers in memory.

    Raises:
        InputError: the file cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._file = open_table(":memory:" if path is None else path, _MARK, _TABLE, "cache of answers")

    def get(self, request: Any) -> Answer | None:
        """Return the answer to a request, given as JSON values; None if there is none that can be read."""
        try:
            with self._lock:
                row = self._file.execute("SELECT answer FROM answers WHERE key = ?", (_key(request),)).fetchone()
            return None if row is None else Answer(**parse_json(row[0]))
        except (sqlite3.Error, ValueError, TypeError):
            return None

    def put(self, request: Any, answer: Answer) -> None:
        """Keep an answer; once this returns it survives the end of the process.

        Raises:
            InputError: it cannot be written.
        """
        try:
            with self._lock:
                row = _key(request), json.dumps(answer.to_dict())
                self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", row)
        except sqlite3.Error as e:
            raise InputError(f"an answer cannot be kept ({e})", path=self._path) from e

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


def _key(request: Any) -> bytes:
    return blake2b(json.dumps(request, sort_keys=True).encode(), digest_size=16).digest()
