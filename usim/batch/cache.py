"""Parses that are kept: an SQLite file that several processes may read and write at the same time.

A parse is found by its sentence, the name and the digest of its parser, and the number of the format
(:data:`usim.batch.packing.FORMAT`). Two processes that meet a sentence at the same moment both parse it, which is rare
and harmless: the results are equal.

Each row has a checksum over its key and its graph. A row that is damaged, or belongs to another sentence, is not
believed: the sentence is parsed again, and the row replaced. A cache is never a source of errors: where the file
cannot be read or written (a full disk, a fault in it), :class:`Cache` says so once and does without it from then on.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from usim.batch.packing import FORMAT, pack_graph, unpack_graph
from usim.errors import GraphError, InputError
from usim.text.databases import open_table
from usim.ucca import Graph

#: A sentence: its text, or its tokens.
Sentence = str | tuple[str, ...]
#: Parses sentences that are not in the cache.
Parse = Callable[[Sequence[Sentence]], Iterable[Graph]]

#: An anonymous file of this process alone, which goes away with it.
PRIVATE = ""
#: Names of the files that SQLite puts beside its own end like this.
_BESIDE = ("-wal", "-shm", "-journal")

_TABLE = "parses (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, graph BLOB NOT NULL)"
_MAGIC = b"SQLite format 3\0"
_MARK = 0x7573696D  # "usim": SQLite's application_id, so that no other database is taken for a cache
_MARK_AT = 68  # where it stands in the file
_KEYS_PER_QUERY = 500  # SQLite's limit on variables was once 999
_BLOCK = 64  # sentences that are parsed and written at once
_LOOK = 1024  # parses between looks at the size of the file
_CHECK_SIZE = 8  # bytes of a row's checksum


class Cache:
    """Parses in an SQLite file.

    Args:
        path: the file, made if it is not there; :data:`PRIVATE` for none.
        limit: bytes that the file may take, about; beyond them the oldest parses go.

    Attributes:
        hits: sentences that were in the cache, counting equal sentences of a call once.
        misses: sentences that were parsed.
        fault: what went wrong with the file, None if nothing did.
    """

    def __init__(self, path: str | os.PathLike[str] = PRIVATE, *, limit: int = 4 * 2**30) -> None:
        self.path = os.fspath(path)
        self.hits = self.misses = 0
        self.fault: str | None = None
        self._limit = limit
        self._connection: sqlite3.Connection | None = None
        self._written = _LOOK  # the first write looks: the file may be full already

    @property
    def _db(self) -> sqlite3.Connection:
        if self._connection is None:
            self.open()
        assert self._connection is not None
        return self._connection

    def open(self) -> None:
        """Open the file; without this call it is opened when it is first needed.

        Raises:
            InputError: it cannot be opened, or is something else.
        """
        # A cache is used by one thread, but may be closed by another.
        self._connection = open_table(self.path, _MARK, _TABLE, "cache of usim")

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()

    def __del__(self) -> None:
        self.close()

    def parses(self, space: str, sentences: Sequence[Sentence], parse: Parse) -> list[Graph]:
        """Return the parses of sentences, in order: from the cache, or by ``parse``.

        Args:
            space: the parser, see :func:`space_of`.
            sentences: what is parsed; of equal sentences one is.
            parse: called with sentences that are not in the cache, in blocks of similar length.
        """
        keys = [key_of(space, sentence) for sentence in sentences]
        distinct = dict(zip(keys, sentences, strict=True))
        graphs = self._lookup(distinct)
        # By length: sentences of a block go through the encoder together.
        missing = sorted((key for key in distinct if key not in graphs), key=lambda key: len(distinct[key]))
        parsed = 0
        for start in range(0, len(missing), _BLOCK):
            block = missing[start : start + _BLOCK]
            others = self._lookup(block) if self.path else {}  # what other processes have parsed meanwhile
            block = [key for key in block if key not in others]
            new = dict(zip(block, parse([distinct[key] for key in block]), strict=True)) if block else {}
            self._store(new)
            graphs |= others | new
            parsed += len(new)
        self.hits += len(distinct) - parsed
        self.misses += parsed
        return [graphs[key] for key in keys]

    # -- the file ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Do without the file from now on, if anything goes wrong with it in the block."""
        try:
            yield
        except (sqlite3.Error, InputError) as e:
            reason = e.message if isinstance(e, InputError) else str(e)
            self.fault = f"{self.path or 'the cache'}: {reason}; parses are no longer kept"
            self.close()

    def _lookup(self, keys: Iterable[bytes]) -> dict[bytes, Graph]:
        graphs: dict[bytes, Graph] = {}
        if self.fault is None:
            with self._guarded():
                graphs = self._read(list(keys))
        return graphs

    def _read(self, keys: list[bytes]) -> dict[bytes, Graph]:
        graphs: dict[bytes, Graph] = {}
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            asked = keys[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(asked))
            rows = self._db.execute(f"SELECT key, graph FROM parses WHERE key IN ({marks})", asked)
            for key, value in rows:
                graph = _unsealed(key, value)
                if graph is not None:
                    graphs[key] = graph
        return graphs

    def _store(self, graphs: Mapping[bytes, Graph]) -> None:
        if self.fault is not None or not graphs:
            return
        rows = [(key, _sealed(key, graph)) for key, graph in graphs.items()]
        with self._guarded():
            with self._transaction():
                self._db.executemany(
                    "INSERT INTO parses (key, graph) VALUES (?, ?) "
                    "ON CONFLICT (key) DO UPDATE SET graph = excluded.graph",
                    rows,
                )
            self._written += len(rows)
            if self._written >= _LOOK:
                self._written = 0
                self._make_room()

    def _make_room(self) -> None:
        """Drop the oldest parses where the file is over its limit; their room is used again."""
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (free,) = self._db.execute("PRAGMA freelist_count").fetchone()
        if (pages - free) * size <= self._limit:
            return
        with self._transaction():
            self._db.execute(
                "DELETE FROM parses WHERE number <= (SELECT min(number) + (max(number) - min(number)) / 8 FROM parses)"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _check(key: bytes, packed: bytes) -> bytes:
    return blake2b(key + packed, digest_size=_CHECK_SIZE).digest()


def _sealed(key: bytes, graph: Graph) -> bytes:
    """Return a graph as bytes that are valid only for the key."""
    packed = pack_graph(graph)
    return _check(key, packed) + packed


def _unsealed(key: bytes, value: object) -> Graph | None:
    """Return the graph of a row, or None if the row is damaged or belongs to another key."""
    if not isinstance(value, bytes) or value[:_CHECK_SIZE] != _check(key, value[_CHECK_SIZE:]):
        return None
    try:
        return unpack_graph(value[_CHECK_SIZE:])
    except (ValueError, TypeError, AttributeError, GraphError):
        return None


def files_of(path: Path) -> list[Path]:
    """Return the names of all files that a cache at this place may have."""
    return [path, *(path.with_name(path.name + ending) for ending in _BESIDE)]


def remove_cache(path: Path) -> None:
    """Delete a cache of parses; a file that is something else stays."""
    with suppress(OSError):
        with open(path, "rb") as file:
            begin = file.read(_MARK_AT + 4)
        is_cache = begin.startswith(_MAGIC) and begin[_MARK_AT:] == _MARK.to_bytes(4, "big")
        if is_cache or not begin:
            # The file itself last: as long as it is there, a later call removes what a killed one has left.
            for name in reversed(files_of(path)):
                name.unlink(missing_ok=True)


def key_of(space: str, sentence: Sentence) -> bytes:
    """Return what a sentence's parse is found by: 16 bytes."""
    if isinstance(sentence, str):
        kind, content = "text", sentence
    else:
        kind, content = "tokens", "\0".join(f"{len(token)} {token}" for token in sentence)
    hashed = blake2b(digest_size=16)
    for part in (space, kind, content):
        data = part.encode("utf-8", "surrogatepass")
        hashed.update(b"%d\0" % len(data) + data)
    return hashed.digest()


def space_of(name: str, digest: str | None = None) -> str:
    """Return what sets the parses of a parser apart from those of others.

    Args:
        name: the parser's name.
        digest: of the parser's model; two models of one name are two parsers.
    """
    return "\0".join((name, digest or "", str(FORMAT)))
