"""The alignment of passages, with a reader whose vectors are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.documents import PassageLink, PassageReader, cut_text, link_texts


class OneHot:
    """An encoder that gives each word a vector of its own: two words are the same or have nothing in common."""

    lower = 1000

    def __init__(self) -> None:
        self.read: list[str] = []
        self._places: dict[str, int] = {}

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        self.read += (" ".join(sentence) for sentence in sentences)
        places = [[self._places.setdefault(word, len(self._places)) for word in sentence] for sentence in sentences]
        return [np.eye(self.lower, dtype=np.float32)[of_words] for of_words in places]


def reader() -> PassageReader:
    return PassageReader(OneHot())  # type: ignore[arg-type]


def linked(before: list[str], after: list[str]) -> list[tuple[list[int], list[int]]]:
    """Link passages of letters and numbers, each of which stands for a word without a meaning."""
    texts = ("\n\n".join(" ".join(f"{word}oq" for word in text.split()) for text in side) for side in (before, after))
    links = link_texts(*map(cut_text, texts), reader())
    return [(list(link.before), list(link.after)) for link in links]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [], []),
        (["a b c"], [], [([0], [])]),
        ([], ["a b c"], [([], [0])]),
        (["a b c", "d e f"], ["a b x", "d e y"], [([0], [0]), ([1], [1])]),
        (["a b c", "d e f"], ["a b c d e f"], [([0, 1], [0])]),
        (["a b c d e f"], ["a b c", "d e f"], [([0], [0, 1])]),
        (["a b c", "d e f", "g h i"], ["a b c d e f g h i"], [([0, 1, 2], [0])]),
        (["a b c d e f g h i j k l"], ["a b c", "d e f", "g h i", "j k l"], [([0], [0, 1, 2, 3])]),
        (["a b c", "d e f", "g h i"], ["a b y", "g h z"], [([0], [0]), ([1], []), ([2], [1])]),
        (["a b c", "g h i"], ["a b y", "d e f", "g h z"], [([0], [0]), ([], [1]), ([1], [2])]),
        (["a b c d", "e f g h"], ["e f g x", "a b c y"], [([1], [0]), ([0], [1])]),
        (["a b c d", "e f g h"], ["a b e f", "c d g h"], [([0, 1], [0, 1])]),
        (["a b c", "d e f", "g h i", "j k l"], ["d e f", "g h i", "j k l", "a b z"],
         [([1], [0]), ([2], [1]), ([3], [2]), ([0], [3])]),
    ],
)  # fmt: skip
def test_forms_of_links(before: list[str], after: list[str], expected: list[tuple[list[int], list[int]]]) -> None:
    assert linked(before, after) == expected


@given(st.lists(st.integers(0, 9), max_size=14), st.lists(st.integers(0, 9), max_size=14))
def test_each_passage_is_in_one_link(before: list[int], after: list[int]) -> None:
    sides = [[f"w{k} x{k} y{k} z{k}" for k in side] for side in (before, after)]
    links = linked(*sides)
    assert sorted(i for a, _ in links for i in a) == list(range(len(before)))
    assert sorted(j for _, b in links for j in b) == list(range(len(after)))
    assert [j for _, b in links for j in b] == sorted(j for _, b in links for j in b) or any(
        len(a) == len(b) == 1 for a, b in links
    )


def test_the_search_is_banded_and_still_finds_what_was_put_in() -> None:
    """A hundred new sentences in the middle of three hundred do not lead it astray."""
    before = [f"a{k} b{k} c{k} d{k}" for k in range(100)]
    after = [f"a{k} b{k} c{k} new{k}" for k in range(100)]
    after[50:50] = [f"n{k} m{k}" for k in range(60)]
    assert [(a, b) for a, b in linked(before, after) if a] == [([k], [k if k < 50 else k + 60]) for k in range(100)]


def test_same_sentences_are_not_read() -> None:
    before = [f"The sentence with the number {k} stays as it was." for k in range(30)]
    after = [*before[:10], "The sentence with another number stays as it was not.", *before[11:]]
    encoder = OneHot()
    links = link_texts(cut_text(" ".join(before)), cut_text(" ".join(after)), PassageReader(encoder))  # type: ignore[arg-type]
    assert len(links) == 30
    assert sorted(encoder.read) == sorted([before[10].replace(".", " ."), after[10].replace(".", " .")])


def test_greetings_belong_together() -> None:
    texts = [cut_text(text) for text in ("Dear Ms. Hall,\n\nIt rained.", "Hi Anna!\n\nIt rained.")]
    assert link_texts(*texts, reader()) == [PassageLink(range(1), range(1)), PassageLink(range(1, 2), range(1, 2))]
