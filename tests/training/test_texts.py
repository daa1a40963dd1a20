"""Bare text to learn from: sayings, novels, contexts of published sets."""

import struct
import zlib
from pathlib import Path

import pytest

pytest.importorskip("textblob")
pytest.importorskip("lemminflect")

from training.corpora import fortunes
from training.texts import main as collect
from training.texts import novels


def test_sayings_of_fortunes_without_drawings(tmp_path: Path) -> None:
    (tmp_path / "prose").write_text("It was a dark night.\nThe wind blew.\n%\n|__| a drawing\n%\nShort one.\n%\n")
    (tmp_path / "prose.dat").write_bytes(b"\x00\x00index")
    assert list(fortunes(tmp_path)) == ["It was a dark night. The wind blew.", "Short one."]


def write_r_strings(path: Path, *vectors: list[str]) -> None:
    """Write vectors of strings as R keeps the data of a package: each packed, behind its length."""
    packed = b""
    for lines in vectors:
        data = b"X\n" + struct.pack(">4i", 3, 0x40201, 0x30500, 5) + b"UTF-8" + struct.pack(">2i", 16, len(lines))
        data += b"".join(struct.pack(">2i", 0x40009, len(line.encode())) + line.encode() for line in lines)
        packed += struct.pack(">i", len(data)) + zlib.compress(data)
    path.write_bytes(packed)


def test_paragraphs_of_novels_without_headings(tmp_path: Path) -> None:
    novel = ["A NOVEL", "", "VOLUME I", "", "She had lived nearly _twenty_", "years--or more. And so on.", ""]
    write_r_strings(tmp_path / "Rdata.rdb", novel, ["Chapter 1", "", '"Café?"', "", "he said,", ""])
    paragraphs = list(novels(tmp_path))
    assert paragraphs == ["She had lived nearly twenty years -- or more. And so on.", '"Café?"']
    out = tmp_path / "texts.txt"
    collect(["--novels", str(tmp_path), "--shortest", "5", "--out", str(out)])
    assert out.read_text().splitlines() == ["She had lived nearly twenty years -- or more."]


def test_other_data_of_r_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no Rdata\.rdb"):
        list(novels(tmp_path))
    data = b"X\n" + struct.pack(">4i", 3, 0x40201, 0x30500, 5) + b"UTF-8" + struct.pack(">2i", 13, 0)
    (tmp_path / "Rdata.rdb").write_bytes(struct.pack(">i", len(data)) + zlib.compress(data))
    with pytest.raises(SystemExit, match="not a vector of strings"):
        list(novels(tmp_path))
