"""What all studies share: tables, files, scores that are kept, statistics, corpora of corrections."""

import csv
import io
import json
import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from experiments.common.corrections import random_others, read_corrections
from experiments.common.scores import PairScores, Store, match_score, mean_cosine
from experiments.common.statistics import Draws, auc, pearson, spearman, williams
from experiments.common.study import Check, Study
from tests.support.corrections import corpus
from tests.support.flat import Flat
from usim.compare import Analysis
from usim.errors import InputError
from usim.judge import Judgement, Thresholds, UsimJudge
from usim.judge.trained import SHIPPED
from usim.report.tables import Table, plain, show
from usim.stats import Interval, bootstrap_interval

TABLE = Table(
    "means",
    "Means",
    ("what", "pairs", "USim", "AUC"),
    (("a|b", 3, Interval(0.5, 0.25, 1.0), 0.75), ("none", 0, None, math.nan)),
    "of something",
)


def draw(figure) -> None:  # type: ignore[no-untyped-def]
    figure.subplots().plot([0, 1], [1, 0])


STUDY = Study(
    "small",
    "A small study",
    (TABLE, Table("more", "More", ("n",), ((1,),))),
    {"usim": "usim|parser:flat|v:0"},
    {"folder": Path("/somewhere/on/a/disk/jfleg"), "seed": 0},
    (Check("the mean", ".500", "≥ .80", False),),
    {"all": [1.0, math.nan]},
    ("A note.",),
    draw,
)


class TestTable:
    def test_text(self) -> None:
        assert TABLE.as_text().split("\n") == [
            "Means",
            "what  pairs                USim   AUC",
            "a|b       3  .500 [.250, 1.000]  .750",
            "none      0                   –     –",
            "(of something)",
        ]

    def test_markdown(self) -> None:
        lines = TABLE.as_markdown().split("\n")
        assert lines[2:5] == [
            "| what | pairs | USim | AUC |",
            "| --- | ---: | ---: | ---: |",
            "| a\\|b | 3 | .500 [.250, 1.000] | .750 |",
        ]

    def test_csv_has_three_columns_for_an_interval_and_nothing_for_what_is_not_defined(self) -> None:
        assert list(csv.reader(io.StringIO(TABLE.as_csv()))) == [
            ["what", "pairs", "USim", "USim low", "USim high", "AUC"],
            ["a|b", "3", "0.5", "0.25", "1.0", "0.75"],
            ["none", "0", "", "", "", ""],
        ]
        with pytest.raises(ValueError, match="2 cells for 1 columns"):
            Table("t", "T", ("a",), ((1, 2),))

    @pytest.mark.parametrize(
        ("cell", "shown"), [(0.0, ".000"), (1.0, "1.000"), (-0.5, "-.500"), (10.25, "10.250"), ("x", "x"), (7, "7")]
    )
    def test_cells(self, cell: float | str, shown: str) -> None:
        assert show(cell) == shown


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
        assert plain({"a": np.float64(0.5), "b": (np.float64("inf"), True)}) == {"a": 0.5, "b": [None, True]}
        assert content["settings"] == {"folder": "jfleg", "seed": 0}
        assert content["signatures"] == {"usim": "usim|parser:flat|v:0"}
        assert content["checks"] == [{"what": "the mean", "found": ".500", "wanted": "≥ .80", "holds": False}]

    def test_a_check_that_does_not_hold_is_seen(self) -> None:
        assert "NO   the mean: .500 (wanted: ≥ .80)" in STUDY.as_text()
        assert "- NO   the mean" in STUDY.as_markdown()

    def test_a_file_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(InputError, match="file"):
            STUDY.write(tmp_path / "file")

    def test_without_matplotlib(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        import sys

        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(InputError, match=r"pip install matplotlib"):
            STUDY.figure()
        assert len(STUDY.write(tmp_path, figures=False)) == 6


class TestStatistics:
    @given(*[st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=9)] * 2)
    def test_auc_against_scikit_learn(self, high: list[float], low: list[float]) -> None:
        labels = [1] * len(high) + [0] * len(low)
        assert auc(high, low) == pytest.approx(roc_auc_score(labels, high + low), abs=1e-14)

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

    def test_williams(self) -> None:
        # By the formula, written out: 0.1·√(102·1.7 / …) with 100 degrees of freedom.
        determinant = 1 - 0.36 - 0.25 - 0.49 + 2 * 0.6 * 0.5 * 0.7
        t = 0.1 * math.sqrt(102 * 1.7 / (2 * 102 / 100 * determinant + 0.55**2 * 0.3**3))
        from scipy.stats import t as student

        assert williams(0.6, 0.5, 0.7, 103) == pytest.approx(2 * student.sf(t, 100))
        assert williams(0.5, 0.6, 0.7, 103) == williams(0.6, 0.5, 0.7, 103)
        # The closer two measures are, the more a difference counts.
        assert williams(0.6, 0.5, 0.95, 100) < williams(0.6, 0.5, 0.5, 100)
        assert williams(0.5, 0.5, 0.9, 100) == 1.0
        assert all(map(math.isnan, (williams(0.5, 0.4, 0.9, 3), williams(0.5, math.nan, 0.9, 100))))


class Counting(UsimJudge):
    """A judge that counts what it is asked, and breaks when it has had enough."""

    name = "counting"
    thresholds = Thresholds(0.9, 0.5)

    def __init__(self, enough: int = 10**9) -> None:
        super().__init__()
        self.asked = 0
        self.enough = enough

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        self.asked += len(pairs)
        if self.asked > self.enough:
            raise KeyboardInterrupt
        return super().judge(pairs)


