"""CLEME 2.0: chunks of several versions of a sentence, and the four aspects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.common import cleme
from experiments.common.cleme import Counts

SENTENCES = st.lists(st.sampled_from("a b c d".split()), max_size=8).map(" ".join)


def counted(source: str, output: str, *references: str) -> list[Counts]:
    return cleme.counts(source.split(), cleme.edits(source, output), [cleme.edits(source, own) for own in references])


def test_each_kind_of_chunk_by_hand() -> None:
    source = "Now he go to the home in every days by bus ."
    reference = "Now he goes home on every day by bus ."
    # "go to the", "in" and "days" need a change; "Now" does not.
    output = "Then he goes home at every days by bus ."
    assert counted(source, output, reference) == [Counts(hit=1, wrong=1, missed=1, needless=1)]


def test_edits_that_overlap_or_touch_are_one_chunk_of_all_versions() -> None:
    # One reference replaces "we are", the output "are suppose": all of "we are suppose" is one chunk, so that what
    # looks like one edit right and one wrong is one wrong change.
    source = ", are we suppose to tell".split()
    ours, theirs = [(1, 2, ("do",)), (3, 4, ("have",))], [(2, 4, ("we", "supposed"))]
    assert cleme.counts(source, ours, [theirs]) == [Counts(wrong=1)]
    # An insertion beside an edit touches it.
    assert cleme.counts(["a", "b"], [(1, 1, ("x",))], [[(0, 1, ("c",))]]) == [Counts(wrong=1)]
    assert cleme.counts(["a", "b", "c"], [(2, 2, ("x",))], [[(0, 1, ("c",))]]) == [Counts(missed=1, needless=1)]


def test_the_reference_counts_that_makes_the_score_so_far_best() -> None:
    near, far = Counts(hit=1), Counts(needless=1)
    assert cleme.total([[far, near], [Counts(missed=1)]]) == Counts(hit=1, missed=1)
    # Without an error, an output as its source has .35 + .15 + .05 of the weights, as the authors' program gives.
    assert Counts(kept=3).aspects()["score"] == pytest.approx(0.55)


@given(SENTENCES, SENTENCES, SENTENCES)
def test_outputs_as_a_reference_or_as_their_source(source: str, output: str, other: str) -> None:
    assert not any(counted(source, output, output)[0][1:])
    assert counted(source, source, output) == [Counts(missed=counted(source, output, output)[0].hit)]
    found = counted(source, output, other)[0]
    back = counted(source, other, output)[0]  # what one misses the other changes needlessly
    assert (found.hit, found.wrong, found.missed, found.needless) == (back.hit, back.wrong, back.needless, back.missed)
    assert all(0 <= value <= 1 for value in found.aspects().values())
