"""Wordings that mean the same, and similar wordings that do not; the tables are in ``contrasts.txt``.

A line has a frame with a gap (``{}``) and what may fill it. Without a frame, what fills it stands in one of the frames
of the section (``[frames.…]``), or at the end of sentences from the corpora (in ``[tails.…]``, if there are any).
What stands before ``~`` says the same, what stands behind it something else. A place such as ``{person}`` or
``{city2}`` is filled from the lexicon of the templates.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from judges.pairs.registry import Pair, Sources, maker
from judges.pairs.templates.lexicon import Draw, sentence
from training.tables import Table

_TABLE = Table(Path(__file__).with_suffix(".txt"))
SECTIONS = tuple(section for section in _TABLE if not section.startswith(("frames.", "tails.")))
#: The labels of what says the same and of what does not; people differ more about some sections.
_LABELS = {"register": (0.92, 0.06), "hedge": (0.91, 0.1), "emoji": (0.9, 0.15), "idiom": (0.91, 0.05),
           "ellipsis": (0.93, 0.07), "fewness": (0.93, 0.08), "degree": (0.93, 0.07)}  # fmt: skip
_WEIGHTS = {"place": 1.2, "agent": 1.0, "claim": 1.3, "idiom": 1.3, "register": 1.2, "number-form": 1.2,
            "calendar": 1.2}  # fmt: skip


def carriers(
    frames: Sequence[str], tails: Sequence[str], sources: Sources, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield texts with a gap ``{}``, and their groups: frames, and sentences with one of the tails."""
    plain = [s for s in sources.sentences if s.text.endswith(".") and 4 <= len(s) <= 24 and "{" not in s.text]
    while plain or frames:
        if plain and (not frames or rng.random() < 0.55):
            chosen = rng.choice(plain)
            (tail,) = Draw(rng).fill(rng.choice(tails))
            yield f"{chosen.text[:-1]} {tail}", chosen.group
        else:
            (frame,) = Draw(rng).fill(rng.choice(frames))
            yield frame, f"frame: {frame}"


def put_in(carrier: str, words: str) -> str:
    """Return the sentence of a text with words in its gap.

    >>> put_in("the train left {}", "at 5 p.m."), put_in("It rained {}", ", then")
    ('The train left at 5 p.m.', 'It rained, then.')
    """
    return sentence(carrier.replace("{}", words).replace(" ,", ",").replace(" ;", ";"))


def _pairs(section: str, faithful: bool, name: str, sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Fill a frame, or end a sentence, in two ways that say the same, or do not."""
    label = _LABELS.get(section, (0.94, 0.05))[0 if faithful else 1]
    entries = [entry for entry in _TABLE.contrasts(section) if len(entry[1]) > 1 or not faithful]
    frames, tails = (
        _TABLE.texts(f"{part}.{section}") if f"{part}.{section}" in _TABLE else default
        for part, default in (("frames", []), ("tails", ["{}"]))
    )
    carried = carriers(frames, tails, sources, rng)
    for _ in range(100_000):
        context, like, unlike = rng.choice(entries)
        words = rng.sample(like, 2) if faithful else (rng.choice(like), rng.choice(unlike))
        carrier, group = context, f"{section}: {context}"
        if not context or context.startswith(","):  # for the end of a sentence
            carrier, group = next(carried, ("", ""))
            carrier = carrier.replace("{}", context or "{}")
        if carrier:
            texts = Draw(rng).fill(*(put_in(carrier, word) for word in words))
            yield Pair(*rng.sample([sentence(text) for text in texts], 2), label, name, group)


for _section in SECTIONS:
    for _name, _faithful in ((f"{_section}.same", True), (f"{_section}.other", False)):
        _make = partial(_pairs, _section, _faithful, _name)
        maker(_name, faithful=_faithful, weight=_WEIGHTS.get(_section, 0.8))(_make)
