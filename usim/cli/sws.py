"""``usim sws``: the scorer of Smart Word Suggestions."""

from __future__ import annotations

import click

from usim.benchmarks import sws
from usim.cli.benchmark import emit, refuse_standard_input, scorer_options
from usim.cli.benchmark_screening import ScreenOptions, emit_screened, screen_options


@click.command("sws")
@click.argument("gold_file", metavar="GOLD")
@click.argument("prediction_file", metavar="PRED", required=False)
@click.option(
    "--definition",
    type=click.Choice(list(sws.DEFINITIONS)),
    default="script",
    show_default=True,
    help="Score as the published script does, or as the paper defines it.",
)
@click.option("--ndcg-m", type=click.IntRange(1), help="Positions that NDCG counts.  [paper: 5; script: those filled]")
@click.option("--ndcg-gain", type=click.Choice(list(sws.GAINS)), help="What a suggestion gains.  [default: votes]")
@click.option(
    "--ndcg-discount", type=click.Choice(list(sws.DISCOUNTS)), help="What a position discounts.  [default: log2]"
)
@screen_options
@scorer_options
def command(
    gold_file: str,
    prediction_file: str | None,
    definition: str,
    ndcg_m: int | None,
    ndcg_gain: str | None,
    ndcg_discount: str | None,
    form: str,
    resamples: int,
    confidence: float,
    seed: int,
    screening: ScreenOptions | None,
) -> None:
    """Score a system on Smart Word Suggestions: detection, suggestion, end to end.

    GOLD is the benchmark's JSON file, PRED the system's output in the form of the published scorer (input_words,
    substitute_topk); - is standard input. If GOLD holds what single annotators wrote ("annotations" in place of
    "substitutes"), their agreement is reported, and they are merged for PRED, which may then be left out.

    With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and without
    those to be dropped.

    Exit code: 0 done, 2 something could not be read or does not fit.
    """
    refuse_standard_input(gold_file, "GOLD")
    agreed = None
    if sws.is_annotation_file(gold_file):
        annotations = sws.read_annotations(gold_file)
        if prediction_file is None:
            if screening is not None:
                raise click.UsageError("PRED is missing: there is nothing to screen")
            emit(sws.report_agreement(annotations), form)
            return
        gold, agreed = sws.merge(annotations), sws.agreement(annotations)
    else:
        if prediction_file is None:
            raise click.UsageError("PRED is missing: give the system's output (GOLD alone will do for raw annotations)")
        gold = sws.read_gold(gold_file)
    predictions = sws.read_predictions(prediction_file, gold)
    defined = sws.DEFINITIONS[definition].with_ndcg(m=ndcg_m, gain=ndcg_gain, discount=ndcg_discount)
    if screening is not None:
        from usim.benchmarks.screening import screen_sws

        effect = screen_sws(
            gold,
            predictions,
            screening.screen(),
            definition=defined,
            parts={} if agreed is None else {"gold": "merged"},
            resamples=resamples,
            confidence=confidence,
            seed=seed,
        )
        emit_screened(effect, form, screening)
        return
    result = sws.score(
        gold,
        predictions,
        definition=defined,
        agreed=agreed,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    emit(result, form)
