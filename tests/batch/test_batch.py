"""Scoring and screening at scale, through the Python API.

A light parser stands for the model (``tests.batch.slow_parser``); processes, kills, full files and clusters are real.
"""

from __future__ import annotations

import concurrent.futures
import doctest
import errno
import gzip
import hashlib
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.batch.slow_parser import WordParser
from tests.strategies import graphs
from usim.batch import Progress, Task, run
from usim.batch.backends import Pool, Workers, _in_window
from usim.batch.cache import Cache, key_of, space_of
from usim.batch.caching import with_cache
from usim.batch.journal import Journal
from usim.batch.packing import FORMAT, pack_graph, unpack_graph
from usim.batch.paths import OutputFiles
from usim.batch.reading import MAX_LINE, Source, chunks, packing_of, sources
from usim.compare import Analysis
from usim.errors import FormatError, InputError, OptionError, ParsingError
from usim.judge import Judgement, Thresholds
from usim.measures import usim_score
from usim.parsing import load
from usim.ucca import Graph

pytestmark = pytest.mark.slow

WORDS = "the old man saw a new house near our river and told nobody about it".split()
PLAIN = Task(parser=WordParser(), judge="none")


def pairs(count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Pairs of sentences, of which some come again."""
    rng = random.Random(seed)
    made: list[dict[str, Any]] = []
    for number in range(count):
        words = rng.sample(WORDS, rng.randint(3, 8))
        changed = [word for word in words if rng.random() > 0.2]
        source = " ".join(words) if number % 3 or not made else made[-1]["source"]
        made.append({"id": f"r{number}", "source": source, "output": " ".join(changed), "by": {"x": [1, None]}})
    return made


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """57 pairs, in chunks of 10 in these tests."""
    return write(tmp_path / "pairs.jsonl", pairs(57))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def beside(path: Path) -> list[str]:
    """What stands beside a file under its name."""
    return sorted(p.name for p in path.parent.iterdir() if p.name.startswith(path.name) and p != path)


# -- packing ---------------------------------------------------------------------------------------------------------


@given(graphs())
def test_a_packed_graph_is_the_graph(graph: Graph) -> None:
    again = unpack_graph(pack_graph(graph))
    assert again == graph
    assert (again.unit_ids, again.linkage_ids) == (graph.unit_ids, graph.linkage_ids)
    assert again.yields == graph.yields


@given(st.binary(max_size=60))
def test_other_bytes_are_an_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a packed graph"):
        unpack_graph(data)


# -- cache -----------------------------------------------------------------------------------------------------------


class Counted:
    """Makes graphs, and counts the sentences."""

    def __init__(self) -> None:
        self.asked: Counter[str | tuple[str, ...]] = Counter()

    def __call__(self, sentences: Any) -> list[Graph]:
        self.asked.update(sentences)
        return WordParser().parse(sentences)


def test_a_sentence_is_parsed_once(tmp_path: Path) -> None:
    make = Counted()
    wanted = ["a b", "c", "a b", ("a", "b")]
    for _ in range(2):  # the second time from the file
        kept = Cache(tmp_path / "parses")
        found = kept.parses("p", wanted, make)
        assert found == WordParser().parse(wanted)
        kept.close()
    assert make.asked == {"a b": 1, "c": 1, ("a", "b"): 1}
    assert (kept.hits, kept.misses) == (3, 0)
    Cache(tmp_path / "parses").parses("another parser", ["c"], make)
    assert make.asked["c"] == 2


def test_keys_do_not_mix_up() -> None:
    wanted = ["a b", "ab", ("a", "b"), ("ab",), ("a b",), ("a", "", "b"), ""]
    assert len({key_of(space, one) for space in ("", "a") for one in wanted}) == 2 * len(wanted)


def test_two_models_of_one_name_are_two_parsers() -> None:
    assert len({space_of("en", "a"), space_of("en", "b"), space_of("en"), space_of("en-1")}) == 4


def test_a_parser_is_known_by_its_name_and_its_digest(tmp_path: Path) -> None:
    parsed = []
    for digest in ("a", "b", "a", None):
        log = tmp_path / f"log-{len(parsed)}"
        parser = WordParser(log=str(log))
        if digest is not None:
            parser.digest = digest  # type: ignore[attr-defined]
        with_cache(parser, Cache(tmp_path / "parses")).parse(["a b"])
        parsed.append(log.exists())
    assert parsed == [True, True, False, True]


def test_what_another_process_has_parsed_meanwhile_is_taken(tmp_path: Path) -> None:
    cache, other = Cache(tmp_path / "parses"), Cache(tmp_path / "parses")
    sentences = [f"{'a' * i} b" for i in range(100)]

    def parse(block: Sequence[Any]) -> list[Graph]:
        if len(block) == 64:  # the other one parses the rest while the first block is in hand
            other.parses("p", sentences[64:], Counted())
        return counted(block)

    counted = Counted()
    assert cache.parses("p", sentences, parse) == WordParser().parse(sentences)
    assert set(counted.asked) == set(sentences[:64])
    assert (cache.misses, cache.hits) == (64, 36)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE parses SET graph = x'00'",
        "UPDATE parses SET graph = 'text'",
        "UPDATE parses SET graph = 7",
        "UPDATE parses SET graph = 1.5",
        "UPDATE parses SET graph = zeroblob(10000)",
        "UPDATE parses SET graph = substr(graph, 1, length(graph) - 1)",
        "UPDATE parses SET graph = (SELECT graph FROM parses WHERE number = 3 - number)",
        "UPDATE parses SET graph = (SELECT graph FROM parses WHERE number = 1)",
    ],
)
def test_a_row_that_is_damaged_or_of_another_sentence_is_parsed_again(tmp_path: Path, change: str) -> None:
    Cache(tmp_path / "parses").parses("p", ["a", "b c"], Counted())
    with sqlite3.connect(tmp_path / "parses") as db:
        (before,) = zip(*db.execute("SELECT graph FROM parses ORDER BY number").fetchall(), strict=True)
        old = "(SELECT graph FROM old WHERE old.number"
        db.execute("CREATE TEMP TABLE old AS SELECT * FROM parses")
        db.execute(
            change.replace("(SELECT graph FROM parses WHERE number", old).replace("3 - number", "3 - parses.number")
        )
        (after,) = zip(*db.execute("SELECT graph FROM parses ORDER BY number").fetchall(), strict=True)
    db.close()
    damaged = {sentence for sentence, a, b in zip(["a", "b c"], before, after, strict=True) if a != b}
    assert damaged
    make = Counted()
    for _ in range(2):
        assert Cache(tmp_path / "parses").parses("p", ["a", "b c"], make) == WordParser().parse(["a", "b c"])
    assert make.asked == dict.fromkeys(damaged, 1)


def test_a_cache_of_an_older_version_with_claims_is_no_reason_to_wait(tmp_path: Path) -> None:
    """Another process seemed to parse a sentence until a time in the future, and was waited for without end."""
    Cache(tmp_path / "parses").open()
    with sqlite3.connect(tmp_path / "parses") as db:
        db.execute("CREATE TABLE claims (key BLOB PRIMARY KEY, host TEXT, process INTEGER, since REAL)")
        db.execute("INSERT INTO claims VALUES (?, 'another', 1, 1e12)", (key_of(space_of("words-1"), "a b"),))
    db.close()
    path = write(tmp_path / "a.jsonl", [{"source": "a b", "output": "a"}])
    assert run(path, tmp_path / "out.jsonl", PLAIN, cache=tmp_path / "parses").parsed == 2


def test_other_columns_in_the_cache_are_a_note_and_no_error(tmp_path: Path) -> None:
    Cache(tmp_path / "parses").open()
    with sqlite3.connect(tmp_path / "parses") as db:
        db.execute("DROP TABLE parses")
        db.execute("CREATE TABLE parses (number INTEGER PRIMARY KEY, something TEXT)")
    db.close()
    path = write(tmp_path / "a.jsonl", pairs(7))
    summary = run(path, tmp_path / "out.jsonl", PLAIN, cache=tmp_path / "parses")
    assert (summary.records, summary.errors) == (7, 0)
    assert "no longer kept" in summary.notes[0]


def test_what_a_parse_is_has_a_number() -> None:
    """If this fails because the same model now gives other graphs, give :data:`FORMAT` a new number."""
    sentences = [
        "He said that he'd come home late; nobody (but Mary) knew.", "What the old man saw in 1999 was new.",
        "Give it up!", "It cost $3.50, e.g. for U.S. citizens – or so they say …", "",
    ]  # fmt: skip
    packed = b"".join(zlib.decompress(pack_graph(graph)) for graph in load("en").parse(sentences))
    assert (FORMAT, hashlib.sha256(packed).hexdigest()[:16]) == (2, "6e851e1d8a769ce2")


def test_the_oldest_parses_make_room(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "parses", limit=200_000)
    for start in range(0, 6000, 1000):
        kept.parses("p", [f"word{i}" for i in range(start, start + 1000)], Counted())
    assert (tmp_path / "parses").stat().st_size < 600_000
    make = Counted()
    kept.parses("p", ["word0", "word5999"], make)
    assert make.asked == {"word0": 1}


@pytest.mark.parametrize("content", ["text", "database"])
def test_another_file_is_no_cache(tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine"
    if content == "text":
        path.write_text("not a database, but something of mine " * 50)
    else:
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE mine (x)")
        db.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="cache"):
        Cache(path).open()
    assert path.read_bytes() == before


def test_a_full_disk_ends_the_cache_and_not_the_work(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "parses")
    kept.open()
    kept._db.execute("PRAGMA max_page_count = 12")
    make = Counted()
    wanted = [f"word{i} and some more of them" for i in range(2000)]
    assert len(kept.parses("p", wanted, make)) == 2000
    assert kept.fault is not None
    assert "full" in kept.fault
    kept.parses("p", wanted[:1], make)
    assert make.asked[wanted[0]] == 2


def test_the_embedded_parser_remembers() -> None:
    parser = load("en")
    kept = Cache()
    again = with_cache(parser, kept)
    wanted = ["He came home late.", "Nobody knows.", "He came home late.", ("Nobody", "knows", ".")]
    for _ in range(2):
        assert again.parse(wanted) == parser.parse(wanted)
    assert (kept.hits, kept.misses) == (3, 3)
    assert again.parse(["Nobody knows."], ids=["a"])[0].id == "a"
    assert again.name == parser.name
    with pytest.raises(ParsingError):
        again.parse("one sentence")


# -- reading ---------------------------------------------------------------------------------------------------------


def read(path: Path | str, size: int = 3, format: str = "jsonl") -> list[tuple[int, bytes, str | None]]:
    return [
        raw[1:]
        for chunk in chunks([Source(str(path), format)], size, with_header=lambda _: False)
        for raw in chunk.records
    ]


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.sampled_from([b"x", b"\xff", b"", b"  ", "é".encode()]), max_size=12), st.integers(1, 5), st.booleans()
)
def test_chunks_are_the_lines_of_the_file(content: list[bytes], size: int, crlf: bool) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.jsonl")
        path.write_bytes((b"\r\n" if crlf else b"\n").join(content))
        given = list(chunks([Source(str(path), "jsonl")], size, with_header=lambda _: False))
    expected = [(number, line, None) for number, line in enumerate(content, 1) if line.strip()]
    assert [raw[1:] for chunk in given for raw in chunk.records] == expected
    assert [chunk.number for chunk in given] == list(range(len(given)))
    assert all(len(chunk.records) == size for chunk in given[:-1])
    shares = [chunk.share or 0.0 for chunk in given]
    assert shares == sorted(shares)
    assert all(0 < share <= 1 for share in shares)


def test_a_long_line_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf1\n" + b"x" * (MAX_LINE + 5) + b"\n3")
    (one, two, three) = read(path)
    assert (one, three) == ((1, b"1", None), (3, b"3", None))
    assert two[2] is not None
    assert len(two[1]) < 2000


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_packed_files_of_several_parts_and_damaged_ones(tmp_path: Path, ending: str) -> None:
    import zstandard

    pack = gzip.compress if ending == ".gz" else zstandard.ZstdCompressor().compress
    path = tmp_path / f"a.jsonl{ending}"
    whole = pack(b"1\n2\n") + pack(b"3\n")
    path.write_bytes(whole)
    assert [line for _, line, _ in read(path)] == [b"1", b"2", b"3"]
    path.write_bytes(whole[:-3])
    damaged = read(path)
    assert [line for _, line, error in damaged if error is None][:2] == [b"1", b"2"]
    assert damaged[-1][2] is not None
    assert "cannot be read from here on" in damaged[-1][2]
    assert packing_of(path.name) == {".gz": "gzip", ".zst": "zstd"}[ending]


def test_what_an_argument_names(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.tsv.gz", "sub/c.parquet", "notes.txt", ".hidden.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [(Path(s.path).name, s.format) for s in sources(str(tmp_path))]
    assert found == [("a.tsv.gz", "tsv"), ("b.jsonl", "jsonl"), ("c.parquet", "parquet")]
    assert [Path(s.path).name for s in sources(str(tmp_path / "*.jsonl"))] == ["b.jsonl"]
    assert sources(str(tmp_path / "notes.txt"), format="tsv")[0].format == "tsv"
    assert sources("-") == [Source("-", "jsonl")]


@pytest.mark.parametrize(
    ("given", "format", "message"),
    [
        ("none.jsonl", None, "no such file"),
        ("none*.jsonl", None, "no such file"),
        ("notes.txt", None, "does not say the format"),
        ("empty", None, "without files"),
        ("-", "parquet", "standard input"),
        ("notes.txt", "xml", "no such format"),
    ],
)
def test_what_names_nothing(tmp_path: Path, given: str, format: str | None, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match=message):
        sources(given if given == "-" else str(tmp_path / given), format=format)


# -- a job -----------------------------------------------------------------------------------------------------------


def test_a_record_comes_out_with_its_fields_and_its_scores(file: Path) -> None:
    out = file.with_name("out.jsonl")
    summary = run(file, out, PLAIN, chunk=10)
    assert (summary.records, summary.errors, summary.before) == (57, 0, 0)
    assert summary.signature.startswith("usim|parser:words-1|")
    for number, (record, line) in enumerate(zip(pairs(57), lines(out), strict=True), 1):
        a, b = WordParser().parse([record["source"], record["output"]])
        score = usim_score(a, b)
        expected = {"id": record["id"], "by": record["by"], "line": number, "source": record["source"],
                    "output": record["output"], "score": score.f, "usim": score.to_dict(), "language": "en"}  # fmt: skip
        assert line == expected
        assert list(line) == list(expected)
    assert beside(out) == []


def test_formats_and_packings_are_the_same_records(tmp_path: Path, file: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    import zstandard

    records = [{"id": r["id"], "source": r["source"], "output": r["output"]} for r in pairs(57)]
    plain = write(tmp_path / "a.jsonl", records).read_bytes()
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(plain))
    (tmp_path / "c.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(plain))
    table = "id\tsource\toutput\n" + "".join("\t".join(r.values()) + "\n" for r in records)
    (tmp_path / "d.tsv").write_text(table)
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "e.parquet", row_group_size=20)
    for name in ("a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "d.tsv", "e.parquet"):
        run(tmp_path / name, tmp_path / f"out-{name}.jsonl", PLAIN, chunk=10)
    expected = lines(tmp_path / "out-a.jsonl.jsonl")
    assert len(expected) == 57
    for name in ("b.jsonl.gz", "c.jsonl.zst", "e.parquet"):
        assert (tmp_path / f"out-{name}.jsonl").read_bytes() == (tmp_path / "out-a.jsonl.jsonl").read_bytes()
    for line, other in zip(expected, lines(tmp_path / "out-d.tsv.jsonl"), strict=True):
        assert {**other, "line": other["line"] - 1} == line
    run(tmp_path / "a.jsonl", tmp_path / "out.jsonl.gz", PLAIN, chunk=10)
    run(tmp_path / "a.jsonl", tmp_path / "out.jsonl.zst", PLAIN, chunk=10)
    plain = (tmp_path / "out-a.jsonl.jsonl").read_bytes()
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == plain
    reader = zstandard.ZstdDecompressor().stream_reader(
        (tmp_path / "out.jsonl.zst").read_bytes(), read_across_frames=True
    )
    assert reader.read() == plain


def test_a_folder_is_one_input(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, seed in (("b.jsonl", 2), ("a.jsonl", 1)):
        write(tmp_path / "in" / name, pairs(7, seed))
    (tmp_path / "in" / "c.tsv").write_text("one two\tone\nnot a pair\n")
    out = tmp_path / "in" / "out.jsonl"  # which is no input, in spite of its place
    for _ in range(2):
        summary = run(tmp_path / "in", out, Task(parser=WordParser(), judge="none", with_file=True), chunk=5)
        assert (summary.records, summary.errors) == (15, 1)
    assert [(Path(x["file"]).name, x["line"]) for x in lines(out)] == [
        *(("a.jsonl", n) for n in range(1, 8)), *(("b.jsonl", n) for n in range(1, 8)), ("c.tsv", 1),
    ]  # fmt: skip


BAD: list[tuple[bytes, str]] = [
    (b"{", "not JSON"),
    (b"[1]", "a JSON object is needed"),
    (b'{"id": 7, "source": "a"}', "no field 'output'"),
    (b'{"source": 3, "output": "a"}', "'source' must be a text, or an array of its tokens"),
    (b'{"source": "a", "output": ["a", 1]}', "'output' must be a text"),
    (b'{"source": "a", "output": "\xff"}', "not UTF-8: byte 0xff"),
    (b'{"source": "a", "output": "a", "x": NaN}', "NaN"),
    (b'{"source": "a", "output": "a", "x": 1e999}', "cannot be written as JSON"),
    (b'{"source": "a", "output": "' + b"a " * 100_000 + b'"}', "'output' has 100000 words or more"),
    (b'{"source": "a", "output": "' + b"a" * 1_000_000 + b'"}', "tokens or more, and 2000 are the most"),
    (b'{"source": "a", "output": "' + b"a,b;" * 900 + b'"}', "'output' has 3600 tokens"),
    (b'{"source": "a", "output": ' + json.dumps(["a"] * 100_000).encode() + b"}", "'output' has 100000 tokens"),
    (b'{"source": "a", "output": "an evil word"}', "ValueError: evil is refused"),
    (b"[" * 100_000, "nested too deeply"),
]


def test_bad_records_cost_no_other(tmp_path: Path) -> None:
    good = [json.dumps(record).encode() for record in pairs(20)]
    mixed = list(good)
    places = {}
    for number, (raw, reason) in enumerate(BAD):
        mixed.insert(2 * number + 1, raw)
        places[2 * number + 2] = reason
    path, out = tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b"\n".join(mixed))
    task = Task(parser=WordParser(refused="evil"), judge="none")
    summary = run(path, out, task, chunk=9)
    assert (summary.records, summary.errors) == (20, len(BAD))
    assert [x["id"] for x in lines(out)] == [r["id"] for r in pairs(20)]
    errors = lines(tmp_path / "out.jsonl.errors.jsonl")
    assert summary.errors_file == str(tmp_path / "out.jsonl.errors.jsonl")
    assert {e["line"] for e in errors} == set(places)
    for error in errors:
        assert places[error["line"]] in error["reason"]
        assert error["file"] == str(path)
        assert len(error["text"]) <= 200
    assert [e["id"] for e in errors if "id" in e] == [7]
    # The same records without the bad ones leave no file of errors, not even an old one.
    path.write_bytes(b"\n".join(good))
    assert run(path, out, task).errors_file is None
    assert beside(out) == []


def test_strict_stops_at_the_first_bad_record_and_goes_on_when_it_is_put_right(file: Path) -> None:
    content = file.read_text().splitlines()
    out = file.with_name("out.jsonl")
    run(file, out, PLAIN, chunk=10)
    expected = out.read_bytes()
    out.unlink()
    good, content[25] = content[25], "{"
    file.write_text("\n".join(content))
    with pytest.raises(FormatError, match="not JSON") as caught:
        run(file, out, PLAIN, chunk=10, strict=True)
    assert (caught.value.path, caught.value.line) == (str(file), 26)
    assert not out.exists()
    content[25] = good
    file.write_text("\n".join(content))
    assert run(file, out, PLAIN, chunk=10, strict=True).before == 20
    assert out.read_bytes() == expected


def test_a_field_with_the_name_of_a_result_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"score": 4, "source": "a b", "output": "a b", "given": 1, "verdict": "?"}])
    run(path, tmp_path / "out.jsonl", PLAIN)
    (line,) = lines(tmp_path / "out.jsonl")
    assert line["score"] == 1.0
    assert line["given"] == {"score": 4, "given": 1}
    assert line["verdict"] == "?"  # no judge, no verdict of usim's


def test_other_names_of_fields_tokens_and_odd_texts(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        [{"from": ["a b", "c"], "to": "a b c"}, {"from": "", "to": ""}, {"from": "\ud800 é", "to": "猫"}],
    )
    run(path, tmp_path / "out.jsonl", Task(parser=WordParser(), judge="none", source_field="from", output_field="to"))
    one, two, three = lines(tmp_path / "out.jsonl")
    assert (one["source"], one["output"]) == ("a b c", "a b c")
    assert "from" not in one
    assert two["score"] == 1.0
    assert three["source"] == "\ud800 é"


def test_an_empty_input_is_an_empty_output(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    assert run(tmp_path / "a.jsonl", tmp_path / "out.jsonl", PLAIN).records == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    run(tmp_path / "a.jsonl", tmp_path / "out.jsonl.gz", PLAIN)
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == b""


def test_progress_comes_to_its_end(file: Path) -> None:
    seen: list[Progress] = []
    run(file, file.with_name("out.jsonl"), PLAIN, chunk=10, watch=seen.append)
    assert [p.records for p in seen] == [0, 10, 20, 30, 40, 50, 57]
    assert seen[-1].share == 1.0
    assert seen[-1].left == 0.0
    assert all(p.rate > 0 for p in seen[1:])


def test_the_judge_and_the_screen_are_those_of_the_scorer_and_the_screen(tmp_path: Path) -> None:
    from usim import Scorer, Screen

    records = pairs(5)
    path = write(tmp_path / "a.jsonl", records)
    summary = run(path, tmp_path / "out.jsonl", Task(parser=WordParser(), judge="usim", keep=0.8), chunk=2)
    scorer = Scorer(WordParser(), judge="usim")
    for record, line in zip(records, lines(tmp_path / "out.jsonl"), strict=True):
        expected = scorer.score(record["source"], record["output"]).to_dict()
        expected["verdict"] = "keep" if expected["faithfulness"] >= 0.8 else expected["verdict"]
        assert {name: line[name] for name in expected} == json.loads(json.dumps(expected))
    assert sum(summary.counts.values()) == 5
    texts = [{"id": 1, "sentence": "the old man", "start": 4, "end": 7, "substitutes": ["new", "near"], "by": "me"},
             {"id": 2, "sentence": "the old man", "start": 5, "end": 7, "substitutes": ["new"]},
             {"sentence": "the old man", "corrections": ["the man"]}]  # fmt: skip
    path = write(tmp_path / "b.jsonl", texts)
    table = tmp_path / "b.tsv"
    table.write_text("id\tsentence\tstart\tend\tsubstitutes\n1\tthe old man\t4\t7\tnew\tnear\n")
    summary = run(path, tmp_path / "out.jsonl", Task("screen", parser=WordParser(), judge="usim"))
    assert (summary.records, summary.errors, summary.counts["suggestions"]) == (2, 1, 3)
    one, three = lines(tmp_path / "out.jsonl")
    found = Screen(WordParser(), judge="usim").screen("the old man", 4, 7, ["new", "near"])
    assert one == {**texts[0], "line": 1, "suggestions": json.loads(json.dumps([f.to_dict() for f in found]))}
    assert [s["substitute"] for s in three["suggestions"]] == ["the man"]
    assert "cuts a word" in lines(tmp_path / "out.jsonl.errors.jsonl")[0]["reason"]
    run(table, tmp_path / "out.jsonl", Task("screen", parser=WordParser(), judge="usim"))
    (again,) = lines(tmp_path / "out.jsonl")
    assert again["suggestions"] == one["suggestions"]
    assert again["substitutes"] == ["new", "near"]


class Lengths:
    """A judge of how long sentences are."""

    name = "lengths"
    thresholds = Thresholds(keep=0.9, drop=0.5)
    encoder = None

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        made = []
        for a, b in pairs:
            near = min(len(a.text), len(b.text)) / max(len(a.text), len(b.text))
            made.append(Judgement(near, self.thresholds.verdict(near), (), usim_score(a.graph, b.graph)))
        return made


def test_a_judge_of_ones_own(file: Path) -> None:
    summary = run(file, file.with_name("out.jsonl"), Task(parser=WordParser(), judge=Lengths(), keep=0.7))
    assert "judge:lengths|keep:0.7|drop:0.5" in summary.signature
    for line in lines(file.with_name("out.jsonl")):
        sizes = sorted(len(line[name]) for name in ("source", "output"))
        assert line["faithfulness"] == sizes[0] / sizes[1]
        assert (line["verdict"] == "keep") == (line["faithfulness"] >= 0.7)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "dask"}, "address of its scheduler"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "for the backend dask"),
        ({"backend": "spark", "jobs": 2}, "no such backend"),
        ({"backend": "ray"}, "pip install ray"),
    ],
)
def test_backends_that_are_not_there(
    file: Path, options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=message):
        run(file, file.with_name("out.jsonl"), PLAIN, **options)
    assert not file.with_name("out.jsonl.partial").exists()


def test_what_cannot_be_an_output(file: Path) -> None:
    with pytest.raises(InputError, match="overwrite the input"):
        run(file, file, PLAIN)
    with pytest.raises(InputError, match="not a file"):
        run(file, file.parent, PLAIN)
    (file.parent / "plain").touch()
    with pytest.raises(InputError, match="cannot be written"):
        run(file, file.parent / "plain" / "out.jsonl", PLAIN)
    with pytest.raises(OptionError, match="no such judge"):
        run(file, file.with_name("out.jsonl"), Task(parser=WordParser(), judge="nobody"))


# -- going on --------------------------------------------------------------------------------------------------------


class Stopped(Exception):  # noqa: N818
    """What a test stops a job with."""


def stopped_after(number: int) -> Any:
    def watch(progress: Progress) -> None:
        if progress.records + progress.errors >= number:
            raise Stopped

    return watch


def with_bad(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [r if n % 11 else {"id": n} for n, r in enumerate(records, 1)]


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_job_goes_on_wherever_it_was_cut(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(57)))
    whole, out = tmp_path / f"whole-{name}", tmp_path / name
    run(path, whole, PLAIN, chunk=10)
    log = tmp_path / "log"
    logged = Task(parser=WordParser(log=str(log)), judge="none")
    rng = random.Random(1)
    for stop in (10, 30, 57):
        log.unlink(missing_ok=True)
        with pytest.raises(Stopped):
            run(path, out, logged, chunk=10, watch=stopped_after(stop))
        assert not out.exists()
        names = OutputFiles(out)
        # A kill may leave more in the files than the journal knows of, and half a line in the journal.
        for part in (names.results, names.bad, names.journal):
            with open(part, "ab") as torn:
                torn.write(rng.randbytes(rng.randint(0, 40)).replace(b"\n", b""))
        summary = run(path, out, logged, chunk=10)
        assert summary.before == stop
        assert (summary.records, summary.errors) == (52, 5)
        assert out.read_bytes() == whole.read_bytes()
        assert OutputFiles(out).errors.read_bytes() == OutputFiles(whole).errors.read_bytes()
        assert beside(out) == [f"{name}.errors.jsonl"]
        parsed = Counter(line.split("\t")[1] for line in log.read_text().splitlines())
        assert set(parsed.values()) == {1}  # not a sentence twice, across the stop
        out.unlink()


@settings(deadline=None, max_examples=8)
@given(st.data())
def test_any_cut_of_the_journal_will_do(data: st.DataObject) -> None:
    """The power goes: the last of what was written is lost, in whichever file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder, "a.jsonl"), with_bad(pairs(30)))
        whole, out = Path(folder, "whole.jsonl"), Path(folder, "out.jsonl")
        run(path, whole, PLAIN, chunk=7)
        with pytest.raises(Stopped):
            run(path, out, PLAIN, chunk=7, watch=stopped_after(data.draw(st.sampled_from([7, 21, 30]))))
        names = OutputFiles(out)
        lost = data.draw(st.sampled_from([names.journal, names.results, names.bad]))
        os.truncate(lost, data.draw(st.integers(0, lost.stat().st_size)))
        run(path, out, PLAIN, chunk=7)
        assert out.read_bytes() == whole.read_bytes()
        assert names.errors.read_bytes() == OutputFiles(whole).errors.read_bytes()


