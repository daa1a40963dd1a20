"""A program that answers JSON lines on its standard input and output, kept alive.

The program announces itself with one line, ``{"ready": …}``. Then it answers requests one at a time: a line with the
number ``id`` of the request. Everything that can go wrong is an error with the full story: a program that does not
start, dies, says nothing in time, or says something else. After any of these it is started anew when it is needed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Any

from usim.errors import ParsingError

_STDERR_LINES = 100  # of what the program wrote to standard error, kept for messages
_PATIENCE = 2.0  # seconds that a program gets to end by itself
_GARBAGE = "does not speak the protocol"


class JsonProcess:
    """A program that is started when it is needed, asked, and started again when it died.

    Args:
        command: the program and its arguments.
        name: how messages call it.
        environment: its environment variables.
        start_timeout: how many seconds it may take until it is ready.
        timeout: how many seconds an answer may take.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        environment: Mapping[str, str] | None = None,
        start_timeout: float,
        timeout: float,
    ) -> None:
        self.command = list(command)
        self.name = name
        self.environment = environment
        self.start_timeout = start_timeout
        self.timeout = timeout
        self._running: _Running | None = None
        self._asked = 0

    def ask(self, request: Mapping[str, Any], text: str) -> dict[str, Any]:
        """Ask the program, and return its answer.

        If the program dies over the request, it is started again and asked once more; it may have died of something
        else, such as a lack of memory.

        Args:
            request: a JSON object; its number is added as ``id``.
            text: what messages say that it was about.

        Raises:
            ParsingError: the program cannot be started, died twice, did not answer in time, did not speak the protocol,
                or answered with an error.
        """
        for last in (False, True):
            running = self.start()
            self._asked += 1
            try:
                answer = running.exchange({**request, "id": self._asked}, self.timeout)
            except _EndedError as e:
                self.close()
                if last:
                    raise self._error(f"died over a sentence, twice: {e}", running, text) from None
            except BaseException as e:  # an interrupt: the answer that is still to come must not be taken for another
                self.close(kill=True)
                if isinstance(e, _NoAnswerError):
                    raise self._error(str(e), running, text) from None
                raise
            else:
                if "error" in answer:
                    raise self._error(f"failed: {_story(answer)}", None, text)
                return answer
        raise AssertionError("the second round returns or raises")  # pragma: no cover

    def start(self) -> _Running:
        """Start the program, unless it runs already.

        Raises:
            ParsingError: it cannot be started.
        """
        if self._running is not None:
            return self._running
        try:
            running = _Running(self.command, self.environment)
        except OSError as e:
            raise ParsingError(f"{self.name} cannot be started: {e}", text=shlex.join(self.command)) from e
        try:
            greeting = running.receive(self.start_timeout, late="was not ready")
        except BaseException as e:
            running.stop(kill=not isinstance(e, _EndedError))
            if isinstance(e, _NoAnswerError):
                what = f"did not start: {e}" if isinstance(e, _EndedError) else str(e)
                raise self._error(what, running) from None
            raise
        if "ready" not in greeting:
            running.stop()
            raise self._error(f"did not start: {_story(greeting)}", None)
        self._running = running
        return running

    def close(self, *, kill: bool = False) -> None:
        """End the program, if it runs; it starts again when it is asked again."""
        if self._running is not None:
            self._running.stop(kill=kill)
            self._running = None

    def _error(self, message: str, running: _Running | None, text: str | None = None) -> ParsingError:
        said = running.said() if running is not None else ""
        story = f"\nwhat it wrote to standard error, at the end:\n{said}\n" if said else ""
        return ParsingError(f"{self.name} {message}{story}", text=text)


class _NoAnswerError(Exception):
    """What the program did in the place of an answer."""


class _EndedError(_NoAnswerError):
    """How the program ended."""


class _Running:
    """One run of the program."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None) -> None:
        # A session of its own, so that an interrupt from the keyboard is for usim to handle, and so that what the
        # program starts itself ends with it.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if environment is None else dict(environment),
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.requests, self.answers = self.process.stdin, self.process.stdout
        self.errors: deque[bytes] = deque(maxlen=_STDERR_LINES)
        self._drain = threading.Thread(target=_drain, args=(self.process.stderr, self.errors), daemon=True)
        self._drain.start()
        self._finish = weakref.finalize(self, _stop, self.process, self._drain, True)

    def exchange(self, request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        answer = self.receive(timeout, json.dumps(request).encode("ascii") + b"\n")
        if answer.get("id") != request["id"]:
            raise _NoAnswerError(f"{_GARBAGE}: an answer to {answer.get('id')!r}, where {request['id']} was asked")
        return answer

    def receive(self, timeout: float, request: bytes = b"", late: str = "gave no answer") -> dict[str, Any]:
        """Send a request, and return the next answer; a program that takes longer than the time-out is killed."""
        is_late = threading.Event()

        def give_up() -> None:
            is_late.set()
            _kill(self.process)

        timer = threading.Timer(timeout, give_up)
        timer.daemon = True
        timer.start()
        try:
            with contextlib.suppress(OSError):  # it ended before it had read all of the request
                self.requests.write(request)
                self.requests.flush()
            line = self.answers.readline()
            code = 0 if line else self.process.wait()
        finally:
            timer.cancel()
        if is_late.is_set():
            raise _NoAnswerError(f"{late} within {timeout:g} seconds and was ended")
        if not line:
            raise _EndedError(_how_ended(code))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise _NoAnswerError(f"{_GARBAGE}: it wrote {line[:200].decode('utf-8', 'replace')!r}")
        return answer

    def said(self) -> str:
        """Return the end of what it wrote to standard error."""
        return b"".join(list(self.errors)).decode("utf-8", "replace").strip()

    def stop(self, *, kill: bool = False) -> None:
        if self._finish.detach():
            _stop(self.process, self._drain, kill)


def _stop(process: subprocess.Popen[bytes], drain: threading.Thread, kill: bool) -> None:
    """End a process: by the end of its input if it obeys, by force if not; then close what it leaves."""
    assert process.stdin is not None
    assert process.stdout is not None
    if kill:
        _kill(process)
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()
    process.stdout.close()
    drain.join(_PATIENCE)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)  # its session: it and what it started


def _drain(pipe: IO[bytes], errors: deque[bytes]) -> None:
    with pipe, contextlib.suppress(OSError):
        errors.extend(pipe)


def _how_ended(code: int) -> str:
    """Return in words how a process with this exit code ended.

    >>> _how_ended(1), _how_ended(-9)
    ('exit code 1', 'ended by the signal SIGKILL')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"ended by the signal {signal.Signals(-code).name}"
    except ValueError:
        return f"ended by the signal {-code}"


def _story(answer: Mapping[str, Any]) -> str:
    """Return the message of an error answer, with its traceback."""
    trace = str(answer.get("traceback") or "").strip()
    return f"{answer.get('error', 'it gave no reason')}" + (f"\n{trace}\n" if trace else "")
