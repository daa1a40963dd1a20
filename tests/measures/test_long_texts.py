"""Long texts: as good an alignment as short ones get, in memory that grows with the length."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, LCSseq

from tests.strategies import edited_tokens, graph_pairs, tokens
from usim.errors import AlignmentError
from usim.measures import PRESETS, Preset, align, align_tokens, pairs, usim_score
from usim.measures.long_texts import matched_nearby, matching_blocks
from usim.ucca import Edge, Graph, Terminal, Unit

Texts = tuple[list[str], list[str]]
VOCABULARY = ["".join(letters) for letters in zip(*[iter("aeioubcdlmnprst" * 200)] * 7, strict=False)]


@st.composite
def texts(draw: st.DrawFn) -> Texts:
    a = draw(tokens(max_size=30))
    return a, draw(edited_tokens(a, max_edits=12) | tokens(max_size=30))


class TestBlocks:
    @given(texts(), st.integers(1, 200))
    def test_they_lie_along_a_longest_common_subsequence(self, pair: Texts, limit: int) -> None:
        a, b = pair
        *blocks, end = matching_blocks(a, b, limit)
        assert end == [len(a), len(b), 0]
        assert sum(size for _, _, size in blocks) == LCSseq.similarity(a, b)
        past_a = past_b = 0
        for i, j, size in blocks:
            assert size > 0
            assert i >= past_a
            assert j >= past_b
            assert not (past_a and (i, j) == (past_a, past_b))  # or they were one block
            assert a[i : i + size] == b[j : j + size]
            past_a, past_b = i + size, j + size

    @given(texts())
    def test_texts_within_the_limit_are_not_cut(self, pair: Texts) -> None:
        a, b = pair
        expected = [list(block) for block in Indel.opcodes(a, b).as_matching_blocks()]
        assert matching_blocks(a, b)[-1] == expected[-1]
        assert matching_blocks(a, b)[:-1] == [block for block in expected if block[2]]


class TestNearby:
    @given(texts())
    def test_the_alignment_costs_as_little_as_with_a_table_of_all(self, pair: Texts) -> None:
        with pytest.MonkeyPatch.context() as patch:
            costs = []
            for cells in (1 << 25, 0):
                patch.setattr(align, "_MATCHING_CELLS", cells)
                costs.append(self.cost(*pair))
            assert costs[0] == costs[1]

    @staticmethod
    def cost(a: list[str], b: list[str]) -> int:
        """The cost of step 2 where all of two texts is left over."""
        words_a, words_b = tuple(w.lower() for w in a), tuple(w.lower() for w in b)
        if not (a and b):
            return 0
        places = [k * len(b) / len(a) for k in range(len(a))]
        links = align._match_rest(words_a, words_b, list(range(len(a))), list(range(len(b))), places)
        assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
        unlike = np.array(
            [align.Levenshtein.normalized_distance(words_a[i], words_b[j], score_cutoff=0.5) for i, j in links]
        )
        cost = align._link_costs(unlike, np.array([places[i] - j for i, j in links]))
        return int(cost.sum()) + align._ALONE * (len(a) - len(links))

    def test_words_out_of_reach_are_not_weighed(self) -> None:
        weighed = 0

        def cost(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
            nonlocal weighed
            weighed += len(rows)
            assert (np.abs(rows - columns) <= 3).all()
            return np.full(len(rows), 1.0)

        links = matched_nearby(np.arange(1000.0), np.arange(1000), 3, cost, 2.0)
        assert len(links) == 1000
        assert weighed <= 7 * 1000


class TestUnits:
    @given(graph_pairs(), st.sampled_from([*PRESETS.values(), Preset("f", node="f", units="units", edges="all")]))
    def test_pairs_that_share_words_give_the_same_scores_as_all_pairs(
        self, pair: tuple[Graph, Graph], preset: Preset
    ) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pairs, "_DENSE", 1 << 40)
            expected = usim_score(*pair, preset)
            patch.setattr(pairs, "_DENSE", 0)
            score = usim_score(*pair, preset)
        assert (score.s2r, score.r2s) == (expected.s2r, expected.r2s)
        assert score.matched == expected.matched
        assert score.unmatched_source == expected.unmatched_source
        assert score.unmatched_output == expected.unmatched_output
        for nodes, expected_nodes in zip(score.nodes, expected.nodes, strict=True):
            assert nodes.tolist() == expected_nodes.tolist()


def flat(words: list[str]) -> Graph:
    """Scenes of ten words, with two participants each."""
    units, edges = [Unit()], []
    for start in range(0, len(words), 10):
        scene = len(units)
        units += [
            Unit(),
            *(Unit(tuple(range(i, min(i + 5, len(words))))) for i in (start, start + 5) if i < len(words)),
        ]
        edges += [Edge(0, scene, ("H",)), *(Edge(scene, u, ("A",)) for u in range(scene + 1, len(units)))]
    return Graph(map(Terminal, words), units, edges)


def edited(n: int) -> Texts:
    rng = random.Random(n)
    a = rng.choices(VOCABULARY, k=n)
    return a, [w if rng.random() < 0.9 else rng.choice(VOCABULARY) for w in a if rng.random() < 0.97]


def unrelated(n: int) -> Texts:
    return [f"a{i * 7919 % 99991}" for i in range(n)], [f"{i}wwwwwwww" for i in range(n - n // 50)]


def one_word(n: int) -> Texts:
    return ["the"] * n, ["the"] * (n - n // 50)


def one_sentence(n: int) -> Texts:
    return "the cat sat on the mat .".split() * (n // 7), "the cat sat on a mat .".split() * (n // 7 - n // 200)


@pytest.mark.parametrize("make", [edited, unrelated, one_word, one_sentence])
def test_memory_grows_with_the_length(make: Callable[[int], Texts], monkeypatch: pytest.MonkeyPatch) -> None:
    # Small limits, so that it shows in seconds: the same code runs above the real ones.
    monkeypatch.setattr(align, "_MATCHING_CELLS", 1 << 12)
    monkeypatch.setattr(matching_blocks, "__defaults__", (1 << 16,))

    def peak(n: int) -> int:
        a, b = (flat(words) for words in make(n))
        tracemalloc.start()
        usim_score(a, b)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(700)  # whatever is kept for good
    assert peak(5600) < 3 * peak(2800) + (1 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("make", [edited, unrelated, one_word, one_sentence])
def test_fifty_thousand_words(make: Callable[[int], Texts]) -> None:
    a, b = make(50_000)
    aligned = align_tokens(a, b)
    equal = sum(a[i] == b[j] for i, j in aligned.pairs)
    assert equal >= LCSseq.similarity(a, b)


def test_texts_beyond_the_limit_are_refused() -> None:
    long = ["a"] * (align.MAX_TOKENS + 1)
    with pytest.raises(AlignmentError, match="a text of 65537 tokens: texts of at most 65536 can be aligned"):
        align_tokens(long, ["a"])
    with pytest.raises(AlignmentError, match="a text of 65537 tokens"):
        align_tokens(["a"], long)
