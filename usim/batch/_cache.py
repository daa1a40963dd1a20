"""Parses that are kept: an SQLite file that several processes may read and write at the same time.

A parse is kept as a line of MRP, compressed. It is found by its sentence, the name and the digest of its parser, and
the number of the format (:data:`FORMAT`). Two processes that meet a sentence at the same moment both parse it, which is
rare and harmless: the results are equal.

A row that is damaged, or belongs to another sentence, is not there: the sentence is parsed again, and the row replaced.
A cache is never a source of errors: where the file cannot be read or written (a full disk, a fault in it),
:class:`CachingParser` says so once and does without it from then on.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from usim.errors import FormatError, InputError
from usim.parsing import Parser
from usim.text.databases import Store, digest_key, remove_database
from usim.text.files import Path as AnyPath
from usim.text.files import parse_json
from usim.ucca import Graph, from_mrp, mrp_line

#: A sentence: its text, or its tokens.
Sentence = str | tuple[str, ...]

#: The format of parses. A new number makes all older ones invalid: give one when packed graphs look different, and when
#: the same parser and model come to give other graphs (another tokeniser, decoder or normalisation).
FORMAT = 4
#: The most bytes of a packed graph once it is unpacked.
LARGEST_GRAPH = 64 * 2**20
#: The path of an anonymous file of this process alone, which goes away with it.
PRIVATE = ""

_MARK = 0x7573696D  # "usim"
_BLOCK = 64  # sentences that are parsed and written at once


class CachingParser:
    """A parser of any kind with a cache before it.

    Parses are found by the parser's ``name`` and, where it has one, its ``digest``: two parsers with the same name and
    digest must give the same graphs. A parser without a digest is known by its name alone.

    Args:
        parser: parses what is not in the cache.
        path: the file, opened when it is first needed, and made if it is not there; :data:`PRIVATE` for none.
        limit: bytes that the file may take, about; beyond them the oldest parses go.

    Attributes:
        hits: sentences that were in the cache, counting equal sentences of a call once.
        misses: sentences that were parsed.
        fault: what went wrong with the file, None if nothing did.
    """

    def __init__(self, parser: Parser, path: AnyPath = PRIVATE, *, limit: int = 4 * 2**30) -> None:
        self.name = parser.name
        self.hits = self.misses = 0
        self.fault: str | None = None
        self._parser, self._path, self._limit = parser, path, limit
        self._space = space_of(parser.name, getattr(parser, "digest", None))

    @cached_property
    def _store(self) -> Store:
        return _open(self._path, self._limit)

    def close(self) -> None:
        """Close the file."""
        if "_store" in vars(self):
            self._store.close()

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences, see :class:`usim.parsing.Parser`; with ids the cache is not used.

        Of equal sentences one is parsed; those that are not in the cache are, in blocks of similar length.
        """
        if ids is not None or isinstance(sentences, str):
            return self._parser.parse(sentences, ids=ids)
        distinct: dict[bytes, Sentence] = {}
        keys = []
        for given in sentences:
            sentence = given if isinstance(given, str) else tuple(given)
            keys.append(key_of(self._space, sentence))
            distinct[keys[-1]] = sentence
        graphs = self._lookup(distinct)
        # By length: sentences of a block go through the encoder together.
        missing = sorted((key for key in distinct if key not in graphs), key=lambda key: len(distinct[key]))
        parsed = 0
        for start in range(0, len(missing), _BLOCK):
            block = missing[start : start + _BLOCK]
            others = self._lookup(block) if self._path else {}  # what other processes have parsed meanwhile
            block = [key for key in block if key not in others]
            new = dict(zip(block, self._parser.parse([distinct[key] for key in block]), strict=True)) if block else {}
            self._keep(new)
            graphs |= others | new
            parsed += len(new)
        self.hits += len(distinct) - parsed
        self.misses += parsed
        return [graphs[key] for key in keys]

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Stop using the file if anything goes wrong with it in the block."""
        try:
            yield
        except (sqlite3.Error, InputError) as e:
            reason = e.message if isinstance(e, InputError) else str(e)
            self.fault = f"{self._path or 'the cache'}: {reason}; parses are no longer kept"
            self.close()

    def _lookup(self, keys: Iterable[bytes]) -> dict[bytes, Graph]:
        graphs: dict[bytes, Graph] = {}
        if self.fault is None:
            with self._guarded():
                for key, packed in self._store.get(keys).items():
                    with suppress(ValueError, zlib.error, FormatError):
                        graphs[key] = unpack_graph(packed)
        return graphs

    def _keep(self, graphs: Mapping[bytes, Graph]) -> None:
        if self.fault is None and graphs:
            packed: dict[bytes, bytes] = {}
            for key, graph in graphs.items():
                with suppress(FormatError):  # half a character after the other half, which JSON cannot tell from one
                    packed[key] = pack_graph(graph)
            with self._guarded():
                self._store.put(packed)


def _open(path: AnyPath, limit: int | None = None) -> Store:
    return Store(path, _MARK, "cache of usim", limit=limit)


def make_cache(path: AnyPath) -> None:
    """Make a file of parses where there is none."""
    _open(path).close()


def remove_cache(path: Path) -> None:
    """Delete a file of parses; one that is something else stays."""
    remove_database(path, _MARK)


def pack_graph(graph: Graph) -> bytes:
    """Return a graph as bytes; the names of its units and linkages are not kept."""
    return zlib.compress(mrp_line(graph).encode(), 1)


def unpack_graph(data: bytes) -> Graph:
    """Return the graph that :func:`pack_graph` packed."""
    return from_mrp(parse_json(zlib.decompressobj().decompress(data, LARGEST_GRAPH)))


def key_of(space: str, sentence: Sentence) -> bytes:
    """Return what a sentence's parse is found by: 16 bytes."""
    if isinstance(sentence, str):
        return digest_key(space, "text", sentence)
    return digest_key(space, "tokens", "\0".join(f"{len(token)} {token}" for token in sentence))


def space_of(name: str, digest: str | None = None) -> str:
    """Return what tells the parses of a parser from those of others, which may have its name and another model."""
    return "\0".join((name, digest or "", str(FORMAT)))
