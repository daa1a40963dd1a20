"""The rows of Smart Word Suggestions, on small data of its form."""

import json
from pathlib import Path

import pytest

from experiments.common.printed import measure
from experiments.papers import load
from experiments.papers.sws import COLUMNS, SYSTEMS

SWS = load("sws")
WORDS = ["She", "has", "a", "big", "car", "."]
GOLD = {"s": {"sentence_split": WORDS, "substitutes": [[[3, 4], {"large": 3, "huge": 1}, 1], [[4, 5], {"auto": 2}, 2]]}}
OUTPUT = {"s": {"input_words": WORDS, "substitute_topk": [[["big", 3, 4], ["huge"] + ["none"] * 9]]}}
THESAURUS = {"big": [{"pos": "adjective", "Synonyms for": ["large", "grand"]}]}
PPDB = "[JJ] ||| big ||| large ||| PPDB2.0Score=5\n[NN] ||| car ||| auto ||| PPDB2.0Score=5\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "sws" / "outputs").mkdir(parents=True)
    for name in ("sws_eval.json", "sws_test.json"):
        (tmp_path / "sws" / name).write_text(json.dumps(GOLD), encoding="utf-8")
    return tmp_path


def measured(data: Path, name: str) -> dict[str, object]:
    report = measure("SWS", [SWS[name]], data)
    assert not report.problems
    return {figure.name: figure.measured for figure in report.figures}


def reasons(data: Path, name: str) -> str:
    return " ".join(figure.why for figure in measure("SWS", [SWS[name]], data).figures)


def test_the_worked_example_without_any_data(tmp_path: Path) -> None:
    figures = measured(tmp_path, "appendix D: worked example")
    values = [round(value, 4) for value in figures.values() if isinstance(value, float)]
    assert values == [4.3235, 5.1925, 0.8326, 0.8326, 0.8442]


def test_the_example_of_appendix_b_does_not_follow_end_to_end(tmp_path: Path) -> None:
    figures = {figure.name: figure for figure in SWS["appendix B: worked example"].figures(tmp_path)}
    assert [figure.agrees for figure in figures.values()] == [True, True, False, False]
    assert figures["end to end P"].measured == 0


def test_statistics_of_the_data(data: Path) -> None:
    figures = measured(data, "data: statistics")
    assert (figures["sentences"], figures["targets"], figures["suggestions"], figures["votes"]) == (1, 2, 3, 6)
    assert measured(data, "data: both parts")["sentences"] == 2
    assert measured(data, "data: both parts")["words of a sentence"] == 6
    assert measured(data, "data: both parts")["distinct words of a sentence"] == 6
    assert measured(data, "data: both parts")["targets of type 1, per cent"] == 50
    assert measured(data, "data: both parts")["words of a sentence, without marks"] == 5


def test_a_system_is_scored_from_its_output_where_that_is_there(data: Path) -> None:
    assert "sws/outputs/cmlm.json" in reasons(data, "systems: CMLM")
    (data / "sws" / "outputs" / "cmlm.json").write_text(json.dumps(OUTPUT), encoding="utf-8")
    figures = measured(data, "systems: CMLM")
    assert set(COLUMNS) < set(figures)
    assert (figures["detection P"], figures["accuracy"], figures["end to end R"]) == (1, 1, 1 / 2)
    assert figures["NDCG@1 (figure 4)"] == pytest.approx(1 / 3)
    assert len(SYSTEMS) == 8


def test_the_rule_based_system_takes_wordnet_or_the_authors_thesauri(data: Path) -> None:
    assert measured(data, "rules: WordNet (dev)")["detection R"] == 1
    assert "WordNet 3.0" in reasons(data, "rules: WordNet (dev)")
    assert "sws/thesaurus.json" in reasons(data, "rules: the authors' thesauri")
    assert measured(data, "table 5: Wiki-25.4%") == {"words replaced, per cent": None}
    (data / "sws" / "thesaurus.json").write_text(json.dumps(THESAURUS), encoding="utf-8")
    (data / "sws" / "ppdb-2.0-s-lexical").write_text(PPDB, encoding="utf-8")
    figures = measured(data, "rules: the authors' thesauri")
    assert (figures["detection P"], figures["detection R"], figures["accuracy"]) == (1, 1 / 2, 1)
    overlap = measured(data, "table 5: the authors' thesauri and suggestions (dev)")
    assert overlap["suggestions among synonyms: both"] == pytest.approx(1 / 3)
    assert overlap["suggestions among synonyms: either"] == pytest.approx(2 / 3)
    # Two of the six words have an entry in one of the two.
    assert measured(data, "table 5: Wiki-25.4%") == {"words replaced, per cent": pytest.approx(100 * 2 / 6)}