def test_a_kill_while_the_files_get_their_names(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(file, with_bad(pairs(57)))
    whole, out = file.with_name("whole.jsonl"), file.with_name("out.jsonl")
    run(file, whole, PLAIN, chunk=10)
    names = OutputFiles(out)
    replace = Path.replace
    for victim in (names.bad, names.results):

        def refuse(self: Path, target: Path, victim: Path = victim) -> Path:
            if self == victim:
                raise Stopped
            return replace(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", refuse)
            with pytest.raises(Stopped):
                run(file, out, PLAIN, chunk=10)
        summary = run(file, out, Task(parser=WordParser(log=str(file.with_name("log"))), judge="none"), chunk=10)
        assert not file.with_name("log").exists()  # nothing was left to do
        assert summary.before == 57
        assert out.read_bytes() == whole.read_bytes()
        assert names.errors.read_bytes() == OutputFiles(whole).errors.read_bytes()
        assert beside(out) == ["out.jsonl.errors.jsonl"]
        out.unlink()


def test_other_settings_and_other_input_are_refused(file: Path) -> None:
    out = file.with_name("out.jsonl")
    with pytest.raises(Stopped):
        run(file, out, PLAIN, chunk=10, watch=stopped_after(30))
    kept = OutputFiles(out).results.read_bytes()
    with pytest.raises(InputError, match=r"other settings.*chunk was 10, is 20.*--restart"):
        run(file, out, PLAIN, chunk=20)
    with pytest.raises(InputError, match=r"signature was .*node:touched.*is .*node:cover"):
        run(file, out, Task(parser=WordParser(), judge="none", preset="paper"), chunk=10)
    content = file.read_text()
    file.write_text(content.replace('"r15"', '"r0015"'))
    with pytest.raises(InputError, match=r"not what it was .*pairs.jsonl:11 on"):
        run(file, out, PLAIN, chunk=10)
    file.write_text("".join(content.splitlines(keepends=True)[:12]))
    with pytest.raises(InputError, match="not what it was"):
        run(file, out, PLAIN, chunk=10)
    assert OutputFiles(out).results.read_bytes() == kept
    file.write_text(content)
    assert run(file, out, PLAIN, chunk=20, restart=True).before == 0
    assert len(lines(out)) == 57


def test_what_has_done_nothing_leaves_nothing_and_binds_nobody(file: Path) -> None:
    out = file.with_name("out.jsonl")
    with pytest.raises(Stopped):
        run(file, out, PLAIN, chunk=10, watch=stopped_after(0))
    assert beside(out) == []
    run(file, out, PLAIN, chunk=20)


def test_one_job_at_a_time(file: Path) -> None:
    out = file.with_name("out.jsonl")
    with Journal(OutputFiles(out), {}), pytest.raises(InputError, match="another usim batch"):
        run(file, out, PLAIN)
    run(file, out, PLAIN)


def test_a_full_disk_keeps_what_is_done(file: Path) -> None:
    """A limit on the size of files, as the system imposes it, is what a full disk is: writes fail half way."""
    whole, out = file.with_name("whole.jsonl"), file.with_name("out.jsonl")
    run(file, whole, PLAIN, chunk=10)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (whole.stat().st_size // 2, hard))
    try:
        with pytest.raises(InputError, match=os.strerror(errno.EFBIG)) as caught:
            run(file, out, PLAIN, chunk=10)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "same command" in str(caught.value)
    assert not out.exists()
    assert run(file, out, PLAIN, chunk=10).before in (20, 30)
    assert out.read_bytes() == whole.read_bytes()


SCRIPT = """
import sys
from tests.batch.slow_parser import WordParser
from usim.batch import Task, run
parser = WordParser(log=sys.argv[3], delay=0.004)
run(sys.argv[1], sys.argv[2], Task(parser=parser, judge="none"), chunk=10, jobs=int(sys.argv[4]))
"""
ROOT = Path(__file__).parents[2]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments], cwd=ROOT, stderr=subprocess.PIPE)


def wait_for(path: Path, count: int) -> None:
    """Until a journal has so many lines."""
    end = time.monotonic() + 120
    while time.monotonic() < end and not (path.exists() and path.read_bytes().count(b"\n") >= count):
        time.sleep(0.01)


def running(process: int) -> bool:
    """Whether a process is there, and not only waiting for somebody to take note of its end."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_killed_again_and_again(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(400)))
    whole, out, log = tmp_path / "whole.jsonl", tmp_path / "out.jsonl", tmp_path / "log"
    run(path, whole, PLAIN, chunk=10)
    rng = random.Random(3)
    for done in (2, 6):
        process = started(str(path), str(out), str(log), "1")
        wait_for(OutputFiles(out).journal, done)
        time.sleep(rng.uniform(0, 0.05))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not out.exists()
    run(path, out, Task(parser=WordParser(log=str(log)), judge="none"), chunk=10)
    assert out.read_bytes() == whole.read_bytes()
    assert OutputFiles(out).errors.read_bytes() == OutputFiles(whole).errors.read_bytes()
    parsed = Counter(line.split("\t")[1] for line in log.read_text().splitlines())
    assert sum(parsed.values()) - len(parsed) <= 2 * 20  # at most the sentences in hand at each kill


# -- in many processes -----------------------------------------------------------------------------------------------


class Immediate:
    """A call that is over when it is asked for, and not before."""

    def __init__(self, function: Any, argument: Any) -> None:
        self._function, self._argument = function, argument
        self.cancelled = False

    def done(self) -> bool:
        return False

    def result(self) -> Any:
        return self._function(self._argument)

    def cancel(self) -> None:
        self.cancelled = True


@pytest.mark.parametrize("size", [1, 5])
def test_never_more_than_so_many_chunks_are_under_way(size: int) -> None:
    read: list[int] = []
    given_back: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(80):
            read.append(number)
            assert len(read) - len(given_back) <= 4 * size + 1
            yield number

    for number in _in_window(Pool(Immediate, size), abs, numbers()):
        given_back.append(number)
    assert given_back == read == list(range(80))


def test_what_is_ready_is_given_before_more_is_read() -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        read: list[int] = []

        def numbers() -> Iterator[int]:
            for number in range(20):
                read.append(number)
                yield number
                time.sleep(0.02)

        results = _in_window(Pool(executor.submit, 2), abs, numbers())
        assert next(results) == 0
        assert len(read) < 9


def test_leaving_early_gives_up_what_is_under_way() -> None:
    calls: list[Immediate] = []
    aborted: list[int] = []

    def submit(function: Any, argument: Any) -> Immediate:
        calls.append(Immediate(function, argument))
        return calls[-1]

    results = _in_window(Pool(submit, 1, lambda pending: aborted.append(len(list(pending)))), abs, range(9))
    next(results)
    results.close()
    assert [call.cancelled for call in calls] == [False, True, True, True, True]
    assert aborted == [4], "what is under way"


def test_threads_give_the_same(file: Path) -> None:
    run(file, file.with_name("one.jsonl"), PLAIN, chunk=4)
    run(file, file.with_name("two.jsonl"), PLAIN, chunk=4, jobs=2, backend="threading")
    assert file.with_name("two.jsonl").read_bytes() == file.with_name("one.jsonl").read_bytes()


@pytest.fixture(scope="module")
def _workers() -> Iterator[None]:
    """loky keeps its processes for the next call; the last one sends them home."""
    yield
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


@pytest.mark.usefixtures("_workers")
def test_processes_give_the_same_and_share_their_parses(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(120)))
    log = tmp_path / "log"
    run(path, tmp_path / "one.jsonl", PLAIN, chunk=7)
    # Slow enough that the second process has started before the first one is through.
    task = Task(parser=WordParser(log=str(log), delay=0.03), judge="none")
    summary = run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2)
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert (
        OutputFiles(tmp_path / "two.jsonl").errors.read_bytes()
        == OutputFiles(tmp_path / "one.jsonl").errors.read_bytes()
    )
    parsed = [line.split("\t") for line in log.read_text().splitlines()]
    # Two processes that meet a sentence at the same moment both parse it.
    distinct = {sentence for _, sentence in parsed}
    assert len(parsed) - len(distinct) <= len(distinct) // 10
    assert len({process for process, _ in parsed}) == 2
    assert summary.parsed == len(parsed)
    again = run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2)  # by the same processes
    assert (again.parsed + again.hits, again.notes) == (summary.parsed + summary.hits, ())
    assert again.parsed - len(distinct) <= len(distinct) // 10
    with pytest.raises(FormatError, match="no field"):
        run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2, strict=True)
    with pytest.raises(ParsingError, match="no such model"):
        run(path, tmp_path / "two.jsonl", Task(parser="nothing", judge="none"), jobs=2)


def test_a_worker_is_killed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", pairs(600))
    whole, out, log = tmp_path / "whole.jsonl", tmp_path / "out.jsonl", tmp_path / "log"
    run(path, whole, PLAIN, chunk=10)
    process = started(str(path), str(out), str(log), "2")
    wait_for(OutputFiles(out).journal, 3)
    workers = sorted({int(line.split("\t")[0]) for line in log.read_text().splitlines()})
    os.kill(workers[0], signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 1
    assert b"WorkersLostError" in told
    assert b"same command again" in told
    assert run(path, out, PLAIN, chunk=10).before >= 20
    assert out.read_bytes() == whole.read_bytes()


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", pairs(600))
    out, log = tmp_path / "out.jsonl", tmp_path / "log"
    process = started(str(path), str(out), str(log), "2")
    wait_for(OutputFiles(out).journal, 3)
    process.kill()
    process.communicate()
    workers = {int(line.split("\t")[0]) for line in log.read_text().splitlines()}
    end = time.monotonic() + 60
    while time.monotonic() < end and any(map(running, workers)):
        time.sleep(0.05)
    assert not any(map(running, workers))


@pytest.mark.parametrize("jobs", [None, 3])
def test_how_many_workers(jobs: int | None) -> None:
    assert Workers(jobs).is_this_process == (jobs is None)
    assert not Workers(jobs, "dask", "tcp://127.0.0.1:1").is_this_process


def test_the_examples_of_the_documentation_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/how-to/batch.md"), module_relative=False, encoding="utf-8")
    assert tried > 5
    assert failed == 0
