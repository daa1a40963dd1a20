"""What screening is worth on a system's own output: the scorers of the three benchmarks before and after.

Each suggestion is judged in its sentence (:class:`usim.screening.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both. :class:`Screened` says how the figures changed, with
paired bootstrap intervals, and which suggestions were dropped rightly and wrongly.

- :mod:`usim.screened.cases`: what is suggested, and what the gold data say of it;
- :mod:`usim.screened.curve`: what every threshold would do;
- :mod:`usim.screened.report`: the two put side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from usim.scorers import prolex, swords, sws
from usim.scorers.lemma import Lemmatise
from usim.screened.cases import (
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
from usim.screened.curve import Point, as_tsv, at_kept, curve
from usim.screened.report import Count, Opinion, Opinions, Screened, dropped, report
from usim.suggestions.swords import Target as Context

__all__ = [
    "LABELS",
    "Case",
    "Count",
    "Key",
    "Label",
    "Opinion",
    "Opinions",
    "Point",
    "Screened",
    "as_tsv",
    "at_kept",
    "curve",
    "dropped",
    "prolex_cases",
    "report",
    "screen_prolex",
    "screen_swords",
    "screen_sws",
    "swords_cases",
    "sws_cases",
]

#: From cases to what a judge says of their suggestions, and a name for the signature.
Judging = Callable[[Sequence[Case]], Opinions]


def screen_sws(
    gold: sws.Gold,
    predictions: sws.Predictions,
    judging: Judging,
    *,
    definition: sws.Definition = sws.SCRIPT,
    parts: Mapping[str, object] | None = None,
    screen: str = "",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Screened:
    """A system on Smart Word Suggestions before and after screening.

    Args:
        gold, predictions, definition: as for :func:`usim.scorers.sws.score`.
        judging: who judges the suggestions, e.g. of :func:`usim.screened.judging.by_screen`.
        parts: what else the signature says, before the definition.
        screen: how it is judged, for the signature.
        resamples, confidence, seed: of the bootstrap intervals over sentences; no intervals with 0 resamples.

    Raises:
        InputError: no sentence, or predictions for a sentence that is not in the gold data.
    """
    before = sws.tally(gold, predictions, definition=definition, parts=parts or {})
    cases = sws_cases(gold, predictions)
    opinions = judging(cases)
    left = sws_without(predictions, dropped(opinions))
    after = sws.tally(gold, left, definition=definition, parts=parts or {})
    return report(before, after, cases, opinions, screen=screen, resamples=resamples, confidence=confidence, seed=seed)


def screen_prolex(
    gold: prolex.Gold,
    predictions: prolex.Predictions,
    judging: Judging,
    *,
    k: int = 10,
    lemmatise: Callable[[str], str] | None = None,
    screen: str = "",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Screened:
    """A system on ProLex before and after screening.

    Args:
        gold, predictions, k, lemmatise: as for :func:`usim.scorers.prolex.score`.
        judging, screen, resamples, confidence, seed: as for :func:`screen_sws`; the intervals are over targets.

    Raises:
        InputError: no target, predictions for a target that is not in the gold data, or a sentence without its target.
    """
    before = prolex.tally(gold, predictions, k=k, lemmatise=lemmatise)
    cases = prolex_cases(gold, predictions, lemmatise=lemmatise)
    opinions = judging(cases)
    after = prolex.tally(gold, prolex_without(predictions, dropped(opinions)), k=k, lemmatise=lemmatise)
    return report(before, after, cases, opinions, screen=screen, resamples=resamples, confidence=confidence, seed=seed)


def screen_swords(
    gold: swords.Gold,
    predictions: swords.Predictions,
    contexts: Mapping[str, Context],
    judging: Judging,
    *,
    ks: Iterable[int] = (10, 1),
    lemmatise: Lemmatise | None = None,
    screen: str = "",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Screened:
    """A system on SWORDS before and after screening; the benchmark's figures and precisions are in per cent.

    Args:
        gold, predictions, ks, lemmatise: as for :func:`usim.scorers.swords.score`.
        contexts: the texts of the targets, of :func:`usim.suggestions.swords.read_targets`.
        judging, screen, resamples, confidence, seed: as for :func:`screen_sws`; the intervals are over targets.

    Raises:
        InputError: nothing to score, predictions for a target that is not in the gold data, a target without context.
    """
    ks = tuple(ks)
    before = swords.tally(gold, predictions, ks=ks, lemmatise=lemmatise)
    cases = swords_cases(gold, predictions, contexts, lemmatise=lemmatise)
    opinions = judging(cases)
    after = swords.tally(gold, swords_without(predictions, dropped(opinions)), ks=ks, lemmatise=lemmatise)
    return report(
        before,
        after,
        cases,
        opinions,
        scale=100,
        screen=screen,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
