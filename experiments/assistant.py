"""Can the right suggestions of a real grammar checker be told from its wrong ones?

    python -m experiments assistant --data PATH … [--part dev] [--out DIR]

Right are those of Harper's suggestions that bring a learner's sentence nearer to people's corrections, in words (edit
distance): in the form of JFLEG (``dev.src``, ``dev.ref0``, …) nearer to at least two of them, and wrong are those that
come nearer to none (the others are left out); in an M2 file one annotator is enough. Intervals come from drawing the
sentences again. Needs Harper: ``pip install harper-py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from experiments.common.command import Command, Option
from experiments.common.corrections import read_corrections
from experiments.common.statistics import Draws, Places, Values, prepare_area
from experiments.common.study import Study
from judges.data import Pair
from usim.errors import InputError, extra
from usim.records import Record, read_suggestions
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.suggestions import apply

_MOST = 5
_WORDS = re.compile(r"\w+(?:'\w+)?")


class Sentence(NamedTuple):
    """A learner's sentence and people's corrections; a suggestion is right that is nearer to ``needed`` of them."""

    text: str
    references: tuple[str, ...]
    needed: int


def read_sentences(path: Path, part: str | None = None) -> list[Sentence]:
    """Read learners' sentences with their corrections, from a folder in the form of JFLEG or an M2 file.

    Raises:
        InputError: it cannot be read, or has no sentences.
    """
    if path.is_dir():
        corpus = read_corrections(path, part)
        references = list(zip(*corpus.references.values(), strict=True))
        return [
            Sentence(written(text), tuple(map(written, corrections)), min(2, len(corrections)))
            for text, corrections in zip(corpus.sources, references, strict=True)
        ]
    sentences: list[Sentence] = []
    for record in read_suggestions(path, "m2"):
        if isinstance(record, Record):
            text = written(record.text)
            whole = (suggestion.edits for suggestion in record.suggestions if suggestion.span is None)
            corrections = tuple(written(apply(record.text, edits)) for edits in whole if edits)
            sentences.append(Sentence(text, corrections or (text,), 1))
    if not sentences:
        raise InputError("no sentences in the form of M2", path=path)
    return sentences


def written(tokenised: str) -> str:
    """Return the text of tokens as people write it.

    >>> written("I do n't know ( yet ) .")
    "I don't know (yet)."
    """
    text = re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", " ".join(tokenised.split()))
    return re.sub(r"([(]) ", r"\1", re.sub(r" ([.,;:?!)%])", r"\1", text))


def suggestions(sentences: Sequence[Sentence]) -> list[Pair]:
    """Let Harper check sentences, and return its suggestions that are right (label 1) or wrong (0).

    The group of a suggestion is the number of its sentence, its key that of its place: those for one place are a list.
    """
    linter = extra("harper", "suggestions need", "harper-py").Linter()
    known: dict[tuple[str, str], Pair] = {}
    for number, sentence in enumerate(sentences):
        text = sentence.text
        before = [distance(text, reference) for reference in sentence.references]
        for place, lint in enumerate(linter.lint(text)):
            for proposal in list(lint.suggestions)[:_MOST]:
                output = linter.apply_suggestion(text, lint, proposal)
                if _words(output) == _words(text) or (text, output) in known:
                    continue
                after = [distance(output, reference) for reference in sentence.references]
                nearer = sum(a < b for a, b in zip(after, before, strict=True))
                if nearer == 0 or nearer >= sentence.needed:
                    label, key = float(nearer > 0), f"{number}.{place}"
                    known[text, output] = Pair(text, output, label, "assistant", str(number), key=key)
    return list(known.values())


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def distance(a: str, b: str) -> int:
    """Return the edit distance of two texts in words."""
    return Levenshtein.distance(_words(a), _words(b))


def figures(scores: Values, right: Values, lists: Places) -> Callable[[Places], list[float]]:
    """Prepare the columns of the table from ``AUC`` on; ``lists`` has the number of the list of each suggestion."""
    # Each list of right and wrong suggestions counts once, at the first of them.
    counts, firsts = np.zeros(len(lists)), np.zeros((2, len(lists)))
    for number in set(lists.tolist()):
        own = np.flatnonzero(lists == number)
        if 0 < right[own].sum() < len(own):
            counts[own[0]] = 1
            firsts[:, own[0]] = right[own[scores[own].argmax()]], right[own[0]]
    area = prepare_area(scores, right > 0)

    def of(places: Places) -> list[float]:
        total = counts[places].sum()
        return [area(places), *(firsts[:, places].sum(axis=1) / total if total else np.full(2, math.nan)).tolist()]

    return of


def run(
    data: Sequence[Path], scorer: Scorer, *, part: str | None = None, seed: int = 0, resamples: int = 1000
) -> Study:
    """Study some data sets, see :func:`read_sentences`."""
    rows: list[Row] = []
    for path in data:
        items = suggestions(read_sentences(path, part))
        if len({item.label for item in items}) < 2:
            raise InputError("Harper has not both right and wrong suggestions: too few sentences", path=path)
        results = scorer.score_pairs((item.source, item.output) for item in items)
        scores = np.array([result.judgement.faithfulness for result in results])
        right = np.array([item.label for item in items])
        _, lists = np.unique([item.key for item in items], return_inverse=True)
        draws = Draws([item.group for item in items], resamples, seed)
        cells = draws.intervals(figures(scores, right, lists))
        rows.append((path.name, len(items), int(right.sum()), *cells))
    table = Table(
        "figures",
        "Suggestions of Harper for learners' sentences",
        ("data", "suggestions", "right", "AUC", "first right", "Harper's first"),
        tuple(rows),
        "value [95% interval]; first right: of the lists with right and wrong suggestions, by faithfulness and in "
        "Harper's own order",
    )
    return Study(
        "assistant",
        "Can the right suggestions of a real grammar checker be told from its wrong ones?",
        (table,),
        {"judge": str(scorer.signature)},
        {"data": [str(path) for path in data], "part": part, "seed": seed, "resamples": resamples},
    )


LEARNERS = (
    Option(
        "--data", type=Path, nargs="+", required=True, metavar="PATH", help="folders in the form of JFLEG, M2 files"
    ),
    Option("--part", help="which files of the folders: the beginning of their names"),
)

main = Command(run, *LEARNERS)
