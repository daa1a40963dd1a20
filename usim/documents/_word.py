"""The text of Word files (ECMA-376, transitional and strict): the text that a reader sees, paragraph by paragraph.

A file is read part by part by events, so that memory grows with the text alone, and only within the bounds of
:mod:`usim.text.xml_events`. The libraries for Word files read a file whole, whatever is in it, and leave out parts of
what a reader sees: numbers of clauses, boxes, notes, formulas.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from xml.etree import ElementTree

from usim.documents._cut import MAX_CHARACTERS
from usim.documents._markdown import CELLS
from usim.errors import FormatError, InputError
from usim.lexicon.tables import read_tables
from usim.text.xml_events import XmlHandlers, read_events

#: The most bytes of all parts that are read, and of those with styles and numbers, unpacked.
_MOST_XML, _MOST_STYLES = 64 * MAX_CHARACTERS, 4 * 2**20
_PIECE = 2**16
_SPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
}
#: What is deleted, was elsewhere, is an earlier format, the code of a field, or the same once more.
_SKIPPED = frozenset(
    "w:del w:moveFrom w:delText w:delInstrText w:pPrChange w:rPrChange w:sectPrChange w:tblPrChange "
    "w:tcPrChange w:trPrChange w:numberingChange w:rt w:tabs".split()
)
#: What has content that is no text, by its own name, whatever its namespace.
_UNREAD = {
    "blip": "pictures", "imagedata": "pictures", "chart": "charts", "relIds": "diagrams", "OLEObject": "embedded files",
    "altChunk": "parts in other formats", "subDoc": "parts in other files", "contentPart": "ink",
    "commentReference": "comments",
}  # fmt: skip
_SIGNS = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-", "w:softHyphen": ""}
#: What stands behind a paragraph, and behind a cell of at most so many characters.
_PARAGRAPH, _MOST_CELL = "\n\n", 80
#: Fields whose results are made anew on each page.
_LONGEST_CODE = 100
_OF_PAGES = ("PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF")
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
#: Endings that are raised for their looks.
_ORDINALS = frozenset("st nd rd th tm sm er re".split())
#: Parts of formulas whose content is put together before it is written; the signs of those that have some.
_SIGNED = {"m:d": ("(", ")"), "m:nary": ("∫", ""), "m:acc": ("\u0302", ""), "m:rad": ("√(", ")")}
_GATHERED = frozenset(("m:num", "m:den", "m:sup", "m:sub", "m:deg", "m:lim", *_SIGNED))
#: Signs of fonts by their codes.
_FONTS = {
    font: {int(sign[:2], 16): sign[2:] for sign in signs.split()}
    for font, signs in read_tables("signs.tsv")["fonts"].items()
}
_ROMAN = tuple(zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
                   "m cm d cd c xc l xl x ix v iv i".split(), strict=True))  # fmt: skip


class WordPlace(NamedTuple):
    """Where a paragraph of a Word file is.

    Attributes:
        start: where it begins in the text.
        number: which ``w:p`` of the main part it belongs to, from 0, with those that are not read; a note belongs to
            that which names it, headers to the first, footers to the last.
        name: what a reader calls it if it is no paragraph of the body: *table row 2*, *footnote 1*, *header*.
    """

    start: int
    number: int
    name: str = ""


class Document(NamedTuple):
    """The text of a file.

    Attributes:
        text: the text; lines end in line feeds. Of a Word file its paragraphs, with a blank line between two, and the
            short cells of a row of a table on one line.
        is_markdown: whether it is Markdown, by the name of its file.
        unread: what the file also has and is not read, such as ``pictures``.
        places: of the paragraphs of a Word file, in order.
    """

    text: str
    is_markdown: bool = False
    unread: tuple[str, ...] = ()
    places: tuple[WordPlace, ...] = ()


class _Written(NamedTuple):
    """A paragraph that has been read: its text, its ``w:p``, its name, and what stands behind it."""

    text: str
    number: int
    name: str = ""
    end: str = _PARAGRAPH


def read_word(file: object, path: str) -> Document:
    """Read a Word file from a path or a binary stream; ``path`` is named in errors.

    Raises:
        InputError: it cannot be read, is too large, or is no Word file.
    """
    try:
        with zipfile.ZipFile(file) as archive:  # type: ignore[call-overload]
            return _Package(archive).read()
    except FormatError as e:
        raise InputError(f"a damaged Word file ({e.message}); save it anew, or as plain text", path=path) from e
    except InputError as e:
        raise InputError(e.message, path=path) from e
    except (zipfile.BadZipFile, zlib.error, EOFError, LookupError, ValueError, NotImplementedError) as e:
        raise InputError(_no_word_file(file), path=path) from e
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e}); check the name of the file", path=path) from e


def _no_word_file(file: Any) -> str:
    """Return what a file is that is none of Word's, and what to do."""
    with open(file, "rb") if isinstance(file, str) else nullcontext(file) as stream:
        stream.seek(0)
        start = stream.read(4)
    if start == b"\xd0\xcf\x11\xe0":
        return "a Word file in the old format (.doc), or one with a password; open it in Word and save it as .docx"
    return "not a Word file (.docx); save it anew, or as plain text"


