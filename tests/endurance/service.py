"""Hostile requests to ``usim serve``: odd bodies, texts that would do something in a browser.

Whatever comes, the service answers with what its documentation says, and goes on answering others. Its log and its
metrics hold no text and no key. Hostile connections are the matter of the proxy (``tests/serve/test_proxy.py``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from docs import screenshots
from tests.endurance.tally import Tally, Terms
from tests.processes import running_service
from usim import Scorer
from usim.report import report_html

_SECRET = "zyxwvut"
_KEY = "k" * 40
_PATHS = ("score", "screen", "explain", "parse", "view", "substitutes")
_STATUSES = {200, 400, 401, 404, 405, 413, 415, 421, 422, 431, 501, 503}
_PATIENCE = 60.0
#: Texts that would do something in a page that puts them in as they are; each would set a variable of the page.
_PAYLOADS = (
    "<img src=x onerror=\"window.hacked='img'\">",
    "</script><script>window.hacked='script'</script>",
    "<svg onload=\"window.hacked='svg'\"></svg>",
    '"><iframe srcdoc="<script>parent.hacked=\'frame\'</script>"></iframe>',
    "]]></text><script>window.hacked='cdata'</script>",
    "\u202egnp.exe\u2066 \u0000\u0007\u001b[31m &lt;script&gt; {{7*7}} ${7*7}",
    "javascript:window.hacked='link'",
)


class _Service(NamedTuple):
    """A service that runs; requests of its client bring a key."""

    log: Path
    client: httpx.Client

    def fault(self) -> str | None:
        """Return what is wrong with the answer to a plain request."""
        pair = {"source": "He go home.", "output": "He goes home."}
        with suppress(httpx.TransportError):
            status = self.client.post("/v1/score", json={"pairs": [pair]}).status_code
            return None if status == 200 else f"a plain request is answered {status}"
        return "a plain request is not answered"


@contextmanager
def _served(folder: Path, *arguments: str) -> Iterator[_Service]:
    log = folder / "log"
    with running_service(log, "--judge", "usim", *arguments) as (process, url):
        with httpx.Client(base_url=url, headers={"X-API-Key": _KEY}, timeout=_PATIENCE) as client:
            yield _Service(log, client)
        process.terminate()
        process.wait(_PATIENCE)


def _bodies() -> dict[str, bytes]:
    """Return bodies by what is odd about them."""
    pair = f'{{"source": "{_SECRET} a", "output": "{_SECRET} b"'
    place = f'{{"sentence": "An intimate {_SECRET}.", "start": 3, "end": 11, "substitutes": '
    return {
        "nothing": b"",
        "deep": b'{"pairs": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "huge": b'{"pairs": [' + (pair.encode() + b"}, ") * 20_000 + pair.encode() + b"}]}",
        "cut off": f'{{"pairs": [{pair}'.encode(),
        "keys twice": f'{{"pairs": [], "pairs": [{pair}, "source": "{_SECRET}"}}]}}'.encode(),
        "NaN": f'{{"records": [{place}["x"], "start": NaN, "end": Infinity}}], "rank": false, "width": NaN}}'.encode(),
        "large numbers": f'{{"text": "{_SECRET}", "start": {"9" * 5000}, "end": 1e999}}'.encode(),
        "negative": f'{{"text": "{_SECRET}", "start": -5, "end": -1, "substitutes": ["x"]}}'.encode(),
        "half a surrogate pair": rb'{"source": "\ud800 zyxwvut", "output": "\udfff", "texts": ["\ud800"]}',
        "not UTF-8": b'{"source": "\xff\xfe", "output": "zyxwvut"}',
        "UTF-16": f'{{"source": "{_SECRET}", "output": ""}}'.encode("utf-16"),
        "byte order mark": f'\ufeff{{"source": "{_SECRET}", "output": ""}}'.encode(),
        "control characters": json.dumps({"source": "\0\x01\x1b[2J\u202e" + _SECRET, "output": "\x7f"}).encode(),
        "100,000 suggestions": f'{{"records": [{place}[{", ".join(chr(34) + "x" + chr(34) for _ in range(100_000))}]}}]}}'.encode(),
        "another shape": f'[["{_SECRET}"]]'.encode(),
        "no text": b'{"source": 7, "output": null, "texts": [{}], "records": [null], "pairs": [[]]}',
        "one long word": json.dumps({"source": "x" * 19_999, "output": "x", "texts": ["\u0301" * 19_999]}).encode(),
        "marks alone": json.dumps({"source": "(" * 3000 + _SECRET, "output": ")" * 3000}).encode(),
    }


def _refused(status: int, content_type: str, body: bytes) -> str | None:
    """Return what is wrong with an answer."""

    def constant(name: str) -> None:
        raise ValueError(name)

    if status not in _STATUSES:
        return f"status {status}"
    if status >= 400 and content_type != "application/problem+json":
        return f"status {status} as {content_type}"
    if "json" in content_type:
        for line in body.splitlines() if "ndjson" in content_type else [body]:
            try:
                json.loads(line, parse_constant=constant)
            except ValueError as e:
                return f"no JSON: {e}"
    return None


def _try_bodies(tally: Tally, service: _Service) -> None:
    for name, body in _bodies().items():
        for path in _PATHS:
            with tally.case(f"{name} to {path}"):
                response = service.client.post(
                    f"/v1/{path}", content=body, headers={"Content-Type": "application/json"}
                )
                fault = _refused(response.status_code, response.headers["content-type"], response.content)
                assert fault is None, fault
        tally.check(service.fault())


def _try_texts(tally: Tally, terms: Terms, folder: Path) -> None:
    """Show hostile texts in a browser: in the page, in a report, as a drawing, as notebooks show results."""
    if screenshots.CHROMIUM is None or find_spec("playwright") is None:
        print("  hostile texts in a browser: not tried, there is no Chromium or no playwright", flush=True)
        return
    from playwright.sync_api import sync_playwright

    scorer = Scorer(judge="usim")
    with _served(folder, "--harper") as service, sync_playwright() as driver:
        client = service.client
        browser = driver.chromium.launch(executable_path=screenshots.CHROMIUM, args=["--no-sandbox"])
        for payload in _PAYLOADS[: terms.count(3, len(_PAYLOADS))]:
            pair = {"source": f"He dont {payload} go.", "output": f"He {payload} goes."}
            addresses = [
                f"{client.base_url}#{httpx.QueryParams(fragment)}"
                for fragment in (
                    {"tab": "pair", **pair},
                    {"tab": "text", "text": pair["source"]},
                    {"tab": "words", "text": pair["source"], "at": "3-7"},
                )
            ]
            files = {
                "drawing.svg": client.post("v1/explain", json={**pair, "format": "svg"}).content,
                "report.html": report_html([scorer.score(**pair)]).encode(),
                "score.html": scorer.score(**pair)._repr_html_().encode(),
            }
            for name, content in files.items():
                (folder / name).write_bytes(content)
                addresses.append((folder / name).as_uri())
            for address in addresses:
                with tally.case(f"{payload!r} at {address[:60]}"):
                    page = browser.new_page()
                    dialogs: list[Any] = []
                    page.on("dialog", lambda dialog, dialogs=dialogs: (dialogs.append(dialog), dialog.dismiss()))
                    page.goto(address)
                    page.wait_for_timeout(500)
                    assert page.evaluate("window.hacked") is None, page.evaluate("window.hacked")
                    assert not dialogs
                    page.close()
        browser.close()


def service(tally: Tally, terms: Terms) -> None:
    """Try hostile clients and texts."""
    keys = terms.folder / "keys"
    keys.write_text(_KEY)
    with _served(terms.folder, "--api-key-file", str(keys)) as service:
        _try_bodies(tally, service)
        told = service.client.get("/metrics").text
    log = service.log.read_text(encoding="utf-8")
    for name, text in (("the log", log), ("the figures", told)):
        tally.check(f"{name}: a text" if _SECRET in text else None, f"{name}: a key" if _KEY in text else None)
    errors = [line for line in log.splitlines() if " ERROR " in line or "Traceback" in line]
    tally.check(f"the log: {errors[0]}" if errors else None)
    _try_texts(tally, terms, terms.folder)
