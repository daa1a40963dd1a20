"""Input as chunks of records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from usim.batch._reading import Source, chunks, sources
from usim.errors import InputError
from usim.records import Columns
from usim.text.files import LONGEST_LINE


def header(cells: Sequence[str]) -> Columns:
    return Columns()


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.sampled_from([b"x", b"\xff", b"", b"  ", "é".encode()]), max_size=12), st.integers(1, 5), st.booleans()
)
def test_chunks_are_the_lines_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, content: list[bytes], size: int, crlf: bool
) -> None:
    path = tmp_path_factory.mktemp("chunks") / "a.jsonl"
    path.write_bytes((b"\r\n" if crlf else b"\n").join(content))
    given = list(chunks([Source(str(path), "jsonl")], size, header=header))
    lines = [line for chunk in given for line in chunk.lines]
    assert [(line.number, line.raw.rstrip("\r\n").encode("utf-8", "surrogateescape")) for line in lines] == [
        (number, line) for number, line in enumerate(content, 1) if line.strip()
    ]
    assert all(bool(line.error) == ("\udcff" in line.raw) for line in lines)
    assert all(len(chunk.lines) == size for chunk in given[:-1])
    shares = [chunk.share or 0.0 for chunk in given]
    assert shares == sorted(shares)
    assert all(0 < share <= 1 for share in shares)


def test_long_records_make_short_chunks(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{'x' * 20_000}\n" * 9)
    assert [len(chunk.lines) for chunk in chunks([Source(str(path), "jsonl")], 32, header=header)] == [2, 2, 2, 2, 1]


def test_a_long_line_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf1\n" + b"x" * (LONGEST_LINE + 5) + b"\n3")
    stream = chunks([Source(str(path), "jsonl")], 1, header=header)
    assert [line.raw for line in next(stream).lines] == ["1\n"]
    with pytest.raises(InputError, match=r"a\.jsonl:2: a line of more than 16 MiB"):
        next(stream)


def test_what_an_argument_names(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.tsv.gz", "sub/c.parquet", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for pattern, name, form in (("*.gz", "a.tsv.gz", "tsv"), ("**/*.parquet", "c.parquet", "parquet")):
        (source,) = sources(str(tmp_path / pattern))
        assert (Path(source.path).name, source.format) == (name, form)
    assert sources(str(tmp_path / "notes.txt"), format="tsv")[0].format == "tsv"
    assert sources("-") == [Source("-", "jsonl")]


@pytest.mark.parametrize(
    ("given", "format", "message"),
    [
        ("none.jsonl", None, "no such file"),
        ("none*.jsonl", None, "no such file"),
        ("notes.txt", None, "does not say the format"),
        ("empty", None, "no such file"),
        ("notes.txt", "xml", "no such format"),
    ],
)
def test_what_names_nothing(tmp_path: Path, given: str, format: str | None, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match=message):
        sources(str(tmp_path / given), format=format)
