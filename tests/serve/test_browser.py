"""The page in a real browser: what it shows and lights, keys, narrow screens, accessibility, and what it may load."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
import uvicorn

from tests.serve.test_process import free_port
from usim.serve.app import create_app
from usim.serve.settings import Limits, Settings

playwright = pytest.importorskip("playwright.sync_api", reason="the browser is driven by the package playwright")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core comes with axe-playwright-python")
Page, expect = playwright.Page, playwright.expect

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.model,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium"),
]
SOURCE, OUTPUT = "She did not want to see him again.", "She wanted to see him again."
PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    port = free_port()
    app = create_app(Settings(port=port, checker="harper", limits=Limits(seconds=600)))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: object, url: str) -> Iterator[object]:
    """A page whose every request and complaint is recorded; none may go elsewhere, none may be made."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})  # type: ignore[attr-defined]
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: "status of 422" in message.text or complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert all(address.startswith((url, "data:", "blob:")) for address in asked)
    assert complaints == []


def opened(page: object, url: str, **state: str) -> object:
    page.goto(f"{url}#{urlencode(state)}")  # type: ignore[attr-defined]
    return page


def shown(page: object, url: str) -> object:
    opened(page, url, tab="pair", source=SOURCE, output=OUTPUT)
    expect(page.locator("#drawing svg")).to_be_visible()  # type: ignore[attr-defined]
    return page


def test_a_link_shows_verdict_reasons_marked_words_and_drawing(page, url) -> None:  # type: ignore[no-untyped-def]
    shown(page, url)
    expect(page.locator("#verdict")).to_have_text("drop")
    expect(page.locator("#reasons li").first).to_contain_text("negation")
    assert "not" in "".join(page.locator("#sentences mark").all_text_contents())
    labels = page.evaluate(
        """[...document.querySelectorAll('#drawing g.unit .label, #drawing g.remote .label, #drawing g.token text')]
        .map((text) => text.getBoundingClientRect()).map(({left, top, right, bottom}) => [left, top, right, bottom])"""
    )
    assert len(labels) > 20
    for k, (l1, t1, r1, b1) in enumerate(labels):
        for l2, t2, r2, b2 in labels[:k]:
            assert min(r1, r2) <= max(l1, l2) + 0.5 or min(b1, b2) <= max(t1, t2) + 0.5
    fits = page.evaluate(
        """[...document.querySelectorAll('#drawing g.unit, #drawing g.remote')].filter((g) => g.querySelector('.box'))
        .every((g) => g.querySelector('.label').getBBox().width <= g.querySelector('.box').getBBox().width)"""
    )
    assert fits


def test_a_unit_lights_its_partner_its_words_and_its_reasons(page, url) -> None:  # type: ignore[no-untyped-def]
    shown(page, url)
    unit = page.locator("g.unit[data-side=source][data-notes='1']").last
    unit.locator(".label").hover()
    expect(page.locator("#unit")).to_contain_text("reason 1: negation")
    expect(page.locator("#sentences .lit")).to_contain_text(["not"])
    expect(page.locator(".reason.lit")).to_have_count(1)
    page.locator("#drawing g.token[data-side=source][data-word='0'] text").hover()
    expect(page.locator("#sentences .lit")).to_have_text(["She", "She"])
    page.locator(".reason").first.focus()
    expect(page.locator("#drawing g.token.lit")).to_contain_text(["not"])


def test_the_keyboard_is_enough(page, url) -> None:  # type: ignore[no-untyped-def]
    shown(page, url)
    page.locator("g.unit[data-side=source][data-unit='1']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#unit")).to_contain_text("source, Participant: She; partner: Participant: She")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("g.held")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("g.held")).to_have_count(0)
    page.locator("#tab-pair").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-text")).to_be_focused()
    expect(page.locator("#text")).to_be_visible()
    expect(page.locator("#pair")).to_be_hidden()


