"""The effect of screening on a system's output: the scorers of the three benchmarks before and after.

Each suggestion is judged in its sentence (:class:`usim.screen.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both. :class:`Effect` says how the figures changed, with
paired bootstrap intervals, and which suggestions were dropped rightly and wrongly.

- :mod:`usim.benchmarks.screening.cases`: the suggestions, and what the gold data say of them;
- :mod:`usim.benchmarks.screening.curve`: the effect of every threshold;
- :mod:`usim.benchmarks.screening.report`: the figures before and after, side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar, Unpack

from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.result import Bootstrap, Tally
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


_Predictions = TypeVar("_Predictions")


def screen_sws(
    gold: sws.Gold,
    predictions: sws.Predictions,
    screen: Screening,
    *,
    definition: sws.Definition = sws.SCRIPT,
    parts: Mapping[str, object] | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Effect:
    """Score a system on Smart Word Suggestions before and after screening.

    Args:
        gold, predictions, definition: as for :func:`usim.benchmarks.sws.score`.
        screen: judges the suggestions; a :class:`usim.screen.Screen`.
        parts: what else the signature says, before the definition.
        bootstrap: settings of the intervals over sentences, see :class:`~usim.benchmarks.result.Bootstrap`.

    Raises:
        InputError: no sentence, or predictions for a sentence that is not in the gold data.
    """
    tally = partial(sws.tally, gold, definition=definition, parts=parts or {})
    return _effect(tally, partial(sws_cases, gold), sws_without, predictions, screen, 1, bootstrap)


def screen_prolex(
    gold: prolex.Gold,
    predictions: prolex.Predictions,
    screen: Screening,
    *,
    k: int = 10,
    lemmatise: Callable[[str], str] | None = None,
    parts: Mapping[str, object] | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Effect:
    """Score a system on ProLex before and after screening.

    Args:
        gold, predictions, k, lemmatise, parts: as for :func:`usim.benchmarks.prolex.score`.
        screen, bootstrap: as for :func:`screen_sws`; the intervals are over targets.

    Raises:
        InputError: no target, predictions for a target that is not in the gold data, or a sentence without its target.
    """
    tally = partial(prolex.tally, gold, k=k, lemmatise=lemmatise, parts=parts)
    cases = partial(prolex_cases, gold, lemmatise=lemmatise)
    return _effect(tally, cases, prolex_without, predictions, screen, 1, bootstrap)


def screen_swords(
    gold: swords.Gold,
    predictions: swords.Predictions,
    contexts: Mapping[str, Context],
    screen: Screening,
    *,
    ks: Iterable[int] = (10, 1),
    lemmatise: Lemmatise | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Effect:
    """Score a system on SWORDS before and after screening; the benchmark's figures and precisions are in per cent.

    Args:
        gold, predictions, ks, lemmatise: as for :func:`usim.benchmarks.swords.score`.
        contexts: the texts of the targets, of :func:`usim.suggestions.swords.read_targets`.
        screen, bootstrap: as for :func:`screen_sws`; the intervals are over targets.

    Raises:
        InputError: nothing to score, predictions for a target that is not in the gold data, a target without context.
    """
    tally = partial(swords.tally, gold, ks=tuple(ks), lemmatise=lemmatise)
    cases = partial(swords_cases, gold, targets=contexts, lemmatise=lemmatise)
    return _effect(tally, cases, swords_without, predictions, screen, 100, bootstrap)


def _effect(
    tally: Callable[[_Predictions], Tally],
    find_cases: Callable[[_Predictions], list[Case]],
    without: Callable[[_Predictions, frozenset[Key]], _Predictions],
    predictions: _Predictions,
    screen: Screening,
    scale: float,
    bootstrap: Bootstrap,
) -> Effect:
    before = tally(predictions)
    cases = find_cases(predictions)
    judged = opinions(cases, screen)
    after = tally(without(predictions, dropped(judged)))
    return report(before, after, cases, judged, scale=scale, screen=screen.signature, **bootstrap)
