"""ProLex: figures by hand, the two forms of predictions, errors, and the published script's figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.benchmarks import prolex
from usim.benchmarks.prolex import ProLexTarget
from usim.errors import FormatError, InputError, UsimError
from usim.lexicon.lemmatise import SpacyFirstWordLemmatiser

GOLD = {
    0: ProLexTarget("overall", "But **overall**, no.", ("generally", "on the whole"), ("on the whole",)),
    1: ProLexTarget("cause", "Cars **cause** noise.", ("leads to", "bring about", "produce"), ("bring about",)),
    2: ProLexTarget("freely", "They **freely** go.", (), ()),
}


def test_precision_recall_and_f_are_ratios_of_sums() -> None:
    made = {0: ["generally", "finally"], 1: ["produce", "bring about", "make"], 2: ["openly"]}
    figures = prolex.ProLex(GOLD).score(made, resamples=0).figures
    precision, recall = 3 / 5, 3 / 5
    assert figures["hard_acceptable_p@10"] == precision
    assert figures["hard_acceptable_r@10"] == recall
    assert figures["hard_acceptable_f@10"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert figures["hard_proficient_p@10"] == 1 / 5
    assert figures["hard_proficient_r@10"] == 1 / 2


def test_only_k_count_and_recall_wants_no_more_than_k() -> None:
    figures = prolex.ProLex(GOLD, k=2).score({1: ["make", "produce", "bring about"]}, resamples=0).figures
    assert figures["hard_acceptable_p@2"] == 1 / 2
    assert figures["hard_acceptable_r@2"] == 1 / 4


def test_repeated_substitutes_are_one_but_take_a_place_each() -> None:
    figures = prolex.ProLex(GOLD, k=2).score({1: ["produce", "produce", "bring about"]}, resamples=0).figures
    assert figures["hard_acceptable_p@2"] == 1


def test_soft_compares_the_lemma_of_the_first_word() -> None:
    figures = prolex.ProLex(GOLD).score({1: ["leading", "produced"]}, resamples=0).figures
    assert figures["hard_acceptable_p@10"] == 0
    assert figures["soft_acceptable_p@10"] == 1
    assert figures["soft_acceptable_r@10"] == 2 / 5


def test_the_lemmatiser_may_be_any_function_and_is_named() -> None:
    def first_letter(substitute: str) -> str:
        return substitute[0]

    result = prolex.ProLex(GOLD, lemmatise=first_letter).score({1: ["lurk", "party"]}, resamples=0)
    assert result.figures["soft_acceptable_p@10"] == 1
    assert result.signature.startswith("usim|prolex|k:10|avg:micro|lemma:first_letter|n:3|v:")


def test_without_spacy_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsimError, match=r"pip install spacy, then"):
        SpacyFirstWordLemmatiser()


@given(st.lists(st.sampled_from(["generally", "on the whole", "finally", "in all"]), max_size=12), st.integers(1, 12))
def test_precision_and_recall_lie_in_order(made: list[str], k: int) -> None:
    figures = prolex.ProLex(GOLD, k=k).score({0: made}, resamples=0).figures
    assert all(value != value or 0 <= value <= 1 for value in figures.values())
    for part in ("p", "r", "f"):
        proficient, acceptable = (figures[f"hard_{aspect}_{part}@{k}"] for aspect in ("proficient", "acceptable"))
        if part == "p" and made:
            assert proficient <= acceptable


# Files

HEADER = "target word,Sentence,acc_subs,unacc_subs,prof_acc_subs,prof_unacc_subs\n"
ROWS = (
    "overall,\"But **overall**, no.\",\"['generally', 'on the whole']\",[],['on the whole'],[]\n"
    "cause,Cars **cause** noise.,\"['leads to', 'bring about', 'produce']\",[],['bring about'],[]\n"
    "freely,They **freely** go.,[],[],[],[]\n"
)


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    path = tmp_path / "gold.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    return path


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pred"
    path.write_text(text, encoding="utf-8")
    return path


def test_gold_from_a_file(gold_file: Path) -> None:
    assert prolex.read_gold(gold_file) == GOLD


def test_predictions_as_a_table(tmp_path: Path, gold_file: Path) -> None:
    text = 'target word,Sentence,Substitutes\noverall,x,"finally, on the whole"\ncause,x,make\nfreely,x,\n'
    found = prolex.read_predictions(written(tmp_path, text), prolex.read_gold(gold_file))
    assert found == {0: ("finally", "on the whole"), 1: ("make",), 2: ()}


def test_predictions_as_lines_in_any_order(tmp_path: Path, gold_file: Path) -> None:
    text = "cause.V 1 ::: make;bring about\noverall.J 0 ::: finally\n\nfreely.R 2 :::\n"
    found = prolex.read_predictions(written(tmp_path, text), prolex.read_gold(gold_file))
    assert found == {0: ("finally",), 1: ("make", "bring about"), 2: ()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("overall.J 0 ::: a\n", "2 of 3 targets"),
        ("overall.J 0 ::: a\noverall.J 0 ::: b\n", ":2: a second line"),
        ("overall.J 0 ::: a\nodd\n", ":2: not of the form"),
        ("overall.J 7 ::: a\n", ":1: target 7 is not in the gold file"),
        ("cause.V 0 ::: a\n", ":1: target 0 is 'overall'"),
        ("target word,Sentence\noverall,x\n", ":1: no column 'Substitutes'"),
        ("target word,Sentence,Substitutes\noverall,x,a\nfreely,x,b\n", ":3: target 1 is 'cause'"),
        ("target word,Sentence,Substitutes\noverall,x\n", ":2: a record with fewer fields"),
        ("Substitutes\na\nb\nc\nd\n", ":5: target 3 is not in the gold file"),
        ("", "no column"),
    ],
)
def test_predictions_that_do_not_fit(tmp_path: Path, gold_file: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(FormatError, match=said) as caught:
        prolex.read_predictions(path, prolex.read_gold(gold_file))
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("value", ["x", "{'a'}", "[1]", "['a'"])
def test_gold_lists_that_are_none(tmp_path: Path, value: str) -> None:
    path = written(tmp_path, HEADER + f"a,s,{value},[],[],[]\n")
    with pytest.raises(FormatError, match="'acc_subs' must be a list of strings") as caught:
        prolex.read_gold(path)
    assert caught.value.line == 2


def test_gold_without_a_target(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no target"):
        prolex.read_gold(written(tmp_path, HEADER))


def test_values_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="target 9"):
        prolex.ProLex(GOLD).score({9: ["a"]})
    with pytest.raises(InputError, match="k must be"):
        prolex.ProLex(GOLD, k=0).score({})


# Against the published script


@pytest.mark.data
def test_figures_of_the_published_script(data: Path) -> None:
    golden = json.loads((data / "scorer-golden" / "prolex_golden.json").read_text())
    gold = prolex.read_gold(data / "ProLex_v1.0_dev.csv")
    for system, settings in golden.items():
        figures = prolex.ProLex(gold).score(prolex.read_predictions(data / system, gold), resamples=0).figures
        for setting, aspect in (("hard acceptable @10", "acceptable"), ("hard proficiency @10", "proficient")):
            for part in ("precision", "recall", "f1"):
                assert figures[f"hard_{aspect}_{part[0]}@10"] == pytest.approx(settings[setting][part], abs=1e-9)


def test_a_number_of_thousands_of_digits_is_no_target(tmp_path: Path) -> None:
    path = tmp_path / "p.oot"
    path.write_text(f"overall.J 0 ::: broadly\noverall.J {'1' * 5000} ::: broadly\n", encoding="utf-8")
    with pytest.raises(FormatError, match="not of the form"):
        prolex.read_predictions(path, GOLD)
