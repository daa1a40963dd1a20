"""Parsers that look into a cache of parses before they parse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from usim.batch.cache import Cache, Parse, Sentence, space_of
from usim.graph import Graph
from usim.parsing import Parser
from usim.parsing.embedded import EmbeddedParser
from usim.parsing.given import GivenParser
from usim.parsing.network import Layer

Vectors = npt.NDArray[np.float32]


def remembering(parser: Parser, cache: Cache) -> Parser:
    """The parser, with a cache.

    Graphs that are there already (:mod:`usim.parsing.given`) are not kept once more: their files may change.
    """
    if isinstance(parser, GivenParser):
        return parser
    return _Embedded(parser, cache) if isinstance(parser, EmbeddedParser) else _Any(parser, cache)


class _Any:
    """A parser of any kind, known by its name."""

    def __init__(self, parser: Parser, cache: Cache) -> None:
        self.name = parser.name
        self._parser, self._cache, self._space = parser, cache, space_of(parser.name)

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """See :class:`usim.parsing.Parser`; with ids the cache is passed by."""
        if ids is not None or isinstance(sentences, str):
            return self._parser.parse(sentences, ids=ids)
        found = self._cache.parses(self._space, _keys(sentences), self._make)
        return [parse.graph for parse in found]

    def _make(self, sentences: Sequence[Sentence]) -> Iterable[Parse]:
        return [Parse(graph, None) for graph in self._parser.parse(sentences)]


class _Embedded(EmbeddedParser):
    """An embedded parser, which is known by its files as well, and makes vectors."""

    def __init__(self, parser: EmbeddedParser, cache: Cache) -> None:
        self.__dict__.update(parser.__dict__)  # the same model in memory
        self._cache, self._space = cache, space_of(parser.name, Path(parser._made_by[0]))

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """See :class:`usim.parsing.Parser`; with ids the cache is passed by."""
        if ids is not None or isinstance(sentences, str):
            return super().parse(sentences, ids=ids)
        return [parse.graph for parse in self._cache.parses(self._space, _keys(sentences), self._graphs)]

    def parse_with_vectors(
        self,
        sentences: Sequence[str | Sequence[str]],
        *,
        ids: Sequence[str] | None = None,
        layers: Sequence[Layer] = ("last",),
    ) -> list[tuple[Graph, Vectors]]:
        """See :meth:`EmbeddedParser.parse_with_vectors`; with ids the cache is passed by."""
        if ids is not None or isinstance(sentences, str):
            return super().parse_with_vectors(sentences, ids=ids, layers=layers)
        space = "\0".join((self._space, *layers))
        found = self._cache.parses(space, _keys(sentences), partial(self._both, layers))
        return [(parse.graph, parse.vectors) for parse in found if parse.vectors is not None]

    def _graphs(self, sentences: Sequence[Sentence]) -> Iterable[Parse]:
        graphs = super().parse(sentences)
        return [Parse(graph, None) for graph in graphs]

    def _both(self, layers: Sequence[Layer], sentences: Sequence[Sentence]) -> Iterable[Parse]:
        made = super().parse_with_vectors(sentences, layers=layers)
        return [Parse(*both) for both in made]


def _keys(sentences: Iterable[str | Sequence[str]]) -> list[Sentence]:
    return [sentence if isinstance(sentence, str) else tuple(sentence) for sentence in sentences]
