"""Documents in files."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from usim.documents import read_document
from usim.errors import InputError

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word_file(path: Path, body: str, name: str = "word/document.xml") -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')
    return path


def runs(*texts: str) -> str:
    return "".join(f"<w:r><w:t>{text}</w:t></w:r>" for text in texts)


def test_the_paragraphs_of_a_word_file_are_read(tmp_path: Path) -> None:
    """Those of tables too, with what was inserted and without what was deleted; the text of boxes is not."""
    box = f"<w:r><w:pict><w:txbxContent><w:p>{runs('A box.')}</w:p></w:txbxContent></w:pict></w:r>"
    marked = f"<w:ins>{runs('We ')}</w:ins><w:del><w:r><w:delText>They </w:delText></w:r></w:del>{runs('stayed.')}"
    body = (
        f"<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr>{runs('Tit', 'le')}</w:p><w:p/>"
        f"<w:p>{runs('It rained. ')}{marked}{box}</w:p>"
        f"<w:tbl><w:tr><w:tc><w:p>{runs('one')}</w:p></w:tc><w:tc><w:p>{runs('two')}</w:p></w:tc></w:tr></w:tbl>"
        f"<w:p><w:r><w:t>The</w:t><w:tab/><w:t>end</w:t><w:br/><w:noBreakHyphen/></w:r></w:p>"
    )
    text = "Title\n\nIt rained. We stayed.\n\none\n\ntwo\n\nThe\tend\n-"
    assert read_document(word_file(tmp_path / "a.docx", body)) == (text, False)


def test_markdown_is_known_by_its_name(tmp_path: Path) -> None:
    for name, is_markdown in (("a.md", True), ("a.markdown", True), ("a.txt", False)):
        (tmp_path / name).write_text("A text.\r\n", encoding="utf-8", newline="")
        assert read_document(tmp_path / name) == ("A text.\n", is_markdown)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"not a zip")
    with pytest.raises(InputError, match="not a Word file"):
        read_document(tmp_path / "a.docx")
    for body, name in (("", "other.xml"), ("<w:p>", "word/document.xml")):
        with pytest.raises(InputError, match="not a Word file"):
            read_document(word_file(tmp_path / "b.docx", body, name))
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
