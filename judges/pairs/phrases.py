"""Phrases that stand for each other, and such that only look as if they did; the tables are in ``phrases.txt``."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from judges.pairs.pair import Change
from judges.pairs.registry import edit
from judges.pairs.sources import Sources
from judges.pairs.tables import Line, Table
from training.sentence import Sentence
from usim.lexicon.topics import MONTHS, WEEKDAYS


class Swap(NamedTuple):
    """A phrase, what may be put in its place, and where."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    label: float
    after: str = ""
    before: str = ""


_LINE = re.compile(r"(\.\d+) \| ([^=<\[]+?) (=|<>) ([^\[]+?)((?: \[[^\]]+\])*)$")


def read_swaps(lines: Iterable[Line]) -> dict[str, list[Swap]]:
    """Return the swaps of some lines by the first word of the phrase that they replace.

    Raises:
        TableError: a line does not have the form ``label | old = new | new [condition]``.
    """
    swaps: dict[str, list[Swap]] = defaultdict(list)
    for line in lines:
        match = _LINE.fullmatch(line.text)
        if match is None:
            raise line.error("not of the form `.9 | old = new | new [condition]`")
        label, old, sign, alternatives, conditions = match.groups()
        after = before = ""
        for condition in re.findall(r"\[([^\]]+)\]", conditions):
            if condition.startswith("<"):
                before = condition[1:]
            else:
                after = condition
        new = tuple(phrase.strip() for phrase in alternatives.split("|"))
        swaps[old.split()[0]].append(Swap(tuple(old.split()), new, float(label), after, before))
        if sign == "<>":
            for phrase in new:
                words = tuple(phrase.lower().split())
                swaps[words[0]].append(Swap(words, (old,), float(label), after, before))
    return dict(swaps)


def swapped(table: dict[str, list[Swap]], sentence: Sentence, rng: random.Random, kind: str) -> Change | None:
    """Replace a phrase by one of a table; None where the sentence has no phrase of it."""
    words, tags = sentence.words, sentence.tags
    for i in sentence.shuffled(rng):
        fitting = [s for s in table.get(words[i], ()) if words[i : i + len(s.old)] == s.old]
        rng.shuffle(fitting)
        for swap in fitting:
            j = i + len(swap.old)
            if not _holds(swap.after, tags[j] if j < len(tags) else ".") or not _holds(
                swap.before, tags[i - 1] if i else "^"
            ):
                continue
            if not (sentence.is_whole(i) and sentence.is_whole(j - 1)) or _is_name(sentence, i, j):
                continue
            return Change(sentence.put(i, j, rng.choice(swap.new)), swap.label, kind)
    return None


def _is_name(sentence: Sentence, i: int, j: int) -> bool:
    """Return whether the words are a part of a name: a capital within the sentence, beside another capital."""
    if not i or not any(sentence.tokens[k].text[0].isupper() for k in range(i, j)):
        return False
    if sentence.words[i] in _DATES or sentence.words[i] == "i":
        return False
    return sentence.tokens[i - 1].text[0].isalnum() or sentence.tokens[i - 1].text in "\"“'-"


_DATES = frozenset((*WEEKDAYS, *MONTHS))


def _holds(condition: str, tag: str) -> bool:
    if not condition:
        return True
    if condition.startswith("!"):
        return not _holds(condition[1:], tag)
    return any(tag.startswith(wanted) or (wanted == "." and tag in (",", ".", ":")) for wanted in condition.split("/"))


_TABLE = Table(Path(__file__).with_suffix(".txt"))
_WEIGHTS = {"quantifier": 1.6, "comparison": 1.3, "link": 1.5, "direction": 0.9, "opposite": 1.6}
_SAME = read_swaps(_TABLE.lines("same"))
_OTHER = {kind: read_swaps(_TABLE.lines(kind)) for kind in _WEIGHTS}


@edit("phrase.same", faithful=True, weight=4.0)
def same(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Replace a phrase by one that says the same, at one place or two."""
    first = swapped(_SAME, sentence, rng, "phrase.same")
    if first is not None and rng.random() < 0.5:
        second = swapped(_SAME, Sentence.of(first.text), rng, "phrase.same")
        if second is not None and second.text != sentence.text:
            return Change(second.text, first.label * second.label, "phrase.same")
    return first


def _register(kind: str) -> None:
    @edit(f"{kind}.changed", faithful=False, weight=_WEIGHTS[kind])
    def change(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
        return swapped(_OTHER[kind], sentence, rng, f"{kind}.changed")


for _kind in _OTHER:
    _register(_kind)


_VARIANTS: dict[str, str] = {}
for _pair in _TABLE.words("spellings"):
    _british, _american = _pair.split(" ", 1)
    _VARIANTS[_british] = _american
    _VARIANTS.setdefault(_american.lower(), _british)


@edit("spelling.variant", faithful=True, weight=0.4)
def spelling(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Change British to American spelling, or the other way round, at all places."""
    text = sentence.text
    respelled = re.sub(r"\b[a-z]+\b", lambda m: _VARIANTS.get(m.group(), m.group()), text)
    return Change(respelled, 0.99, "spelling.variant") if respelled != text else None


# -- swaps by kind -----------------------------------------------------------------------------------------------------

_SWAPS = Table(Path(__file__).with_name("swaps.txt"))
_SWAP_WEIGHTS = {"same.variant": 0.5, "same.abbreviation": 1.2, "same.register": 1.6, "same.particle": 1.4,
                 "claim": 1.4, "place": 1.2, "agent": 0.9}  # fmt: skip


def _register_swaps(section: str) -> None:
    table = read_swaps(_SWAPS.lines(section))
    faithful = section.startswith("same.")
    name = f"swap.{section.removeprefix('same.')}-{'same' if faithful else 'other'}"

    @edit(name, faithful=faithful, weight=_SWAP_WEIGHTS.get(section, 0.7))
    def change(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
        """Replace a phrase by one of the table, sometimes two by ones that say the same."""
        first = swapped(table, sentence, rng, name)
        if first is not None and faithful and rng.random() < 0.3:
            second = swapped(table, Sentence.of(first.text), rng, name)
            if second is not None and second.text != sentence.text:
                return Change(second.text, first.label * second.label, name)
        return first


for _section in _SWAPS:
    _register_swaps(_section)
