"""How many of learners' errors does a check find: Harper alone, and with usim's own rules?

    python -m experiments findings --data PATH … [--part dev] [--model en] [--limit N] [--out DIR]

A finding counts if usim keeps its best suggestion, and is right if that brings the sentence nearer, in words, to the
nearest of people's corrections. Precision is the share of right findings, recall their number for each word that these
corrections change. Needs Harper: ``pip install harper-py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.assistant import LEARNERS, Sentence, read_sentences
from experiments.assistant import distance as word_distance
from experiments.common.command import Command, Option
from experiments.common.statistics import Draws, Places, Values
from experiments.common.study import Study
from usim.checkers import LEARNER_RULES, Checker, CheckRequest, load_checker, proposals
from usim.options import Options
from usim.report.tables import Row, Table
from usim.screen import Screen

_MOST = 5


def kept_findings(
    sentences: Sequence[Sentence], checker: Checker, screen: Screen, without: frozenset[str]
) -> tuple[Values, Values]:
    """Return how many findings of each sentence are kept by their best suggestions, and how many of these are right."""
    requests = [CheckRequest(one.text, language="en-US", disabled_rules=without) for one in sentences]
    asked = [
        (number, suggestions)
        for number, request in enumerate(requests)
        for suggestions in proposals(request.text, checker.check(request).findings, _MOST)
    ]
    screened = screen.screen_texts((sentences[number].text, suggestions) for number, suggestions in asked)
    kept, right = np.zeros((2, len(sentences)))
    for (number, _), of_finding in zip(asked, screened, strict=True):
        best = max(of_finding, key=lambda one: one.faithfulness, default=None)
        if best is not None and best.verdict == "keep":
            kept[number] += 1
            right[number] += distance(sentences[number], best.text) < distance(sentences[number])
    return kept, right


def distance(sentence: Sentence, text: str | None = None) -> int:
    """Return how many words of a text, by default the sentence itself, its nearest correction changes."""
    return min(word_distance(sentence.text if text is None else text, one) for one in sentence.references)


def run(
    paths: Sequence[Path], checker: Checker, screen: Screen, *, part: str | None = None, limit: int | None = None,
    seed: int = 0, resamples: int = 1000,
) -> Study:  # fmt: skip
    """Study some data sets, see :func:`experiments.assistant.read_sentences`."""
    rows: list[Row] = []
    for path in paths:
        sentences = read_sentences(path, part)[:limit]
        needed = np.array([distance(one) for one in sentences], float)
        for name, without in (("Harper", frozenset(LEARNER_RULES)), ("Harper and usim", frozenset[str]())):
            kept, right = kept_findings(sentences, checker, screen, without)
            draws = Draws(range(len(sentences)), resamples, seed)
            precision, recall = (draws.interval(_share(right, whole)) for whole in (kept, needed))
            rows.append((path.name, name, int(kept.sum()), int(right.sum()), precision, recall))
    columns = ("data", "by", "findings", "right", "precision", "recall")
    note = "value [95% interval]; findings whose best suggestion is kept"
    return Study(
        "findings",
        "How many of learners' errors does a check find?",
        (Table("findings", "Findings in learners' sentences", columns, tuple(rows), note),),
        {"scores": str(screen.signature)},
        {"data": [str(path) for path in paths], "part": part, "seed": seed, "resamples": resamples},
    )


def _share(part: Values, whole: Values) -> Callable[[Places], float]:
    return lambda places: float(part[places].sum() / max(1.0, whole[places].sum()))


def _run(data: Sequence[Path], options: Options, **settings: Any) -> Study:
    return run(data, load_checker("harper"), Screen(options=options), **settings)


main = Command(
    _run,
    *LEARNERS,
    Option("--limit", type=int, metavar="N", help="the first N sentences of each data set"),
)