class _Package:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = _MOST_XML
        self.unread: dict[str, None] = {}
        self.characters = 0
        main = [to for kind, to in self._related("").values() if kind == "officeDocument"]
        self._main = main[0] if main else "word/document.xml"
        self._links = self._related(self._main)
        self.styles, self.numbers = _Styles(self._tree("styles")), _Numbers(self._tree("numbering"))
        self.notes: dict[tuple[str, str], list[str]] = {}
        self.noted = Counter[str]()

    def read(self) -> Document:
        for kind in ("footnote", "endnote"):
            part = self._part(kind + "s")
            if part:
                self._read(part, of_notes=kind)
        body = self._read(self._main)
        # The headers of a page are those of its first page, even pages and all others: each text counts once.
        around: dict[str, dict[str, None]] = {"headerReference": {}, "footerReference": {}}
        for kind, name in dict.fromkeys(body.margins):
            if name in self._links:
                around[kind] |= dict.fromkeys(each.text for each in self._read(self._links[name][1]).written)
        header, footer = around.values()
        written = [*(_Written(text, 0, "header") for text in header), *body.written]
        written += [_Written(text, max(0, body.count - 1), "footer") for text in footer]
        places, at = [], 0
        for each in written:
            places.append(WordPlace(at, each.number, each.name))
            at += len(each.text) + len(each.end)
        text = "".join(each.text + each.end for each in written).removesuffix(_PARAGRAPH)
        return Document(text, unread=tuple(self.unread), places=tuple(places))

    def add(self, characters: int) -> None:
        """Count characters that are read, up to the longest text."""
        self.characters += characters
        if self.characters > MAX_CHARACTERS:
            raise InputError(f"more than {MAX_CHARACTERS:,} characters; compare it in parts")

    def _read(self, name: str, of_notes: str = "") -> _WordPart:
        part = _WordPart(self, of_notes)
        read_events(self._pieces(name), XmlHandlers(part.start, part.end, part.characters), separator=" ")
        return part

    def _part(self, kind: str) -> str | None:
        return next((to for each, to in self._links.values() if each == kind), None)

    def _tree(self, kind: str) -> ElementTree.Element:
        """Return a part as a tree of elements without namespaces; an empty one if the file has no such part."""
        builder = ElementTree.TreeBuilder()
        name = self._part(kind)
        if name is None or name not in self._archive.NameToInfo:
            return ElementTree.Element("none")
        if self._archive.getinfo(name).file_size > _MOST_STYLES:
            raise InputError(f"its part {kind} has more than {_MOST_STYLES:,} bytes, unpacked; save it as plain text")

        def start(tag: str, own: dict[str, str], line: int) -> None:
            builder.start(_own(tag), {_own(key): value for key, value in own.items()})

        handlers = XmlHandlers(start, lambda tag: builder.end(_own(tag)))
        read_events(self._pieces(name), handlers, separator=" ")
        return builder.close()

    def _related(self, name: str) -> dict[str, tuple[str, str]]:
        """Return the kind of each part that a part names, and its place in the file."""
        folder, own = posixpath.split(name)
        links = posixpath.join(folder, "_rels", own + ".rels")
        related: dict[str, tuple[str, str]] = {}

        def start(tag: str, own: dict[str, str], line: int) -> None:
            if _own(tag) == "Relationship" and own.get("TargetMode") != "External":
                to = posixpath.normpath(posixpath.join("/", folder, own.get("Target", ""))).lstrip("/")
                related[own.get("Id", "")] = own.get("Type", "").rpartition("/")[2], to

        if links in self._archive.NameToInfo:
            read_events(self._pieces(links), XmlHandlers(start, lambda tag: None), separator=" ")
        return related

    def _pieces(self, name: str) -> Iterator[bytes]:
        if name not in self._archive.NameToInfo:
            raise InputError("not a Word file (.docx); save it anew, or as plain text")
        info = self._archive.getinfo(name)
        if info.flag_bits & 1:
            raise InputError("protected by a password; save it without one")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError("packed otherwise than Word does; save it anew")
        self._left -= info.file_size
        if self._left < 0:
            raise InputError(f"more than {_MOST_XML:,} bytes of text and marks, unpacked; compare it in parts")
        with self._archive.open(info) as stream:
            while piece := stream.read(_PIECE):
                yield piece


