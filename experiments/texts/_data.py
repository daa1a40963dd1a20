"""The texts of the study: 60 texts, each with a later version, gold links and drifts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from usim.errors import FormatError

FOLDER = Path(__file__).parent / "data"
_SENTENCE = re.compile(r"([AB])(\d+): (.*)")
_LINK = re.compile(r"(-|(?:B\d+ ?)+)\s*([=~])\s*(-|(?:A\d+ ?)+)(?:\s.*)?$")
#: A sentence of running text ends so, and does not begin so: any other is a heading, an item of a list, or a greeting.
_ENDS = re.compile(r"[.!?…][\"'”’)\]]*$")
_NUMBERED = re.compile(r"\(?\d+[.)] ")
_DRIFT = re.compile(r"A(\d+)\s*\|\s*([\w-]+)\s*\|\s*what:\s*(.*)")


@dataclass(frozen=True)
class Drift:
    """A wrong version of a sentence of the later text: the place from 0, the kind of error, the text."""

    place: int
    kind: str
    text: str


@dataclass(frozen=True)
class GoldLink:
    """Sentences of both texts that belong together, by their places from 0."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    is_moved: bool


@dataclass(frozen=True)
class TextPair:
    """A text and a later version of it.

    Attributes:
        name: of its file.
        title, change: what it is, and how it was changed.
        before, after: the sentences.
        breaks_before, breaks_after: the sentences that begin a paragraph, by their places.
        links, drifts: as the author has them.
    """

    name: str
    title: str
    change: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    breaks_before: frozenset[int]
    breaks_after: frozenset[int]
    links: tuple[GoldLink, ...]
    drifts: tuple[Drift, ...]

    @property
    def texts(self) -> tuple[str, str]:
        """Both texts: a blank line between paragraphs, a line for each heading, item of a list and greeting."""
        return _text(self.before, self.breaks_before), _text(self.after, self.breaks_after)

    @property
    def words(self) -> int:
        """The number of words of the later text."""
        return sum(len(sentence.split()) for sentence in self.after)

    def with_drifts(self, count: int) -> tuple[TextPair, tuple[Drift, ...]]:
        """Return the pair with its first drifts put in, at most one in a sentence, and which these are."""
        chosen: dict[int, Drift] = {}
        for drift in self.drifts:
            if len(chosen) < count:
                chosen.setdefault(drift.place, drift)
        after = tuple(chosen[place].text if place in chosen else text for place, text in enumerate(self.after))
        return replace(self, after=after), tuple(chosen.values())

    def starts(self, *, is_after: bool) -> list[int]:
        """Return where each sentence begins in its text."""
        sentences, breaks = (self.after, self.breaks_after) if is_after else (self.before, self.breaks_before)
        starts, at = [], 0
        for place, sentence in enumerate(sentences):
            if place:
                at += 2 if place in breaks else 1
            starts.append(at)
            at += len(sentence)
        return starts


def _text(sentences: tuple[str, ...], breaks: frozenset[int]) -> str:
    parts = []
    for place, sentence in enumerate(sentences):
        if place in breaks:
            parts.append("\n\n")
        elif place:
            is_running = _ENDS.search(sentences[place - 1]) and not _NUMBERED.match(sentence)
            parts.append(" " if is_running else "\n")
        parts.append(sentence)
    return "".join(parts)


def read_pair(path: Path) -> TextPair:
    """Read a file of the study.

    Raises:
        FormatError: it is not what the README of the data asks for.
    """
    sentences: dict[str, list[str]] = {"A": [], "B": []}
    breaks: dict[str, set[int]] = {"A": set(), "B": set()}
    links: list[GoldLink] = []
    drifts: list[Drift] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    title, _, change = lines[0].removeprefix("# ").partition(" | ")
    section = ""
    for number, line in enumerate(lines[1:], 2):
        line = line.strip()
        if not line:
            continue
        if line in ("[before]", "[after]", "[links]", "[drift]"):
            section = line[1:-1]
        elif section in ("before", "after"):
            side = "B" if section == "before" else "A"
            if line == "¶":
                breaks[side].add(len(sentences[side]))
            elif match := _SENTENCE.match(line):
                sentences[side].append(match[3])
            else:
                raise FormatError("no sentence", path=path, line=number, text=line)
        elif section == "links" and (match := _LINK.match(line)):
            links.append(GoldLink(_places(match[1]), _places(match[3]), match[2] == "~"))
        elif section == "drift" and (match := _DRIFT.match(line)):
            drifts.append(Drift(int(match[1]) - 1, match[2], match[3]))
        else:
            raise FormatError("neither a link nor a drift", path=path, line=number, text=line)
    return TextPair(
        path.stem,
        title,
        change,
        tuple(sentences["B"]),
        tuple(sentences["A"]),
        frozenset(breaks["B"]),
        frozenset(breaks["A"]),
        tuple(links),
        tuple(drifts),
    )


def _places(names: str) -> tuple[int, ...]:
    return () if names == "-" else tuple(int(name[1:]) - 1 for name in names.split())


def read_pairs(part: str, folder: Path = FOLDER) -> Iterator[TextPair]:
    """Yield the pairs of a part: ``develop``, those with odd numbers; ``measure``, all others."""
    for path in sorted(folder.glob("[0-9][0-9].txt")):
        if (int(path.stem) % 2 == 1) == (part == "develop"):
            yield read_pair(path)
