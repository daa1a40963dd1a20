"""The engine of the service: one thread that judges what arrives together in one batch.

Requests are cut into items (a pair, a record, a text). Each batch takes items of all waiting requests in turn, so a
long request does not hold up short ones. Results do not depend on what shares a batch: they are those of the command
line.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from usim.judge import AnalysisCache
from usim.options import Options
from usim.scorer import Scorer
from usim.screen import Screen
from usim.signature import Signature
from usim.suggestions import BadRecord, Record

#: What can be asked of an item.
Kind = Literal["score", "screen", "parse"]

_BATCH = 32  # changed sentences a batch: enough to group those of like length, little enough to stay responsive


class Text(NamedTuple):
    """A text to parse, and the name of its graph."""

    text: str
    id: str


class StoppedError(RuntimeError):
    """The engine has been stopped."""


@dataclass(eq=False)
class _Job:
    """A request: its items, how each result is turned into an answer, and how far the work is."""

    kind: Kind
    items: Sequence[Any]
    finish: Callable[[int, Any], Any]
    future: Future[list[Any]]
    answers: list[Any]
    taken: int = 0
    done: int = 0

    @property
    def has_rest(self) -> bool:
        """Whether there are items that no batch has taken, and somebody who waits for them."""
        return self.taken < len(self.items) and not self.future.done()


class Engine:
    """A scorer and a screen that share a parser and a judge, and the thread in which they work.

    Args:
        options: the options of scorer and screen.
        wait: how many seconds the first item of a batch waits for others.
        remembered: how many tokens the remembered sources may have together.
        watch: called with the number of items of each batch.

    Raises:
        ParsingError, OptionError, UsimError: see :class:`usim.options.Options`.
    """

    def __init__(
        self,
        options: Options,
        *,
        wait: float = 0.003,
        remembered: int = 50_000,
        watch: Callable[[int], None] = lambda size: None,
    ) -> None:
        self.scorer = Scorer.from_options(options)
        shared = replace(options, parser=self.scorer.parser, judge=self.scorer.judge)
        self.screen = Screen.from_options(shared)
        self.scorer.sources = AnalysisCache(remembered // 2)
        self.screen.sources = AnalysisCache(remembered // 2)
        self._wait = wait
        self._watch = watch
        self._jobs: deque[_Job] = deque()
        self._change = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="usim-engine", daemon=True)
        self._thread.start()

    @cached_property
    def parse_signature(self) -> Signature:
        """What graphs are made with."""
        return Signature.stamped({"parser": self.scorer.parser.name})

    @property
    def is_ready(self) -> bool:
        """Whether the engine takes work."""
        return self._thread.is_alive() and not self._stopped

    def submit(self, kind: Kind, items: Sequence[Any], finish: Callable[[int, Any], Any]) -> Future[list[Any]]:
        """Ask for work, and return at once.

        Args:
            kind: ``score`` for pairs of texts, ``screen`` for records (also bad ones), ``parse`` for :class:`Text`.
            items: the items.
            finish: from the place of an item and its result (a ``Result``, a list of ``Screened``, a ``Graph``) to its
                answer; called in the engine's thread.

        Returns:
            the answers, in the order of the items. Cancelled, the rest of the items is not worked on.

        Raises:
            StoppedError: the engine has been stopped.
        """
        job = _Job(kind, items, finish, Future(), [None] * len(items))
        if not items:
            job.future.set_result([])
            return job.future
        with self._change:
            if not self.is_ready:
                raise StoppedError("the engine has been stopped")
            self._jobs.append(job)
            self._change.notify()
        return job.future

    def stop(self) -> None:
        """Finish what has been asked for, and end the thread."""
        with self._change:
            self._stopped = True
            self._change.notify()
        self._thread.join()

    def _work(self) -> None:
        while batch := self._next_batch():
            self._watch(len(batch))
            self._run(batch)

    def _waiting(self) -> int:
        return sum(len(job.items) - job.taken for job in self._jobs)

    def _next_batch(self) -> list[tuple[_Job, int]]:
        """Return jobs with the places of their items, all of one kind; nothing once the engine has been stopped."""
        with self._change:
            while True:
                self._jobs = deque(job for job in self._jobs if job.has_rest)
                if self._jobs:
                    break
                if self._stopped:
                    return []
                self._change.wait()
            self._change.wait_for(lambda: self._stopped or self._waiting() >= _BATCH, self._wait)
            kind = self._jobs[0].kind
            turns = deque(job for job in self._jobs if job.kind == kind)
            batch: list[tuple[_Job, int]] = []
            size = 0
            while turns and size < _BATCH:
                job = turns.popleft()
                size += _weight(job.items[job.taken])
                batch.append((job, job.taken))
                job.taken += 1
                if job.has_rest:
                    turns.append(job)
            # Other kinds first next time.
            self._jobs = deque(sorted(self._jobs, key=lambda job: job.kind == kind))
            return batch

    def _run(self, batch: Sequence[tuple[_Job, int]]) -> None:
        kind = batch[0][0].kind
        try:
            results = self._results(kind, [job.items[place] for job, place in batch])
        except Exception as e:
            if len(batch) > 1:  # so that an item costs no other one anything
                for entry in batch:
                    self._run([entry])
                return
            self._fail(batch[0][0], e)
            return
        for (job, place), result in zip(batch, results, strict=True):
            try:
                job.answers[place] = job.finish(place, result)
            except Exception as e:
                self._fail(job, e)
                continue
            job.done += 1
            if job.done == len(job.items) and job.future.set_running_or_notify_cancel():
                job.future.set_result(job.answers)

    def _fail(self, job: _Job, error: Exception) -> None:
        if not job.future.done() and job.future.set_running_or_notify_cancel():
            job.future.set_exception(error)

    def _results(self, kind: Kind, items: Sequence[Any]) -> list[Any]:
        if kind == "score":
            return list(self.scorer.score_pairs(items, batch=len(items)))
        if kind == "screen":
            return list(self.screen.screen_records(items))
        return list(self.scorer.parse([item.text for item in items], ids=[item.id for item in items]))


def _weight(item: Record | BadRecord | tuple[str, str] | Text) -> int:
    return max(1, len(item.suggestions)) if isinstance(item, Record) else 1
