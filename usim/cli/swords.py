"""``usim swords``: the scorer of SWORDS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from usim.benchmarks import swords
from usim.cli.benchmark import RANKING, scorer_command
from usim.cli.output import warn
from usim.lexicon import WordNetLemmatiser

if TYPE_CHECKING:
    from usim.benchmarks.ranking import Ranker
    from usim.benchmarks.result import Bootstrap, Comparison, Result
    from usim.benchmarks.screening import Effect
    from usim.screen import Screen


@scorer_command(
    "swords",
    click.option(
        "-k", "ks", type=click.IntRange(1), multiple=True, default=(10, 1), show_default=True,
        help="Substitutes of a target that count; may be given more than once.",
    ),
    click.option(
        "--agreement", is_flag=True, help="PRED is another annotation of the targets: rank-biased overlap of the two."
    ),
    click.option(
        "--rbo-p", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.9, show_default=True,
        help="Persistence of rank-biased overlap.",
    ),
    click.option(
        "--wordnet", metavar="FOLDER", help="Database files of the WordNet to lemmatise by.  [default: WordNet 3.0]"
    ),
    RANKING,
    click.option(
        "--system", type=click.Choice(["coinco", "rogets", "humans"]),
        help="PRED is published data to score as a system: CoInCo in the form of SWORDS, the pickled thesaurus, "
        "another annotation of the targets.",
    ),
    needs_predictions=False,
)  # fmt: skip
def command(
    gold_file: str,
    prediction_file: str | None,
    ks: tuple[int, ...],
    agreement: bool,
    rbo_p: float,
    wordnet: str | None,
    ranking: bool,
    system: str | None,
    make_screen: Callable[[], Screen] | None,
    make_ranker: Callable[[], Ranker] | None,
    bootstrap: Bootstrap,
) -> Result | Effect | Comparison:
    """Score a system on SWORDS: precision and recall at k, GAP, best and oot, in per cent.

    GOLD is a data set in the SWORDS format (.json or .json.gz). PRED is a JSON file with an object from target ids to
    [[substitute, score], …], alone or under "substitutes", or with the raw answers of GPT-3 or Wordtune as published
    with the data; - is standard input.

    With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and without
    those to be dropped. With --rerank it is scored before and after its lists are put into the judge's order. With
    --ranking, PRED is left out and the judge itself is scored: GAP of all substitutes that people judged.

    Exit code: 0 done, 2 something could not be read or does not fit.
    """
    lemmatise = WordNetLemmatiser.shipped() if wordnet is None else WordNetLemmatiser.from_folder(wordnet)
    gold = swords.read_gold(gold_file)
    if ranking:
        if prediction_file is not None or agreement or system is not None:
            raise click.UsageError("--ranking ranks the substitutes of GOLD: leave out PRED, --agreement and --system")
        from usim.benchmarks.ranking import rank_judged
        from usim.suggestions.swords import read_targets

        assert make_ranker is not None
        return rank_judged(gold, read_targets(gold_file), make_ranker(), lemmatise=lemmatise, **bootstrap)
    if prediction_file is None:
        raise click.UsageError("PRED is missing: give the system's output (GOLD alone will do for --ranking)")
    if agreement and (make_screen is not None or make_ranker is not None or system is not None):
        raise click.UsageError("--agreement compares two annotations: there is nothing to screen or to rerank")
    if agreement:
        other = swords.read_gold(prediction_file)
        return swords.compare_annotations(gold, other, p=rbo_p, lemmatise=lemmatise, **bootstrap)
    predictions = _predictions(prediction_file, gold) if system is None else _system(system, prediction_file, gold_file)
    if missing := len(gold) - len(predictions):
        warn(f"{prediction_file}: {missing} of {len(gold)} targets have no prediction and count as missed")
    ks = tuple(dict.fromkeys(ks))
    if make_screen is None and make_ranker is None:
        return swords.score(gold, predictions, ks=ks, lemmatise=lemmatise, **bootstrap)
    from usim.suggestions.swords import read_targets

    contexts = read_targets(gold_file)
    if make_ranker is not None:
        from usim.benchmarks.ranking import rerank_swords

        return rerank_swords(gold, predictions, contexts, make_ranker(), ks=ks, lemmatise=lemmatise, **bootstrap)
    from usim.benchmarks.screening import screen_swords

    assert make_screen is not None
    return screen_swords(gold, predictions, contexts, make_screen(), ks=ks, lemmatise=lemmatise, **bootstrap)


def _system(system: str, path: str, gold_file: str) -> swords.Predictions:
    """Return published data as the output of a system."""
    from usim.benchmarks.swords_systems import annotated, read_coinco, read_rogets

    if system == "coinco":
        return read_coinco(path, gold_file)
    if system == "rogets":
        return read_rogets(path, gold_file)
    return annotated(swords.read_gold(path))


def _predictions(path: str, gold: swords.Gold) -> swords.Predictions:
    if path == "-" or not swords.are_answers(path):
        return swords.read_predictions(path, gold)
    predictions, unknown = swords.read_answers(path, gold)
    if unknown:
        warn(
            f"{path}: {len(unknown)} of {len(unknown) + len(predictions)} answers are left out, as GOLD does not "
            f"have their targets ({unknown[0]}, …)"
        )
    return predictions
