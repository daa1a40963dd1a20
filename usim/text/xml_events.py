"""The one place that reads XML: by events, bounded, without document type declarations and so without entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from xml.parsers import expat

from usim.errors import FormatError

#: How many elements may be open at once, how many there may be, and the most bytes of one mark.
DEEPEST_XML, MOST_ELEMENTS, LONGEST_MARK = 256, 2_000_000, 2**22


class XmlHandlers(NamedTuple):
    """What is called with the name, attributes and line of an element, its name at its end, and characters within."""

    start: Callable[[str, dict[str, str], int], object]
    end: Callable[[str], object]
    characters: Callable[[str], object] | None = None


def read_events(
    pieces: Iterable[bytes | bytearray | str], handlers: XmlHandlers, *, separator: str | None = None
) -> None:
    """Parse XML that comes in pieces; with a ``separator`` names are those of their namespace, it, and their own.

    Raises:
        FormatError: it is not well-formed, cannot be decoded, declares a document type, or goes beyond the bounds.
    """
    parser = expat.ParserCreate(namespace_separator=separator)
    parser.buffer_text = True
    depth = count = fed = 0

    def fail(message: str, text: str | None = None) -> FormatError:
        return FormatError(message, line=parser.CurrentLineNumber, text=text)

    def start(tag: str, own: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST_XML:
            raise fail(f"elements nested more than {DEEPEST_XML} levels deep", tag)
        if count > MOST_ELEMENTS:
            raise fail(f"more than {MOST_ELEMENTS:,} elements")
        handlers.start(tag, own, parser.CurrentLineNumber)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        handlers.end(tag)

    def doctype(name: str, *_: object) -> None:
        raise fail("a document type declaration is not allowed; remove it", name)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = doctype
    if handlers.characters is not None:
        parser.CharacterDataHandler = handlers.characters
    try:
        for piece in pieces:
            parser.Parse(piece, False)
            fed += len(piece)
            if fed - max(parser.CurrentByteIndex, 0) > max(LONGEST_MARK, len(piece)):
                raise fail(f"a mark of more than {LONGEST_MARK:,} bytes")
        parser.Parse(b"", True)
    except expat.ExpatError as e:
        what = f"not well-formed XML: {expat.ErrorString(e.code)} (column {e.offset + 1})"
        raise FormatError(what, line=e.lineno) from e
    except (ValueError, LookupError) as e:  # expat asks Python for other encodings, which has some of them
        raise fail(f"cannot be decoded ({e}); save it as UTF-8") from e
