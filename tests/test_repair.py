"""Which changes a repair undoes, by what a judge says of each text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.flat import scorer_of
from usim.evidence import Analysis, Finding
from usim.judge import Policy, Thresholds, UsimJudge
from usim.rewrites import _Draft
from usim.verdicts import Opinion

SOURCE, OUTPUT = "the cup holds some soft cork", "the jar holds some soft wood"
FIRST, SECOND = "the cup holds some soft wood", "the jar holds some soft cork"
#: The word of the source that the text with the first word put back does not have.
LOST = (5,)


class Told(UsimJudge):
    """A judge that is told its opinions of outputs; of all others it is not sure."""

    thresholds = Thresholds(keep=0.9, drop=0.1)

    def __init__(self, opinions: Mapping[str, Opinion]) -> None:
        super().__init__()
        self.opinions = opinions

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        return [
            Opinion(1.0, 1.0, 1.0)
            if source.tokens == output.tokens
            else self.opinions.get(output.text, Opinion(0.5, 0.5, 0.5, findings=()))
            for source, output in pairs
        ]


def opinion(same: float, *findings: Finding, errors: float | None = None) -> Opinion:
    return Opinion(same, same, same, errors=errors, findings=findings)


UNSAID = Finding("unsaid", "not said", LOST)


@pytest.mark.parametrize(
    ("first", "output", "is_sound"),
    [
        (opinion(0.95), opinion(0.5), True),
        (opinion(0.95, errors=2), opinion(0.5, errors=-3), False),
        # What hardly is an error, and as many errors as the output has.
        (opinion(0.95, errors=-1), opinion(0.5, errors=-3), True),
        (opinion(0.95, errors=2), opinion(0.5, errors=2), True),
        # Words that are lost, or said in other words that may not say the same.
        (opinion(0.95, UNSAID), opinion(0.5), False),
        (opinion(0.95, Finding("unsaid", "said otherwise", LOST, LOST)), opinion(0.5), False),
        (opinion(0.95, Finding("unsaid", "new", (), LOST)), opinion(0.5), True),
        (opinion(0.95, Finding("participant-lost", "no longer mentioned", LOST)), opinion(0.5), False),
        # A fact that anybody can check is gone.
        (opinion(0.95, Finding("number", "gone", LOST, weight=0.6)), opinion(0.5), False),
        # A light finding is one of a lost word if the output was found not to say that word.
        (opinion(0.95, Finding("pronoun", "gone", LOST, weight=0.2)), opinion(0.5), True),
        (opinion(0.95, Finding("pronoun", "gone", LOST, weight=0.2)), opinion(0.5, UNSAID), False),
    ],
)  # fmt: skip
def test_a_kept_text_is_handed_out_only_if_it_is_sound(first: Opinion, output: Opinion, is_sound: bool) -> None:
    told = Told({OUTPUT: output, FIRST: first, SECOND: opinion(0.92, errors=-3)})
    repair = scorer_of(judge=told).repair(SOURCE, OUTPUT)
    assert repair.text == (FIRST if is_sound else SECOND)


@pytest.mark.parametrize(("policy", "text"), [("same", SOURCE), ("shorten", FIRST)])
def test_a_policy_allows_words_to_be_lost(policy: Policy, text: str) -> None:
    told = Told({FIRST: opinion(0.95, UNSAID)})
    assert scorer_of(judge=told).repair(SOURCE, OUTPUT, policy=policy).text == text


@pytest.mark.parametrize(
    ("source", "output", "undone", "text"),
    [
        ("You owe us 20 euros.", "Please pay the $20.", {0}, "You owe us 20."),
        ("You owe us 20 euros.", "Please pay the $20.", {1}, "Please pay the $20 euros."),
        ("He (Tom) left.", "He or Tom left.", {0}, "He (Tom left."),
        ("A  line\nof  text", "one line of words", {0, 1}, "A  line\nof  text"),
    ],
)  # fmt: skip
def test_blanks_are_those_of_what_is_put_back(source: str, output: str, undone: set[int], text: str) -> None:
    assert _Draft(source, output).without(frozenset(undone)) == text


@pytest.mark.parametrize(
    ("source", "output", "runs", "exchanges"),
    [
        # What gave way goes with what was put in beside it.
        ("Please tell me where it is.", "Please let me know where it is.", [{0, 1}], set()),
        ("We paid 20 euros.", "They paid 25 euros.", [{0, 1}], {0, 1}),
        # Words that went elsewhere would be there twice or nowhere.
        ("She can drive us there, but we called a cab.", "She can call us a cab there, but we drove.", [{0, 1, 2}], set()),
        ("He earns as much this year as she did.", "She earns as much this year as he did.", [{0, 1}], set()),
        ("Next time we will book that hotel.", "We will book that hotel next time.", [{0, 1}], set()),
        ("Tom sold the old house and the new car.", "Tom sold a old house and the red car.", [{0}, {1}], set()),
    ],
)  # fmt: skip
def test_changes_that_depend_on_one_another(
    source: str, output: str, runs: list[set[int]], exchanges: set[int]
) -> None:
    draft = _Draft(source, output)
    assert draft.runs == runs
    assert draft.exchanges == exchanges


def test_no_part_of_an_insertion_is_undone() -> None:
    source, output = "please tell me where it is", "please let me know where it is"
    told = Told({"please let me where it is": opinion(0.99), "please tell me know where it is": opinion(0.99)})
    assert scorer_of(judge=told).repair(source, output).text == source


def test_a_source_that_is_not_kept_beside_itself_is_no_repair() -> None:
    class Unsure(Told):
        def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
            return [opinion(0.05, Finding("scene-lost", "gone", LOST)) for _ in pairs]

    repair = scorer_of(judge=Unsure({})).repair(SOURCE, OUTPUT)
    assert repair.text == SOURCE
    record = repair.to_dict()
    assert record["verdict"] != "keep"
    assert [finding["kind"] for finding in record["findings"]] == ["scene-lost"]


def test_where_no_text_is_sound_the_source_is_given_back() -> None:
    spoilt = opinion(0.95, errors=2)
    told = Told({OUTPUT: opinion(0.5, errors=-3), FIRST: spoilt, SECOND: spoilt})
    repair = scorer_of(judge=told).repair(SOURCE, OUTPUT)
    assert (repair.text, len(repair.changes)) == (SOURCE, 2)
    assert repair.to_dict()["note"] == "no mixture of both texts that was tried is sound"
    told.opinions = {OUTPUT: opinion(0.5), FIRST: opinion(0.95)}
    assert not scorer_of(judge=told).repair(SOURCE, OUTPUT).note


def test_of_changes_that_stand_together_one_is_undone_or_all() -> None:
    source, output = "the cup holds soft cork and some old clay", "a jar takes dry cork and some old sand"
    whole = "the cup holds soft cork and some old sand"
    repair = scorer_of(judge=Told({whole: opinion(0.95)})).repair(source, output)
    assert repair.text == whole
    undone = [sum(map(str.__eq__, source.split()[:4], each.output.split())) for each in repair.attempts]
    assert set(undone) == {0, 1, 4}


def test_corrections_are_made_again_though_what_stands_beside_them_is_undone() -> None:
    source, output = "he go at the old shop", "he goes to the new shop"
    whole, best = "he go at the old shop", "he goes to the old shop"
    worse = "he goes at the old shop"
    doubted = Opinion(0.5, 0.5, 0.5, "recast", errors=-3.0, findings=())
    opinions = {output: doubted, best: opinion(0.95, errors=1.0), worse: opinion(0.95, errors=2.0)}
    told = Told({**opinions, "he go to the old shop": opinion(0.92, errors=2.0)})
    # Each text beside it has an error more than the output, so that none is sound, and all is undone at first.
    repair = scorer_of(judge=told).repair(source, output)
    assert repair.text == best
    assert [str(change) for change in repair.changes] == ["put “old” back in place of “new”"]
    # Of a sentence without errors all or nothing of a reworded stretch is undone.
    told = Told({**opinions, output: Opinion(0.5, 0.5, 0.5, "reworded", errors=-3.0, findings=())})
    assert scorer_of(judge=told).repair(source, output).text == whole


@pytest.mark.parametrize(
    ("output", "is_narrow"),
    [
        ("the shop in town sells books at its price", True),
        # Half of one sentence beside half of another makes none.
        ("old books at its price", False),
        ("one sells old books at its price", False),
    ],
)
def test_of_a_reworded_text_a_few_words_are_put_back_or_all(output: str, is_narrow: bool) -> None:
    source, whole = "the shop in town sells old books at its cost", "the shop in town sells old books at its price"
    doubted = Opinion(0.5, 0.5, 0.5, "reworded", findings=())
    repair = scorer_of(judge=Told({output: doubted, whole: opinion(0.95)})).repair(source, output)
    assert repair.text == (whole if is_narrow else source)


def test_one_of_a_run_and_another_change_are_undone() -> None:
    source, output = "the cup holds some soft cork and old clay", "the jar took some soft cork and old sand"
    nearer, whole = "the cup took some soft cork and old sand", "the cup took some soft cork and old clay"
    repair = scorer_of(judge=Told({nearer: opinion(0.6), whole: opinion(0.95)})).repair(source, output)
    assert repair.text == whole


class Whimsical(UsimJudge):
    """A judge that thinks anything of a text, and always the same."""

    thresholds = Thresholds(keep=0.9, drop=0.1)

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        return [
            self._opinion(source.text == output.text, Random(f"{self.seed} {output.text}")) for source, output in pairs
        ]

    def _opinion(self, is_same: bool, rng: Random) -> Opinion:
        errors, found = rng.choice((-3.0, 2.0)), rng.choice(((), (), (Finding("unsaid", "not said", (0,)),)))
        return opinion(
            0.95 if is_same else rng.choice((0.4, 0.5, 0.6, 0.95)), *(() if is_same else found), errors=errors
        )


WORDS = st.lists(st.sampled_from("the a old new cup jar holds took soft 20 25".split()), min_size=1, max_size=12)


@given(WORDS, WORDS, st.integers(0, 99))
def test_whatever_a_judge_thinks_a_repair_ends_with_a_kept_text_or_the_source(
    source: list[str], output: list[str], seed: int
) -> None:
    repair = scorer_of(judge=Whimsical(seed)).repair(" ".join(source), " ".join(output))
    assert repair.result.judgement.verdict == "keep" or repair.text == " ".join(source)
