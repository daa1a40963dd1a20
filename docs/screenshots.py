"""Take the pictures of the page that the documentation has: ``python docs/screenshots.py`` at the root of a checkout.

``python docs/screenshots.py FOLDER`` takes pictures of all its states, wide and narrow, light and dark. It needs the
package playwright and Chromium.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

#: The pictures of the documentation: name → state.
PICTURES = {"page.png": "text", "page-words.png": "words", "page-texts.png": "texts"}
WIDTHS = (1280, 360)
_PATIENCE = 180_000  # milliseconds that the page may take for a state
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_LOST = {"tab": "pair", "source": "She did not want to see him again.", "output": "She wanted to see him again."}
_KEPT = {"tab": "pair", "source": "He go to school every days.", "output": "He goes to school every day."}


def _nothing(page: Any) -> None:
    pass


def _accept(page: Any) -> None:
    page.get_by_role("button", name="Accept Tomorrow", exact=True).click()
    page.locator("#matches summary").first.click()


def _open_all(page: Any) -> None:
    for summary in reversed(page.locator("main summary:visible").all()):
        summary.click()


def _compared(page: Any) -> None:
    page.locator("#comparison .block").first.wait_for()


def _walked(page: Any) -> None:
    _compared(page)
    page.locator("#only-findings").check()
    page.get_by_role("button", name="Next").click()


def _without(path: str, status: int, body: dict[str, Any]) -> Callable[[Any], None]:
    def reload(page: Any) -> None:
        page.route(path, lambda route: route.fulfill(status=status, body=json.dumps(body)))
        page.reload()

    return reload


#: The states of the page: name → what its address says, and what is done then.
STATES: dict[str, tuple[dict[str, str], Callable[[Any], None]]] = {
    "text": ({}, _nothing),
    "accepted": ({"tab": "text"}, _accept),
    "clean": ({"tab": "text", "text": "She has two cats."}, _nothing),
    "no-checker": ({"tab": "text"}, _without("**/v2/healthcheck", 404, {})),
    "key": ({}, _without("**/v2/check", 401, {"detail": "a key is needed"})),
    "lost": (_LOST, _nothing),
    "kept": (_KEPT, _nothing),
    "graphs": (_LOST, _open_all),
    "texts": ({"tab": "texts"}, _compared),
    "texts-findings": ({"tab": "texts"}, _walked),
    "words": ({"tab": "words"}, _nothing),
    "words-open": ({"tab": "words"}, _open_all),
    "problem": ({"tab": "words", "text": "A word.", "at": "90-95"}, _nothing),
}


def bring(page: Any, url: str, state: str) -> None:
    """Bring a browser's page into a state.

    Args:
        page: a page of Playwright.
        url: of a service with a checker.
        state: one of :data:`STATES`.
    """
    address, act = STATES[state]

    def settle() -> None:
        page.locator("html[data-ready]").wait_for()
        page.locator("[aria-busy=true]").wait_for(state="detached")

    page.goto("about:blank")
    page.goto(f"{url}#{urlencode(address)}")
    settle()
    act(page)
    settle()


def take(page: Any, folder: Path, name: str) -> Iterator[Path]:
    """Take a picture of a browser's page in light and one in dark, and yield the file of each while it looks so."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        path = folder / f"{name}-{scheme}.png"
        page.screenshot(path=path, full_page=True)
        yield path


@contextmanager
def _service() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "usim", "serve", "--harper", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/ready")
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Take the pictures."""
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with _service() as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        if folder is None:
            page = browser.new_page(viewport={"width": WIDTHS[0], "height": 800})
            page.set_default_timeout(_PATIENCE)
            for name, state in PICTURES.items():
                bring(page, url, state)
                page.screenshot(path=Path(__file__).parent / "_static" / name)
            return
        folder.mkdir(parents=True, exist_ok=True)
        for width in WIDTHS:
            for state in STATES:
                page = browser.new_page(viewport={"width": width, "height": 800})
                page.set_default_timeout(_PATIENCE)
                bring(page, url, state)
                for path in take(page, folder, f"{state}-{width}"):
                    print(path)
                page.close()


if __name__ == "__main__":
    main()
