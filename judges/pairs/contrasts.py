"""Wordings that say the same beside wordings that only look as if they did; the tables are in ``contrasts.txt``.

A line of the table has a frame with a gap (``{}``) and what may fill it, or, without a frame, tails that are put at the
end of sentences from the corpora. What stands before ``~`` says the same, what stands behind it something else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from judges.pairs.pair import Pair
from judges.pairs.registry import maker
from judges.pairs.sources import Sources
from judges.pairs.tables import Table
from judges.pairs.templates.lexicon import CITIES, PEOPLE, PLACES, SMALL, THINGS, Draw
from training.sentence import Sentence

_TABLE = Table(Path(__file__).with_suffix(".txt"))
_LABELS = {"same": 0.94, "other": 0.05}
#: Labels of sections in which people differ more.
_OF_SECTION = {"register": (0.92, 0.06), "hedge": (0.91, 0.1), "emoji": (0.9, 0.15), "idiom": (0.91, 0.05),
               "ellipsis": (0.93, 0.07), "fewness": (0.93, 0.08), "degree": (0.93, 0.07)}  # fmt: skip
_WEIGHTS = {"place": 1.2, "agent": 1.0, "claim": 1.3, "idiom": 1.3, "register": 1.2}
_SLOTS = {
    "person": PEOPLE,
    "city": CITIES,
    "place": PLACES,
    "thing": THINGS,
    "small": SMALL,
}
_SLOT = re.compile(r"\{(name|name2|person|person2|city|city2|place|thing|thing2|small)\}")


def fill(texts: list[str], rng: random.Random) -> list[str]:
    """Return texts with their slots filled, the same slot by the same words in all of them.

    A slot names what is drawn: ``{person}``, ``{person2}``, ``{city}``, …
    """
    draw = Draw(rng)
    words: dict[str, str] = {}
    for text in texts:
        for slot in _SLOT.findall(text):
            if slot not in words:
                kind = slot.rstrip("2")
                words[slot] = draw.name().text if kind == "name" else draw.one(_SLOTS[kind])
    return [_SLOT.sub(lambda m: words[m[1]], text) for text in texts]


def _finished(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".?!)😀😂😍😊😢😡❤🎉👍👎" or text.endswith(("…", '"')) else text + "."


def _plain(sources: Sources) -> list[Sentence]:
    return [s for s in sources.sentences if s.text.endswith(".") and 4 <= len(s) <= 22 and "{" not in s.text]


def _register(section: str, faithful: bool) -> None:
    entries = _TABLE.contrasts(section)
    label = _OF_SECTION.get(section, tuple(_LABELS.values()))[0 if faithful else 1]
    name = f"{section}.{'same' if faithful else 'other'}"
    weight = _WEIGHTS.get(section, 0.8)

    @maker(name, faithful=faithful, weight=weight)
    def make(sources: Sources, rng: random.Random) -> Iterator[Pair]:
        """Fill a frame, or end a sentence, in two ways that say the same, or do not."""
        plain = _plain(sources)
        usable = [e for e in entries if len(e[1]) > 1] if faithful else entries
        usable = [e for e in usable if e[0] or plain]
        for _ in range(100_000):
            context, like, unlike = rng.choice(usable)
            one, two = rng.sample(like, 2) if faithful else (rng.choice(like), rng.choice(unlike))
            group = f"{section}: {context or like[0]}"
            if not context:
                sentence = rng.choice(plain)
                context, group = sentence.text[:-1] + "{}", sentence.group
                one, two = (w if w[0] in ",.;!?" else f" {w}" for w in (one, two))
            one, two = fill([context.replace("{}", w) for w in (one, two)], rng)
            source, target = rng.sample((_finished(one), _finished(two)), 2)
            yield Pair(source, target, label, name, group)


SECTIONS = tuple(_TABLE)
for _section in SECTIONS:
    _register(_section, True)
    _register(_section, False)
