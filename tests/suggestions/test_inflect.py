"""Lemmas put into the form of their targets."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.errors import SuggestionError, UsimError
from usim.suggestions import Inflector, put


@pytest.fixture(scope="module")
def inflect() -> Inflector:
    return Inflector()


def place(sentence: str) -> tuple[str, int, int]:
    before, target, after = sentence.split("|")
    return before + target + after, len(before), len(before) + len(target)


@pytest.mark.parametrize(
    ("sentence", "pairs"),
    [
        (
            "She |walked| home.",
            "stroll strolled; go went; be was; give up gave up; make one's way made one's way; run off ran off",
        ),
        ("They |walked| home.", "be were; quickly run quickly ran; jog-trot jogged-trot"),
        ("The birds |existed|.", "be were"),
        ("He has |walked| home.", "go gone; run run"),
        ("It was |found| by him.", "see seen; spot spotted"),
        ("a critically |acclaimed| film", "choose chosen"),
        ("She |runs| daily.", "jog jogs; have has; be is; go goes"),
        ("two |walks| a day", "stroll strolls; child children; police officer police officers; cup of tea cups of tea"),
        ("two |women|", "mother-in-law mothers-in-law; sheep sheep; boss bosses; co-worker co-workers"),
        ("|Writing| is fun.", "compose composing; draw up drawing up; lie lying"),
        ("I |am| here.", "stay stay; be am"),
        ("We |are| here.", "stay stay; be are"),
        ("He |is| here.", "stay stays"),
        ("They want to |go|.", "leave leave; be off be off"),
        ("I do n't |know|.", "understand understand"),
        ("a |better| idea", "fine finer; intelligent more intelligent; bad worse"),
        ("the |fastest| car", "quick quickest; beautiful most beautiful; good best"),
        ("He works |more quickly|.", "fast faster; rapidly more rapidly"),
        ("She |took part| in it.", "join joined; participate participated"),
        ("The |old men| left.", "pensioner pensioners"),
        ("Many |people| came.", "person people; child children"),
        ("It is |important|.", "crucial crucial"),
        ("She |walked| home.", "zorp zorped; hopped hopped; 42 42; found found"),
        ("|Paris| is nice.", "London London"),
        ("she was |tired|", "weary weary; exhaust exhausted"),
        ("She |saw| it.", "watch watched"),
        ("with a |saw|", "hammer hammer"),
        ("She |put| it there.", "place placed; set set"),
        ("to |put| it there", "lay lay"),
    ],
)
def test_forms(inflect: Inflector, sentence: str, pairs: str) -> None:
    text, start, end = place(sentence)
    for pair in pairs.split("; "):
        words = pair.split()
        # A lemma and its form have as many words, but for comparatives with more and most.
        size = len(words) // 2
        lemma, form = " ".join(words[:size]), " ".join(words[size:])
        assert inflect(lemma, text, start, end) == form


def test_the_part_of_speech_decides(inflect: Inflector) -> None:
    text, start, end = place("her |walks|")
    assert inflect("run", text, start, end, "VERB") == "runs"
    assert inflect("child", text, start, end, "NOUN") == "children"
    assert inflect.tags(text, start, end, "VERB") == ["VBZ"]
    # One that does not fit is given up.
    assert inflect("exhaust", *place("she was |tired|"), "ADJ") == "exhausted"


def test_case_is_left_to_the_sentence(inflect: Inflector) -> None:
    text, start, end = place("|Walking| home, she sang.")
    assert put(text, start, end, inflect("stroll", text, start, end)).text == "Strolling home, she sang."
    assert inflect("Google", *place("She |searched| it.")) == "Googled"


def test_nothing_to_go_by(inflect: Inflector) -> None:
    assert inflect("x", "a  b", 1, 3) == "x"
    assert inflect("", "walked", 0, 6) == ""
    with pytest.raises(SuggestionError):
        inflect("go", "walked", 0, 9)


@given(
    st.sampled_from(["She walked home", "two old women", "a better idea", "it is being sung", "..."]),
    st.text(max_size=12),
)
def test_any_substitute_is_taken(text: str, substitute: str) -> None:
    inflector = Inflector()
    start = text.find(" ") + 1
    end = max(start, text.rfind(" "))
    assert isinstance(inflector(substitute, text, start, end), str)


def test_its_name_and_what_to_install(inflect: Inflector, monkeypatch: pytest.MonkeyPatch) -> None:
    assert inflect.name.startswith("lemminflect-0.")
    monkeypatch.setitem(sys.modules, "lemminflect", None)
    with pytest.raises(UsimError, match=r"pip install lemminflect"):
        Inflector()
