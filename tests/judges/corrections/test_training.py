"""Training the model of corrections: errors, suggestions, tables, trees, and the whole command on a tiny cut."""

import importlib.util
import json
import random
from pathlib import Path

import numpy as np
import pytest

from judges.corrections import tables
from judges.corrections.__main__ import main
from judges.corrections.make import Labelled, Maker
from judges.corrections.train import export_trees, fit, labelled_features
from judges.corrections.wholes import WRITTEN, Wholes
from judges.corrections.wholes import written as written_pairs
from tests.benchmarks.conftest import written
from tests.support.graphs import gave
from training.errors import Errors
from training.misspell import british, by_sound, double, lose, misspell, misspellings, swap
from training.sentence import Sentence
from usim.spelling import CorrectionModel
from usim.spelling.words import WordTable, write_table
from usim.ucca import write_xml

needs_harper = pytest.mark.skipif(importlib.util.find_spec("harper") is None, reason="needs harper-py")

TEXTS = [
    "My best friend lives in a small village near the river.",
    "They believe that the weather will be beautiful tomorrow.",
    "She has always received many letters from her family.",
    "The government must protect the environment of the country.",
    "We definitely need more knowledge about these problems.",
    "His neighbour doesn't understand the different questions.",
]
WORDS = sorted({w.strip(".").lower() for text in TEXTS for w in text.split()} | set("fiend lover litters near".split()))


@pytest.fixture
def words(tmp_path: Path) -> WordTable:
    write_table(tmp_path / "words.npz", {word: (100 + len(word), 1, 2 + k % 5) for k, word in enumerate(WORDS)})
    return WordTable(tmp_path / "words.npz")


# -- errors ------------------------------------------------------------------------------------------------------------


def test_misspellings_are_those_of_the_seed() -> None:
    known = {"friend": ("freind", "frend")}
    first = [misspell("friend", known, random.Random(k)) for k in range(40)]
    assert first == [misspell("friend", known, random.Random(k)) for k in range(40)]
    assert {"freind", "frend"} <= set(first)
    assert len(set(first)) > 10


@pytest.mark.parametrize("rule", [by_sound, double, lose, swap])
def test_rules_stay_near_the_word(rule: object) -> None:
    for k in range(30):
        wrong = rule("knowledge", random.Random(k))  # type: ignore[operator]
        assert 7 <= len(wrong) <= 12


def test_errors_are_put_in() -> None:
    errors = Errors({}, {"colour": "color"})
    for text in TEXTS:
        wrong = errors.put(Sentence.of(text), random.Random(1))
        assert wrong != text
        assert wrong == errors.put(Sentence.of(text), random.Random(1))
        assert abs(len(wrong) - len(text)) < 20


def test_pairs_of_codespell() -> None:
    pairs = misspellings()
    assert "freind" in pairs["friend"]
    assert british()["colour"] == "color"


# -- tables and trees --------------------------------------------------------------------------------------------------


def test_what_is_seen_often_costs_less() -> None:
    counted = tables.confusions({"receive": ("recieve",), "believe": ("beleive",), "which": ("wich", "whcih")})
    letters = {letter: k for k, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    assert counted.lost[letters["w"], letters["h"]] < counted.lost[letters["b"], letters["e"]]
    assert counted.swapped[letters["i"], letters["e"]] < counted.swapped[letters["a"], letters["b"]]


def test_contexts(words: WordTable) -> None:
    counted = tables.contexts(words, [text.strip(".").split() for text in TEXTS])
    assert counted.shape[0] == 4
    assert counted.max() > 0
    assert np.array_equal(tables.rounded(counted), tables.rounded(tables.rounded(counted)))


def test_exported_trees_say_the_same() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 5)).astype(np.float32)
    y = ((x[:, 0] > 0) ^ (x[:, 1] > 0.5)).astype(np.int64)
    model = fit(x, y, np.ones(len(x)), max_iter=12)
    trees = export_trees(model)
    assert np.allclose(trees(x), model.decision_function(x), atol=1e-5)


