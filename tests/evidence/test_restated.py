"""What an output says in other words, put back into the words of its source."""

from __future__ import annotations

import pytest

from usim import Scorer
from usim.evidence import restated


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    """Return a scorer whose judge reads words."""
    return Scorer(model="en-fast")


SAME = [
    ("If you do not return it, you pay.", "Unless you return it, you pay.", "If you do not return it , you pay ."),
    ("Unless she returns it, she pays.", "If she does not return it, she pays.", "Unless she returns it , she pays ."),
    ("The flat is not available.", "The flat is unavailable.", "The flat is not available ."),
    ("I dislike the kitchen.", "I do not like the kitchen.", "I dislike the kitchen ."),
    ("Nobody but the manager may sign.", "Only the manager may sign.", "Nobody but the manager may sign ."),
    ("You need not pay now.", "You don't have to pay now.", "You need not pay now ."),
    ("Send it no later than Friday.", "Send it by Friday.", "Send it no later than Friday ."),
    ("It is not impossible.", "It is possible.", "It is not impossible ."),
    ("Can you borrow me a pen?", "Can you lend me a pen?", "Can you borrow me a pen ?"),
    ("It is less difficult than that.", "It is easier than that.", "It is less difficult than that ."),
    ("The reason why I am writing is to ask.", "I'm writing to ask.", "The reason why I am writing is to ask ."),
    ("Wait until she will come.", "Wait until she comes.", "Wait until she will come ."),
    ("The WHO says it is safe.", "The World Health Organization says it is safe.", "The WHO says it is safe ."),
    ("Ask the Department of Health.", "Ask the DOH.", "Ask the Department of Health ."),
    ("The road is temporarily closed.", "The road is closed for the time being.", "The road is closed temporarily ."),
    ("Figure 4 lacks a title.", "Figure 4 has no title.", "Figure 4 lacks title ."),
]  # fmt: skip

OTHER = [
    ("If you return it, you pay.", "Unless you return it, you pay."),
    ("The flat is available.", "The flat is unavailable."),
    ("You must not pay now.", "You don't have to pay now."),
    ("I shall go.", "I must go."),
    ("We meet every other Friday.", "We meet every Friday."),
    ("Can I borrow your pen?", "Can I lend your pen?"),
    ("The road is less wide.", "The road is wider."),
    ("He will pay if you come.", "He pays if you come."),
    ("The CEO left.", "The Chief Financial Officer left."),
]


@pytest.mark.parametrize(("source", "output", "expected"), SAME, ids=[output for _, output, _ in SAME])
def test_words_of_the_source_are_put_back_and_the_output_is_kept(
    scorer: Scorer, source: str, output: str, expected: str
) -> None:
    result = scorer.score(source, output)
    before, after = result.analyses
    found = restated(before.view, after.view)
    assert found is not None
    assert " ".join(found.tokens) == expected
    assert len(found.places) == len(found.tokens)
    assert set(found.places) <= set(range(len(after.tokens)))
    assert (result.judgement.verdict, result.judgement.shown) == ("keep", ())


@pytest.mark.parametrize(("source", "output"), OTHER, ids=[output for _, output in OTHER])
def test_what_says_something_else_stays(scorer: Scorer, source: str, output: str) -> None:
    before, after = scorer.score(source, output).analyses
    assert restated(before.view, after.view) is None


def test_what_else_changed_is_told_with_the_words_and_places_of_the_output(scorer: Scorer) -> None:
    output = "Simmer it for 30 minutes and do not stir."
    result = scorer.score("Simmer it for half an hour and stir.", output)
    judgement = result.judgement
    assert judgement.verdict != "keep"
    assert any(reason.kind == "negation" for reason in judgement.shown)
    for reason in judgement.reasons:
        assert all(0 <= place < len(result.output_graph.tokens) for place in reason.target)
        assert all(output[start:end] for start, end in reason.target_spans)
    assert all(entry.new in output or " … " in entry.new for entry in judgement.ledger.entries)


def test_what_is_restated_is_no_reason(scorer: Scorer) -> None:
    judgement = scorer.score("He can't swim and she dances.", "He is unable to swim and she sings.").judgement
    assert judgement.verdict != "keep"
    assert judgement.shown
    assert not any("unable" in reason.text for reason in judgement.shown)


def test_a_sentence_that_may_be_said_beside_is_reviewed(scorer: Scorer) -> None:
    """Where the neighbour was reworded, a sentence without a counterpart may be said in it."""
    source = "We hired more staff, so profit slipped slightly. We are keeping our forecast for the full year."
    output = "A larger workforce caused a small dip in operating earnings; our annual guidance stands."
    assert scorer.score(source, output).judgement.verdict == "review"
    assert scorer.score(source, source.partition(" We")[0]).judgement.verdict == "drop"
