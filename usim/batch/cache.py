"""Parses that are kept: an SQLite file that several processes may read and write at the same time.

A parse is found by its text, its parser's name and files, and the version of usim; what does not fit is simply not
there. Within a job each distinct sentence is parsed once: a process that is about to parse a sentence *claims* it, and
another one that meets the sentence meanwhile waits for the result. The claim of a process that is no more counts for
nothing, and so does one that is old.

A cache is an economy, never a source of errors: where the file cannot be written (a full disk) or read (a fault in
it), :class:`Cache` says so once and is empty from then on.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path

from usim._version import __version__
from usim.batch.packing import FORM, pack_graph, unpack_graph
from usim.errors import GraphError, InputError
from usim.parsing.embeddings import SHARED
from usim.ucca import Graph

#: A sentence: its text, or its tokens.
Sentence = str | tuple[str, ...]

#: An anonymous file of this process alone, which goes away with it.
PRIVATE = ""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS parses (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, graph BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL,
                                   since REAL NOT NULL) WITHOUT ROWID;
"""
_MARK = 0x7573696D  # "usim": SQLite's application_id, so that no other database is taken for a cache
_ASKED = 500  # keys a query; SQLite's limit on variables was once 999
_BLOCK = 64  # sentences that are claimed and parsed at once: others wait for no more than these
_OLD = 120.0  # seconds after which a claim from another machine counts for nothing
_LOOK = 1024  # parses between looks at the size of the file
_POLL = 0.02  # seconds between looks for what another process parses


#: Parses sentences that are not in the cache.
Make = Callable[[Sequence[Sentence]], Iterable[Graph]]


