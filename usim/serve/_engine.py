"""The engine of the service: judges what waits at the same time together, and takes requests in turn.

The work of a request is counted in tokens before it begins. Small requests and large ones wait in lanes of their own,
so that a small one never waits for a large one. A request has one part of its items in its lane at a time, and lines up
again with the next; what a client that has gone still wants is not worked on. Results do not depend on what shares a
batch: they are those of the command line.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from usim.judge import AnalysisCache
from usim.options import Options
from usim.records import Record
from usim.scorer import Scorer
from usim.screen import Screen, VerdictCache
from usim.text import Context, context_of, sentence_around, token_texts

#: What can be asked: a policy scores pairs (an item is a source, an output, and what stands around both), ``screen``
#: takes records, also bad ones, ``parse`` texts (a text and the name of its graph), ``compare`` two versions of a text
#: (before, after, the policy, whether they are Markdown).
Kind = Literal["same", "shorten", "expand", "screen", "parse", "compare"]

#: Requests of at most so many tokens are small: less than half a second of work.
SMALL = 1000
_BATCH = 32  # items a batch: enough to group those of like length, few enough to stay responsive
_BATCH_TOKENS = 1500  # tokens a batch, if it is not a single item
_CONTEXT_SHARE = 2  # so many tokens around a sentence are as much work as one in it, which is parsed and compared
_COMPARED = 2  # a text that is compared is so many times the work of its sentences
_REMEMBERED = 5000  # tokens of sources that a scorer or a screen keeps together


class _WaitingPart(NamedTuple):
    """A part of a request that waits, and the future of its results."""

    kind: Kind
    items: Sequence[Any]
    tokens: int
    future: asyncio.Future[list[Any]]


class _Lane:
    """A queue of parts of requests. One thread at a time works on it, with the lane's own scorer and screen."""

    def __init__(self, scorer: Scorer, screen: Screen, watch: Callable[[int], None]) -> None:
        self._scorer, self._screen, self._watch = scorer, screen, watch
        self._waiting: deque[_WaitingPart] = deque()
        self._work: asyncio.Task[None] | None = None

    async def judge(self, kind: Kind, items: Sequence[Any], tokens: Sequence[int]) -> list[Any]:
        results: list[Any] = []
        for place in _cut(tokens):
            future: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
            self._waiting.append(_WaitingPart(kind, items[place], sum(tokens[place]), future))
            if self._work is None or self._work.done():
                self._work = asyncio.create_task(self._judge_waiting())
            results += await future
        return results

    async def _judge_waiting(self) -> None:
        while batch := self._next_batch():
            await self._judge_batch(batch)

    def _next_batch(self) -> list[_WaitingPart]:
        """Take the first part, and others of its kind that fit into a batch with it."""
        batch: list[_WaitingPart] = []
        others: deque[_WaitingPart] = deque()
        size = tokens = 0
        for part in self._waiting:
            if part.future.done():  # the client has gone
                continue
            fits = size + len(part.items) <= _BATCH and tokens + part.tokens <= _BATCH_TOKENS
            if batch and not (fits and part.kind == batch[0].kind):
                others.append(part)
                continue
            batch.append(part)
            size, tokens = size + len(part.items), tokens + part.tokens
        self._waiting = others
        return batch

    async def _judge_batch(self, batch: Sequence[_WaitingPart]) -> None:
        items = [item for part in batch for item in part.items]
        self._watch(len(items))
        try:
            results = iter(await asyncio.to_thread(self._results, batch[0].kind, items))
        except Exception as e:
            if len(batch) > 1:  # so that a bad item costs no other request anything
                for part in batch:
                    await self._judge_batch([part])
            elif not batch[0].future.done():
                batch[0].future.set_exception(e)
            return
        for part in batch:
            own = [next(results) for _ in part.items]
            if not part.future.done():
                part.future.set_result(own)

    def _results(self, kind: Kind, items: Sequence[Any]) -> list[Any]:
        match kind:
            case "screen":
                return list(self._screen.screen_records(items))
            case "parse":
                return list(self._scorer.parse([text for text, _ in items], ids=[name for _, name in items]))
            case "compare":
                return [
                    self._scorer.compare_texts(before, after, policy=policy, is_markdown=is_markdown)
                    for before, after, policy, is_markdown in items
                ]
        return list(self._scorer.under(kind).score_pairs(items, batch=_BATCH))


