"""Agreement with human ratings: what is read, and what the figures are."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from experiments import meta_evaluation
from experiments.common import combined
from experiments.common.scores import PairScores
from experiments.common.statistics import Draws
from experiments.meta_evaluation import CEILING, Rated, by_system, ceiling_row, figures, read_csmd, read_tmu, run
from tests.support.flat import Flat
from usim.errors import FormatError, InputError
from usim.stats import Interval

pytestmark = pytest.mark.model

TMU, CSMD = (Path(__file__).parent / "data" / name for name in ("tmu.csv", "csmd.tsv"))
TEXT = TMU.read_text()


class TestReading:
    def test_tmu_and_csmd(self) -> None:
        rated = read_tmu(TMU)
        assert rated.pairs[1] == ("He go home.", "He home.")
        assert rated.ratings.tolist() == [4.0, 1.5, 4.0, 2.5, 3.5]
        assert rated.systems[0] == ("smt", "cnn")
        assert rated.raters is not None
        assert rated.raters.shape == (5, 2)
        rated = read_csmd(CSMD)
        assert rated.pairs[1] == ('He said "no".', "He left.")
        assert rated.ratings.tolist() == [80.5, 10.0, 60.0]
        assert rated.systems == ()

    @pytest.mark.parametrize(
        ("read", "content", "message"),
        [
            (read_tmu, None, "x: cannot be read"),
            (read_csmd, "a,b\n", "no column"),
            (read_tmu, TEXT.split("\n")[0] + "\n", "no pairs"),
            (read_tmu, TEXT.replace("2.5\n", "good\n"), "x:5: a rating must be a number: 'good'"),
            (combined.read_ratings, TEXT.replace("3.5,2.5\n", "x,2.5\n"), "x:5: a rating must be a number"),
            (read_csmd, CSMD.read_text().replace("80.5", "-"), "x:2"),
        ],
        ids=range(6),
    )
    def test_what_is_wrong(
        self, read: Callable[[Path], object], content: str | None, message: str, tmp_path: Path
    ) -> None:
        if content is not None:
            (tmp_path / "x").write_text(content, encoding="utf-8")
        with pytest.raises((FormatError, InputError), match=message):
            read(tmp_path / "x")


class TestFigures:
    def test_against_scipy(self) -> None:
        rng = np.random.default_rng(0)
        x = rng.integers(0, 5, 60).astype(float)
        y = x + rng.integers(0, 4, 60)
        computed = figures(x, y, 4.0)
        assert computed[0] == pytest.approx(pearsonr(x, y).statistic)
        assert computed[1] == pytest.approx(spearmanr(x, y).statistic)
        won = [(a > b) + (a == b) / 2 for a in x[y >= 4] for b in x[y < 4]]
        assert computed[3] == pytest.approx(sum(won) / len(won))
        # What does not vary agrees with nothing.
        assert all(math.isnan(value) for value in figures(np.ones(4), np.arange(4.0), 2.0)[:3])

    def test_means_of_systems_by_hand(self) -> None:
        rated = Rated(
            "x", (("a", "b"), ("c", "d"), ("e", "f")), np.array([4.0, 2.0, 0.0]), 3.0, (("p", "q"), ("p", "r"), ("r",))
        )
        (row,) = by_system(rated, {"usim": np.array([0.9, 0.5, 0.3])}, Draws(["a", "c", "e"], 5, 0))
        # p: 3 and .7; q: 4 and .9; r: 1 and .4.
        assert row[2] == 3
        assert isinstance(row[3], Interval)
        assert row[3].value == pytest.approx(pearsonr([3, 4, 1], [0.7, 0.9, 0.4]).statistic)

    def test_the_ceiling_by_its_formula(self) -> None:
        raters = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0]])
        rated = Rated("x", (("a", "b"),) * 4, raters.mean(axis=1), 3.0, (), raters)
        row = ceiling_row(rated, Draws(list("abcd"), 5, 0))
        r = pearsonr(raters[:, 0], raters[:, 1]).statistic
        assert row is not None
        assert row[3].value == pytest.approx(math.sqrt(2 * r / (1 + r)))  # type: ignore[union-attr]


class Told(PairScores):
    """Scores as they are told: ``judge`` agrees with the ratings, ``usim`` less, ``edit`` not at all."""

    ratings: dict[tuple[str, str], float]

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> dict[str, np.ndarray]:
        right = np.array([self.ratings.get(pair, 0.0) for pair in pairs])
        noise = np.array([len(a) * 7 % 5 for a, _ in pairs], dtype=float)
        return {"usim": right + noise, "judge": right, "edit": noise}


class TestStudy:
    def test_rows_and_comparisons(self) -> None:
        rated = read_tmu(TMU)
        scores = Told(Flat(), measures=("usim", "judge", "edit"))
        scores.ratings = dict(zip(rated.pairs, rated.ratings.tolist(), strict=True))
        study = run([rated], scores, resamples=20)
        rows = {(row[0], row[1]): row for row in study.table.rows}
        assert rows["tmu, all", "faithfulness"][3].value == pytest.approx(1.0)  # type: ignore[union-attr]
        assert rows["tmu, all", "faithfulness"][6].value == 1.0  # type: ignore[union-attr]
        assert ("tmu, all", CEILING) in rows
        # One pair of five is identical, so the others are looked at by themselves.
        assert rows["tmu, changed", "USim"][2] == 4
        tables = {table.name: table for table in study.tables}
        compared = {(row[0], row[1], row[2]): row for row in tables["comparisons"].rows}
        row = compared["tmu, all", "faithfulness", "token edit similarity"]
        assert row[3].value > 0  # type: ignore[union-attr]
        assert 0 <= row[4] <= 1  # type: ignore[operator]
        assert ("tmu, all", "USim", "faithfulness") not in compared  # it is there the other way round
        assert ("tmu, all", "faithfulness", "USim") in compared
        assert {row[2] for row in tables["systems"].rows} == {3}

    def test_the_command(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        line = ["--tmu", str(TMU), "--csmd", str(CSMD), "--resamples", "10", "--judge", "usim"]
        measures = ["usim", "judge", "chrf", "edit", "match", "mean"]
        line += [word for name in measures for word in ("--measure", name)]
        assert meta_evaluation.main([*line, "--out", str(tmp_path / "out")]) == 0
        assert "csmd, all" in capsys.readouterr().out
        written = json.loads((tmp_path / "out" / "meta_evaluation.json").read_text(encoding="utf-8"))
        assert len(written["signatures"]) == 6
        assert (tmp_path / "out" / "meta_evaluation.svg").is_file()
        sane = {(row["pairs"], row["measure"]): row for row in written["tables"]["sanity"]["rows"]}
        assert all(row["identical ≥ .95"] == 1.0 for row in sane.values())
        assert meta_evaluation.main([]) == 2
        assert "give --tmu or --csmd" in capsys.readouterr().err


@pytest.mark.data
def test_the_files_as_published(data: Path) -> None:
    tmu = read_tmu(data / "tmu-gfm-dev.csv")
    assert len(tmu.pairs) == 2003
    assert tmu.raters is not None
    # The published means leave out who said 0.
    assert np.abs(np.nanmean(tmu.raters, axis=1) - tmu.ratings).max() < 0.01
    row = ceiling_row(tmu, Draws([source for source, _ in tmu.pairs], 5, 0))
    assert row is not None
    assert row[3].value == pytest.approx(0.722, abs=5e-4)  # type: ignore[union-attr]
    assert [len(read_csmd(data / f"csmd-{part}.tsv").pairs) for part in ("train", "dev")] == [853, 95]


class TestCombined:
    """One score of grammar, spelling and meaning."""

    def test_weights_are_found_and_tried_on_other_sources(self) -> None:
        rng = np.random.default_rng(1)
        parts = rng.random((200, 3))
        rating = parts @ np.array([0.25, 0.0, 0.75])
        assert combined.best_weights(parts, rating) == (0.25, 0.0, 0.75)
        sources = [str(k // 2) for k in range(200)]
        folds = combined.folds_of(sources, 0)
        assert all(folds[k] == folds[k + 1] for k in range(0, 200, 2))
        assert len(set(folds.tolist())) == combined.FOLDS
        scores, chosen = combined.cross_validated(parts, rating, folds)
        assert len(chosen) == combined.FOLDS
        assert scores == pytest.approx(rating)

    def test_the_command(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "tmu.csv"
        lines = ["source,output,meaning,system,ave_g,ave_f,ave_m"]
        for k in range(6):
            lines.append(f"He go to place {k} .,He goes to place {k} .,4,smt,4.0,4.0,{4 - k % 2}.0")
            lines.append(f"He go to place {k} .,An he go place .,1,cnn,1.0,1.5,{k % 3}.0")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        arguments = ["--tmu", str(path), "--combine", "--judge", "usim", "--resamples", "5"]
        assert meta_evaluation.main([*arguments, "--format", "json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert {"combined", "combined-systems"} <= set(json.dumps(printed).replace('"', " ").split())
        assert meta_evaluation.main(["--combine"]) == 2
        assert "--combine needs one --tmu" in capsys.readouterr().err
