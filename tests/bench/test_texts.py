"""The texts that the benchmark of whole texts compares."""

from __future__ import annotations

from bench.texts import make_texts


def test_given_sentences_are_the_text_and_some_are_edited_left_out_added_and_moved() -> None:
    given = [f"The {name} room number {name} has a window to the north side." for name in map(str, range(300))]
    before, after = make_texts(200, 0.2, given=given)
    assert before == " ".join(given[:200])
    kept = [sentence for sentence in given[:200] if sentence in after]
    assert 100 < len(kept) < 180
    assert given[200] not in after
    places = [after.index(sentence) for sentence in kept]
    assert places != sorted(places)
    assert make_texts(200, 0.2, given=given) == (before, after)


def test_short_sentences_are_not_edited() -> None:
    _, after = make_texts(50, 1.0, given=["Yes, indeed."] * 50)
    assert "Yes, indeed." in after
