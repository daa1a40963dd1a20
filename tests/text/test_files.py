"""Files opened, bounded, and written whole."""

import base64
import gzip
import io
import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.errors import FormatError, InputError
from usim.text.files import (
    LARGEST_PACKED,
    open_binary,
    parse_json,
    read_bounded,
    read_csv,
    read_json,
    read_text,
    split_lines,
    written_whole,
)

PACKED = gzip.compress(base64.b64encode(random.Random(1).randbytes(5000)))


class TestReading:
    @given(st.binary(max_size=60).map(lambda data: data.replace(b"b", b"\n")), st.integers(1, 20))
    def test_lines_are_those_of_python_but_for_those_too_long(self, data: bytes, limit: int) -> None:
        lines = list(split_lines(io.BytesIO(data), limit=limit))
        assert lines == [
            (number, whole[: limit + 1], len(whole) > limit) for number, whole in enumerate(io.BytesIO(data), 1)
        ]

    def test_a_long_line_is_read_in_small_pieces(self) -> None:
        class Pieces(io.BytesIO):
            longest = 0

            def readline(self, size: int | None = -1) -> bytes:
                line = super().readline(size)
                self.longest = max(self.longest, len(line))
                return line

        stream = Pieces(b"x" * 10**6 + b"\nnext\n")
        assert [(number, len(line)) for number, line, _ in split_lines(stream, limit=1000)] == [(1, 1001), (2, 5)]
        assert stream.longest <= 2**16

    @pytest.mark.parametrize(
        "data",
        [
            b"no gzip",
            gzip.compress(b"text" * 100)[:-9],
            gzip.compress(base64.b64encode(random.Random(1).randbytes(500)))[:99],
            PACKED[:2000] + bytes(10) + PACKED[2010:],
        ],
        ids=["not packed", "end missing", "mostly missing", "scribbled bytes"],
    )
    def test_a_damaged_packed_file_is_named(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "a.gz"
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"a\.gz: cannot be read"):
            read_text(path)

    def test_standard_input_that_is_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", None)
        with pytest.raises(InputError, match="standard input is closed"), open_binary("-"):
            pass

    def test_a_file_that_is_too_large(self, tmp_path: Path) -> None:
        (tmp_path / "a.gz").write_bytes(gzip.compress(b"x" * 10_000))
        assert len(read_text(tmp_path / "a.gz", limit=10_000)) == 10_000
        with pytest.raises(InputError, match=r"a\.gz: a file of more than 9999 bytes"):
            read_text(tmp_path / "a.gz", limit=9_999)
        assert read_bounded(io.BytesIO(b"abc"), "x", limit=3) == b"abc"

    def test_a_packed_file_has_a_smaller_limit(self, tmp_path: Path) -> None:
        (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(LARGEST_PACKED + 1).replace(b"\0", b"a")))
        with pytest.raises(InputError, match="more than 50000000 bytes, unpacked; unpack it first"):
            read_text(tmp_path / "a.gz")

    def test_a_byte_order_mark_is_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"\xef\xbb\xbfone\r\n")
        assert read_text(tmp_path / "a") == "one\r\n"


class TestJson:
    @given(
        st.recursive(
            st.none() | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
        )
    )
    def test_what_is_not_deep_is_parsed(self, value: object) -> None:
        text = json.dumps(value)
        assert parse_json(text) == parse_json(text.encode()) == value

    def test_the_limit_holds_wherever_it_is_called(self) -> None:
        def nested(calls: int, text: str) -> object:
            return nested(calls - 1, text) if calls else parse_json(text)

        for calls in (0, 500):
            assert nested(calls, "[" * 200 + "]" * 200)
            with pytest.raises(ValueError, match="nested more than 200 levels"):
                nested(calls, "[" * 201 + "]" * 201)

    @pytest.mark.parametrize("text", ['"' + "[" * 500 + '"', '["\\"' + "{" * 500 + '"]', "[" + "[]," * 500 + "1]"])
    def test_brackets_in_strings_and_beside_one_another_are_not_deep(self, text: str) -> None:
        assert parse_json(text)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b'{"a": ' + b"9" * 5000 + b"}", "a.json: not JSON"),
            (b'{"a":' * 300, "a.json: not JSON"),
            (b'{"a": 1,\n "b"}', "a.json:2: not JSON"),
            (b"[1]", "a JSON object is needed"),
            (b'{"a": 1, "a": 2}', "there twice.*'a'"),
            (b'{"a":\n"\xff"}', "a.json:2: not UTF-8"),
            (None, "cannot be read"),
        ],
        ids=range(7),
    )
    def test_files(self, tmp_path: Path, content: bytes | None, message: str) -> None:
        if content is not None:
            (tmp_path / "a.json").write_bytes(content)
        with pytest.raises((FormatError, InputError), match=message):
            read_json(tmp_path / "a.json")


def test_a_record_of_a_table_with_more_fields(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a,b\n1,2\n1,2,3\n")
    with pytest.raises(FormatError, match=":3: a record with other fields"):
        list(read_csv(tmp_path / "a.csv", ("a",)))


class TestWriting:
    def test_nothing_of_the_user_is_written_over(self, tmp_path: Path) -> None:
        (tmp_path / "out.part").write_text("mine")
        with written_whole(tmp_path / "out") as file:
            file.write("text")
        assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"out": "text", "out.part": "mine"}

    def test_an_error_leaves_what_was_there(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("before")
        with pytest.raises(ZeroDivisionError), written_whole(tmp_path / "out") as file:
            file.write(str(1 // 0))
        assert [p.read_text() for p in tmp_path.iterdir()] == ["before"]

    @pytest.mark.skipif(not os.path.exists("/dev/null"), reason="a system without /dev/null")
    def test_a_device_stays_a_device(self) -> None:
        with written_whole("/dev/null") as file:
            file.write("text")
        assert not os.path.isfile("/dev/null")
