"""Answers that are kept: a file of JSON lines, to which each answer is added as soon as it is there.

An answer is found by a digest of the address, the model, the settings and the messages. The file holds no key and no
messages. An interrupted run goes on where it was; a line that was cut or damaged is asked again.
"""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode

from usim.errors import InputError

_MARK = b'{"usim_answers": 1}'  # the first line, so that no other file is taken for one


class ChatAnswer(Struct, frozen=True):
    """What a model answered.

    Attributes:
        text: the answer.
        first: the likeliest first tokens with their log-probabilities; None where the server gives none.
        tokens_in, tokens_out: how many tokens the server counted; None where it does not say.
    """

    text: str
    first: dict[str, float] | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


class _Kept(Struct):
    key: str
    answer: ChatAnswer


class AnswerCache:
    """Answers in a file, made if it is not there; in memory without a path. Several processes may add to a file.

    Raises:
        InputError: the file cannot be read or written, or is something else.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._answers: dict[str, ChatAnswer] = {}
        if path is None:
            return
        if not os.path.lexists(path):
            self._add(_MARK)
        try:
            mark, *lines = path.read_bytes().splitlines() or [b""]
        except OSError as e:
            raise InputError(f"not usable as a cache of answers ({e.strerror}); name another file", path=path) from e
        if mark != _MARK:
            raise InputError("a file, but no cache of answers; name another file", path=path)
        for line in lines:
            try:
                kept = decode(line, type=_Kept)
            except (DecodeError, UnicodeDecodeError, RecursionError):
                continue
            self._answers[kept.key] = kept.answer

    def get(self, request: Any) -> ChatAnswer | None:
        """Return the answer to a request, given as JSON values; None if there is none."""
        return self._answers.get(_key(request))

    def put(self, request: Any, answer: ChatAnswer) -> None:
        """Keep an answer; once this returns it survives the end of the process."""
        self._answers[_key(request)] = answer
        # The line end before it ends a line that a killed run has cut.
        self._add(b"\n" + encode(_Kept(_key(request), answer)))

    def _add(self, line: bytes) -> None:
        if self._path is not None:
            try:
                with open(self._path, "ab") as file:
                    file.write(line + b"\n")
            except OSError as e:
                message = f"not usable as a cache of answers ({e.strerror}); name another file"
                raise InputError(message, path=self._path) from e


def _key(request: Any) -> str:
    return blake2b(json.dumps(request, sort_keys=True).encode(), digest_size=16).hexdigest()
