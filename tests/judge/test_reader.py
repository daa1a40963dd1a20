"""What the reader says of tokens becomes findings, and the last layer weighs what it says of the pair."""

from __future__ import annotations

import numpy as np
import pytest

from usim.evidence import Finding
from usim.judge import Analyser
from usim.judge.reader import AS_IT_IS, LastLayer, Reader, ReaderLogits, unsaid
from usim.judge.reading import ReadPair
from usim.registry import find_model
from usim.scorer import Scorer

pytestmark = pytest.mark.model
SOURCE, OUTPUT = "Either party may end the contract.", "The Client is free to end the contract in writing."


@pytest.fixture(scope="module")
def analyser(scorer: Scorer) -> Analyser:
    return scorer.pipeline.analyser


def found(analyser: Analyser, source: dict[str, float], output: dict[str, float]) -> list[Finding]:
    """Return the findings of two texts where these words have these logits, and all others -3."""
    pair = ReadPair(*analyser.analyse([SOURCE, OUTPUT]))
    sides = (pair.source, pair.inputs.source, source), (pair.output, pair.inputs.output, output)
    logits = [np.array([own.get(side.tokens[i], -3) for i in places], np.float32) for side, places, own in sides]
    pair.read = ReaderLogits([0.0, 0.0, 0.0], *logits)
    return unsaid(pair)


def test_a_place_of_either_side_is_an_exchange(analyser: Analyser) -> None:
    (finding,) = found(analyser, {"Either": 2, "party": 1}, {"Client": 0.5})
    assert finding.text == "“Either party” became “Client”, which may say something else"
    assert (finding.kind, finding.source, finding.output) == ("unsaid", (0, 1), (1,))
    assert finding.weight == 0.8  # no more, however sure the reader is


def test_more_places_are_told_apart_and_the_surest_comes_first(analyser: Analyser) -> None:
    findings = found(analyser, {"Either": 0.1, "may": 0.2}, {"writing": 1, "Client": -1})
    assert [finding.text for finding in findings] == [
        "“writing” seems to be new",
        "“may” seems to be missing",
        "“Either” seems to be missing",
    ]
    assert findings[0].weight == pytest.approx(0.731, abs=0.001)


def test_articles_marks_and_unlikely_words_are_not_told(analyser: Analyser) -> None:
    assert not found(analyser, {".": 3, "the": 3, "may": -0.1}, {})


def test_a_reader_that_knows_no_tokens_tells_nothing(analyser: Analyser) -> None:
    pair = ReadPair(*analyser.analyse([SOURCE, OUTPUT]))
    assert unsaid(pair) == []
    none = np.zeros(0, np.float32)
    pair.read = ReaderLogits([0.0, 0.0, 0.0], none, none)
    assert unsaid(pair) == []


def test_the_last_layer_is_a_regression_over_networks_reader_and_worst_tokens() -> None:
    read = ReaderLogits([1.0, 2.0, 3.0], np.array([-1.0, 0.5], np.float32), np.zeros(0, np.float32))
    assert read.figures == [1.0, 2.0, 3.0, 0.5, -10.0]
    assert LastLayer(AS_IT_IS)([9.0, 9.0, 9.0], read) == [1.0, 2.0, 3.0]
    weighed = LastLayer({"bands": ["edits"], "weights": [[1, 0, 0, 0.5, 0, 0, 2, 0]] * 3, "bias": [0.1, 0, 0]})
    assert weighed([4.0, 0.0, 0.0], read) == pytest.approx([5.6, 5.5, 5.5])


def test_what_is_said_of_a_pair_does_not_depend_on_others(analyser: Analyser) -> None:
    reader = Reader(find_model("en").parser.parent / "judge", [3])
    texts = [SOURCE, OUTPUT, "It rained.", "In the whole of the north it had rained for three days, as she had feared."]
    analysed = analyser.analyse(texts)
    pairs = [ReadPair(a, b) for a in analysed for b in analysed if a is not b]
    for together, pair in zip(reader(pairs), pairs, strict=True):
        (alone,) = reader([pair])
        assert together.said == alone.said
        assert np.array_equal(together.source, alone.source)
        assert np.array_equal(together.output, alone.output)
