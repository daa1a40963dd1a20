"""Reworded pairs are judged by the words that drifted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from usim import Scorer
from usim.evidence import Fact, Ledger
from usim.judge import TrainedJudge
from usim.judge.drift import DRIFT_FILE, OTHERS, drift_figures, pair_figures
from usim.judge.trained import SHIPPED
from usim.verdicts.nouns import REWORDED

JUDGE = SHIPPED / "en-fast" / "judge"
QUIET = np.full(8, -8.0)
UNCHANGED = Ledger()
SOURCE = "Please tell Tom that the meeting has been moved to Monday because the hall is closed."
FAITHFUL = "Kindly let Tom know we shall meet on Monday instead, since the hall is shut."
DRIFTED = "Kindly let Tom know we shall meet on Monday instead, although the hall is open."


def figures(*logits: np.ndarray, ledger: Ledger = UNCHANGED) -> np.ndarray:
    """Return the figures of a pair whose tokens all have a cosine of 1."""
    return pair_figures(logits, [np.ones((len(of_side), OTHERS + 1), np.float32) for of_side in logits], ledger)


def test_one_word_that_drifted_counts_however_many_did_not() -> None:
    drifted = np.append(QUIET, 3.0)
    alone, among_many = (figures(QUIET, np.append(drifted, QUIET.repeat(n))) for n in (0, 9))
    quiet = figures(QUIET, QUIET)
    of_output = slice(8, 13)
    assert (alone[of_output] > quiet[of_output]).all()
    np.testing.assert_allclose(alone, among_many, atol=0.1)


def test_facts_are_counted_by_what_became_of_them() -> None:
    gone = Ledger(
        (Fact("date", "lost", "on Monday", "", (1, 2), (), True), Fact("name", "kept", "Tom", "Tom", (0,), (0,)))
    )
    assert (figures(QUIET, QUIET, ledger=gone) != figures(QUIET, QUIET)).sum() == 1


def test_the_least_alike_tokens_count_besides() -> None:
    alike = np.ones((8, OTHERS + 1), np.float32)
    unlike = alike.copy()
    unlike[3, 0] = 0.25
    of_both = [pair_figures([QUIET, QUIET], [alike, rows], UNCHANGED) for rows in (alike, unlike)]
    np.testing.assert_allclose((of_both[0] - of_both[1])[of_both[0] != of_both[1]], [0.75 / 8, 0.75, 0.25])


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
    assert [opinion.band in REWORDED for opinion in said] == [True, True, False]
    assert [a.same == b.same for a, b in zip(plain, said, strict=True)] == [False, False, True]
    assert said[0].same > said[1].same
