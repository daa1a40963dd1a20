"""Documents in files: plain text, Markdown, Word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from usim.errors import InputError
from usim.text.files import Path, read_text
from usim.texts._compare import MAX_CHARACTERS

_MARKDOWN = (".md", ".markdown")
#: The most bytes of XML in a Word file, unpacked: a megabyte is mostly packed into some thousand bytes.
_MOST_XML = 64 * MAX_CHARACTERS


class Document(NamedTuple):
    """A text from a file, and whether it is Markdown."""

    text: str
    is_markdown: bool = False


def read_document(path: Path) -> Document:
    """Read a text from a file by its ending: ``.docx``, ``.md`` and ``.markdown``, plain text in UTF-8 for all others.

    Of a Word file the paragraphs are read, those of tables too, each between blank lines; headers, footers, comments
    and notes are not.

    Raises:
        InputError: the file cannot be read, is too large, or is no Word file, or python-docx is not installed.
    """
    name = os.fspath(path)
    if name.lower().endswith(".docx"):
        return Document(_word_text(name))
    text = read_text(path, limit=4 * MAX_CHARACTERS + 3)
    return Document(text.replace("\r\n", "\n"), name.lower().endswith(_MARKDOWN))


def _word_text(path: str) -> str:
    try:
        import docx
    except ImportError as e:
        raise InputError("Word files need one more package: pip install python-docx", path=path) from e
    try:
        with open(path, "rb") as file:
            with ZipFile(file) as archive:
                size = sum(part.file_size for part in archive.infolist() if part.filename.endswith((".xml", ".rels")))
            if size > _MOST_XML:
                raise InputError(f"{size:,} bytes of text and marks, unpacked; {_MOST_XML:,} are the most", path=path)
            document = docx.Document(file)
    except (BadZipFile, KeyError, ValueError) as e:
        raise InputError("not a Word file (.docx); save it anew, or as plain text", path=path) from e
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e}); check the name of the file", path=path) from e
    return "\n\n".join(text for text in _paragraphs(document) if text.strip())


def _paragraphs(container: Any) -> Iterator[str]:
    """Yield the paragraphs of a document or of a cell of a table, in order."""
    for part in container.iter_inner_content():
        if hasattr(part, "rows"):
            seen = set()
            for row in part.rows:
                for cell in row.cells:
                    if id(cell._tc) not in seen:  # a merged cell is met once for each cell that it covers
                        seen.add(id(cell._tc))
                        yield from _paragraphs(cell)
        else:
            yield part.text
