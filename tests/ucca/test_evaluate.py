"""Evaluation counts as UCCA papers do: by hand on small graphs, and beside the ``ucca`` toolkit on many."""

import random
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brackets import graph_of as tree
from tests.corruption import corrupted, random_graph
from tests.tables import cases
from usim.errors import AlignmentError
from usim.ucca import Graph, Unit, parse_xml, read_xml, to_xml
from usim.ucca.evaluate import KINDS, LABELS, Counts, Evaluation, evaluate, total
from usim.ucca.normalise import GraphView, ViewNode

seeds = st.integers(0, 2**32 - 1)


def every(result: Evaluation) -> dict[tuple[str, str], Counts]:
    """The counts for each way to compare labels and each kind of edge."""
    return {(how, kind): result.tables[how][kind] for how in LABELS for kind in KINDS}


def swapped(counts: Mapping[Any, Counts]) -> dict[Any, Counts]:
    return {key: Counts(c.matched, c.gold, c.predicted) for key, c in counts.items()}


def counts(result: Evaluation, how: str = "labelled") -> dict[str, tuple[int, int, int]]:
    """Matched, predicted and gold, for each kind of edge that there is."""
    counted = {kind: every(result)[how, kind] for kind in KINDS}
    return {kind: (c.matched, c.predicted, c.gold) for kind, c in counted.items() if c != Counts()}


class TestCounts:
    @pytest.mark.parametrize(
        ("c", "scores"),
        [
            (Counts(matched=2, predicted=4, gold=5), (0.5, 0.4, 2 * 0.5 * 0.4 / 0.9)),
            (Counts(), (1, 1, 1)),
            (Counts(0, 3, 0), (0, 1, 0)),
            (Counts(0, 0, 3), (1, 0, 0)),
            (Counts(0, 3, 3), (0, 0, 0)),
        ],
    )
    def test_scores(self, c: Counts, scores: tuple[float, float, float]) -> None:
        assert (c.precision, c.recall, c.f) == pytest.approx(scores)


class TestByHand:
    GOLD = "[H [A=j John] [P gave] [A [C [E the] [C book] ] [N and] [C pen] ] [A Mary] ] [U .]"

    def test_the_same(self) -> None:
        result = evaluate(tree(self.GOLD), tree(self.GOLD))
        # H; John, gave, "the book and pen", Mary; "the book", and, pen; the, book: ten yields, without the full stop.
        assert counts(result) == {"primary": (10, 10, 10)}
        assert result.tables["labelled"] == result.tables["unlabelled"] == result.tables["weak"]
        assert result.passages == 1

    def test_a_wrong_label_costs_precision_and_recall(self) -> None:
        other = self.GOLD.replace("[A Mary]", "[D Mary]")
        result = evaluate(tree(self.GOLD), tree(other))
        assert counts(result) == counts(result, "weak") == {"primary": (9, 10, 10)}
        assert counts(result, "unlabelled") == {"primary": (10, 10, 10)}
        assert result.tables["categories"]["D"] == Counts(0, 1, 0)
        assert result.tables["categories"]["A"] == Counts(2, 2, 3)

    @pytest.mark.parametrize(("a", "b"), ["PS", "HC", "NL", "RF", "AD"])
    def test_equivalent_labels(self, a: str, b: str) -> None:
        for x, y in ((a, b), (b, a)):
            result = evaluate(tree(f"[G [{x} u] [Q v] ]"), tree(f"[G [{y} u] [Q v] ]"), normalise=False)
            assert counts(result) == {"primary": (2, 3, 3)}
            assert counts(result, "weak") == {"primary": (2 if a == "A" else 3, 3, 3)}

    def test_one_shared_category_is_enough(self) -> None:
        result = evaluate(tree("[H [A he] [P|D left] ]"), tree("[H [A he] [D|T left] ]"))
        assert counts(result) == {"primary": (3, 3, 3)}
        assert result.tables["categories"]["P"] == Counts(0, 0, 1)
        assert result.tables["categories"]["D"] == Counts(1, 1, 1)
        assert result.tables["categories"]["T"] == Counts(0, 1, 0)

    def test_units_of_one_yield_count_once(self) -> None:
        # H, A and C all have the yield "John": one unit to find.
        result = evaluate(tree("[H [A [C John] ] ]"), tree("[H John]"), normalise=False)
        assert counts(result) == {"primary": (1, 1, 1)}

    def test_punctuation_does_not_count(self) -> None:
        result = evaluate(tree("[H [A he] [P left] [U !] ]"), tree("[H [A he] [P left] ] [U !]"))
        assert counts(result) == {"primary": (3, 3, 3)}

    def test_remote_edges_count_apart(self) -> None:
        gold = "[H [A=x He] [P came] ] [L and] [H [A* x] [D soon] [P left] ]"
        relabelled = evaluate(tree(gold), tree(gold.replace("A*", "D*")))
        assert counts(relabelled) == {"primary": (7, 7, 7), "remote": (0, 1, 1)}
        without = evaluate(tree(gold), tree(gold.replace("[A* x]", "")))
        assert counts(without) == {"primary": (7, 7, 7), "remote": (0, 0, 1)}
        assert without.tables["labelled"]["all"] == Counts(7, 7, 8)
        assert without.tables["categories"]["A"] == Counts(1, 1, 2)

    def test_an_implicit_unit_stands_for_its_parent(self) -> None:
        gold = tree("[H [A IMPLICIT] [P Go] ] [H [A you] [P stay] ]")
        elsewhere = tree("[H [P Go] ] [H [A you] [P stay] [A IMPLICIT] ]")
        assert counts(evaluate(gold, gold)) == {"primary": (4, 4, 4), "implicit": (1, 1, 1)}
        assert counts(evaluate(gold, elsewhere)) == {"primary": (4, 4, 4), "implicit": (0, 1, 1)}
        assert evaluate(gold, elsewhere).tables["labelled"]["all"] == Counts(4, 4, 4)

    def test_no_tokens(self) -> None:
        empty = Graph([], [Unit()], [])
        assert counts(evaluate(empty, empty)) == evaluate(empty, empty).tables["categories"] == {}

    def test_to_dict(self) -> None:
        record = evaluate(tree(self.GOLD), tree(self.GOLD)).to_dict()
        assert set(record) == {"passages", "labelled", "unlabelled", "weak", "categories"}
        assert record["weak"]["all"] == Counts(10, 10, 10).to_dict()
        assert record["categories"]["E"] == Counts(1, 1, 1).to_dict()
        assert list(record["categories"]) == ["H", "A", "P", "C", "E", "N"]

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            ("[H he] [H went]", "token 2 is 'went' here and 'left'"),
            ("[H he]", "token 2 is '' here and 'left' in the gold graph"),
        ],
    )
    def test_other_tokens(self, other: str, message: str) -> None:
        with pytest.raises(AlignmentError, match=message):
            evaluate(tree("[H he] [H left]"), tree(other))


