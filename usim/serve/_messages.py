"""Messages of the Language Server Protocol: read from standard input, and handed to pygls.

pygls 2.1.1 has a loop and documents of its own, which are not used here for three reasons. Its documents end lines at
all ends that Python knows, and clip the columns of an edit at them before a handler sees the edit. Its loop takes no
header but ``Content-Length: N`` to the letter, and answers nothing where a message cannot be read. Its reader holds
standard input locked in a thread, so that an interrupt cannot end the process.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from threading import Thread
from typing import Any, BinaryIO, NoReturn

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcParseError
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

_LARGEST = 2**26  # bytes of a message; what claims to be larger is skipped
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?\n\Z", re.IGNORECASE)
_PAUSE = 2.0  # seconds between two looks at the editor's process


class Protocol(LanguageServerProtocol):
    """The protocol of pygls without its copies of the documents: handlers get each edit as the editor sent it."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Iterator[Any]:
        """Hand over a text that is opened."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Iterator[Any]:
        """Hand over edits."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Iterator[Any]:
        """Hand over that a text is closed."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *_: Any) -> NoReturn:
        """End the process: with 0 after a request to shut down, with 1 without one."""
        raise SystemExit(self.exit_code)

    @property
    def exit_code(self) -> int:
        """The exit code of a process that ends now."""
        return 0 if self._shutdown else 1

    def take(self, body: bytes) -> None:
        """Handle a message; one that cannot be read is answered with an error."""
        given: Any = None
        try:
            try:
                given = json.loads(body)
            except (ValueError, RecursionError) as e:
                raise JsonRpcParseError(f"a message is no JSON: {e}") from e
            if not isinstance(given, dict) or given.get("jsonrpc") != self.VERSION:
                raise JsonRpcInvalidRequest("a message must be an object with jsonrpc 2.0")
            # Every object is looked at, as pygls does it: a message may hold others.
            message = json.loads(body, object_hook=self.structure_message)
        except JsonRpcException as e:
            number = given.get("id") if isinstance(given, dict) else None
            asked = number if isinstance(number, int | str) else None
            self._send_data(lsp.ResponseErrorMessage(id=asked, error=e.to_response_error()))
            return
        self.handle_message(message)


class Input:
    """Standard input, read by a thread of its own, which needs no end: nothing waits for it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._bytes = asyncio.StreamReader(limit=_LARGEST)
        Thread(target=self._read, args=(sys.stdin.fileno(),), daemon=True).start()

    def _read(self, descriptor: int) -> None:
        # No lock is held while it waits, as one of Python's own streams would be.
        with suppress(RuntimeError):  # the loop has ended
            while read := _read_some(descriptor):
                self._loop.call_soon_threadsafe(self._bytes.feed_data, read)
            self._loop.call_soon_threadsafe(self.end)

    def end(self) -> None:
        """Read no more: the editor has gone."""
        self._bytes.feed_eof()

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield the bodies of messages, until the editor ends the input.

        Nothing that an editor sends makes this deaf: what is no header is skipped up to the next one, wherever in a
        line it begins, because a body that is longer than its header says has no end of a line.
        """
        length: int | None = None
        with suppress(asyncio.IncompleteReadError):
            while True:
                try:
                    line = await self._bytes.readuntil(b"\n")
                except asyncio.LimitOverrunError as e:
                    await self._bytes.readexactly(e.consumed)
                    continue
                told = _LENGTH.search(line)
                if told:
                    length = int(told[1])
                elif not line.strip() and length is not None:
                    if length <= _LARGEST:
                        yield await self._bytes.readexactly(length)
                    length = None


class Output:
    """Standard output for pygls; where nobody reads it any more, the input ends too."""

    def __init__(self, stream: BinaryIO, given: Input) -> None:
        self._stream, self._input = stream, given

    def write(self, data: bytes) -> None:
        """Write a message."""
        try:
            self._stream.write(data)
            self._stream.flush()
        except OSError:
            self._input.end()

    def close(self) -> None:
        """Do nothing: whoever opened the stream closes it."""


async def end_with(process: int, given: Input) -> None:
    """End the input once a process has ended; do nothing where no such process can be seen, as from a container."""
    while _runs(process):
        await asyncio.sleep(_PAUSE)
        if not _runs(process):
            given.end()


def _runs(process: int) -> bool:
    if os.name == "nt":  # os.kill would end it
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 2**16)
    except OSError:
        return b""
