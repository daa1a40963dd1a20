"""Results as values: they are equal, can be sent to other processes, and say where the words of their findings stand."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import strategies
from tests.support.flat import Flat, scorer_of
from usim.judge import Result
from usim.scorer import Scorer
from usim.screen import Screen
from usim.text import token_spans

PAIRS = [("John saw Mary at home.", "John saw Peter."), ("He has two cats.", "He has three dogs."), ("", "He left.")]


@st.composite
def spaced(draw: strategies.Draw, words: Sequence[str]) -> str:
    """Words with white space of any kind between them."""
    return "".join(word + draw(st.sampled_from((" ", "  ", "\n", "\t ", "\u00a0"))) for word in words)


changes = strategies.tokens().flatmap(
    lambda words: st.tuples(spaced(words), strategies.edited_tokens(words).flatmap(spaced))
)


@settings(deadline=None)
@given(changes)
def test_the_spans_of_findings_are_their_words(pair: tuple[str, str]) -> None:
    result = scorer_of().score(*pair)
    for finding in result.judgement.findings:
        sides = (
            (result.source, result.source_graph, finding.source, finding.source_spans),
            (result.output, result.output_graph, finding.output, finding.output_spans),
        )
        for text, graph, places, spans in sides:
            assert [text[start:end] for start, end in spans] == [graph.tokens[place] for place in places]
    assert [finding["source_spans"] for finding in result.to_dict()["findings"]] == [
        [list(span) for span in finding.source_spans] for finding in result.judgement.findings
    ]


def test_places_of_given_tokens() -> None:
    assert token_spans("e-mail me", ["e-mail", "me"]) == ((0, 6), (7, 9))
    assert token_spans("a" + " " * 5000 + "b c", ["a", "b", "c"]) == ((0, 1), (5001, 5002), (5003, 5004))
    assert token_spans("He left.", ["He", "went", "left", "."]) == ((0, 2), None, (3, 7), (7, 8))


def test_the_findings_of_graphs_stand_in_the_texts_that_are_given() -> None:
    graphs = Flat().parse(["He left Rome .", "He left Paris ."])
    result = scorer_of().score_graphs(*graphs, source="He left  Rome.", output="He left Paris.")
    (finding, *_) = result.judgement.findings
    assert (finding.source_spans, finding.output_spans) == (((9, 13),), ((8, 13),))
    apart = scorer_of().score_graphs(*graphs, source="?", output="He left Paris.")
    assert apart.judgement.findings[0].source_spans == ()


def test_the_findings_of_a_suggestion_stand_in_the_whole_text() -> None:
    text = "She came home. He has two old cats. They sleep."
    (two,) = Screen(parser=Flat(), judge="usim").screen(text, 22, 25, ["three"])
    assert two.source == text[two.offset : two.offset + len(two.source)]
    assert two.output == two.text[two.offset : two.offset + len(two.output)]
    finding = next(finding for finding in two.findings if finding.kind == "number")
    ((start, end),), ((new_start, new_end),) = finding.source_spans, finding.output_spans
    assert text[two.offset + start : two.offset + end] == "two"
    assert two.text[two.offset + new_start : two.offset + new_end] == "three"


def test_equal_results_of_two_scorers() -> None:
    for source, output in PAIRS:
        one, other = (scorer_of().score(source, output) for _ in range(2))
        assert one == other
        assert hash(one) == hash(other)
        assert one != replace(one, output="else")
        assert one.usim != "score"
    assert scorer_of().score(*PAIRS[0]) != scorer_of().score(*PAIRS[1])
    assert scorer_of().score(*PAIRS[0]).usim != scorer_of(preset="paper").score(*PAIRS[0]).usim


def test_results_survive_pickling() -> None:
    for source, output in PAIRS:
        result = scorer_of().score(source, output)
        copy = pickle.loads(pickle.dumps(result))
        assert copy == result
        assert copy.to_dict() == result.to_dict()
        assert copy._repr_html_() == result._repr_html_()
    screened = Screen(parser=Flat(), judge="usim").screen("He has two cats.", 7, 10, ["three"])
    assert pickle.loads(pickle.dumps(screened)) == screened


def _scored(task: tuple[Scorer, tuple[str, str]]) -> Result:
    scorer, pair = task
    return scorer.score(*pair)


@pytest.mark.model
@pytest.mark.slow
def test_scorers_work_in_other_processes() -> None:
    scorer = Scorer(parser="en-fast")
    small = len(pickle.dumps(scorer))
    assert small < 2000  # names of files, and no weights
    expected = [scorer.score(*pair) for pair in PAIRS]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_scored, [(scorer, pair) for pair in PAIRS]) == expected


@pytest.mark.model
def test_a_copy_of_a_scorer_or_a_screen_gives_the_same() -> None:
    scorer = Scorer(parser="en-fast")
    again = pickle.loads(pickle.dumps(scorer))
    assert again.signature == scorer.signature
    shared = Screen(parser=scorer.parser, judge=scorer.judge)  # loaded objects are sent as the names of their files too
    copy = pickle.loads(pickle.dumps(shared))
    assert copy.screen("He has two cats.", 7, 10, ["three"]) == shared.screen("He has two cats.", 7, 10, ["three"])
