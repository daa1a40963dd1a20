"""Table 1 of the paper, from the annotation behind it."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import measures as benchmark
from experiments import presets, table1
from tests.brackets import graph_of
from tests.support.flat import Flat
from usim.measures import PRESETS, align_graphs
from usim.ucca import Graph, write_xml


def essay(*phrases: str) -> Graph:
    """A passage with one unit of two words for each label."""
    return graph_of(" ".join(f"[{label} w{2 * i} w{2 * i + 1}]" for i, label in enumerate(phrases)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One essay, corrected by both annotators and annotated twice; and a file that is to be left out."""
    files = {"amittaic1297": "HAD", "tree1297": "HAE", "amittaic1197": "HAD", "tree1197": "CAA", "borgr1297": "EEE"}
    for name, phrases in files.items():
        write_xml(essay(*phrases), tmp_path / f"{name}.xml")
    return tmp_path


class TestSmall:
    def test_pairs(self, folder: Path) -> None:
        compared = table1.pairs(table1.read_annotation(folder))
        assert {kind: len(pairs) for kind, pairs in compared.items()} == {"same": 2, "different": 2, "agreement": 1}
        first, second = compared["agreement"][0]
        assert (first, second) == (essay(*"HAD"), essay(*"HAE"))

    def test_corrections_that_both_annotated(self, folder: Path) -> None:
        pairs = table1.annotated_twice(table1.read_annotation(folder), first=0)
        assert pairs == [(essay(*"HAD"), essay(*"CAA")), (essay(*"HAD"), essay(*"HAE"))]

    def test_main_relations_alone(self) -> None:
        # H, A, D against H, A, E: two of three units and both that count match; E does not count.
        assert table1.main_relations(essay(*"HAD"), essay(*"HAE")) == pytest.approx(2 * (2 / 3) / (2 / 3 + 1))
        # C does not count in the first, but H, which counts in the second, is equivalent to it.
        assert table1.main_relations(essay(*"CAE"), essay(*"HAE")) == 1
        assert table1.main_relations(essay(*"EEE"), essay(*"EEE")) == 0

    def test_figures(self, folder: Path) -> None:
        figures = table1.table1(table1.pairs(table1.read_annotation(folder)))
        assert figures["dag_f"] == {"f": 2 / 3, "precision": 2 / 3, "recall": 2 / 3}
        # A+D: 2 of 2 and 2; 1 of 1 and 2.
        assert figures["dist_sim"]["A+D"]["same"] == pytest.approx(6 / 7)
        # H = C: 3 of 3; E against A: 2 of 3.
        assert figures["usim"]["default"]["same"] == pytest.approx((5 / 6,) * 3)
        assert set(figures["usim"]) == set(PRESETS)

    def test_text(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert table1.main(["--annotations", str(folder)]) == 0
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        assert ["DAG", "F", "of", "the", "annotators", "precision", ".8340", ".6667"] in lines
        assert any(line[:2] == ["USim", "(reference)"] for line in lines)

    @pytest.mark.model
    def test_the_essays_parsed(self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        parser = Flat()
        figures = table1.figures(folder, parser)
        # One pair, whoever annotated it; the words of all essays are the same here.
        assert figures["pairs"]["automatic"] == 1
        assert parser.asked == ["w0 w1 w2 w3 w4 w5"] * 2
        assert figures["usim"]["default"]["automatic"] == (1.0, 1.0, 1.0)
        assert figures["usim"]["default"]["same"] == pytest.approx((5 / 6,) * 3)
        out = tmp_path / "out"
        assert table1.main(["--annotations", str(folder), "--parser", "en", "--out", str(out)]) == 0
        assert "USim (default) automatic" in capsys.readouterr().out
        written = json.loads((out / "table1.json").read_text(encoding="utf-8"))
        assert written["signatures"]["automatic"].startswith("parser:en-")
        rows = written["tables"]["figures"]["rows"]
        same = [row["usim"] for row in rows if row["measure"] == "USim (default) same"]
        assert same == pytest.approx([5 / 6] * 3)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("none.tar.xz", "neither a folder nor an archive"),
            ("no.tar.xz", "neither a folder nor an archive"),
            ("empty", "files like amittaic1297.xml are looked for"),
        ],
    )
    def test_nothing_to_read(self, name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "no.tar.xz").write_bytes(b"no archive")
        (tmp_path / "empty").mkdir()
        assert table1.main(["--annotations", str(tmp_path / name)]) == 2
        assert message in capsys.readouterr().err


