"""Phrases that mean the same, and similar phrases that do not; the tables are in ``phrases.txt``.

A section of the table is a maker: ``….same`` and ``…-same`` say the same, the others do not.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from judges.pairs.registry import Change, Sources, edit
from training.sentence import Sentence
from training.tables import Table
from usim.lexicon.topics import MONTHS, WEEKDAYS


class Swap(NamedTuple):
    """A phrase, what may be put in its place, and where."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    label: float
    after: str = ""
    before: str = ""


#: Swaps by the first word of the phrase that they replace.
Swaps = Mapping[str, list[Swap]]
_TABLE = Table(Path(__file__).with_suffix(".txt"))
_WEIGHTS = {"phrase.same": 4.0, "quantifier.changed": 1.6, "comparison.changed": 1.3, "link.changed": 1.5,
            "direction.changed": 0.9, "opposite.changed": 1.6, "swap.variant-same": 0.5, "swap.abbreviation-same": 1.2,
            "swap.register-same": 1.6, "swap.particle-same": 1.4, "swap.claim-other": 1.4, "swap.place-other": 1.2,
            "swap.agent-other": 0.9}  # fmt: skip
#: How often a second phrase is replaced by one that says the same.
_TWICE = 0.4
_LINE = re.compile(r"(\.\d+) \| ([^=<\[]+?) (=|<>) ([^\[]+?)((?: \[[^\]]+\])*)$")
_DATES = frozenset((*WEEKDAYS, *MONTHS))


def read_swaps(lines: Iterable[str]) -> Swaps:
    """Return the swaps of some lines of the form ``label | old = new | new [condition]``."""
    swaps: dict[str, list[Swap]] = defaultdict(list)
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"not of the form `.9 | old = new | new [condition]`: {line!r}")
        label, old, sign, alternatives, conditions = match.groups()
        after = before = ""
        for condition in re.findall(r"\[([^\]]+)\]", conditions):
            if condition.startswith("<"):
                before = condition[1:]
            else:
                after = condition
        new = tuple(phrase.strip() for phrase in alternatives.split("|"))
        both_ways = [(old, new), *((phrase.lower(), (old,)) for phrase in new if sign == "<>")]
        for phrase, others in both_ways:
            words = tuple(phrase.split())
            swaps[words[0]].append(Swap(words, others, float(label), after, before))
    return dict(swaps)


def swap_phrase(swaps: Swaps, sentence: Sentence, rng: random.Random) -> Iterator[Change]:
    """Replace a phrase by one of a table."""
    words, tags = sentence.words, sentence.tags
    for i in sentence.shuffled(rng):
        fitting = [s for s in swaps.get(words[i], ()) if words[i : i + len(s.old)] == s.old]
        rng.shuffle(fitting)
        for swap in fitting:
            j = i + len(swap.old)
            after, before = tags[j] if j < len(tags) else ".", tags[i - 1] if i else "^"
            fits = _holds(swap.after, after) and _holds(swap.before, before)
            if fits and sentence.is_whole(i) and sentence.is_whole(j - 1) and not _is_name(sentence, i, j):
                yield Change(sentence.put(i, j, rng.choice(swap.new)), swap.label)


def _is_name(sentence: Sentence, i: int, j: int) -> bool:
    """Return whether the words are a part of a name: a capital within the sentence, beside another capital."""
    if not i or not any(sentence.tokens[k].text[0].isupper() for k in range(i, j)):
        return False
    if sentence.words[i] in _DATES or sentence.words[i] == "i":
        return False
    return sentence.tokens[i - 1].text[0].isalnum() or sentence.tokens[i - 1].text in "\"“'-"


def _holds(condition: str, tag: str) -> bool:
    if not condition:
        return True
    if condition.startswith("!"):
        return not _holds(condition[1:], tag)
    return any(tag.startswith(wanted) or (wanted == "." and tag in (",", ".", ":")) for wanted in condition.split("/"))


def _swapped(
    swaps: Swaps, faithful: bool, sentence: Sentence, rng: random.Random, sources: Sources
) -> Iterator[Change]:
    """Replace a phrase by one of the table, sometimes two by ones that say the same."""
    for first in swap_phrase(swaps, sentence, rng):
        second = None
        if faithful and rng.random() < _TWICE:
            second = next(swap_phrase(swaps, Sentence.of(first.text), rng), None)
        is_other = second is not None and second.text != sentence.text
        yield Change(second.text, first.label * second.label) if is_other else first


SWAPS = {name: read_swaps(_TABLE.texts(name)) for name in _TABLE if name != "spellings"}
for _name, _swaps in SWAPS.items():
    _faithful = _name.endswith("same")
    edit(_name, faithful=_faithful, weight=_WEIGHTS.get(_name, 0.7))(partial(_swapped, _swaps, _faithful))

_VARIANTS: dict[str, str] = {}
for _pair in _TABLE.words("spellings"):
    _british, _american = _pair.split(" ", 1)
    _VARIANTS[_british] = _american
    _VARIANTS.setdefault(_american.lower(), _british)


@edit("spelling.variant", faithful=True, weight=0.4)
def spelling(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Change British to American spelling, or the other way round, at all places."""
    yield Change(re.sub(r"\b[a-z]+\b", lambda m: _VARIANTS.get(m.group(), m.group()), sentence.text), 0.99)
