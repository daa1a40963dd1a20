"""What people are told of a verdict, over pairs that were written for evaluation: a word for all that is not kept."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from usim import Scorer

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
#: Files of pairs; of each some pairs are read, spread over the file.
FILES = ("contrast_pairs.tsv", "otherwise_pairs.tsv", "rewrites.tsv")
#: What no writer says, and quotations with the blanks of a tokeniser.
ODD = re.compile(r"something else than|another part in the sentence|may be about|follow from| - \w+”|\d %”|“[^”]* ,")


@cache
def scorer(model: str) -> Scorer:
    return Scorer(model=model)


def pairs(count: int) -> list[tuple[str, str]]:
    found = []
    for name in FILES:
        lines = (EXPERIMENTS / name).read_text("utf-8").splitlines()
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=3))
        found += [(row["source"], row["output"]) for row in rows[:: len(rows) // count][:count]]
    return found


@pytest.mark.model
@pytest.mark.parametrize("count", [20, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_what_is_not_kept_has_a_reason_and_what_is_kept_has_none(model: str, count: int) -> None:
    judgements = [result.judgement for result in scorer(model).score_pairs(pairs(count))]
    assert len(judgements) == len(FILES) * count
    assert [one for one in judgements if (one.verdict == "keep") == bool(one.shown)] == []
    told = [reason.text for one in judgements for reason in one.shown]
    assert [text for text in told if ODD.search(text)] == []


@pytest.mark.model
@pytest.mark.parametrize("model", ["en", "en-fast"])
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
        ("The manager who hired Tom left.", "The manager hired Tom, who left.", "drop"),
        ("I used to live in a big city.", "I am used to living in a big city.", "drop"),
        ("Additional evidence is needed.", "Further evidence is needed.", "keep"),
        ("The meeting starts at 12.30.", "The meeting starts at 12.30 p.m.", "keep"),
        ("My mother who is a nurse, works at night.", "My mother, who is a nurse, works at night.", "keep"),
    ],
)
def test_clear_changes_are_dropped_and_their_neighbours_kept(
    model: str, source: str, output: str, verdict: str
) -> None:
    judgement = scorer(model).score(source, output).judgement
    assert (judgement.verdict, bool(judgement.shown)) == (verdict, verdict == "drop")


@pytest.mark.model
def test_shorten_does_not_let_a_condition_go() -> None:
    limited, bare = "We will refund you if the goods are faulty.", "We will refund you."
    assert Scorer(model="en-fast", policy="shorten").score(limited, bare).judgement.verdict == "drop"


@pytest.mark.model
def test_one_word_for_one_is_told_whatever_its_part_of_speech() -> None:
    judgement = scorer("en").score("We were pleased to hear that.", "We were dismayed to hear that.").judgement
    assert [reason.text for reason in judgement.shown] == ["“pleased” became “dismayed”, which means something else"]
