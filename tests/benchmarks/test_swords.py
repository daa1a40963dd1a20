"""SWORDS: figures by hand, GAP, best and oot, errors, and the published scorer's figures."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.benchmarks import swords
from usim.benchmarks.swords import SwordsTarget, generalised_average_precision, semeval_record
from usim.errors import InputError

from .conftest import refused, written

YES, NO = "TRUE", "FALSE"
GOLD = {
    "t1": SwordsTarget(
        "running",
        "VERB",
        {
            "operate": (YES, YES, YES),
            "operates": (YES, NO),  # one lemma with the above: 4 of 5
            "manage": (YES, NO),  # conceivable, half is not acceptable
            "run": (YES, YES),  # the target itself
            "flow": (NO, "UNSURE"),
            "melt": ("UNSURE",),
        },
    ),
    "t2": SwordsTarget("quick", "ADJ", {"fast": (YES, YES), "swift": (YES, NO, NO), "slow": (NO,)}),
}


def test_lemmas_merge_labels_and_drop_the_target_and_the_unsure() -> None:
    result = swords.lemmatised_gold(GOLD)
    assert result["t1"].labels == {"operate": (YES, YES, YES, YES, NO), "manage": (YES, NO), "flow": (NO,)}
    # Those of a system keep the best score.
    made = {"t1": [("manages", 1.0), ("run", 9.0), ("operated", 2.0), ("Manage", 3.0), ("operating", 0.5)]}
    own = swords.lemmatised_predictions(made, GOLD)
    assert list(own["t1"].items()) == [("manage", 3.0), ("operate", 2.0)]


# Acceptable: operate, fast. Conceivable: operate, manage, fast, swift.
BY_HAND: dict[str, tuple[swords.Predictions, dict[str, float]]] = {
    "lenient leaves out what nobody judged": (
        {"t1": [("odd", 9.0), ("operating", 3.0), ("flow", 2.0)], "t2": [("swift", 1.0)]},
        {"lenient_a_p@10": 100 / 3, "strict_a_p@10": 100 / 4, "lenient_a_r@10": 50, "strict_a_r@10": 50}
        | {"lenient_c_p@10": 200 / 3, "strict_c_r@10": 50},
    ),
    "recall wants at most k and strict recall all": (
        {"t1": [("operate", 1.0)]},
        {"strict_c_r@1": 50, "strict_c_rs@1": 25, "strict_c_f@1": 200 / 3, "strict_c_fs@1": 40},
    ),
    "ties go by the order given": ({"t2": [("slow", 1.0), ("fast", 1.0)]}, {"lenient_a_p@1": 0}),
    "precision over attempted and recall over all": (
        {"t2": [("fast", 1.0)]},
        {"best_p": 100 * 2 / 3, "best_r": 100 * 1 / 3, "best_mode_p": 100, "best_mode_r": 50},
    ),
}


@pytest.mark.parametrize(("made", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_figures_by_hand(made: swords.Predictions, expected: dict[str, float]) -> None:
    figures = swords.Swords(GOLD).score(made, resamples=0).figures
    assert {name: figures[name] for name in expected} == pytest.approx(expected, rel=1e-12, abs=0)


# Generalised average precision


def test_gap_by_hand() -> None:
    weights = {"a": 3.0, "b": 2.0, "c": 0.0}
    ideal = 3 / 1 + 5 / 2
    assert generalised_average_precision(weights, ["a", "b", "c"]) == 1
    assert generalised_average_precision(weights, ["c", "b", "a"]) == pytest.approx((2 / 2 + 5 / 3) / ideal)
    assert generalised_average_precision(weights, ["odd", "a"]) == pytest.approx((3 / 2) / ideal)
    assert generalised_average_precision(weights, []) == 0
    assert math.isnan(generalised_average_precision({"a": 0}, ["a"]))


def test_gap_is_the_mean_over_targets_with_a_positive_label() -> None:
    gold = {**GOLD, "t3": SwordsTarget("odd", "ADJ", {"even": (NO,)})}
    made = {"t1": [("operate", 2.0), ("manage", 1.0)], "t2": [("slow", 3.0), ("fast", 2.0)], "t3": [("even", 1.0)]}
    figures = swords.Swords(gold).score(made, resamples=0).figures
    second = (2 / 2) / (2 / 1 + 3 / 2)
    assert figures["gap"] == pytest.approx(100 * (1 + second) / 2)


weighted = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 9), min_size=1)


@given(weighted, st.permutations("abcdefgh"))
def test_gap_is_a_share_and_the_ideal_ranking_has_all_of_it(weights: dict[str, int], order: list[str]) -> None:
    gap = generalised_average_precision(weights, order)
    if any(weights.values()):
        assert 0 < gap <= 1 + 1e-12
        best = sorted(weights, key=lambda item: -weights[item])
        assert generalised_average_precision(weights, best) == 1
    else:
        assert math.isnan(gap)


# SemEval-2007


def test_best_divides_by_the_guesses_and_oot_takes_the_first_ten() -> None:
    votes = {"glad": 3, "merry": 1, "sunny": 1}
    record = semeval_record(votes, ["merry", "glad"])
    assert record["best"] == pytest.approx((1 / 5 + 3 / 5) / 2)
    assert record["oot"] == pytest.approx(4 / 5)
    assert (record["best mode"], record["oot mode"]) == (False, True)
    late = semeval_record({"glad": 2}, [f"odd{i}" for i in range(10)] + ["glad"])
    assert (late["oot"], late["oot mode"], late["best"]) == (0, 0, 1 / 11)
    # There is no mode among equals, and no item with one vote.
    assert "modes" not in semeval_record({"glad": 2, "merry": 2}, ["glad"])
    assert semeval_record({"glad": 1, "sad": 0}, ["glad"]) == {}


def test_habits_of_the_task_s_scorer() -> None:
    votes = {"colour": 2, "well-known": 1, "nontoxic": 1}
    assert semeval_record(votes, ["well known"])["oot"] == 1 / 4
    assert semeval_record(votes, ["well-known"])["oot"] == 1 / 4
    assert semeval_record(votes, ["color"])["oot"] == 0  # its table of American spellings is empty
    assert semeval_record(votes, ["non-toxic"])["oot"] == 1 / 4
    hyphenated = semeval_record({"well-known": 3, "famous": 1}, ["well-known"])
    assert (hyphenated["best"], hyphenated["best mode"]) == (3 / 4, False)
    assert semeval_record({"hypnotic": 3, "glad": 1}, ["glad"]) == {}
    assert semeval_record({"hypnotic": 3, "glad": 2}, ["glad"])["best"] == 1
    assert semeval_record({"x": 3}, ["x"]) == {"items": 1}
    # Of a phrase with a comma the last part is read, and replaces the votes that it had, but not its rank as the mode.
    phrase = semeval_record({"really": 9, "most": 8, "much, really": 8}, ["really"])
    assert (phrase["best"], phrase["best mode"]) == (8 / 16, True)


# Files


def data_set(**changes: Any) -> dict[str, Any]:
    return {
        "targets": {"t1": {"target": "quick", "pos": "ADJ", "context_id": "c", "offset": 0}},
        "substitutes": {"s1": {"target_id": "t1", "substitute": "fast"}},
        "substitute_labels": {"s1": ["TRUE", "UNSURE"]},
        **changes,
    }


@pytest.mark.parametrize("name", ["gold.json", "gold.json.gz"])
def test_gold_from_a_file_and_predictions_in_both_forms(tmp_path: Path, name: str) -> None:
    gold = swords.Swords.open(written(tmp_path / name, data_set())).gold
    assert gold == {"t1": SwordsTarget("quick", "ADJ", {"fast": ("TRUE", "UNSURE")})}
    plain = {"t1": [["fast", 2], ["slow", 1.5]]}
    for value in (plain, {"substitutes_lemmatized": True, "substitutes": plain}):
        found = swords.Swords(gold).read_predictions(written(tmp_path / "pred.json", value))
        assert found == {"t1": [("fast", 2.0), ("slow", 1.5)]}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"targets": []}, "record 'targets': Expected `object`"),
        ({"targets": {}}, "not among the targets"),
        ({"targets": {}, "substitutes": {}}, "no target"),
        ({"targets": {"t1": {"pos": "ADJ"}}}, "record 't1': .*`target`"),
        ({"substitutes": {"s1": {"target_id": "t2", "substitute": "x"}}}, "not among the targets"),
        ({"substitute_labels": {}}, "record 's1': its labels are missing"),
        ({"substitute_labels": {"s1": []}}, "length >= 1"),
        ({"substitute_labels": {"s1": ["MAYBE"]}}, "'MAYBE'"),
    ],
)
def test_gold_that_does_not_fit(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    refused(swords.Swords.open, written(tmp_path / "gold.json", data_set(**changes)), said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"t9": []}, "not in the gold file"),
        ({"t1": ["fast"]}, "record 't1': Expected `array`, got `str`"),
        ({"t1": [["fast", "2"]]}, "Expected `float`, got `str`"),
        ({"t1": [["fast", 10**400]]}, "out of range"),
        ({"substitutes_lemmatized": True}, "record 'substitutes'"),
        ([], "a JSON object is needed"),
    ],
    ids=range(6),
)
def test_predictions_that_do_not_fit(tmp_path: Path, value: object, said: str) -> None:
    gold = swords.Swords.open(written(tmp_path / "gold.json", data_set())).gold
    refused(swords.Swords(gold).read_predictions, written(tmp_path / "pred.json", value), said)


def test_values_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="not in the gold data"):
        swords.Swords(GOLD).score({"t9": []})


# Against the published scorer


@pytest.mark.data
def test_figures_of_the_published_scorer(data: Path) -> None:
    names = {"gap (labels counted)": "gap", "gap (share of labels)": "gap_rat"}
    golden = json.loads((data / "scorer-golden" / "swords_golden.json").read_text())
    benchmark = swords.Swords.open(data / "swords-v1.1_dev.json.gz")
    for system in ("swords_pred_a.json", "swords_pred_b.json", "swords_rank.json"):
        found = benchmark.read_predictions(data / "scorer-golden" / system)
        figures = benchmark.score(found, resamples=0).figures
        expected = {names.get(name, name): value for name, value in golden[system].items()}
        assert expected
        assert {name: figures[name] for name in expected} == pytest.approx(expected, abs=1e-9), system


def test_raw_answers_as_published(tmp_path: Path) -> None:
    """Of Wordtune and GPT-3, for targets of the gold data; others are left out."""
    clues = [{"suggestion": "slow", "score": 0.1, "rank": 2}, {"suggestion": "fast", "score": 0.7}]
    answers = {
        "t1": {"choices": [{"text": " fast, slow,  fast, "}]},
        "t2": {"context": "…", "drilldown": {"suggestions": clues}},
        "x": {"drilldown": None},
    }
    read = swords.Swords(GOLD).read_predictions(written(tmp_path / "answers.json", answers))
    assert read == {"t1": [("fast", 0.0), ("slow", -1.0)], "t2": [("fast", 0.7), ("slow", 0.1)]}
    none = swords.Swords(GOLD).read_predictions(written(tmp_path / "none.json", {"t1": {"drilldown": None}}))
    assert none == {"t1": []}
    answers["t2"] = {"drilldown": {"suggestions": [{"score": 1}]}}
    refused(swords.Swords(GOLD).read_predictions, written(tmp_path / "bad.json", answers), "t2")
