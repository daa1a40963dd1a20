"""What the routes share: models, limits, problems, metrics, and two queues in which requests are judged in turn.

The work of a request is counted in tokens before it begins: those that are read, and for each change that is judged as
many as that takes the time of. A small request never waits for a large one. A request has one part of its items in its
queue at a time, and lines up again with the next; what a client that has gone still wants is not worked on.
"""

from __future__ import annotations

import asyncio
from collections import Counter as Multiset
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from http import HTTPStatus
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from rapidfuzz.distance import LCSseq
from starlette.responses import Response

from usim.documents import TextComparison, cut_text
from usim.judge import AnalysisCache, Judgement, Result
from usim.options import Options
from usim.records import Part, Record
from usim.scorer import Scorer
from usim.screen import Screen, SuggestionResult, VerdictCache
from usim.serve.settings import Settings
from usim.suggestions import Suggestion
from usim.text import CHARACTERS_A_TOKEN, Context, Span, context_of, sentence_around, token_texts
from usim.text.codec import encode

#: Requests of at most so many tokens are small: less than half a second of work.
_SMALL = 1000
#: Judging a pair of changed sentences, or a suggestion, takes as long as reading so many tokens.
_PAIR, _SUGGESTION = 60, 30
#: Cutting so many tokens of texts takes no longer than reading one of them.
_ONLY_CUT = 20
_LARGE = 8  # of so many requests under way, one may be large
_PART = 32  # items of a part, few enough to stay responsive
_PART_TOKENS = 1500  # tokens of a part, if it is not a single item
_CONTEXT_SHARE = 2  # so many tokens around a sentence are as much work as one in it, which is parsed and compared
_REMEMBERED = 5000  # tokens of sources that the scorer and the screen keep each
_TOO_LONG = "a text of {} characters; {} are allowed: send it in parts"
_TOO_MUCH = (
    f"this is work for {{}} tokens or more, each text counted as often as it is read, {_PAIR} for each changed "
    f"sentence and {_SUGGESTION} for each suggestion; {{}} are allowed at once: send fewer at a time, or shorter ones"
)

T = TypeVar("T")
U = TypeVar("U")


class ProblemError(Exception):
    """A request that cannot be answered, with what to do and after how many seconds to try again (RFC 9457)."""

    def __init__(self, status: int, detail: str, *, retry: int | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry, self.extra = status, detail, retry, extra

    def response(self) -> Response:
        title = HTTPStatus(self.status).phrase
        problem = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail, **self.extra}
        headers = {} if self.retry is None else {"Retry-After": str(self.retry)}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        return Response(encode(problem), self.status, headers, media_type="application/problem+json")


def check_limit(figure: int, limit: int, detail: str, **extra: Any) -> None:
    """Raise a :class:`ProblemError` of status 413 if a figure is above a limit; ``detail`` has places for both."""
    if figure > limit:
        raise ProblemError(413, detail.format(figure, limit), **extra, limit=limit)


async def answered(make: Callable[[], Mapping[str, Any]]) -> Response:
    """Return an answer that is made, and written, in a thread: a large one must not hold up the loop."""
    return await asyncio.to_thread(lambda: json_response(make()))


def json_response(value: Mapping[str, Any]) -> Response:
    return Response(encode(value), media_type="application/json")


