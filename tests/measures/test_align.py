"""Which words and which units belong together."""

from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from tests.brackets import graph_of
from tests.strategies import annotation_pairs, edited_tokens, graph_pairs, tokens
from usim.errors import AlignmentError
from usim.measures import Alignment, Preset, align_graphs, align_tokens, usim_score
from usim.measures._align import NodeAlignment, assignment
from usim.measures._arrays import comparable
from usim.measures._published import common_parts, published_links
from usim.ucca import Graph


def aligned(source: str, output: str) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """The aligned words of two texts that are not equal, and what is left over on either side."""
    a, b = source.split(), output.split()
    found = align_tokens(a, b)
    return (
        [(a[i], b[j]) for i, j in found.pairs if a[i] != b[j]],
        [w for i, w in enumerate(a) if found.to_output[i] < 0],
        [w for j, w in enumerate(b) if found.reversed.to_output[j] < 0],
    )


class TestWords:
    @pytest.mark.parametrize(
        ("source", "output", "pairs", "gone", "new"),
        [
            ("Yesterday he goed to the shcool .", "He went to the school .",
             [("he", "He"), ("goed", "went"), ("shcool", "school")], ["Yesterday"], []),
            ("The child was happy .", "The child was sad .", [("happy", "sad")], [], []),  # in the same place
            # One word is left over on either side, and there it stays: "yesterday" did not become "again".
            ("Yesterday we met them in the park", "we met them in the park again", [], ["Yesterday"], ["again"]),
            # Similar words find each other over a distance.
            ("He the informations gave to us", "He gave to us the information", [("informations", "information")], [], []),
        ],
    )  # fmt: skip
    def test_corrections(
        self, source: str, output: str, pairs: list[tuple[str, str]], gone: list[str], new: list[str]
    ) -> None:
        assert aligned(source, output) == (pairs, gone, new)

    @pytest.mark.parametrize(
        ("source", "output", "places"),
        [
            ("on Monday we left the old house", "we left the old house on Monday", [5, 6, 0, 1, 2, 3, 4]),
            ("the cat of the man of the house", "the big cat of the man of the house", [0, 2, 3, 4, 5, 6, 7, 8]),
            ("", "", []),
            ("a", "", [-1]),
            ("", "a", []),
        ],
    )
    def test_equal_words(self, source: str, output: str, places: list[int]) -> None:
        assert align_tokens(source.split(), output.split()).to_output.tolist() == places

    def test_a_passage_is_aligned_sentence_by_sentence(self) -> None:
        sentences = [f"the {name} sees the sea and the land of the {name} .".split() for name in "abcdefgh"]
        source = [w for s in sentences for w in s]
        without_third = [w for k, s in enumerate(sentences) if k != 2 for w in s]
        found = align_tokens(source, without_third).to_output
        n = len(sentences[0])
        assert found[: 2 * n].tolist() == list(range(2 * n))
        assert found[3 * n :].tolist() == list(range(2 * n, 7 * n))

    @given(tokens())
    def test_equal_texts_are_aligned_word_by_word(self, words: list[str]) -> None:
        assert align_tokens(words, [w.upper() + " " for w in words]) == Alignment.identity(len(words))

    @given(st.data())
    def test_swapping_the_texts_reverses_the_alignment(self, data: st.DataObject) -> None:
        a = data.draw(tokens())
        b = data.draw(edited_tokens(a) | tokens())
        assert align_tokens(a, b).reversed == align_tokens(b, a)

    @given(st.data())
    def test_equal_words_do_not_cross(self, data: st.DataObject) -> None:
        a = data.draw(tokens(max_size=30))
        b = data.draw(edited_tokens(a, max_edits=12) | tokens(max_size=30))
        of: dict[tuple[str, str], list[int]] = {}
        for i, j in align_tokens(a, b).pairs:
            if a[i].lower() == b[j].lower():
                of.setdefault((a[i].lower(), b[j].lower()), []).append(j)
        for partners in of.values():
            assert partners == sorted(partners)

    @pytest.mark.parametrize("leaf", ["lev", "lev+pos"])
    @given(data=st.data())
    def test_the_cost_of_the_paper_is_least(self, leaf: str, data: st.DataObject) -> None:
        a = data.draw(tokens(max_size=6))
        b = data.draw(edited_tokens(a) | tokens(max_size=6))
        found = align_tokens(a, b, leaf)
        assert found.reversed == align_tokens(b, a, leaf)
        assert len(found.pairs) == min(len(a), len(b))
        longer = max(len(a), len(b))

        def cost(pairs: Iterable[tuple[int, int]]) -> int:
            return sum(
                Levenshtein.distance(comparable(a[i]), comparable(b[j])) * longer + (leaf == "lev+pos") * abs(i - j)
                for i, j in pairs
            )

        if len(a) <= len(b):
            others = (enumerate(chosen) for chosen in permutations(range(len(b)), len(a)))
        else:
            others = (((i, j) for j, i in enumerate(chosen)) for chosen in permutations(range(len(a)), len(b)))
        assert cost(found.pairs) == min(map(cost, others))

    def test_published_parts_end_where_sentences_end_with_the_same_word(self) -> None:
        first, second = "[H [A He] [P left]] [U .]", "[H [P Sleep]] [U !]"
        a = graph_of(f"{first} {second}")
        b = graph_of(f"[H [A She] [P ran]] [U .] {first} {second}")
        # The mark of a sentence begins the part after it, and the last is in none.
        assert common_parts(a, a) == [(slice(0, 2), slice(0, 2)), (slice(2, 4), slice(2, 4))]
        assert align_graphs(a, a, "published").pairs == [(0, 0), (1, 1), (2, 2), (3, 3)]
        # One sentence more: it is in one part with the next.
        assert common_parts(a, b) == [(slice(0, 2), slice(0, 5)), (slice(2, 4), slice(5, 7))]
        assert common_parts(b, a) == [(slice(0, 5), slice(0, 2)), (slice(5, 7), slice(2, 4))]
        # No end in common: both as they are.
        other = graph_of("[H [A Dogs] [P bark]]")
        assert common_parts(other, graph_of("[H [A Cats] [P mew]]")) == [(slice(0, 2), slice(0, 2))]

    @given(data=st.data())
    def test_published_links_cost_least(self, data: st.DataObject) -> None:
        a = [comparable(token) for token in data.draw(tokens(max_size=5))]
        b = [comparable(token) for token in data.draw(edited_tokens(a) | tokens(max_size=5))]
        longer, shorter = max(len(a), len(b)), min(len(a), len(b))
        found = published_links(a, b)
        assert len(found) == shorter
        swapped = [(j, i) for i, j in published_links(b, a)]

        def cost(pairs: Iterable[tuple[int, int]]) -> float:
            return sum(Levenshtein.distance(a[i], b[j]) + abs(i - j) / longer for i, j in pairs)

        assert cost(found) == pytest.approx(cost(swapped))
        if len(a) <= len(b):
            others = (list(enumerate(chosen)) for chosen in permutations(range(len(b)), len(a)))
            assert cost(found) == pytest.approx(min(map(cost, others)))

    def test_a_way_that_does_not_exist(self) -> None:
        with pytest.raises(ValueError, match=r"leaf is 'edit'; it can be anchor\+lev, lev, lev\+pos"):
            align_tokens(["a"], ["b"], "edit")


