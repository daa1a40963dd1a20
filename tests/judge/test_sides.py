"""Plain pairs come out on the right side, at the rates that the judge's card states: a few of either kind may miss it."""

from __future__ import annotations

import pytest

from usim.judge import JudgePipeline, TrainedJudge
from usim.parsing import load

pytestmark = pytest.mark.model

_SENTENCES = (
    "The ferry leaves the island every morning at six.",
    "My grandmother keeps bees behind the barn.",
    "Nobody expected the bridge to hold for another winter.",
    "They are painting the school in a dreadful shade of green.",
    "Inflation fell for the third month in a row.",
    "Is there a pharmacy near the station?",
    "She has never eaten an oyster.",
    "Two goals in the last minute saved the match.",
)
_NEGATED = (
    ("The shop is open on Sunday.", "The shop is not open on Sunday."),
    ("He likes his new job.", "He doesn't like his new job."),
    ("We can swim in the lake.", "We cannot swim in the lake."),
    ("The train was late.", "The train wasn't late."),
    ("I have seen that film.", "I have never seen that film."),
    ("They did not answer my letter.", "They answered my letter."),
    ("The road is safe in winter.", "The road is not safe in winter."),
    ("Anna will come to the party.", "Anna will not come to the party."),
)
_RESPELLED = (
    ("The ferry leaves the island every morning at six.", "the ferry leaves the island every morning at six"),
    ("However, the bridge held.", "However the bridge held."),
    ("My grandmother keeps bees behind the barn.", "My grandmother keeps bees behind the barn!"),
)


@pytest.fixture(scope="module")
def pipeline() -> JudgePipeline:
    return JudgePipeline(load("en"), TrainedJudge())


def faithfulness(pipeline: JudgePipeline, pairs: list[tuple[str, str]]) -> list[tuple[float, str]]:
    return [(j.judgement.faithfulness, j.judgement.verdict) for j in pipeline.judge_pairs(pairs)]


def test_unrelated_sentences_are_dropped(pipeline: JudgePipeline) -> None:
    """Short plain ones are the hardest: of longer ones 97 % have at most .05 (the card's figure)."""
    pairs = [(a, b) for k, a in enumerate(_SENTENCES) for b in (_SENTENCES[k - 1], _SENTENCES[k - 3])]
    said = faithfulness(pipeline, pairs)
    assert sum(value > 0.05 for value, _ in said) <= 3
    assert sum(verdict != "drop" for _, verdict in said) <= 2
    assert all(value < 0.2 and verdict != "keep" for value, verdict in said)


def test_plain_negations_are_dropped(pipeline: JudgePipeline) -> None:
    pairs = [pair for one, other in _NEGATED for pair in ((one, other), (other, one))]
    said = faithfulness(pipeline, pairs)
    assert sum(verdict != "drop" for _, verdict in said) <= 2
    assert all(verdict != "keep" for _, verdict in said)


def test_identical_sentences_and_other_spellings_are_kept(pipeline: JudgePipeline) -> None:
    said = faithfulness(pipeline, [*((text, text) for text in _SENTENCES), *_RESPELLED])
    assert all(value >= 0.95 for value, _ in said[: len(_SENTENCES)])
    assert all(verdict == "keep" for _, verdict in said)
