"""The style sheet of drawings, for light and dark.

``shapes.css`` has the rules without colours, ``colours.css`` those with the names of colours, and ``colours.tsv`` the
colour of each name in light and in dark. The colours are written out because many programs that show SVG know no CSS
variables. All rules begin with ``svg.usim``, so that a drawing inside of a page changes nothing else there.
"""

from __future__ import annotations

from pathlib import Path
from string import Template


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _style() -> str:
    _, *rows = (line.split("\t") for line in _read("colours.tsv").splitlines())
    rules = Template(_read("colours.css"))
    light, dark = (rules.substitute({row[0]: row[column] for row in rows}) for column in (1, 2))
    return f"\n{_read('shapes.css')}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


#: The style sheet of all drawings.
STYLE = _style()
