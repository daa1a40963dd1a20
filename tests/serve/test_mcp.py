"""The tools for agents, called by the SDK's own client: over standard input and output as typed, and within this process."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.command import USIM, usim_here
from tests.processes import ROOT
from usim.errors import OptionError, ParsingError
from usim.serve._models import ScoreRequest
from usim.serve.settings import Limits, Settings

mcp = pytest.importorskip("mcp", reason="tools for agents come with the extra mcp")
pytestmark = pytest.mark.model

SOURCE, WRONG = "We pays 20 euros unless it rain.", "We pay 25 euros unless it rains."


def call(name: str, arguments: dict[str, Any], *, limits: Limits | None = None, **options: Any) -> Any:
    from usim.serve.mcp import make_server

    async def asked() -> Any:
        server = make_server(Settings(options={"model": "en-fast", **options}, limits=limits or Limits(seconds=600)))
        async with mcp.Client(server) as client:
            return await client.call_tool(name, arguments)

    return asyncio.run(asked())


def test_an_agent_that_starts_the_command_checks_repairs_and_checks_again() -> None:
    """The loop of docs/how-to/assistant.md, with the configuration there."""
    page = (ROOT / "docs/how-to/assistant.md").read_text(encoding="utf-8")
    (configuration,) = (json.loads(line) for line in page.splitlines() if line.startswith('{"mcpServers"'))
    args = [*USIM[1:], *configuration["mcpServers"]["usim"]["args"], "--limit", "seconds=600"]
    parameters = mcp.StdioServerParameters(command=USIM[0], args=args)

    async def loop() -> tuple[dict[str, Any], Any, Any]:
        async with mcp.Client(parameters) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            first = (await client.call_tool("check_rewrite", {"source": SOURCE, "rewrite": WRONG})).structured_content
            repaired = {"source": SOURCE, "rewrite": first["repaired"]}
            return tools, first, (await client.call_tool("check_rewrite", repaired)).structured_content

    tools, first, second = asyncio.run(loop())
    assert sorted(tools) == ["best_of", "check_rewrite", "compare_documents"]
    assert "the first is 0" in tools["best_of"].description
    for field in first["cause"].keys() - {"by", "text", "keep", "drop"}:
        assert all(f"{field} " in tool.description for tool in tools.values())
    assert first["verdict"] == "drop"
    (finding,) = (each for each in first["findings"] if "20" in each["text"])
    assert "20" in finding["before"][0]
    assert "25" in finding["after"][0]
    assert first["put_back"] == ["put “20” back in place of “25”"]
    assert second["verdict"] == "keep"
    assert "put_back" not in second


def test_an_agent_is_not_offered_the_source_as_a_repair() -> None:
    """Nor is it told to put all of it back, word by word; it learns that there is nothing between both texts."""
    answer = call("check_rewrite", {"source": "We pay 20 euros.", "rewrite": "We pay 25 euros."}).structured_content
    assert answer["verdict"] == "drop"
    assert not answer.keys() & {"repaired", "put_back"}
    assert answer["note"].startswith("no mixture of both texts that was tried is sound: write again")


def test_the_tools_the_service_and_the_command_say_alike_what_a_risk_is() -> None:
    from usim.serve.mcp import make_server

    async def listed() -> list[Any]:
        async with mcp.Client(make_server(Settings(options={"model": "en-fast"}))) as client:
            return (await client.list_tools()).tools

    said = "The share of wrong verdicts that you accept, on pairs like those that the thresholds were chosen on; "
    said += "of rewrites more are wrong. A smaller one leaves more to review."
    for tool in asyncio.run(listed()):
        assert tool.input_schema["properties"]["risk"]["description"].startswith(said)
    assert said in " ".join(usim_here("score", "--help").stdout.split())
    assert ScoreRequest.model_json_schema()["properties"]["risk"]["description"].startswith(said)


def test_an_agent_is_answered_before_the_models_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool waits for them, and says where they cannot be loaded; a model that does not exist is refused at once."""
    from usim.serve import mcp as served

    is_listed = threading.Event()

    def load(_: Settings) -> Any:
        assert is_listed.wait(60)
        raise ParsingError("the judge is damaged")

    async def asked() -> tuple[int, Any]:
        async with mcp.Client(served.make_server(Settings())) as client:
            tools = (await client.list_tools()).tools
            is_listed.set()
            return len(tools), await client.call_tool("check_rewrite", {"source": SOURCE, "rewrite": WRONG})

    monkeypatch.setattr(served, "Service", load)
    count, answer = asyncio.run(asked())
    assert (count, answer.is_error) == (3, True)
    assert "the judge is damaged" in answer.content[0].text
    for wrong in ({"model": "fr"}, {"risk": 2}, {"policy": "longer"}):
        with pytest.raises(OptionError):
            served.make_server(Settings(options=wrong))


def test_documents_have_findings_with_lines_and_words_of_both_sides() -> None:
    before = "It rained.\n\nWe paid 20 euros.\n\nNobody came."
    answer = call(
        "compare_documents", {"before": before, "after": "It rained.\n\nWe paid 25 euros."}
    ).structured_content
    assert answer["verdict"] == "drop"
    assert answer["counts"]["findings"] == len(answer["findings"])
    found = {finding["before"]["line"]: finding for finding in answer["findings"]}
    assert sorted(found) == [3, 5]
    assert found[3]["after"] == {"line": 3, "words": "We paid 25 euros."}
    assert found[5]["before"]["words"] == "Nobody came."
    assert found[5]["where"] == "paragraph 3 (before)"
    assert answer["cause"]["compared"] is not None
    shorter = {"before": before, "after": "It rained.\n\nWe paid 20 euros.", "policy": "shorten"}
    assert call("compare_documents", shorter).structured_content["verdict"] == "keep"


