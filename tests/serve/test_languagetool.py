"""LanguageTool's protocol with Harper behind it."""

from __future__ import annotations

import signal
from pathlib import Path

import language_tool_python
import pytest

from tests.serve.test_process import start
from tests.serve.test_service import Client, problem
from usim.screen import Screen
from usim.serve.app import create_app
from usim.serve.settings import Settings

TEXT = "😀 She have two cats. I could of went, and he dont likes it."


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(Settings(checker="harper")))


def test_replacements_are_screened(client: Client) -> None:
    answer = client("/v2/check", b"language=en-US&text=" + TEXT.encode()).json()
    has = next(match for match in answer["matches"] if match["rule"]["id"] == "PronounVerbAgreement")
    assert (has["offset"], has["length"]) == (7, 4)  # in UTF-16 units
    assert [each["value"] for each in has["replacements"]] == ["has"]
    dont = next(match for match in answer["matches"] if match["rule"]["id"] == "SpellCheck")
    figures = [each["faithfulness"] for each in dont["replacements"]]
    assert figures == sorted(figures, reverse=True)
    assert {each["value"] for each in dont["replacements"] + dont["usim"]["dropped"]} >= {"don't", "dent"}
    start = TEXT.index("dont")
    screened = Screen().screen(TEXT, start, start + 4, ["don't"])[0]
    by_value = {each["value"]: each for each in dont["replacements"] + dont["usim"]["dropped"]}
    assert by_value["don't"]["faithfulness"] == screened.faithfulness
    assert all(each["verdict"] != "drop" for match in answer["matches"] for each in match["replacements"])


def test_languages_and_problems(client: Client) -> None:
    assert "en-GB" in {each["longCode"] for each in client("/v2/languages").json()}
    assert "English" in problem(client("/v2/check", b"language=de-DE&text=Hallo"), 400)
    problem(client("/v2/check", b"language=en"), 422)
    answer = client("/v2/check", b"language=en&disabledRules=SpellCheck&text=he dont").json()
    assert "SpellCheck" not in {match["rule"]["id"] for match in answer["matches"]}


def test_a_real_client_understands_it(tmp_path: Path) -> None:
    process, url = start(tmp_path / "log", "--harper", "--judge", "usim")
    try:
        with language_tool_python.LanguageTool("en-US", remote_server=url) as tool:
            matches = tool.check(TEXT)
    finally:
        process.terminate()
        assert process.wait(30) in (0, -signal.SIGTERM)  # a single process ends by the signal, in good order
    have = next(match for match in matches if match.rule_id == "PronounVerbAgreement")
    assert TEXT[have.offset : have.offset + have.error_length] == "have"
    assert have.replacements == ["has"]
