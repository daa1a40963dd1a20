"""What first users tried: verdicts and the reasons that they are told, as classes of pairs."""

from __future__ import annotations

import pytest

from usim import Scorer
from usim.judge import Judgement


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


def judged(scorer: Scorer, source: str, output: str) -> tuple[str, list[str]]:
    judgement: Judgement = scorer.score(source, output).judgement
    return judgement.verdict, [reason.text for reason in judgement.shown]


@pytest.mark.model
@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("It is less difficult than I thought.", "It is easier than I thought."),
        ("It was cheaper than the train.", "It was less expensive than the train."),
        ("If it will rain, we will stay at home.", "If it rains, we will stay at home."),
        ("I live here since four years.", "I have lived here for four years."),
        ("The storm caused the delay.", "The storm led to the delay."),
        ("I sent you an e-mail.", "I sent you an email."),
    ],
)
def test_the_same_in_other_words_is_kept(scorer: Scorer, source: str, output: str) -> None:
    assert judged(scorer, source, output) == ("keep", [])


@pytest.mark.model
@pytest.mark.parametrize(
    ("source", "output", "told"),
    [
        ("We have a few questions.", "We have few questions.", "The amount or frequency changed: “a few questions” became “few questions”"),
        ("My sister-in-law called you.", "My sister called you.",
         "“sister-in-law” became “sister”, which means something else"),
        ("Her husband pays the rent.", "Her ex-husband pays the rent.",
         "“husband” became “ex-husband”, which means something else"),
        ("Smoking is associated with lung cancer.", "Smoking led to lung cancer.",
         "“is associated with” became “led to”, which means something else"),
        ("Either party may terminate this Agreement.", "The Customer may terminate this Agreement.",
         "Who or what is meant changed: “Either party” became “The Customer”"),
        ("I don't think he is right.", "I think he is right.", "The output says the opposite: “don't think” became “think”"),
        ("Not all students passed the exam.", "Some students passed the exam.",
         "The amount or frequency changed: “Not all” became “Some”"),
    ],
)  # fmt: skip
def test_another_meaning_is_dropped_and_told_in_plain_words(
    scorer: Scorer, source: str, output: str, told: str
) -> None:
    assert judged(scorer, source, output) == ("drop", [told])


@pytest.mark.model
@pytest.mark.parametrize(
    ("source", "output", "meant"),
    [
        ("I have recieved your letter.", "I have receive your letter.", "received"),
        ("Tomorow we will go to the beach.", "Tomorrows we will go to the beach.", "tomorrow"),
        ("The childrens are happy.", "The children's are happy.", "children"),
    ],
)
def test_a_form_that_cannot_stand_there_is_no_correction(scorer: Scorer, source: str, output: str, meant: str) -> None:
    verdict, told = judged(scorer, source, output)
    assert verdict == "review"
    assert [f"probably “{meant}” was meant" in text for text in told] == [True]


@pytest.mark.model
def test_a_name_at_the_head_of_a_sentence_is_not_corrected_to_another(scorer: Scorer) -> None:
    assert judged(scorer, "Bobo went to school.", "Bob went to school.")[0] == "review"
    assert judged(scorer, "Tehy went to school.", "They went to school.") == ("keep", [])


@pytest.mark.model
@pytest.mark.parametrize(
    ("source", "output", "told"),
    [
        ("Your order was shipped on Monday. You can track it with the link below.",
         "We shipped your order on Monday. Use the link below to track it.",
         ["usim cannot tell whether it still says the same"]),
        ("Your password was reset. The link stays valid for one hour.",
         "We have reset your password. The link works for one hour.",
         ["“stays valid” became “works”, which may mean something else"]),
        ("Your order was shipped on Monday.", "We will ship your order on Monday.",
         ["The time of “shipped” changed from past to future"]),
    ],
)  # fmt: skip
def test_of_reworded_sentences_no_word_is_said_to_have_become_any_other(
    scorer: Scorer, source: str, output: str, told: list[str]
) -> None:
    assert judged(scorer, source, output) == ("review", told)


@pytest.mark.model
@pytest.mark.parametrize("output", ["This Agreement begins on 1 January.", "On 1 January this Agreement commences."])
def test_a_strict_risk_says_that_the_pair_is_likely_right(output: str) -> None:
    verdict, told = judged(Scorer(risk=0.02), "This Agreement commences on 1 January.", output)
    assert verdict == "review"
    assert told == ["It probably says the same, but that is less sure than the chosen risk asks for"]
