"""The files of the page."""

from __future__ import annotations

from importlib.resources import files

from usim.draw import STYLE
from usim.report.page import WEB

_TYPES = {"css": "text/css", "html": "text/html", "js": "text/javascript", "json": "application/json"}


def _contents() -> dict[str, tuple[bytes, str]]:
    entries = [*(files("usim.serve.page") / "static").iterdir(), WEB / "report.css", WEB / "report.js"]
    data = {f"/page/{entry.name}": entry.read_bytes() for entry in entries} | {"/page/drawing.css": STYLE.encode()}
    data["/"] = data.pop("/page/index.html")
    return {path: (each, _TYPES[path.rpartition(".")[2] if "." in path else "html"]) for path, each in data.items()}


#: The files: path → bytes and media type. They tell nothing, so they need no key.
FILES = _contents()
