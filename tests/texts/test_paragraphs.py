"""One changed fact among faithful sentences is never kept, and faithful paragraphs are never dropped: in each way in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.command import usim_here
from tests.texts.paragraphs import PARAGRAPHS
from usim.scorer import Scorer
from usim.serve.app import create_app
from usim.serve.settings import Limits, Settings

pytestmark = [pytest.mark.model, pytest.mark.slow]
CHANGED = [(each.before, each.after) for each in PARAGRAPHS]
FAITHFUL = list({(each.before, each.faithful) for each in PARAGRAPHS if each.before != each.faithful})


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


def test_there_are_24_paragraphs() -> None:
    assert len(PARAGRAPHS) == len({each.name for each in PARAGRAPHS}) == 24


def test_pairs(scorer: Scorer) -> None:
    verdicts = [result.judgement.verdict for result in scorer.score_pairs(CHANGED)]
    assert [each.name for each, verdict in zip(PARAGRAPHS, verdicts, strict=True) if verdict == "keep"] == []
    verdicts = [result.judgement.verdict for result in scorer.score_pairs(FAITHFUL)]
    assert [pair for pair, verdict in zip(FAITHFUL, verdicts, strict=True) if verdict == "drop"] == []


def test_texts(scorer: Scorer) -> None:
    """What was changed is also a finding, not only in doubt."""
    for each in PARAGRAPHS:
        comparison = scorer.compare_texts(each.before, each.after)
        assert comparison.verdict != "keep", each.name
        assert comparison.findings, each.name
        assert scorer.compare_texts(each.before, each.faithful).verdict != "drop", each.name


def test_the_command_for_pairs(tmp_path: Path) -> None:
    files = [tmp_path / "before.txt", tmp_path / "after.txt"]
    for file, side in zip(files, zip(*CHANGED, strict=True), strict=True):
        file.write_text("".join(f"{text}\n" for text in side), encoding="utf-8")
    lines = usim_here("score", *files, "--format", "jsonl").stdout.splitlines()
    verdicts = [json.loads(line)["verdict"] for line in lines[: len(CHANGED)]]
    assert len(verdicts) == 24
    assert "keep" not in verdicts


@pytest.mark.parametrize("number", [2, 6, 10, 14, 18, 22])
def test_the_command_for_texts(number: int, tmp_path: Path) -> None:
    each = PARAGRAPHS[number]
    files = [tmp_path / "before.txt", tmp_path / "after.txt"]
    for file, text in zip(files, (each.before, each.after), strict=True):
        file.write_text(text, encoding="utf-8")
    assert usim_here("compare", *files, "--fail-on", "review").returncode == 1


def test_the_service() -> None:
    def ask(path: str, body: Any) -> Any:
        async def post() -> httpx.Response:
            transport = httpx.ASGITransport(create_app(Settings(limits=Limits(seconds=600))))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.post(path, json=body)

        return asyncio.run(post()).json()

    pairs = [{"source": before, "output": after} for before, after in CHANGED]
    verdicts = [result["verdict"] for result in ask("/v1/score", {"pairs": pairs})["results"]]
    assert len(verdicts) == 24
    assert "keep" not in verdicts
    each = PARAGRAPHS[2]
    assert ask("/v1/compare", {"before": each.before, "after": each.after})["verdict"] != "keep"