def test_texts_beyond_the_limit_are_refused() -> None:
    long = ["a"] * 2_001
    for pair in ((long, ["a"]), (["a"], long)):
        with pytest.raises(AlignmentError, match="a text of 2001 tokens: texts of at most 2000 can be aligned"):
            align_tokens(*pair)


class TestAssignment:
    """Assignments that are found without SciPy are those that SciPy finds."""

    @given(arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 7)))
    def test_of_all_costs(self, cost: np.ndarray) -> None:
        expected = linear_sum_assignment(cost)
        assert sorted(zip(*assignment(cost), strict=True)) == sorted(zip(*expected, strict=True))

    @given(arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 7)))
    def test_of_costs_up_to_a_limit(self, cost: np.ndarray) -> None:
        capped = np.minimum(cost, 4).astype(float)
        links = [set(zip(*places, strict=True)) for places in (assignment(capped, 4), linear_sum_assignment(capped))]
        ours, expected = ({(i, j) for i, j in side if capped[i, j] < 4} for side in links)
        assert ours == expected


class TestAlignment:
    def test_from_pairs(self) -> None:
        found = Alignment.from_pairs([(2, 0), (0, 1)], 3, 3)
        assert found.to_output.tolist() == [1, -1, 0]
        assert found.reversed.to_output.tolist() == [2, 0, -1]
        assert found.pairs == [(0, 1), (2, 0)]
        assert (found.n_source, found.n_output) == (3, 3)
        assert hash(found) == hash(Alignment.from_pairs(found.pairs, 3, 3))
        assert found != "something else"

    @pytest.mark.parametrize(
        ("given_pairs", "message"),
        [
            ([(3, 0)], "do not exist.*'3 0'"),
            ([(-1, 0)], "do not exist.*'-1 0'"),
            ([(0, 2)], "do not exist.*'0 2'"),
            ([(0, 0), (0, 1)], "token of the source is aligned twice: '0 1'"),
            ([(0, 0), (1, 0)], "token of the output is aligned twice: '1 0'"),
        ],
    )
    def test_what_is_no_alignment(self, given_pairs: list[tuple[int, int]], message: str) -> None:
        with pytest.raises(AlignmentError, match=message):
            Alignment.from_pairs(given_pairs, 3, 2)


