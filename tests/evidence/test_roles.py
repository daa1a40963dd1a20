"""Participants that changed places, and words that cross: found without a look at all couples."""

import random
from itertools import combinations
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brackets import graph_of
from usim.evidence import Analysis, Comparison, compare
from usim.evidence._finders import roles
from usim.evidence._finders.finding import HandledTokens

WORDS = "John Mary cat dog he they sees helped is was by of with if because , and . letter gives".split()
VERBS = frozenset("sees helped is was gives".split())


def analysed(words: list[str], scene: int = 10) -> Analysis:
    """Scenes of a number of words, in which verbs are processes and all else participants."""
    units = [f"[{'P' if word in VERBS else 'A'} {word}]" for word in words]
    scenes = [f"[H {' '.join(units[start : start + scene])}]" for start in range(0, len(words), scene)]
    return Analysis(graph_of(" ".join(scenes)), None, " ".join(words))


def expected_roles(pair: Comparison) -> tuple[roles.Pair, roles.Pair, float] | None:
    """The participants that changed places, by looking at all couples and all pivots."""
    a, b = pair.source, pair.output
    couples = list(combinations(roles._participants(pair), 2))
    pivots = [
        (i, j)
        for i, j in sorted(pair.partner.items())
        if (i in a.verbs and a.is_content[i]) or a.entries[i].is_preposition or a.entries[i].links
    ]
    for first, second in couples:
        if second[1] < first[1] and any(roles._are_exchanged(pair, first, second, pivot) for pivot in pivots):
            return first, second, 0.85
    for pivot in pivots:
        if pivot[0] in a.verbs and (pivot[0] in a.passives) != (pivot[1] in b.passives):
            side = int(pivot[0] in a.passives)  # in the order of the active sentence
            for first, second in combinations(sorted(roles._participants(pair), key=itemgetter(side)), 2):
                if roles._is_voice_turned(pair, first, second, pivot):
                    return first, second, 0.8
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
        ("source", "output"),
        [
            ("John sees Mary .", "Mary sees John ."),
            ("the letter of Mary helped John", "the Mary of letter helped John"),
            ("John was helped by Mary", "John helped Mary"),
            ("dog gives letter because cat sees Mary", "cat sees Mary because dog gives letter"),
            ("if John sees dog , Mary gives letter .", "if Mary gives letter , John sees dog ."),
        ],
    )
    def test_each_kind_of_pivot(self, source: str, output: str) -> None:
        assert self.check(source.split(), output.split())

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
            roles.detect_swapped_roles(pair, HandledTokens())
            counts.append(len(calls))
        assert 0 < counts[1] < 2.5 * counts[0]

    @staticmethod
    def check(source: list[str], output: list[str]) -> bool:
        pair = compare(analysed(source), analysed(output))
        findings = roles.detect_swapped_roles(pair, HandledTokens())
        a = pair.source
        if pair.in_order and not (a.passives or pair.output.passives or any(a.entries[i].person for i in pair.gone)):
            assert findings == []
            return False
        expected = expected_roles(pair)
        if expected is None:
            assert findings == []
            return False
        first, second, weight = expected
        (finding,) = findings
        assert (finding.source, finding.output) == ((first[0], second[0]), tuple(sorted((first[1], second[1]))))
        assert finding.weight == weight
        return True


@given(st.permutations(range(12)))
def test_crossing_is_the_share_of_pairs_that_are_turned_round(order: list[int]) -> None:
    words = [f"w{k}x" for k in range(12)]
    result = compare(analysed(words), analysed([words[k] for k in order]))
    places = [j for _, j in result.kept]
    turned = sum(x > y for x, y in combinations(places, 2))
    assert result.crossing == turned / (len(places) * (len(places) - 1) / 2)
