"""The study of texts: its data, and the ways to align them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from experiments.texts import best_cosine, given, link_pairs, read_pair, read_pairs
from usim.errors import FormatError


def test_each_sentence_of_the_data_is_in_one_link_and_each_drift_changes_its_sentence() -> None:
    pairs = [*read_pairs("develop"), *read_pairs("measure")]
    assert len(pairs) == 60
    assert len({pair.name for pair in pairs}) == 60
    for pair in pairs:
        assert sorted(i for link in pair.links for i in link.before) == list(range(len(pair.before)))
        assert sorted(j for link in pair.links for j in link.after) == list(range(len(pair.after)))
        drifted, drifts = pair.with_drifts(3)
        assert sum(a != b for a, b in zip(pair.after, drifted.after, strict=True)) == len(drifts)
        text, starts = drifted.texts[1], drifted.starts
        assert all(text.startswith(s, start) for start, s in zip(starts, drifted.after, strict=True))


def test_headings_items_and_greetings_have_lines_of_their_own() -> None:
    texts = {pair.name: pair.texts for pair in read_pairs("develop")}
    assert texts["01"][0].startswith("Dear Mr. Okafor,\n\nI am writing")
    assert "Ingredients\n250 g red lentils\n1 large onion\n" in texts["05"][0]
    assert "Chop the onion finely and dice the carrots. Fry both" in texts["05"][0]


def test_what_is_no_file_of_the_study_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "01.txt"
    path.write_text("# a | reworded\n[before]\nB1: One.\n[links]\nB1 -> A1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"01.txt:5: neither a link nor a drift"):
        read_pair(path)


def test_the_best_cosine_links_in_both_directions() -> None:
    class Reader:
        def read(self, texts: list[str]) -> list[object]:
            vectors = {"x": (1.0, 0.0), "y": (0.0, 1.0), "z": (0.6, 0.8)}
            return [type("Passage", (), {"mean": np.array(vectors[text])}) for text in texts]

    def links(before: list[str], after: list[str]) -> set[tuple[int, int]]:
        return best_cosine(SimpleNamespace(before=before, after=after), Reader(), 0.5)  # type: ignore[arg-type]

    assert links(["x", "y"], ["y", "z"]) == {(0, 1), (1, 0), (1, 1)}
    assert links(["x"], ["y"]) == set()


def test_figures_of_links() -> None:
    pair = next(iter(read_pairs("develop")))
    assert link_pairs(pair.links) == {(k, k) for k in range(len(pair.before))}
    cut = given(pair.before)
    assert list(cut.keys) == [" ".join(sentence.split()) for sentence in pair.before]
    assert cut.passages[0].kind == "greeting"