# -- suggestions -------------------------------------------------------------------------------------------------------


@needs_harper
def test_suggestions_are_right_and_wrong_ones(words: WordTable) -> None:
    first, second = (
        [s for text in TEXTS for s in Maker(Errors(misspellings(), {}), words, 1).of_sentence(Sentence.of(text))]
        for _ in range(2)
    )
    assert first == second
    assert {suggestion.label for suggestion in first} == {0, 1}
    assert {"harper", "near"} <= {suggestion.origin for suggestion in first}


@needs_harper
def test_the_command(tmp_path: Path, words: WordTable, monkeypatch: pytest.MonkeyPatch) -> None:
    few = []
    for shipped in WRITTEN:
        (tmp_path / shipped.name).write_text("".join(shipped.read_text("utf-8").splitlines(keepends=True)[:100]))
        few.append(tmp_path / shipped.name)
    for module in ("__main__", "wholes"):
        monkeypatch.setattr(f"judges.corrections.{module}.WRITTEN", few)
    (tmp_path / "graphs").mkdir()
    write_xml(gave(), tmp_path / "graphs" / "1000.xml")
    (tmp_path / "none").touch()
    written(tmp_path / "swords-v1.1_dev.json.gz", {"contexts": {"c": {"context": " ".join(TEXTS)}}})
    given = ["--data", str(tmp_path), "--words", str(tmp_path / "none"), "--name", "tiny"]
    given += ["--graphs", f"wiki={tmp_path / 'graphs'}"]
    digests = []
    for out in (tmp_path / "one", tmp_path / "two"):
        out.mkdir()
        (out / "words.npz").write_bytes((tmp_path / "words.npz").read_bytes())
        main([*given, "--out", str(out)])
        digests.append(json.loads((out / "record.json").read_text())["made"])
    assert digests[0] == digests[1]
    assert {"suggestions.jsonl", "model/trees.npz"} <= set(digests[0])
    made_at = (tmp_path / "one/suggestions.jsonl").stat().st_mtime_ns
    main([*given, "--out", str(tmp_path / "one")])
    assert (tmp_path / "one/suggestions.jsonl").stat().st_mtime_ns == made_at  # nothing is done twice
    model = CorrectionModel(tmp_path / "one/model")
    assert model.name == "tiny"
    (correction,) = model("my best freind".split(), "my best friend".split()).corrected
    assert 0 <= correction.probability <= 1


def test_features_need_a_single_edit(words: WordTable) -> None:
    suggestion = Labelled("a b c", "a x c d", 0, "", "harper")
    assert not list(labelled_features(None, suggestion))  # type: ignore[arg-type]


def test_wholes_are_the_same_each_time(words: WordTable) -> None:
    def near(word: str, count: int) -> list[str]:
        return [other for other in ("friend", "fiend", "village", "lover") if other != word][:count]

    def made() -> list[Labelled]:
        maker = Wholes(Errors(misspellings(), {}), words, near, 1)
        sentences = [Sentence.of(text) for text in TEXTS]
        return [s for one in sentences for s in (*maker.of_sentence(one), *maker.of_words(one))]

    suggestions = made()
    assert suggestions == made()
    whole = [s for s in suggestions if s.origin == "whole" and s.label]
    assert {s.output for s in whole} <= set(TEXTS)
    assert all(s.right for s in suggestions)


def test_written_pairs_know_what_is_right(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    rows = ["My freind left.\tMy friend left.\t1\tspelling", "My freind left.\tMy fiend left.\t0\twrongword"]
    path.write_text("\n".join(["source\toutput\tlabel\tkind", *rows, "All is wrong.\tIt is.\t0\twrongsentence"]))
    right, wrong = written_pairs(path)
    assert (right.label, wrong.label) == (1, 0)
    assert right.right == wrong.right == ("My friend left.",)
    assert all(next(written_pairs(shipped)).origin == "written" for shipped in WRITTEN)
