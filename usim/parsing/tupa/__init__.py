"""TUPA as a parser: ``tupa:MODEL``.

TUPA (Hershcovich, Abend & Rappoport 2017, "A Transition-Based Directed Acyclic Graph Parser for UCCA") is the parser
that the paper on USim used (Choshen & Abend 2018). It runs in Python 3.7 at the latest, so it gets an environment of
its own (``docs/how-to/parsers.md`` says how), in which a program waits for sentences:
``usim.parsing.tupa.worker``. The program is started, and the model loaded, with the first sentence.

TUPA gets usim's tokens, so that its graphs can be compared with those of other parsers. A poorly trained model leaves
tokens out of its graph; these are held by the root, which adds no edge.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from usim.errors import GraphError, ParsingError
from usim.parsing.tupa._process import JsonProcess
from usim.text import check_batch, is_punct, tokenise
from usim.ucca import Edge, Graph, Terminal, Unit, storable_in_xml

_log = logging.getLogger(__name__)

#: Environment variables that say where TUPA's environment is, and how many seconds a sentence may take.
ENVIRONMENT, TIMEOUT = "USIM_TUPA_ENV", "USIM_TUPA_TIMEOUT"

_DEFAULT_TIMEOUT = 120.0  # TUPA takes a third of a second for a sentence, and minutes for a long text
_START_TIMEOUT = 600.0  # models with word vectors take minutes to load


class TupaParser:
    """A trained TUPA model; a :class:`usim.parsing.Parser`.

    Args:
        model: the model as TUPA's option ``-m`` takes it: the path of its files without their endings.
        environment: the folder of TUPA's Python environment; by default the variable ``USIM_TUPA_ENV``, or else
            :func:`default_environment`.
        timeout: how many seconds a sentence may take; by default the variable ``USIM_TUPA_TIMEOUT``, or else 120.
        start_timeout: how many seconds loading the model may take.
        threads: how many TUPA processes may run at a time; each has the model in its own memory.
        command: another program in place of TUPA, that speaks the same protocol.

    Raises:
        ParsingError: there is no such model, or no environment for TUPA.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        *,
        environment: str | os.PathLike[str] | None = None,
        timeout: float | None = None,
        start_timeout: float = _START_TIMEOUT,
        threads: int = 1,
        command: Sequence[str] | None = None,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "environment": environment,
            "timeout": timeout,
            "start_timeout": start_timeout,
            "threads": threads,
            "command": command,
        }
        self.model = os.path.abspath(os.fspath(model).removesuffix(".json"))
        self.name = f"tupa:{os.path.basename(self.model)}"
        if command is None:
            if not os.path.exists(f"{self.model}.json"):
                raise ParsingError(
                    "no TUPA model here: tupa:MODEL takes the path of a model's files without their endings, and "
                    f"there is no {os.path.basename(self.model)}.json",
                    path=model,
                )
            worker = Path(__file__).with_name("worker.py")
            # -I keeps the worker's own folder off the module path; there, "tupa" would be this very module.
            command = [_python(environment), "-I", str(worker), self.model]
        self._workers = [
            JsonProcess(
                command,
                name="TUPA",
                environment={"OMP_NUM_THREADS": "1", **os.environ},
                timeout=_timeout() if timeout is None else timeout,
                start_timeout=start_timeout,
            )
            for _ in range(threads)
        ]

    def __reduce__(self) -> tuple[Callable[..., TupaParser], tuple[str]]:
        return partial(TupaParser, **self._arguments), (self.model,)  # another process starts a TUPA of its own

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences and return their graphs, in order.

        Where TUPA gives up on a sentence and hands out an unfinished graph, that graph is used and a warning is logged.

        Raises:
            ParsingError: TUPA cannot be started, failed, died, or did not answer in time; with all that it said.
        """
        check_batch(sentences, ids)
        names = [""] * len(sentences) if ids is None else ids
        free: SimpleQueue[JsonProcess] = SimpleQueue()
        for worker in self._workers:
            free.put(worker)

        def parse_one(sentence: str | Sequence[str], name: str) -> Graph:
            worker = free.get()
            try:
                return _parse(worker, sentence, name)
            finally:
                free.put(worker)

        if len(self._workers) == 1 or len(sentences) < 2:
            return [parse_one(sentence, name) for sentence, name in zip(sentences, names, strict=True)]
        pool = ThreadPoolExecutor(len(self._workers))
        try:
            return list(pool.map(parse_one, sentences, names))
        finally:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """End the TUPA processes; they start again when there is something to parse."""
        for worker in self._workers:
            worker.close()

    def __enter__(self) -> TupaParser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def default_environment() -> Path:
    """Return the default folder of TUPA's environment: ``usim/tupa`` in the user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "usim" / "tupa"


