"""Documents in files: plain text, Markdown, Word."""

from __future__ import annotations

import io
import os
from typing import NamedTuple

from usim.documents._cut import MAX_CHARACTERS
from usim.documents._word import WordPlace, read_word
from usim.text.files import Path, read_text

_MARKDOWN = (".md", ".markdown")


class Document(NamedTuple):
    """The text of a file.

    Attributes:
        text: the text; lines end in line feeds.
        is_markdown: whether it is Markdown, by the name of its file.
        unread: what the file also has and is not read, such as ``pictures``.
        places: of a Word file, as its reader (``_word.WordText``) has them.
    """

    text: str
    is_markdown: bool = False
    unread: tuple[str, ...] = ()
    places: tuple[WordPlace, ...] = ()


def read_document(path: Path, data: bytes | None = None) -> Document:
    """Read a file by the ending of its name: Markdown (``.md``, ``.markdown``), Word (``.docx``); others are UTF-8.

    Of a Word file the text is read that a reader sees, with the insertions and without the deletions of a document
    that is under review: paragraphs and tables with their numbers, boxes, formulas; notes after the paragraph that
    names them, headers first and footers last.

    Args:
        path: the file; ``-`` is standard input.
        data: its content, if it has been read already.

    Raises:
        InputError: the file cannot be read, is too large, or is no Word file.
    """
    name = os.fspath(path)
    if name.lower().endswith(".docx"):
        word = read_word(name if data is None else io.BytesIO(data), name)
        return Document(word.text, False, word.unread, word.places)
    text = read_text(path, data=data, limit=4 * MAX_CHARACTERS + 3)
    return Document(text.replace("\r\n", "\n"), name.lower().endswith(_MARKDOWN))
