"""What is USim worth alone, and where should its thresholds be?

    python -m experiments.structure [--swords FILE] [--folder DIR] [--limit N] [--format text|markdown|json]

How many wrong changes does a threshold on USim find, and how many right ones does it cost? Changes are SWORDS'
substitutes (right: most of ten people accept them; wrong: none), Harper's suggestions (:mod:`experiments.assistant`),
and JFLEG's corrections (wrong: damaged ones). The threshold *keeps 99 %* (*95 %*) if so many of the right changes have
at least this USim. Where neither parser nor measure sees a change, USim is 1 for right and wrong alike: no threshold
tells those apart, and their share is in the table.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments import assistant
from experiments.common.command import SHARED, Command, Option
from experiments.common.corrections import random_others, read_corrections
from experiments.common.scores import PairScores
from experiments.common.statistics import Values, auc
from experiments.common.study import Study
from experiments.unfaithfulness import degraded
from usim.benchmarks import swords
from usim.errors import InputError
from usim.report.tables import Row, Table
from usim.text import sentence_around
from usim.text.files import read_json

TextPair = tuple[str, str]
#: The shares of the right changes that thresholds keep.
KEPT = (0.99, 0.95, 0.9)


def swords_pairs(path: Path) -> tuple[list[TextPair], list[TextPair]]:
    """Return sentences before and after a right substitute, and before and after a wrong one."""
    gold = swords.read_gold(path)
    data = read_json(path)
    right: list[TextPair] = []
    wrong: list[TextPair] = []
    for tid, target in gold.items():
        place = data["targets"][tid]
        text, start = data["contexts"][place["context_id"]]["context"], place["offset"]
        end = start + len(target.word)
        begin, stop = sentence_around(text, start, end)
        for substitute, share in swords.positive_shares(target).items():
            pair = text[begin:stop].strip(), f"{text[begin:start]}{substitute}{text[end:stop]}".strip()
            if share > swords.THRESHOLDS["a"]:
                right.append(pair)
            elif share == 0:
                wrong.append(pair)
    return right, wrong


def corrections(folder: Path, seed: int) -> tuple[list[TextPair], dict[str, list[TextPair]]]:
    """Return sentences with their corrections, and with corrections that were damaged, by kind."""
    corpus = read_corrections(folder, "dev")
    right = [(source, r[i]) for r in corpus.references.values() for i, source in enumerate(corpus.sources)]
    first = next(iter(corpus.references.values()))
    damaged: dict[str, list[TextPair]] = {}
    for name, way, rate in (
        ("20 % dropped", "drop", 0.2),
        ("20 % swapped", "swap", 0.2),
        ("50 % dropped", "drop", 0.5),
    ):
        texts = [degraded(text, way, [rate], seed=seed + i)[0] for i, text in enumerate(first)]
        damaged[name] = list(zip(corpus.sources, texts, strict=True))
    damaged["of another sentence"] = list(zip(corpus.sources, random_others(first, seed), strict=True))
    return right, damaged


def row(name: str, right: Values, wrong: Values) -> Row:
    """Compute a row: how many, shares of USim 1, AUC, and for each of :data:`KEPT` the threshold and what it drops."""
    cells: list[float | str | int | None] = [name, len(right), len(wrong)]
    cells += [float((right >= 1).mean()), float((wrong >= 1).mean()), auc(right, wrong)]
    for share in KEPT:
        threshold = float(np.sort(right)[int((1 - share) * len(right))])
        cells += [threshold, float((wrong < threshold).mean())]
    return tuple(cells)


def run(
    scores: PairScores,
    *,
    swords_file: Path | None = None,
    folder: Path | None = None,
    harper: bool = True,
    limit: int = 400,
    seed: int = 0,
) -> Study:
    """Study the data that are given; so many right and so many wrong changes of a kind are drawn."""
    rng = np.random.default_rng(seed)

    def drawn(pairs: Sequence[TextPair]) -> Values:
        changed = [pair for pair in dict.fromkeys(pairs) if pair[0].split() != pair[1].split()]
        chosen = sorted(rng.permutation(len(changed))[:limit].tolist())
        return scores([changed[k] for k in chosen])["usim"]

    rows: list[Row] = []
    if swords_file is not None:
        right, wrong = map(drawn, swords_pairs(swords_file))
        rows.append(row("SWORDS: a word replaced", right, wrong))
    if folder is not None:
        if harper:
            suggested = assistant.suggestions(assistant.read_sentences(folder, "dev"))
            right, wrong = (drawn([(s.source, s.target) for s in suggested if s.label == right]) for right in (1, 0))
            rows.append(row("Harper: a suggestion", right, wrong))
        valid, damaged = corrections(folder, seed)
        right = drawn(valid)
        rows += [row(f"corrections: {name}", right, drawn(pairs)) for name, pairs in damaged.items()]
    if not rows:
        raise InputError("no data: give --swords FILE, --folder DIR or both")
    header = ["changes", "right", "wrong", "right with USim 1", "wrong with USim 1", "AUC"]
    for share in KEPT:
        header += [f"keeps {share:.0%}", "wrong dropped"]
    table = Table("structure", "USim alone: what thresholds keep and drop", tuple(header), tuple(rows), digits=3)
    settings = {"swords": swords_file, "folder": folder, "limit": limit, "seed": seed}
    return Study("structure", "What is USim worth alone?", (table,), scores.signatures, settings)


main = Command(
    run,
    Option(
        "--swords",
        dest="swords_file",
        type=Path,
        metavar="SWORDS",
        help="the SWORDS data, e.g. swords-v1.1_dev.json.gz",
    ),
    Option("--folder", type=Path, help="JFLEG dev: dev.src, dev.ref0, …"),
    Option("--limit", type=int, default=400, help="how many right and wrong changes of a kind (default: %(default)s)"),
    Option("--without-harper", dest="harper", action="store_false", help="leave out the suggestions of Harper"),
    shared=[name for name in SHARED if name != "resamples"],
    measures=("usim",),
)

if __name__ == "__main__":
    sys.exit(main())
