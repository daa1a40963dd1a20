"""The screen for writers who want to learn: what is easier than the word that it replaces is dropped.

ProLex asks of a substitute not only that it keeps the meaning but also that it is at least as proficient as its target
(Zhang et al. 2024). The levels are those of :func:`usim.lexicon.load_levels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from usim.lexicon import LEVELS, Levels
from usim.records import Part, Record
from usim.screen import Screened
from usim.suggestions import Suggestion


def not_easier(parts: Iterable[tuple[Part, list[Screened]]], levels: Levels) -> Iterator[tuple[Part, list[Screened]]]:
    """Give the verdict ``drop`` to suggestions that are easier than their targets, and name the levels of all.

    Args:
        parts: of a file, with what is to be done with their suggestions; of
            :meth:`usim.screen.Screen.screen_records`.
        levels: of words and phrases.

    Returns:
        the same. Suggestions for a span have three more fields: ``target_level`` and ``level`` (``A1`` … ``C2``, or
        None where a level is not known), and ``easier``. Whole corrections and deletions stay as they are.
    """
    for part, screened in parts:
        if not isinstance(part, Record):
            yield part, screened
            continue
        rated = [_rate(part.text, suggestion, levels) for suggestion in part.suggestions]
        verdicts = [
            replace(result, verdict="drop") if suggestion.about.get("easier") is True else result
            for result, suggestion in zip(screened, rated, strict=True)
        ]
        yield replace(part, suggestions=tuple(rated)), verdicts


def _rate(text: str, suggestion: Suggestion, levels: Levels) -> Suggestion:
    if suggestion.span is None or suggestion.edits is not None or not suggestion.substitute.strip():
        return suggestion
    target = text[slice(*suggestion.span)]
    pos = suggestion.about.get("pos")
    pos = pos if isinstance(pos, str) else None
    rated: dict[str, Any] = {
        "target_level": _name(levels.level(target, pos)),
        "level": _name(levels.level(suggestion.substitute, pos)),
        "easier": levels.is_easier(target, suggestion.substitute, pos),
    }
    return replace(suggestion, about={**suggestion.about, **rated})


def _name(level: int | None) -> str | None:
    return None if level is None else LEVELS[level - 1]


__all__ = ["not_easier"]
