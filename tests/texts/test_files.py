"""Documents in files."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from usim.errors import InputError
from usim.texts import read_document

docx = pytest.importorskip("docx")


def test_the_paragraphs_of_a_word_file_are_read(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Title", 1)
    document.add_paragraph("It rained. We stayed.")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "one", "two"
    document.add_paragraph("The end.")
    document.save(str(tmp_path / "a.docx"))
    assert read_document(tmp_path / "a.docx") == ("Title\n\nIt rained. We stayed.\n\none\n\ntwo\n\nThe end.", False)


def test_markdown_is_known_by_its_name(tmp_path: Path) -> None:
    for name, is_markdown in (("a.md", True), ("a.markdown", True), ("a.txt", False)):
        (tmp_path / name).write_text("A text.\r\n", encoding="utf-8", newline="")
        assert read_document(tmp_path / name) == ("A text.\n", is_markdown)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"not a zip")
    with pytest.raises(InputError, match="not a Word file"):
        read_document(tmp_path / "a.docx")
    with ZipFile(tmp_path / "b.docx", "w") as archive:
        archive.writestr("other.xml", "<a/>")
    with pytest.raises(InputError, match="not a Word file"):
        read_document(tmp_path / "b.docx")
    with ZipFile(tmp_path / "c.docx", "w", ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 64_000_001)
    with pytest.raises(InputError, match="64,000,001 bytes of text and marks, unpacked"):
        read_document(tmp_path / "c.docx")
    (tmp_path / "a.txt").write_bytes(b"\xff\xfeA\x00")
    with pytest.raises(InputError, match="UTF-16"):
        read_document(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_bytes(b"ok\n\xff\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_document(tmp_path / "b.txt")
    with pytest.raises(InputError, match="check the name"):
        read_document(tmp_path / "none.docx")
