"""Parses that are kept."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.batch.common import PLAIN, pairs, write
from tests.batch.slow_parser import WordParser
from tests.strategies import graphs
from usim.batch import run
from usim.batch._cache import FORMAT, CachingParser, key_of, make_cache, pack_graph, space_of, unpack_graph
from usim.errors import FormatError, ParsingError
from usim.parsing import load
from usim.ucca import Graph


@given(graphs())
def test_a_packed_graph_is_the_graph(graph: Graph) -> None:
    again = unpack_graph(pack_graph(graph))
    assert again == graph
    assert again.yields == graph.yields


@given(st.binary(max_size=60))
def test_other_bytes_are_an_error(data: bytes) -> None:
    with pytest.raises((ValueError, zlib.error, FormatError)):
        unpack_graph(data)


class Counted(WordParser):
    """Counts the sentences."""

    def __init__(self, digest: str | None = None) -> None:
        super().__init__()
        self.digest = digest
        self.asked: Counter[str | Sequence[str]] = Counter()

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        self.asked.update(sentences)
        return super().parse(sentences)


def test_a_sentence_is_parsed_once(tmp_path: Path) -> None:
    parser = Counted()
    wanted = ["a b", "c", "a b", ("a", "b")]
    for _ in range(2):  # the second time from the file
        kept = CachingParser(parser, tmp_path / "parses")
        assert kept.parse(wanted) == WordParser().parse(wanted)
        kept.close()
    assert parser.asked == {"a b": 1, "c": 1, ("a", "b"): 1}
    assert (kept.hits, kept.misses) == (3, 0)


def test_keys_do_not_mix_up() -> None:
    wanted = ["a b", "ab", ("a", "b"), ("ab",), ("a b",), ("a", "", "b"), ""]
    assert len({key_of(space, sentence) for space in ("", "a") for sentence in wanted}) == 2 * len(wanted)


def test_a_parser_is_known_by_its_name_and_its_digest(tmp_path: Path) -> None:
    assert len({space_of("en", "a"), space_of("en", "b"), space_of("en"), space_of("en-1")}) == 4
    parsed = []
    for digest in ("a", "b", "a", None):
        parser = Counted(digest)
        CachingParser(parser, tmp_path / "parses").parse(["a b"])
        parsed.append(bool(parser.asked))
    assert parsed == [True, True, False, True]


def test_what_another_process_has_parsed_meanwhile_is_taken(tmp_path: Path) -> None:
    class Slow(Counted):
        def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
            if len(sentences) == 64:  # the other one parses the rest while the first block is in hand
                CachingParser(WordParser(), tmp_path / "parses").parse(wanted[64:])
            return super().parse(sentences)

    parser, wanted = Slow(), [f"{'a' * i} b" for i in range(100)]
    cache = CachingParser(parser, tmp_path / "parses")
    assert cache.parse(wanted) == WordParser().parse(wanted)
    assert set(parser.asked) == set(wanted[:64])
    assert (cache.misses, cache.hits) == (64, 36)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE kept SET value = x'00'",
        "UPDATE kept SET value = 'text'",
        "UPDATE kept SET value = 7",
        "UPDATE kept SET value = 1.5",
        "UPDATE kept SET value = zeroblob(10000)",
        "UPDATE kept SET value = substr(value, 1, length(value) - 1)",
        "UPDATE kept SET value = (SELECT value FROM kept WHERE number = 3 - number)",
        "UPDATE kept SET value = (SELECT value FROM kept WHERE number = 1)",
    ],
)
def test_a_row_that_is_damaged_or_of_another_sentence_is_parsed_again(tmp_path: Path, change: str) -> None:
    CachingParser(WordParser(), tmp_path / "parses").parse(["a", "b c"])
    with sqlite3.connect(tmp_path / "parses") as db:
        (before,) = zip(*db.execute("SELECT value FROM kept ORDER BY number").fetchall(), strict=True)
        old = "(SELECT value FROM old WHERE old.number"
        db.execute("CREATE TEMP TABLE old AS SELECT * FROM kept")
        db.execute(change.replace("(SELECT value FROM kept WHERE number", old).replace("3 - number", "3 - kept.number"))
        (after,) = zip(*db.execute("SELECT value FROM kept ORDER BY number").fetchall(), strict=True)
    db.close()
    damaged = {sentence for sentence, a, b in zip(["a", "b c"], before, after, strict=True) if a != b}
    assert damaged
    parser = Counted()
    for _ in range(2):
        again = CachingParser(parser, tmp_path / "parses")
        assert again.parse(["a", "b c"]) == WordParser().parse(["a", "b c"])
    assert parser.asked == dict.fromkeys(damaged, 1)


def test_other_columns_in_the_cache_are_a_note_and_no_error(tmp_path: Path) -> None:
    make_cache(tmp_path / "parses")
    with sqlite3.connect(tmp_path / "parses") as db:
        db.execute("DROP TABLE kept")
        db.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY, something TEXT)")
    db.close()
    path = write(tmp_path / "a.jsonl", pairs(7))
    summary = run(path, tmp_path / "out.jsonl", PLAIN, cache=tmp_path / "parses")
    assert (summary.records, summary.errors) == (7, 0)
    assert "no longer kept" in summary.notes[0]


def test_what_a_parse_is_has_a_number() -> None:
    """If this fails because the same model now gives other graphs, ``FORMAT`` gets a new number."""
    sentences = [
        "He said that he'd come home late; nobody (but Mary) knew.", "What the old man saw in 1999 was new.",
        "Give it up!", "It cost $3.50, e.g. for U.S. citizens – or so they say …", "",
    ]  # fmt: skip
    packed = b"".join(zlib.decompress(pack_graph(graph)) for graph in load("en").parse(sentences))
    assert (FORMAT, hashlib.sha256(packed).hexdigest()[:16]) == (4, "fa8fc9d5da43429c")


@pytest.mark.slow
def test_the_oldest_parses_make_room(tmp_path: Path) -> None:
    parser = Counted()
    kept = CachingParser(parser, tmp_path / "parses", limit=200_000)
    for start in range(0, 6000, 1000):
        kept.parse([f"word{i}" for i in range(start, start + 1000)])
    assert (tmp_path / "parses").stat().st_size < 1_100_000
    kept.parse(["word0", "word5999"])
    assert (parser.asked["word0"], parser.asked["word5999"]) == (2, 1)


def test_a_full_disk_ends_the_cache_and_not_the_work(tmp_path: Path) -> None:
    parser = Counted()
    kept = CachingParser(parser, tmp_path / "parses")
    kept._store._file.execute("PRAGMA max_page_count = 12")
    wanted = [f"word{i} and some more of them" for i in range(2000)]
    assert len(kept.parse(wanted)) == 2000
    assert kept.fault is not None
    assert "full" in kept.fault
    kept.parse(wanted[:1])
    assert parser.asked[wanted[0]] == 2


@pytest.mark.model
def test_the_embedded_parser_remembers() -> None:
    parser = load("en")
    kept = CachingParser(parser)
    wanted = ["He came home late.", "Nobody knows.", "He came home late.", ("Nobody", "knows", ".")]
    for _ in range(2):
        assert kept.parse(wanted) == parser.parse(wanted)
    assert (kept.hits, kept.misses) == (3, 3)
    assert kept.parse(["Nobody knows."], ids=["a"])[0].id == "a"
    assert kept.name == parser.name
    with pytest.raises(ParsingError):
        kept.parse("one sentence")
