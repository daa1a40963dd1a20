"""Grammatical error detection: the network by hand, and what it says of sentences as people write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from usim import Scorer
from usim.judge.grammar import SPAN, SURE, ErrorDetector


def detector(path: Path, *, least: float = 1.0) -> ErrorDetector:
    """Return a detector of one hidden number: tanh of the first number of a token, and those of its neighbours."""
    near = np.array([1.0, 2.0, 1.0], np.float16).reshape(SPAN, 1, 1)
    np.savez(
        path, first=[[1.0], [0.0]], first_bias=[0.0], near=near, near_bias=[0.5], last=[3.0], last_bias=-1, least=least
    )
    return ErrorDetector(path)


def test_a_token_is_read_with_its_neighbours(tmp_path: Path) -> None:
    first, second = np.tanh(1), np.tanh(-2)
    said = [3 * max(0, 2 * first + second + 0.5) - 1, 3 * max(0, first + 2 * second + 0.5) - 1]
    detect = detector(tmp_path / "errors.npz")
    # What stands before the last layer's vectors is of other layers.
    vectors = np.array([[9, 1, 5], [9, -2, 5]], np.float32)
    assert detect(vectors) == pytest.approx(np.log(np.exp(said).sum()), abs=1e-5)


def test_a_correction_mends_an_error_or_begins_with_a_sure_one(tmp_path: Path) -> None:
    detect = detector(tmp_path / "errors.npz")
    good, bad, worse = (detect(np.array([[x, 0]], np.float32)) for x in (-1, 0.2, 1))
    assert good < bad < SURE < worse
    assert detect.is_mended(bad, good)
    assert not detect.is_mended(bad, bad)
    assert not detect.is_mended(good, bad)
    assert detect.is_mended(worse, worse)
    assert detect.is_marred(good, worse)
    assert not any(map(detect.is_marred, (worse, bad, good), (good, worse, good)))


# fmt: off
MENDED = [
    ("He go to school yesterday with him brother.", "He went to school yesterday with his brother."),
    ("In my opinion is better to live in city.", "In my opinion, it is better to live in a city."),
    ("I am agree that peoples should recycling more.", "I agree that people should recycle more."),
    ("She have been work here since three years.", "She has been working here for three years."),
    ("Yesterday I go to the cinema with my friend and we see very good film.",
     "Yesterday I went to the cinema with my friend and we saw a very good film."),
]
# fmt: on
REWORDED = [
    ("The postman was kind.", "The postwoman was kind."),
    ("The meeting was moved to Friday afternoon.", "They rescheduled the meeting for Friday afternoon."),
    ("We regret that the order cannot be shipped today.", "Unfortunately, we cannot ship the order today."),
    ("The committee approved the budget last week.", "Last week the budget was approved by the committee."),
]


@pytest.mark.model
@pytest.mark.parametrize(("model", "least"), [("en", len(MENDED)), ("en-fast", 1)])
def test_corrections_have_bands_of_their_own(model: str, least: int) -> None:
    scorer = Scorer(model=model)
    mended, reworded = ([r.judgement.band for r in scorer.score_pairs(pairs)] for pairs in (MENDED, REWORDED))
    assert sum(band in ("corrected", "recast") for band in mended) >= least
    assert set(reworded).isdisjoint(("corrected", "recast"))


@pytest.mark.model
def test_a_substitute_that_brings_a_mistake_has_a_note() -> None:
    from usim import Screen

    substitutes = ["hot", "very warm", "tepid", "warm's", "warms", "warm-"]
    screened = Screen().screen("The soup was warm.", 13, 17, substitutes)
    assert [bool(each.notes) for each in screened] == [False, False, False, True, True, True]
    assert all("mistake" in note for each in screened for note in each.to_dict().get("notes", ()))


@pytest.mark.model
def test_right_sentences_in_other_words_have_no_note() -> None:
    """The network knows sentences of learners, and finds mistakes in what is only said in a way of its own."""
    pairs = [
        (
            "Tonga beat Samoa, who had lost to nobody since 2021.",
            "Samoa, undefeated from 2021 on, were beaten by Tonga.",
        ),
        (
            "The tenant must hand back the keys no later than noon on the last day of the lease, failing which another "
            "week's rent falls due.",
            "Unless whoever rents the place has returned what opens its doors by midday on the day the agreement runs "
            "out, a further seven days' payment becomes owing.",
        ),
    ]
    assert [result.notes for result in Scorer().score_pairs(pairs)] == [(), ()]
