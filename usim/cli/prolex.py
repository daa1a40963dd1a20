"""``usim prolex``: the scorer of ProLex."""

from __future__ import annotations

import click

from usim.benchmarks import prolex
from usim.cli.benchmark import emit, refuse_standard_input, scorer_options
from usim.cli.benchmark_screening import ScreenOptions, emit_screened, screen_options
from usim.lexicon import FirstWordLemmatiser, SpacyFirstWordLemmatiser, WordNetLemmatiser


@click.command("prolex")
@click.argument("gold_file", metavar="GOLD")
@click.argument("prediction_file", metavar="PRED")
@click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="Substitutes of a target that count.")
@click.option(
    "--lemmatiser",
    metavar="NAME",
    default="wordnet",
    show_default=True,
    help="Of the soft setting: wordnet, or spacy (as published), or spacy:PIPELINE.",
)
@screen_options
@scorer_options
def command(
    gold_file: str,
    prediction_file: str,
    k: int,
    lemmatiser: str,
    form: str,
    resamples: int,
    confidence: float,
    seed: int,
    screening: ScreenOptions | None,
) -> None:
    """Score a system on ProLex: acceptability and proficiency, hard and soft.

    GOLD is the benchmark's CSV file. PRED is a CSV file with a column Substitutes ("a, b, c"), in the order of GOLD, or
    lines as those of ParaLS ("word.POS number ::: a;b;c"); - is standard input.

    With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and without
    those to be dropped.

    Exit code: 0 done, 2 something could not be read or does not fit.
    """
    refuse_standard_input(gold_file, "GOLD")
    kind, _, pipeline = lemmatiser.partition(":")
    if kind not in ("wordnet", "spacy") or (kind == "wordnet" and pipeline):
        raise click.BadParameter(f"{lemmatiser!r} is not wordnet, spacy or spacy:PIPELINE", param_hint="--lemmatiser")
    gold = prolex.read_gold(gold_file)
    predictions = prolex.read_predictions(prediction_file, gold)
    lemmatise: FirstWordLemmatiser | SpacyFirstWordLemmatiser
    if kind == "spacy":
        lemmatise = SpacyFirstWordLemmatiser(pipeline or "en_core_web_sm")
    else:
        lemmatise = FirstWordLemmatiser(WordNetLemmatiser.shipped())
    if screening is not None:
        from usim.benchmarks.screening import screen_prolex

        effect = screen_prolex(
            gold,
            predictions,
            screening.screen(),
            k=k,
            lemmatise=lemmatise,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
        )
        emit_screened(effect, form, screening)
        return
    result = prolex.score(
        gold, predictions, k=k, lemmatise=lemmatise, resamples=resamples, confidence=confidence, seed=seed
    )
    emit(result, form)
