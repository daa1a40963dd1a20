"""The text of Markdown without its markup, parsed by markdown-it, and where each character of it stands."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Kind = Literal["sentence", "heading", "item", "code"]
#: What a task box is in the text without markup.
_BOXES = {"[ ] ": "☐ ", "[x] ": "☒ ", "[X] ": "☒ "}
_LINE_END = re.compile("\r\n?|\n")
#: What stands between the cells of a row.
CELLS = " | "


class Piece(NamedTuple):
    """A heading, paragraph, item, row or block of code: where it begins and ends in the text without markup.

    The first piece of an item of an ordered list has the number of the item, as it is shown.
    """

    start: int
    end: int
    kind: Kind
    number: str = ""


class PlainMarkdown:
    """Markdown without its markup.

    Attributes:
        text: its words; a reference to a character is that character. All places are places in it.
        starts, ends: of each character where it begins and ends in the Markdown.
        pieces: its blocks, in order.
        code: where code stands, spans and blocks.
        links: where links and pictures begin, each with its address.
    """

    def __init__(self, source: str) -> None:
        # The parser knows the line ends of all systems.
        self._lines = _LINE_END.split(source)
        self._at = [0, *(found.end() for found in _LINE_END.finditer(source))]
        self._characters: list[str] = []
        self.starts, self.ends = array("q"), array("q")
        self.pieces: list[Piece] = []
        self.code: list[tuple[int, int]] = []
        self.links: list[tuple[int, str]] = []
        self._read(_parser().parse(source))
        self.text = "".join(self._characters)

    def _read(self, tokens: Sequence[Token]) -> None:
        row: list[int] | None = None
        begun = 0
        is_item = is_heading = False
        counts: list[int | None] = []
        for token in tokens:
            if token.type == "list_item_open":
                is_item = True
                counts[-1] = None if counts[-1] is None else counts[-1] + 1
            elif token.type == "list_item_close":  # an item may be empty
                is_item = False
            elif token.type in ("ordered_list_open", "bullet_list_open"):
                counts.append(int(token.attrs.get("start", 1)) - 1 if token.tag == "ol" else None)
            elif token.type in ("ordered_list_close", "bullet_list_close"):
                counts.pop()
            elif token.type in ("heading_open", "heading_close"):
                is_heading = token.nesting > 0
            elif token.type == "tr_open":
                row, self._cursor, begun = token.map, 0, len(self._characters)
            elif token.type == "tr_close":
                row = None
                self._end("item")
            elif token.type == "inline":
                lines = row or token.map or [0, 1]
                for character in CELLS if row is not None and len(self._characters) > begun else "":
                    self._add(character, self.ends[-1])
                self._inline(token.children or [], self._places(token.content, lines[0], is_cell=row is not None))
                if row is None:
                    number = str(counts[-1]) if is_item and counts[-1] is not None else ""
                    self._end("heading" if is_heading else "item" if is_item else "sentence", number)
                    is_item = False
            elif token.type in ("fence", "code_block") and token.map:
                content = token.content.rstrip("\n")
                first = len(self._characters)
                self._write(content, self._places(content, token.map[0] + (token.type == "fence")))
                self.code.append((first, len(self._characters)))
                self._end("code")
            elif token.type == "html_block" and token.map:
                places = self._places(token.content, token.map[0])
                for start, end in _outside_tags(token.content):
                    self._write(token.content[start:end], places[start:end])
                self._end("sentence")

    def _places(self, content: str, line: int, *, is_cell: bool = False) -> list[int]:
        """Return where each character of a block stands, whose lines lack what stands in front of them."""
        places: list[int] = []
        for k, own in enumerate(content.split("\n")):
            if k:
                places.append(places[-1] + 1 if places else self._at[line])
            number = min(line + k, len(self._lines) - 1)
            whole = self._lines[number]
            if is_cell:
                at = whole.find(own, self._cursor)
                at = self._cursor if at < 0 else at
                self._cursor = min(at + len(own), len(whole))
            else:
                at = max(whole.rfind(own.strip()) - (len(own) - len(own.lstrip())), 0)
            places += (self._at[number] + min(at + j, max(len(whole) - 1, 0)) for j in range(len(own)))
        return places

    def _inline(self, tokens: Sequence[Token], places: Sequence[int]) -> None:
        content = ""
        for k, token in enumerate(tokens):
            at = token.meta.get("at", 0)
            if token.type == "text":
                content = token.content
                if k == 0 and content[:4] in _BOXES:
                    self._add(_BOXES[content[:4]][0], places[at], places[at + 2] + 1)
                    content, at = content[3:], at + 3
                self._write(content, places[at : at + len(content)])
            elif token.type == "text_special":
                end = places[min(at + len(token.markup), len(places)) - 1] + 1
                for character in token.content:
                    self._add(character, places[at], end)
            elif token.type == "code_inline":
                first = len(self._characters)
                self._write(token.content, places[at + len(token.markup) :])
                self.code.append((first, len(self._characters)))
            elif token.type in ("softbreak", "hardbreak") or token.content.lower().startswith("<br"):
                self._add(" ", places[min(at, len(places) - 1)])
            elif token.type == "link_open":
                self.links.append((len(self._characters), str(token.attrs["href"])))
            elif token.type == "image" and token.children:
                self.links.append((len(self._characters), str(token.attrs["src"])))
                self._inline(token.children, places[at + 2 :])

    def _write(self, text: str, places: Sequence[int]) -> None:
        for character, place in zip(text, places, strict=False):
            self._add(character, place)

    def _add(self, character: str, start: int, end: int | None = None) -> None:
        self._characters.append(character)
        self.starts.append(start)
        self.ends.append(start + 1 if end is None else end)

    def _end(self, kind: Kind, number: str = "") -> None:
        """End a piece, after which a line ends."""
        start = self.pieces[-1].end + 1 if self.pieces else 0
        if len(self._characters) > start:
            self.pieces.append(Piece(start, len(self._characters), kind, number))
            self._add("\n", self.ends[-1], self.ends[-1])


def _outside_tags(html: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a block of HTML that are neither tags nor comments."""
    at = 0
    while at < len(html):
        tag = html.find("<", at)
        yield at, tag if tag >= 0 else len(html)
        if tag < 0:
            return
        mark = "-->" if html.startswith("<!--", tag) else ">"
        end = html.find(mark, tag)
        at = end + len(mark) if end >= 0 else len(html)


@cache
def _parser() -> MarkdownIt:
    """Return a parser whose inline tokens know where they begin (``meta["at"]``)."""
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline import StateInline

    class PlacedInline(StateInline):
        begun = 0

        def append_pending(self, text: str) -> None:
            if not self.pending:
                self.begun = self.pos
            super().append_pending(text)

        def pushPending(self) -> Token:  # noqa: N802
            token = super().pushPending()
            token.meta = {"at": self.begun}
            return token

        def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
            token = super().push(ttype, tag, nesting)
            token.meta = {"at": self.pos}
            return token

    class PlacingParser(ParserInline):
        def parse(self, src: str, md: MarkdownIt, env: object, tokens: list[Token]) -> list[Token]:
            state = PlacedInline(src, md, env, tokens)  # type: ignore[arg-type]
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
            return state.tokens

    parser = MarkdownIt("commonmark")
    parser.inline = PlacingParser()
    # Joined texts would not know where their parts stand.
    return parser.enable(["table", "strikethrough"]).disable(["text_join", "fragments_join"])
