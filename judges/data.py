"""What people said about pairs of sentences, as pairs with a label in [0, 1].

Each reader takes a published file: TMU-GFM (Yoshimura et al. 2020), CSMD (Beauchemin et al. 2023), SWORDS (Lee et al.
2021), ProLex (Zhang et al. 2024), and the pairs that ``judges.pairs`` makes.
"""

from __future__ import annotations

import ast
import csv
import gzip
import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from usim.errors import SuggestionError
from usim.lexicon import relation
from usim.suggestions import Inflector, put, sentence_around

#: A candidate is an opposite of a word if at least this share of their senses are; most that it is accepted then.
OPPOSITE, MOST_OF_OPPOSITES = 0.2, 0.1
#: The families of made pairs that are data sets of their own.
FAMILIES = ("step", "simple", "ends")
#: The folds of ten that are held out of training: for choices, calibration, and figures of judges.
HELD = (0, 1)

_inflect = lru_cache(maxsize=1)(Inflector)


@dataclass(frozen=True)
class Pair:
    """A source, its changed version, and how likely people say that the meaning is preserved.

    Attributes:
        origin: the data set.
        group: pairs of one group stay together in a split.
        figure: the rating as the data set has it.
        key: which target of substitution it belongs to; empty for whole sentences.
        kind: what was done, for pairs that were made.
    """

    source: str
    target: str
    label: float
    origin: str
    group: str
    figure: float = 0.0
    key: str = ""
    kind: str = ""

    @property
    def fold(self) -> int:
        """Return a number from 0 to 9 that depends on the group alone."""
        return int(hashlib.sha1(self.group.encode()).hexdigest()[:8], 16) % 10


def tmu(path: Path) -> Iterator[Pair]:
    """Read TMU-GFM: up to five ratings of meaning from 1 to 4 (a 0 is no answer).

    The label is half the mean, brought to [0, 1], and half the share of 3 and 4.
    """
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            ratings = [r for r in map(int, row["meaning"].split(",")) if r]
            mean = float(row["ave_m"])
            share = sum(r >= 3 for r in ratings) / len(ratings)
            yield Pair(row["source"], row["output"], ((mean - 1) / 3 + share) / 2, "tmu", row["source"], mean)


def csmd(path: Path) -> Iterator[Pair]:
    """Read CSMD: a mean rating of meaning from 0 to 100."""
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL):
            rating = float(row["label"])
            yield Pair(row["original"], row["simplification"], rating / 100, "csmd", row["original"], rating)


def swords(path: Path) -> Iterator[Pair]:
    """Read SWORDS: the label is the share of annotators who accept the substitute."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)
    for name, substitute in data["substitutes"].items():
        target = data["targets"][substitute["target_id"]]
        text = data["contexts"][target["context_id"]]["context"]
        votes = data["substitute_labels"][name]
        share = sum(v.startswith("TRUE") for v in votes) / len(votes)
        start = target["offset"]
        pair = replaced(text, start, start + len(target["target"]), substitute["substitute"], target.get("pos"))
        if pair:
            yield Pair(*pair, share, "swords", target["context_id"], share, substitute["target_id"])


def prolex_train(path: Path, rng: random.Random, each: int = 2) -> Iterator[Pair]:
    """Read ProLex's training set: its substitutes, and for each row some of other rows as wrong ones."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    by_kind: dict[str, list[str]] = {}
    of_word: dict[str, set[str]] = {}
    for row in rows:
        substitutes = ast.literal_eval(row["substitutes"])
        by_kind.setdefault(row["query_pos"], []).extend(substitutes)
        of_word.setdefault(row["target_words"], set()).update(substitutes)
    for row in rows:
        where = marked(row["tagged_sentences"])
        if where is None:
            continue
        text, start, end = where
        right = ast.literal_eval(row["substitutes"])
        wrong = [w for w in rng.sample(by_kind[row["query_pos"]], each) if w not in of_word[row["target_words"]]]
        for words, label in ((rng.sample(right, min(each, len(right))), 0.85), (wrong, 0.04)):
            for word in words:
                pair = replaced(text, start, end, word, None)
                if pair:
                    yield Pair(*pair, label, "prolex", text, label, f"{text}:{start}")


