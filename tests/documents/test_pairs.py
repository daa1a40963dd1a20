"""Pairs of several sentences: what one network reads as a whole, and what blocks know better."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.flat import scorer_of
from usim.documents._align import PassageLink
from usim.documents._blocks import LinkedTexts, TextBlock, _less_certain
from usim.documents._cut import cut_text
from usim.documents._pairs import _by_runs, _of_blocks, _ReadRun
from usim.evidence import Finding
from usim.report.words import decided, verdict_lines
from usim.text import token_texts
from usim.verdicts import Cause, Opinion, Policy, Verdict

READ_AS_A_WHOLE: Any = SimpleNamespace(
    opinion=Opinion(0.6, 0.7, 0.65, "rewritten", is_whole=True),
    verdict="review", cause=None, findings=(), faithfulness=0.6, decided_by="",
)  # fmt: skip


def linked(before: str, after: str, links: list[tuple[range, range]]) -> LinkedTexts:
    texts = LinkedTexts.__new__(LinkedTexts)
    texts.before, texts.after = cut_text(before), cut_text(after)
    texts.links = [PassageLink(*link) for link in links]
    return texts


def test_a_run_has_no_gap_and_no_empty_side() -> None:
    text = "It rained. We stayed. Ann came. Bo left."
    one, two, three, four = (range(k, k + 1) for k in range(4))
    texts = linked(text, text, [(one, one), (three, two), (two, three), (range(0), four), (four, range(0))])
    assert list(texts.runs(100)) == [range(5)]
    # Three tokens a passage; of what stands alone on either side both are read together.
    assert list(texts.runs(8)) == [range(1), range(1, 3), range(3, 5)]
    assert list(texts.runs(3)) == [range(1), range(1, 2), range(2, 3), range(3, 5)]
    texts.links = texts.links[:4]
    assert list(texts.runs(3)) == [range(1), range(1, 2), range(2, 3)]


@given(st.lists(st.sampled_from(["1-1", "2-1", "1-2", "0-1", "1-0"]), max_size=12), st.integers(1, 40))
def test_runs_hold_each_link_once_in_order_and_are_short(forms: list[str], most: int) -> None:
    links, at, to = [], 0, 0
    for form in forms:
        a, b = map(int, form.split("-"))
        links.append((range(at, at + a), range(to, to + b)))
        at, to = at + a, to + b
    texts = linked("It rained. " * at, "We stayed in. " * to, links)
    runs = list(texts.runs(most))
    places = [place for run in runs for place in run]
    assert places == sorted(set(places))
    for run in runs:
        sizes = [
            sum(len(token_texts(cut.keys[k])) for k in side)
            for cut, side in zip(texts.cut, texts.sides(run), strict=True)
        ]
        assert all(sizes)
        assert len(run) == 1 or max(sizes) <= most


def block(span: tuple[int, int], band: str, faithfulness: float, verdict: Verdict = "review") -> TextBlock:
    cause = Cause("probability", "", 0.8, 0.1, band, compared=faithfulness)
    finding = Finding("number" if band == "edit" else "reworded", band, source_spans=(span,), output_spans=(span,))
    return TextBlock(
        (span,), (span,), span, span, verdict=verdict, cause=cause, faithfulness=faithfulness, findings=(finding,)
    )


@pytest.mark.parametrize("is_enough", [False, True])
def test_the_whole_speaks_for_its_blocks_but_not_for_single_changes(is_enough: bool) -> None:
    read = _ReadRun(range(2), (0, 50), (0, 50), READ_AS_A_WHOLE, frozenset(), is_enough)
    pipeline: Any = SimpleNamespace(decide=lambda opinion, findings: ("keep", None))
    blocks = [block((0, 20), "reworded", 0.2), block((21, 50), "edit", 0.03, "drop"), block((60, 70), "reworded", 0.4)]
    parts = list(_by_runs([read], blocks, pipeline))
    if is_enough:  # then none of its links were judged as blocks
        assert parts[0].verdict == "review"
        return
    assert [(part.faithfulness, part.verdict) for part in parts] == [(0.6, "keep"), (0.03, "drop"), (0.4, "review")]
    assert [finding.text for finding in parts[0].findings] == ["reworded"]


def test_a_passage_that_the_network_finds_unsaid_is_judged_by_itself() -> None:
    lone = TextBlock(((30, 50),), (), (30, 50), (20, 20), faithfulness=0.05, verdict="drop")
    read = _ReadRun(range(2), (0, 50), (0, 30), READ_AS_A_WHOLE, frozenset([(30, 50)]), False)
    pipeline: Any = SimpleNamespace(decide=lambda opinion, findings: ("review", None))
    assert [part.verdict for part in _by_runs([read], [lone], pipeline)] == ["review", "drop"]
    # Otherwise what it says is said elsewhere.
    read = read._replace(unsaid=frozenset())
    assert [part.verdict for part in _by_runs([read], [lone], pipeline)] == ["review"]


@pytest.mark.parametrize("is_told", [False, True])
def test_of_a_pair_that_is_open_though_no_block_is_it_is_told_what_is_told_of_the_whole(is_told: bool) -> None:
    whole = scorer_of().score("It rained. We left.", "It snowed. We went.")
    told = (Finding("unsaid", "of the whole", is_shown=True),) if is_told else ()
    hidden = Finding("tense", "of a block", is_shown=False)
    whole = replace(whole, judgement=replace(whole.judgement, findings=told))
    parts = [replace(block((0, 10), "edit", 0.5, verdict), findings=(hidden,)) for verdict in ("keep", "review")]
    shown = [finding.text for finding in _of_blocks(whole, parts, "same").judgement.shown]
    assert shown == ["of the whole" if is_told else "usim cannot tell whether it still says the same"]
    assert not _of_blocks(whole, parts[:1], "same").judgement.shown


@pytest.mark.parametrize(("policy", "name"), [("same", ""), ("shorten", "supported"), ("expand", "covered")])
def test_the_probability_that_decided_stands_beside_the_least_one(policy: Policy, name: str) -> None:
    """Of two sentences one is dropped at .3, by thresholds of its own, and the other is left open at .2."""
    whole = scorer_of().score("It rained. We left.", "It snowed. We went.")
    whole = replace(whole, judgement=replace(whole.judgement, opinion=Opinion(0.5, 0.6, 0.7)))
    result = _of_blocks(whole, [block((0, 10), "corrected", 0.3, "drop"), block((11, 19), "edit", 0.2)], policy)
    judgement = result.judgement
    assert (judgement.verdict, judgement.faithfulness) == ("drop", 0.2)
    assert judgement.opinion.under(policy) == 0.2
    values, row = result.to_dict(), result.to_row()
    assert (values["faithfulness"], values["cause"]["compared"]) == (row["faithfulness"], row["compared"]) == (0.2, 0.3)
    assert not name or values[name] == 0.2
    assert any(
        line.startswith("faithfulness 0.200") and "the sentence that decided has 0.300" in line
        for line in verdict_lines(judgement)
    )
    assert decided(judgement) == ("the sentence that decided has 0.300",)


@pytest.mark.parametrize(
    ("after", "is_certain"),
    [
        ("He may sign. Urgent ones go to Mr Novak.", False),  # the name went into the sentence beside it
        ("He may sign. Urgent ones go to Mr Svoboda.", True),
        ("Mr Novak may sign. Urgent ones wait.", True),  # it stands in the block itself, and was looked for there
    ],
)
def test_what_went_into_the_sentence_beside_it_is_not_certainly_gone(after: str, *, is_certain: bool) -> None:
    before = "Urgent ones wait. Mr Novak may sign."
    texts: Any = SimpleNamespace(before=cut_text(before), after=cut_text(after))
    spans = (18, len(before)), (0, after.index(".") + 1)
    block = TextBlock((spans[0],), (spans[1],), *spans)
    at = before.index("Novak")
    finding = Finding("name", "gone", source_spans=((at, at + 5),), is_certain=True, is_alone=True)
    assert _less_certain(finding, block, texts).is_certain is is_certain
    exchanged = Finding("name", "exchanged", source_spans=finding.source_spans, output_spans=((0, 2),), is_certain=True)
    assert _less_certain(exchanged, block, texts).is_certain