class TestNormalisation:
    """The rules one by one, then what they are for: two ways to write the same agree."""

    @pytest.mark.parametrize(("before", "after", "rule"), cases(__file__, "rules.tsv"))
    def test_rules(self, before: str, after: str, rule: str) -> None:
        view = GraphView(tree(before))
        view.normalise()
        assert shape(view.root) == shape(GraphView(tree(after)).root), rule

    @pytest.mark.parametrize(("text", "other", "before", "rule"), cases(__file__, "same.tsv"))
    def test_two_ways_to_write_the_same(self, text: str, other: str, before: str, rule: str) -> None:
        gold, predicted = tree(text), tree(other)
        counted = counts(evaluate(gold, predicted, normalise=False))["primary"]
        assert counted == tuple(int(count) for count in before.split())
        after = evaluate(gold, predicted).tables["labelled"]["primary"]
        assert after.matched == after.predicted == after.gold > 0, rule

    def test_graphs_stay_as_they_are(self) -> None:
        gold = tree("[A he] [P ran] [U .]")
        again = tree("[A he] [P ran] [U .]")
        evaluate(gold, again)
        assert gold == again

    def test_a_scene_with_a_second_category_h_ends(self) -> None:
        """The toolkit separates such a scene from itself for ever."""
        graph = tree("[A|H he] [P ran]")
        assert evaluate(graph, graph).tables["labelled"]["primary"].f == 1


def shape(node: ViewNode) -> str:
    """What is below a node of a view, whatever the order of children."""
    if node.kind == "T":
        return str(node.key[1])
    return f"({' '.join(sorted('|'.join(e.tags) + '*' * e.remote + shape(e.child) for e in node.out))})"


