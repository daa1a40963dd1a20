"""ProLex: substitutes that fit the context and are at least as advanced as the word they replace (Zhang et al. 2024).

A system's first k substitutes for a target are compared, as sets, with the acceptable ones, and with those of them
that are proficient enough. Precision and recall are ratios of sums over the targets; recall counts at most k
substitutes of a target as wanted; targets without a gold substitute say nothing and are left out. *Hard* compares the
substitutes as they are, *soft* compares lemmas of their first words (the published scorer takes these from spaCy).

>>> gold = {0: Target("overall", "But **overall**, I disagree.", ("generally", "on the whole"), ("on the whole",))}
>>> result = score(gold, {0: ("generally", "finally", "on the whole")}, resamples=0)
>>> result.figures["hard_acceptable_p@10"], result.figures["hard_proficient_r@10"]
(0.6666666666666666, 1.0)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Unpack

from usim.benchmarks.result import Bootstrap, Figure, FMeasure, Ratio, Result, Tally, check_known
from usim.errors import FormatError, InputError
from usim.lexicon import FirstWordLemmatiser, Levels, WordNetLemmatiser, lemmatiser_name
from usim.text import Path, read_csv, read_text, text_lines

#: The aspects of quality, and the settings of comparison, in the order of print.
ASPECTS = ("acceptable", "proficient")
SETTINGS = ("hard", "soft")


class Target(NamedTuple):
    """A word in its sentence, with its gold substitutes, and those that were judged not to be acceptable."""

    word: str
    sentence: str
    acceptable: tuple[str, ...]
    proficient: tuple[str, ...]
    unacceptable: tuple[str, ...] = ()


#: Targets by their place in the file, from 0, which is also the instance number in ParaLS's files.
Gold = Mapping[int, Target]
#: Substitutes for each target, best first.
Predictions = Mapping[int, Sequence[str]]


def read_gold(path: Path, levels: Levels | None = None) -> dict[int, Target]:
    """Read the targets of ``ProLex_v1.0_*.csv``.

    Args:
        path: the file.
        levels: of words, to say which acceptable substitutes are proficient enough, in place of the column
            ``prof_acc_subs``, which may be missing then: those that are not easier than their target.

    Raises:
        InputError, FormatError: the file cannot be read, a column is missing, a list of substitutes is not one.
    """
    gold = {}
    needed = ("target word", "Sentence", "acc_subs", *(() if levels else ("prof_acc_subs",)))
    for number, (line, record) in enumerate(read_csv(path, needed)):
        word, acceptable = record["target word"], _listed(record["acc_subs"], "acc_subs", path, line)
        if levels is None:
            proficient = _listed(record["prof_acc_subs"], "prof_acc_subs", path, line)
        else:
            proficient = tuple(s for s in acceptable if not levels.is_easier(word, s))
        unacceptable = _listed(record.get("unacc_subs", "[]"), "unacc_subs", path, line)
        gold[number] = Target(word, record["Sentence"], acceptable, proficient, unacceptable)
    if not gold:
        raise InputError("no target in the gold file", path=path)
    return gold


def _listed(text: str, column: str, path: Path, line: int) -> tuple[str, ...]:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise FormatError(
            f"the column {column!r} must be a list of strings, as ['a', 'b']", path=path, line=line, text=text
        )
    return tuple(value)


_INSTANCE = re.compile(r"(?P<word>.+?)(?:\.\w*)?[ \t](?P<number>\d{1,18})[ \t]:::?(?:[ \t]|$)(?P<substitutes>.*)")


def read_predictions(path: Path, gold: Gold) -> dict[int, tuple[str, ...]]:
    """Read a system's substitutes, in one of two forms.

    CSV with the columns ``target word``, ``Sentence`` and ``Substitutes`` (``"a, b, c"``), one record a target in the
    order of the gold file, as the published scorer reads it (the first two columns may be left out); or the lines of
    ParaLS and SemEval-2007 (``overall.J 0 ::: generally;broadly``), one a target, in any order.

    Raises:
        InputError, FormatError: the file cannot be read, or does not fit the gold file.
    """
    text = read_text(path)
    if "acc_subs" in text.split("\n", 1)[0] and "Substitutes" not in text.split("\n", 1)[0]:
        raise FormatError("gold data given as predictions; they have a column Substitutes", path=path, line=1)
    first = text.lstrip().split("\n", 1)[0]
    read = _read_instances if _INSTANCE.fullmatch(first.rstrip()) else _read_table
    substitutes = read(text, path, gold)
    missing = sorted(set(gold) - set(substitutes))
    if missing:
        raise FormatError(
            f"{len(missing)} of {len(gold)} targets of the gold file have no line; write an empty one for each",
            path=path,
            text=f"{gold[missing[0]].word} ({missing[0]})",
        )
    return substitutes


def _read_instances(text: str, path: Path, gold: Gold) -> dict[int, tuple[str, ...]]:
    substitutes: dict[int, tuple[str, ...]] = {}
    for line, content in enumerate(text_lines(text), 1):
        if not content.strip():
            continue
        match = _INSTANCE.fullmatch(content.rstrip())
        if not match:
            raise FormatError("not of the form 'word.POS number ::: a;b;c'", path=path, line=line, text=content)
        number = int(match["number"])
        if number in substitutes:
            raise FormatError("a second line for this target", path=path, line=line, text=content)
        _same_word(match["word"], number, gold, path, line)
        substitutes[number] = tuple(s.strip() for s in match["substitutes"].split(";") if s.strip())
    return substitutes


def _read_table(text: str, path: Path, gold: Gold) -> dict[int, tuple[str, ...]]:
    substitutes: dict[int, tuple[str, ...]] = {}
    for number, (line, record) in enumerate(read_csv(path, ("Substitutes",), text=text)):
        _same_word(record.get("target word"), number, gold, path, line)
        # The published scorer splits at a comma and a space and at nothing else.
        substitutes[number] = tuple(s for s in record["Substitutes"].split(", ") if s)
    return substitutes


def _same_word(word: str | None, number: int, gold: Gold, path: Path, line: int) -> None:
    if number not in gold:
        raise FormatError(
            f"target {number} is not in the gold file, which has {len(gold)} targets; are these the same data?",
            path=path,
            line=line,
            text=word,
        )
    if word is not None and word.casefold() != gold[number].word.casefold():
        raise FormatError(
            f"target {number} is {gold[number].word!r} in the gold file; are the lines in the order of the gold file?",
            path=path,
            line=line,
            text=word,
        )


def score(
    gold: Gold,
    predictions: Predictions,
    *,
    k: int = 10,
    lemmatise: Callable[[str], str] | None = None,
    parts: Mapping[str, object] | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Compute precision, recall and F1 of the first k substitutes.

    Args:
        gold: the targets.
        predictions: substitutes for each target, best first; targets that are not in it have none.
        k: how many substitutes of a target count.
        lemmatise: from a substitute to what the soft setting compares; by default the WordNet lemma of its first word.
            Its attribute ``name`` (or ``__name__``) goes into the signature.
        parts: what else the signature says.
        bootstrap: settings of the intervals over targets, see :class:`~usim.benchmarks.result.Bootstrap`.

    Returns:
        figures ``{hard,soft}_{acceptable,proficient}_{p,r,f}@k`` in [0, 1].

    Raises:
        InputError: no target, or predictions for a target that is not in the gold data.
    """
    return tally(gold, predictions, k=k, lemmatise=lemmatise, parts=parts).result(**bootstrap)


