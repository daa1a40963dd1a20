"""USim."""

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.brackets import graph_of
from tests.strategies import annotation_pairs, graph_pairs, graphs, renamed
from tests.support.graphs import clause
from usim.errors import AlignmentError
from usim.measures import (
    DEFAULT,
    PRESETS,
    REFERENCE,
    Alignment,
    Preset,
    Scores,
    align_graphs,
    align_tokens,
    usim_score,
    words_of,
)
from usim.ucca import Edge, Graph, Linkage, Terminal, Unit, read_xml
from usim.ucca.evaluate import Counts, evaluate

presets = st.sampled_from(list(PRESETS.values()))


def flat(*labels: str, size: int = 1, linkages: tuple[Linkage, ...] = ()) -> Graph:
    """A unit of so many words for each label, all of them children of the root."""
    units = [Unit(), *(Unit(tuple(range(i * size, (i + 1) * size))) for i in range(len(labels)))]
    edges = [Edge(0, i + 1, (label,)) for i, label in enumerate(labels)]
    return Graph([Terminal(str(i)) for i in range(len(labels) * size)], units, edges, linkages)


class TestWorkedExamples:
    source = clause("He goed home .", "APAU")

    def test_one_edge_more(self) -> None:
        score = usim_score(self.source, clause("He went home yesterday .", "APATU"))
        # 4 edges (H A P A) against 5; punctuation is no part of it.
        assert score.s2r == Scores(1.0, 4 / 5, pytest.approx(8 / 9))
        assert score.r2s == score.s2r
        assert score.f == pytest.approx(8 / 9)
        assert score.unmatched_source == []
        assert [(e.label, score.output.text(e.child)) for e in score.unmatched_output] == [("T", "yesterday")]
        assert score.nodes.to_output.tolist() == [-1, 1, 2, 3, 4, -1]
        assert "0.889" in repr(score)

    def test_another_label(self) -> None:
        score = usim_score(self.source, clause("He goed home .", "APTU"))
        assert score.s2r == Scores.of(3 / 4, 3 / 4)
        assert [(e.label, score.source.text(e.child)) for e in score.unmatched_source] == [("A", "home")]
        assert [(e.label, score.output.text(e.child)) for e in score.unmatched_output] == [("T", "home")]

    @pytest.mark.parametrize(
        ("source", "output", "preset", "f"),
        [
            (clause("He goed home .", "APAU"), clause("He goed home .", "ASAU"), DEFAULT, 1),  # equivalent labels
            (clause("He goed home .", "APAU"), clause("He goed home .", "ASAU"), Preset("strict", labels="strict"), 3 / 4),
            (clause("dogs bite men", "APA"), clause("men bite dogs", "APA"), DEFAULT, 1),  # same units in another order
            (clause("He went home", "APA"), clause("He went home", "DSC"), replace(DEFAULT, labels="none"), 1),
            (flat("X"), flat("A"), DEFAULT, 0),
            (flat("X"), flat("Y"), DEFAULT, 1),  # categories outside of UCCA are one
            # The published scorer gives nothing for nothing.
            (Graph([], [Unit()], []), Graph([], [Unit()], []), REFERENCE, 0),
            (clause("Go", "P"), clause("Go", "P"), REFERENCE, 0),
        ],
    )  # fmt: skip
    def test_labels_and_order(self, source: Graph, output: Graph, preset: Preset, f: float) -> None:
        score = usim_score(source, output, preset)
        assert score.f == pytest.approx(f)
        assert bool(score.unmatched_source) == (0 < f < 1 or (f == 0 and preset is DEFAULT))

    def test_to_dict_is_json(self) -> None:
        found = usim_score(self.source, clause("He went .", "APU")).to_dict()
        assert json.loads(json.dumps(found)) == {
            "s2r": {"recall": 3 / 4, "precision": 1.0, "f": pytest.approx(6 / 7)},
            "r2s": {"recall": 3 / 4, "precision": 1.0, "f": pytest.approx(6 / 7)},
        }

    def test_both_directions(self) -> None:
        # "left him" stands where "left" and "him" stood: both choose the one unit, the one unit chooses one of them.
        one, two = flat("A", size=2), flat("A", "A")
        score = usim_score(two, one, Preset("f", node="f"))
        assert score.s2r == Scores.of(1.0, 1.0)
        assert score.r2s == Scores.of(1 / 2, 1.0)

    def test_an_alignment_of_your_own(self) -> None:
        other = clause("Sie ging heim .", "APTU")
        token_alignment = Alignment.from_pairs([(0, 0), (1, 1), (3, 3)], 4, 4)
        assert usim_score(self.source, other, token_alignment=token_alignment).s2r == Scores.of(3 / 4, 3 / 4)
        with pytest.raises(AlignmentError, match="3 and 4 tokens for graphs of 4 and 4"):
            usim_score(self.source, other, token_alignment=Alignment.from_pairs([], 3, 4))

    def test_remote_edges_match_remote_edges(self) -> None:
        without, control = (graph_of(f"[H [A=he he] [P came]] [H [P saw] {remote}]") for remote in ("", "[A* he]"))
        every = Preset("all", edges="all")
        score = usim_score(control, without, every)
        assert score.s2r == Scores.of(4 / 5, 1.0)  # "saw" is one yield, with H and P
        assert [e.is_remote for e in score.unmatched_source] == [True]
        assert usim_score(control, without).f == usim_score(control, control, every).f == 1