class TestInvariants:
    @given(seeds, st.integers(0, 8))
    def test_a_graph_agrees_with_itself(self, seed: int, n: int) -> None:
        graph = random_graph(random.Random(seed), n)
        for normalise in (True, False):
            for c in every(evaluate(graph, graph, normalise=normalise)).values():
                assert c.matched == c.predicted == c.gold

    @given(seeds, st.integers(1, 8), st.booleans())
    def test_swapping_the_graphs_swaps_precision_and_recall(self, seed: int, n: int, normalise: bool) -> None:
        rng = random.Random(seed)
        a = random_graph(rng, n)
        b = corrupted(a, rng, changes=5)
        there, back = evaluate(a, b, normalise=normalise), evaluate(b, a, normalise=normalise)
        assert every(there) == swapped(every(back))
        assert there.tables["categories"] == swapped(back.tables["categories"])

    @given(seeds, st.integers(1, 8))
    def test_stricter_labels_match_less(self, seed: int, n: int) -> None:
        rng = random.Random(seed)
        a = random_graph(rng, n)
        result = evaluate(a, corrupted(a, rng, changes=5))
        for kind in KINDS:
            strict, weak, none = (every(result)[how, kind] for how in ("labelled", "weak", "unlabelled"))
            assert strict.matched <= weak.matched <= none.matched <= min(none.predicted, none.gold)
            assert (strict.predicted, strict.gold) == (weak.predicted, weak.gold) == (none.predicted, none.gold)

    def test_evaluations_add_up(self) -> None:
        rng = random.Random(0)
        graphs = [random_graph(rng, n) for n in (1, 5, 8)]
        results = [evaluate(g, corrupted(g, rng, changes=5)) for g in graphs]
        whole = total(results)
        assert whole.passages == 3
        for key, c in every(whole).items():
            assert c == sum((every(r)[key] for r in results), start=Counts())
        for category, c in whole.tables["categories"].items():
            assert c == sum((r.tables["categories"].get(category, Counts()) for r in results), start=Counts())
        assert total([]).passages == 0


# -- beside the toolkit ----------------------------------------------------------------------------------------------

Table = dict[tuple[str, str], tuple[int, int, int]]


def ours(gold: str, predicted: str, normalise: bool) -> tuple[Evaluation, Table]:
    """The counts for each way to compare labels, by kind of edge."""
    result = evaluate(parse_xml(gold), parse_xml(predicted), normalise=normalise)
    return result, {key: (c.matched, c.predicted, c.gold) for key, c in every(result).items()}


def toolkit(gold: str, predicted: str, normalise: bool) -> tuple[Any, Table]:
    """The same of the toolkit. It changes what it evaluates, so the passages are read anew."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        convert = pytest.importorskip("ucca.convert", reason="the oracle: pip install --no-deps ucca")
        evaluation = pytest.importorskip("ucca.evaluation")
    scores = evaluation.evaluate(
        *(convert.from_standard(ET.fromstring(text)) for text in (predicted, gold)),
        constructions=[*KINDS],
        normalize=normalise,
    )
    table: Table = {}
    for how, name in LABELS.items():
        rows = {(how, str(construction)): s for construction, s in scores[name].results.items()}
        table |= {row: (s.num_matches, s.num_guessed, s.num_ref) for row, s in rows.items() if s or row[1] in KINDS}
    return scores, table


@pytest.mark.parametrize("seed", range(30))
def test_random_graphs_are_counted_as_by_the_toolkit(seed: int) -> None:
    rng = random.Random(seed)
    gold = random_graph(rng, rng.randint(1, 9))
    predicted = corrupted(gold, rng, changes=rng.choice([1, 5, 20]))
    texts = to_xml(gold), to_xml(predicted)
    for normalise in (True, False):
        assert ours(*texts, normalise)[1] == toolkit(*texts, normalise)[1]


@pytest.mark.data
@pytest.mark.parametrize(("name", "step"), [("ucca-wiki-dev", 30), ("ucca-ewt-dev", 20)])
def test_corpora_are_counted_as_by_the_toolkit(corpus: Callable[[str], Path], name: str, step: int) -> None:
    """Gold with gold and with changed graphs, passage by passage and all together."""
    evaluations: list[Evaluation] = []
    scores: list[Any] = []
    for i, path in enumerate(sorted(corpus(name).glob("*.xml"))[::step]):
        gold = path.read_text(encoding="utf-8")
        rng = random.Random(i)
        changed = to_xml(corrupted(read_xml(path), rng, changes=rng.choice([2, 5, 15])))
        for predicted, normalise in ((gold, True), (changed, True), (changed, False)):
            mine, expected = ours(gold, predicted, normalise), toolkit(gold, predicted, normalise)
            assert mine[1] == expected[1], path
            evaluations.append(mine[0])
            scores.append(expected[0])
    whole, expected_whole = total(evaluations), type(scores[0]).aggregate(scores)
    for (how, kind), c in every(whole).items():
        e = expected_whole[LABELS[how]][kind]
        assert (c.precision, c.recall, c.f) == pytest.approx((e.p, e.r, e.f1), abs=1e-9)
