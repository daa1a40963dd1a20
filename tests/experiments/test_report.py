"""What all studies share: files, statistics, corpora of corrections."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from experiments.common.corrections import read_corrections
from experiments.common.statistics import Draws, pearson, spearman
from experiments.common.study import Study
from tests.support.corrections import corpus
from tests.support.tables import TABLE
from training.statistics import auc
from usim.errors import InputError
from usim.report.tables import Table
from usim.stats import Interval, bootstrap_interval


def draw(figure) -> None:  # type: ignore[no-untyped-def]
    figure.subplots().plot([0, 1], [1, 0])


STUDY = Study(
    "small",
    "A small study",
    (TABLE, Table("more", "More", ("n",), ((1,),))),
    {"usim": "usim|parser:flat|v:0"},
    {"folder": Path("/somewhere/on/a/disk/jfleg"), "seed": 0},
    {"all": [1.0, math.nan]},
    ("A note.",),
    draw,
)


class TestStudy:
    def test_files(self, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        written = STUDY.write(tmp_path / "new" / "folder")
        assert sorted(path.name for path in written) == sorted(p.name for p in (tmp_path / "new" / "folder").iterdir())
        names = ["small-means.csv", "small-means.tex", "small-more.csv", "small-more.tex", "small.json", "small.md"]
        names += ["small.pdf", "small.png", "small.svg"]
        assert sorted(path.name for path in written) == names
        assert (tmp_path / "new" / "folder" / "small.png").read_bytes().startswith(b"\x89PNG")
        assert b"<svg" in (tmp_path / "new" / "folder" / "small.svg").read_bytes()
        # The same study gives the same files.
        again = STUDY.write(tmp_path / "again")
        assert [path.read_bytes() for path in written] == [path.read_bytes() for path in again]

    def test_json_has_every_number_and_no_place_on_a_disk(self) -> None:
        content = json.loads(STUDY.as_json())
        assert content["tables"]["means"]["rows"][0]["USim"] == {"value": 0.5, "low": 0.25, "high": 1.0}
        assert content["tables"]["means"]["rows"][1]["AUC"] is None
        assert content["numbers"] == {"all": [1.0, None]}
        assert content["settings"] == {"folder": "jfleg", "seed": 0}
        assert content["signatures"] == {"usim": "usim|parser:flat|v:0"}
        assert STUDY.as_text().endswith("\n\nA note.\n\nusim: usim|parser:flat|v:0")

    def test_a_file_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(InputError, match="file"):
            STUDY.write(tmp_path / "file")

    def test_without_matplotlib(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        import sys

        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(InputError, match=r"pip install matplotlib"):
            STUDY.figure()
        with pytest.raises(InputError, match=r"pip install matplotlib"):
            STUDY.write(tmp_path)
        assert len(list(tmp_path.iterdir())) == 6


class TestStatistics:
    def test_auc_by_hand(self) -> None:
        # .9 beats both, .6 beats .3 and ties with .6, .4 beats .3: 2 + 1.5 + 1 of 6.
        assert auc([0.9, 0.6, 0.4], [0.6, 0.3]) == 4.5 / 6
        assert math.isnan(auc([], [1.0]))

    def test_correlations(self) -> None:
        x, y = np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 9.0])
        assert (pearson(x, 2 * x), spearman(x, y), spearman(x, -y)) == pytest.approx((1, 1, -1))
        assert math.isnan(pearson(x, np.ones(3)))
        assert math.isnan(spearman([1.0, 2.0], [1.0, 1.0]))

    def test_a_mean_has_about_the_interval_that_usim_stats_gives(self) -> None:
        values = np.random.default_rng(1).random(200)
        ours = Draws(range(200)).interval(lambda places: float(values[places].mean()))
        assert ours == pytest.approx(bootstrap_interval(values), abs=0.01)

    def test_draws_without_the_figure_are_left_out(self) -> None:
        interval = Draws(range(2), 50).interval(lambda places: math.nan if places[0] == places[1] else 1.0)
        assert interval == Interval(1.0, 1.0, 1.0)


class TestFolders:
    def test_read(self, tmp_path: Path) -> None:
        folder = corpus(tmp_path, src="a/b", spellchecked_src="a/b", ref0="a./b.", ref1="A./B.", good_out="a!/b!")
        corrections = read_corrections(folder)
        assert corrections.sources == ["a", "b"]
        assert corrections.references == {"ref0": ["a.", "b."], "ref1": ["A.", "B."]}
        assert corrections.systems == {"good": ["a!", "b!"]}

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ({}, "there is no file like dev.src"),
            ({"src": "a/b"}, "there is no file like dev.ref0"),
            ({"src": "a/b", "ref0": "a"}, "dev.ref0: 1 lines, but the sources have 2"),
        ],
    )
    def test_what_is_missing(self, tmp_path: Path, files: dict[str, str], message: str) -> None:
        with pytest.raises(InputError, match=message):
            read_corrections(corpus(tmp_path, **files))

    def test_one_of_two_parts(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such folder"):
            read_corrections(tmp_path / "nowhere")
        corpus(tmp_path, src="a/b", ref0="a./b.")
        corpus(tmp_path, "test", src="c", ref0="c.")
        assert read_corrections(tmp_path, "test").sources == ["c"]
        with pytest.raises(InputError, match="there are dev, test: choose one with --part"):
            read_corrections(tmp_path)