class TestPresets:
    def test_all_readings(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert presets.main(["--annotations", str(folder), "--sentences", str(folder)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 3 + len(presets.READINGS)
        # The essays of this test have the same words: 3 of 3 and 2 of 3 of the labels agree.
        assert lines[3].startswith("| default | .833 | .833 |")

    def test_words_as_published(self) -> None:
        a, b = essay("A", "B"), essay("A")
        assert align_graphs(a, b, "lev+pos").pairs == [(0, 0), (1, 1)]
        assert presets.keep_links(a, a, str.__eq__).pairs == [(i, i) for i in range(4)]

    def test_no_pairs_of_a_kind(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "tree1297.xml").unlink()
        figures = table1.table1(table1.pairs(table1.read_annotation(folder)))
        assert math.isnan(figures["usim"]["default"]["agreement"][0])
        assert presets.main(["--annotations", str(folder)]) == 2
        assert "not all kinds of pairs" in capsys.readouterr().err


class TestBenchmark:
    def test_pairs(self, folder: Path) -> None:
        for a, b in benchmark.make_pairs(30, 3, None):
            assert len(a.terminals) == 30
            assert 20 <= len(b.terminals) <= 40
        ((a, _),) = benchmark.make_pairs(4, 1, folder)
        assert len(a.terminals) == 4


@pytest.fixture(scope="module")
def figures(corpus: Callable[[str], Path]) -> dict:
    """The whole table, from the shared annotation."""
    return table1.table1(table1.pairs(table1.read_annotation(corpus("usim-annotations"))))


@pytest.mark.data
class TestPaper:
    def test_pairs(self, data: Path, corpus: Callable[[str], Path]) -> None:
        golden = json.loads((data / "usim-golden.json").read_text())["annotations"]
        kinds = [entry["kind"].replace("iaa_learner", "agreement") for entry in golden]
        compared = table1.pairs(table1.read_annotation(corpus("usim-annotations")))
        assert {kind: len(pairs) for kind, pairs in compared.items()} == {kind: kinds.count(kind) for kind in compared}

    def test_figures(self, figures: dict) -> None:
        # The figures of docs/explanation/measures.md.
        assert figures["dag_f"] == pytest.approx({"f": 0.8452, "precision": 0.8340, "recall": 0.8567}, abs=5e-5)
        assert figures["dist_sim"]["A+D"] == pytest.approx({"same": 0.970, "different": 0.967}, abs=5e-4)
        assert figures["dist_sim"]["Scenes"] == pytest.approx({"same": 0.961, "different": 0.932}, abs=5e-4)
        default = figures["usim"]["default"]
        assert default["same"] == pytest.approx((0.882, 0.885, 0.883), abs=5e-4)
        assert default["different"] == pytest.approx((0.824, 0.825, 0.824), abs=5e-4)
        assert default["agreement"] == pytest.approx((0.853, 0.853, 0.853), abs=5e-4)

    def test_the_default_is_closest(self, figures: dict) -> None:
        def distance(preset: str) -> float:
            cells = [
                abs(mine - theirs)
                for kind, row in table1.PAPER["usim"].items()
                for mine, theirs in zip(figures["usim"][preset][kind][:2], row[:2], strict=True)
            ]
            return sum(cells) / len(cells)

        assert distance("default") < 0.025
        assert distance("default") < min(distance("paper"), distance("reference"))

    def test_archive(self, data: Path, figures: dict, capsys: pytest.CaptureFixture[str]) -> None:
        path = data / "usim-annotations.tar.xz"
        assert table1.main(["--annotations", str(path), "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)["tables"]["figures"]["rows"]
        assert {row["figure"]: row["usim"] for row in rows[:3]} == figures["dag_f"]
