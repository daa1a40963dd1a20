"""Levels of words and phrases."""

import pytest

from experiments.common.levels import LEVELS, Levels, load_levels

LISTED: dict[str, dict[str | None, int]] = {
    "big": {None: 1}, "huge": {None: 4}, "run": {"VERB": 1, "NOUN": 3}, "rely on": {"VERB": 3}, "count": {None: 2},
    "on": {None: 1}, "trust": {None: 4},
}  # fmt: skip
LIST = Levels("mine", lambda text: LISTED.get(text, {}))


@pytest.mark.parametrize(
    ("text", "pos", "level"),
    [
        ("Big", None, 1),
        ("running", "VERB", 1),
        ("runs", "NOUN", 3),
        ("runs", "ADJ", 1),
        ("rely  on", None, 3),
        ("count on", None, 2),
        ("odd thing", None, None),
    ],
)
def test_level_of_a_word_or_phrase(text: str, pos: str | None, level: int | None) -> None:
    assert LIST.level(text, pos) == level


@pytest.mark.parametrize(
    ("one", "other", "is_easier"),
    [
        ("huge", "big", True), ("big", "huge", False), ("huge", "huge", False), ("huge", "odd", False), ("odd", "big", False),
        ("trust", "rely on", True), ("trust", "count on", False),  # a phrase is easier only if it is listed
    ],
)  # fmt: skip
def test_easier_is_a_lower_level_where_both_are_known(one: str, other: str, is_easier: bool) -> None:
    assert LIST.is_easier(one, other) is is_easier


def test_levels_of_the_package_by_part_of_speech() -> None:
    levels = load_levels()
    assert levels.name == "cefrpy"
    assert {levels.level(word) for word in ("good", "big", "houses")} == {1}
    substantiate = levels.level("substantiate", "VERB")
    assert substantiate is not None
    assert LEVELS[substantiate - 1] in {"C1", "C2"}
    assert levels.is_easier("substantiate", "back")
    assert levels.level("qwertyish") is None
