"""Are people's own corrections kept?

    python -m experiments references --data DIR [FILE.m2 …] [--part dev] [--out DIR]

Of a folder in the form of JFLEG, each correction by people that changes its source is judged: which share is kept,
reviewed and dropped. Of a folder and of an M2 file, each correction of a single misspelt word is judged by itself: it
alone is put into the learner's sentence. A correction rewrites now and then, so not all of them ought to be kept;
docs/explanation/numbers.md says how many, by two readers. Intervals come from drawing the sources again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from experiments.assistant import LEARNERS, Sentence, read_sentences
from experiments.common.command import Command
from experiments.common.corrections import Corrections, read_corrections
from experiments.common.statistics import Draws, Places
from experiments.common.study import Study
from judges.data import Pair
from usim.judge.trained import SHIPPED
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.spelling.edits import find_edits, is_correction, written_words
from usim.spelling.model import WORDS_FILE
from usim.spelling.words import WordTable
from usim.text import tokenise

VERDICTS = ("keep", "review", "drop")


def whole_corrections(corpus: Corrections) -> list[Pair]:
    """Return each source with each correction by people that changes it; the key of a pair is who made it."""
    return [
        Pair(source, texts[n], 1.0, "references", str(n), key=name)
        for n, source in enumerate(corpus.sources)
        for name, texts in corpus.references.items()
        if source and texts[n] not in ("", source)
    ]


def single_corrections(sentences: Sequence[Sentence], words: WordTable) -> list[Pair]:
    """Return each learner's sentence with one of its misspelt words corrected as people did, each pair once."""
    pairs: dict[tuple[str, str], Pair] = {}
    for number, sentence in enumerate(sentences):
        for output in _with_one_word(sentence, words):
            pairs.setdefault((sentence.text, output), Pair(sentence.text, output, 1.0, "references", str(number)))
    return list(pairs.values())


def _with_one_word(sentence: Sentence, table: WordTable) -> Iterator[str]:
    tokens = tokenise(sentence.text)
    old = written_words([token.text for token in tokens])
    source = [word.text for word in old]
    for reference in sentence.references:
        output = [word.text for word in written_words([token.text for token in tokenise(reference)])]
        for edit in find_edits(source, output):
            (i, j), (k, m) = edit
            if j - i == m - k == 1 and is_correction(table, source, output, edit):
                start, end = tokens[old[i].start].start, tokens[old[i].end - 1].end
                yield sentence.text[:start] + output[k] + sentence.text[end:]


def shares(verdicts: Sequence[str], places: Places) -> list[float]:
    """Return which share of some pairs is kept, reviewed and dropped."""
    drawn = Counter(verdicts[place] for place in places.tolist())
    return [drawn[verdict] / max(1, len(places)) for verdict in VERDICTS]


def run(
    data: Sequence[Path], scorer: Scorer, *, part: str | None = None, seed: int = 0, resamples: int = 1000
) -> Study:
    """Study folders in the form of JFLEG and M2 files."""
    table = WordTable(SHIPPED / "corrections" / WORDS_FILE)
    rows: list[Row] = []

    def row(name: str, what: str, pairs: Sequence[Pair]) -> Row:
        results = scorer.score_pairs((pair.source, pair.output) for pair in pairs)
        verdicts = [result.judgement.verdict for result in results]
        draws = Draws([pair.group for pair in pairs], resamples, seed)
        return (name, what, len(pairs), *draws.intervals(partial(shares, verdicts)))

    for path in data:
        if path.is_dir():
            rows.append(row(path.name, "whole corrections", whole_corrections(read_corrections(path, part))))
        single = single_corrections(read_sentences(path, part), table)
        if single:
            rows.append(row(path.name, "single misspelt words", single))
    columns = ("data", "corrections", "pairs", "kept", "reviewed", "dropped")
    note = "share [95% interval]; whole corrections: those that change their source"
    return Study(
        "references",
        "Are people's own corrections kept?",
        (Table("verdicts", "People's corrections", columns, tuple(rows), note),),
        {"judge": str(scorer.signature)},
        {"data": [str(path) for path in data], "part": part, "seed": seed, "resamples": resamples},
    )


main = Command(run, *LEARNERS)
