"""Lemmas put into the form of their targets."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import cases
from usim.errors import SuggestionError, UsimError
from usim.suggestions import Inflector, put


@pytest.fixture(scope="module")
def inflect() -> Inflector:
    return Inflector()


def place(sentence: str) -> tuple[str, int, int]:
    before, target, after = sentence.split("|")
    return before + target + after, len(before), len(before) + len(target)


@pytest.mark.parametrize(("sentence", "lemma", "form"), cases(__file__, "forms.tsv"))
def test_forms(inflect: Inflector, sentence: str, lemma: str, form: str) -> None:
    assert inflect(lemma, *place(sentence)) == form


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
