"""Reworded pairs are judged by the words that drifted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from usim import Scorer
from usim.compare import Entry, Ledger
from usim.judge import TrainedJudge
from usim.judge.drift import DRIFT_FILE, OTHERS, drift_figures, pair_figures
from usim.judge.risk import REWORDED
from usim.judge.trained import SHIPPED

JUDGE = SHIPPED / "en-fast" / "judge"
QUIET = np.full(8, -8.0)
SOURCE = "Please tell Tom that the meeting has been moved to Monday because the hall is closed."
FAITHFUL = "Kindly let Tom know we shall meet on Monday instead, since the hall is shut."
DRIFTED = "Kindly let Tom know we shall meet on Monday instead, although the hall is open."


def test_one_word_that_drifted_counts_however_many_did_not() -> None:
    drifted = np.append(QUIET, 3.0)
    alone, among_many = (pair_figures([QUIET, np.append(drifted, QUIET.repeat(n))], Ledger()) for n in (0, 9))
    quiet = pair_figures([QUIET, QUIET], Ledger())
    of_output = slice(5, 10)
    assert (alone[of_output] > quiet[of_output]).all()
    np.testing.assert_allclose(alone, among_many, atol=0.1)


def test_facts_are_counted_by_what_became_of_them() -> None:
    gone = Ledger(
        (Entry("date", "lost", "on Monday", "", (1, 2), (), True), Entry("name", "kept", "Tom", "Tom", (0,), (0,)))
    )
    changed = pair_figures([QUIET, QUIET], gone) != pair_figures([QUIET, QUIET], Ledger())
    assert changed.sum() == 1


@pytest.mark.model
def test_tokens_of_both_sides_have_finite_figures(fast: Scorer) -> None:
    judge = TrainedJudge(JUDGE)
    source, output = fast.pipeline.analyser.analyse([SOURCE, DRIFTED])
    (pair,) = judge.read([(source, output)])
    layers = len(pair.sides[0].best)
    for own, other in (pair.sides, pair.sides[::-1]):
        figures = drift_figures(own, other)
        assert figures.shape == (len(own.places), layers + OTHERS)
        assert np.isfinite(figures).all()


@pytest.mark.model
def test_a_reworded_pair_is_judged_by_what_drifted_and_a_single_edit_is_not(fast: Scorer, tmp_path: Path) -> None:
    folder = tmp_path / "judge"
    shutil.copytree(JUDGE, folder)
    settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    del settings["sha256"][DRIFT_FILE]
    settings["trunk"] = str(JUDGE.with_name("trunk"))
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    without, within = TrainedJudge(folder), TrainedJudge(JUDGE)
    assert within.name.startswith(f"{without.name}+drift-")
    texts = [SOURCE, FAITHFUL, DRIFTED, SOURCE.replace("Monday", "Friday")]
    source, *outputs = fast.pipeline.analyser.analyse(texts)
    pairs = [(source, output) for output in outputs]
    plain, said = without.judge(pairs), within.judge(pairs)
    assert [judgement.band in REWORDED for judgement in said] == [True, True, False]
    assert [a.faithfulness == b.faithfulness for a, b in zip(plain, said, strict=True)] == [False, False, True]
    assert said[0].faithfulness > said[1].faithfulness
