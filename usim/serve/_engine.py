"""The engine of the service: two threads that judge what arrives together in batches.

The work of a request is measured in tokens before it begins. Small requests and large ones wait in different lanes,
each with a thread of its own, so that a small one never waits for a large one. Each batch takes items (a pair, a text,
a record) of all requests in its lane in turn. When a client has gone, the rest of its items is not worked on. Results
do not depend on what shares a batch: they are those of the command line.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from usim.judge import AnalysisCache, Policy
from usim.options import Options
from usim.records import BadRecord, Record
from usim.scorer import Scorer
from usim.screen import Screen, VerdictCache
from usim.serve._problems import ProblemError
from usim.text import Context, context_of, sentence_around, token_texts

#: What can be asked of an item.
Kind = Literal["same", "shorten", "expand", "screen", "parse", "compare"]

#: Requests of at most so many tokens are small: less than half a second of work.
SMALL = 1000
_BATCH = 32  # items a batch: enough to group those of like length, few enough to stay responsive
_BATCH_TOKENS = 1500  # tokens a batch, if it is not a single item
_CONTEXT_SHARE = 2  # so many tokens around a sentence are as much work as one in it, which is parsed and compared
_COMPARED = 2  # a text that is compared is so many times the work of its sentences
_REMEMBERED = 5000  # tokens of sources that a scorer or a screen keeps together


class Text(NamedTuple):
    """A text to parse, and the name of its graph."""

    text: str
    id: str


class TextPair(NamedTuple):
    """Two versions of a text, what may happen to the content, and whether they are Markdown."""

    before: str
    after: str
    policy: Policy = "same"
    is_markdown: bool = False


#: A sentence before and after a change, and what stands around both.
PairItem = tuple[str, str, Context | None]
#: What is worked on: a pair, a record, a text, two versions of a text.
Item = Record | BadRecord | PairItem | Text | TextPair


@dataclass(eq=False)
class _Request:
    """A request: its items with the tokens that each costs, and their results so far."""

    kind: Kind
    items: Sequence[Item]
    tokens: Sequence[int]
    future: Future[list[Any]] = field(default_factory=Future)
    taken: int = 0
    results: list[Any] = field(default_factory=list)

    @property
    def has_rest(self) -> bool:
        """Whether some items are in no batch yet, and a client still waits for them."""
        return self.taken < len(self.items) and not self.future.done()

    def add(self, result: Any) -> None:
        """Take the result of the next item."""
        self.results.append(result)
        if len(self.results) == len(self.items) and self.future.set_running_or_notify_cancel():
            self.future.set_result(self.results)


class _Lane:
    """A queue of requests, and the thread that works on them with its own scorer and screen."""

    def __init__(self, name: str, scorer: Scorer, screen: Screen, wait: float, watch: Callable[[int], None]) -> None:
        self._scorer, self._screen, self._wait, self._watch = scorer, screen, wait, watch
        self._jobs: deque[_Request] = deque()
        self._change = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def is_ready(self) -> bool:
        """Whether the lane takes work."""
        return self._thread.is_alive() and not self._stopped

    def append(self, job: _Request) -> None:
        """Take a job; raise a :class:`ProblemError` once the lane is stopped."""
        with self._change:
            if not self.is_ready:
                raise ProblemError(503, "the service is being stopped: try again", retry=5)
            self._jobs.append(job)
            self._change.notify()

    def stop(self) -> None:
        """Finish the work that clients wait for, and end the thread."""
        with self._change:
            self._stopped = True
            self._change.notify()
        self._thread.join()

    def _work(self) -> None:
        while batch := self._next_batch():
            self._watch(len(batch))
            self._run(batch)

    def _is_full(self) -> bool:
        return self._stopped or sum(len(job.items) - job.taken for job in self._jobs) >= _BATCH

    def _next_batch(self) -> list[tuple[_Request, Item]]:
        """Wait for the next batch: items of one kind, each with its job; none once the lane is stopped."""
        with self._change:
            while True:
                self._jobs = deque(job for job in self._jobs if job.has_rest)
                if self._jobs:
                    break
                if self._stopped:
                    return []
                self._change.wait()
            self._change.wait_for(self._is_full, self._wait)
            kind = self._jobs[0].kind
            turns = deque(job for job in self._jobs if job.kind == kind)
            batch: list[tuple[_Request, Item]] = []
            tokens = 0
            while turns and len(batch) < _BATCH and tokens < _BATCH_TOKENS:
                job = turns.popleft()
                more = job.tokens[job.taken]
                if batch and tokens + more > _BATCH_TOKENS:
                    continue
                tokens += more
                batch.append((job, job.items[job.taken]))
                job.taken += 1
                if job.has_rest:
                    turns.append(job)
            # Next time, other kinds and jobs that had no turn come first.
            served = {id(job) for job, _ in batch}
            self._jobs = deque(sorted(self._jobs, key=lambda job: (job.kind == kind, id(job) in served)))
            return batch

    def _run(self, batch: Sequence[tuple[_Request, Item]]) -> None:
        kind = batch[0][0].kind
        try:
            results = self._results(kind, [item for _, item in batch])
        except Exception as e:
            if len(batch) == 1:
                if batch[0][0].future.set_running_or_notify_cancel():
                    batch[0][0].future.set_exception(e)
                return
            for entry in batch:  # so that a bad item costs no other one anything
                if not entry[0].future.done():
                    self._run([entry])
            return
        for (job, _), result in zip(batch, results, strict=True):
            if not job.future.done():
                job.add(result)

    def _results(self, kind: Kind, items: Sequence[Any]) -> list[Any]:
        if kind == "screen":
            return list(self._screen.screen_records(items))
        if kind == "parse":
            return list(self._scorer.parse([item.text for item in items], ids=[item.id for item in items]))
        if kind == "compare":
            return [
                self._scorer.compare_texts(item.before, item.after, policy=item.policy, is_markdown=item.is_markdown)
                for item in items
            ]
        return list(self._scorer.under(kind).score_pairs(items, batch=len(items)))


class Engine:
    """Scorers and screens that share a parser and a judge, and the lanes in which they work.

    The first item of a batch waits some seconds for others; ``watch`` is called with the number of items of each.
    """

    def __init__(self, options: Options, *, wait: float, watch: Callable[[int], None]) -> None:
        self.scorer = Scorer(options=options)
        options = replace(options, context=options.reads_context())
        shared = replace(options, parser=self.scorer.parser, judge=self.scorer.judge)
        self.screen = Screen(options=shared)
        self._options = options
        verdicts = VerdictCache()

        def lane(name: str, scorer: Scorer, screen: Screen) -> _Lane:
            scorer.sources = AnalysisCache(_REMEMBERED)
            screen.sources = AnalysisCache(_REMEMBERED)
            screen.remembered = verdicts
            return _Lane(name, scorer, screen, wait, watch)

        self._small = lane("usim-small", self.scorer, self.screen)
        self._large = lane("usim-large", Scorer(options=shared), Screen(options=shared))

    @property
    def is_ready(self) -> bool:
        """Whether the engine takes work."""
        return self._small.is_ready and self._large.is_ready

    def tokens(self, items: Sequence[Item]) -> list[int]:
        """Return how many tokens are read for each item."""
        return [1 + _tokens_of(item, self._options) for item in items]

    def submit(self, kind: Kind, items: Sequence[Any], tokens: Sequence[int]) -> Future[list[Any]]:
        """Ask for work, and return at once; cancelled, the rest of the items is not worked on.

        Args:
            kind: a policy for pairs of texts to score (the results are ``Result``), ``screen`` for records, also bad
                ones (each with a list of ``Screened``), ``parse`` for :class:`Text` (``Graph``), ``compare`` for
                :class:`TextPair` (``TextComparison``).
            items: the items.
            tokens: of each item, by :meth:`tokens`.
        """
        job = _Request(kind, items, tokens)
        if items:
            (self._small if sum(tokens) <= SMALL else self._large).append(job)
        else:
            job.future.set_result([])
        return job.future

    def stop(self) -> None:
        """Finish the work that clients wait for, and end the threads."""
        self._small.stop()
        self._large.stop()


def _tokens_of(item: Item, options: Options) -> int:
    """Return how many tokens are read for an item, each as often as it is read."""

    def count(text: str, context: Context | None = None) -> int:
        around = len(context.left) + len(context.right) if context and options.reads_context() else 0
        return len(token_texts(text)) + around // _CONTEXT_SHARE

    if isinstance(item, BadRecord):
        return 0
    if isinstance(item, Text):
        return count(item.text)
    if isinstance(item, TextPair):
        # Each sentence is read for the alignment, and then parsed and judged.
        return _COMPARED * (count(item.before) + count(item.after))
    if not isinstance(item, Record):
        source, output, context = item
        return count(source, context) + count(output, context)
    sizes: dict[tuple[int, int] | None, int] = {}
    total = 0
    for suggestion in item.suggestions:
        span = suggestion.span and sentence_around(item.text, *suggestion.span)
        if span not in sizes:  # the sentence before the change is read once
            context = context_of(item.text, *span) if span else None
            sizes[span] = count(item.text[slice(*span)] if span else item.text, context)
            total += sizes[span]
        total += count(suggestion.substitute) + (sizes[span] if span else 0)
    return total
