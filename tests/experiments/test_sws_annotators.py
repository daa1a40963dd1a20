"""Single annotators of Smart Word Suggestions: their agreement, and their merged work."""

import math
from pathlib import Path

import pytest

from experiments.papers.sws_annotators import Annotation, Mark, agreement, merge, read_annotations
from tests.benchmarks.conftest import refused, written
from usim.benchmarks.sws import SwsTarget

WORDS = tuple("My knowing of this place is very big and I am intimate with it".split())

ANNOTATIONS = {
    "s": Annotation(
        WORDS,
        {
            "a": {(1, 2): Mark(("knowledge", "understanding"), 1), (6, 8): Mark(("vast",), 2)},
            "b": {(1, 2): Mark(("knowledge",), 2), (4, 5): Mark(("location",), 2)},
            "c": {(1, 2): Mark(("knowledge",), 1), (6, 8): Mark(("vast",), 1)},
        },
    ),
    "t": Annotation(WORDS, {"a": {}, "b": {}}),
}


def test_merging_counts_votes_and_leaves_out_what_one_annotator_marked() -> None:
    merged = merge(ANNOTATIONS)
    assert merged["t"].targets == ()
    knowing, very_big = merged["s"].targets
    assert knowing == SwsTarget(1, 2, {"knowledge": 3, "understanding": 1}, 1)
    assert very_big == SwsTarget(6, 8, {"vast": 2}, 1)
    assert len(merge(ANNOTATIONS, least=1)["s"].targets) == 3
    # Two suggestions of one annotator are still one annotator.
    one = {"s": Annotation(WORDS, {"a": {(1, 2): Mark(("knowledge", "understanding"), 1)}, "b": {}})}
    assert merge(one)["s"].targets == ()
    two = {"s": Annotation(WORDS, {name: {(1, 2): Mark((name,), 1)} for name in "ab"})}
    assert merge(two)["s"].targets == (SwsTarget(1, 2, {"a": 1, "b": 1}, 1),)


def test_pairwise_agreement_by_hand() -> None:
    agreed = agreement(ANNOTATIONS)
    # Spans shared over spans of either: a and b 1/3, a and c 2/2, b and c 1/3. a and b saw sentence t too: it counts.
    assert agreed["pa_det"] == pytest.approx((1 / 3 / 2 + 1 + 1 / 3) / 3)
    # Suggestions for shared targets: a and b 1/2; a and c 1/2 and 1; b and c 1.
    assert agreed["pa_sug"] == pytest.approx((1 / 2 + 3 / 4 + 1) / 3)
    # A single annotator agrees with nobody.
    alone = agreement({"s": Annotation(WORDS, {"a": {(1, 2): Mark(("knowledge",), 1)}})})
    assert all(map(math.isnan, alone.values()))


def test_annotations_from_a_file(tmp_path: Path) -> None:
    marks = {"a": [[[1, 2], ["knowledge", "knowledge"], 1]], "b": []}
    path = written(tmp_path / "raw.json", {"s": {"sentence_split": list(WORDS), "annotations": marks}})
    assert read_annotations(path) == {"s": Annotation(WORDS, {"a": {(1, 2): Mark(("knowledge",), 1)}, "b": {}})}
    refused(read_annotations, written(path, {}), "no sentence")


@pytest.mark.parametrize(
    "annotations",
    [
        {"a": "x"}, {"a": [[[1, 2], ["x"]]]}, {"a": [[[1, 2], "x", 1]]},
        {"a": [[[1, 2], ["x"], 1], [[1, 2], ["y"], 1]]}, ["x"],
    ],
)  # fmt: skip
def test_annotations_that_do_not_fit(tmp_path: Path, annotations: object) -> None:
    path = written(tmp_path / "raw.json", {"s": {"sentence_split": list(WORDS), "annotations": annotations}})
    refused(read_annotations, path, "'s'")
