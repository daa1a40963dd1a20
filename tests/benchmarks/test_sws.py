"""Smart Word Suggestions: worked examples, errors, and the published script's figures."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.benchmarks import sws
from usim.benchmarks.sws import Sentence, SwsTarget, ndcg
from usim.errors import InputError, UsimError
from usim.text import Span

from .conftest import refused, written

WORDS = tuple("My knowing of this place is very big and I am intimate with it".split())


def sentence(*targets: SwsTarget) -> Sentence:
    return Sentence(WORDS, targets)


KNOWING = SwsTarget(1, 2, {"knowledge": 3, "understanding": 2}, 1)
VERY_BIG = SwsTarget(6, 8, {"vast": 2, "great": 2}, 2)
INTIMATE = SwsTarget(11, 12, {"familiar": 4, "close": 1, "acquainted": 1}, 1)
PLACE = SwsTarget(4, 5, {"location": 2}, 2)
FOUR = {"s": sentence(KNOWING, VERY_BIG, INTIMATE, PLACE)}
NAN = math.nan


def scored(found: Mapping[Span, Sequence[str]], gold: sws.Gold = FOUR) -> dict[str, float]:
    """The figures of what was found in the sentence *s*."""
    return sws.Sws(gold).score({"s": found}, resamples=0).figures


# Each figure by hand; the first two are the worked examples of the paper's appendices, on data of our own

BY_HAND: dict[str, tuple[dict[Span, tuple[str, ...]], dict[str, float]]] = {
    "one target in two tries among four": (
        {(1, 2): ("knowledge",), (8, 9): ("plus",)},
        {"p_detection": 1 / 2, "r_detection": 1 / 4, "f_detection": 1 / 3}
        | {"f_detection_05": 1.25 * 0.5 * 0.25 / (0.25 * 0.5 + 0.25)},
    ),
    "only the first suggestion counts end to end": (
        {(1, 2): ("knowledge",), (11, 12): ("near", "familiar"), (8, 9): ("plus",)},
        {"p_e2e": 1 / 3, "r_e2e": 1 / 4, "p_detection": 2 / 3, "acc_recommendation": 1 / 2},
    ),
    "weighted accuracy counts votes, the improvable ratio words": (
        {(6, 8): ("vast",), (11, 12): ("odd",)},
        {"weighted_acc_detection": (4 + 6) / (5 + 4 + 6 + 2), "substitute_rate": 3 / len(WORDS)},
    ),
    "a span must match exactly": ({(7, 8): ("vast",)}, {"p_detection": 0}),
    "by type and by voting index": (
        {(1, 2): ("knowledge",), (4, 5): ("odd",)},
        {"r_detection_type.1": 1 / 2, "r_detection_type.2": 1 / 2, "r_e2e_type.1": 1 / 2, "r_e2e_type.2": 0}
        | {"acc_recommendation_type.1": 1, "acc_recommendation_type.2": 0, "r_e2e_votes.2": 0}
        | {f"r_detection_votes.{votes}": recall for votes, recall in ((2, 1), (4, 0), (5, 1), (6, 0))}
        | {"acc_recommendation_votes.5": 1, "acc_recommendation_votes.6": NAN},
    ),
    "nothing found": (
        {},
        {"p_detection": NAN, "ndcg_recommendation": NAN} | dict.fromkeys(("r_detection", "f_detection", "f_e2e_05"), 0),
    ),
    "a target named without a suggestion is detected and no more": (
        {(1, 2): ()},
        {"r_detection": 1 / 4} | dict.fromkeys(("acc_recommendation", "ndcg_recommendation", "p_e2e"), 0),
    ),
}


@pytest.mark.parametrize(("found", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_figures_by_hand(found: dict[Span, tuple[str, ...]], expected: dict[str, float]) -> None:
    figures = scored(found)
    assert {name: figures[name] for name in expected} == pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)


# The votes of appendix D's example, and the system's list there: of its five suggestions, three are gold ones.
VOTES = {"first": 3, "second": 2, "third": 1, "fourth": 1}
LIST = ("second", "first", "wrong", "third", "also wrong")


def test_ndcg_over_one_to_four_positions() -> None:
    figures = scored({(1, 2): LIST}, {"s": sentence(SwsTarget(1, 2, VOTES, 1))})
    assert [round(figures[f"ndcg@{m}"], 4) for m in sws.POSITIONS] == [0.6667, 0.9134, 0.8175, 0.8326]
    assert list(figures).index("ndcg@1") == list(figures).index("ndcg_recommendation") + 1


def test_a_short_list_counts_as_filled_up_over_m_positions() -> None:
    gold = {"s": sentence(SwsTarget(1, 2, VOTES, 1))}
    short, full = scored({(1, 2): LIST[:2]}, gold), scored({(1, 2): (*LIST[:2], *["none"] * 8)}, gold)
    assert [short[f"ndcg@{m}"] for m in (1, 2, 3, 4)] == [full[f"ndcg@{m}"] for m in (1, 2, 3, 4)]
    # The published script cuts the ideal to what was made; its own systems' lists have ten suggestions each.
    assert short["ndcg_recommendation"] > full["ndcg_recommendation"]


def test_accuracy_is_pooled_over_sentences() -> None:
    gold = {"a": sentence(KNOWING, VERY_BIG, INTIMATE), "b": sentence(PLACE), "c": sentence(PLACE)}
    found = {
        "a": {(1, 2): ("odd",), (6, 8): ("odd",), (11, 12): ("close",)},
        "b": {(4, 5): ("location",)},
        "c": {(0, 1): ("odd",)},
    }
    result = sws.Sws(gold).score(found, resamples=0)
    assert result.figures["acc_recommendation"] == 2 / 4
    # In the tables of the paper, precision of detection times accuracy is precision end to end.
    figures = result.figures
    assert figures["p_detection"] * figures["acc_recommendation"] == pytest.approx(figures["p_e2e"])
    assert "|def:script|ndcg:votes/log2,m=made,ideal=made|acc:pooled|" in result.signature


def test_the_ideal_is_cut_to_what_was_made_and_a_repeated_suggestion_gains_twice() -> None:
    assert ndcg(["a"], {"a": 2, "b": 1}) == ndcg(["a", "a"], {"a": 1, "b": 1}) == 1
    assert ndcg(["a"], {"a": 2, "b": 1}, 5) == pytest.approx(2 / (2 + 1 / math.log2(3)))
    assert ndcg([], {"a": 1}) == 0


made = st.dictionaries(
    st.sampled_from([KNOWING.span, VERY_BIG.span, INTIMATE.span, PLACE.span, (0, 1), (2, 4)]),
    st.lists(st.sampled_from(["knowledge", "vast", "great", "familiar", "close", "location", "odd"]), max_size=6),
)


@given(made)
def test_figures_are_shares_and_more_suggestions_never_detect_less(found: dict[tuple[int, int], list[str]]) -> None:
    found = {span: list(dict.fromkeys(suggestions)) for span, suggestions in found.items()}
    figures = scored(found)
    assert all(math.isnan(value) or -1e-12 <= value <= 1 + 1e-12 for value in figures.values())
    assert figures["r_e2e"] <= figures["r_detection"]
    more = {**found, PLACE.span: ["odd"]}
    assert scored(more)["r_detection"] >= figures["r_detection"]


def test_gold_as_a_system_is_perfect() -> None:
    perfect = {t.span: sorted(t.suggestions, key=lambda s: -t.suggestions[s]) for t in FOUR["s"].targets}
    assert {value for name, value in scored(perfect).items() if name != "substitute_rate"} == {1.0}


# Files


def gold_record(**changes: Any) -> dict[str, Any]:
    return {"sentence_split": list(WORDS), "substitutes": [[[1, 2], {"knowledge": 2}, 1]], **changes}


def prediction_record(**changes: Any) -> dict[str, Any]:
    return {"input_words": list(WORDS), "substitute_topk": [[["knowing", 1, 2], ["knowledge"]]], **changes}


def test_gold_and_predictions_from_files(tmp_path: Path) -> None:
    gold = sws.Sws.open(written(tmp_path / "gold.json", {"s": gold_record()})).gold
    found = sws.Sws(gold).read_predictions(written(tmp_path / "pred.json", {"s": prediction_record()}))
    assert gold == {"s": sentence(SwsTarget(1, 2, {"knowledge": 2}, 1))}
    assert found == {"s": {(1, 2): ("knowledge",)}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"substitutes": None}, "Expected `array`, got `null`: `substitutes`"),
        ({"sentence_split": [1]}, "Expected `str`, got `int`"),
        ({"substitutes": [[[1, 2], {"a": 1}]]}, "`array` of length 3"),
        ({"substitutes": [[[2, 1], {"a": 1}, 1]]}, "a span must lie within"),
        ({"substitutes": [[[1, 99], {"a": 1}, 1]]}, "a span must lie within"),
        ({"substitutes": [[[1, 2], {"a": 0}, 1]]}, "`int` >= 1"),
        ({"substitutes": [[[1, 2], {"a": 1}, 3]]}, "Invalid enum value 3"),
        ({"substitutes": [[[1, 2], {"a": 1}, 1], [[1, 2], {"b": 1}, 1]]}, "same span"),
    ],
)
def test_gold_records_that_do_not_fit(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    assert "'s7'" in refused(sws.Sws.open, written(tmp_path / "gold.json", {"s7": gold_record(**changes)}), said)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ({}, "missing"),
        ({"s": prediction_record(), "odd": prediction_record()}, "not in the gold file"),
        ({"s": {"input_words": list(WORDS)}}, "missing required field `substitute_topk`"),
        ({"s": prediction_record(input_words=["Other", "words"])}, "not the words of the gold sentence"),
        ({"s": prediction_record(substitute_topk=[[["other", 1, 2], ["a"]]])}, "not the text of the target"),
        ({"s": prediction_record(substitute_topk=[[["knowing", 1], ["a"]]])}, "a target must be"),
        ({"s": prediction_record(substitute_topk=[[["knowing", 1, 2], "a"]])}, "a target must be"),
        ({"s": prediction_record(substitute_topk=[[["knowing", 1, 2], ["a"]]] * 2)}, "same span"),
        ({"s": []}, "Expected `object`, got `array`"),
    ],
)
def test_predictions_that_do_not_fit(tmp_path: Path, records: dict[str, Any], said: str) -> None:
    gold = sws.Sws.open(written(tmp_path / "gold.json", {"s": gold_record()})).gold
    assert "record '" in refused(sws.Sws(gold).read_predictions, written(tmp_path / "pred.json", records), said)


def test_values_and_files_that_do_not_fit(tmp_path: Path) -> None:
    empty = written(tmp_path / "empty.json", {})
    refused(sws.Sws.open, empty, "no sentence")
    with pytest.raises(UsimError, match="not in the gold data"):
        sws.Sws(FOUR).score({"odd": {}})
    with pytest.raises(InputError, match="nothing to score"):
        sws.Sws({}).score({})


# Against the published script


@pytest.mark.data
@pytest.mark.parametrize("system", ["sws_pred_a.json", "sws_pred_b.json"])
def test_figures_of_the_published_script(data: Path, system: str) -> None:
    golden = json.loads((data / "scorer-golden" / "sws_golden.json").read_text())[system]
    gold = sws.Sws.open(data / "sws_eval.json").gold
    found = sws.Sws(gold).read_predictions(data / "scorer-golden" / system)
    figures = sws.Sws(gold).score(found, resamples=0).figures
    for name, value in golden.items():
        by_type = value if isinstance(value, list) else []
        ours = [figures[f"{name}.{i}"] for i, _ in enumerate(by_type, 1)] or figures[name]
        assert ours == pytest.approx(value, abs=1e-9), name
