"""The pieces of SVG that drawings are made of, and their style sheet, for light and dark."""

from __future__ import annotations

from pathlib import Path
from string import Template
from xml.sax.saxutils import escape, quoteattr

from usim.draw._layout import PILL_HEIGHT, Box
from usim.text import printable


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _style() -> str:
    """Return the rules without colours, and those with the names of colours, each in light and in dark.

    The colours are written out because many programs that show SVG know no CSS variables.
    """
    _, *rows = (line.split("\t") for line in _read("colours.tsv").splitlines())
    rules = Template(_read("colours.css"))
    light, dark = (rules.substitute({row[0]: row[column] for row in rows}) for column in (1, 2))
    return f"\n{_read('shapes.css')}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


#: The style sheet of all drawings; its rules begin with ``svg.usim`` and change nothing else in a page.
STYLE = _style()


def text_of(text: str) -> str:
    """Return a text escaped, and without the characters that XML cannot hold."""
    return escape(printable(text))


def quoted(text: str) -> str:
    """Return a text as the value of an attribute, in quotes."""
    return quoteattr(printable(text))


def label(box: Box, x: float, y: float) -> list[str]:
    """Return a label in its box; ``x`` and ``y`` are the middle of both."""
    return [
        f'<rect class="box" x="{x - box.width / 2:.1f}" y="{y - PILL_HEIGHT / 2:.1f}" width="{box.width:.1f}" '
        f'height="{PILL_HEIGHT}" rx="{PILL_HEIGHT / 2}"/>',
        f'<text class="label" x="{x:.1f}" y="{y + 4:.1f}">{text_of(box.text)}</text>',
    ]


def line_of_text(x: float, y: float, text: str, kind: str = "start") -> str:
    """Return a line of text; ``y`` is its base."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{text_of(text)}</text>'


def group(kind: str, title: str, data: dict[str, object], shapes: list[str]) -> str:
    """Return shapes as a group with a title, which is shown when it is pointed at, and with data for programs.

    Values of data that are lists are written with blanks between their items.
    """
    attributes = ""
    for name, value in data.items():
        text = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        attributes += f" data-{name}={quoted(text)}"
    return "\n".join([f"<g class={quoted(kind)}{attributes}>", f"<title>{text_of(title)}</title>", *shapes, "</g>"])
