"""Faithful sentences around a changed one make no verdict better, and faithful paragraphs are never dropped.

This holds in Python, for the commands and for the service.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.command import usim_here
from tests.documents.paragraphs import CHANGES, FAITHFUL, PARAGRAPHS, Change
from tests.support.service import Client
from usim.scorer import Scorer
from usim.serve.app import create_app
from usim.serve.settings import Limits, Settings

pytestmark = [pytest.mark.model, pytest.mark.slow]
CHANGED = [(each.before, each.after) for each in PARAGRAPHS]
UNCHANGED = list({(each.before, each.faithful) for each in PARAGRAPHS if each.before != each.faithful})
#: Verdicts, from the worst to the best.
ORDER = ["drop", "review", "keep"]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


@pytest.fixture(scope="module")
def alone(scorer: Scorer) -> dict[str, str]:
    """The verdict on each change by itself; of a sentence that was dropped or made up, the best that it may have."""
    verdicts = {change.name: "review" for change in CHANGES}
    both = [change for change in CHANGES if change.before and change.after]
    results = scorer.score_pairs((change.before, change.after) for change in both)
    return verdicts | {change.name: r.judgement.verdict for change, r in zip(both, results, strict=True)}


def improved(verdicts: list[str], alone: dict[str, str]) -> list[str]:
    """Return the paragraphs that have a better verdict than their change has by itself."""
    assert len(verdicts) == len(PARAGRAPHS)
    return [
        each.name
        for each, verdict in zip(PARAGRAPHS, verdicts, strict=True)
        if ORDER.index(verdict) > ORDER.index(alone[each.name.split(",")[0]])
    ]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(CHANGES), st.lists(st.sampled_from(FAITHFUL), min_size=1, max_size=6, unique=True), st.data())
def test_no_faithful_sentences_make_a_verdict_better(
    scorer: Scorer, alone: dict[str, str], change: Change, around: list[tuple[str, str]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(around)))
    pairs = [*around[:place], (change.before, change.after), *around[place:]]
    before, after = (" ".join(filter(None, side)) for side in zip(*pairs, strict=True))
    verdict = scorer.score(before, after).judgement.verdict
    assert ORDER.index(verdict) <= ORDER.index(alone[change.name])


def test_pairs(scorer: Scorer, alone: dict[str, str]) -> None:
    assert improved([result.judgement.verdict for result in scorer.score_pairs(CHANGED)], alone) == []
    verdicts = [result.judgement.verdict for result in scorer.score_pairs(UNCHANGED)]
    assert [pair for pair, verdict in zip(UNCHANGED, verdicts, strict=True) if verdict == "drop"] == []


def test_texts(scorer: Scorer) -> None:
    """What was changed is also a finding, not only in doubt."""
    for each in PARAGRAPHS:
        comparison = scorer.compare_texts(each.before, each.after)
        assert comparison.verdict != "keep", each.name
        assert comparison.findings, each.name
        assert scorer.compare_texts(each.before, each.faithful).verdict != "drop", each.name


def test_the_command_for_pairs(alone: dict[str, str], tmp_path: Path) -> None:
    files = [tmp_path / "before.txt", tmp_path / "after.txt"]
    for file, side in zip(files, zip(*CHANGED, strict=True), strict=True):
        file.write_text("".join(f"{text}\n" for text in side), encoding="utf-8")
    lines = usim_here("score", *files, "--format", "jsonl").stdout.splitlines()
    assert improved([json.loads(line)["verdict"] for line in lines[: len(CHANGED)]], alone) == []


def test_the_service(alone: dict[str, str]) -> None:
    client = Client(create_app(Settings(limits=Limits(seconds=600, tokens=100_000))))
    pairs = [{"source": before, "output": after} for before, after in CHANGED]
    results = client("/v1/score", {"pairs": pairs}).json()["results"]
    assert improved([result["verdict"] for result in results], alone) == []
    each = PARAGRAPHS[2]
    assert client("/v1/compare", {"before": each.before, "after": each.after}).json()["verdict"] != "keep"
