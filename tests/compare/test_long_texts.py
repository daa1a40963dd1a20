"""Long texts: compared as short ones are, in memory that grows with the length."""

from __future__ import annotations

import random
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.compare import (
    Analysis,
    Comparison,
    changes,
    compare,
    compute_features,
    cosines,
    find_reasons,
)
from usim.compare.cosines import Cosines
from usim.compare.reasons import roles
from usim.compare.reasons.reason import Claimed
from usim.measures import align, pairs
from usim.ucca import Edge, Graph, Terminal, Unit, graph

Pair = tuple[Analysis, Analysis]
WORDS = "John Mary cat dog he they sees helped is was by of with if because , and . letter gives".split()
VERBS = frozenset("sees helped is was gives".split())


def analysed(words: list[str], width: int = 0, scene: int = 10) -> Analysis:
    """Scenes of a number of words, in which verbs are processes and all else participants."""
    units, edges = [Unit()], []
    for start in range(0, len(words), scene):
        above = len(units)
        units.append(Unit())
        edges.append(Edge(0, above, ("H",)))
        for i in range(start, min(start + scene, len(words))):
            edges.append(Edge(above, len(units), ("P" if words[i] in VERBS else "A",)))
            units.append(Unit((i,)))
    vectors = np.random.default_rng(len(words)).normal(size=(len(words), width)).astype(np.float32) if width else None
    return Analysis(Graph(map(Terminal, words), units, edges), vectors, " ".join(words))


