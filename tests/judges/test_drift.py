"""The model of reworded pairs learns which words the authors of rewrites marked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from judges import drift
from tests.support.flat import Flat
from usim.evidence import SentenceView
from usim.judge.drift import OTHERS
from usim.spelling.trees import Trees

pytest.importorskip("sklearn")

SOURCE, OUTPUT = "The hall is open on Monday .", "On Monday the old hall is closed ."


def pair() -> Any:
    """Return a pair whose sides have all tokens."""
    graphs = Flat().parse([SOURCE, OUTPUT])
    views = [SentenceView(graph, None, text) for graph, text in zip(graphs, (SOURCE, OUTPUT), strict=True)]
    return SimpleNamespace(sides=[SimpleNamespace(view=view, places=range(len(view.tokens))) for view in views])


def words(text: str, found: np.ndarray | None) -> list[str] | None:
    return None if found is None else [word for word, is_marked in zip(text.split(), found, strict=True) if is_marked]


@pytest.mark.parametrize(
    ("label", "direction", "marks", "of_source", "of_output"),
    [
        (".97", "", "", [], []),
        (".03", "added", "old", [], ["old"]),
        (".03", "lost", "on Monday", ["on", "Monday"], []),
        # The author marked the output alone: what became something else in the source, nobody said.
        (".03", "changed", "old | is closed", None, ["old", "is", "closed"]),
    ],
)
def test_marked_words_drifted(
    label: str, direction: str, marks: str, of_source: list[str] | None, of_output: list[str]
) -> None:
    found = drift.drifted(pair(), {"label": label, "direction": direction, "marks": marks})
    assert (words(SOURCE, found[0]), words(OUTPUT, found[1])) == (of_source, of_output)


def examples(count: int = 240) -> list[drift.Example]:
    """Return pairs in which the first figure of a token says whether it drifted, and the networks know nothing."""
    rng = np.random.default_rng(1)
    made = []
    for k in range(count):
        is_faithful = k % 2 == 0
        of_output = rng.random(12) < (0.0 if is_faithful else 0.2)
        of_output[0] |= not is_faithful
        tokens = np.zeros((2, 12, OTHERS + 3), np.float32)
        tokens[..., :3] = rng.normal(size=(2, 12, 3))
        tokens[1, :, 0] += 4 * of_output
        made.append(
            drift.Example(
                drift.REWRITES, k * drift.FOLDS // count, (tokens[0], tokens[1]), (np.zeros(12, bool), of_output),
                0.97 if is_faithful else 0.03, tuple(rng.normal(size=3)),
            )
        )  # fmt: skip
    return made


def test_what_was_marked_is_learned_and_tells_pairs_apart() -> None:
    arrays, said = drift.train(examples(), examples())
    found = drift.figures_by_set(examples(), said)[drift.REWRITES]
    assert found["networks"] < 0.7 < 0.9 < found["model"]
    trees = Trees.of(arrays)
    drifted, quiet = trees(np.eye(2, OTHERS + 3, dtype=np.float32) * [[4], [0]])
    assert drifted > 0 > quiet


def test_each_set_counts_the_same_however_many_pairs_it_has() -> None:
    # In the large set the networks are right, in the small one wrong.
    figures = np.array([[1.0], [-1.0]] * 50 + [[1.0], [-1.0]])
    labels = [0.97, 0.03] * 50 + [0.03, 0.97]
    made = [
        drift.Example("large" if k < 100 else "small", 0, (np.zeros((1, 1)),) * 2, label=label)
        for k, label in enumerate(labels)
    ]
    weights, bias = drift.fit_regression(figures, made)
    np.testing.assert_allclose([*weights, bias], 0, atol=1e-3)
