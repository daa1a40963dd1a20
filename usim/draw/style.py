"""The style sheet of drawings, for light and dark.

Colours are written out twice instead of being named once, because many programs that show SVG know no CSS variables.
All rules begin with ``svg.usim``, so that a drawing inside of a page changes nothing else there.
"""

from __future__ import annotations

from collections.abc import Mapping

#: The colours of the categories: what happens, who takes part, circumstances, inside of phrases, the rest.
_GROUPS = {"scene": "HPS", "participant": "A", "circumstance": "DTG", "phrase": "CEQ"}

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "faint": "#59636e",
    "line": "#818b98",
    "lost": "#c2180c",
    "lost-fill": "#ffebe9",
    "changed": "#b35900",
    "mark": "#fff1b8",
    "keep": "#14682e",
    "review": "#7d5200",
    "drop": "#b01e12",
    "scene": "#0a4f9e",
    "scene-fill": "#ddebfc",
    "participant": "#14602b",
    "participant-fill": "#dcf3e2",
    "circumstance": "#6b2fa8",
    "circumstance-fill": "#efe3fb",
    "phrase": "#0b5d66",
    "phrase-fill": "#d9f1f3",
    "rest": "#434c56",
    "rest-fill": "#eceff2",
}
_DARK = {
    "paper": "#14181e",
    "ink": "#e6edf3",
    "faint": "#a3adb8",
    "line": "#7d8793",
    "lost": "#ff8279",
    "lost-fill": "#47201f",
    "changed": "#f0a55b",
    "mark": "#56460a",
    "keep": "#5fd27f",
    "review": "#e3b341",
    "drop": "#ff8279",
    "scene": "#a5cfff",
    "scene-fill": "#15335c",
    "participant": "#9be3ae",
    "participant-fill": "#143d22",
    "circumstance": "#d9bcff",
    "circumstance-fill": "#3b2159",
    "phrase": "#93e1e8",
    "phrase-fill": "#0f3a40",
    "rest": "#c6ced6",
    "rest-fill": "#2b323b",
}

_SHAPES = """
svg.usim { max-width: 100%; height: auto }
svg.usim text { font: 15px 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif; text-anchor: middle }
svg.usim .label, svg.usim .small { font-size: 12px }
svg.usim .label { font-weight: bold }
svg.usim .remote .label { font-weight: normal }
svg.usim .raised { font-size: 10px }
svg.usim .start { text-anchor: start }
svg.usim .end { text-anchor: end }
svg.usim .verdict { font-weight: bold }
svg.usim path { fill: none; stroke-width: 1.3 }
svg.usim path.lost, svg.usim .lost .edge { stroke-width: 2.2 }
svg.usim path.onward { stroke-dasharray: 2 4 }
svg.usim path.soft { stroke-dasharray: 5 4 }
svg.usim .remote .box { stroke-dasharray: 4 3 }
svg.usim .box { stroke-width: 1 }
svg.usim .changed { stroke-width: 1.8 }
svg.usim circle { stroke-width: 1.3 }
"""


def _colours(palette: Mapping[str, str]) -> str:
    rules = {
        ".paper": f"fill: {palette['paper']}",
        "text": f"fill: {palette['ink']}",
        "path": f"stroke: {palette['line']}",
        "circle": f"fill: {palette['ink']}; stroke: {palette['ink']}",
        "circle.implicit": f"fill: {palette['paper']}",
        ".faint": f"fill: {palette['faint']}",
        ".hit": "fill: transparent",
        ".marked .hit": f"fill: {palette['mark']}",
        ".alone text": f"fill: {palette['lost']}",
        "path.align": f"stroke: {palette['line']}",
        "path.changed, svg.usim path.soft": f"stroke: {palette['changed']}",
        ".box": f"fill: {palette['rest-fill']}; stroke: {palette['rest']}",
        ".label": f"fill: {palette['rest']}",
    }
    for group, categories in _GROUPS.items():
        boxes = ", svg.usim ".join(f".of-{category} .box" for category in categories)
        labels = ", svg.usim ".join(f".of-{category} .label" for category in categories)
        rules[boxes] = f"fill: {palette[group + '-fill']}; stroke: {palette[group]}"
        rules[labels] = f"fill: {palette[group]}"
    rules |= {
        "path.lost, svg.usim .lost .edge": f"stroke: {palette['lost']}",
        ".lost .box": f"fill: {palette['lost-fill']}; stroke: {palette['lost']}",
        ".lost .label": f"fill: {palette['lost']}",
        ".remote .box": f"fill: {palette['paper']}",
        **{f".verdict.{verdict}": f"fill: {palette[verdict]}" for verdict in ("keep", "review", "drop")},
    }
    return "\n".join(f"svg.usim {selector} {{ {rule} }}" for selector, rule in rules.items())


#: The style sheet of all drawings.
STYLE = f"{_SHAPES}{_colours(_LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_colours(_DARK)}\n}}\n"
