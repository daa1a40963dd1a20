"""LanguageTool's protocol with Harper behind it."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jsonschema
import language_tool_python
import pytest

from tests.processes import running_service
from tests.serve.languagetool_schema import LANGUAGES, check_answer
from tests.support.service import Client, problem
from usim.screen import Screen
from usim.serve.app import create_app
from usim.serve.settings import Limits, Settings

QUICK = {"model": "en-fast", "judge": "usim"}
TEXT = "😀 She have two cats. I could of went, and he dont likes it."


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(Settings(checkers=("harper",), options={"model": "en-fast"}, limits=Limits(seconds=300))))


@pytest.fixture(scope="module")
def quick() -> Client:
    return Client(create_app(Settings(checkers=("harper",), options=QUICK, limits=Limits(text=500, seconds=300))))


def check(client: Client, **form: str) -> dict[str, Any]:
    return check_answer(client("/v2/check", urlencode({"language": "en-US", **form})))


def test_replacements_are_screened(client: Client) -> None:
    answer = check(client, text=TEXT)
    has = next(match for match in answer["matches"] if match["rule"]["id"] == "PronounVerbAgreement")
    assert (has["offset"], has["length"]) == (7, 4)  # in UTF-16 units
    assert has["sentence"] == "😀 She have two cats."
    context = has["context"]["text"].encode("utf-16-le")
    assert context[2 * has["context"]["offset"] :][: 2 * has["context"]["length"]].decode("utf-16-le") == "have"
    assert [each["value"] for each in has["replacements"]] == ["has"]
    dont = next(match for match in answer["matches"] if match["rule"]["id"] == "SpellCheck")
    figures = [each["faithfulness"] for each in dont["replacements"]]
    assert figures == sorted(figures, reverse=True)
    assert {each["value"] for each in dont["replacements"] + dont["usim"]["dropped"]} >= {"don't", "dent"}
    start = TEXT.index("dont")
    screened = Screen(model="en-fast").screen(TEXT, start, start + 4, ["don't"])[0]
    by_value = {each["value"]: each for each in dont["replacements"] + dont["usim"]["dropped"]}
    assert by_value["don't"]["faithfulness"] == by_value["don't"]["cause"]["compared"] == screened.faithfulness
    assert all(each["verdict"] != "drop" for match in answer["matches"] for each in match["replacements"])


def test_places_count_utf_16_units(quick: Client) -> None:
    answer = check(quick, text="😀 Fine.\n\nHe dont.")
    (match,) = answer["matches"]
    assert (match["offset"], match["length"], match["sentence"]) == (13, 4, "He dont.")
    assert match["context"] == {"text": "😀 Fine.  He dont.", "offset": 13, "length": 4}


def test_indentation_is_no_mistake(quick: Client) -> None:
    answer = check(quick, text="A list:\n  - two  apples\n\t- milk and bread\n\n  \u2022 He dont.")
    assert [match["sentence"].split()[-1] for match in answer["matches"]] == ["dont."]


def test_verdicts_are_counted(quick: Client) -> None:
    def count() -> float:
        lines = quick("/metrics").text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith("usim_verdicts_total{"))

    before = count()
    answer = check(quick, text=TEXT)
    given = sum(len(match["replacements"]) + len(match["usim"]["dropped"]) for match in answer["matches"])
    assert count() - before == given > 0


def test_what_clients_ask_before_a_check(quick: Client) -> None:
    languages = quick("/v2/languages").json()
    jsonschema.validate(languages, LANGUAGES)
    assert "en-GB" in {each["longCode"] for each in languages}
    assert quick("/v2/healthcheck").text == "OK"
    assert check(quick, text=TEXT)["software"]["name"] == "usim"


def test_a_text_may_stand_in_the_address(quick: Client) -> None:
    address = f"/v2/check?{urlencode({'language': 'en-US', 'text': TEXT})}"
    assert quick(address).json() == quick(address, b"").json() == check(quick, text=TEXT)


def test_a_wrong_request(quick: Client) -> None:
    assert "English" in problem(quick("/v2/check", "language=de-DE&text=Hallo"), 400)


def test_what_is_not_english_is_left_alone_and_counted(quick: Client) -> None:
    french = "Je suis alle a la maison hier soir. Il fait froid."
    answer = check(quick, text=french, language="auto")
    assert answer["matches"] == []
    assert answer["usim"]["notEnglish"] == 2
    assert answer["language"]["code"] == answer["language"]["detectedLanguage"]["code"] == "fr"
    plain = check(quick, text=TEXT)
    mixed = check(quick, text=TEXT + " Je suis alle a la maison hier soir.", language="auto")
    places = [[(match["offset"], match["rule"]["id"]) for match in each["matches"]] for each in (mixed, plain)]
    assert places[0] == places[1]
    assert mixed["usim"]["notEnglish"] == 1
    assert mixed["language"]["detectedLanguage"]["code"] == "en"


def test_more_suggestions_than_can_be_screened_are_left_out(quick: Client) -> None:
    text = "He dont likes it. " * 20
    few = Client(create_app(Settings(checkers=("harper",), options=QUICK, limits=Limits(tokens=300, seconds=300))))
    answer, whole = check(few, text=text), check(quick, text=text)
    assert len(answer["matches"]) == len(whole["matches"])
    left_out = sum(match["usim"]["notScreened"] for match in answer["matches"])
    assert left_out > sum(match["usim"]["notScreened"] for match in whole["matches"])
    assert answer["matches"][0]["replacements"]


def test_a_text_that_is_too_long_is_refused_with_its_length(quick: Client) -> None:
    assert "a text of 501 characters; 500 are allowed" in problem(quick("/v2/check", "text=" + 501 * "a"), 413)


def test_markup_is_left_alone(quick: Client) -> None:
    parts = [{"text": "😀 She "}, {"markup": "<b>"}, {"text": "have"}, {"markup": "</b>"}, {"text": " two cats."},
             {"markup": "<br>", "interpretAs": "\n\n"}, {"text": "He dont."}]  # fmt: skip
    answer = check(quick, data=json.dumps({"annotation": parts}))
    sent = "".join(part.get("text", part.get("markup", "")) for part in parts).encode("utf-16-le")
    by_word = {
        sent[2 * match["offset"] :][: 2 * match["length"]].decode("utf-16-le"): match for match in answer["matches"]
    }
    assert by_word.keys() == {"have", "dont"}
    assert by_word["have"]["sentence"] == "😀 She have two cats."
    plain = check(quick, text="😀 She have two cats.\n\nHe dont.")
    assert [match["replacements"] for match in answer["matches"]] == [
        match["replacements"] for match in plain["matches"]
    ]


@pytest.mark.parametrize(
    "form",
    ["language=en", "text=a&data={}", "data=[", "data={}", 'data={"annotation":3}',
     'data={"annotation":[{"text":"a","markup":"b"}]}', 'data={"annotation":[{"markup":"b","interpretAs":3}]}',
     'data={"text":"a \\ud800"}', "data=" + "[" * 50_000, b"text=\xff"],
)  # fmt: skip
def test_what_is_no_text(quick: Client, form: str | bytes) -> None:
    problem(quick("/v2/check", form), 422)


def test_a_real_client_understands_it(tmp_path: Path) -> None:
    with running_service(tmp_path / "log", "--harper", "--model", "en-fast", "--judge", "usim") as (process, url):
        with language_tool_python.LanguageTool("en-US", remote_server=url) as tool:
            matches = tool.check(TEXT)
            tool.disabled_categories = {"TYPOS"}
            without_typos = tool.check(TEXT)
        process.terminate()
        assert process.wait(30) in (0, -signal.SIGTERM)  # a single process ends by the signal, in good order
    have = next(match for match in matches if match.rule_id == "PronounVerbAgreement")
    assert TEXT[have.offset : have.offset + have.error_length] == "have"
    assert have.replacements == ["has"]
    assert {match.rule_id for match in matches} - {match.rule_id for match in without_typos} == {"SpellCheck"}
