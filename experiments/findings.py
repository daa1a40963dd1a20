"""How many of learners' errors does a check find: Harper alone, and with usim's patterns beside it?

    python -m experiments findings --data PATH … [--part dev] [--model en] [--limit N] [--out DIR]

A finding counts if usim keeps its best suggestion, and is right if that brings the sentence nearer, in words, to the
nearest of people's corrections. Precision is the share of right findings, recall their number for each word that these
corrections change. The last row of a data set leaves out the least faithful of the patterns' findings, so that its
precision is no lower than Harper's. Needs Harper: ``pip install harper-py``.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.assistant import LEARNERS, Sentence, read_sentences
from experiments.assistant import distance as word_distance
from experiments.common.command import Command, Option
from experiments.common.statistics import Draws, Places, Values
from experiments.common.study import Study
from usim.checkers import Checker, CheckRequest, Finding, load_checker, proposals
from usim.options import Options
from usim.report.tables import Row, Table
from usim.screen import Screen

#: How the rules of the patterns begin.
OWN = "Learner"
#: The most suggestions of a finding that are judged.
_MOST = 5


class Found(NamedTuple):
    """A finding whose best suggestion is kept: its sentence, whose it is, whether it is right, how faithful."""

    sentence: int
    is_own: bool
    is_right: bool
    faithfulness: float


def kept_findings(sentences: Sequence[Sentence], checker: Checker, screen: Screen) -> list[Found]:
    """Have sentences checked, and return the findings whose best suggestion is kept, in order."""

    async def check() -> list[Sequence[Finding]]:
        return [(await checker.check(CheckRequest.of(one.text, language="en-US"))).findings for one in sentences]

    asked = [
        (number, finding.rule, suggestions)
        for number, findings in enumerate(asyncio.run(check()))
        for finding, suggestions in zip(findings, proposals(sentences[number].text, findings, _MOST), strict=True)
    ]
    screened = screen.screen_texts((sentences[number].text, suggestions) for number, _, suggestions in asked)
    found = []
    for (number, rule, _), of_finding in zip(asked, screened, strict=True):
        best = max(of_finding, key=lambda one: one.faithfulness, default=None)
        if best is not None and best.verdict == "keep":
            is_right = distance(sentences[number], best.text) < distance(sentences[number])
            found.append(Found(number, rule.startswith(OWN), is_right, best.faithfulness))
    return found


def distance(sentence: Sentence, text: str | None = None) -> int:
    """Return how many words of a text, by default the sentence itself, its nearest correction changes."""
    return min(word_distance(sentence.text if text is None else text, one) for one in sentence.references)


def limit_of(found: Sequence[Found]) -> float:
    """Return the least faithfulness from which on the patterns' findings leave the precision no lower than Harper's."""
    theirs = [one.is_right for one in found if not one.is_own]
    wanted = float(np.mean(theirs)) if theirs else 0.0
    own = sorted((one for one in found if one.is_own), key=lambda one: -one.faithfulness)
    best, right = 1.1, sum(theirs)
    for count, one in enumerate(own, 1):
        right += one.is_right
        if right >= wanted * (len(theirs) + count):
            best = one.faithfulness
    return best


def run(
    paths: Sequence[Path], checker: Checker, screen: Screen, *, part: str | None = None, limit: int | None = None,
    seed: int = 0, resamples: int = 1000,
) -> Study:  # fmt: skip
    """Study some data sets, see :func:`experiments.assistant.read_sentences`."""
    rows: list[Row] = []
    for path in paths:
        sentences = read_sentences(path, part)[:limit]
        found = kept_findings(sentences, checker, screen)
        needed = np.array([distance(one) for one in sentences], float)
        equal = limit_of(found)
        for name, some in (
            ("Harper", [one for one in found if not one.is_own]),
            ("Harper and the patterns", found),
            ("the same, at Harper's precision", [one for one in found if not one.is_own or one.faithfulness >= equal]),
        ):
            right, all_of = np.zeros((2, len(sentences)))
            for one in some:
                right[one.sentence] += one.is_right
                all_of[one.sentence] += 1

            def precision(places: Places, right: Values = right, all_of: Values = all_of) -> float:
                return float(right[places].sum() / max(1.0, all_of[places].sum()))

            def recall(places: Places, right: Values = right, needed: Values = needed) -> float:
                return float(right[places].sum() / max(1.0, needed[places].sum()))

            draws = Draws(range(len(sentences)), resamples, seed)
            rows.append(
                (path.name, name, len(some), int(right.sum()), draws.interval(precision), draws.interval(recall))
            )
    columns = ("data", "by", "findings", "right", "precision", "recall")
    note = "value [95% interval]; findings whose best suggestion is kept"
    return Study(
        "findings",
        "How many of learners' errors does a check find?",
        (Table("findings", "Findings in learners' sentences", columns, tuple(rows), note),),
        {"scores": str(screen.signature)},
        {"data": [str(path) for path in paths], "part": part, "seed": seed, "resamples": resamples},
    )


def _run(data: Sequence[Path], options: Options, **settings: Any) -> Study:
    return run(data, load_checker("harper", seconds=60.0), Screen.from_options(options), **settings)


main = Command(
    _run,
    *LEARNERS,
    Option("--limit", type=int, metavar="N", help="the first N sentences of each data set"),
)

if __name__ == "__main__":
    sys.exit(main())
