"""The texts that the benchmark of whole texts compares."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from bench.common import sentences
from bench.texts import draw, make_texts
from usim.text import token_texts


def test_some_sentences_are_edited_left_out_added_and_moved() -> None:
    before, after = make_texts(200, 0.2)
    texts = sentences(200)
    assert before == " ".join(texts)
    kept = [sentence for sentence in texts if sentence in after]
    assert 100 < len(kept) < 180
    places = [after.index(sentence) for sentence in kept]
    assert places != sorted(places)
    assert make_texts(200, 0.2) == (before, after)


def test_made_up_sentences_have_the_length_that_is_promised() -> None:
    texts = sentences(20)
    assert len(texts) == 20
    assert all(22 <= len(token_texts(text)) <= 28 for text in texts)


def test_the_same_figures_give_the_same_drawing(tmp_path: Path) -> None:
    columns = {"aligned": [0.1, 0.2], "compared": [0.5, 2.0], "every pair": [3.0, None], "memory": [1.0, 9.0]}
    points = pd.DataFrame(columns, index=pd.Index([10, 100], name="sentences"))
    for name in ("one.svg", "two.svg"):
        draw(points, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert b"sentences" in (tmp_path / "one.svg").read_bytes()