def align_units(source: Graph, output: Graph, **settings: str) -> NodeAlignment:
    return usim_score(source, output, Preset("tried", **settings)).nodes


class TestUnits:
    cat = graph_of("[H [A [E the] [C cat]] [P sat] [A [R in] [E the] [C sun]]]")
    cats = graph_of("[H [A cats] [P sat] [A [R in] [C [E the] [C sun]]]]")

    def texts(self, **settings: str) -> dict[str, str]:
        to = align_units(self.cat, self.cats, **settings).to_output
        return {self.cat.text(u): self.cats.text(int(v)) for u, v in enumerate(to) if v >= 0}

    def test_by_f(self) -> None:
        assert self.texts(node="f") == {
            "the cat sat in the sun": "cats sat in the sun",
            "the cat": "cats",
            "cat": "cats",
            "sat": "sat",
            "in the sun": "in the sun",
            "in": "in",
            "the": "the",  # the second; the first has gone
            "sun": "sun",
        }

    def test_what_was_not_edited_needs_the_same_words(self) -> None:
        # An annotator made "in the" one unit: nothing in the other graph has these words.
        other = graph_of("[H [A cats] [P sat] [A [R in the] [C sun]]]")
        texts = {other.text(u): int(v) for u, v in enumerate(align_units(other, self.cats).to_output)}
        assert texts["in the"] == -1
        assert texts["sun"] >= 0
        loose = {other.text(u): int(v) for u, v in enumerate(align_units(other, self.cats, node="f").to_output)}
        assert self.cats.text(loose["in the"]) in ("in", "the", "in the sun")

    def test_exact_needs_them_everywhere_and_cover_is_the_printed_formula(self) -> None:
        assert "the cat" not in self.texts(node="exact")
        assert self.texts(node="exact")["in the sun"] == "in the sun"
        # Every unit inside of the image has weight 1, so that all is ties; of these the greatest.
        assert self.texts(node="cover", ties="size+label")["in the sun"] == "in the sun"
        assert self.texts(node="cover", ties="first")["the cat sat in the sun"] == "cats sat in the sun"

    def test_labels_settle_ties(self) -> None:
        # D and A have the same yield; A takes A and H takes H.
        a, b = graph_of("[H [A it] [S is]]"), graph_of("[H [D [A it]] [S is]]")
        by_label = align_units(a, b, units="units").to_output
        assert [b.category(int(v)) for v in by_label[1:]] == [("H",), ("A",), ("S",)]
        first = align_units(a, b, units="units", ties="first").to_output
        assert [b.category(int(v)) for v in first[1:]] == [("H",), ("D",), ("S",)]

    @given(graph_pairs(), st.sampled_from(["f", "touched", "exact", "cover", "f-float"]))
    def test_swapping_the_graphs_swaps_the_directions(self, pair: tuple[Graph, Graph], node: str) -> None:
        a, b = pair
        units = "phrases" if node == "f-float" else "yields"
        there, back = align_units(a, b, node=node, units=units), align_units(b, a, node=node, units=units)
        assert np.array_equal(there.to_output, back.to_source)
        assert np.array_equal(there.to_source, back.to_output)

    @given(graph_pairs())
    def test_the_f_of_partners_is_the_best(self, pair: tuple[Graph, Graph]) -> None:
        # The definition, written out over all pairs of units.
        a, b = pair
        token_alignment = align_graphs(a, b)
        to = align_units(a, b, node="f", units="units").to_output

        def f(u: int, v: int) -> float:
            mine = {i for i in a.positions(u) if not a.punctuation >> i & 1}
            theirs = {j for j in b.positions(v) if not b.punctuation >> j & 1}
            common = sum(int(token_alignment.to_output[i]) in theirs for i in mine)
            return 2 * common / (len(mine) + len(theirs)) if mine or theirs else 1.0

        def counted(graph: Graph) -> list[int]:
            return [e.child for e in graph.primary if not (graph.units[e.child].is_implicit or "U" in e.categories)]

        for u in counted(a):
            best = max((f(u, v) for v in counted(b)), default=0.0)
            assert (to[u] < 0) == (best == 0)
            if best:
                assert f(u, int(to[u])) == best

    @given(annotation_pairs())
    def test_where_nothing_was_edited_partners_have_the_same_yield(self, pair: tuple[Graph, Graph]) -> None:
        a, b = pair
        for u, v in enumerate(align_units(a, b).to_output):
            if v >= 0:
                assert a.yields[u] & ~a.punctuation == b.yields[v] & ~b.punctuation
