"""Examples for a prompt: those of the ProLex paper, or others that are drawn from training data."""

from __future__ import annotations

import random
from collections.abc import Sequence

from usim.benchmarks import prolex, swords
from usim.benchmarks.case import Place
from usim.benchmarks.llm.prompts import Shot
from usim.errors import InputError
from usim.text import Path, read_csv

#: The 32 examples of the ProLex paper, by the places of their records in the training set D_L, from 0, in the order of
#: the prompt in ``prompt_gpt.py`` of BillyZhang24kobe/LS_Proficiency; and the targets of the first and the last.
PROLEX_PAPER: tuple[int, ...] = (894, 475, 128, 1277, 1177, 459, 1364, 99, 420, 62, 852, 300, 397, 320, 812, 764)
PROLEX_PAPER += (1045, 1087, 363, 888, 1251, 806, 1264, 515, 706, 181, 587, 1268, 1223, 1222, 419, 16)
_PAPER_ENDS = ("honest", "Filling")


def read_prolex_shots(path: Path) -> list[Shot]:
    """Read the examples of a training set of ProLex (``target_words``, ``tagged_sentences``, ``substitutes``).

    Records without a target or a substitute are left out of what is drawn from, but keep their places.

    Raises:
        InputError, FormatError: the file cannot be read, or a list of substitutes is not one.
    """
    shots = []
    for line, record in read_csv(path, ("target_words", "substitutes", "tagged_sentences")):
        substitutes = prolex.listed(record["substitutes"], "substitutes", path, line)
        shots.append(Shot(record["target_words"], record["tagged_sentences"].strip(), substitutes))
    return shots


def read_swords_shots(path: Path) -> list[Shot]:
    """Read the examples of a data set of SWORDS: the substitutes that somebody accepted, the most accepted first.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    benchmark = swords.Swords.open(path)
    shots = []
    for name, target in benchmark.gold.items():
        shares = {word: sum(label in swords.POSITIVE for label in labels) for word, labels in target.labels.items()}
        accepted = sorted((word for word, count in shares.items() if count), key=lambda word: -shares[word])
        shots.append(Shot(target.word, highlighted(benchmark.contexts[name]), tuple(accepted)))
    return shots


def highlighted(place: Place) -> str:
    """Return the context of a target on one line, with the target between double asterisks."""
    return " ".join(place.marked().split())


def draw(shots: Sequence[Shot], count: int, seed: int | None, path: Path) -> tuple[Shot, ...]:
    """Draw a number of examples.

    Without a seed they are those of the ProLex paper if 32 are wanted and the data are its set D_L, and otherwise as
    with seed 0; ``path`` is the file in errors.

    Raises:
        InputError: there are fewer.
    """
    if seed is None and count == len(PROLEX_PAPER) and len(shots) > max(PROLEX_PAPER):
        paper = tuple(shots[place] for place in PROLEX_PAPER)
        if (paper[0].word, paper[-1].word) == _PAPER_ENDS:
            return paper
    usable = [shot for shot in shots if shot.substitutes and f"**{shot.word}**" in shot.sentence]
    if len(usable) < count:
        raise InputError(f"{count} examples are wanted, and there are {len(usable)} in it", path=path)
    return tuple(random.Random(seed or 0).sample(usable, count))
