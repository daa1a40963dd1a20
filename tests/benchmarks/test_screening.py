"""``--screen``: a system's output before and after screening, what was dropped rightly and wrongly, and the curve."""

import json
import math
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.support.benchmarks import PROLEX
from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.case import LABELS, Place
from usim.benchmarks.result import Ratio, Tally, compare
from usim.benchmarks.screening import Effect, screened
from usim.errors import InputError

from .conftest import Told, swords_data, written

SWS_GOLD = {
    "a": sws.Sentence(("An", "intimate", "friend"), (sws.SwsTarget(1, 2, {"close": 3, "dear": 1}, 1),)),
    "b": sws.Sentence(("He", "has", "much", "knowing"), (sws.SwsTarget(3, 4, {"knowledge": 2}, 2),)),
}
SWS_MADE = {
    "a": {(1, 2): ("distant", "close", "distant"), (2, 3): ("enemy",)},
    "b": {(3, 4): ("understanding", "knowledge")},
}


def test_the_first_suggestion_is_wrong_until_it_is_dropped() -> None:
    effect = screened(
        sws.Sws(SWS_GOLD), SWS_MADE, Told({"distant": 0.1, "enemy": 0.2, "understanding": 0.6}), resamples=0
    )
    before, after = effect.comparison.before.figures, effect.comparison.after.figures
    assert before["acc_recommendation"] == 0
    assert after["acc_recommendation"] == 0.5
    assert (before["p_detection"], after["p_detection"]) == (pytest.approx(2 / 3), 1)
    assert effect.comparison.differences["p_detection"].value == pytest.approx(1 / 3)
    # "enemy" is for a span that no annotator marked; "distant" is made twice and counts once.
    assert effect.counts == {"acceptable": (2, 0), "wrong": (2, 1), "unjudged": (1, 1)}
    assert effect.verdicts == {"keep": 2, "review": 1, "drop": 2}
    assert effect.shares.figures == {"acceptable_kept": 1.0, "wrong_dropped": 0.5}
    assert (before["precision_judged"], after["precision_judged"]) == (0.5, pytest.approx(2 / 3))
    assert (before["precision_all"], after["precision_all"]) == (0.4, pytest.approx(2 / 3))
    # What is dropped wrongly counts as that.
    effect = screened(sws.Sws(SWS_GOLD), SWS_MADE, Told({"close": 0.0, "knowledge": 0.4}), resamples=0)
    assert effect.counts["acceptable"] == (2, 2)
    assert effect.counts["acceptable"].share == 1
    assert effect.shares.figures["acceptable_kept"] == 0


def test_before_is_what_the_scorer_says_without_screening_and_after_what_it_says_of_the_rest() -> None:
    screen = Told({"distant": 0.1, "enemy": 0.2})
    effect = screened(sws.Sws(SWS_GOLD), SWS_MADE, screen, resamples=50)
    plain = sws.Sws(SWS_GOLD).score(SWS_MADE, resamples=50)
    assert effect.comparison.before.signature == plain.signature
    for name, value in plain.figures.items():
        assert effect.comparison.before.figures[name] == pytest.approx(value, nan_ok=True)
        assert effect.comparison.before.intervals[name] == pytest.approx(plain.intervals[name], nan_ok=True)
    left = {"a": {(1, 2): ("close",)}, "b": {(3, 4): ("understanding", "knowledge")}}
    rest = sws.Sws(SWS_GOLD).score(left, resamples=50)
    for name, value in rest.figures.items():
        assert effect.comparison.after.figures[name] == pytest.approx(value, nan_ok=True)
    # The signature says how it was screened, and targets are judged where they stand.
    assert "|screen:parser=none,judge=told,keep=0.7,drop=0.5|n:2|" in effect.comparison.after.signature
    assert "screen:" not in effect.comparison.before.signature
    assert screen.seen[0] == ("An intimate friend", "intimate", "distant", None)
    assert ("He has much knowing", "knowing", "knowledge", None) in screen.seen


def without(predictions: sws.Predictions, *gone: str) -> sws.Predictions:
    return sws.Sws({}).changed(predictions, lambda target, own: [s for s in own if s not in gone])


def test_a_target_that_loses_all_suggestions_is_not_named_any_more() -> None:
    left = {"a": {(1, 2): ["close"]}, "b": {(3, 4): ["understanding", "knowledge"]}}
    assert without(SWS_MADE, "enemy", "distant") == left
    # One that had none to begin with stays: it says that the words could be better.
    assert without({"a": {(0, 1): ()}}) == {"a": {(0, 1): []}}


