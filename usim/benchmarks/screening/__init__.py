"""What screening is worth on a system's own output: the scorers of the three benchmarks before and after.

Each suggestion is judged in its sentence (:class:`usim.screen.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both. :class:`Effect` says how the figures changed, with
paired bootstrap intervals, and which suggestions were dropped rightly and wrongly.

- :mod:`usim.benchmarks.screening.cases`: what is suggested, and what the gold data say of it;
- :mod:`usim.benchmarks.screening.curve`: what every threshold would do;
- :mod:`usim.benchmarks.screening.report`: the two put side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.screening.cases import (
    LABELS,
    Case,
    Key,
    Label,
    prolex_cases,
    prolex_without,
    swords_cases,
    swords_without,
    sws_cases,
    sws_without,
)
from usim.benchmarks.screening.curve import Point, as_tsv, at_kept, curve
from usim.benchmarks.screening.report import (
    Count,
    Effect,
    Opinion,
    Opinions,
    Screening,
    Suggested,
    dropped,
    opinions,
    report,
)
from usim.lexicon import Lemmatise
from usim.suggestions.swords import Target as Context

__all__ = [
    "LABELS",
    "Case",
    "Count",
    "Effect",
    "Key",
    "Label",
    "Opinion",
    "Opinions",
    "Point",
    "Screening",
    "Suggested",
    "as_tsv",
    "at_kept",
    "curve",
    "dropped",
    "opinions",
    "prolex_cases",
    "report",
    "screen_prolex",
    "screen_swords",
    "screen_sws",
    "swords_cases",
    "sws_cases",
]


def screen_sws(
    gold: sws.Gold,
    predictions: sws.Predictions,
    screen: Screening,
    *,
    definition: sws.Definition = sws.SCRIPT,
    parts: Mapping[str, object] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Effect:
    """A system on Smart Word Suggestions before and after screening.

    Args:
        gold, predictions, definition: as for :func:`usim.benchmarks.sws.score`.
        screen: who judges the suggestions, a :class:`usim.screen.Screen`.
        parts: what else the signature says, before the definition.
        resamples, confidence, seed: of the bootstrap intervals over sentences; no intervals with 0 resamples.

    Raises:
        InputError: no sentence, or predictions for a sentence that is not in the gold data.
    """
    before = sws.tally(gold, predictions, definition=definition, parts=parts or {})
    cases = sws_cases(gold, predictions)
    said = opinions(cases, screen)
    left = sws_without(predictions, dropped(said))
    after = sws.tally(gold, left, definition=definition, parts=parts or {})
    return report(
        before, after, cases, said, screen=screen.signature, resamples=resamples, confidence=confidence, seed=seed
    )


def screen_prolex(
    gold: prolex.Gold,
    predictions: prolex.Predictions,
    screen: Screening,
    *,
    k: int = 10,
    lemmatise: Callable[[str], str] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Effect:
    """A system on ProLex before and after screening.

    Args:
        gold, predictions, k, lemmatise: as for :func:`usim.benchmarks.prolex.score`.
        screen, resamples, confidence, seed: as for :func:`screen_sws`; the intervals are over targets.

    Raises:
        InputError: no target, predictions for a target that is not in the gold data, or a sentence without its target.
    """
    before = prolex.tally(gold, predictions, k=k, lemmatise=lemmatise)
    cases = prolex_cases(gold, predictions, lemmatise=lemmatise)
    said = opinions(cases, screen)
    after = prolex.tally(gold, prolex_without(predictions, dropped(said)), k=k, lemmatise=lemmatise)
    return report(
        before, after, cases, said, screen=screen.signature, resamples=resamples, confidence=confidence, seed=seed
    )


def screen_swords(
    gold: swords.Gold,
    predictions: swords.Predictions,
    contexts: Mapping[str, Context],
    screen: Screening,
    *,
    ks: Iterable[int] = (10, 1),
    lemmatise: Lemmatise | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Effect:
    """A system on SWORDS before and after screening; the benchmark's figures and precisions are in per cent.

    Args:
        gold, predictions, ks, lemmatise: as for :func:`usim.benchmarks.swords.score`.
        contexts: the texts of the targets, of :func:`usim.suggestions.swords.read_targets`.
        screen, resamples, confidence, seed: as for :func:`screen_sws`; the intervals are over targets.

    Raises:
        InputError: nothing to score, predictions for a target that is not in the gold data, a target without context.
    """
    ks = tuple(ks)
    before = swords.tally(gold, predictions, ks=ks, lemmatise=lemmatise)
    cases = swords_cases(gold, predictions, contexts, lemmatise=lemmatise)
    said = opinions(cases, screen)
    after = swords.tally(gold, swords_without(predictions, dropped(said)), ks=ks, lemmatise=lemmatise)
    return report(
        before,
        after,
        cases,
        said,
        scale=100,
        screen=screen.signature,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
