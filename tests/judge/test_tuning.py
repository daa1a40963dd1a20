"""Thresholds from labelled pairs."""

import json
import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.support.flat import Flat
from usim.errors import InputError, OptionError, ParsingError, UsimError
from usim.evidence import Analysis
from usim.judge import Thresholds, UsimJudge, load_judge
from usim.judge.tuning import Tuning, check_labels, load_tuned
from usim.parsing import load
from usim.scorer import Scorer
from usim.verdicts import Opinion
from usim.verdicts.decide import verdict_of


def test_too_few_pairs_or_one_label() -> None:
    with pytest.raises(InputError, match="pairs of both labels are needed"):
        check_labels([True] * 100)
    with pytest.raises(InputError, match="at least 20 are needed, and 5 of each label"):
        check_labels([True] * 30 + [False] * 4)


PAIRS = [
    (f"The man {k} saw a dog.", f"The man {k} saw a dog." if k % 3 else f"A tree {k} fell on a car.") for k in range(30)
]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("kept", "changed"), ("faithful", "unfaithful"), ("yes", "no"), ("1", "0"), (1, 0), (True, False)],
)
def test_labels_are_written_in_several_ways(right: str | int, wrong: str | int, tmp_path: Path) -> None:
    table = tmp_path / "p.jsonl"
    rows = [{"source": "a", "output": "b", "label": label} for label in (right, wrong, right)]
    table.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert "3 labelled pairs, 2 faithful and 1 not" in usim_here("tune", table).stderr


@pytest.mark.model
def test_the_command_and_what_judge_takes(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    rows = [f'"{s}","{t}",{"good" if k % 3 else "bad"}\n' for k, (s, t) in enumerate(PAIRS)] * 5
    table.write_text("before,after,said\n" + "".join(rows) + "x,y,maybe\n")
    file = tmp_path / "mine.json"
    arguments = ("tune", table, "--columns", "before,after,said", "--judge", "usim", "-o", file)
    done = usim_here(*arguments)
    assert done.returncode == 2
    assert f"{table}:152: the label is 'maybe'" in done.stderr
    assert "150 pairs, 100 faithful and 50 not" in done.stdout
    record = json.loads(file.read_text())
    assert record["found"]["kept_wrong"] == 0
    scored = usim_here("score", "--text", *PAIRS[0], "--judge", file, "--format", "json")
    result = json.loads(scored.stdout)
    assert f"|judge:usim+tuned:{Tuning.read(file).digest}|" in result["summary"]["signature"]
    assert result["results"][0]["verdict"] == "drop"
    bad = usim_here("tune", table, "--columns", "before,after,after", "--judge", "usim")
    assert bad.returncode == 2


class Silent(UsimJudge):
    """A judge that does not know."""

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        return [replace(opinion, is_answered=False) for opinion in super().judge(pairs)]


TUNING = Tuning("usim", "usim", Thresholds(0.5, 0.2))


@pytest.fixture
def path(write: Callable[[str, str], Path]) -> Path:
    """The file of a tuned judge."""
    return write("t.json", json.dumps(TUNING.to_dict()))


def test_a_pair_without_an_answer_is_left_to_review_by_a_tuned_judge_as_well(path: Path) -> None:
    for judge in (Silent(), load_tuned(path, lambda tuning: Silent())):
        scorer = Scorer(parser=Flat(), judge=judge)
        judgement = scorer.score(*PAIRS[0]).judgement
        assert (judgement.verdict, judgement.cause and judgement.cause.by) == ("review", "unanswered")


def test_a_tuned_judge(path: Path) -> None:
    assert Tuning.read(path) == TUNING
    judge = load_judge(str(path))
    assert judge.name == f"usim+tuned:{TUNING.digest}"
    plain, tuned = (Scorer(parser=Flat(), judge=each) for each in (UsimJudge(), judge))
    for pair in PAIRS[:4]:
        before, after = plain.score(*pair), tuned.score(*pair)
        assert after.judgement.faithfulness == before.judgement.faithfulness
        assert after.judgement.verdict == verdict_of(after.judgement.faithfulness, judge.thresholds)
    assert pickle.loads(pickle.dumps(tuned)).score(*PAIRS[0]) == tuned.score(*PAIRS[0])
    path.write_text(json.dumps(TUNING.to_dict() | {"judge_name": "usim-0"}))
    with pytest.raises(OptionError, match="run usim tune again"):
        load_judge(str(path))
    for damage in ("{", "{}", json.dumps(TUNING.to_dict() | {"usim_tuning": 1})):
        path.write_text(damage)
        with pytest.raises(ParsingError, match="not a file of usim tune"):
            load_judge(str(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_has_no_graphs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mrp")
    with pytest.raises(UsimError, match="neither a file nor a folder"):
        load(f"mrp:{tmp_path / 'pipe.mrp'}").parse(["a"])
