"""TUPA as a parser (Hershcovich, Abend and Rappoport 2017): ``--parser tupa:MODEL``.

TUPA needs Python 3.7 at the latest. So a worker in an environment of its own (``parsers/tupa/setup.sh`` builds it)
loads the model once, and answers a sentence after the other (:mod:`usim.parsing.tupa_worker`). It starts with the first
sentence and ends with the parser.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from usim.errors import ParsingError
from usim.text import check_batch, token_texts
from usim.ucca import Graph, Unit, parse_xml

#: The environment variable that names the Python of TUPA's environment.
PYTHON = "USIM_TUPA_PYTHON"
_WORKER = Path(__file__).with_name("tupa_worker.py")
_SHOWN = 5  # lines of what TUPA printed last
_LEAVING = 10  # seconds that a worker whose answers have ended has to end itself


class TupaParser:
    """A TUPA model in a process of its own.

    Args:
        model: the path of the model's files without their endings, as TUPA's option ``-m`` takes it.

    Attributes:
        name: how it is called in signatures, such as ``tupa:ucca-bilstm``.

    Raises:
        ParsingError: no such model, or ``USIM_TUPA_PYTHON`` names no Python.
    """

    def __init__(self, model: str) -> None:
        self._model = os.path.abspath(model)
        self._python = os.environ.get(PYTHON, "")
        if not os.path.exists(f"{self._model}.json"):
            raise ParsingError("no TUPA model here: give the path of its .json without the ending", path=model)
        if not os.access(self._python, os.X_OK):
            problem = f"{PYTHON} must name the Python of TUPA's environment, as tupa-env/bin/python"
            raise ParsingError(f"{problem} (sh parsers/tupa/setup.sh python3.7 tupa-env builds it)", text=self._python)
        self.name = f"tupa:{Path(model).name}"
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._printed: IO[bytes] | None = None

    def __reduce__(self) -> tuple[type[TupaParser], tuple[str]]:
        return TupaParser, (self._model,)

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences and return their graphs, in order; an empty sentence has a graph without units.

        Raises:
            ParsingError: TUPA cannot be started, or fails on a sentence.
        """
        check_batch(sentences, ids)
        names = ids or [f"{number:06}" for number in range(1, len(sentences) + 1)]
        with self._lock:
            return [
                self._parse(token_texts(sentence) if isinstance(sentence, str) else list(sentence), name)
                for sentence, name in zip(sentences, names, strict=True)
            ]

    def _parse(self, tokens: list[str], name: str) -> Graph:
        if not tokens:
            return Graph([], [Unit()], [], id=name)
        answer = self._ask({"id": name, "tokens": tokens})
        if "error" in answer:
            raise ParsingError(f"TUPA failed on a sentence ({answer['error']})", text=" ".join(tokens))
        graph = parse_xml(answer["xml"])
        if list(graph.tokens) != tokens:
            raise ParsingError("TUPA gave a graph of other tokens", text=" ".join(tokens))
        return graph

    def _ask(self, question: dict[str, object]) -> dict[str, str]:
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError as e:
            raise self._ended() from e
        return self._answer()

    def _answer(self) -> dict[str, str]:
        assert self._process is not None
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise self._ended()
        answer: dict[str, str] = json.loads(line)
        return answer

    def _start(self) -> None:
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process lives
        command = [self._python, "-I", str(_WORKER), self._model]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._printed, encoding="utf-8")
        except OSError as e:
            raise ParsingError(f"TUPA cannot be started ({e.strerror})", path=self._python) from e
        weakref.finalize(self, _end, self._process, self._printed)
        self._answer()

    def _ended(self) -> ParsingError:
        """Return the error of a process that is no more; the next sentence starts another."""
        assert self._process is not None
        assert self._printed is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVING)  # its answers end before it has said why
        self._process.kill()
        self._process.wait()
        self._printed.seek(0)
        said = self._printed.read().decode("utf-8", "replace").strip().splitlines()
        _end(self._process, self._printed)
        self._process = None
        return ParsingError("\n".join(["TUPA ended; it said last:", *said[-_SHOWN:]]), path=self._model)


def _end(process: subprocess.Popen[str], printed: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, printed):
        with suppress(OSError):  # what was written to a process that is no more
            if stream is not None:
                stream.close()
