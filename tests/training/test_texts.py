"""Bare text to learn from: sayings, novels, contexts of published sets."""

from pathlib import Path

import pytest

pytest.importorskip("textblob")
pytest.importorskip("lemminflect")

from training.corpora import fortunes
from training.texts import main as collect
from training.texts import paragraphs


def test_sayings_of_fortunes_without_drawings(tmp_path: Path) -> None:
    (tmp_path / "prose").write_text("It was a dark night.\nThe wind blew.\n%\n|__| a drawing\n%\nShort one.\n%\n")
    (tmp_path / "prose.dat").write_bytes(b"\x00\x00index")
    assert list(fortunes(tmp_path)) == ["It was a dark night. The wind blew.", "Short one."]


def test_paragraphs_of_novels_without_headings(tmp_path: Path) -> None:
    novels, out = tmp_path / "novels.txt", tmp_path / "texts.txt"
    parts = "A NOVEL", "VOLUME I", "She had lived nearly _twenty_\nyears--or more. And so on.", "Chapter 1", '"Café?"'
    novels.write_text("\n\n".join([*parts, "he said,\n"]), encoding="utf-8")
    assert list(paragraphs(novels)) == ["She had lived nearly twenty years -- or more. And so on.", '"Café?"']
    collect(["--novels", str(novels), "--shortest", "5", "--out", str(out)])
    assert out.read_text().splitlines() == ["She had lived nearly twenty years -- or more."]
