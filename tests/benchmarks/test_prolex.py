"""ProLex: figures by hand, the two forms of predictions, errors, and the published script's figures."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from usim.benchmarks import prolex
from usim.benchmarks.prolex import ProLexTarget
from usim.cli.benchmark import command_of
from usim.errors import InputError

from .conftest import refused, written

GOLD = {
    0: ProLexTarget("overall", "But **overall**, no.", ("generally", "on the whole"), ("on the whole",)),
    1: ProLexTarget("cause", "Cars **cause** noise.", ("leads to", "bring about", "produce"), ("bring about",)),
    2: ProLexTarget("freely", "They **freely** go.", (), ()),
}

BY_HAND: dict[str, tuple[prolex.Predictions, int, dict[str, float]]] = {
    "ratios of sums": (
        {0: ["generally", "finally"], 1: ["produce", "bring about", "make"], 2: ["openly"]}, 10,
        {"hard_acceptable_p@10": 3 / 5, "hard_acceptable_r@10": 3 / 5, "hard_acceptable_f@10": 3 / 5}
        | {"hard_proficient_p@10": 1 / 5, "hard_proficient_r@10": 1 / 2},
    ),
    "only k count and recall wants no more than k": (
        {1: ["make", "produce", "bring about"]}, 2, {"hard_acceptable_p@2": 1 / 2, "hard_acceptable_r@2": 1 / 4},
    ),
    "repeated substitutes are one but take a place each": (
        {1: ["produce", "produce", "bring about"]}, 2, {"hard_acceptable_p@2": 1},
    ),
    "soft compares the lemma of the first word": (
        {1: ["leading", "produced"]}, 10,
        {"hard_acceptable_p@10": 0, "soft_acceptable_p@10": 1, "soft_acceptable_r@10": 2 / 5},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("made", "k", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_figures_by_hand(made: prolex.Predictions, k: int, expected: dict[str, float]) -> None:
    figures = prolex.ProLex(GOLD, k=k).score(made, resamples=0).figures
    assert {name: figures[name] for name in expected} == pytest.approx(expected, rel=1e-12, abs=0)


@given(st.lists(st.sampled_from(["generally", "on the whole", "finally", "in all"]), max_size=12), st.integers(1, 12))
def test_precision_and_recall_lie_in_order(made: list[str], k: int) -> None:
    figures = prolex.ProLex(GOLD, k=k).score({0: made}, resamples=0).figures
    assert all(value != value or 0 <= value <= 1 for value in figures.values())
    for part in ("p", "r", "f"):
        proficient, acceptable = (figures[f"hard_{aspect}_{part}@{k}"] for aspect in ("proficient", "acceptable"))
        if part == "p" and made:
            assert proficient <= acceptable


class Token:
    def __init__(self, text: str) -> None:
        self.lemma_ = text.removesuffix("s").upper()


def test_lemmas_of_spacy_in_the_soft_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(model: str) -> Any:
        if model != "small":
            raise OSError("no such model")
        return type("Model", (), {"meta": {"version": "1"}, "__call__": lambda self, text: map(Token, text.split())})()

    stand_in = SimpleNamespace(load=load, __version__="3")
    monkeypatch.setitem(sys.modules, "spacy", stand_in)
    gold, made = written(tmp_path / "gold.csv", HEADER + ROWS), written(tmp_path / "pred", "overall.J 0 ::: LEAD\n")
    benchmark = prolex.ProLex.open(gold, spacy="small")
    figures = benchmark.score({1: ["lead", "broughts"]}, resamples=0)
    assert figures.figures["soft_acceptable_p@10"] == 1 / 2  # lead is as "leads to"; WordNet knows no "broughts"
    assert "lemma:spacy-3-small-1+first-word" in figures.signature
    done = CliRunner().invoke(command_of("prolex"), [str(gold), str(made), "--spacy", "none"])
    assert isinstance(done.exception, InputError)
    assert "spacy download none" in str(done.exception)


def test_lemmas_of_spacy_itself() -> None:
    spacy = pytest.importorskip("spacy")
    model = next(iter(spacy.util.get_installed_models()), None)
    if model is None or not spacy.load(model).has_pipe("lemmatizer"):
        pytest.skip("no model of spaCy is installed")
    lemmatise = prolex.SpacyLemmatiser(model)
    assert [lemmatise(phrase) for phrase in ("leading to", "cats", "")] == ["lead", "cat", ""]


# Files

HEADER = "target word,Sentence,acc_subs,unacc_subs,prof_acc_subs,prof_unacc_subs\n"
ROWS = (
    "overall,\"But **overall**, no.\",\"['generally', 'on the whole']\",[],['on the whole'],[]\n"
    "cause,Cars **cause** noise.,\"['leads to', 'bring about', 'produce']\",[],['bring about'],[]\n"
    "freely,They **freely** go.,[],[],[],[]\n"
)


def test_gold_and_predictions_as_a_table_or_as_lines_in_any_order(tmp_path: Path) -> None:
    assert prolex.ProLex.open(written(tmp_path / "gold.csv", HEADER + ROWS)).gold == GOLD
    table = 'target word,Sentence,Substitutes\noverall,x,"finally, on the whole"\ncause,x,make\nfreely,x,\n'
    found = prolex.ProLex(GOLD).read_predictions(written(tmp_path / "pred", table))
    assert found == {0: ("finally", "on the whole"), 1: ("make",), 2: ()}
    lines = "cause.V 1 ::: make;bring about\noverall.J 0 ::: finally\n\nfreely.R 2 :::\n"
    found = prolex.ProLex(GOLD).read_predictions(written(tmp_path / "pred", lines))
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
        ("target word,Sentence,Substitutes\noverall,x\n", ":2: a record with other fields"),
        ("Substitutes\na\nb\nc\nd\n", ":5: target 3 is not in the gold file"),
        ("", "no column"),
        (f"overall.J 0 ::: broadly\noverall.J {'1' * 5000} ::: broadly\n", "not of the form"),
    ],
)
def test_predictions_that_do_not_fit(tmp_path: Path, text: str, said: str) -> None:
    refused(prolex.ProLex(GOLD).read_predictions, written(tmp_path / "pred", text), said)


@pytest.mark.parametrize("value", ["x", "{'a'}", "[1]", "['a'"])
def test_gold_lists_that_are_none(tmp_path: Path, value: str) -> None:
    path = written(tmp_path / "gold.csv", HEADER + f"a,s,{value},[],[],[]\n")
    refused(prolex.ProLex.open, path, "gold.csv:2.*'acc_subs' must be a list of strings")


def test_values_and_files_that_do_not_fit(tmp_path: Path) -> None:
    refused(prolex.ProLex.open, written(tmp_path / "gold.csv", HEADER), "no target")
    with pytest.raises(InputError, match="target 9"):
        prolex.ProLex(GOLD).score({9: ["a"]})
    with pytest.raises(InputError, match="k must be"):
        prolex.ProLex(GOLD, k=0).score({})


# Against the published script


@pytest.mark.data
def test_figures_of_the_published_script(data: Path) -> None:
    golden = json.loads((data / "scorer-golden" / "prolex_golden.json").read_text())
    gold = prolex.ProLex.open(data / "ProLex_v1.0_dev.csv").gold
    assert golden
    for system, settings in golden.items():
        figures = prolex.ProLex(gold).score(prolex.ProLex(gold).read_predictions(data / system), resamples=0).figures
        for setting, aspect in (("hard acceptable @10", "acceptable"), ("hard proficiency @10", "proficient")):
            for part in ("precision", "recall", "f1"):
                assert figures[f"hard_{aspect}_{part[0]}@10"] == pytest.approx(settings[setting][part], abs=1e-9)