def _own(name: str) -> str:
    return name.rpartition(" ")[2]


def _is_on(values: Mapping[str, str]) -> bool:
    return values.get("val", "true") not in ("false", "0", "off", "none")


@dataclass
class _Run:
    position: str = "baseline"
    is_hidden: bool = False
    font: str = ""


@dataclass
class _Paragraph:
    """A paragraph that is being read: its texts, what stands after it by its name, its style, list and level."""

    place: int
    texts: list[str] = field(default_factory=list)
    after: list[tuple[str, str]] = field(default_factory=list)
    style: str = ""
    list: str | None = None
    level: str | None = None
    goes_on: bool = False


class _Styles:
    """The styles of a file: what lists their paragraphs are in, and how their runs look."""

    def __init__(self, tree: ElementTree.Element) -> None:
        self._styles = {style.get("styleId", ""): style for style in tree.iter("style")}
        of_paragraphs = [key for key, style in self._styles.items() if style.get("type") == "paragraph"]
        self.default = next((key for key in of_paragraphs if self._styles[key].get("default") in ("1", "true")), "")

    def value(self, style: str, path: str) -> dict[str, str] | None:
        """Return the attributes of an element of a style, or of the nearest one that it is based on and that has it."""
        for _ in range(20):  # a style may be based on itself, by mistake
            own = self._styles.get(style)
            if own is None:
                return None
            found = own.find(path)
            if found is not None:
                return dict(found.items())
            style = _of(own, "basedOn", "")
        return None


class _Numbers:
    """The lists of a file and how far each has counted."""

    def __init__(self, tree: ElementTree.Element) -> None:
        levels, linked = {}, {}
        for each in tree.iter("abstractNum"):
            levels[each.get("abstractNumId", "")] = own = self._levels(each)
            if name := _of(each, "styleLink", ""):
                linked[name] = own
        for each in tree.iter("abstractNum"):
            if (name := _of(each, "numStyleLink", "")) in linked:
                levels[each.get("abstractNumId", "")] = linked[name]
        self._lists: dict[str, tuple[str, dict[int, ElementTree.Element], dict[int, int]]] = {}
        for number in tree.iter("num"):
            abstract = _of(number, "abstractNumId", "")
            own, starts = dict(levels.get(abstract, {})), dict[int, int]()
            for change in number.iter("lvlOverride"):
                own |= self._levels(change)
                start = change.find("startOverride")
                if start is not None:
                    starts[_whole(change.get("ilvl"))] = _whole(start.get("val"))
            self._lists[number.get("numId", "")] = abstract, own, starts
        self._counts: dict[str, dict[int, int]] = {}
        self._used: set[tuple[str, int]] = set()

    @staticmethod
    def _levels(tree: ElementTree.Element) -> dict[int, ElementTree.Element]:
        return {_whole(level.get("ilvl")): level for level in tree.iter("lvl")}

    def level_of(self, name: str, style: str) -> int | None:
        """Return the level of a list that is linked to a style."""
        _, levels, _ = self._lists.get(name, ("", {}, {}))
        return next((k for k, level in levels.items() if _of(level, "pStyle", "") == style), None)

    def next(self, name: str, at: int) -> str:
        """Count a paragraph of a list at a level, and return its number as Word writes it."""
        abstract, levels, starts = self._lists.get(name, ("", {}, {}))
        level = levels.get(at)
        if level is None:
            return ""
        counts = self._counts.setdefault(abstract, {})
        if at in starts and (name, at) not in self._used:
            counts.pop(at, None)
        self._used.add((name, at))
        for k in range(at + 1):
            first = starts.get(k, _whole(_of(levels[k], "start", "1")) if k in levels else 1)
            counts[k] = counts.get(k, first - (k == at)) + (k == at)
        for k in [k for k in counts if k > at]:
            del counts[k]
        form = _of(level, "numFmt", "decimal")
        if form == "bullet":
            return "•"
        text = _of(level, "lvlText", "")
        is_legal = level.find("isLgl") is not None
        for k in range(at + 1):
            own = "decimal" if is_legal or k not in levels else _of(levels[k], "numFmt", "decimal")
            text = text.replace(f"%{k + 1}", _numeral(counts[k], own))
        return text.strip()


