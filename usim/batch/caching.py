"""A parser that looks into a cache of parses before it parses."""

from __future__ import annotations

from collections.abc import Sequence

from usim.batch.cache import Cache, space_of
from usim.parsing import Parser
from usim.parsing.given import GivenParser
from usim.ucca import Graph


def with_cache(parser: Parser, cache: Cache) -> Parser:
    """Return the parser with a cache before it.

    Graphs from files (:mod:`usim.parsing.given`) are not cached: the files may change.
    """
    return parser if isinstance(parser, GivenParser) else CachingParser(parser, cache)


class CachingParser:
    """A parser of any kind with a cache before it.

    Parses are found by the parser's ``name`` and, where it has one, its ``digest``: two parsers with the same name and
    digest must give the same graphs. A parser without a digest is known by its name alone.

    Args:
        parser: parses what is not in the cache.
        cache: keeps the parses.
    """

    def __init__(self, parser: Parser, cache: Cache) -> None:
        self.name = parser.name
        self._parser, self._cache = parser, cache
        self._space = space_of(parser.name, getattr(parser, "digest", None))

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences, see :class:`usim.parsing.Parser`; with ids the cache is not used."""
        if ids is not None or isinstance(sentences, str):
            return self._parser.parse(sentences, ids=ids)
        keys = [sentence if isinstance(sentence, str) else tuple(sentence) for sentence in sentences]
        return self._cache.parses(self._space, keys, self._parser.parse)
