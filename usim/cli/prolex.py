"""``usim prolex``: the scorer of ProLex."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from usim.benchmarks import prolex
from usim.cli.benchmark import RANKING, scorer_command
from usim.lexicon import FirstWordLemmatiser, SpacyFirstWordLemmatiser, WordNetLemmatiser, load_levels

if TYPE_CHECKING:
    from usim.benchmarks.ranking import Ranker
    from usim.benchmarks.result import Bootstrap, Comparison, Result
    from usim.benchmarks.screening import Effect
    from usim.screen import Screen


@scorer_command(
    "prolex",
    click.option(
        "-k", type=click.IntRange(1), default=10, show_default=True, help="Substitutes of a target that count."
    ),
    click.option(
        "--lemmatiser", metavar="NAME", default="wordnet", show_default=True,
        help="Of the soft setting: wordnet, or spacy (as published), or spacy:PIPELINE.",
    ),
    click.option(
        "--levels", metavar="NAME",
        help="Which substitutes are proficient: by cefrpy, or by a file of levels.  [default: as GOLD says]",
    ),
    RANKING,
    needs_predictions=False,
)  # fmt: skip
def command(
    gold_file: str,
    prediction_file: str | None,
    k: int,
    lemmatiser: str,
    levels: str | None,
    ranking: bool,
    make_screen: Callable[[], Screen] | None,
    make_ranker: Callable[[], Ranker] | None,
    bootstrap: Bootstrap,
) -> Result | Effect | Comparison:
    """Score a system on ProLex: acceptability and proficiency, hard and soft.

    GOLD is the benchmark's CSV file. PRED is a CSV file with a column Substitutes ("a, b, c"), in the order of GOLD, or
    lines as those of ParaLS ("word.POS number ::: a;b;c"); - is standard input.

    With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and without
    those to be dropped. With --rerank it is scored before and after its lists are put into the judge's order. With
    --ranking, PRED is left out and the judge itself is scored: GAP of all substitutes that people judged.

    Exit code: 0 done, 2 something could not be read or does not fit.
    """
    kind, _, pipeline = lemmatiser.partition(":")
    if kind not in ("wordnet", "spacy") or (kind == "wordnet" and pipeline):
        raise click.BadParameter(f"{lemmatiser!r} is not wordnet, spacy or spacy:PIPELINE", param_hint="--lemmatiser")
    rated = None if levels is None else load_levels(levels)
    parts = {} if rated is None else {"levels": rated.name}
    gold = prolex.read_gold(gold_file, rated)
    lemmatise: FirstWordLemmatiser | SpacyFirstWordLemmatiser
    if kind == "spacy":
        lemmatise = SpacyFirstWordLemmatiser(pipeline or "en_core_web_sm")
    else:
        lemmatise = FirstWordLemmatiser(WordNetLemmatiser.shipped())
    if ranking:
        if prediction_file is not None:
            raise click.UsageError("--ranking ranks the substitutes of GOLD: leave out PRED")
        from usim.benchmarks.ranking import rank_prolex

        assert make_ranker is not None
        return rank_prolex(gold, make_ranker(), lemmatise=lemmatise, parts=parts, **bootstrap)
    if prediction_file is None:
        raise click.UsageError("PRED is missing: give the system's output (GOLD alone will do for --ranking)")
    predictions = prolex.read_predictions(prediction_file, gold)
    if make_ranker is not None:
        from usim.benchmarks.ranking import rerank_prolex

        return rerank_prolex(gold, predictions, make_ranker(), k=k, lemmatise=lemmatise, parts=parts, **bootstrap)
    if make_screen is None:
        return prolex.score(gold, predictions, k=k, lemmatise=lemmatise, parts=parts, **bootstrap)
    from usim.benchmarks.screening import screen_prolex

    return screen_prolex(gold, predictions, make_screen(), k=k, lemmatise=lemmatise, parts=parts, **bootstrap)