class Metrics:
    """The metrics of a service, for Prometheus: requests, their duration, sizes of parts, verdicts."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.requests = Counter("usim_requests", "Requests by path and status.", ["path", "status"], registry=own)
        self.seconds = Histogram("usim_request_seconds", "Seconds that requests took.", ["path"], registry=own)
        self.batches = Histogram(
            "usim_batch_size", "Items judged in one batch.", registry=own, buckets=(1, 2, 4, 8, 16, 32)
        )
        self.verdicts = Counter("usim_verdicts", "Verdicts given.", ["verdict"], registry=own)
        self.under_way = Gauge("usim_under_way", "Requests under way.", registry=own)
        self.large_under_way = Gauge("usim_large_under_way", "Large requests under way.", registry=own)


@asynccontextmanager
async def place(places: asyncio.Semaphore, under_way: Gauge) -> AsyncIterator[None]:
    """Hold one of the places for requests; if none is free, refuse the request."""
    if places.locked():
        raise ProblemError(503, "too many requests under way: try again in 1 s", retry=1)
    async with places:
        with under_way.track_inprogress():
            yield


class Service:
    """What the routes share."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        self.metrics = Metrics()
        options = Options(**settings.options)
        self.screen = Screen(options=options)
        self.scorer = self.screen.scorer
        self.screen.sources, self.scorer.sources = AnalysisCache(_REMEMBERED), AnalysisCache(_REMEMBERED)
        self.screen.remembered = VerdictCache()
        # A parser that is named parses each substitute in its sentence, as the scorer does.
        self.parsing_screen = Screen(options=replace(options, parser=self.scorer.parser, judge=self.scorer.judge))
        self.parsing_screen.sources = self.scorer.sources
        self._reads_context = options.reads_context()
        self._small, self._large = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._large_places = asyncio.Semaphore(max(1, self.limits.under_way // _LARGE))

    async def ask(
        self, work: Callable[[Sequence[T]], Iterable[U]], items: Sequence[T], tokens: Callable[[T], int]
    ) -> list[U]:
        """Return what ``work`` makes of items, in parts, unless their tokens are too many.

        When this is cancelled, the rest of the parts is not worked on.
        """

        def counted() -> list[int]:
            sizes: list[int] = []
            total = 0
            for item in items:  # until it is too much, so that nobody makes counting the work
                sizes.append(tokens(item))
                total += sizes[-1]
                check_limit(total, self.limits.tokens, _TOO_MUCH, tokens=total)
            return sizes

        sizes = await asyncio.to_thread(counted)
        is_large = sum(sizes) > _SMALL
        loop, queue = asyncio.get_running_loop(), self._large if is_large else self._small
        values: list[U] = []
        async with place(self._large_places, self.metrics.large_under_way) if is_large else nullcontext():
            for cut in _cut(sizes):
                self.metrics.batches.observe(len(items[cut]))
                values += await loop.run_in_executor(queue, lambda part: list(work(part)), items[cut])
        return values

    async def score(self, scorer: Scorer, pairs: Sequence[tuple[str, str, Context | None]]) -> list[Result]:
        results = await self.ask(
            scorer.score_pairs, pairs, lambda pair: self.tokens_of_change(*pair[:2]) + 2 * self._around(pair[2])
        )
        self.count(result.judgement for result in results)
        return results

    async def compare(self, scorer: Scorer, before: str, after: str, *, is_markdown: bool) -> TextComparison:
        (comparison,) = await self.ask(
            lambda texts: [scorer.compare_texts(*each, is_markdown=is_markdown) for each in texts],
            [(before, after)],
            lambda each: self.tokens_of_texts(*each, is_markdown=is_markdown),
        )
        self.count([comparison])
        return comparison

    async def screen_records(
        self, parts: Sequence[Part], screen: Screen | None = None
    ) -> list[tuple[Any, list[SuggestionResult]]]:
        """Screen records, by default with a screen that parses each source once; bad ones come out with no results."""
        results = await self.ask(
            (screen or self.screen).screen_records,
            parts,
            lambda part: self.tokens_of(part.text, part.suggestions) if isinstance(part, Record) else 1,
        )
        self.count(each for _, screened in results for each in screened)
        return results

    def count(self, judged: Iterable[Judgement | SuggestionResult | TextComparison]) -> None:
        for each in judged:
            self.metrics.verdicts.labels(each.verdict).inc()

    def check_length(self, text: str) -> None:
        """Raise a :class:`ProblemError` if a text is too long."""
        check_limit(len(text), self.limits.text, _TOO_LONG)

    def tokens(self, *texts: str) -> int:
        """Return how many tokens texts have, and one for the item; see :meth:`check_length`."""
        for text in texts:
            self.check_length(text)
        return 1 + sum(max(len(token_texts(text)), len(text) // CHARACTERS_A_TOKEN) for text in texts)

    def tokens_of_change(self, before: str, after: str) -> int:
        """Return how many tokens a pair counts as: what is read, and the sentences to be judged."""
        read = self.tokens(before, after)
        if before == after or read > self.limits.tokens:
            return read
        keys = [Multiset(cut_text(text).keys) for text in (before, after)]
        changed = max((keys[0] - keys[1]).total(), (keys[1] - keys[0]).total())
        # A pair of one sentence is judged once, of several as a whole, too.
        return read + _PAIR * max(1, changed + (max(map(len, keys)) > 1))

    def tokens_of_texts(self, before: str, after: str, *, is_markdown: bool) -> int:
        """Return how many tokens two versions of a text count as: mostly what changed, for the rest is only cut."""
        work = self.tokens(before, after) // _ONLY_CUT
        if work > self.limits.tokens:
            return work
        keys = [cut_text(text, is_markdown=is_markdown).keys for text in (before, after)]
        gone, new = (Multiset(own) - Multiset(other) for own, other in (keys, keys[::-1]))
        # What changed is read for the alignment, and then parsed; what moved is looked for.
        read = sum(number * self.tokens(key) for side in (gone, new) for key, number in side.items())
        return work + 2 * read + _PAIR * (max(gone.total(), new.total()) + _moved(*keys))

    def tokens_of(self, text: str, suggestions: Sequence[Suggestion]) -> int:
        """Return how many tokens are read for the suggestions of a text; see :meth:`check_length`."""
        self.check_length(text)
        total = 1
        sizes: dict[Span | None, int] = {}
        for suggestion in suggestions:
            span = suggestion.span and sentence_around(text, *suggestion.span)
            if span not in sizes:
                start, end = span or (0, len(text))
                sizes[span] = self.tokens(text[start:end]) - 1
                if span is not None:
                    sizes[span] += self._around(context_of(text, start, end))
                    total += sizes[span]  # the sentence before the change is read once
            total += sizes[span] + self.tokens(suggestion.substitute) - 1 + _SUGGESTION
        return total

    def _around(self, context: Context | None) -> int:
        if context is None or not self._reads_context:
            return 0
        return (len(context.left) + len(context.right)) // _CONTEXT_SHARE


def _moved(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many of the passages of both texts do not stand in the same order: all but the longest row that does.

    >>> _moved(["a", "b", "c", "d"], ["x", "d", "a", "b", "c"])
    1
    """
    places: dict[str, list[int]] = {}
    for place in range(len(after) - 1, -1, -1):
        places.setdefault(after[place], []).append(place)
    common = [places[key].pop() for key in before if places.get(key)]
    return len(common) - int(LCSseq.similarity(common, sorted(common)))


def _cut(tokens: Sequence[int]) -> Iterator[slice]:
    start = size = 0
    for place, count in enumerate(tokens):
        if place > start and (size + count > _PART_TOKENS or place - start == _PART):
            yield slice(start, place)
            start, size = place, 0
        size += count
    yield slice(start, len(tokens))
