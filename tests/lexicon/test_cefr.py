"""Levels of words and phrases, of a package or of a list."""

import sys
from pathlib import Path

import pytest

from usim.errors import FormatError, InputError
from usim.lexicon import LEVELS, load_levels
from usim.lexicon._cefr import listed_levels, read_levels

LIST = listed_levels(
    {
        ("big", None): 1,
        ("huge", None): 4,
        ("run", "VERB"): 1,
        ("run", "NOUN"): 3,
        ("rely on", "VERB"): 3,
        ("count", None): 2,
        ("on", None): 1,
        ("trust", None): 4,
    },
    "mine",
)


class TestLevels:
    @pytest.mark.parametrize(
        ("text", "pos", "level"),
        [
            ("Big", None, 1),
            ("running", "VERB", 1),
            ("runs", "NOUN", 3),
            ("runs", None, 1),
            ("runs", "ADJ", 1),
            ("rely  on", None, 3),
            ("count on", None, 2),
            ("odd", None, None),
            ("odd thing", None, None),
        ],
    )
    def test_of_a_word_or_phrase(self, text: str, pos: str | None, level: int | None) -> None:
        assert LIST.level(text, pos) == level

    @pytest.mark.parametrize(
        ("one", "other", "is_easier"),
        [
            ("huge", "big", True), ("big", "huge", False), ("huge", "huge", False), ("huge", "odd", False), ("odd", "big", False),
            ("trust", "rely on", True), ("trust", "count on", False),  # a phrase is easier only if it is listed
        ],
    )  # fmt: skip
    def test_easier_is_a_lower_level_where_both_are_known(self, one: str, other: str, is_easier: bool) -> None:
        assert LIST.is_easier(one, other) is is_easier


class TestFiles:
    @pytest.mark.parametrize(
        "content",
        [
            "big,A1\nhuge,b2\nrun,B1,noun\nrun,A1,v.\nrely on,B1\n",
            "huge\tB2\nbig\tA1\nbig\tC1\nrun\tB1\tnoun\nrun\tA1\tv\nrely on\tB1\n",
            "headword,pos,CEFR\nbig,,A1\nhuge,adjective,B2\nrun,noun,B1\nrun,verb,A1\nrely on,verb,B1\n",
        ],
        ids=["csv", "tabs", "header"],
    )
    def test_forms(self, tmp_path: Path, content: str) -> None:
        path = tmp_path / "levels.csv"
        path.write_text(content, encoding="utf-8")
        levels = load_levels(str(path))
        assert [levels.level(word) for word in ("big", "huge", "rely on")] == [1, 4, 3]
        assert [levels.level("run", pos) for pos in ("NOUN", "VERB", None)] == [3, 1, 1]
        assert levels.name == "levels.csv"

    @pytest.mark.parametrize(
        ("content", "message"),
        [*((f"{text}\n", f"levels.csv.*{n}.*a word and its level") for text, n in (("big,A1\nhuge", 2), ("big,A7", 1), (",A1", 1))),
         ("", "no level")],
    )  # fmt: skip
    def test_what_has_no_level(self, tmp_path: Path, content: str, message: str) -> None:
        path = tmp_path / "levels.csv"
        path.write_text(content, encoding="utf-8")
        with pytest.raises((FormatError, InputError), match=message):
            read_levels(path)


class TestPackage:
    def test_levels_by_part_of_speech(self) -> None:
        levels = load_levels()
        assert levels.name == "cefrpy"
        assert {levels.level(word) for word in ("good", "big", "houses")} == {1}
        substantiate = levels.level("substantiate", "VERB")
        assert substantiate is not None
        assert LEVELS[substantiate - 1] in {"C1", "C2"}
        assert levels.is_easier("substantiate", "back")
        assert levels.level("qwertyish") is None

    def test_without_the_package_there_is_advice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        load_levels.cache_clear()
        monkeypatch.setitem(sys.modules, "cefrpy", None)
        with pytest.raises(InputError, match="pip install cefrpy"):
            load_levels()
