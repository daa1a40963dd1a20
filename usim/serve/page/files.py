"""The files of the page, with the headers that keep it to itself."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from starlette.responses import Response

from usim.draw import STYLE

_NAMES = (
    "api.js",
    "dom.js",
    "drawing.js",
    "examples.js",
    "examples.json",
    "file.js",
    "main.js",
    "page.css",
    "pair.js",
    "sentence.js",
    "state.js",
    "text.js",
    "words.js",
)
_TYPES = {"css": "text/css", "js": "text/javascript", "json": "application/json"}
#: The paths of the files. They tell nothing, so they need no key.
PATHS = frozenset({"/", "/page/drawing.css", *(f"/page/{name}" for name in _NAMES)})
#: Scripts and styles of the service alone; requests to it alone; in no frame of another page.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def contents() -> dict[str, tuple[bytes, str]]:
    """Return the files: path → bytes and media type."""
    folder = files("usim.serve.page") / "static"
    found = {
        "/": ((folder / "index.html").read_bytes(), "text/html"),
        "/page/drawing.css": (STYLE.encode(), "text/css"),
    }
    for name in _NAMES:
        media_type = _TYPES[name.rpartition(".")[2]]
        found[f"/page/{name}"] = (folder / name).read_bytes(), media_type
    return found


def response(data: bytes, media_type: str, known: str | None) -> Response:
    """Return a file as a response.

    Args:
        data: what is in it.
        media_type: its media type.
        known: the tag of the file that the browser has already.
    """
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {
        "Content-Security-Policy": _POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-cache",
        "ETag": tag,
    }
    if known == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=media_type)
