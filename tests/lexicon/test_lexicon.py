"""Words: WordNet as it comes with usim, on words that everybody knows."""

import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import cases
from usim.lexicon import WordNet, are_variants, exchange_cost, link_cost, relation, word_info
from usim.lexicon.numbers import read_number, roman
from usim.lexicon.wordnet import SHIPPED

COMMON = (
    "hot cold cats went good bad big large house car vehicle dog animal walk run happy unhappy doctor quickly slow "
    "teach teacher buy sell paris flurb xyzzy the not seven give up gave old new rise fall animal entity"
).split()


# -- what holds between words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b", "kind"), cases(__file__, "relations.tsv"))
def test_relations(a: str, b: str, kind: str) -> None:
    result = relation(a, b)
    if kind in ("direct", "indirect", "-"):
        assert result.antonym == kind.strip("-")
        return
    assert getattr(result, kind)
    if kind == "synonym":
        assert min(result.rank_a, result.rank_b) >= 1
        assert 0 < min(result.share_a, result.share_b) <= max(result.share_a, result.share_b) <= 1
        assert result.path == result.lin == 1


def test_broader_words_and_similarity_that_falls_with_distance() -> None:
    assert relation("dog", "entity").hypernym > relation("dog", "animal").hypernym > 0
    assert relation("dog", "justice").hypernym == 0
    assert not relation("decide", "nurse").derived
    near, far = relation("wolf", "dog"), relation("wolf", "justice")
    assert near.path > far.path
    assert near.wup > far.wup
    assert near.lin > far.lin
    # An opposite in a rare sense has a small share.
    assert relation("start", "finish").antonym_share < 0.05 < relation("hot", "cold").antonym_share


def test_unknown_words_frequency_and_names() -> None:
    word = WordNet.shipped().word
    pairs = ("flurb", "dog"), ("flurb", "flurb"), ("dog", "dog")
    assert [relation(*pair).known for pair in pairs] == [False, False, True]
    assert word("man").count > word("walrus").count >= 0
    assert word("flurb").count == 0
    assert word("Lisbon").is_proper
    assert not word("turkey").is_proper  # the bird
    assert word("gave up").known


@given(st.sampled_from(COMMON), st.sampled_from(COMMON))
def test_relations_are_the_same_from_both_sides(a: str, b: str) -> None:
    x, y = relation(a, b), relation(b, a)
    assert x.antonym == y.antonym
    assert x.hypernym == -y.hypernym
    assert (x.rank_a, x.share_a, x.frequency_a) == (y.rank_b, y.share_b, y.frequency_b)
    for name in ("known", "same_lemma", "synonym", "sibling", "similar", "derived", "entails", "part"):
        assert getattr(x, name) == getattr(y, name), name
    for name in ("path", "wup", "lin", "antonym_share"):
        assert getattr(x, name) == pytest.approx(getattr(y, name)), name
        assert 0 <= getattr(x, name) <= 1


@given(st.text(max_size=12))
def test_any_text_is_a_word_that_may_be_unknown(text: str) -> None:
    result = WordNet.shipped().word(text)
    assert result.known == bool(result.senses)
    assert sum(share for _, share in result.senses.values()) == pytest.approx(1.0 if result.known else 0.0)
    assert word_info(text).is_content in (True, False)


def test_wordnet_is_read_when_it_is_needed_and_not_before() -> None:
    code = "import sys, usim, usim.lexicon; assert 'lzma' in sys.modules; print(usim.lexicon.WordNet.shipped.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
    assert SHIPPED.stat().st_size <= 2_500_000


# -- closed classes --------------------------------------------------------------------------------------------------


def test_costs_of_another_class() -> None:
    assert exchange_cost("quantity", "all", "all") == 0 < exchange_cost("quantity", "all", None)
    assert exchange_cost("modal", "can", "may") == exchange_cost("modal", "may", "can") > 0
    person = partial(exchange_cost, "person")
    assert person("he", "she") == person("she", "he") > person("it", "they") > 0
    assert link_cost(frozenset({"because"}), frozenset({"because", "when"})) == 0
    assert link_cost(frozenset({"if"}), frozenset({"unless"})) > link_cost(frozenset({"if"}), frozenset({"when"}))


@pytest.mark.parametrize(
    ("form", "field", "value"),
    [
        ("everyone", "quantity", "all"),
        ("might", "modal", "may"),
        ("himself", "person", "he"),
        ("hardly", "negation", 0.7),
        ("without", "negation", 1.0),
        ("table", "is_content", True),
        ("between", "is_preposition", True),
        ("'s", "is_be", True),
    ],
)
def test_entries(form: str, field: str, value: object) -> None:
    assert getattr(word_info(form), field) == value


@pytest.mark.parametrize(("british", "american", "expected"), cases(__file__, "variants.tsv"))
def test_british_and_american_spellings_of_one_word(british: str, american: str, expected: str) -> None:
    assert are_variants(british, american) is are_variants(american, british) is (expected == "+")


# -- numbers ---------------------------------------------------------------------------------------------------------


def number_at(words: list[str], start: int) -> tuple[int, int] | None:
    return read_number([*words, *[""] * 4], start)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twenty - five", 25), ("two hundred and five", 205), ("nineteen ninety - nine", 1999), ("two dozen", 24),
        ("three million and two", 3_000_002), ("one house", 1), ("one of them", None), ("a cat", None),
    ],
)  # fmt: skip
def test_numbers_in_words(text: str, number: int | None) -> None:
    words = text.split()
    end = len(words) - ("house" in words)
    assert number_at(words, 0) == (number and (number, end))


@given(st.lists(st.text(min_size=1, max_size=8) | st.sampled_from("two hundred and - one million nineteen of".split())))
def test_numbers_in_words_end_within_the_text(words: list[str]) -> None:
    for i in range(len(words)):
        found = number_at(words, i)
        assert found is None or i < found[1] <= len(words)


def test_a_number_in_roman_letters() -> None:
    assert [roman(text) for text in ("IV", "VIII", "XIX")] == [4, 8, 19]
