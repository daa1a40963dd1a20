"""Plain pairs come out on the right side, at the rates that the judge's card states: a few of either kind may miss it."""

import pytest

from tests.tables import cases
from usim.judge import JudgePipeline, TrainedJudge
from usim.parsing import load

pytestmark = pytest.mark.model

ROWS = cases(__file__, "sides.tsv")
SENTENCES = [text for kind, text, *_ in ROWS if kind == "plain"]


@pytest.fixture(scope="module")
def pipeline() -> JudgePipeline:
    return JudgePipeline(load("en"), TrainedJudge())


def faithfulness(pipeline: JudgePipeline, pairs: list[tuple[str, str]]) -> list[tuple[float, str]]:
    return [(j.judgement.faithfulness, j.judgement.verdict) for j in pipeline.judge_pairs(pairs)]


def test_unrelated_sentences_are_dropped(pipeline: JudgePipeline) -> None:
    """Short plain ones are the hardest: of longer ones 97 % have at most .05 (the card's figure)."""
    pairs = [(a, b) for k, a in enumerate(SENTENCES) for b in (SENTENCES[k - 1], SENTENCES[k - 3])]
    said = faithfulness(pipeline, pairs)
    assert sum(value > 0.05 for value, _ in said) <= 3
    assert sum(verdict != "drop" for _, verdict in said) <= 2
    assert all(value < 0.25 and verdict != "keep" for value, verdict in said)


def test_plain_negations_are_dropped(pipeline: JudgePipeline) -> None:
    pairs = [(a, b) for kind, *both in ROWS if kind == "negated" for a, b in (both, both[::-1])]
    said = faithfulness(pipeline, pairs)
    assert sum(verdict != "drop" for _, verdict in said) <= 2
    assert all(verdict != "keep" for _, verdict in said)


def test_identical_sentences_and_other_spellings_are_kept(pipeline: JudgePipeline) -> None:
    respelled = [(one, other) for kind, one, *others in ROWS if kind == "respelled" for other in others]
    said = faithfulness(pipeline, [*((text, text) for text in SENTENCES), *respelled])
    assert all(value >= 0.95 for value, _ in said[: len(SENTENCES)])
    assert all(verdict == "keep" for _, verdict in said)