class TestNothing:
    empty = Graph([], [Unit()], [])
    something = clause("He left", "AP")

    def test_no_words(self) -> None:
        assert usim_score(self.empty, self.empty).to_dict()["s2r"] == {"recall": 1.0, "precision": 1.0, "f": 1.0}
        for a, b in ((self.empty, self.something), (self.something, self.empty)):
            score = usim_score(a, b)
            assert score.s2r == score.r2s == Scores(0.0, 0.0, 0.0)
            assert len(score.unmatched_source) == 3 * (a is self.something)
            assert len(score.unmatched_output) == 3 * (b is self.something)
            assert set(score.nodes.to_output.tolist()) == {-1}


class TestInvariants:
    @example(graph_of("[A [A yes]] [A [A no]]"), PRESETS["paper-plain"])  # units of one yield
    @example(graph_of("[A [U .]] [A [U .]]"), PRESETS["paper-plain"])  # units of no words
    @given(graphs(), presets)
    def test_a_graph_is_faithful_to_itself(self, graph: Graph, preset: Preset) -> None:
        # The published way to align words leaves the last mark alone, even between a graph and itself.
        words = Alignment.identity(len(graph.terminals)) if preset.leaf == "published" else None
        score = usim_score(graph, graph, preset, words)
        if preset.count == "own" and not any(
            graph.yields[e.child].bit_count() > 1 and not graph.units[e.child].is_punct for e in graph.edges
        ):
            assert score.f == 0  # the published scorer counts nothing here
        else:
            assert score.s2r == score.r2s == Scores(1.0, 1.0, 1.0)
            assert score.unmatched_source == score.unmatched_output == []

    def test_the_published_words_may_part_a_graph_from_itself(self) -> None:
        # "the the ." has two words of three in common with itself, and 4/5 with "the the".
        graph = graph_of("[H [A the the] [U .]]")
        score = usim_score(graph, graph, REFERENCE)
        assert score.token_alignment.pairs == [(0, 0), (1, 1)]
        assert score.f == 1 / 2
        inside = graph_of("[H [A the the]] [U .]")  # the mark in no unit that counts
        assert usim_score(inside, inside, REFERENCE).f == 1

    @given(graph_pairs(), presets.filter(lambda preset: preset is not REFERENCE))
    def test_swapping_the_graphs_swaps_the_directions(self, pair: tuple[Graph, Graph], preset: Preset) -> None:
        a, b = pair
        there, back = usim_score(a, b, preset), usim_score(b, a, preset)
        for one, other in ((there.s2r, back.r2s), (there.r2s, back.s2r)):
            assert (one.recall, one.precision, one.f) == (other.precision, other.recall, other.f)
        assert there.unmatched_source == back.unmatched_output
        assert there.unmatched_output == back.unmatched_source

    @given(st.data(), presets)
    def test_names_and_order_of_units_change_nothing(self, data: st.DataObject, preset: Preset) -> None:
        a, b = data.draw(graph_pairs())
        score = usim_score(a, b, preset)
        other = usim_score(data.draw(renamed(a)), data.draw(renamed(b)), preset)
        assert score.to_dict() == other.to_dict()
        assert score.unmatched_source == other.unmatched_source

    @given(annotation_pairs(), st.sampled_from(["labelled", "weak"]))
    def test_on_equal_tokens_usim_is_dag_f(self, pair: tuple[Graph, Graph], labels: str) -> None:
        a, b = pair
        preset = Preset("dag", labels="strict" if labels == "labelled" else "equivalent")
        score = usim_score(a, b, preset, Alignment.identity(len(a.terminals)))
        dag = evaluate(a, b, normalise=False).tables[labels]["primary"]
        if dag.predicted and dag.gold:
            assert score.s2r == score.r2s
            assert (score.s2r.recall, score.s2r.precision) == (dag.recall, dag.precision)
            assert score.f == pytest.approx(dag.f)

    @given(graph_pairs(), presets)
    def test_lists_and_numbers_agree(self, pair: tuple[Graph, Graph], preset: Preset) -> None:
        score = usim_score(*pair, preset)
        assert (score.s2r.recall < 1) >= bool(score.unmatched_source)
        assert (score.r2s.precision < 1) >= bool(score.unmatched_output)