def test_what_lists_are_filled_up_with_is_not_judged_and_keeps_no_target() -> None:
    filled = {"a": {(0, 1): ("big", "none", "none")}}
    gold = {"a": sws.Sentence(("large", "car"), (sws.SwsTarget(0, 1, {"big": 2}, 1),))}
    assert [[*case.labels] for case in sws.Sws(gold).cases(filled)] == [["big"]]
    assert without(filled, "big") == {"a": {}}
    assert without(filled) == {"a": {(0, 1): ["big", "none", "none"]}}
    said = {"a": sws.Sentence(("nothing",), (sws.SwsTarget(0, 1, {"none": 2}, 1),))}
    assert [[*case.labels] for case in sws.Sws(said).cases({"a": {(0, 1): ("none",)}})] == [["none"]]


PROLEX_GOLD = {
    0: prolex.ProLexTarget("cause", "Cars **cause** noise.", ("produce", "make"), ("produce",), ("destroy",)),
    1: prolex.ProLexTarget("big", "A **big** car.", (), (), ("small",)),
}


def test_prolex_labels_by_lemma_and_leaves_out_what_the_scorer_leaves_out() -> None:
    made = {0: ("makes", "destroyed", "lead", "causes"), 1: ("small",)}
    (case,) = prolex.ProLex(PROLEX_GOLD).cases(made)
    assert case.place == ("Cars cause noise.", 5, 10, None)
    assert case.labels == {"makes": "acceptable", "destroyed": "wrong", "lead": "unjudged"}
    made = {0: ("destroy", "make"), 1: ("small",)}
    effect = screened(prolex.ProLex(PROLEX_GOLD, k=1), made, Told({"destroy": 0.0, "small": 0.0}), resamples=0)
    figure = "hard_acceptable_p@1"
    assert (effect.comparison.before.figures[figure], effect.comparison.after.figures[figure]) == (0, 1)
    assert effect.counts == {"acceptable": (1, 0), "wrong": (1, 1), "unjudged": (0, 0)}


LABELLED = {"fast": ("TRUE", "TRUE", "FALSE"), "slow": ("FALSE", "TRUE"), "odd": ("UNSURE",)}
SWORDS_GOLD = {
    "t": swords.SwordsTarget("quick", "ADJ", LABELLED, Place("First. A quick car.", 9, 14, "ADJ")),
    "u": swords.SwordsTarget("sad", "ADJ", {"blue": ("TRUE",)}, Place("I am sad.", 5, 8, "ADJ")),
}


def test_swords_labels_are_those_that_its_scorer_counts_and_its_figures_per_cent() -> None:
    made = {"t": [("slow", 1.0), ("fast", 3.0), ("odd", 0.5), ("brown", 0.0), ("quicker", 2.0)]}
    (case,) = swords.Swords(SWORDS_GOLD).cases(made)
    # Half of the labels of "slow" are not more than half, and of "odd" nobody was sure.
    labels = {"fast": "acceptable", "slow": "wrong", "odd": "unjudged", "brown": "unjudged"}
    assert list(case.labels.items()) == list(labels.items())
    made = {"t": [("slow", 2.0), ("fast", 1.0)]}
    screen = Told({"slow": 0.3})
    effect = screened(swords.Swords(SWORDS_GOLD), made, screen, resamples=0)
    text = "First. A quick car."
    assert screen.seen == [(text, "quick", "slow", "ADJ"), (text, "quick", "fast", "ADJ")]
    assert effect.comparison.before.figures["lenient_a_p@1"] == 0
    assert effect.comparison.after.figures["lenient_a_p@1"] == 100
    assert effect.comparison.after.figures["precision_judged"] == 100
    assert effect.shares.figures["wrong_dropped"] == 1


def test_a_target_without_a_context_is_named() -> None:
    gold = {0: prolex.ProLexTarget("cause", "Cars cause noise.", ("make",), ())}
    with pytest.raises(InputError, match=r"target 0 .*between \*\*"):
        prolex.ProLex(gold).cases({0: ("make",)})
    with pytest.raises(InputError, match="no context"):
        swords.Swords({"t": SWORDS_GOLD["t"]._replace(place=None)}).cases({"t": [("fast", 1.0)]})


def test_a_target_that_cuts_a_word_stays_and_is_counted() -> None:
    targets = {0: prolex.ProLexTarget("real", "A **real**istic car.", ("true",), (), ("odd",))}
    cut = {"t": SWORDS_GOLD["t"]._replace(place=Place("A quicksand car.", 2, 7, "ADJ"))}
    effects = [
        screened(prolex.ProLex(targets), {0: ("true", "odd")}, Told({"odd": 0.0}), resamples=0),
        screened(swords.Swords(cut), {"t": [("slow", 2.0)]}, Told({"slow": 0.0}), resamples=0),
    ]
    assert [effect.unscreened for effect in effects] == [2, 1]
    assert [effect.counts["wrong"] for effect in effects] == [(1, 0), (1, 0)]