def test_suggestions_are_accepted_refused_and_undone(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="text", text="She have two cats. I could of went.")
    page.get_by_role("button", name="Accept has").click()
    expect(page.locator("#text-field")).to_have_value("She has two cats. I could of went.")
    count = page.locator(".match").count()
    page.get_by_role("button", name="Refuse").first.click()
    expect(page.locator(".match")).to_have_count(count - 1)
    page.locator("#undo").click()
    page.locator("#undo").click()
    expect(page.locator("#text-field")).to_have_value("She have two cats. I could of went.")


def test_what_is_typed_after_a_check_is_never_lost(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="text", text="She have two cats. I could of went.")
    field, accept = page.locator("#text-field"), page.get_by_role("button", name="Accept has")
    expect(accept).to_be_visible()
    field.press("Control+Home")
    field.press_sequentially("Hello. ")
    field.press("Control+End")
    field.press_sequentially(" A sentence typed later.")
    accept.focus()
    page.keyboard.press("Enter")
    changed = "Hello. She has two cats. I could of went. A sentence typed later."
    expect(field).to_have_value(changed)
    assert page.evaluate("document.activeElement.closest('#matches') !== null")
    field.press("Control+End")
    field.press_sequentially(" More.")
    page.locator("#undo").click()
    expect(field).to_have_value(changed.replace("has", "have") + " More.")
    expect(accept).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "text-field"
    # What is suggested for a word that has been typed over is gone, and nothing else.
    field.fill(changed.replace("She has", "They had") + " More.")
    expect(accept).to_have_count(0)
    assert page.locator(".match").count() > 0


def test_what_is_typed_during_a_check_stays(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="text")
    field = page.locator("#text-field")
    field.fill("She have two cats.")

    def late(route) -> None:  # type: ignore[no-untyped-def]
        answer = route.fetch()
        field.press("Control+Home")
        field.press_sequentially("Now: ")
        route.fulfill(response=answer)

    page.route("**/v2/check", late)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Accept has").click()
    expect(field).to_have_value("Now: She has two cats.")


def test_sentences_that_are_not_english_are_left_alone(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="text", text="Je suis alle a la maison hier soir.")
    expect(page.locator("#text-status")).to_contain_text("not in English: 1 sentence.")
    expect(page.locator(".match")).to_have_count(0)


def test_a_word_is_replaced_by_a_ranked_substitute(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="words", text="He bought a car.")
    page.get_by_role("button", name="bought", exact=True).click()
    expect(page.locator("#substitutes li").first).to_contain_text("keep")
    page.locator("#typed").fill("purchased, hid")
    page.get_by_role("button", name="Rank them").click()
    expect(page.locator("#substitutes li")).to_have_count(2)
    assert "typed=purchased" in page.url
    page.get_by_role("button", name="Use purchased").click()
    expect(page.locator("#words-field")).to_have_value("He purchased a car.")


def test_a_file_of_results_becomes_a_report(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="file")
    line = page.evaluate(
        """async (pair) => JSON.stringify((await (await fetch("v1/score", {method: "POST", body: JSON.stringify(pair),
        headers: {"Content-Type": "application/json"}})).json()).results[0])""",
        {"pairs": [{"source": SOURCE, "output": OUTPUT}]},
    )
    page.locator("#file-field").set_input_files({"name": "a.jsonl", "mimeType": "", "buffer": line.encode()})
    page.get_by_role("button", name="Make a report").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="save a-report.html").click()
    assert "wanted to see him again" in download.value.path().read_text(encoding="utf-8")


def test_errors_of_the_service_are_shown_plainly(page, url) -> None:  # type: ignore[no-untyped-def]
    opened(page, url, tab="words", text="A word.", at="90-95")
    expect(page.locator("#problem")).to_contain_text("422: no word from")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens_and_accessibility(page, url, scheme: str) -> None:  # type: ignore[no-untyped-def]
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    shown(page, url)
    for name in ("pair", "text", "words", "file"):
        page.locator(f"#tab-{name}").click()
        scroll, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert scroll <= room, name
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 30)"}[scheme]
