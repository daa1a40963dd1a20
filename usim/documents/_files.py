"""Documents in files: plain text, Markdown, Word."""

from __future__ import annotations

import os
import zlib
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from usim.documents._cut import MAX_CHARACTERS
from usim.errors import InputError
from usim.text.files import Path, read_text

_MARKDOWN = (".md", ".markdown")
#: The part of a Word file that has its text, and the most bytes of it, unpacked: a megabyte is mostly packed into some
#: thousand bytes.
_WORD_TEXT, _MOST_XML = "word/document.xml", 64 * MAX_CHARACTERS
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: The parts of a run that are characters and not text.
_SIGNS = {f"{_WORD}tab": "\t", f"{_WORD}br": "\n", f"{_WORD}cr": "\n", f"{_WORD}noBreakHyphen": "-"}


def read_document(path: Path) -> tuple[str, bool]:
    """Return the text of a file, and whether it is Markdown (``.md``, ``.markdown``); others are UTF-8, or ``.docx``.

    Of a Word file the paragraphs are read, those of tables too, each between blank lines, with the insertions and
    without the deletions of a document that is under review; headers, footers, text boxes, comments and notes are not.

    Raises:
        InputError: the file cannot be read, is too large, or is no Word file.
    """
    name = os.fspath(path)
    if name.lower().endswith(".docx"):
        return _word_text(name), False
    text = read_text(path, limit=4 * MAX_CHARACTERS + 3)
    return text.replace("\r\n", "\n"), name.lower().endswith(_MARKDOWN)


def _word_text(path: str) -> str:
    try:
        with ZipFile(path) as archive:
            size = archive.getinfo(_WORD_TEXT).file_size
            if size > _MOST_XML:
                raise InputError(f"{size:,} bytes of text and marks, unpacked; {_MOST_XML:,} are the most", path=path)
            document = ElementTree.fromstring(archive.read(_WORD_TEXT))
    except (BadZipFile, KeyError, RuntimeError, zlib.error, ElementTree.ParseError) as e:
        raise InputError("not a Word file (.docx); save it anew, or as plain text", path=path) from e
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e}); check the name of the file", path=path) from e
    for box in list(document.iter(f"{_WORD}txbxContent")):
        box.clear()
    paragraphs = (_written(paragraph) for paragraph in document.iter(f"{_WORD}p"))
    return "\n\n".join(text for text in paragraphs if text.strip())


def _written(paragraph: ElementTree.Element) -> str:
    parts = (part for run in paragraph.iter(f"{_WORD}r") for part in run)
    return "".join((part.text or "") if part.tag == f"{_WORD}t" else _SIGNS.get(part.tag, "") for part in parts)
