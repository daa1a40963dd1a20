"""``usim sws``: the scorer of Smart Word Suggestions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from usim.benchmarks import sws
from usim.cli.benchmark import scorer_command

if TYPE_CHECKING:
    from usim.benchmarks.ranking import Ranker
    from usim.benchmarks.result import Bootstrap, Comparison, Result
    from usim.benchmarks.screening import Effect
    from usim.screen import Screen


@scorer_command(
    "sws",
    click.option(
        "--definition", type=click.Choice(list(sws.DEFINITIONS)), default="script", show_default=True,
        help="script: as the authors' script and tables; paper: as the text of the paper, with accuracy by sentence.",
    ),
    click.option(
        "--ndcg-m", type=click.IntRange(1), help="Positions that NDCG counts.  [paper: 5; script: those filled]"
    ),
    click.option("--ndcg-gain", type=click.Choice(list(sws.GAINS)), help="What a suggestion gains.  [default: votes]"),
    click.option(
        "--ndcg-discount", type=click.Choice(list(sws.DISCOUNTS)), help="What a position discounts.  [default: log2]"
    ),
    click.option(
        "--ndcg-pad", type=click.IntRange(0), metavar="N",
        help="Count lists shorter than N as filled up with suggestions that nobody made: 10 in the published outputs.",
    ),
    needs_predictions=False,
)  # fmt: skip
def command(
    gold_file: str,
    prediction_file: str | None,
    definition: str,
    ndcg_m: int | None,
    ndcg_gain: str | None,
    ndcg_discount: str | None,
    ndcg_pad: int | None,
    make_screen: Callable[[], Screen] | None,
    make_ranker: Callable[[], Ranker] | None,
    bootstrap: Bootstrap,
) -> Result | Effect | Comparison:
    """Score a system on Smart Word Suggestions: detection, suggestion, end to end.

    GOLD is the benchmark's JSON file, PRED the system's output in the form of the published scorer (input_words,
    substitute_topk); - is standard input. If GOLD holds what single annotators wrote ("annotations" in place of
    "substitutes"), their agreement is reported, and they are merged for PRED, which may then be left out.

    With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and without
    those to be dropped. With --rerank it is scored before and after its lists are put into the judge's order.

    Exit code: 0 done, 2 something could not be read or does not fit.
    """
    agreed = None
    if sws.is_annotation_file(gold_file):
        annotations = sws.read_annotations(gold_file)
        if prediction_file is None:
            if make_screen is not None or make_ranker is not None:
                raise click.UsageError("PRED is missing: there is nothing to screen or to rerank")
            return sws.report_agreement(annotations)
        gold, agreed = sws.merge(annotations), sws.agreement(annotations)
    else:
        if prediction_file is None:
            raise click.UsageError("PRED is missing: give the system's output (GOLD alone will do for raw annotations)")
        gold = sws.read_gold(gold_file)
    predictions = sws.read_predictions(prediction_file, gold)
    defined = sws.DEFINITIONS[definition].with_ndcg(m=ndcg_m, gain=ndcg_gain, discount=ndcg_discount, pad=ndcg_pad)
    parts = {} if agreed is None else {"gold": "merged"}
    if make_ranker is not None:
        from usim.benchmarks.ranking import rerank_sws

        return rerank_sws(gold, predictions, make_ranker(), definition=defined, parts=parts, **bootstrap)
    if make_screen is None:
        return sws.score(gold, predictions, definition=defined, agreed=agreed, **bootstrap)
    from usim.benchmarks.screening import screen_sws

    return screen_sws(gold, predictions, make_screen(), definition=defined, parts=parts, **bootstrap)