def _of(element: ElementTree.Element, name: str, default: str) -> str:
    found = element.find(name)
    return default if found is None else found.get("val", default)


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 6 else 0


def _numeral(number: int, form: str) -> str:
    """Return a number in one of Word's forms; in words, and other forms than these, it is decimal.

    >>> [_numeral(28, form) for form in ("lowerLetter", "upperRoman", "decimalZero", "ordinal", "none")]
    ['bb', 'XXVIII', '28', '28th', '']
    """
    if form == "none":
        return ""
    if form.endswith("Letter") and number:
        text = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 9)
    elif form.endswith("Roman") and 0 < number < 5000:
        text = ""
        for value, sign in _ROMAN:
            text += sign * (number // value)
            number %= value
    elif form == "ordinal":
        ends = {1: "st", 2: "nd", 3: "rd"}
        text = f"{number}{'th' if number // 10 % 10 == 1 else ends.get(number % 10, 'th')}"
    else:
        text = f"{number:02}" if form == "decimalZero" else str(number)
    return text.upper() if form.startswith("upper") else text


class _WordPart:
    """Takes the events of a part, and gathers its paragraphs."""

    def __init__(self, package: _Package, of_notes: str) -> None:
        self._package, self._of_notes = package, of_notes
        self.written: list[_Written] = []
        self._cells: list[int] = []
        self._rows: list[int] = []  # of the tables that are open, the number of the row
        self.margins: list[tuple[str, str]] = []
        self.count = 0
        self._skipped = 0
        self._open: list[str] = []
        self._paragraphs: list[_Paragraph] = []
        self._left_open: tuple[list[str], list[tuple[str, str]]] = [], []
        self._alternatives: list[bool] = []
        self._noted = self._note_type = ""
        self._runs: list[_Run] = []
        self._buffers: list[list[str]] = []
        self._fields: list[list[str]] = []
        self._box: dict[str, str] = {}
        self._choices: list[str] = []
        self._signs: list[list[str]] = []
        self._characters: list[str] = []

    def start(self, name: str, values: dict[str, str], line: int) -> None:
        space, _, own = name.rpartition(" ")
        tag = f"{_SPACES.get(space, '?')}:{own}"
        parent = self._open[-1] if self._open else ""
        if not self._open and tag not in ("w:document", "w:hdr", "w:ftr", "w:footnotes", "w:endnotes"):
            raise FormatError(f"its main element is {own}, and not a text of Word")
        self.count += tag == "w:p"
        if self._skipped or self._is_skipped(tag, parent):
            self._skipped += 1
            return
        self._open.append(tag)
        if own in _UNREAD:
            self._package.unread[_UNREAD[own]] = None
        values = {_own(key): value for key, value in values.items()}
        if tag == "w:p":
            self._paragraphs.append(_Paragraph(self.count - 1))
        elif tag == "w:tbl":
            self._rows.append(0)
        elif tag == "w:tr":
            self._cells = [len(self.written)]
            self._rows[-1:] = [row + 1 for row in self._rows[-1:]]
        elif tag in ("w:r", "m:r"):
            self._runs.append(_Run())
        elif tag in _SIGNS and parent == "w:r":
            self._write(_SIGNS[tag])
        elif tag == "w:sym":
            self._write(self._sign(values))
        elif tag in _GATHERED:
            self._buffers.append([])
            if tag in _SIGNED:
                self._signs.append(list(_SIGNED[tag]))
        elif tag in ("m:begChr", "m:endChr", "m:chr") and self._signs:
            self._signs[-1][tag == "m:endChr"] = values.get("val", "")
        elif tag in ("w:footnoteReference", "w:endnoteReference") and self._paragraphs:
            kind = tag[2:-9]
            self._package.noted[kind] += 1
            notes = self._package.notes.get((kind, values.get("id", "")), ())
            self._paragraphs[0].after += [(text, f"{kind} {self._package.noted[kind]}") for text in notes]
        elif tag in ("w:headerReference", "w:footerReference"):
            self.margins.append((own, values.get("id", "")))
        elif own == self._of_notes:
            self._noted, self._note_type = values.get("id", ""), values.get("type", "normal")
        else:
            self._format(tag, parent, values)

    def _is_skipped(self, tag: str, parent: str) -> bool:
        """Return whether an element is not shown; a paragraph whose mark is deleted goes on in the next one."""
        if tag == "mc:AlternateContent":
            self._alternatives.append(False)
        elif parent == "mc:AlternateContent":
            is_second = self._alternatives[-1]
            self._alternatives[-1] = True
            return is_second
        if tag in ("w:del", "w:moveFrom") and self._open[-2:] == ["w:pPr", "w:rPr"] and self._paragraphs:
            self._paragraphs[-1].goes_on = True
        return tag in _SKIPPED

    def _format(self, tag: str, parent: str, values: dict[str, str]) -> None:
        """Take what says how a paragraph or a run looks, and what fields and forms say."""
        value = values.get("val", "")
        of_run = self._runs[-1] if parent == "w:rPr" and self._open[-3:-2] == ["w:r"] and self._runs else None
        paragraph = self._paragraphs[-1] if self._paragraphs else None
        if of_run:
            styles = self._package.styles
            if tag == "w:vertAlign":
                of_run.position = value
            elif tag == "w:vanish":
                of_run.is_hidden = _is_on(values)
            elif tag == "w:rFonts":
                of_run.font = values.get("ascii", values.get("hAnsi", ""))
            elif tag == "w:rStyle":
                of_run.position = (styles.value(value, "rPr/vertAlign") or {}).get("val", "baseline")
                of_run.is_hidden = _is_on(styles.value(value, "rPr/vanish") or {"val": "0"})
        elif paragraph and parent == "w:numPr" and "w:pPr" in self._open[-4:]:
            if tag == "w:numId":
                paragraph.list = value
            elif tag == "w:ilvl":
                paragraph.level = value
        elif paragraph and tag == "w:pStyle" and parent == "w:pPr":
            paragraph.style = value
        elif tag == "w:fldSimple":
            self._fields.append([values.get("instr", ""), "result"])
        elif tag == "w:fldChar":
            kind = values.get("fldCharType")
            if kind == "begin":
                self._fields.append(["", ""])
            elif kind == "separate" and self._fields:
                self._fields[-1][1] = "result"
            elif kind == "end" and self._fields:
                self._fields.pop()
        elif tag in ("w:checkBox", "w:ddList"):
            self._box, self._choices = {}, []
        elif tag == "w:listEntry":
            self._choices.append(value)
        elif parent in ("w:checkBox", "w:ddList"):
            self._box[tag] = values.get("val", "1" if parent == "w:checkBox" else "0")

    def characters(self, text: str) -> None:
        if self._skipped or not self._open:
            return
        if self._open[-1] in ("w:t", "m:t"):
            self._characters.append(text)
        elif self._open[-1] == "w:instrText" and self._fields and len(self._fields[-1][0]) < _LONGEST_CODE:
            self._fields[-1][0] += text

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        tag = self._open.pop()
        if tag in ("w:t", "m:t"):
            self._write_run("".join(self._characters))
            self._characters.clear()
        elif tag == "w:p":
            self._end_paragraph(self._paragraphs.pop())
        elif tag == "w:tc":
            self._cells.append(len(self.written))
        elif tag == "w:tr":
            self._end_row()
        elif tag == "w:tbl":
            self._rows.pop()
        elif tag in ("w:r", "m:r"):
            self._runs.pop()
        elif tag == "w:fldSimple":
            self._fields.pop()
        elif tag == "w:checkBox":
            self._write("☐" if self._box.get("w:checked", self._box.get("w:default", "0")) in ("0", "false") else "☒")
        elif tag == "w:ddList":
            place = _whole(self._box.get("w:result", self._box.get("w:default")))
            self._write("".join(self._choices[place : place + 1]))
        elif tag in _GATHERED:
            self._end_gathered(tag)
        elif tag == "m:mr" or (tag == "m:e" and self._open[-1] in ("m:mr", "m:eqArr", "m:d")):
            self._write("; " if tag == "m:mr" else " ")
        elif tag == "mc:AlternateContent":
            self._alternatives.pop()

    def _write(self, text: str) -> None:
        """Add a text to the paragraph, or to the part of a formula, unless it is not shown."""
        if not text or not self._paragraphs:
            return
        if self._runs and self._runs[-1].is_hidden:
            self._package.unread["hidden text"] = None
            return
        if any(kind == "result" and code.split()[:1] and code.split()[0] in _OF_PAGES for code, kind in self._fields):
            return
        self._package.add(len(text))
        (self._buffers[-1] if self._buffers else self._paragraphs[-1].texts).append(text)

    def _write_run(self, text: str) -> None:
        run = self._runs[-1] if self._runs else _Run()
        signs = _FONTS.get(run.font.lower())
        if signs:
            text = "".join(signs.get(ord(c) - 0xF000, c) if "\uf000" <= c <= "\uf0ff" else c for c in text)
        if run.position == "superscript":
            text = _shifted(text, _RAISED, "^")
        elif run.position == "subscript":
            text = _shifted(text, _LOWERED, "_")
        self._write(text)

    def _sign(self, values: Mapping[str, str]) -> str:
        try:
            code = int(values.get("char", ""), 16)
            sign = _FONTS.get(values.get("font", "").lower(), {}).get(code & 0xFF if code >= 0xF000 else code)
            if sign is None and code >= 0xF000:
                self._package.unread["the look of signs of special fonts"] = None
            return sign or chr(code)
        except (ValueError, OverflowError):
            return "\ufffd"

    def _end_gathered(self, tag: str) -> None:
        text = "".join(self._buffers.pop()).strip()
        if tag in _SIGNED:
            first, last = self._signs.pop()
            text = text + first if tag == "m:acc" else first + text + last
        elif tag == "m:sup":
            text = _shifted(text, _RAISED, "^", frozenset())
        elif tag in ("m:sub", "m:lim"):
            text = _shifted(text, _LOWERED, "_", frozenset())
        elif tag in ("m:num", "m:den"):
            text = f"({text})" if len(text) > 1 and not text.isalnum() else text
            text = "/" * (tag == "m:den") + text
        elif text:
            text = f"[{text}]"
        self._write(text)

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        if not self._paragraphs:
            paragraph.texts[:0], paragraph.after[:0] = self._left_open
            self._left_open = (paragraph.texts, paragraph.after) if paragraph.goes_on else ([], [])
            if paragraph.goes_on:
                return
        number, text = self._number(paragraph), "".join(paragraph.texts).strip()
        own = [(f"{number} {text}".strip(), "")] if text else []
        self._add([*own, *paragraph.after], paragraph.place)

    def _add(self, texts: Iterable[tuple[str, str]], place: int) -> None:
        """Put texts with their names where they belong: in the paragraph around them, in a note, or in the part."""
        if self._paragraphs:
            self._paragraphs[-1].after += texts
        elif self._of_notes:
            if self._note_type == "normal":
                notes = self._package.notes.setdefault((self._of_notes, self._noted), [])
                notes += (text for text, _ in texts)
        else:
            row = f"table row {self._rows[0]}" if self._rows else ""
            self.written += (_Written(text, place, name or row) for text, name in texts)

    def _end_row(self) -> None:
        """Write the cells of a row on one line if each has a few words at most."""
        cells = [self.written[a:b] for a, b in pairwise(self._cells)]
        if cells and all(len(cell) < 2 and all(len(each.text) <= _MOST_CELL for each in cell) for cell in cells):
            for k in range(self._cells[0], len(self.written) - 1):
                self.written[k] = self.written[k]._replace(end=CELLS)
        self._cells = []

    def _number(self, paragraph: _Paragraph) -> str:
        """Return the number of a paragraph of a list, from itself or from its style."""
        styles, numbers = self._package.styles, self._package.numbers
        style = paragraph.style or styles.default
        name, level = paragraph.list, paragraph.level
        if name is None:
            name = (styles.value(style, "pPr/numPr/numId") or {}).get("val")
            if level is None and name is not None:
                linked = numbers.level_of(name, style)
                own = (styles.value(style, "pPr/numPr/ilvl") or {}).get("val")
                level = own if own is not None or linked is None else str(linked)
        return numbers.next(name, min(_whole(level), 8)) if name is not None else ""


def _shifted(text: str, letters: Mapping[int, int], mark: str, flat: frozenset[str] = _ORDINALS) -> str:
    """Return a text that stands above or below the line, in signs that say so.

    >>> _shifted("20", _RAISED, "^"), _shifted("th", _RAISED, "^"), _shifted("kt", _RAISED, "^")
    ('²⁰', 'th', '^(kt)')
    """
    own = text.strip()
    if all(ord(c) in letters for c in own):
        return text.translate(letters)
    if own.lower() in flat or not any(c.isalnum() for c in own):
        return text
    return mark + (f"({own})" if len(own) > 1 else own)
