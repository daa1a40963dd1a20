"""Corrections: edits, distances, trees, the model that ships, and the judge that asks it."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from judges.corrections.tables import known_misspellings
from tests.tables import cases
from usim import Scorer, Screen
from usim.errors import ParsingError
from usim.evidence import KINDS
from usim.evidence._finders.finding import FEATURE_KINDS
from usim.judge import Judgement, load_judge
from usim.judge.corrected import KIND, WithCorrections
from usim.judge.trained import SHIPPED
from usim.spelling import CorrectionModel, Corrections
from usim.spelling.edits import WordEdit, find_edits, written_words
from usim.spelling.features import NAMES
from usim.spelling.model import read_misspellings
from usim.spelling.spelling import DISTANCES, distances, sound
from usim.spelling.trees import Trees
from usim.spelling.words import UNKNOWN, WordTable, write_table

MODEL = SHIPPED / "corrections"


@pytest.fixture(scope="module")
def model() -> CorrectionModel:
    return CorrectionModel(MODEL)


def judged(scorer: Scorer, source: str, output: str) -> Judgement:
    return scorer.score(source, output).judgement


@pytest.mark.parametrize(
    ("written", "offered", "expected"),
    [
        ("earlyer", ["early", "earner", "earlier"], ["earlier", "earner"]),
        ("happyest", ["happier", "happiness"], ["happiest", "happiness"]),
        ("largeer", ["large", "large's", "largest", "ledger"], ["larger", "ledger"]),
        ("simplier", ["simple", "supplier"], ["simpler", "supplier"]),
        ("bigest", ["big", "best"], ["biggest", "best"]),
        ("deepper", ["deep", "dipper"], ["deeper", "dipper"]),
        # A word as it should be, and what is no comparative or may be another word.
        ("earlier", ["early"], ["early"]),
        ("teecher", ["teach", "teacher"], ["teach", "teacher"]),
        ("lazer", ["lazy", "laser"], ["lazy", "laser"]),
        ("wormer", ["worm", "warmer"], ["worm", "warmer"]),
    ],
)
def test_a_misspelt_comparative_keeps_its_degree(
    model: CorrectionModel, written: str, offered: list[str], expected: list[str]
) -> None:
    assert model.in_degree(written, offered) == expected


# -- edits -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "output", "edits"),
    [
        ("I see it", "I see it", []),
        ("I See it", "i see it", []),
        ("my freind left", "my friend left", [("freind", "friend")]),
        ("we saw alot there", "we saw a lot there", [("alot", "a lot")]),
        ("two badd werds", "two bad words", [("badd", "bad"), ("werds", "words")]),
        ("go to to bed", "go to bed", [("to", "")]),
        # Punctuation is no part of a word, nor a change of one.
        ("Unfortunatly it rained .", "Unfortunately , it rained .", [("Unfortunatly", "Unfortunately")]),
        ("an openminded man", "an open - minded man", [("openminded", "open - minded")]),
        ("Yes it did", "Yes , it did !", []),
        # Edits near each other are told apart.
        ("I seen alot", "I saw a lot", [("seen", "saw"), ("alot", "a lot")]),
        ("they has there freinds", "they have their friends",
         [("has", "have"), ("there", "their"), ("freinds", "friends")]),
        ("equall men", "equally all men", [("equall", "equally"), ("", "all")]),
    ],
)  # fmt: skip
def test_edits(source: str, output: str, edits: list[tuple[str, str]]) -> None:
    a, b = source.split(), output.split()
    found = [(" ".join(a[i:j]), " ".join(b[k:m])) for (i, j), (k, m) in find_edits(a, b)]
    assert found == edits


def test_clitics_belong_to_their_words() -> None:
    words = written_words(["They", "ca", "n't", "see", "Ann", "'s", "dog"])
    assert [(w.text, w.start, w.end) for w in words] == [
        ("They", 0, 1), ("can't", 1, 3), ("see", 3, 4), ("Ann's", 4, 6), ("dog", 6, 7)
    ]  # fmt: skip


# -- spelling ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [("fone", "phone"), ("recieve", "receive"), ("nowledge", "knowledge"), ("beleive", "believe"), ("rite", "write")],
)
def test_what_sounds_alike(one: str, other: str) -> None:
    assert sound(one) == sound(other)


def test_distances_have_names() -> None:
    assert len(set(NAMES)) == len(NAMES)
    values = dict(zip(DISTANCES, distances("frind", "friend"), strict=True))
    assert values["osa"] == 1
    assert values["lost vowels"] == 1
    assert values["same first"] == values["same last"] == 1
    assert dict(zip(DISTANCES, distances("hte", "the"), strict=True))["same letters"] == 1


# -- tables and trees --------------------------------------------------------------------------------------------------


def test_a_table_of_words_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = {"cat": (100, 1, 7), "cats": (90, 2, 8), "catalogue": (80, 5, 9), "zoë": (10, 2048, 3)}
    write_table(tmp_path / "words.npz", entries)
    table = WordTable(tmp_path / "words.npz")
    assert table.above(0) == sorted(entries)
    assert table["cats"] == (90 / 25, 2, 8)
    assert table["cat's"] == table["cat"]
    assert table["catz"] is UNKNOWN
    (tmp_path / "words.npz").write_bytes(b"no table")
    with pytest.raises(ParsingError, match=r"words\.npz"):
        WordTable(tmp_path / "words.npz")


def test_trees() -> None:
    # x0 <= 1 → -1; otherwise x1 <= 2 → 3, else 5; and a tree that is a leaf.
    inf = np.inf
    trees = Trees(
        np.array([0, 0, 1, 0, 0, 0], np.int16), np.array([1, inf, 2, inf, inf, inf], np.float32),
        np.array([1, 1, 3, 3, 4, 5], np.int32), np.array([2, 1, 4, 3, 4, 5], np.int32),
        np.array([0, -1, 0, 3, 5, 0.5], np.float32), np.array([0, 5], np.int32), 2, 0.25,
    )  # fmt: skip
    said = trees(np.array([[1, 9], [2, 2], [2, 3]], np.float32)).tolist()
    assert said == [-0.25, 3.75, 5.75]


# -- the model ---------------------------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.parametrize(("source", "output", "expected"), cases(__file__, "corrections.tsv"))
def test_the_word_that_was_meant(model: CorrectionModel, source: str, output: str, expected: str) -> None:
    corrected = model(source.split(), output.split()).corrected
    if expected == "-":
        assert not corrected
        return
    (one,) = corrected
    bounds = {"right": (0.5, 1), "wrong": (0, 0.5), "very wrong": (0, 0.3)}
    assert bounds[expected][0] < one.probability < bounds[expected][1]
    assert one.source == one.output
    assert source.split()[one.source[0]] == one.old


@pytest.mark.model
def test_the_words_around_are_read_as_they_are_after_all_changes(model: CorrectionModel) -> None:
    output, edit = "My friend happened to know it".split(), WordEdit((1, 2), (1, 2))
    both, one = "My freind hapenned to know it".split(), "My freind happened to know it".split()
    assert model.probability(both, output, edit, 2) == model.probability(one, output, edit, 2)


@pytest.mark.model
def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    shutil.copytree(MODEL, tmp_path / "model")
    (tmp_path / "model/trees.npz").write_bytes(b"")
    with pytest.raises(ParsingError, match=r"trees\.npz"):
        CorrectionModel(tmp_path / "model")(["a", "freind"], ["a", "friend"])
    (tmp_path / "model/settings.json").write_text("{}")
    with pytest.raises(ParsingError, match="no usable model of corrections"):
        CorrectionModel(tmp_path / "model")


# -- the judge ---------------------------------------------------------------------------------------------------------


@pytest.mark.model
def test_findings_of_judges_are_given_as_documented(scorer: Scorer) -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "findings.md").read_text("utf-8")
    for kind in KINDS.keys() - FEATURE_KINDS:
        if kind == "unsaid":  # by given logits, see tests/judge/test_reader.py
            continue
        (row,) = (line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(f"| `{kind}` |"))
        judgement = judged(scorer, row[2], row[3])
        assert kind in {finding.kind for finding in judgement.findings}
        assert judgement.verdict != "keep"


@pytest.mark.model
def test_a_wrong_correction_has_its_finding(scorer: Scorer) -> None:
    right = judged(scorer, "My best freind lives here.", "My best friend lives here.")
    wrong = judged(scorer, "My best freind lives here.", "My best fiend lives here.")
    assert right.faithfulness > 0.5 > wrong.faithfulness
    assert not right.findings
    (finding,) = [r for r in wrong.findings if r.kind == KIND]
    assert finding.text == "“freind” became “fiend”, but probably “friend” was meant"
    assert finding.source == finding.output == (2,)
    assert wrong.verdict != "keep"
    # Other changes are judged as well.
    other = judged(scorer, "My best freind lives here.", "My worst friend lives here.")
    assert other.faithfulness < right.faithfulness
    assert {finding.kind for finding in other.findings} & {"opposite", "unrelated", "sense"}


@pytest.mark.model
def test_several_corrections_are_right_together_and_one_wrong_one_decides(
    scorer: Scorer, model: CorrectionModel
) -> None:
    source, output = "My freind will recieve it .", "My friend will receive it ."
    probabilities = [one.probability for one in model(source.split(), output.split()).corrected]
    assert len(probabilities) == 2
    all_right, one_wrong = judged(scorer, source, output), judged(scorer, source, "My fiend will receive it .")
    assert all_right.faithfulness == pytest.approx(min(probabilities), abs=1e-5)
    assert all_right.verdict == "keep"
    assert all_right.faithfulness > 0.5 > one_wrong.faithfulness
    assert KIND in [finding.kind for finding in one_wrong.findings]


@pytest.mark.model
@pytest.mark.parametrize(("source", "output", "expected"), cases(__file__, "pairs.tsv"))
def test_the_word_is_compared(scorer: Scorer, source: str, output: str, expected: str) -> None:
    assert judged(scorer, source, output).verdict in expected.split()


@pytest.mark.model
def test_only_a_better_word_lets_a_correction_be_dropped() -> None:
    class Doubtful(CorrectionModel):
        better = ""

        def __call__(self, source: Sequence[str], output: Sequence[str]) -> Corrections:
            corrected, is_all = super().__call__(source, output)
            return Corrections(
                tuple(c._replace(probability=0.01, better=self.better, is_known=False) for c in corrected), is_all
            )

    doubtful = Doubtful(MODEL)
    scorer = Scorer(judge=WithCorrections(load_judge("en")._judge, doubtful))  # type: ignore[attr-defined]
    for better, verdict, text in (
        ("", "review", "“freind” became “fiend”, which may not be the word that was meant"),
        ("friend", "drop", "“freind” became “fiend”, but probably “friend” was meant"),
    ):
        doubtful.better = better
        judgement = judged(scorer, "My freind lives here.", "My fiend lives here.")
        assert (judgement.verdict, [finding.text for finding in judgement.findings]) == (verdict, [text])


@pytest.mark.model
@pytest.mark.parametrize(
    ("output", "is_exchanged"),
    [
        ("He put on his shirt.", True),
        ("He put on his jacket.", False),
        ("He put on his jackets.", False),
        ("He put on his coat.", False),  # a more general word may stand for it in a free correction
    ],
)
def test_a_misspelling_that_gave_way_to_quite_another_word_is_certain(
    scorer: Scorer, output: str, *, is_exchanged: bool
) -> None:
    told = [finding.text for finding in judged(scorer, "He put on his jaket.", output).findings if finding.is_certain]
    assert told == ["“jaket” became “shirt”, but probably “jacket” was meant"] * is_exchanged


@pytest.mark.model
@pytest.mark.parametrize(
    ("source", "output", "known"),
    [
        ("The weather was definatly bad.", "The weather was defiantly bad.", "definitely"),
        ("We are in carreer planing.", "We are in carrier planning.", "career"),
        ("We met yesterday evning.", "We met yesterday evening.", ""),
        ("He recieves it.", "He received it.", ""),  # another form of what is meant
        ("I lost my jaket.", "I lost my coat.", ""),  # a more general word
        ("It efects me.", "It affects me.", ""),  # writers take the one for the other
        ("Thier car is here.", "The car is here.", ""),
    ],
)
def test_another_word_than_a_misspelling_is_known_to_stand_for_is_never_kept(
    scorer: Scorer, source: str, output: str, known: str
) -> None:
    judgement = judged(scorer, source, output)
    certain = [finding.text for finding in judgement.findings if finding.kind == KIND and finding.is_certain]
    assert len(certain) == bool(known)
    assert all(f"but probably “{known}” was meant" in text for text in certain)
    assert not certain or judgement.verdict != "keep"


@pytest.mark.model
def test_a_word_near_what_is_known_to_be_meant_is_in_doubt(scorer: Scorer) -> None:
    judgement = judged(scorer, "I recieved your mesage yesterday.", "I received your massage yesterday.")
    (doubt,) = [finding for finding in judgement.findings if finding.kind == KIND]
    assert (doubt.is_certain, judgement.verdict) == (False, "review")
    assert doubt.text == "“mesage” became “massage”, but probably “message” was meant"


def test_misspellings_are_read_with_what_they_stand_for(model: CorrectionModel) -> None:
    pairs = {"receive": ("recieve", "recive"), "form": ("from",), "a lot": ("alot",), "no-word": ("noword",)}
    letters = known_misspellings(model.words, pairs)
    assert read_misspellings(letters) == {"recieve": "receive", "recive": "receive"}


@pytest.mark.model
def test_the_screen_asks_it_and_usim_alone_does_not() -> None:
    text = "I like it. My best freind lives here."
    start = text.index("freind")
    friend, fiend = Screen().screen(text, start, start + 6, ["friend", "fiend"])
    assert friend.faithfulness > fiend.faithfulness
    assert [finding.kind for finding in fiend.findings] == [KIND]
    assert load_judge("usim").name == "usim"
    assert "+corrections" in load_judge("en").name
