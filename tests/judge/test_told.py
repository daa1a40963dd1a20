"""What people are told of a verdict: a word for all that is not kept, and the pairs that first users tried."""

import csv
import re
from pathlib import Path

import pytest

from usim import Scorer
from usim.verdicts.nouns import CORRECTED

pytestmark = pytest.mark.model

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
#: Files of pairs; of each some pairs are read, spread over the file.
FILES = ("contrast_pairs.tsv", "otherwise_pairs.tsv", "rewrites_by_others/school.tsv")
#: What no writer says, and quotations with the blanks of a tokeniser.
ODD = re.compile(r"something else than|another part in the sentence|may be about|follow from| - \w+”|\d %”|“[^”]* ,")


def judged(scorer: Scorer, source: str, output: str) -> tuple[str, list[str]]:
    """Return a verdict and the texts of the findings that are shown."""
    judgement = scorer.score(source, output).judgement
    return judgement.verdict, [finding.text for finding in judgement.shown]


@pytest.fixture(params=["scorer", "fast"])
def each(request: pytest.FixtureRequest) -> Scorer:
    """The scorer of each model."""
    return request.getfixturevalue(request.param)


def pairs(count: int) -> list[tuple[str, str]]:
    found = []
    for name in FILES:
        lines = (EXPERIMENTS / name).read_text("utf-8").splitlines()
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=3))
        found += [(row["source"], row["output"]) for row in rows[:: len(rows) // count][:count]]
    return found


@pytest.mark.parametrize("count", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_what_is_not_kept_has_a_finding_and_what_is_kept_has_none_but_exchanges_beside_corrections(
    each: Scorer, count: int
) -> None:
    judgements = [result.judgement for result in each.score_pairs(pairs(count))]
    assert len(judgements) == len(FILES) * count
    odd = [one for one in judgements if (one.verdict == "keep") == bool(one.shown)]
    assert [one for one in odd if one.verdict != "keep" or one.band not in CORRECTED or one.certain] == []
    told = [finding.text for one in judgements for finding in one.shown]
    assert [text for text in told if ODD.search(text)] == []


@pytest.mark.parametrize(
    ("source", "output", "verdict"),
    [
        ("Members must show their card at the door.", "Members should show their card at the door.", "drop"),
        ("My father stopped to smoke outside.", "My father stopped smoking outside.", "drop"),
        ("Take two tablets after meals.", "Take two tablets before meals.", "drop"),
        ("This medicine may cause drowsiness.", "This medicine causes drowsiness.", "drop"),
        ("The results suggest that it could help.", "The results prove that it helps.", "drop"),
        ("He allegedly stole the money.", "He stole the money.", "drop"),
        ("You may not enter unless you have a ticket.", "You may not enter.", "drop"),
        ("We will refund you if the goods are faulty.", "We will refund you.", "drop"),
        ("I used to live in a big city.", "I am used to living in a big city.", "drop"),
        ("Additional evidence is needed.", "Further evidence is needed.", "keep"),
        ("The meeting starts at 12.30.", "The meeting starts at 12.30 p.m.", "keep"),
        ("My mother who is a nurse, works at night.", "My mother, who is a nurse, works at night.", "keep"),
    ],
)
def test_clear_changes_are_dropped_and_their_neighbours_kept(
    each: Scorer, source: str, output: str, verdict: str
) -> None:
    found, told = judged(each, source, output)
    assert (found, bool(told)) == (verdict, verdict == "drop")


def test_shorten_does_not_let_a_condition_go(fast: Scorer) -> None:
    limited, bare = "We will refund you if the goods are faulty.", "We will refund you."
    assert judged(fast.under("shorten"), limited, bare)[0] == "drop"


@pytest.mark.parametrize(
    ("source", "output", "verdict", "told"),
    [
        # The same in other words
        ("I live here since four years.", "I have lived here for four years.", "keep", ""),
        ("The storm caused the delay.", "The storm led to the delay.", "keep", ""),
        ("I sent you an e-mail.", "I sent you an email.", "keep", ""),
        # Another meaning
        ("We have a few questions.", "We have few questions.", "drop",
         "The amount or frequency changed: “a few questions” became “few questions”"),
        ("Smoking is associated with lung cancer.", "Smoking led to lung cancer.", "drop",
         "“is associated with” became “led to”, which means something else"),
        ("Either party may terminate this Agreement.", "The Customer may terminate this Agreement.", "drop",
         "“party” became “Customer”, which means something else"),
        ("No smoking.", "Smoking is allowed.", "review", "The output says the opposite: “No smoking” became “Smoking”"),
        ("No smoking.", "Smoking is not allowed.", "keep", ""),
        ("I don't think he is right.", "I think he is right.", "drop",
         "The output says the opposite: “don't think” became “think”"),
        ("We were pleased to hear that.", "We were dismayed to hear that.", "drop",
         "“pleased” became “dismayed”, which means something else"),
        ("Your order was shipped on Monday.", "We will ship your order on Monday.", "drop",
         "The time of “shipped” changed from past to future"),
        # Corrections to a form that cannot stand there, and to another name
        ("I have recieved your letter.", "I have receive your letter.", "review",
         "“recieved” became “receive”, but probably “received” was meant"),
        ("Tomorow we will go to the beach.", "Tomorrows we will go to the beach.", "review",
         "“Tomorow” became “Tomorrows”, but probably “tomorrow” was meant"),
        ("The childrens are happy.", "The children's are happy.", "review",
         "“childrens” became “children's”, but probably “children” was meant"),
        ("Bobo went to school.", "Bob went to school.", "review",
         "“Bobo” became “Bob”, which may not be the word that was meant"),
        ("Tehy went to school.", "They went to school.", "keep", ""),
    ],
)  # fmt: skip
def test_verdicts_are_told_in_plain_words(scorer: Scorer, source: str, output: str, verdict: str, told: str) -> None:
    assert judged(scorer, source, output) == (verdict, [told] if told else [])


def test_a_strict_risk_says_that_the_pair_is_likely_right() -> None:
    verdict, told = judged(Scorer(risk=0.02), "The firm began to grow in May.", "In May the firm began to grow.")
    assert verdict == "review"
    assert told == ["It probably says the same, but that is less sure than the chosen risk asks for"]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Neither party may assign it without consent.", "No party may assign it unless consent is given."),
        ("The tenant may not keep pets without consent.", "The tenant may not keep pets unless there is consent."),
        (
            "They must promptly tell the customer of any defect.",
            "They must tell the customer of any defect without delay.",
        ),
        ("The supplier shall promptly repair it.", "The supplier shall repair it without delay."),
    ],
)
def test_of_equal_forms_of_a_negation_nobody_is_told_that_they_say_the_opposite(
    each: Scorer, source: str, output: str
) -> None:
    for pair in ((source, output), (output, source)):
        assert not any("opposite" in text for text in judged(each, *pair)[1])