class Engine:
    """Scorers and screens that share a parser and a judge, and the lanes in which they work.

    Args:
        options: those of the scorers and screens.
        watch: called with the number of items of each batch.
    """

    def __init__(self, options: Options, watch: Callable[[int], None]) -> None:
        self.scorer = Scorer(options=options)
        self._reads_context = options.reads_context()
        shared = replace(options, context=self._reads_context, parser=self.scorer.parser, judge=self.scorer.judge)
        self.screen = Screen(options=shared)
        verdicts = VerdictCache()

        def lane(scorer: Scorer, screen: Screen) -> _Lane:
            scorer.sources, screen.sources = AnalysisCache(_REMEMBERED), AnalysisCache(_REMEMBERED)
            screen.remembered = verdicts
            return _Lane(scorer, screen, watch)

        self._small = lane(self.scorer, self.screen)
        self._large = lane(Scorer(options=shared), Screen(options=shared))

    async def judge(self, kind: Kind, items: Sequence[Any], tokens: Sequence[int]) -> list[Any]:
        """Return a ``Result``, a record with each ``SuggestionResult``, a ``Graph`` or a ``TextComparison`` an item.

        When it is cancelled, the rest of the items is not worked on.

        Args:
            kind: what is asked.
            items: of this kind.
            tokens: of each item, by :meth:`tokens`.
        """
        return await (self._small if sum(tokens) <= SMALL else self._large).judge(kind, items, tokens)

    def tokens(self, kind: Kind, items: Sequence[Any]) -> list[int]:
        """Return how many tokens are read for each item, each as often as it is read."""
        return [1 + self._tokens_of(kind, item) for item in items]

    def _tokens_of(self, kind: Kind, item: Any) -> int:
        if kind != "screen":
            size = sum(map(_count, texts_of(item)))
            # Each sentence of a whole text is read for the alignment, and then parsed and judged.
            return size * _COMPARED if kind == "compare" else size + 2 * self._around(item[-1])
        total = 0
        sizes: dict[object, int] = {None: _count(item.text)} if isinstance(item, Record) else {}
        for suggestion in item.suggestions if sizes else ():
            span = suggestion.span and sentence_around(item.text, *suggestion.span)
            if span is not None and span not in sizes:
                sizes[span] = _count(item.text[slice(*span)]) + self._around(context_of(item.text, *span))
                total += sizes[span]  # the sentence before the change is read once
            total += sizes[span] + _count(suggestion.substitute)
        return total

    def _around(self, context: object) -> int:
        if not isinstance(context, Context) or not self._reads_context:
            return 0
        return (len(context.left) + len(context.right)) // _CONTEXT_SHARE


def texts_of(item: Any) -> list[str]:
    """Return the texts of an item, without what stands around them."""
    if isinstance(item, tuple):
        return [text for text in item if isinstance(text, str)]
    return [item.text, *(each.substitute for each in item.suggestions)] if isinstance(item, Record) else []


def _count(text: str) -> int:
    return len(token_texts(text))


def _cut(tokens: Sequence[int]) -> Iterator[slice]:
    """Cut items into parts that fit into a batch, by their tokens."""
    start = size = 0
    for place, count in enumerate(tokens):
        if place > start and (size + count > _BATCH_TOKENS or place - start == _BATCH):
            yield slice(start, place)
            start, size = place, 0
        size += count
    yield slice(start, len(tokens))
