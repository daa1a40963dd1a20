"""Measures of a ranking of substitutes against what people said of them.

Generalised average precision (:func:`generalised_average_precision`), and ``best`` and ``oot`` of SemEval-2007 task 10
(:func:`semeval_record`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from usim.lexicon.tables import classes_of, read_tables

_Item = TypeVar("_Item")


def generalised_average_precision(gold: Mapping[_Item, float], ranked: Sequence[_Item]) -> float:
    """Compute how well a ranking puts heavier items first (Kishida 2005; for substitutes, Thater et al. 2010).

    The mean weight of what stands at or above each relevant item, summed, over the same sum for the ideal ranking.

    Args:
        gold: item → weight, 0 or more; what is not in it has none.
        ranked: items, best first, each once.

    Returns:
        a figure in [0, 1]; not-a-number where no item has a weight.

    >>> round(generalised_average_precision({"a": 3, "b": 2, "c": 0}, ["b", "a", "c"]), 4)
    0.8182
    """

    def summed_means(weights: Iterable[float]) -> float:
        total = means = 0.0
        for place, weight in enumerate(weights, 1):
            total += weight
            if weight > 0:
                means += total / place
        return means

    ideal = summed_means(sorted(gold.values(), reverse=True))
    return summed_means(gold.get(item, 0) for item in ranked) / ideal if ideal else math.nan


# SemEval-2007 task 10

# Spellings that the task's scorer takes for the same.
_BRITISH = classes_of(read_tables("writing.tsv")["semeval"])


def _semeval_form(substitute: str) -> str:
    plain = re.sub(r"^non[\s-]", "non", substitute).replace("-", " ").replace("'", "", 1)
    return _BRITISH.get(plain, plain)


# How the task's scorer finds substitute and votes in a line of the gold file; what does not match has no votes.
_SEMEVAL_GOLD = re.compile(r"(\w[\w'\s-]+) (\d+)")


def semeval_record(votes: Mapping[str, int], substitutes: Sequence[str]) -> dict[str, float]:
    """Count what one target adds to ``best`` and ``oot`` (McCarthy and Navigli 2007).

    The credit of a guess is the part of all votes that it got; ``best`` divides the credit of all guesses by their
    number, ``oot`` takes the first ten and does not divide. The mode is the substitute with most votes, where there is
    only one; ``best`` finds it with the first guess, ``oot`` with any of the ten. Targets with fewer than two votes are
    left out.

    This follows the task's own scorer closely: in guesses hyphens become blanks, one apostrophe is dropped and eleven
    American spellings become British; a gold substitute with a hyphen gives credit with a blank as well, but is never
    found as a mode; gold substitutes with *pn*, its mark of proper nouns, are left out, and so are those of one letter.

    Args:
        votes: substitute → votes.
        substitutes: guesses, best first.
    """
    voted = [(substitute, count) for substitute, count in votes.items() if count and "pn" not in substitute]
    voted.sort(key=lambda item: -item[1])
    if not voted or (len(voted) == 1 and voted[0][1] < 2):
        return {}
    matches = (_SEMEVAL_GOLD.search(f"{substitute} {count}") for substitute, count in voted)
    gold = [(match[1].replace("'", "", 1), int(match[2])) for match in matches if match]
    if not gold:
        return {"items": 1}
    # Of "much, really" only "really" is read: what is read twice has the later, lower count, but stays the mode.
    counts = dict(gold)
    total = sum(counts.values())
    credit = {substitute.replace("-", " "): count for substitute, count in counts.items()} | counts
    guesses = [_semeval_form(substitute) for substitute in substitutes]
    modes = [substitute for substitute, count in gold if count == gold[0][1]]
    record: dict[str, float] = {"items": 1, "attempted": bool(guesses)}
    record["best"] = sum(credit.get(g, 0) for g in guesses) / total / len(guesses) if guesses else 0
    record["oot"] = sum(credit.get(g, 0) for g in guesses[:10]) / total
    if len(modes) == 1:
        record |= {"modes": 1, "modes attempted": bool(guesses)}
        record["best mode"] = modes[0] in guesses[:1]
        record["oot mode"] = modes[0] in guesses[:10]
    return record
