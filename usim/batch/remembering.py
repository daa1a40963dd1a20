"""A parser that looks into a cache of parses before it parses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from usim.batch.cache import Cache, space_of
from usim.parsing import Parser
from usim.parsing.embedded import EmbeddedParser
from usim.parsing.given import GivenParser
from usim.ucca import Graph


def remembering(parser: Parser, cache: Cache) -> Parser:
    """The parser, with a cache.

    Graphs that are there already (:mod:`usim.parsing.given`) are not kept once more: their files may change.
    """
    return parser if isinstance(parser, GivenParser) else _Remembering(parser, cache)


class _Remembering:
    """A parser of any kind, known by its name; an embedded one by its files as well."""

    def __init__(self, parser: Parser, cache: Cache) -> None:
        self.name = parser.name
        folder = Path(parser._made_by[0]) if isinstance(parser, EmbeddedParser) else None
        self._parser, self._cache, self._space = parser, cache, space_of(parser.name, folder)

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """See :class:`usim.parsing.Parser`; with ids the cache is passed by."""
        if ids is not None or isinstance(sentences, str):
            return self._parser.parse(sentences, ids=ids)
        keys = [sentence if isinstance(sentence, str) else tuple(sentence) for sentence in sentences]
        return self._cache.parses(self._space, keys, self._parser.parse)