def test_markdown_is_read_as_the_command_reads_it(tmp_path: Path) -> None:
    texts = [
        f"# Jobs\n\n1. Run `bkp init --team {name}` **first**.\n2. See [the page](http://{name}.org).\n\n"
        f"```\nrm -r {name}\n```\n\nWe keep {days} *days*.\n"
        for name, days in (("a", 30), ("b", 20))
    ]
    paths = [tmp_path / name for name in ("before.md", "after.md")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    done = usim_here("compare", *paths, "--format", "github", "--model", "en-fast").stdout
    expected = [line.partition("::")[2].partition("::")[2].split("%0A")[0] for line in done.splitlines()[:-1]]
    arguments = {"before": texts[0], "after": texts[1], "markdown": True}
    found = call("compare_documents", arguments).structured_content["findings"]
    assert [f"{each['where']}: {each['text']}" for each in found] == expected
    assert len(expected) > 2
    gone = call("compare_documents", {"before": "We met. We paid.", "after": ""}).structured_content["findings"]
    assert [each["before"]["words"] for each in gone] == ["We met. We paid."]


def test_short_texts_that_are_no_paths_are_compared() -> None:
    before, after = "Ask him/her at 5.30", "Ask him/her at example.com"
    assert call("compare_documents", {"before": before, "after": after}).structured_content["verdict"] != "keep"


def test_short_french_is_to_be_reviewed() -> None:
    answer = call("check_rewrite", {"source": "Il fait beau.", "rewrite": "Il fait froid."}).structured_content
    assert answer["verdict"] == "review"
    assert "English" in answer["cause"]["text"]


def test_the_best_of_several_rewrites_is_chosen_or_none() -> None:
    arguments = {"source": "He go home.", "candidates": ["He went to school.", "He goes home."]}
    answer = call("best_of", arguments).structured_content
    assert (answer["text"], answer["nearest"]) == ("He goes home.", 1)
    assert [each["verdict"] == "keep" for each in answer["candidates"]] == [False, True]
    arguments["candidates"] = ["He flew to Rome yesterday."]
    assert call("best_of", arguments).structured_content["text"] is None


def test_a_stricter_risk_keeps_no_more() -> None:
    pair = {"source": "The meeting starts at noon.", "rewrite": "The meeting begins at noon."}
    order = ["drop", "review", "keep"]
    verdicts = [call("check_rewrite", {**pair, "risk": risk}).structured_content["verdict"] for risk in (0.02, 0.3)]
    assert order.index(verdicts[0]) <= order.index(verdicts[1])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("check_rewrite", {"source": SOURCE, "rewrite": WRONG}),
        ("best_of", {"source": SOURCE, "candidates": [WRONG]}),
        ("compare_documents", {"before": SOURCE, "after": WRONG}),
    ],
)
def test_a_tool_bears_the_risk_of_its_server(name: str, arguments: dict[str, Any]) -> None:
    from usim.scorer import Scorer

    borne: list[float | None] = []
    with pytest.MonkeyPatch.context() as patch:
        under = Scorer.under
        patch.setattr(
            Scorer, "under", lambda self, policy, *, risk=None: borne.append(risk) or under(self, policy, risk=risk)
        )
        answer = call(name, arguments, risk=0.02)
    assert not answer.is_error
    assert borne
    assert set(borne) == {None}


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("check_rewrite", {"source": "A.", "rewrite": "A " * 30_000}, "40000 are allowed"),
        ("check_rewrite", {"source": "A.", "rewrite": "A.", "risk": 2}, "risk: Input should be less than 1"),
        ("check_rewrite", {"source": "A."}, "rewrite: missing; call it again: it takes source, rewrite, policy (opt"),
        ("check_rewrite", {"source": 1}, "source: Input should be a valid string; rewrite: missing"),
        ("best_of", {"source": "A.", "candidates": []}, "candidates: List should have at least 1"),
        ("best_of", {"source": "A.", "candidates": ["B."], "policy": "longer"}, "policy: Input should be 'same'"),
        ("compare_documents", {"before": "A."}, "after: missing; call it again: it takes before, after"),
        ("compare_documents", {"before": "/tmp/a b.txt", "after": "A."}, "before is the name of a file"),
        ("compare_documents", {"before": "A.", "after": "~/notes"}, "after is the name of a file"),
        ("compare_documents", {"before": "draft.md", "after": "draft-2.md"}, "send the text"),
        ("compare_documents", {"before": "A. " * 9000, "after": "A."}, "10000 are allowed"),
    ],
)
def test_what_cannot_be_checked_is_an_error_that_says_what_to_do(name: str, arguments: Any, words: str) -> None:
    answer = call(name, arguments)
    assert answer.is_error
    assert words in answer.content[0].text
    assert "pydantic" not in answer.content[0].text


def test_the_time_is_limited() -> None:
    answer = call("check_rewrite", {"source": SOURCE, "rewrite": WRONG}, limits=Limits(seconds=0.001))
    assert answer.is_error
    assert "not done within 0.001 s" in answer.content[0].text


def test_without_the_package_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "usim.serve.mcp", raising=False)
    done = usim_here("mcp")
    assert done.returncode == 2
    assert "pip install mcp" in done.stderr