def prolex_dev(path: Path) -> Iterator[Pair]:
    """Read ProLex's test form: substitutes that annotators accepted and rejected."""
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            where = marked(row["Sentence"])
            if where is None:
                continue
            text, start, end = where
            for column, label in (("acc_subs", 1.0), ("unacc_subs", 0.0)):
                for word in ast.literal_eval(row[column]):
                    pair = replaced(text, start, end, word, None)
                    if pair:
                        yield Pair(*pair, label, "prolex-dev", text, label, f"{text}:{start}")


def taught(path: Path, rng: random.Random, each: int = 6) -> Iterator[Pair]:
    """Read what the teacher scored, a third of what is read of each word being what it likes best.

    The contexts of SWORDS are left out, as the figures on it would flatter.
    """
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["source"] == "swords":
                continue
            text, start, end = row["context"], row["start"], row["end"]
            scores = teachers_shares(text[start:end], row["substitutes"], row["scores"])
            best = sorted(range(len(scores)), key=lambda k: -scores[k])
            few = min(each, len(best))
            for k in (*best[: few // 3], *rng.sample(best[few // 3 :], few - few // 3)):
                try:
                    target = put(text, start, end, row["substitutes"][k]).text
                except SuggestionError:
                    continue
                yield Pair(text, target, scores[k], "taught", row["group"], scores[k], f"{row['group']}:{start}")


def teachers_shares(word: str, others: Sequence[str], scores: Sequence[float]) -> list[float]:
    """Return the teacher's scores of words in the place of one; its vectors of opposites are alike, so it is corrected.

    >>> teachers_shares("rich", ["poor", "wealthy"], [0.4, 0.6])
    [0.1, 0.6]
    """
    return [
        MOST_OF_OPPOSITES if score > MOST_OF_OPPOSITES and relation(word, other).antonym_share >= OPPOSITE else score
        for other, score in zip(others, scores, strict=True)
    ]


def contrast(path: Path) -> Iterator[Pair]:
    """Read contrast pairs, on which nothing may be trained or chosen: they are measured."""
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        label = float(row["faithful"] == "yes")
        yield Pair(row["source"], row["output"], label, "contrast", row["source"], label, kind=row["phenomenon"])


def made(path: Path) -> Iterator[Pair]:
    """Read pairs of ``judges.pairs``; those of the families in :data:`FAMILIES` are data sets of their own."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            family = row["kind"].partition(".")[0]
            origin = family if family in FAMILIES else "made"
            yield Pair(row["source"], row["target"], row["label"], origin, row["group"], row["label"], kind=row["kind"])


def some_of_each(pairs: Iterable[Pair], most: int, rng: random.Random) -> list[Pair]:
    """Return at most so many pairs of each target of substitution, by chance, and all that have none."""
    kept: list[Pair] = []
    lists: dict[str, list[Pair]] = {}
    for pair in pairs:
        (lists.setdefault(pair.key, []) if pair.key else kept).append(pair)
    for of_key in lists.values():
        kept += rng.sample(of_key, min(most, len(of_key)))
    return kept


def replaced(text: str, start: int, end: int, substitute: str, pos: str | None) -> tuple[str, str] | None:
    """Return the sentence around a target before and after the substitution; None where it is not possible."""
    try:
        word = _inflect()(substitute, text, start, end, pos)
        placed = put(text, start, end, word)
    except SuggestionError:
        return None
    first, last = sentence_around(text, start, end)
    shift = len(placed.text) - len(text)
    return text[first:last], placed.text[first : last + shift]


def marked(text: str) -> tuple[str, int, int] | None:
    """Return a text with ``**target**`` in it without the marks, and where the target is."""
    parts = text.split("**")
    if len(parts) < 3 or not parts[1].strip():
        return None
    start = len(parts[0])
    return parts[0] + parts[1] + "**".join(parts[2:]), start, start + len(parts[1])
