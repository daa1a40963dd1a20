"""Is the output that reranking puts first nearer to people's corrections?

    python -m experiments.rerank --folder DIR [--part dev] [--grammar harper] [--gamma .27 …] [--limit N] [--out DIR]

The outputs of all systems for a source of a corpus in the form of JFLEG are the candidates of a list. They are put into
order by γ times the grammaticality and 1 − γ times the faithfulness, or USim (Choshen and Abend 2018). How near a
sentence is to the corrections is its chrF with the nearest of them, which is no judgement of quality: what is right in
another way is far away. Intervals come from drawing sources again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.corrections import read_corrections
from experiments.common.grammar import CheckerGrammar
from experiments.common.scores import KINDS, TITLES, PairScores, ScoreGrid
from experiments.common.statistics import Draws, Values
from experiments.common.study import Study
from experiments.common.surface import chrf
from experiments.separation import FOLDER
from usim.errors import InputError
from usim.report.tables import Row, Table

#: The weight of grammaticality in ``rerank_by_uccasim`` of ``USim.py`` of borgr/USim (Choshen and Abend 2018).
GAMMA = 0.27
GAMMAS = (0.0, GAMMA, 0.5, 0.73, 1.0)


def run(
    folder: Path,
    scores: PairScores,
    grammar: CheckerGrammar,
    *,
    part: str | None = None,
    gammas: Sequence[float] = GAMMAS,
    limit: int | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Study one folder in the form of :mod:`experiments.common.corrections`, with outputs of two systems or more."""
    corpus = read_corrections(folder, part)
    names = list(corpus.systems)
    if len(names) < 2:
        raise InputError("outputs of two systems or more are needed", path=folder)
    sources = corpus.sources[:limit]
    n = len(sources)
    references = list(corpus.references.values())
    outputs = [[corpus.systems[name][i] for name in names] for i in range(n)]
    near = np.array([[max(chrf(o, r[i]) for r in references) for o in outputs[i]] for i in range(n)])
    grid = ScoreGrid(sources, {name: corpus.systems[name][:n] for name in names}, scores)
    correct = np.array(grammar.scores([o for row in outputs for o in row])).reshape(near.shape)
    best = int(near.mean(axis=0).argmax())
    rows_of = np.arange(n)
    chosen: dict[tuple[str, float | None], Values] = {(name, None): near[:, k] for k, name in enumerate(names)}
    chosen["any, at random", None] = near.mean(axis=1)
    for kind in KINDS:
        for gamma in gammas:
            if gamma == 1 and kind != KINDS[0]:
                continue  # grammaticality alone, which is the same for both
            first = (gamma * correct + (1 - gamma) * grid[kind]).argmax(axis=1)
            title = f"first by {TITLES[kind]} and grammaticality" if gamma < 1 else "first by grammaticality"
            chosen[title, gamma] = near[rows_of, first]
    chosen["the nearest", None] = near.max(axis=1)
    draws = Draws(range(n), resamples, seed)
    rows: list[Row] = []
    for (title, gamma), values in chosen.items():
        against = values - near[:, best]
        cells = draws.intervals(lambda at, v=values, a=against: [float(v[at].mean()), float(a[at].mean())])
        rows.append((title, gamma, *cells, float((against > 0).mean()), float((against < 0).mean())))
    table = Table(
        "nearness",
        f"Nearness to the corrections, {corpus.name} of {Path(folder).name}: {n} sources, {len(names)} candidates each",
        ("candidate", "γ", "chrF", f"Δ to {names[best]}", "nearer", "farther"),
        tuple(rows),
        "mean chrF with the nearest correction [95% interval]; nearer, farther: share of sources in which the candidate"
        f" is nearer or farther than that of {names[best]}, the nearest system on average",
    )
    return Study(
        "rerank",
        "Is the output that reranking puts first nearer to people's corrections?",
        (table,),
        {**scores.signatures, "grammaticality": grammar.name},
        {
            "folder": folder,
            "part": corpus.name,
            "gammas": list(gammas),
            "limit": limit,
            "seed": seed,
            "resamples": resamples,
        },
    )


def _run(grammar: str, gamma: Sequence[float] | None, **given: Any) -> Study:
    return run(grammar=CheckerGrammar(grammar), gammas=gamma or GAMMAS, **given)


main = Command(
    _run,
    *FOLDER,
    Option("--grammar", default="harper", help="harper, or the address of a LanguageTool server (default: harper)"),
    Option("--limit", type=int, metavar="N", help="take the first N sources alone"),
    Option("--gamma", type=float, action="append", help="a weight of grammaticality; again for more"),
    measures=KINDS,
)

if __name__ == "__main__":
    sys.exit(main())
