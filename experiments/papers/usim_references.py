"""USim beside measures that have references (section 5 of the USim paper): GLEU, and USim with GLEU."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from experiments.common.corrections import read_corrections
from experiments.common.printed import Figure, Row
from experiments.common.statistics import Values
from usim.scorer import Scorer

_SOURCES = 300
WAYS = ("drop", "swap", "replace")
JFLEG = ("jfleg/dev.src", *(f"jfleg/dev.ref{i}" for i in range(4)))


@cache
def scorer() -> Scorer:
    """Return what parses and scores, by the default preset."""
    return Scorer(judge="usim")


def usim_scores(pairs: Sequence[tuple[str, str]]) -> Values:
    """Return USim of each pair of a source and an output, shape (pairs,), parsed by usim's own parser."""
    return np.array([result.usim.f for result in scorer().score_pairs(pairs)])


def gleu(source: str, output: str, reference: str) -> float:
    """Compute the GLEU of one corrected sentence against one reference, in [0, 1]; tokens stand between blanks.

    The precision of n-grams (n = 1, …, 4) as in BLEU, less the n-grams of the source that the output kept and the
    reference did not (Napoles, Sakaguchi, Post and Tetreault 2015, in the form of 2016 that needs no tuning). As in the
    published program, counts of zero are one in the score of a single sentence.

    >>> gleu("He go home now .", "He goes home now .", "He goes home now .")
    1.0
    >>> round(gleu("He go home now .", "He go home now .", "He goes home now ."), 3)
    0.398
    """
    before, after, wanted = source.split(), output.split(), reference.split()
    total = 0.0
    for n in range(1, 5):
        kept, own, right = (
            Counter(zip(*(text[k:] for k in range(n)), strict=False)) for text in (before, after, wanted)
        )
        wrong = Counter({gram: count for gram, count in kept.items() if gram not in right})
        matched = (own & right).total() - (own & wrong).total()
        total += math.log(max(matched, 1) / max(len(after) + 1 - n, 1)) / 4
    return math.exp(total + min(0.0, 1 - len(wanted) / max(len(after), 1)))


def damaged(sentence: str, way: str, share: float, *, seed: int, words: Sequence[str]) -> str:
    """Damage a sentence; punctuation stays where it is.

    Args:
        sentence: tokens with blanks between them.
        way: one of :data:`WAYS`: words are dropped, change places two by two, or are replaced by ``words``.
        share: of the words; rounded to whole words, for *swap* to whole pairs.
        seed: the same seed affects the same words in the same order, whatever the share.

    >>> damaged("He was here .", "drop", 1, seed=0, words=())
    '.'
    """
    tokens = sentence.split()
    places = [i for i, token in enumerate(tokens) if any(c.isalnum() for c in token)]
    rng = np.random.default_rng(seed)
    order = [places[k] for k in rng.permutation(len(places))]
    affected = order[: round(share * len(places))]
    if way == "drop":
        new = dict.fromkeys(affected, "")
    elif way == "swap":
        couples = zip(affected[::2], affected[1::2], strict=False)
        new = {i: tokens[j] for a, b in couples for i, j in ((a, b), (b, a))}
    else:
        put = {place: words[k] for place, k in zip(places, rng.integers(len(words), size=len(places)), strict=True)}
        new = {place: put[place] for place in affected}
    return " ".join(filter(None, (new.get(place, token) for place, token in enumerate(tokens))))


def _with_gleu(source: Path, *_: Path, limit: int | None = None) -> list[Figure]:
    """Measure how often the first annotator is above another output, by USim, GLEU and both (section 5)."""
    corpus = read_corrections(source.parent, "dev")
    sources = corpus.sources[: min(limit or _SOURCES, _SOURCES)]
    people, *references = corpus.references.values()
    words = [word for sentence in people for word in sentence.split() if word.isalnum()]
    outputs = {"people": people, **corpus.systems}
    for way in WAYS:
        outputs[f"a fifth: {way}"] = [
            damaged(text, way, 0.2, seed=k, words=words) for k, text in enumerate(people[: len(sources)])
        ]
    values = usim_scores([(a, b) for own in outputs.values() for a, b in zip(sources, own, strict=False)])
    scores: dict[str, dict[str, np.ndarray]] = {}
    for (name, own), structure in zip(outputs.items(), values.reshape(len(outputs), -1), strict=True):
        surface = np.array(
            [np.mean([gleu(a, own[k], texts[k]) for texts in references]) for k, a in enumerate(sources)]
        )
        scores[name] = {"USim": structure, "GLEU": surface, "both": np.sqrt(structure * surface)}
    above = scores.pop("people")
    why = (
        f"share of {len(sources)} sources of which a person's correction is above the system's output, or above itself "
        "with a fifth of its words damaged, ties count half; both: the root of the product"
    )
    return [
        Figure(f"{measure}, {name}", float(np.mean(np.sign(above[measure] - own) + 1) / 2), why)
        for name, of in scores.items()
        for measure, own in of.items()
    ]


ROWS = [Row("§5: with GLEU", JFLEG, _with_gleu, slow=True, judged=True, limited=True)]
