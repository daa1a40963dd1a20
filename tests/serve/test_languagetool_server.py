"""The service in front of a LanguageTool server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from tests.processes import free_port, running_service
from tests.serve.languagetool_schema import check_answer
from tests.serve.languagetool_stub import RULE, Stub, running_stub
from tests.support.service import Client, problem
from usim.serve.app import create_app
from usim.serve.settings import Settings

TEXT = "😀 This is a tset of it."


@pytest.fixture(scope="module")
def server() -> Iterator[Stub]:
    with running_stub() as stub:
        yield stub


@pytest.fixture(scope="module")
def url(server: Stub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("serve") / "log"
    own = ("--keep", "0.7", "--drop", "0.3")  # so that "set" is dropped, whatever the thresholds of the model
    arguments = ("--languagetool", server.url, "--limit", "seconds=180", "--model", "en-fast", *own)
    with running_service(log, *arguments) as (_, url):
        yield url
    assert "Traceback" not in log.read_text()
    assert "tset" not in log.read_text()


def check(url: str, **form: str) -> dict[str, Any]:
    return check_answer(httpx.post(f"{url}/v2/check", data={"language": "en-US", **form}, timeout=30))


def test_replacements_are_screened(url: str) -> None:
    (match,) = check(url, text=TEXT)["matches"]
    assert [each["value"] for each in match["replacements"]] == ["test"]
    assert [each["value"] for each in match["usim"]["dropped"]] == ["set"]
    assert match["usim"]["dropped"][0]["findings"]
    assert (match["offset"], match["length"]) == (13, 4)
    assert match["rule"]["id"] == RULE["id"]
    assert match["rule"]["issueType"] == "misspelling"


def test_other_languages_are_not_screened(url: str) -> None:
    given = check(url, text=TEXT, language="de-DE")
    (match,) = given["matches"]
    assert match["replacements"] == [{"value": "set"}, {"value": "test"}]
    assert match["usim"] == {"dropped": [], "notScreened": 2}
    assert given["language"]["code"] == "de-DE"


def test_what_is_asked_for_is_passed_on(url: str, server: Stub) -> None:
    fields = {
        "language": "auto", "preferredVariants": "en-GB", "level": "picky", "enabledRules": "A,B", "disabledRules": "C",
        "enabledCategories": "D", "disabledCategories": "E", "enabledOnly": "false",
    }  # fmt: skip
    parts = [{"text": "😀 A "}, {"markup": "<b>"}, {"text": "tset"}, {"markup": "</b>"}]
    (match,) = check(url, data=json.dumps({"annotation": parts}), **fields)["matches"]
    assert (match["offset"], match["length"]) == (8, 4)
    assert server.forms[-1] == {"text": "😀 A tset", **fields}


def test_a_server_that_is_down() -> None:
    checker, options = f"http://127.0.0.1:{free_port()}/v2/", {"model": "en-fast", "judge": "usim"}
    client = Client(create_app(Settings(checkers=(checker,), options=options)))
    response = client("/v2/check", urlencode({"text": TEXT, "language": "en-US"}))
    assert "--languagetool" in problem(response, 502)
    assert response.headers["retry-after"] == "5"
    assert "tset" not in response.text
    assert 'usim_requests_total{path="/v2/check",status="502"} 1.0' in client("/metrics").text
    assert client("/ready").status_code == 200
