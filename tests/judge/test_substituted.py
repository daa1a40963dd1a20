"""A substitute takes the place of its target in the graph of the source, where the structure stays the same."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brackets import graph_of
from usim import Scorer, Screen
from usim.errors import GraphError
from usim.judge import EncoderInput, load_judge
from usim.judge.substituted import substituted
from usim.options import Options
from usim.parsing import Reading, Variant, load_trunk
from usim.parsing.embedded import EmbeddedParser
from usim.registry import find_model
from usim.text import Context
from usim.ucca import Terminal

LEFT = graph_of("[H [A John] [P left] [A his home]] [U .]")


@pytest.mark.parametrize(
    ("sentence", "graph"),
    [
        ("John abandoned his home .", "[H [A John] [P abandoned] [A his home] ] [U .]"),
        ("John walked out of his home .", "[H [A John] [P walked out of] [A his home] ] [U .]"),
        ("John left his house .", "[H [A John] [P left] [A his house] ] [U .]"),
        # Everything else is parsed.
        ("John left his home .", None),  # nothing changed
        ("John his home .", None),  # a word is gone
        ("John left his old home .", None),  # one is new
        ("John with his home .", None),  # another part of speech
        ("John lfet his home .", None),  # no word
        ("John very much despised with a passion his home .", None),  # too long
        ("Mary left his house .", None),  # two places
    ],
)
def test_a_word_or_phrase_stands_where_the_target_stood(sentence: str, graph: str | None) -> None:
    other = substituted(LEFT, sentence.split())
    assert (None if other is None else str(other)) == graph
    assert other is None or " ".join(other.tokens) == sentence


@given(st.integers(0, 4), st.integers(1, 3))
def test_the_structure_stays(place: int, words: int) -> None:
    """All other terminals keep their units, and the graph is valid: the constructor checks it."""
    other = LEFT.replaced(place, 1, [Terminal("w")] * words)
    assert [edge.categories for edge in other.edges] == [edge.categories for edge in LEFT.edges]
    assert [other.text(u).replace(" ".join(["w"] * words), LEFT.tokens[place]) for u in range(len(other.units))] == [
        LEFT.text(u) for u in range(len(LEFT.units))
    ]


def test_terminals_must_match() -> None:
    with pytest.raises(GraphError, match="1 terminals cannot stand in the place of terminals 0 to 2"):
        LEFT.replaced(0, 2, [Terminal("They")])


def test_a_screen_parses_the_source_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a parser that was asked for, or by USim alone, every sentence is parsed."""
    text, target = "She told an old story about the sea.", (12, 15)
    substitutes = ["ancient", "long", "very long"]
    screen = Screen()
    screen.screen("He sang a song.", 10, 14, ["tune"])
    parsed: list[str] = []
    read = EmbeddedParser.read

    def counted(self: EmbeddedParser, sentences: list[str], **options: Any) -> list[Reading]:
        parsed.extend(sentences)
        return read(self, sentences, **options)

    monkeypatch.setattr(EmbeddedParser, "read", counted)
    in_place = screen.screen(text, *target, substitutes)
    assert parsed == [text]
    monkeypatch.undo()
    assert all(one.usim == 1.0 for one in in_place)
    assert "substitutes:in-place" in str(screen.signature)
    others = Screen(options=Options(parser="en")), Screen(judge="usim")
    for other in others:
        assert "in-place" not in str(other.signature)
    by_parsing = others[0].screen(text, *target, substitutes)
    for one, other in zip(in_place, by_parsing, strict=True):
        assert one.faithfulness == pytest.approx(other.faithfulness, abs=0.15)
    # A screen that parses every sentence says what a scorer says.
    scored = Scorer().score_pairs((text, other.text) for other in by_parsing)
    for other, result in zip(by_parsing, scored, strict=True):
        assert other.faithfulness == pytest.approx(result.judgement.faithfulness, abs=1e-4)
        assert other.verdict == result.judgement.verdict


