"""The contexts of SWORDS (Lee et al. 2021): what text and place a target id stands for."""

from __future__ import annotations

from typing import NamedTuple

from usim.text import Path, fail, member, read_json


class Target(NamedTuple):
    """A target in its context: the text, its place in characters, its universal part of speech."""

    text: str
    start: int
    end: int
    pos: str | None


def read_targets(path: Path) -> dict[str, Target]:
    """Read the targets of a data set in the SWORDS format (``contexts`` and ``targets``), packed or not.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_json(path)
    contexts = member(data, "contexts", path, "the whole file", dict)
    in_context: dict[str, Target] = {}
    for name, target in member(data, "targets", path, "the whole file", dict).items():
        context = contexts.get(member(target, "context_id", path, name, str))
        if context is None:
            fail("its context is not among the contexts", path, name)
        text = member(context, "context", path, name, str)
        word, start = member(target, "target", path, name, str), member(target, "offset", path, name, int)
        if start < 0 or text[start : start + len(word)] != word:
            fail(f"the target is not at offset {start} of its context", path, name, word)
        pos = target.get("pos")
        in_context[name] = Target(text, start, start + len(word), pos if isinstance(pos, str) else None)
    return in_context
