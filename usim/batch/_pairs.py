"""Pairs of Python on many cores; see :func:`usim.score_many`."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from usim.batch._backends import Workers
from usim.judge import Result
from usim.scorer import Pair, Scorer
from usim.text import as_list

#: The scorer of each thread of a worker, and the options that it was made with.
_loaded = threading.local()


def score_many(pairs: Iterable[Pair], *, n_jobs: int | None, scorer: Scorer, chunk: int) -> Iterator[Result]:
    """Score pairs on many cores; see :func:`usim.score_many`."""
    workers = Workers(n_jobs)
    score = partial(_score, scorer) if workers.is_this_process else partial(_score_there, pickle.dumps(scorer.options))
    with workers.started() as mapped:
        for results in mapped(score, _chunks(pairs, chunk)):
            yield from results


def _chunks(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    stream = map(as_list, pairs)
    while chunk := list(islice(stream, size)):
        yield chunk


def _score(scorer: Scorer, chunk: list[Pair]) -> list[Result]:
    scorer.sources.clear()
    return list(scorer.score_pairs(chunk, batch=len(chunk)))


def _score_there(options: bytes, chunk: list[Pair]) -> list[Result]:
    """Score pairs in a worker, which loads the models for its first chunk."""
    if getattr(_loaded, "options", None) != options:
        _loaded.scorer = Scorer.from_options(pickle.loads(options))
        _loaded.options = options
    return _score(_loaded.scorer, chunk)
