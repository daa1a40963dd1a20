"""Suggestions that are easier than their targets."""

from __future__ import annotations

from usim.lexicon import ListedLevels
from usim.proficiency import not_easier
from usim.screen import Screened
from usim.suggestions import Part, Record, Suggestion

LEVELS = ListedLevels({("big", None): 1, ("huge", None): 4, ("vast", None): 5}, "mine")
TEXT = "A huge house."


def screened(suggestion: Suggestion) -> Screened:
    return Screened(suggestion.substitute, TEXT, 0.9, "keep", (), 1.0, TEXT, TEXT)


def record(*suggestions: Suggestion) -> Record:
    return Record(1, 1, TEXT, suggestions, "", lambda dropped: "")


def test_easier_ones_are_dropped_and_all_have_their_levels() -> None:
    suggestions = [Suggestion(word, (2, 6), about={"score": 1}) for word in ("big", "vast", "odd")]
    part = record(*suggestions)
    ((rated, verdicts),) = not_easier([(part, [screened(s) for s in suggestions])], LEVELS)
    assert [one.verdict for one in verdicts] == ["drop", "keep", "keep"]
    assert isinstance(rated, Record)
    assert [s.about for s in rated.suggestions] == [
        {"score": 1, "target_level": "B2", "level": "A1", "easier": True},
        {"score": 1, "target_level": "B2", "level": "C1", "easier": False},
        {"score": 1, "target_level": "B2", "level": None, "easier": False},
    ]


def test_corrections_and_deletions_stay() -> None:
    suggestions = (Suggestion("A big house."), Suggestion("", (2, 6)))
    parts: list[tuple[Part, list[Screened]]] = [
        (record(*suggestions), [screened(s) for s in suggestions]),
        ("\n", []),
    ]
    assert [[one.verdict for one in verdicts] for _, verdicts in not_easier(parts, LEVELS)] == [["keep", "keep"], []]
