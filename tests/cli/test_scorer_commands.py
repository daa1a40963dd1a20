"""``usim sws``, ``usim prolex``, ``usim swords``: formats, warnings, exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.command import usim_here

WORDS = ["An", "intimate", "friend"]
SWS = {"s": {"sentence_split": WORDS, "substitutes": [[[1, 2], {"close": 3, "dear": 1}, 1]]}}
SWS_FOUND = {"s": {"input_words": WORDS, "substitute_topk": [[["intimate", 1, 2], ["close"]], [["An", 0, 1], ["A"]]]}}
SWS_RAW = {
    "s": {
        "sentence_split": WORDS,
        "annotations": {"a": [[[1, 2], ["close"], 1]], "b": [[[1, 2], ["close", "dear"], 1]]},
    }
}
PROLEX = (
    "target word,Sentence,acc_subs,prof_acc_subs\ncause,Cars **cause** noise.,\"['produce', 'make']\",['produce']\n"
)
SWORDS = {
    "targets": {"t": {"target": "quick", "pos": "ADJ"}, "u": {"target": "sad", "pos": "ADJ"}},
    "substitutes": {
        "s1": {"target_id": "t", "substitute": "fast"},
        "s2": {"target_id": "t", "substitute": "slow"},
        "s3": {"target_id": "u", "substitute": "unhappy"},
    },
    "substitute_labels": {"s1": ["TRUE", "TRUE"], "s2": ["FALSE"], "s3": ["TRUE"]},
}


def run(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    """Run ``usim``; return the exit code, standard output and standard error."""
    done = usim_here(*map(str, arguments), stdin=stdin)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def files(tmp_path: Path) -> Path:
    values = {
        "sws.json": SWS,
        "sws-found.json": SWS_FOUND,
        "sws-raw.json": SWS_RAW,
        "swords.json": SWORDS,
        "swords-found.json": {"t": [["fast", 2], ["slow", 1]], "u": [["unhappy", 1]]},
    }
    for name, value in values.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    (tmp_path / "prolex.csv").write_text(PROLEX, encoding="utf-8")
    (tmp_path / "prolex-found.oot").write_text("cause.V 0 ::: produce;lead\n", encoding="utf-8")
    return tmp_path


class Scored(NamedTuple):
    """A command with its files, and the value of one of its figures."""

    command: str
    gold: str
    found: str
    figure: str
    value: float


COMMANDS = [
    Scored("sws", "sws.json", "sws-found.json", "p_detection", 0.5),
    Scored("prolex", "prolex.csv", "prolex-found.oot", "hard_acceptable_p@10", 0.5),
    Scored("swords", "swords.json", "swords-found.json", "lenient_a_p@10", 200 / 3),
]
each_command = pytest.mark.parametrize("case", COMMANDS, ids=[case.command for case in COMMANDS])


@each_command
def test_json_has_figures_intervals_and_signature(files: Path, case: Scored) -> None:
    arguments = (case.command, files / case.gold, files / case.found, "--format", "json", "--resamples", 50)
    code, out, err = run(*arguments)
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert result["benchmark"] == case.command
    assert result["figures"][case.figure] == pytest.approx(case.value)
    assert result["signature"].startswith(f"usim|{case.command}|")
    assert "|bs:50|" in result["signature"]
    assert set(result["intervals"]) == set(result["figures"])
    assert json.loads(run(*arguments)[1]) == result
    piped = run(case.command, files / case.gold, "-", *arguments[3:], stdin=(files / case.found).read_text())
    assert json.loads(piped[1]) == result


@each_command
def test_tsv_has_full_precision_and_text_ends_with_the_signature(files: Path, case: Scored) -> None:
    arguments = (case.command, files / case.gold, files / case.found, "--resamples", 0)
    rows = [line.split("\t") for line in run(*arguments, "--format", "tsv")[1].splitlines()]
    assert rows[0] == ["figure", "value", "low", "high"]
    assert {len(row) for row in rows} == {4}
    assert float(next(row[1] for row in rows if row[0] == case.figure)) == pytest.approx(case.value, abs=1e-12)
    assert rows[-1][0] == "signature"
    text = run(*arguments)[1].splitlines()
    assert text[-1] == rows[-1][1]
    assert any(line.startswith(case.figure) for line in text)


@each_command
def test_what_cannot_be_read_is_named_and_exits_with_2(files: Path, case: Scored) -> None:
    missing = files / "none"
    for arguments in ((missing, files / case.found), (files / case.gold, missing)):
        code, out, err = run(case.command, *arguments)
        assert (code, out) == (2, "")
        assert str(missing) in err
        assert "Traceback" not in err
    assert run(case.command, "-", files / case.found)[0] == 2
    assert run(case.command)[0] == 2


def test_sws_by_the_definition_asked_for(files: Path) -> None:
    arguments = ("sws", files / "sws.json", files / "sws-found.json", "--format", "json", "--definition", "paper")
    paper = json.loads(run(*arguments)[1])
    assert "|def:paper|ndcg:votes/log2,m=5,ideal=m|acc:by-sentence|" in paper["signature"]
    other = json.loads(run(*arguments, "--ndcg-gain", "hit", "--ndcg-m", "1")[1])
    assert "ndcg:hit/log2,m=1,ideal=m" in other["signature"]
    assert other["figures"]["ndcg_recommendation"] == 1


def test_sws_of_single_annotators(files: Path) -> None:
    code, out, _ = run("sws", files / "sws-raw.json", "--format", "json")
    assert code == 0
    assert json.loads(out)["figures"] == {"pa_det": 1.0, "pa_sug": 0.5}
    merged = json.loads(run("sws", files / "sws-raw.json", files / "sws-found.json", "--format", "json")[1])
    assert merged["figures"]["pa_sug"] == 0.5
    assert merged["figures"]["r_e2e"] == 1
    code, _, err = run("sws", files / "sws.json")
    assert code == 2
    assert "PRED is missing" in err


def test_figures_that_are_not_defined_are_null(files: Path) -> None:
    (files / "none-found.json").write_text(json.dumps({"s": {"input_words": WORDS, "substitute_topk": []}}))
    arguments = ("sws", files / "sws.json", files / "none-found.json")
    assert json.loads(run(*arguments, "--format", "json")[1])["figures"]["p_detection"] is None
    assert run(*arguments)[1].splitlines()[0].split() == ["p_detection", "–"]


def test_prolex_lemmatisers(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    arguments = ("prolex", files / "prolex.csv", files / "prolex-found.oot", "--lemmatiser")
    assert "lemma:wordnet-3.0+first-word" in run(*arguments, "wordnet")[1]
    code, _, err = run(*arguments, "spacy")
    assert code == 2
    assert "pip install spacy" in err
    assert run(*arguments, "odd")[0] == 2


def test_swords_warns_of_targets_without_a_prediction(files: Path) -> None:
    (files / "some.json").write_text(json.dumps({"t": [["fast", 1]]}))
    code, out, err = run("swords", files / "swords.json", files / "some.json", "-k", 3, "--format", "json")
    assert code == 0
    assert "1 of 2 targets have no prediction" in err
    assert json.loads(out)["figures"]["strict_a_r@3"] == 50


def test_swords_agreement_of_two_annotations(files: Path) -> None:
    code, out, _ = run(
        "swords", files / "swords.json", files / "swords.json", "--agreement", "--rbo-p", 0.5, "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["figures"] == {"rbo": pytest.approx(100)}


def test_swords_by_another_wordnet(files: Path) -> None:
    code, _, err = run("swords", files / "swords.json", files / "swords-found.json", "--wordnet", files)
    assert code == 2
    assert "index.noun" in err


class TestRanking:
    """``--rerank``, ``--ranking`` and ``--system``."""

    @pytest.fixture
    def swords(self, tmp_path: Path) -> Path:
        data = {
            **SWORDS,
            "contexts": {"c": {"context": "He is quick and sad."}},
            "targets": {
                "t": {"target": "quick", "pos": "ADJ", "context_id": "c", "offset": 6},
                "u": {"target": "sad", "pos": "ADJ", "context_id": "c", "offset": 16},
            },
        }
        path = tmp_path / "gold.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    def test_ranking_needs_no_predictions(self, swords: Path) -> None:
        code, out, _ = run("swords", swords, "--ranking", "--by", "random:3", "--format", "json")
        assert code == 0
        record = json.loads(out)
        assert set(record["figures"]) == {"gap", "gap_rat"}
        assert "|set:judged|rank:random=3|" in record["signature"]

    def test_ranking_on_prolex(self, files: Path) -> None:
        code, out, _ = run("prolex", files / COMMANDS[1][1], "--ranking", "--by", "random:3", "--format", "json")
        assert code == 0
        record = json.loads(out)
        assert set(record["figures"]) == {"gap_acceptable", "gap_proficient"}
        assert "|set:judged|rank:random=3|" in record["signature"]
        code, _, error = run("prolex", files / COMMANDS[1][1])
        assert code == 2
        assert "PRED is missing" in error

    def test_an_order_that_is_worse_than_the_systems_own_is_named(self, tmp_path: Path) -> None:
        gold = tmp_path / "gold.csv"
        row = """support,They **support** it.,"['back']",['hold'],"['back']"\n"""
        gold.write_text("target word,Sentence,acc_subs,unacc_subs,prof_acc_subs\n" + row * 40, encoding="utf-8")
        found = tmp_path / "found.csv"
        found.write_text("Substitutes\n" + '"back, hold, keep, lift"\n' * 40, encoding="utf-8")
        code, _, error = run("prolex", gold, found, "-k", 1, "--rerank", "--by", "random")
        assert code == 0
        assert "warning: the new order is worse than the system's own: hard_acceptable_" in error
        _, _, error = run("prolex", gold, found, "-k", 4, "--rerank", "--by", "random")
        assert "worse" not in error

    @pytest.mark.parametrize("form", ["text", "json", "tsv"])
    def test_before_and_after(self, swords: Path, files: Path, form: str) -> None:
        arguments = ["swords", swords, files / "swords-found.json", "-k", 1, "--rerank", "--by", "random"]
        code, out, _ = run(*arguments, "--format", form)
        assert code == 0
        if form == "json":
            assert json.loads(out)["before"]["strict_a_p@1"] == 100
        else:
            assert out.splitlines()[0].split() == (
                ["before", "after", "change"]
                if form == "text"
                else ["figure", "before", "after", "change", "low", "high"]
            )
        assert "rank:random=0" in out

    def test_prolex_and_sws(self, files: Path) -> None:
        for command, gold, found, *_ in COMMANDS[:2]:
            code, out, _ = run(command, files / gold, files / found, "--rerank", "--by", "random")
            assert code == 0
            assert "rank:random=0" in out

    def test_people_as_a_system(self, swords: Path) -> None:
        code, out, _ = run("swords", swords, swords, "--system", "humans", "--format", "json")
        assert code == 0
        assert json.loads(out)["figures"]["strict_c_f@10"] == 100

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (["--by", "random"], "add --rerank"),
            (["--rerank", "--screen"], "give one of them"),
            (["--rerank", "--by", "magic"], "is not judge, context"),
            (["--rerank", "--by", "random:x"], "is not judge, context"),
            (["--ranking"], "leave out PRED"),
        ],
    )
    def test_bad_usage(self, swords: Path, files: Path, line: list[str], message: str) -> None:
        code, _, err = run("swords", swords, files / "swords-found.json", *line)
        assert code == 2
        assert message in err

    def test_predictions_are_missing(self, swords: Path) -> None:
        code, _, err = run("swords", swords)
        assert code == 2
        assert "PRED is missing" in err