PAIRS = [("a b c", "a b c"), ("a b c", "a b"), ("a b c", "x y"), ("a b c", "a b")]


@pytest.mark.model
class TestScores:
    def test_each_measure_has_a_score_for_each_pair_in_their_order(self) -> None:
        scores = PairScores(Flat(), "usim", measures=("usim", "judge", "chrf", "edit"))
        scored = scores(PAIRS)
        assert list(scored) == ["usim", "judge", "chrf", "edit"]
        assert all(values.shape == (4,) for values in scored.values())
        for values in scored.values():
            assert values[0] == 1.0 > values[1] >= values[2]
            assert values[1] == values[3]
        texts = [("He sat on the bank.", "He sat on the bank."), ("He sat on the bank.", "Prices fell.")]
        for same, other in PairScores(measures=("match", "mean"))(texts).values():
            assert same == pytest.approx(1.0)
            assert other < 0.9

    def test_a_second_run_computes_nothing_again(self, tmp_path: Path) -> None:
        file = tmp_path / "kept" / "scores.sqlite"
        judge, parser = Counting(), Flat()
        first = PairScores(parser, judge, store=Store(file))(PAIRS)
        assert judge.asked == 3  # one pair is there twice
        again, unasked = Counting(), Flat()
        second = PairScores(unasked, again, store=Store(file))([*PAIRS, ("a", "b")])
        assert again.asked == 1
        assert unasked.asked == ["a", "b"]
        assert second["judge"][:4].tolist() == first["judge"].tolist()
        # The store holds no text: who finds it learns no sentence of corpora that may not be passed on.
        assert b"a b c" not in file.read_bytes()
        (tmp_path / "other.sqlite").write_text("x" * 5000, encoding="utf-8")
        with pytest.raises(InputError, match="not usable as a store of scores"):
            Store(tmp_path / "other.sqlite")

    def test_scores_by_another_judge_or_parser_are_others(self, tmp_path: Path) -> None:
        for name, parser_name in (("counting", "flat"), ("other", "flat"), ("counting", "flat-2")):
            judge, parser = Counting(), Flat()
            judge.name, parser.name = name, parser_name
            PairScores(parser, judge, store=Store(tmp_path / "scores.sqlite"))(PAIRS)
            assert judge.asked == 3

    def test_what_was_scored_before_an_interrupt_is_kept(self, tmp_path: Path) -> None:
        file = tmp_path / "scores.sqlite"
        pairs = [(f"a {i}", f"b {i}") for i in range(600)]
        with pytest.raises(KeyboardInterrupt):
            PairScores(Flat(), Counting(enough=520), store=Store(file))(pairs)
        judge = Counting()
        assert len(PairScores(Flat(), judge, store=Store(file))(pairs)["judge"]) == 600
        assert judge.asked == 600 - 512  # two blocks of 256 were there

    def test_a_model_under_the_same_name_is_another_if_its_files_differ(self, tmp_path: Path) -> None:
        for part in ("parser", "trunk"):
            shutil.copytree(SHIPPED / "en-fast" / part, tmp_path / part)
        before = PairScores(f"onnx:{tmp_path / 'parser'}")._provenance("usim")
        (tmp_path / "parser/MODEL_CARD.md").write_text("changed", encoding="utf-8")
        assert PairScores(f"onnx:{tmp_path / 'parser'}")._provenance("usim") != before

    def test_signatures(self) -> None:
        signatures = PairScores(Flat(), Counting(), measures=("usim", "judge", "chrf")).signatures
        assert signatures["usim"].startswith("usim|parser:flat|leaf:")
        assert signatures["judge"].startswith("faithfulness|judge:counting|parser:flat|v:")
        assert signatures["chrf"].startswith("chrf|v:")
        with pytest.raises(ValueError, match="no such measure: bleu"):
            PairScores(Flat(), measures=("bleu",))


class TestVectors:
    @pytest.mark.parametrize(
        ("score", "one", "other", "expected"),
        [
            # (1, 0) finds itself; (0, 2) finds a cosine of 0: recall ½; the one token of the other side is found: precision 1.
            (match_score, [[1, 0], [0, 2]], [[3, 0]], 2 / 3),
            (match_score, [[3, 0]], [[1, 0], [0, 2]], 2 / 3),
            (mean_cosine, [[1, 0], [0, 2]], [[1, 0]], 0.5 / math.hypot(0.5, 1)),
            *((score, [], other, value) for score in (match_score, mean_cosine) for other, value in (([], 1), ([[1, 0]], 0))),
        ],
    )  # fmt: skip
    def test_by_hand(self, score: Any, one: list[list[int]], other: list[list[int]], expected: float) -> None:
        a, b = (np.array(rows, dtype=np.float32).reshape(-1, 2) for rows in (one, other))
        assert score(a, b) == pytest.approx(expected)


class TestFolders:
    def test_read(self, tmp_path: Path) -> None:
        folder = corpus(tmp_path, src="a/b", spellchecked_src="a/b", ref0="a./b.", ref1="A./B.", good_out="a!/b!")
        corrections = read_corrections(folder)
        assert (corrections.name, corrections.sources) == ("dev", ["a", "b"])
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

    @given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=12).filter(lambda s: len(set(s)) > 1), st.integers(0))
    def test_others(self, sentences: list[str], seed: int) -> None:
        drawn = random_others(sentences, seed)
        assert len(drawn) == len(sentences)
        assert all(a != b for a, b in zip(sentences, drawn, strict=True))
        assert drawn == random_others(sentences, seed)
        # Each is taken once if all differ.
        assert len(set(sentences)) < len(sentences) or sorted(drawn) == sorted(sentences)
        with pytest.raises(InputError, match="two different"):
            random_others(["a", "a"], seed)
