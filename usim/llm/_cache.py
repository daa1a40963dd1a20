"""Answers that are kept: an SQLite file that several threads may read and write.

An answer is found by a digest of the address, the model, the settings and the messages. The file holds no key, and
no messages. An answer is kept as soon as it is there, so that a run that was interrupted goes on where it was.
"""

from __future__ import annotations

import json
import os
import sqlite3
from dataclasses import asdict
from typing import Any

from usim.errors import InputError
from usim.llm._messages import Answer
from usim.text.databases import Store, digest_key
from usim.text.files import parse_json

_MARK = 0x75736C6D  # "uslm"


class AnswerCache:
    """Answers in an SQLite file, made if it is not there; in memory without a path.

    Raises:
        InputError: the file cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._path = path
        self._store = Store(":memory:" if path is None else path, _MARK, "cache of answers")
        self.close = self._store.close

    def get(self, request: Any) -> Answer | None:
        """Return the answer to a request, given as JSON values; None if there is none that can be read."""
        try:
            (value,) = self._store.get([_key(request)]).values()
            return Answer(**parse_json(value))
        except (sqlite3.Error, ValueError, TypeError):
            return None

    def put(self, request: Any, answer: Answer) -> None:
        """Keep an answer; once this returns it survives the end of the process.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._store.put({_key(request): json.dumps(asdict(answer)).encode()})
        except sqlite3.Error as e:
            raise InputError(f"an answer cannot be kept ({e})", path=self._path) from e


def _key(request: Any) -> bytes:
    return digest_key(json.dumps(request, sort_keys=True))
