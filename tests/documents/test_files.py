"""Documents in files; Word files: ``test_word.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from usim.documents import read_document
from usim.errors import InputError


def test_markdown_is_known_by_its_name(tmp_path: Path) -> None:
    for name, is_markdown in (("a.md", True), ("a.markdown", True), ("a.txt", False), ("a.rst", False)):
        (tmp_path / name).write_text("A text.\r\n", encoding="utf-8", newline="")
        assert read_document(tmp_path / name)[:2] == ("A text.\n", is_markdown)
    assert read_document("b.md", b"Given.\r\n")[:2] == ("Given.\n", True)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfeA\x00")
    with pytest.raises(InputError, match="UTF-16"):
        read_document(tmp_path / "a.txt")
    with pytest.raises(InputError, match="a PDF"):
        read_document("a.pdf", b"%PDF-1.4\n1 0 obj\n")
    (tmp_path / "b.txt").write_bytes(b"ok\n\xff\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_document(tmp_path / "b.txt")
    with pytest.raises(InputError, match="check the name"):
        read_document(tmp_path / "none.docx")
