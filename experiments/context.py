"""Does the text around a sentence help the judge?

    python -m experiments context [--data DIR] [--model NAME] [--limit 600] [--only SET …] [--out DIR]

Pairs that have text around them are judged three times: each sentence by itself, in its text
(:class:`usim.text.Context`), and, to see how much it matters which text it is, in the text of another pair. Of data
that training uses, the sets have the parts that it holds out. A set whose file is not in ``--data`` is left out.
Intervals come from drawing contexts, talks and sentences again, the same for all ways of reading.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments import assistant
from experiments.common.command import SHARED, Command, Option
from experiments.common.statistics import Draws, Places
from experiments.common.study import Study
from experiments.judges import Judged, PairSet, Source, area, average_precision, read
from judges.data import Pair, mqm, swords, written
from usim.judge import AnalysisCache
from usim.options import Options
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.text import Context, context_between

PAIRS = Path(__file__).with_name("context_pairs.tsv")
#: The ways of reading, in the order of the table.
ALONE, WITHIN, ELSEWHERE = WAYS = ("alone", "in its text", "in another text")
#: So many sentences on both sides are the text of a learner's sentence.
_NEIGHBOURS = 6
#: So many pairs are judged together.
_BLOCK = 256


def _of_assistant(source: Source) -> list[Pair]:
    sentences = assistant.read_sentences(source.file("bea-dev/bea-dev.m2"))
    texts = [sentence.text for sentence in sentences]
    around = {
        str(n): {
            "before": " ".join(texts[max(0, n - _NEIGHBOURS) : n]),
            "after": " ".join(texts[n + 1 : n + 1 + _NEIGHBOURS]),
        }
        for n in range(len(texts))
    }
    return [replace(pair, **around[pair.group], key="") for pair in assistant.suggestions(sentences)]


def in_order(judged: Judged) -> Callable[[Places], float]:
    """Prepare the share of pairs that are more faithful in the first of their two texts; equal ones count half."""
    apart = judged.said[::2] - judged.said[1::2]
    return lambda places: float(((np.sign(apart[places[places % 2 == 0] // 2]) + 1) / 2).mean())


#: The sets: how their pairs are read, and what is measured on them.
SETS: Mapping[str, PairSet] = {
    "pairs": PairSet("pairs", lambda source: list(written(PAIRS)), {"right order": in_order, "AUC": area}),
    "swords": PairSet(
        "swords",
        lambda source: [pair for pair in swords(source.file("swords/swords-v1.1_dev.json.gz")) if pair.is_held_out],
        {"AUC": area, "GAP": average_precision},
    ),
    "translations": PairSet(
        "translations",
        lambda source: [p for p in mqm(source.file("mqm/mqm-ted-zhen.tsv.gz"), random.Random(0)) if p.is_held_out],
        {"AUC": area},
    ),
    "assistant": PairSet("assistant", _of_assistant, {"AUC": area}),
}


def contexts(pairs: Sequence[Pair]) -> Mapping[str, list[Context | None]]:
    """Return the contexts of pairs for each way of reading; another text is that of a pair half of the groups away."""
    own = [context_between(pair.before, pair.after) for pair in pairs]
    of_group = {pair.group: context for pair, context in zip(pairs, own, strict=True)}
    groups = list(of_group)
    other = {group: of_group[groups[(k + len(groups) // 2) % len(groups)]] for k, group in enumerate(groups)}
    return {ALONE: [None] * len(pairs), WITHIN: own, ELSEWHERE: [other[pair.group] for pair in pairs]}


def run(sets: Mapping[str, Sequence[Pair]], scorer: Scorer, *, seed: int = 0, resamples: int = 1000) -> Study:
    """Study sets of pairs, by their names in :data:`SETS`."""
    rows: list[Row] = []
    for name, pairs in sets.items():
        judged, costs = {}, {}
        for way, around in contexts(pairs).items():
            scorer.sources = AnalysisCache()
            began = time.process_time()
            triples = [(pair.source, pair.target, context) for pair, context in zip(pairs, around, strict=True)]
            said = [result.judgement.faithfulness for result in scorer.score_pairs(triples, batch=_BLOCK)]
            costs[way] = 1000 * (time.process_time() - began) / len(pairs)
            judged[way] = Judged(pairs, np.array(said), scorer.thresholds.drop)
        draws = Draws([pair.group for pair in pairs], resamples, seed)
        for figure, prepare in SETS[name].figures.items():
            ready = {way: prepare(own) for way, own in judged.items()}
            for way in WAYS:
                change = draws.interval(_change(ready[way], ready[ALONE]))
                rows.append((name, len(pairs), figure, way, draws.interval(ready[way]), change, costs[way]))
    table = Table(
        "context",
        "Pairs judged by themselves, in their text, and in the text of others",
        ("pairs", "number", "figure", "read", "value", "change", "ms a pair"),
        tuple(rows),
        "[95% interval]; change: against alone; ms: time of the processor, parser and judge included",
    )
    return Study(
        "context",
        "Does the text around a sentence help the judge?",
        (table,),
        {"judge": scorer.signature},
        {"seed": seed, "resamples": resamples},
    )


def _change(figure: Callable[[Places], float], before: Callable[[Places], float]) -> Callable[[Places], float]:
    return lambda places: figure(places) - before(places)


def _run(
    data: Path, model: str, limit: int | None, only: Sequence[str], threads: int, seed: int, resamples: int
) -> Study:
    sets = read(Source(data, (), limit, seed), only, SETS)
    scorer = Scorer.from_options(Options(model=model, threads=threads))
    return run(sets, scorer, seed=seed, resamples=resamples)


main = Command(
    _run,
    Option("--data", type=Path, default=Path(), metavar="DIR", help="the data, as 'experiments data' fetches them"),
    Option("--model", default="en", help="the model (default: %(default)s)"),
    Option("--limit", type=int, metavar="N", help="about so many pairs of each set; by default all"),
    Option("--only", action="append", choices=SETS, help="one set; again for more"),
    shared=[name for name in SHARED if name not in ("parser", "judge", "store")],
)

if __name__ == "__main__":
    sys.exit(main())