def _python(environment: str | os.PathLike[str] | None) -> str:
    """Return the Python of TUPA's environment."""
    folder = Path(environment or os.environ.get(ENVIRONMENT) or default_environment())
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        raise ParsingError(
            "no Python environment for TUPA here: build one with `python -m parsers.tupa.setup --python PYTHON3.7 "
            f"--env {folder}` in a checkout of usim, or set {ENVIRONMENT} to its folder; see docs/how-to/parsers.md",
            path=folder,
        )
    return str(python.absolute())


def _timeout() -> float:
    value = os.environ.get(TIMEOUT) or _DEFAULT_TIMEOUT
    with suppress(ValueError):
        if float(value) > 0:
            return float(value)
    raise ParsingError(f"{TIMEOUT} must be a number of seconds", text=str(value))


def _parse(worker: JsonProcess, sentence: str | Sequence[str], name: str) -> Graph:
    """Return the graph of one sentence."""
    tokens = [token.text for token in tokenise(sentence)] if isinstance(sentence, str) else list(sentence)
    if not tokens:
        return Graph([], [Unit()], [], id=name)
    terminals = [Terminal(token, is_punct(token)) for token in tokens]
    text = sentence if isinstance(sentence, str) else " ".join(tokens)
    # What no file of UCCA can hold, TUPA has never seen; some of it (half of a surrogate pair) would make it fail.
    shown = [[storable_in_xml(token) or "\ufffd", is_mark] for token, is_mark, _ in terminals]
    request = {"name": name, "tokens": shown}
    answer = worker.ask(request, text)
    try:
        graph, loose = _graph(terminals, answer, name)
    except GraphError as e:
        raise ParsingError(f"TUPA's answer is not a UCCA graph: {e}", text=text) from e
    except (KeyError, TypeError, ValueError, IndexError) as e:
        raise ParsingError(f"TUPA's answer is not a graph: {type(e).__name__}: {e}", text=text) from e
    for remark in answer.get("remarks", ()):
        _log.warning("TUPA about %r: %s", text, remark)
    if loose:
        _log.warning("TUPA left %d of %d tokens out of its graph of %r", loose, len(tokens), text)
    return graph


def _graph(terminals: Sequence[Terminal], answer: Mapping[str, Any], name: str) -> tuple[Graph, int]:
    """Return the graph of an answer, and how many tokens the root had to hold because no unit did."""
    units = [Unit(tuple(held), bool(implicit), bool(punct)) for held, implicit, punct in answer["units"]]
    edges = [
        Edge(parent, child, tuple(categories), bool(remote), bool(uncertain))
        for parent, child, categories, remote, uncertain in answer["edges"]
    ]
    loose = set(range(len(terminals))).difference(*(unit.terminals for unit in units))
    if loose:
        children = {edge.child for edge in edges if not edge.is_remote}
        root = next((u for u in range(len(units)) if u not in children), 0)
        units[root] = units[root]._replace(terminals=(*units[root].terminals, *loose))
    return Graph(terminals, units, edges, id=name), len(loose)
