"""Table 1 of the paper, from the annotation behind it."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import measures as benchmark
from experiments.papers import usim
from experiments.papers import usim_readings as readings
from experiments.papers import usim_table_1 as table_1
from tests.brackets import graph_of
from tests.support.flat import Flat
from usim.errors import InputError
from usim.measures import Scores, align_graphs
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
        compared = table_1.pairs(table_1.read_annotation(folder))
        assert {kind: len(pairs) for kind, pairs in compared.items()} == {"same": 2, "different": 2, "agreement": 1}
        first, second = compared["agreement"][0]
        assert (first, second) == (essay(*"HAD"), essay(*"HAE"))

    def test_corrections_that_both_annotated(self, folder: Path) -> None:
        pairs = table_1.annotated_twice(table_1.read_annotation(folder), first=0)
        assert pairs == [(essay(*"HAD"), essay(*"CAA")), (essay(*"HAD"), essay(*"HAE"))]
        # Of the correction alone: H = C and A of three.
        figures = {figure.name: figure.measured for figure in usim.ROWS["§4.2: DAG F of corrections"].figures(folder)}
        assert figures == {"F of the text 1": 2 / 3, "F, together": 2 / 3}

    def test_main_relations_alone(self) -> None:
        # H, A, D against H, A, E: two of three units and both that count match; E does not count.
        assert table_1.main_relations(essay(*"HAD"), essay(*"HAE")) == pytest.approx(2 * (2 / 3) / (2 / 3 + 1))
        # C does not count in the first, but H, which counts in the second, is equivalent to it.
        assert table_1.main_relations(essay(*"CAE"), essay(*"HAE")) == 1
        assert table_1.main_relations(essay(*"EEE"), essay(*"EEE")) == 0

    def test_figures(self, folder: Path) -> None:
        compared = table_1.pairs(table_1.read_annotation(folder))
        assert table_1.dag_f_of(compared) == {"f": 2 / 3, "precision": 2 / 3, "recall": 2 / 3}
        # A+D: 2 of 2 and 2; 1 of 1 and 2.
        assert table_1.dist_sim_of(compared)["A+D"]["same"] == pytest.approx(6 / 7)
        # H = C: 3 of 3; E against A: 2 of 3.
        assert table_1.usim_row(compared["same"], "default") == pytest.approx((5 / 6,) * 3)

    def test_dist_sim_counts_units_of_several_words_over_all_pairs(self) -> None:
        pairs = [(essay(*"AADP"), essay(*"ADD")), (essay("A"), essay(*"AH"))]
        # A: 1 of 2 and 1, and 1 of 1 and 1; D: 1 of 1 and 2. Together 3 of 4 and 4.
        assert table_1.dist_sim(pairs) == Scores.of(3 / 4, 3 / 4)
        assert table_1.dist_sim(pairs, ["H"]) == Scores.of(0.0, 0.0)
        assert table_1.dist_sim([]) == Scores.of(1.0, 1.0)
        words_alone = graph_of("[A He] [P left]"), graph_of("[P left]")
        assert table_1.dist_sim([words_alone], ["A", "P"]) == Scores.of(1.0, 1.0)

    def test_the_essays_parsed(self, folder: Path) -> None:
        parser = Flat()
        pairs = table_1.parsed_pairs(table_1.read_annotation(folder), parser)
        # One pair, whoever annotated it; the words of all essays are the same here.
        assert parser.asked == ["w0 w1 w2 w3 w4 w5"] * 2
        assert table_1.usim_row(pairs, "default") == (1.0, 1.0, 1.0)

    def test_nothing_to_read(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"files like amittaic1297\.xml are looked for"):
            table_1.read_annotation(tmp_path)


class TestReadings:
    def test_all(self, folder: Path) -> None:
        measured = {(figure.row, figure.name): figure.measured for figure in readings.measure(folder)}
        assert len({row for row, _ in measured}) == len(readings.READINGS)
        # The essays of this test have the same words: 3 of 3 and 2 of 3 of the labels agree.
        assert [measured["readings: default", f"same, {way}"] for way in ("s→r", "r→s")] == pytest.approx([5 / 6] * 2)

    def test_words_as_published(self) -> None:
        a, b = essay("A", "B"), essay("A")
        assert align_graphs(a, b, "lev+pos").pairs == [(0, 0), (1, 1)]
        assert readings.keep_links(a, a, str.__eq__).pairs == [(i, i) for i in range(4)]

    def test_no_pairs_of_a_kind(self, folder: Path) -> None:
        (folder / "tree1297.xml").unlink()
        with pytest.raises(InputError, match="not all kinds of pairs"):
            list(readings.measure(folder))
        assert math.isnan(table_1.usim_row([], "default")[0])


@pytest.mark.model
def test_pairs_to_be_timed() -> None:
    pairs = benchmark.make_pairs(1, 3)
    assert len(pairs) == 3
    for a, b in pairs:
        assert 22 <= len(a.terminals) <= 28
        assert abs(len(b.terminals) - len(a.terminals)) <= 1


@pytest.fixture(scope="module")
def compared(corpus: Callable[[str], Path]) -> table_1.Pairs:
    return table_1.pairs(table_1.read_annotation(corpus("usim-annotations")))


@pytest.mark.data
class TestPaper:
    def test_pairs(self, data: Path, compared: table_1.Pairs) -> None:
        golden = json.loads((data / "usim-golden.json").read_text())["annotations"]
        kinds = [entry["kind"].replace("iaa_learner", "agreement") for entry in golden]
        assert {kind: len(pairs) for kind, pairs in compared.items()} == {kind: kinds.count(kind) for kind in compared}

    def test_figures(self, compared: table_1.Pairs) -> None:
        # The figures of docs/explanation/measures.md.
        dag_f = {"f": 0.8452, "precision": 0.8340, "recall": 0.8567}
        assert table_1.dag_f_of(compared) == pytest.approx(dag_f, abs=5e-5)
        dist_sim = table_1.dist_sim_of(compared)
        assert dist_sim["A+D"] == pytest.approx({"same": 0.970, "different": 0.967}, abs=5e-4)
        assert dist_sim["Scenes"] == pytest.approx({"same": 0.961, "different": 0.932}, abs=5e-4)
        for kind, row in (
            ("same", (0.882, 0.885, 0.883)), ("different", (0.824, 0.825, 0.824)), ("agreement", (0.853, 0.853, 0.853)),
        ):  # fmt: skip
            assert table_1.usim_row(compared[kind], "default") == pytest.approx(row, abs=5e-4)

    def test_the_default_is_closest(self, compared: table_1.Pairs) -> None:
        def distance(preset: str) -> float:
            cells = [
                abs(mine - theirs)
                for kind, row in table_1.PAPER["usim"].items()
                for mine, theirs in zip(table_1.usim_row(compared[kind], preset)[:2], row[:2], strict=True)
            ]
            return sum(cells) / len(cells)

        assert distance("default") < 0.025
        assert distance("default") < min(distance("paper"), distance("reference"))