def tally(
    gold: Gold,
    predictions: Predictions,
    *,
    k: int = 10,
    lemmatise: Callable[[str], str] | None = None,
    parts: Mapping[str, object] | None = None,
) -> Tally:
    """Count what each target adds to the figures of :func:`score`.

    Args:
        gold, predictions, k, lemmatise, parts: as for :func:`score`.

    Raises:
        InputError: k below 1, or predictions for a target that is not in the gold data.
    """
    if k < 1:
        raise InputError(f"k must be at least 1, not {k}")
    check_known(gold, predictions, "target")
    lemmatise = lemmatise or FirstWordLemmatiser(WordNetLemmatiser.shipped())
    forms: dict[str, Callable[[str], str]] = {"hard": str, "soft": lemmatise}
    records: list[dict[str, float]] = []
    for number, target in gold.items():
        predicted = predictions.get(number, ())
        records.append({})
        for setting in SETTINGS:
            for aspect in ASPECTS:
                counts = _counts(getattr(target, aspect), predicted, k, forms[setting])
                records[-1] |= {f"{setting} {aspect} {column}": count for column, count in counts.items()}
    parts = {**(parts or {}), "k": k, "avg": "micro", "lemma": lemmatiser_name(lemmatise)}
    return Tally("prolex", records, _figures(k), parts)


def _counts(gold: Iterable[str], predicted: Sequence[str], k: int, form: Callable[[str], str]) -> dict[str, int]:
    wanted = {form(substitute) for substitute in gold}
    if not wanted:
        return {}
    # The first k are taken before equal ones are merged, as in the published scorer.
    first = {form(substitute) for substitute in predicted[:k]}
    return {"right": len(wanted & first), "made": len(first), "wanted": min(k, len(wanted))}


def _figures(k: int) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for setting in SETTINGS:
        for aspect in ASPECTS:
            of = f"{setting} {aspect}"
            precision, recall = Ratio(f"{of} right", f"{of} made"), Ratio(f"{of} right", f"{of} wanted")
            measures: dict[str, Figure] = {"p": precision, "r": recall, "f": FMeasure(precision, recall)}
            figures |= {f"{setting}_{aspect}_{measure}@{k}": figure for measure, figure in measures.items()}
    return figures


__all__ = ["ASPECTS", "SETTINGS", "Gold", "Predictions", "Target", "read_gold", "read_predictions", "score", "tally"]