# Comparing


def test_a_paired_interval_is_narrower_than_its_two_sides() -> None:
    figures = {"p": Ratio("right", "made")}
    before = Tally("toy", [{"right": i % 3 == 0, "made": 1} for i in range(60)], figures, {})
    after = Tally("toy", [{"right": i % 3 == 0 or i == 1, "made": 1} for i in range(60)], figures, {})
    found = compare(before, after, resamples=400)
    value, low, high = found.differences["p"]
    assert value == pytest.approx(1 / 60)
    assert 0 <= low <= value <= high
    one = found.before.intervals["p"]
    assert high - low < (one.high - one.low) / 2
    assert found.after.figures["p"] - found.before.figures["p"] == pytest.approx(value)
    with pytest.raises(ValueError, match="same records"):
        compare(Tally("toy", [{}], figures, {}), Tally("toy", [{}, {}], figures, {}))


def test_nothing_to_screen() -> None:
    effect = screened(sws.Sws(SWS_GOLD), {"a": {}, "b": {}}, Told({}), resamples=10)
    assert isinstance(effect, Effect)
    assert effect.counts["wrong"] == (0, 0)
    assert math.isnan(effect.counts["wrong"].share)
    assert math.isnan(effect.comparison.differences["p_detection"].value)


# The command line

WORDS = ["The", "dog", "saw", "John", "."]
GOLD = {"s": {"sentence_split": WORDS, "substitutes": [[[1, 2], {"hound": 2, "cat": 1}, 1], [[2, 3], {"met": 2}, 1]]}}
LONG = "dog and the cat who had barked at Mary"
TARGETS = [[["dog", 1, 2], ["hound", LONG]], [["saw", 2, 3], ["met", "noticed"]]]
MADE = {"s": {"input_words": WORDS, "substitute_topk": TARGETS}}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("screened")
    written(folder / "gold.json", GOLD)
    written(folder / "made.json", MADE)
    written(folder / "prolex.csv", PROLEX)
    written(folder / "prolex.oot", "cause.V 0 ::: produce;like\n")
    targets = {"t": ("quick", "ADJ", {"fast": ["TRUE", "TRUE"], "slow": ["FALSE"]})}
    written(folder / "swords.json", swords_data("A quick car.", targets))
    written(folder / "ranked.json", {"t": [["fast", 3], ["slow", 2], ["rapid", 1]]})
    return folder


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``--screen`` judge without a model, with an opinion of a few suggestions."""
    screen = Told({LONG: 0.2, "slow": 0.1, "like": 0.6})
    monkeypatch.setattr("usim.cli.options.make_screen", lambda **settings: screen)


@pytest.mark.model
def test_from_the_command_line(files: Path) -> None:
    options = ["--screen", "--judge", "usim", "--drop", "0.9", "--keep", "0.95"]
    done = usim_here("sws", files / "gold.json", files / "made.json", *options)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1].split() == ["figure", "before", "after", "change"]
    assert next(line for line in lines if line.startswith("wrong ")).split()[2] == "1"
    assert next(line for line in lines if line.startswith("acceptable ")).split()[2] == "0"
    assert "judge=usim,keep=0.95,drop=0.9" in lines[-1]


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    ("command", "gold", "made", "figure"),
    [
        ("sws", "gold.json", "made.json", "p_e2e"),
        ("prolex", "prolex.csv", "prolex.oot", "hard_acceptable_p@10"),
        ("swords", "swords.json", "ranked.json", "lenient_a_p@10"),
    ],
)
def test_json_of_each_benchmark(files: Path, command: str, gold: str, made: str, figure: str) -> None:
    arguments = [command, files / gold, files / made, "--screen"]
    found = json.loads(usim_here(*arguments, "--format", "json").stdout)
    assert found["benchmark"] == command
    assert figure in {row["figure"] for row in found["figures"]}
    counts = {row["gold"]: row["all"] for row in found["suggestions"]}
    assert counts["acceptable"] == (2 if command == "sws" else 1)
    assert sum(row["suggestions"] for row in found["verdicts"]) == sum(counts[label] for label in LABELS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--drop", "0.5"], "add --screen"),
        (["--screen", "--judge", "nobody"], "no such judge"),
        (["--screen", "--judge", "usim", "--keep", "0.2", "--drop", "0.4"], "drop 0.4 is above keep 0.2"),
    ],
)
def test_options_that_do_not_fit(files: Path, arguments: list[str], message: str) -> None:
    done = usim_here("sws", files / "gold.json", files / "made.json", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