def edited(n: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """A text, and the same with words exchanged, left out and moved."""
    rng = random.Random(seed)
    vocabulary = [*WORDS, *("".join(rng.choices("aeioubcdlmnprst", k=6)) for _ in range(200))]
    a = rng.choices(vocabulary, k=n)
    b = [w if rng.random() < 0.9 else rng.choice(vocabulary) for w in a if rng.random() < 0.97]
    for _ in range(n // 20):
        i = rng.randrange(len(b) - 2)
        b[i], b[i + 1] = b[i + 1], b[i]
    return a, b


class TestCosines:
    @given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 30))
    def test_blocks_give_what_a_table_gives(self, n: int, m: int, block: int) -> None:
        rng = np.random.default_rng(n * m)
        a, b = (rng.normal(size=(size, 5)).astype(np.float32) for size in (n, m))
        whole, parts = Cosines(a, b), Cosines(a, b, 0, block)
        places = [(i, j) for i in range(n) for j in range(m)]
        np.testing.assert_allclose(parts.of_pairs(places), whole.of_pairs(places), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose([parts[pair] for pair in places], whole.of_pairs(places), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(parts.best_of_source, whole.best_of_source, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(parts.best_of_target, whole.best_of_target, rtol=1e-5, atol=1e-6)

    def test_a_small_table_is_one_product(self) -> None:
        a, b = (np.random.default_rng(n).normal(size=(n, 384)).astype(np.float32) for n in (30, 40))
        table = a @ b.T
        places = Cosines(a, b)
        assert places.of_pairs([(i, j) for i in range(30) for j in range(40)]) == table.ravel().tolist()
        assert places.best_of_source.tolist() == table.max(axis=1).tolist()
        assert places.best_of_target.tolist() == table.max(axis=0).tolist()
        assert places.of_pairs([]) == []


class TestComparison:
    @given(st.permutations(range(12)))
    def test_crossing_is_the_share_of_pairs_that_are_turned_round(self, order: list[int]) -> None:
        words = [f"w{k}x" for k in range(12)]
        result = compare(analysed(words), analysed([words[k] for k in order]))
        places = [j for _, j in result.kept]
        turned = sum(x > y for x, y in combinations(places, 2))
        assert result.crossing == turned / (len(places) * (len(places) - 1) / 2)

    def test_a_place_of_very_many_words_is_compared_in_stretches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        a, b = [f"a{k}" for k in range(20)], [f"{k}b" for k in range(33)]
        (whole,) = compare(analysed(a), analysed(b)).groups
        assert (len(whole.source), len(whole.target)) == (20, 33)
        monkeypatch.setattr(changes, "_MOST", 100)
        parts = compare(analysed(a), analysed(b)).groups
        assert len(parts) == 7
        assert tuple(i for group in parts for i in group.source) == whole.source
        assert tuple(j for group in parts for j in group.target) == whole.target
        assert sum(len(group.source) * len(group.target) for group in parts) <= 100


def expected_roles(pair: Comparison) -> tuple[roles.Pair, roles.Pair, float] | None:
    """The participants that changed places, by looking at all couples and all pivots."""
    a, b = pair.source, pair.target
    couples = list(combinations(roles._participants(pair), 2))
    pivots = [
        (i, j)
        for i, j in sorted(pair.partner.items())
        if (i in a.verbs and a.is_content[i]) or a.entries[i].is_preposition or a.entries[i].links
    ]
    for first, second in couples:
        if second[1] < first[1] and any(roles._are_exchanged(pair, first, second, pivot) for pivot in pivots):
            return first, second, roles.SWAPPED_WEIGHT
    for pivot in pivots:
        if pivot[0] in a.verbs and (pivot[0] in a.passives) != (pivot[1] in b.passives):
            for first, second in couples:
                if roles._is_voice_turned(pair, first, second, pivot):
                    return first, second, roles.VOICE_WEIGHT
    return None


class TestRoles:
    @given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=25), st.randoms(use_true_random=False))
    def test_neighbours_give_what_all_couples_give(self, words: list[str], rng: random.Random) -> None:
        other = list(words)
        for _ in range(rng.randint(1, 3)):
            i, k = rng.randrange(len(words)), rng.randrange(len(words))
            other[i], other[k] = other[k], other[i]
        self.check(words, other)

    @pytest.mark.parametrize(
        ("source", "target"),
        [
            ("John sees Mary .", "Mary sees John ."),
            ("the letter of Mary helped John", "the Mary of letter helped John"),
            ("John was helped by Mary", "John helped Mary"),
            ("dog gives letter because cat sees Mary", "cat sees Mary because dog gives letter"),
            ("if John sees dog , Mary gives letter .", "if Mary gives letter , John sees dog ."),
        ],
    )
    def test_each_kind_of_pivot(self, source: str, target: str) -> None:
        assert self.check(source.split(), target.split())

    def test_work_grows_with_the_length(self, monkeypatch: pytest.MonkeyPatch) -> None:
        counts = []
        rng = random.Random(4)
        are_exchanged = roles._are_exchanged
        for length in (200, 400):
            words = [rng.choice(["John", "Mary", "cat", "dog", "letter"]) for _ in range(length)]
            others = rng.sample(words, len(words))
            pair = compare(analysed(" of ".join(words).split()), analysed(" of ".join(others).split()))
            calls = []
            monkeypatch.setattr(roles, "_are_exchanged", lambda *a, calls=calls: calls.append(a) or are_exchanged(*a))
            roles.detect_swapped_roles(pair, Claimed())
            counts.append(len(calls))
        assert 0 < counts[1] < 2.5 * counts[0]

    @staticmethod
    def check(source: list[str], target: list[str]) -> bool:
        pair = compare(analysed(source), analysed(target))
        reasons = roles.detect_swapped_roles(pair, Claimed())
        a = pair.source
        if pair.in_order and not (a.passives or pair.target.passives or any(a.entries[i].person for i in pair.gone)):
            assert reasons == []
            return False
        expected = expected_roles(pair)
        if expected is None:
            assert reasons == []
            return False
        first, second, weight = expected
        (reason,) = reasons
        assert (reason.source, reason.target) == ((first[0], second[0]), tuple(sorted((first[1], second[1]))))
        assert reason.weight == weight
        return True


def test_memory_grows_with_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    # Small limits, so that it shows in seconds: the same code runs above the real ones.
    monkeypatch.setattr(align, "_MATCHING_CELLS", 1 << 12)
    monkeypatch.setattr(align.matching_blocks, "__defaults__", (1 << 16,))
    monkeypatch.setattr(pairs, "_DENSE", 1 << 12)
    monkeypatch.setattr(graph, "_LONG", 16)
    monkeypatch.setattr(cosines.Cosines.__init__, "__defaults__", (1 << 12, 1 << 12))

    def peak(n: int) -> int:
        a, b = edited(n)
        tracemalloc.start()
        pair = compare(analysed(a, 8), analysed(b, 8))
        reasons = find_reasons(pair)
        assert reasons
        assert pair.groups
        assert np.isfinite(compute_features(pair, reasons)).all()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(300)  # whatever is kept for good
    assert peak(1000) < 3 * peak(500) + (1 << 20)
