"""usim: did the meaning survive the change?

>>> import usim
>>> result = usim.score("She have two cat.", "She has two cats.")
>>> result.usim.s2r.f
1.0
>>> print(usim.parse("John left."))
[H [A John] [P left] ] [U .]
>>> screen = usim.Screen()
>>> [one.text for one in screen.screen("She bought a big house.", 13, 16, ["large"]) if one.verdict == "keep"]
['She bought a large house.']

:func:`score`, :func:`parse` and :func:`compare_texts` load the models on first use and keep them. :class:`Scorer` does
the same with all choices of :class:`Options`. :class:`Screen` says which suggestions of a writing assistant may be
shown. Every stage of the way has its module: :mod:`usim.text`, :mod:`usim.parsing`, :mod:`usim.ucca`,
:mod:`usim.measures`, :mod:`usim.evidence`, :mod:`usim.judge`, :mod:`usim.suggestions`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from usim._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from usim.documents import TextComparison
    from usim.errors import UsimError
    from usim.evidence import Sentence
    from usim.judge import Policy, Result
    from usim.options import Options
    from usim.scorer import Pair, Scorer
    from usim.screen import Screen, SuggestionResult
    from usim.servers.client import AsyncClient, Client
    from usim.ucca import Graph

__all__ = [
    "AsyncClient",
    "Client",
    "Graph",
    "Options",
    "Result",
    "Scorer",
    "Screen",
    "SuggestionResult",
    "TextComparison",
    "UsimError",
    "__version__",
    "compare_texts",
    "parse",
    "score",
    "score_many",
]

#: Where the public names live; imported when they are used, so that ``import usim`` costs next to nothing.
_HOME = {
    "AsyncClient": "usim.servers.client",
    "Client": "usim.servers.client",
    "Graph": "usim.ucca",
    "Options": "usim.options",
    "Result": "usim.judge",
    "Scorer": "usim.scorer",
    "Screen": "usim.screen",
    "SuggestionResult": "usim.screen",
    "TextComparison": "usim.documents",
    "UsimError": "usim.errors",
}


@lru_cache(maxsize=1)
def _scorer() -> Scorer:
    from usim.scorer import Scorer

    return Scorer()


def score(source: Sentence, output: Sentence) -> Result:
    """Score how much of the meaning of ``source`` is in ``output``, see :meth:`usim.scorer.Scorer.score`.

    >>> result = score("He gave Mary the book.", "He gave Mary the book.")
    >>> result.usim.to_dict()["r2s"]
    {'recall': 1.0, 'precision': 1.0, 'f': 1.0}
    """
    return _scorer().score(source, output)


def compare_texts(before: str, after: str, *, policy: Policy = "same", is_markdown: bool = False) -> TextComparison:
    """Compare two versions of a text, see :meth:`usim.scorer.Scorer.compare_texts`.

    >>> comparison = compare_texts("It rained. We paid 20 euros.", "It rained. We paid 25 euros.")
    >>> comparison.verdict, [finding.text for finding in comparison.findings]
    ('drop', ['The number changed: “20 euros” became “25 euros”'])
    """
    return _scorer().compare_texts(before, after, policy=policy, is_markdown=is_markdown)


def parse(text: Sentence) -> Graph:
    """Parse a text (or a list of tokens) and return its UCCA graph, see :meth:`usim.scorer.Scorer.parse`.

    >>> parse(["Birds", "sing"]).tokens
    ('Birds', 'sing')
    """
    (graph,) = _scorer().parse([text])
    return graph


def score_many(
    pairs: Iterable[Pair], *, n_jobs: int | None = None, scorer: Scorer | None = None, chunk: int = 256
) -> Iterator[Result]:
    """Score pairs on many cores, by joblib; results come in the order of the pairs, as they are ready.

    ``joblib.parallel_config(backend=…)`` chooses Dask, Ray, or any other backend of joblib's; memory holds some chunks
    for each worker at a time. For files, and for jobs that shall go on after a break, there is ``usim batch``.

    Args:
        pairs: each a source and an output, and perhaps a :class:`usim.text.Context`; any number.
        n_jobs: how many workers; -1 for one a core, by default as ``joblib.parallel_config`` says, else one.
        scorer: a scorer of your own; workers make one with the same options.
        chunk: how many pairs a worker takes at a time. Within them each sentence is parsed once.

    Raises:
        InputError: something is no pair of sentences, or workers were lost again and again.
    """
    from usim.batch import score_many as many

    return many(pairs, n_jobs=n_jobs, scorer=scorer or _scorer(), chunk=chunk)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'usim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