class Cache:
    """Parses in an SQLite file.

    Args:
        path: the file, made if it is not there; :data:`PRIVATE` for none.
        limit: bytes that the file may take, about; beyond them the oldest parses go.

    Attributes:
        hits: sentences that were found, of those that differ within a call.
        misses: sentences that were parsed.
        fault: what went wrong with the file, None if nothing did.
    """

    def __init__(self, path: str | os.PathLike[str] = PRIVATE, *, limit: int = 4 * 2**30) -> None:
        self.path = os.fspath(path)
        self.hits = self.misses = 0
        self.fault: str | None = None
        self._limit = limit
        self._mine = (socket.gethostname(), os.getpid())
        self._open: sqlite3.Connection | None = None
        self._writes = _LOOK  # the first write looks: the file may be full already

    @property
    def _db(self) -> sqlite3.Connection:
        if self._open is None:
            self.open()
        assert self._open is not None
        return self._open

    def open(self) -> None:
        """Open the file; else it is opened when it is first needed.

        Raises:
            InputError: it cannot be opened, or is something else.
        """
        try:
            # Autocommit: transactions begin and end where this module says. A cache is used by one thread, but may be
            # closed by another.
            self._open = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
            self._prepare()
        except sqlite3.Error as e:
            raise InputError(f"not usable as a cache ({e}); delete it, or name another", path=self.path) from e

    def _prepare(self) -> None:
        (mark,) = self._db.execute("PRAGMA application_id").fetchone()
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if mark != _MARK and tables:
            raise InputError("an SQLite file, but no cache of usim; name another file", path=self.path)
        if self.path:
            self._db.execute("PRAGMA journal_mode=WAL")
        # A write that is lost with the power is parsed again; the file stays whole all the same.
        self._db.execute("PRAGMA synchronous=NORMAL")
        if mark != _MARK:
            self._db.execute(f"PRAGMA application_id={_MARK}")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the file."""
        if self._open is not None:
            self._open.close()

    def __del__(self) -> None:
        self.close()

    def parses(self, space: str, sentences: Sequence[Sentence], make: Make) -> list[Graph]:
        """The parses of sentences, in their order: those that are kept, and those that ``make`` makes now.

        Args:
            space: who parses, see :func:`space_of`.
            sentences: what is parsed; of like sentences one is.
            make: called with sentences that are not kept, in blocks of like length.
        """
        keys = [key_of(space, sentence) for sentence in sentences]
        wanted = dict(zip(keys, sentences, strict=True))
        found = self._kept(wanted)
        parsed = 0
        # By length: sentences of a block go through the encoder together.
        left = sorted((key for key in wanted if key not in found), key=lambda key: len(wanted[key]))
        while left:
            later: list[bytes] = []
            for start in range(0, len(left), _BLOCK):
                block = left[start : start + _BLOCK]
                mine, done = self._claimed(block)
                found |= done
                if mine:
                    with self._released(mine):
                        made = dict(zip(mine, make([wanted[key] for key in mine]), strict=True))
                        self._keep(made)
                    found |= made
                    parsed += len(mine)
                later += [key for key in block if key not in found]
            if later and len(later) == len(left):  # all of them are in other hands
                time.sleep(_POLL)
            left = later
        self.hits += len(wanted) - parsed
        self.misses += parsed
        return [found[key] for key in keys]

    # -- the file ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """What goes wrong with the file in the block ends its use."""
        try:
            yield
        except sqlite3.Error as e:
            self.fault = f"{self.path or 'the cache'}: {e}; parses are no longer kept"
            self.close()

    def _kept(self, keys: Iterable[bytes]) -> dict[bytes, Graph]:
        found: dict[bytes, Graph] = {}
        if self.fault is None:
            with self._guarded():
                found = self._read(list(keys))
        return found

    def _read(self, keys: list[bytes]) -> dict[bytes, Graph]:
        found: dict[bytes, Graph] = {}
        for start in range(0, len(keys), _ASKED):
            asked = keys[start : start + _ASKED]
            marks = ",".join("?" * len(asked))
            rows = self._db.execute(f"SELECT key, graph FROM parses WHERE key IN ({marks})", asked)
            for key, graph in rows:
                try:
                    found[key] = unpack_graph(graph)
                except (ValueError, GraphError):
                    continue  # a damaged row: the sentence is parsed again, and the row replaced
        return found

    def _claimed(self, keys: list[bytes]) -> tuple[list[bytes], dict[bytes, Graph]]:
        """Which of the keys this process has to parse, and what others have parsed by now; the rest they are at."""
        found: dict[bytes, Graph] = {}
        mine = keys
        if self.fault is not None or not self.path:
            return mine, found
        with self._guarded(), self._transaction():
            found = self._read(keys)
            asked = [key for key in keys if key not in found]
            marks = ",".join("?" * len(asked))
            rows = self._db.execute(f"SELECT key, host, process, since FROM claims WHERE key IN ({marks})", asked)
            taken = {key for key, host, process, since in rows if self._counts(host, process, since)}
            mine = [key for key in asked if key not in taken]
            now = time.time()
            self._db.executemany(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", [(key, *self._mine, now) for key in mine]
            )
        return (mine, found) if self.fault is None else (keys, {})

    def _counts(self, host: str, process: int, since: float) -> bool:
        """Whether a claim of a process keeps this one from parsing."""
        if (host, process) == self._mine or time.time() - since > _OLD:
            return False
        return host != self._mine[0] or _alive(process)

    @contextmanager
    def _released(self, mine: Sequence[bytes]) -> Iterator[None]:
        """Nobody waits for what the block fails to make."""
        try:
            yield
        except BaseException:
            if self.fault is None and self.path:
                with self._guarded(), self._transaction():
                    self._drop_claims(mine)
            raise

    def _drop_claims(self, keys: Iterable[bytes]) -> None:
        self._db.executemany("DELETE FROM claims WHERE key = ?", [(key,) for key in keys])

    def _keep(self, made: Mapping[bytes, Graph]) -> None:
        if self.fault is not None:
            return
        rows = [(key, pack_graph(graph)) for key, graph in made.items()]
        with self._guarded():
            with self._transaction():
                self._db.executemany(
                    "INSERT INTO parses (key, graph) VALUES (?, ?) "
                    "ON CONFLICT (key) DO UPDATE SET graph = excluded.graph",
                    rows,
                )
                if self.path:
                    self._drop_claims(made)
            self._writes += len(made)
            if self._writes >= _LOOK:
                self._writes = 0
                self._make_room()

    def _make_room(self) -> None:
        """Drop the oldest parses where the file is over its limit; their room is used again."""
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (free,) = self._db.execute("PRAGMA freelist_count").fetchone()
        if (pages - free) * size <= self._limit:
            return
        first, last = self._db.execute("SELECT min(number), max(number) FROM parses").fetchone()
        with self._transaction():
            self._db.execute("DELETE FROM parses WHERE number <= ?", (first + (last - first) // 8,))

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


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def key_of(space: str, sentence: Sentence) -> bytes:
    """What a sentence's parse is found by: 16 bytes."""
    if isinstance(sentence, str):
        form, content = "text", sentence
    else:
        form, content = "tokens", "\0".join(f"{len(token)} {token}" for token in sentence)
    hashed = blake2b(digest_size=16)
    for part in (space, form, content):
        data = part.encode("utf-8", "surrogatepass")
        hashed.update(b"%d\0" % len(data) + data)
    return hashed.digest()


def space_of(name: str, folder: str | os.PathLike[str] | None = None) -> str:
    """What sets a parser's parses apart from those of others: its name, its files, the version of usim and its code.

    Args:
        name: the parser's name.
        folder: where its files are; two models of one name are two parsers.
    """
    files = [] if folder is None else [path for path in Path(folder).iterdir() if path.suffix != ".md"]
    return "\0".join((name, _digest(files), __version__, _code(), str(FORM)))


@cache
def _code() -> str:
    """The code and the shared words that take part in a parse: between two versions they may change as well."""
    home = Path(__file__).parents[1]
    return _digest([home / "text" / "tokenise.py", *(home / "parsing").rglob("*.py"), *SHARED.iterdir()])


def _digest(files: Iterable[Path]) -> str:
    hashed = blake2b(digest_size=16)
    for path in sorted(files):
        if path.is_file():
            hashed.update(path.name.encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()
