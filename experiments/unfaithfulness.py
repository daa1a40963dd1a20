"""Does the score fall when the meaning is lost? (Study 3; §4.5 of the USim paper)

    python -m experiments.unfaithfulness --folder DIR [--part dev] [--out DIR] [--rates .1 .2 …]

Sources of a corpus in the form of JFLEG are scored with corrections and outputs as they are, with unrelated sentences,
and with degraded corrections: of the words a growing share is dropped (*drop*), changes places two by two (*swap*), or
is replaced by words from other sentences (*replace*). What is done at one rate is done at all higher ones, so that
along the curve nothing but the rate changes; punctuation stays where it is. The curve must fall at each step.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.corrections import random_others, read_corrections
from experiments.common.scores import KINDS, TITLES, PairScores, ScoreGrid
from experiments.common.study import Check, Figure, Study
from experiments.separation import FOLDER, PUBLISHED
from usim.errors import InputError
from usim.report.tables import Row, Table, show
from usim.stats import bootstrap_interval

WAYS = ("drop", "swap", "replace")
RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def degraded(sentence: str, way: str, rates: Sequence[float], *, seed: int, words: Sequence[str] = ()) -> list[str]:
    """Degrade a sentence at each rate.

    Args:
        sentence: tokens with blanks between them.
        way: one of :data:`WAYS`.
        rates: the shares of the words that are affected; rounded to whole words, for *swap* to whole pairs.
        seed: the same seed affects the same words in the same order, whatever the rates.
        words: what *replace* puts in.

    Raises:
        ValueError: no such way, or *replace* without words.

    >>> degraded("He was here .", "drop", [0, 1], seed=0)
    ['He was here .', '.']
    """
    if way not in WAYS:
        raise ValueError(f"no such way: {way!r}; there are {', '.join(WAYS)}")
    if way == "replace" and not words:
        raise ValueError("to replace words, others are needed")
    tokens = sentence.split()
    places = [i for i, token in enumerate(tokens) if any(c.isalnum() for c in token)]
    rng = np.random.default_rng(seed)
    order = [places[k] for k in rng.permutation(len(places))]
    new = dict.fromkeys(places, "")
    if way == "replace":
        new = {place: words[k] for place, k in zip(places, rng.integers(len(words), size=len(places)), strict=True)}
    sentences = []
    for rate in rates:
        affected = order[: round(rate * len(places))]
        if way == "swap":
            couples = list(zip(affected[::2], affected[1::2], strict=False))
            new = {i: tokens[j] for a, b in couples for i, j in ((a, b), (b, a))}
            affected = list(new)
        changed = tokens.copy()
        for place in affected:
            changed[place] = new[place]
        sentences.append(" ".join(filter(None, changed)))
    return sentences


def run(
    folder: Path,
    scores: PairScores,
    *,
    part: str | None = None,
    rates: Sequence[float] = RATES,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Study one folder in the form of :mod:`experiments.common.corrections`; its first reference is degraded."""
    rates = tuple(rates)
    if not rates or rates[0] <= 0 or rates[-1] > 1 or any(a >= b for a, b in pairwise(rates)):
        raise InputError(f"rates must grow, above 0 and up to 1, not {', '.join(map(str, rates))}")
    corpus = read_corrections(folder, part)
    first = next(iter(corpus.references.values()))
    pool = [token for sentence in first for token in sentence.split() if any(c.isalnum() for c in token)]
    outputs: dict[str, list[str]] = dict(corpus.references)
    outputs |= corpus.systems
    for way in WAYS:
        curve = [degraded(s, way, rates, seed=seed * 1_000_003 + i, words=pool) for i, s in enumerate(first)]
        outputs |= {_name(way, rate): [texts[k] for texts in curve] for k, rate in enumerate(rates)}
    outputs["random sentences"] = random_others(corpus.sources, seed)
    grid = ScoreGrid(corpus.sources, outputs, scores)

    def cells(name: str, columns: Sequence[str]) -> Row:
        own = grid.columns(columns)
        means = (grid[kind][:, own].mean(axis=1) for kind in KINDS)
        return name, *(bootstrap_interval(m, resamples=resamples, seed=seed) for m in means)

    rows = [cells("references", list(corpus.references))]
    rows += [cells(name, [name]) for name in (*corpus.systems, *[_name(w, r) for w in WAYS for r in rates])]
    rows.append(cells("random sentences", ["random sentences"]))
    names = {way: (next(iter(corpus.references)), *(_name(way, rate) for rate in rates)) for way in WAYS}
    curves = {
        kind: {way: [float(grid[kind][:, column].mean()) for column in grid.columns(names[way])] for way in WAYS}
        for kind in KINDS
    }
    checks = [_falls(kind, way, (0.0, *rates), curves[kind][way]) for kind in KINDS for way in WAYS]

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, len(KINDS), sharey=True)
        for ax, kind in zip(axes, KINDS, strict=True):
            for way in WAYS:
                ax.plot((0.0, *rates), curves[kind][way], marker="o", markersize=3, label=way)
            people = grid[kind][:, grid.columns(corpus.references)].mean()
            ax.axhline(people, color="grey", linestyle="--", linewidth=0.8, label="references")
            random = grid[kind][:, grid.columns(["random sentences"])].mean()
            ax.axhline(random, color="grey", linestyle=":", linewidth=0.8, label="random sentences")
            ax.set_title(TITLES[kind])
            ax.set_xlabel("share of the words")
            ax.set_ylim(0, 1.02)
        axes[0].set_ylabel("mean score with the source")
        axes[-1].legend(fontsize="small")

    return Study(
        "unfaithfulness",
        "Does the score fall when the meaning is lost?",
        (
            Table(
                "means",
                f"Sources against what became of them, on {corpus.name} of {Path(folder).name}: "
                f"{len(corpus.sources)} sources",
                ("pairs with the source", *(TITLES[kind] for kind in KINDS)),
                tuple(rows),
                f"mean [95% interval]; what is degraded is {next(iter(corpus.references))}; "
                f"published means of references (TUPA): {show(PUBLISHED[0], 2)} to {show(PUBLISHED[1], 2)}",
            ),
        ),
        scores.signatures,
        {"folder": folder, "part": corpus.name, "rates": list(rates), "seed": seed, "resamples": resamples},
        tuple(checks),
        {"curves": {"rates": [0.0, *rates]} | curves},
        draw=draw,
        size=(9.0, 4.0),
    )


def _name(way: str, rate: float) -> str:
    return f"{way} {rate:.0%}"


def _falls(kind: str, way: str, rates: Sequence[float], means: Sequence[float]) -> Check:
    rises = [
        f"{_name(way, rates[k])} {show(a)} to {_name(way, rates[k + 1])} {show(b)}"
        for k, (a, b) in enumerate(pairwise(means))
        if b >= a
    ]
    result = "rises or stays: " + "; ".join(rises) if rises else " > ".join(show(mean) for mean in means)
    return Check(f"{TITLES[kind]} falls with the rate of {way}", result, "falls at each step", not rises)


main = Command(
    run,
    *FOLDER,
    Option("--rates", type=float, nargs="+", default=RATES, help="shares of the words, growing"),
    measures=KINDS,
)

if __name__ == "__main__":
    sys.exit(main())
