"""Matches of a checker in LanguageTool's form, and their replacements screened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from usim.screen import Screened
from usim.suggestions import Edit, Suggestion

#: A match as LanguageTool's protocol has it, with offsets in UTF-16 units.
Match = dict[str, Any]


class Offsets:
    """Offsets in a text, from UTF-16 units, which LanguageTool counts in, to characters and back.

    >>> offsets = Offsets("a 😀 b")
    >>> offsets.to_characters(4), offsets.to_units(3)
    (3, 4)
    """

    def __init__(self, text: str) -> None:
        self._units = [0]
        for character in text:
            self._units.append(self._units[-1] + (2 if character > "\uffff" else 1))
        self._characters = {unit: place for place, unit in enumerate(self._units)}

    def to_units(self, place: int) -> int:
        """Return the offset in UTF-16 units of a character."""
        return self._units[place]

    def to_characters(self, unit: int) -> int | None:
        """Return the character at an offset in UTF-16 units; None within a character or outside of the text."""
        return self._characters.get(unit)


def proposals(text: str, matches: Sequence[Match], most: int) -> tuple[list[Suggestion], list[list[int]]]:
    """Return what is to be screened: the first ``most`` replacements of each match that fits its text.

    Returns:
        the suggestions, and for each match the places of its replacements among them.
    """
    offsets = Offsets(text)
    suggestions: list[Suggestion] = []
    places: list[list[int]] = []
    for match in matches:
        start, end = (offsets.to_characters(match["offset"] + n) for n in (0, match["length"]))
        values = [each["value"] for each in match["replacements"][:most]]
        if start is None or end is None or end < start:
            values = []
        else:  # as they are: an editor puts in nothing else
            suggestions += [Suggestion(value, (start, end), (Edit(start, end, value),)) for value in values]
        places.append(list(range(len(suggestions) - len(values), len(suggestions))))
    return suggestions, places


def screened_matches(
    matches: Sequence[Match], places: Sequence[list[int]], screened: Sequence[Screened]
) -> list[Match]:
    """Return matches with their replacements screened.

    Replacements to drop are taken out, the others ordered by faithfulness, the highest first. Each has
    ``faithfulness``, ``verdict`` and ``reasons``; those taken out stand in the match's member ``usim``. A match stays
    even if all of its replacements go.
    """
    answers = []
    for match, of_match in zip(matches, places, strict=True):
        replacements = match["replacements"]
        judged = [{**replacements[k], **_figures(screened[place])} for k, place in enumerate(of_match)]
        judged.sort(key=lambda each: -each["faithfulness"])
        kept = [each for each in judged if each["verdict"] != "drop"]
        dropped = [each for each in judged if each["verdict"] == "drop"]
        about = {"dropped": dropped, "notScreened": len(replacements) - len(judged)}
        answers.append({**match, "replacements": kept, "usim": about})
    return answers


def _figures(screened: Screened) -> dict[str, Any]:
    values = screened.to_dict()
    return {name: values[name] for name in ("faithfulness", "verdict", "reasons")}
