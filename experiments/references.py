"""Are people's own corrections kept?

    python -m experiments references --data DIR [FILE.m2 …] [--part dev] [--out DIR]

Of a folder in the form of JFLEG, each correction by people that changes its source is judged: which share is kept,
reviewed and dropped, and the mean faithfulness beside that of systems' outputs. Of a folder
and of an M2 file, each correction of a single misspelt word is judged by itself: it alone is put into the learner's
sentence. A correction rewrites now and then, so not all of them ought to be kept; docs/explanation/numbers.md says how
many, by two readers. Intervals come from drawing the sources again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from experiments.assistant import LEARNERS, Sentence, read_sentences
from experiments.common.command import Command
from experiments.common.corrections import Corrections, read_corrections
from experiments.common.statistics import Draws, Places
from experiments.common.study import Study
from judges.data import Pair
from usim.judge import Judgement
from usim.judge.trained import SHIPPED
from usim.options import Options
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.spelling.edits import find_edits, is_correction, written_words
from usim.spelling.model import WORDS_FILE
from usim.spelling.words import WordTable
from usim.text import tokenise

VERDICTS = ("keep", "review", "drop")
_SHARES = ("kept", "reviewed", "dropped")

Judged = Sequence[tuple[Pair, Judgement]]
JudgePairs = Callable[[Sequence[Pair]], list[Judgement]]


def whole_corrections(corpus: Corrections) -> list[Pair]:
    """Return each source with each of its corrections and outputs; the key of a pair is who made it."""
    outputs = corpus.references | corpus.systems
    return [
        Pair(source, outputs[name][n], 1.0, "references", str(n), key=name)
        for n, source in enumerate(corpus.sources)
        for name in outputs
        if source and outputs[name][n]
    ]


def single_corrections(sentences: Sequence[Sentence], words: WordTable) -> list[Pair]:
    """Return each learner's sentence with one of its misspelt words corrected as people did, each pair once."""
    pairs: dict[tuple[str, str], Pair] = {}
    for number, sentence in enumerate(sentences):
        for target in _with_one_word(sentence, words):
            pairs.setdefault((sentence.text, target), Pair(sentence.text, target, 1.0, "references", str(number)))
    return list(pairs.values())


def _with_one_word(sentence: Sentence, table: WordTable) -> Iterator[str]:
    tokens = tokenise(sentence.text)
    old = written_words([token.text for token in tokens])
    source = [word.text for word in old]
    for reference in sentence.references:
        target = [word.text for word in written_words([token.text for token in tokenise(reference)])]
        for edit in find_edits(source, target):
            (i, j), (k, m) = edit
            if j - i == m - k == 1 and is_correction(table, source, target, edit):
                start, end = tokens[old[i].start].start, tokens[old[i].end - 1].end
                yield sentence.text[:start] + target[k] + sentence.text[end:]


def shares(verdicts: Sequence[str], places: Places) -> list[float]:
    """Return which share of some pairs is kept, reviewed and dropped."""
    drawn = Counter(verdicts[place] for place in places.tolist())
    return [drawn[verdict] / max(1, len(places)) for verdict in VERDICTS]


def run(
    data: Sequence[Path],
    judge: JudgePairs,
    *,
    part: str | None = None,
    signatures: Mapping[str, str] | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Study folders in the form of JFLEG and M2 files; ``judge`` judges pairs."""
    table = WordTable(SHIPPED / "corrections" / WORDS_FILE)
    rows: list[Row] = []
    means: list[Row] = []
    for path in data:
        if path.is_dir():
            pairs = whole_corrections(read_corrections(path, part))
            judged = list(zip(pairs, judge(pairs), strict=True))
            changed = [(p, j) for p, j in judged if p.source != p.target and p.key.startswith("ref")]
            rows.append(_verdicts(path.name, "whole corrections", changed, seed, resamples))
            means += _means(path.name, judged, seed, resamples)
        single = single_corrections(read_sentences(path, part), table)
        if single:
            of_single = list(zip(single, judge(single), strict=True))
            rows.append(_verdicts(path.name, "single misspelt words", of_single, seed, resamples))
    tables = [
        Table(
            "verdicts",
            "People's corrections",
            ("data", "corrections", "pairs", *_SHARES),
            tuple(rows),
            "share [95% interval]; whole corrections: those that change their source",
        )
    ]
    if means:
        of_means = ("data", "by", "pairs", "unchanged", "mean", *_SHARES)
        tables.append(Table("means", "Faithfulness of references and of systems", of_means, tuple(means), "all pairs"))
    return Study(
        "references",
        "Are people's own corrections kept?",
        tuple(tables),
        dict(signatures or {}),
        {"data": [str(path) for path in data], "part": part, "seed": seed, "resamples": resamples},
    )


def _verdicts(name: str, what: str, judged: Judged, seed: int, resamples: int) -> Row:
    verdicts = [judgement.verdict for _, judgement in judged]
    draws = Draws([pair.group for pair, _ in judged], resamples, seed)
    return (name, what, len(judged), *draws.intervals(partial(shares, verdicts)))


def _means(name: str, judged: Judged, seed: int, resamples: int) -> Iterator[Row]:
    """Yield a row for all references, for each of them, and for each system."""
    makers = sorted({pair.key for pair, _ in judged}, key=lambda key: (not key.startswith("ref"), key))
    references = [key for key in makers if key.startswith("ref")]
    for title, keys in [("references", references), *((key, [key]) for key in makers)]:
        own = [both for both in judged if both[0].key in keys]
        said = np.array([judgement.faithfulness for _, judgement in own])
        draws = Draws([pair.group for pair, _ in own], resamples, seed)
        verdicts = [judgement.verdict for _, judgement in own]
        unchanged = sum(pair.source == pair.target for pair, _ in own) / len(own)
        mean = draws.interval(lambda places, said=said: float(said[places].mean()))  # type: ignore[misc]
        yield (name, title, len(own), unchanged, mean, *shares(verdicts, np.arange(len(own))))


def _run(data: Sequence[Path], options: Options, **settings: Any) -> Study:
    scorer = Scorer(options=options)

    def judge(pairs: Sequence[Pair]) -> list[Judgement]:
        return [one.judgement for one in scorer.score_pairs((pair.source, pair.target) for pair in pairs)]

    return run(data, judge, signatures={"judge": str(scorer.signature)}, **settings)


main = Command(_run, *LEARNERS)