class TestPresets:
    def test_linkages_count_for_the_published_scorer(self) -> None:
        def graph(linked: bool, labels: str) -> Graph:
            return flat(*labels, size=2, linkages=(Linkage((1,), (2,)),) if linked else ())

        score = usim_score(graph(True, "HA"), graph(True, "DE"), REFERENCE)
        assert score.f == 1
        assert usim_score(graph(True, "HA"), graph(False, "DE"), REFERENCE).f == 0
        assert usim_score(graph(True, "HA"), graph(True, "DE")).f == 0

    @pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
    def test_a_signature_names_every_setting(self, preset: Preset) -> None:
        assert dict(part.split(":") for part in preset.signature.split("|")) == preset.fields()

    def test_the_plain_alignment_is_another_score(self) -> None:
        a, b = clause("he said yes", "APA"), clause("yes he yes", "DAP")
        plain = usim_score(a, b, PRESETS["paper-plain"])
        assert plain.token_alignment == align_tokens(a.tokens, b.tokens, "lev") != align_graphs(a, b)
        assert "leaf:lev|" in plain.preset.signature


def test_words_are_compared_in_lower_case_without_blanks() -> None:
    graph = Graph(map(Terminal, ["The", " END\u00a0"]), [Unit(), Unit((0, 1))], [Edge(0, 1, ("H",))])
    assert words_of(graph) == ("the", "end")


def test_arrays_do_not_travel_with_a_pickled_graph() -> None:
    graph = clause("He left", "AP")
    usim_score(graph, clause("He went", "AP"))
    assert b"numpy" not in pickle.dumps(graph)


@pytest.mark.data
class TestGolden:
    """What the published scorer gives on gold graphs, with its own alignment of the words."""

    @pytest.mark.parametrize(
        ("kind", "folder", "count", "names"),
        [
            ("sentences", "ucca-wiki-dev", 200, "score matched1 units1 matched2 units2"),
            ("annotations", "usim-annotations", 26,
             "reference_fully_aligned reference_count1 reference_n1 reference_count2 reference_n2"),
        ],
    )  # fmt: skip
    def test_scores(
        self, data: Path, corpus: Callable[[str], Path], kind: str, folder: str, count: int, names: str
    ) -> None:
        entries = json.loads((data / "usim-golden.json").read_text())[kind]
        assert len(entries) == count
        for entry in entries:
            a, b = (read_xml(corpus(folder) / entry[name]) for name in ("file1", "file2"))
            pairs = [(i - 1, j - 1) for i, j in entry["leaf_alignment"] if i > 0 and j > 0]  # from 1, -1 for none
            token_alignment = Alignment.from_pairs(pairs, len(a.terminals), len(b.terminals))
            found = usim_score(a, b, REFERENCE, token_alignment)
            score, matched1, units1, matched2, units2 = (entry[name] for name in names.split())
            assert found.f == found.s2r.f == found.r2s.f == score  # to the last bit
            assert (found.s2r.recall, found.s2r.precision) == (matched1 / units1, matched2 / units2)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "folder", "name", "equal", "most"),
        [
            ("sentences", "ucca-wiki-dev", "score", 198, 0.13),
            ("annotations", "usim-annotations", "reference_fully_aligned", 23, 0.05),
        ],
    )
    def test_scores_end_to_end(
        self, data: Path, corpus: Callable[[str], Path], kind: str, folder: str, name: str, equal: int, most: float
    ) -> None:
        # With its own alignment of words the preset differs where two matchings have the same cost.
        differences = []
        for entry in json.loads((data / "usim-golden.json").read_text())[kind]:
            a, b = (read_xml(corpus(folder) / entry[file]) for file in ("file1", "file2"))
            differences.append(abs(usim_score(a, b, REFERENCE).f - entry[name]))
        assert differences.count(0) >= equal
        assert max(differences) < most

    def test_dag_f(self, data: Path, corpus: Callable[[str], Path]) -> None:
        entries = json.loads((data / "usim-golden.json").read_text())["annotations"]
        checked = 0
        for entry in entries:
            if not entry["same_tokens"]:
                continue
            a, b = (read_xml(corpus("usim-annotations") / entry[name]) for name in ("file1", "file2"))
            result = evaluate(b, a, normalise=False)
            for found, expected in (
                (result.tables["labelled"]["primary"], entry["dag_ref_unnormalized"]["primary"]),
                (result.tables["labelled"]["remote"], entry["dag_ref_unnormalized"]["remote"]),
                (result.tables["weak"]["all"], entry["dag_weak_unnormalized_primary_remote"]),
            ):
                assert found == Counts(expected["matches"], expected["guessed"], expected["ref"])
            checked += 1
        assert checked >= 7
