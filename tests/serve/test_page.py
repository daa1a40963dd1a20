"""The page: its files and their headers, and the answers that are its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.service import KEY, Client, problem
from usim.serve.app import create_app
from usim.serve.page._substitutes import find_substitutes
from usim.serve.page.paths import FILES
from usim.serve.settings import Limits, Settings

SOURCE, OUTPUT = "John gave Mary a book.", "Mary gave John a book."


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(Settings(options={"judge": "usim"}, limits=Limits(seconds=600))))


def test_each_file_is_served_and_may_load_nothing_from_elsewhere(client: Client) -> None:
    for path in sorted(FILES):
        answer = client(path)
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"https?://(?!www\.w3\.org/)", answer.text)


def test_files_need_no_key_and_answers_do() -> None:
    client = Client(create_app(Settings(options={"judge": "usim"}, keys=(KEY,))))
    assert client("/").status_code == 200
    assert "key" in problem(client("/v1/explain", {"source": SOURCE, "output": OUTPUT}), 401)


def test_a_view_is_the_explanation_with_tokens_and_a_drawing_without_style(client: Client) -> None:
    pair = {"source": SOURCE, "output": OUTPUT}
    view = client("/v1/explain", {**pair, "format": "view", "width": 400}).json()
    assert view["tokens"] == {side: text.replace(".", " .").split() for side, text in
                              (("source", SOURCE), ("output", OUTPUT))}  # fmt: skip
    root = ElementTree.fromstring(view.pop("svg"))
    assert float(root.get("width", "0")) < 500
    assert root.find("{http://www.w3.org/2000/svg}style") is None
    view.pop("tokens")
    explained = client("/v1/explain", pair).json()
    assert view == {**explained, "findings": [finding for finding in explained["findings"] if finding["shown"]]}
    problem(client("/v1/explain", {**pair, "format": "view", "width": 1}), 422)


def test_the_view_of_two_texts_is_the_comparison_with_its_rows(client: Client) -> None:
    texts = {"before": "It rained. We paid 20 euros.", "after": "We paid 25 euros."}
    view = client("/v1/compare", {**texts, "format": "view"}).json()
    rows = view.pop("rows")
    assert view == client("/v1/compare", texts).json()
    assert rows.count('<li class="block') == len(view["blocks"])
    assert 'class="finding drop"' in rows


def test_substitutes_of_wordnet_and_ones_own_are_ranked(client: Client) -> None:
    place = {"text": "She is an intimate friend.", "start": 10, "end": 18}
    results = client("/v1/substitutes", place).json()["results"]
    assert results[0]["substitute"] == "close"
    assert "She is a familiar friend." in {each["text"] for each in results}
    figures = [each["faithfulness"] for each in results]
    assert figures == sorted(figures, reverse=True)
    # They are what a comparison of both sentences says.
    pairs = [{"source": place["text"], "output": each["text"]} for each in results[:4]]
    scored = client("/v1/score", {"pairs": pairs}).json()["results"]
    for name in ("faithfulness", "verdict"):
        assert [each[name] for each in scored] == [each[name] for each in results[:4]]
    own = client("/v1/substitutes", {**place, "substitutes": ["dear", "old"]}).json()["results"]
    assert {each["substitute"] for each in own} == {"dear", "old"}
    assert client("/v1/substitutes", {**place, "start": 0, "end": 3}).json()["results"] == []
    for start, end in ((3, 3), (5, 2), (0, 400)):
        assert "offsets" in problem(client("/v1/substitutes", {**place, "start": start, "end": end}), 422)


def test_words_that_a_person_would_think_of_are_offered() -> None:
    offered = find_substitutes("He lives in a big house.", 14, 17)
    assert {"large", "huge", "enormous"} <= set(offered)
    # Neither phrases, nor forms of words, nor words that hardly anybody uses.
    assert {"full-grown", "with child", "larger", "bigger", "braggart", "vauntingly"}.isdisjoint(offered)
    assert find_substitutes("He xyzzied.", 3, 10) == []


def test_substitutes_are_of_the_part_of_speech_that_fits() -> None:
    pytest.importorskip("lemminflect")

    def offered(text: str, word: str) -> set[str]:
        return set(find_substitutes(text, text.index(word), text.index(word) + len(word)))

    assert "assist" in offered("Exercise can help.", "help")
    assert offered("Exercise can help.", "help").isdisjoint(("helper", "assistance", "service"))
    assert "assistance" in offered("My help came late.", "help")
    assert offered("My help came late.", "help").isdisjoint(("facilitate", "serve"))
    assert "propose" in offered("I suggest a walk.", "suggest")
    assert offered("I suggest a walk.", "suggest").isdisjoint(("inform", "show", "express"))
    assert "large" in offered("The big house burned.", "big")
    assert "run" not in offered("He runs fast.", "runs")


def test_results_become_a_report(client: Client) -> None:
    result = client("/v1/score", {"pairs": [{"source": SOURCE, "output": OUTPUT}]}).json()["results"][0]
    answer = client("/v1/report", json.dumps(result).encode() + b"\n")
    assert answer.headers["content-type"].startswith("text/html")
    assert "Mary gave John" in answer.text
    assert "no results" in problem(client("/v1/report", b'{"a": 1}\n'), 422)


def test_the_demo_has_answers_to_all_that_its_examples_ask() -> None:
    from docs import demo

    stored = json.loads(demo.STORED.read_text(encoding="utf-8"))["answers"]
    assert {path: [each["request"] for each in answers] for path, answers in stored.items()} == demo.questions()
    assert all(each["answer"]["svg"].startswith("<svg ") for each in stored["v1/explain"])
    assert all(each["answer"]["results"] for each in stored["v1/substitutes"])
    assert all('class="blocks"' in each["answer"]["rows"] for each in stored["v1/compare"])


def test_the_demo_is_the_page_with_answers_in_the_place_of_a_service(tmp_path: Path) -> None:
    from docs import demo

    demo.install(tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<meta name="usim-demo" content="answers.json">' in text
    assert {f"/{path.relative_to(tmp_path)}" for path in tmp_path.rglob("*.*")} == (FILES.keys() - {"/"}) | {
        "/index.html",
        "/answers.json",
    }
