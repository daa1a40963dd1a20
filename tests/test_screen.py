"""The screen from Python: what it says, in which order, and how little it parses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import usim
from tests.support.flat import Flat
from usim.errors import FormatError, InputError, SuggestionError
from usim.judge import Judgement, UsimJudge
from usim.options import Options
from usim.records import BadRecord, Part, Record
from usim.screen import Screen, SuggestionResult, VerdictCache, ranking
from usim.suggestions import Suggestion
from usim.text.codec import values_of

TEXT = "She told an old story."
OLD = (12, 15)

words = st.sampled_from(["old", "new", "long", "true story", "old, old", "", "OLD", "the", "an", "."])
substitutes = st.lists(words, max_size=6)


def screen(parser: Flat | None = None, **options: object) -> Screen:
    return Screen(parser=parser or Flat(), judge="usim", **options)  # type: ignore[arg-type]


def record(name: str | int, text: str, span: tuple[int, int], *proposed: str) -> Record:
    suggestions = tuple(Suggestion(one, span) for one in proposed)
    return Record(name, 1, text, suggestions, f"{name}\n", lambda gone: str(sorted(gone)))


# What it says


def test_what_is_said_of_a_substitute() -> None:
    new, same, longer = screen().screen(TEXT, *OLD, ["new", "old", "long and dull"])
    assert (new.substitute, new.text) == ("new", "She told a new story.")
    assert (same.text, same.faithfulness, same.verdict, same.findings, same.usim) == (TEXT, 1.0, "keep", (), 1.0)
    assert longer.text == "She told a long and dull story."
    assert 0 < longer.faithfulness == longer.usim < new.faithfulness
    assert [finding.text for finding in longer.findings]
    assert list(longer.to_dict()) == [
        "substitute", "faithfulness", "verdict", "cause", "findings", "usim", "source", "output", "offset", "language"
    ]  # fmt: skip
    assert longer.to_dict()["findings"] == values_of(longer.findings)
    figures = f"faithfulness {longer.faithfulness:.3f}, USim {longer.usim:.3f}"
    assert repr(longer) == f"<SuggestionResult 'long and dull': {longer.verdict}, {figures}>"


@settings(deadline=None, max_examples=30)
@given(substitutes)
def test_an_answer_does_not_depend_on_its_neighbours(proposed: list[str]) -> None:
    together = screen().screen(TEXT, *OLD, proposed)
    alone = [screen().screen(TEXT, *OLD, [substitute]) for substitute in proposed]
    assert alone == [[one] for one in together]


@settings(deadline=None)
@given(substitutes, st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_verdicts_follow_the_thresholds(proposed: list[str], limits: tuple[float, float]) -> None:
    drop, keep = sorted(limits)
    screened = screen(keep=keep, drop=drop).screen(TEXT, *OLD, proposed)
    values = [one.faithfulness for one in screened]
    expected = ["keep" if value >= keep else "drop" if value < drop else "review" for value in values]
    assert len(screened) == len(proposed)
    assert [one.verdict for one in screened] == expected


@pytest.mark.parametrize("span", [(12, 40), (-1, 3), (13, 15), (15, 12)])
def test_a_span_that_does_not_fit(span: tuple[int, int]) -> None:
    for proposed in ([], ["new"]):
        with pytest.raises(SuggestionError, match="the span"):
            screen().screen(TEXT, *span, proposed)
    with pytest.raises(InputError, match="the span"):  # as docs/how-to/assistant.md promises
        list(screen().screen_texts([(TEXT, [Suggestion("new", span)])]))


def test_a_single_string_is_no_list() -> None:
    with pytest.raises(TypeError, match=r"pass \[substitute\]"):
        screen().screen(TEXT, *OLD, "new")


@pytest.mark.parametrize("text", [None, 3, b"She told.", ["She", "told"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match="a text must be a string, not of type"):
        screen().screen(text, 0, 3, ["He"])
    with pytest.raises(InputError, match="a text must be a string, not of type"):
        screen().screen(TEXT, *OLD, ["new", text])
    with pytest.raises(InputError, match="a text must be a string, not of type"):
        list(screen().screen_texts([(text, [])]))
    with pytest.raises(InputError, match=r"must be a usim\.Suggestion with its words and their span, not a"):
        list(screen().screen_texts([(TEXT, [text])]))


def test_lemmas_get_the_form_of_their_target() -> None:
    walked = "She walked home.", 4, 10
    assert screen().screen(*walked, ["stroll"])[0].text == "She stroll home."
    inflecting = screen(inflect=True)
    found = inflecting.screen(*walked, ["stroll"])[0]
    assert (found.substitute, found.text) == ("stroll", "She strolled home.")
    assert "|inflect:lemminflect-" in inflecting.signature
    noun = Suggestion("strolls", (11, 15), about={"pos": "NOUN"})
    ((placed,),) = inflecting.screen_texts([("They had a walk.", [noun])])
    assert placed.text == "They had a strolls."


# What it parses


def test_a_source_is_parsed_once_and_so_are_equal_changes() -> None:
    parser = Flat()
    made = screen(parser)
    made.screen(TEXT, *OLD, ["new", "long", "new", "old", "New"])
    assert parser.asked == [TEXT, "She told a new story.", "She told a long story.", "She told a New story."]
    made.screen(TEXT, 4, 8, ["heard"])
    assert parser.asked[4:] == ["She heard an old story."], "the source of the call before is still known"


def test_only_the_sentence_around_the_target_is_parsed() -> None:
    parser = Flat()
    text = "He came. It was an old friend. She went."
    (found,) = screen(parser).screen(text, 19, 22, ["close"])
    assert parser.asked == ["It was an old friend.", "It was a close friend."] == [found.source, found.output]
    assert found.text == "He came. It was a close friend. She went."


def test_a_correction_of_a_longer_text_is_parsed_where_it_differs() -> None:
    parser = Flat()
    text = "He came. She go home. They left."
    (found,) = screen(parser).screen_texts([(text, [Suggestion("He came. She goes home. They left.")])])
    assert parser.asked == ["She go home.", "She goes home."]
    assert found[0].text == "He came. She goes home. They left."


@pytest.mark.parametrize(
    ("records", "sizes"),
    [
        ([record(i, f"{i:02} {TEXT}", (15, 18), "new", "long") for i in range(100)], [300]),
        ([record("a", TEXT, OLD, *(f"n{i}" for i in range(600)))], [257, 256, 88]),
    ],
    ids=["many records together", "one of any size in blocks"],
)
def test_changes_are_parsed_in_blocks(records: list[Record], sizes: list[int]) -> None:
    parser = Flat()
    with mock.patch.object(parser, "parse", wraps=parser.parse) as parse:
        screened = [results for _, results in screen(parser).screen_records(records)]
    assert [[each.substitute for each in results] for results in screened] == [
        [suggestion.substitute for suggestion in each.suggestions] for each in records
    ]
    assert [len(call.args[0]) for call in parse.call_args_list] == sizes


def test_records_are_taken_as_they_come() -> None:
    """A stream without end is no reason to wait, with suggestions or without."""

    def endless(*proposed: str) -> Iterator[Record]:
        while True:
            yield record("a", TEXT, OLD, *proposed)

    for proposed in ((), ("new",)):
        results = screen().screen_records(endless(*proposed))
        assert [len(next(results)[1]) for _ in range(3)] == [len(proposed)] * 3


# Records


def test_all_parts_come_out_in_their_places() -> None:
    bad = BadRecord("b", 2, FormatError("nonsense"), "b\n")
    parts: list[Part] = ["\ufeff", record("a", TEXT, OLD, "new"), bad, "\n", record("c", TEXT, OLD), "]"]
    found = list(screen().screen_records(parts))
    assert [part for part, _ in found] == parts
    assert [len(each) for _, each in found] == [0, 1, 0, 0, 0, 0]
    assert list(screen().screen_records([])) == []


def test_an_error_in_reading_costs_nothing_that_was_read() -> None:
    def broken() -> Iterator[Record]:
        yield record("a", TEXT, OLD, "new")
        raise FormatError("no more")

    results = screen().screen_records(broken())
    part, found = next(results)
    assert isinstance(part, Record)
    assert part.id == "a"
    assert len(found) == 1
    with pytest.raises(FormatError, match="no more"):
        next(results)


# Remembering


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(substitutes, st.sampled_from(["", "Fine. ", "Oh!\n\n"])), max_size=4), st.booleans())
def test_what_is_remembered_is_what_would_be_said(texts: list[tuple[list[str], str]], little: bool) -> None:
    fresh, remembering = (Screen(parser=Flat(), judge=UsimJudge()) for _ in range(2))
    remembering.remembered = VerdictCache(room=1500 if little else 2**20)
    for proposed, before in texts:
        text, span = before + TEXT, (OLD[0] + len(before), OLD[1] + len(before))
        expected = fresh.screen(text, *span, proposed)
        assert remembering.screen(text, *span, proposed) == expected


def test_what_is_remembered_is_not_judged_again() -> None:
    parser = Flat()
    made = screen(parser)
    made.remembered = VerdictCache()
    made.screen(TEXT, *OLD, ["new", "long"])
    made.screen("He came. " + TEXT, 21, 24, ["long", "new", "true"])
    assert parser.asked.count("She told a true story.") == parser.asked.count("She told a new story.") == 1
    asked = len(parser.asked)
    made.screen(TEXT + " She went.", *OLD, ["true", "new"])
    assert len(parser.asked) == asked


# Ranking


@given(st.lists(st.tuples(st.sampled_from([(0, 1), (2, 3), None]), st.sampled_from([0.0, 0.3, 0.3, 1.0]))))
def test_a_ranking_sorts_within_each_target_and_loses_nothing(made: list[tuple[tuple[int, int] | None, float]]) -> None:
    suggestions = [Suggestion("x", span) for span, _ in made]
    found = [SuggestionResult("x", "", Judgement(faithfulness, ()), 1.0, "", "") for _, faithfulness in made]
    order = ranking(suggestions, found)
    assert sorted(order) == list(range(len(made)))
    spans = [suggestions[place].span for place in order]
    assert [span for span, _ in groupby(spans)] == list(dict.fromkeys(span for span, _ in made))
    for span in {span for span, _ in made}:
        places = [place for place in order if suggestions[place].span == span]
        assert all((-found[a].faithfulness, a) < (-found[b].faithfulness, b) for a, b in pairwise(places))


# The real parser


@pytest.mark.model
def test_the_public_name_and_the_real_parser() -> None:
    made = usim.Screen(judge="usim")
    text = "She walked home. An intimate friend waited there."
    same, close, added = made.screen(text, 20, 28, ["intimate", "close", "rather old and tired"])
    assert same.faithfulness == 1
    assert close.text == "She walked home. A close friend waited there."
    assert added.faithfulness < close.faithfulness
    assert made.signature.startswith("usim|parser:en-")


def test_a_sentence_that_is_too_long_is_a_bad_record_and_costs_no_other() -> None:
    parser = Flat()
    huge = record("huge", "She told " + "an " * 3_000 + "end.", (4, 8), "said")
    word = record("word", TEXT, OLD, "x" * 1_000_000, "new")
    passage = record("passage", "Fine words. " * 3_000 + TEXT, (36_012, 36_015), "new")
    parts = list(screen(parser).screen_records([huge, word, record("good", TEXT, OLD, "new"), passage]))
    assert [isinstance(part, BadRecord) for part, _ in parts] == [True, True, False, False]
    assert "a sentence has 3003 tokens or more, and 2000 are the most" in str(parts[0][0].error)  # type: ignore[union-attr]
    assert "a changed sentence has 100001 tokens or more" in str(parts[1][0].error)  # type: ignore[union-attr]
    assert set(parser.asked) == {TEXT, "She told a new story."}
    few = Screen(options=Options(parser=Flat(), judge="usim", max_tokens=5))
    with pytest.raises(InputError, match="a sentence has 6 tokens, and 5 are the most"):
        few.screen(TEXT, *OLD, ["new"])