#: Of which the figure of one stood .0032 lower beside the others than by itself.
_LIST = "5% huge large tiny wonderful old run-down very_large 10"


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_a_figure_does_not_depend_on_the_list(model: str) -> None:
    """Each list, in any order and cut anywhere, has the figures of its members alone, but for the judge's last digit."""
    rng = random.Random(model)
    text = "She bought a big house in London yesterday"
    substitutes = [word.replace("_", " ") for word in _LIST.split()]
    screen = Screen(model=model)

    def figures(part: list[str]) -> dict[str, float]:
        screen.sources.clear()
        return {each.substitute: each.faithfulness for each in screen.screen(text, 13, 16, part)}

    alone = {each: figures([each])[each] for each in substitutes}
    for _ in range(3):
        part = rng.sample(substitutes, rng.randint(2, len(substitutes)))
        assert figures(part) == pytest.approx({each: alone[each] for each in part}, abs=2e-5)


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_the_trunk_reads_a_sentence_the_same_beside_any_others(model: str) -> None:
    """To the last bit, in batches, with substitutes in any order, beyond a block of the matrix product."""
    trunk, rng = load_trunk(Path(find_model(model).parser) / ".." / "trunk"), random.Random(model)

    def pieces(count: int) -> list[int]:
        return [rng.randrange(2000, 20_000) for _ in range(count)]

    for size in (9, 40, 250):
        sentence = [trunk.pieces.cls, *pieces(size), trunk.pieces.sep]
        (whole,) = trunk.outputs([sentence])
        for longer in (1, 7, 40):
            assert np.array_equal(trunk.outputs([sentence, pieces(size + longer)])[0], whole)
        variants = []
        for _ in range(20):
            start = rng.randrange(1, size)
            variants.append(Variant(start, start + 1, tuple(pieces(rng.randint(1, 3)))))
        alone = {each: trunk.in_place(sentence, [each])[1][0] for each in variants[:4]}
        for _ in range(2):
            some = rng.sample(variants, len(variants))
            read = dict(zip(some, trunk.in_place(sentence, some)[1], strict=True))
            assert all(np.array_equal(read[each], alone[each]) for each in alone)


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_substitutes_are_read_together_as_each_by_itself(model: str) -> None:
    """Of a word, of several pieces and of several tokens, with text around it; all other tokens keep their vectors."""
    encoder = load_judge(model).encoder
    assert encoder is not None
    source = tuple("She told an old story about the sea .".split())
    context = Context(("He", "was", "a", "sailor", "."), ())
    substitutes = "ancient", "antediluvian", "time - worn"
    others = [EncoderInput((*source[:3], *words.split(), *source[4:]), context, source) for words in substitutes]
    plain = encoder.packed([EncoderInput(source, context)])[0].unpacked()
    together = [p.unpacked() for p in encoder.packed(others)]
    for variant, vectors in zip(others, together, strict=True):
        (alone,) = encoder.packed([variant])
        np.testing.assert_allclose(alone.unpacked(), vectors, atol=0.02)
        np.testing.assert_allclose(vectors[:3], plain[:3], atol=0.02)
        np.testing.assert_allclose(vectors[-5:], plain[-5:], atol=0.02)
        by_itself = encoder.packed([variant._replace(source=None)])[0].unpacked()
        middle = slice(3, len(variant.tokens) - 5)
        cosines = [
            a @ b / np.linalg.norm(a) / np.linalg.norm(b)
            for a, b in zip(vectors[middle], by_itself[middle], strict=True)
        ]
        assert np.mean(cosines) > 0.7


def test_a_change_that_does_not_stand_in_one_part_is_read_by_itself() -> None:
    encoder = load_judge("en-fast").encoder
    assert encoder is not None
    source, other = "It rained . We left .", "It rained ! They left ."
    given = EncoderInput(tuple(other.split()), source=tuple(source.split()))
    (vectors,), (plain,) = encoder.packed([given]), encoder([given.tokens])
    np.testing.assert_array_equal(vectors.unpacked(), plain)
