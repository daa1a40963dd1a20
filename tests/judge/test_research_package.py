"""The files of the package ``research``, as they lie in the repository: a judge that shares the encoder of ``en``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from usim.judge import JudgePipeline, TrainedJudge

pytestmark = pytest.mark.model

PACKAGE = Path(__file__).parents[2] / "models/research/usim_model_research"
SIMPLIFIED = [
    (
        "The settlement, which was founded in 1852 by German immigrants, lies on the western bank of the river.",
        "The settlement lies on the western bank of the river.",
    ),
    (
        "Owing to the severity of the storm, the ferry company cancelled all departures, stranding hundreds of tourists.",
        "Because of the storm, the ferry company cancelled all departures. Hundreds of tourists were stranded.",
    ),
]
UNRELATED = [
    ("My grandmother keeps bees behind the barn.", "Inflation fell for the third month in a row."),
    ("Is there a pharmacy near the station?", "She has never eaten an oyster."),
]
NEGATED = [
    ("The shop is open on Sunday.", "The shop is not open on Sunday."),
    ("The train was late.", "The train wasn't late."),
]


def test_it_is_lenient_with_simplified_sentences_and_keeps_the_ends_of_the_scale() -> None:
    parts = json.loads((PACKAGE / "models.json").read_text(encoding="utf-8"))["research"]
    research = TrainedJudge(PACKAGE / parts["judge"])
    assert research.name == "research-1.0"
    pipelines = JudgePipeline(judge=research), JudgePipeline(judge=TrainedJudge())

    def said(pairs: list[tuple[str, str]]) -> list[tuple[float, float]]:
        both = ([pair.judgement.faithfulness for pair in pipeline.judge_pairs(pairs)] for pipeline in pipelines)
        return list(zip(*both, strict=True))

    assert all(own > default for own, default in said(SIMPLIFIED))
    assert all(own <= 0.05 for own, _ in said(UNRELATED))
    assert all(own < 0.5 for own, _ in said(NEGATED))
    assert said([("It rains.", "It rains.")])[0][0] == 1
