"""Read what people said about pairs of sentences, as pairs with a label in [0, 1].

Each reader takes a published file: SWORDS (Lee et al. 2021), ProLex (Zhang et al. 2024), PAWS-Wiki (Zhang, Baldridge &
He 2019), translations with marked errors (Freitag et al. 2021), Breaking NLI (Glockner, Shwartz & Goldberg 2018),
entailment (SNLI, VitaminC, MED), SummEdits (Laban et al. 2023), TMU-GFM (Yoshimura et al. 2020), CSMD (Beauchemin et
al. 2023), the pairs that ``judges.pairs`` makes, and those that were written for the project.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import json
import math
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from training.statistics import grouped
from usim.benchmarks.prolex import ProLex
from usim.errors import FormatError, SuggestionError
from usim.records import unmarked
from usim.suggestions import Inflector, put
from usim.text import sentence_around
from usim.text.files import read_csv, read_json, read_text, text_lines

#: The families of made pairs that are data sets of their own.
FAMILIES = ("step", "ends")
#: The tables of written pairs that are data sets of their own.
OF_THEIR_OWN = ("rewrites", "corrections", "clear")
#: The folds of ten that are held out of training: for choices, calibration, and figures of judges.
HELD = (0, 1)
#: The kind of pairs that only the text around them decides.
IN_TEXT = "in-text"
#: The talks of the translations with marked errors that are held out: the first two by the SHA-256 of their names.
HELD_TALKS = ("talk.6", "talk.9")

#: What a judge says of a pair: the meaning is preserved; the source says all that the output says; the output
#: says all that the source says.
SAYS = ("same", "supported", "covered")
#: The label that nobody gave.
UNKNOWN = float("nan")

#: From this label on a pair says the same in both directions.
_SAME = 0.8
#: How likely pairs that do not say the same are supported, and covered: by their data set, or by their kind if they
#: were written.
_KNOWN = {
    "paws": (0.04, 0.04),
    "breaking-nli": (0.03, 0.03),
    "corrections": (0.04, 0.04),
    "clear": (UNKNOWN, UNKNOWN),
    "step": (0.04, 0.04),
    "mqm": (0.1, UNKNOWN),
    "simple-detail": (0.95, 0.1),
    "simple-loss": (0.92, 0.03),
    "simple-wrong": (0.03, 0.03),
    **dict.fromkeys(("far-other", "near-other", "wrong", "wrong-word", "over"), (0.04, 0.04)),
}
#: How likely a rewrite that drifted is supported, and covered, by the direction of the drift.
_OF_DIRECTION = {"added": (0.03, 0.95), "lost": (0.95, 0.03), "changed": (0.03, 0.03)}

_inflect = lru_cache(maxsize=1)(Inflector)


@dataclass(frozen=True)
class Pair:
    """A source, its changed version, and how likely people say that the meaning is preserved.

    Attributes:
        origin, group: the data set; pairs of one group stay together in a split.
        figure: the rating as the data set has it.
        key: which target of substitution it belongs to; empty for whole sentences.
        kind: what was done, for pairs that were made.
        before, after: the text around both sentences.
        supported, covered: how likely people say that the source says all that the output says, and the other way
            round; NaN where nobody was asked.
    """

    source: str
    output: str
    label: float
    origin: str
    group: str
    figure: float = 0.0
    key: str = ""
    kind: str = ""
    before: str = ""
    after: str = ""
    supported: float = UNKNOWN
    covered: float = UNKNOWN

    @property
    def wanted(self) -> tuple[float, float, float]:
        """Return three labels: both say the same, the output is supported, the source is covered; NaN where not known.

        What says the same is supported and covered. What says something else may be either, unless its kind says so.
        """
        of_kind = _KNOWN.get(self.kind if self.origin == "written" else self.origin, (UNKNOWN, UNKNOWN))
        likely = (self.label, self.label) if self.label >= _SAME else of_kind
        supported, covered = (
            own if math.isnan(given) else given
            for given, own in zip((self.supported, self.covered), likely, strict=True)
        )
        return self.label, supported, covered

    @property
    def fold(self) -> int:
        """Return a number from 0 to 9 that depends on the group alone."""
        return int(digest(self.group), 16) % 10

    @property
    def is_held_out(self) -> bool:
        """Whether no step learns from the pair: it is for choices, calibration, and figures.

        Of PAWS that is a tenth by its ids, of the translations two talks, of all others two folds of ten.
        """
        if self.origin == "paws":
            return int(hashlib.sha256(self.group.encode()).hexdigest(), 16) % 10 == 0
        if self.origin == "mqm":
            return self.group in HELD_TALKS
        return self.fold in HELD


def digest(text: str) -> str:
    """Return eight hexadecimal digits that depend on a text alone."""
    return hashlib.sha1(text.encode()).hexdigest()[:8]


def tmu(path: Path) -> Iterator[Pair]:
    """Read TMU-GFM: the label is half the mean of the ratings (1 to 4, as [0, 1]), and half the share of 3 and 4."""
    for line, row in read_csv(path, ("source", "output", "meaning", "ave_m")):
        mean, *ratings = (_number(text, path, line) for text in (row["ave_m"], *row["meaning"].split(",")))
        given = [rating for rating in ratings if rating]
        share = sum(rating >= 3 for rating in given) / len(given)
        yield Pair(row["source"], row["output"], ((mean - 1) / 3 + share) / 2, "tmu", row["source"], mean)


def csmd(path: Path) -> Iterator[Pair]:
    """Read CSMD: the label is the rating as a share of 100."""
    for line, row in read_csv(path, ("original", "simplification", "label"), delimiter="\t"):
        rating = _number(row["label"], path, line)
        yield Pair(row["original"], row["simplification"], rating / 100, "csmd", row["original"], rating)


def _number(text: str, path: Path, line: int) -> float:
    try:
        return float(text)
    except ValueError as e:
        raise FormatError("a rating must be a number", path=path, line=line, text=text) from e


def swords(path: Path) -> Iterator[Pair]:
    """Read SWORDS: the label is the share of annotators who accept the substitute."""
    data = read_json(path)
    for name, substitute in data["substitutes"].items():
        target = data["targets"][substitute["target_id"]]
        text = data["contexts"][target["context_id"]]["context"]
        votes = data["substitute_labels"][name]
        share = sum(v.startswith("TRUE") for v in votes) / len(votes)
        start = target["offset"]
        end = start + len(target["target"])
        pair = replaced(text, start, end, substitute["substitute"], target.get("pos"))
        if pair:
            first, last = sentence_around(text, start, end)
            around = {"before": text[:first], "after": text[last:]}
            yield Pair(*pair, share, "swords", target["context_id"], share, substitute["target_id"], **around)


def prolex_train(path: Path, rng: random.Random, each: int = 2) -> Iterator[Pair]:
    """Read ProLex's training set: its substitutes, and for each row some of other rows as wrong ones."""
    rows = [row for _, row in read_csv(path, ("query_pos", "target_words", "tagged_sentences", "substitutes"))]
    by_kind: dict[str, list[str]] = {}
    of_word: dict[str, set[str]] = {}
    for row in rows:
        substitutes = ast.literal_eval(row["substitutes"])
        by_kind.setdefault(row["query_pos"], []).extend(substitutes)
        of_word.setdefault(row["target_words"], set()).update(substitutes)
    for row in rows:
        right = ast.literal_eval(row["substitutes"])
        wrong = [w for w in rng.sample(by_kind[row["query_pos"]], each) if w not in of_word[row["target_words"]]]
        some = rng.sample(right, min(each, len(right)))
        yield from _substituted(row["tagged_sentences"], {0.85: some, 0.04: wrong}, "prolex")


def prolex_dev(path: Path) -> Iterator[Pair]:
    """Read ProLex's test form: substitutes that annotators accepted and rejected."""
    for target in ProLex.open(path).gold.values():
        yield from _substituted(target.sentence, {1.0: target.acceptable, 0.0: target.unacceptable}, "prolex-dev")


def _substituted(sentence: str, words: Mapping[float, Sequence[str]], origin: str) -> Iterator[Pair]:
    """Yield a sentence with a marked target and each of the words in its place, by their labels."""
    text, start, end = unmarked(sentence)
    for label, own in words.items():
        for word in own:
            if pair := replaced(text, start, end, word, None):
                yield Pair(*pair, label, origin, text, label, f"{text}:{start}")


def paws(path: Path) -> Iterator[Pair]:
    """Read PAWS-Wiki (Zhang, Baldridge & He 2019): 1 where people say that both sentences mean the same."""
    for row in commented_table(path):
        label = float(row["label"])
        yield Pair(row["sentence1"], row["sentence2"], label, "paws", row["id"], label)


def mqm(path: Path, rng: random.Random, each: int = 12) -> Iterator[Pair]:
    """Read translations with marked errors (Freitag et al. 2021), one a row, as pairs of translations of a segment.

    Two without an error of accuracy say the same. One with a major error says something else. One professional rated
    each translation, so that the labels are not quite 0 and 1. The group is the talk: what is said in one segment is
    said again in the next. Of each segment at most ``each`` pairs of either kind are drawn, as many of both.
    """
    segments: dict[tuple[str, int], dict[str, list[dict[str, str]]]] = {}
    for row in commented_table(path):
        segments.setdefault((row["doc"], int(row["seg_id"])), {}).setdefault(row["system"], []).append(row)
    texts = {place: {name: _unmarked(rows[0]) for name, rows in some.items()} for place, some in segments.items()}
    for (talk, number), systems in segments.items():
        good: dict[str, str] = {}
        bad: list[str] = []
        for name, rows in systems.items():
            wrong = [row for row in rows if row["category"].startswith(_OF_ACCURACY)]
            if not wrong:
                good.setdefault(texts[talk, number][name], name)
            elif any(row["severity"] == "Major" for row in wrong):
                bad.append(texts[talk, number][name])
        same = [(a, b) for a in good for b in good if a != b]
        other = [(a, b) for a in good for b in dict.fromkeys(bad) if b not in good]
        count = min(each, len(same), len(other))
        for label, some in ((0.9, rng.sample(same, count)), (0.07, rng.sample(other, count))):
            for source, output in some:
                around = [texts.get((talk, number + step), {}).get(good[source], "") for step in (-1, 1)]
                yield Pair(source, output, label, "mqm", talk, label, before=around[0], after=around[1])


#: The beginnings of the names of errors after which a translation says something else.
_OF_ACCURACY = ("Accuracy", "Terminology", "Non-translation")


def _unmarked(row: dict[str, str]) -> str:
    return re.sub("</?v>", "", row["target"]).strip()


def breaking_nli(path: Path) -> Iterator[Pair]:
    """Read Breaking NLI (Glockner, Shwartz & Goldberg 2018): what a sentence entails after a word was exchanged."""
    for row in _records(path):
        source, label = row["sentence1"], {"entailment": 0.88, "neutral": 0.2}.get(row["gold_label"], 0.02)
        yield Pair(source, row["sentence2"], label, "breaking-nli", source, label, kind=row["category"])


def entailment(path: Path) -> Iterator[Pair]:
    """Read premises and hypotheses (SNLI, VitaminC, MED): whether the premise supports the hypothesis.

    Whether both say the same was not asked: an entailed hypothesis mostly says less.
    """
    for row in commented_table(path):
        premise, hypothesis, kind = row["premise"], row["hypothesis"], f"{row['set']}.{row['label']}"
        said = 0.97 if row["label"] == "entailment" else 0.02
        yield Pair(premise, hypothesis, UNKNOWN, "entailment", premise, said, kind=kind, supported=said)


def covering(path: Path) -> Iterator[Pair]:
    """Read hypotheses and premises, the pairs of :func:`entailment` the other way round: is the hypothesis covered?"""
    for pair in entailment(path):
        said = pair.supported
        yield Pair(pair.output, pair.source, UNKNOWN, "covering", pair.group, said, kind=pair.kind, covered=said)


def summedits(path: Path) -> Iterator[Pair]:
    """Read SummEdits (Laban et al. 2023): summaries and edits, which people found consistent with the text or not."""
    for row in _records(path):
        label = 0.95 if int(row["label"]) else 0.03
        source, output = (" ".join(row[side].split()) for side in ("source", "output"))
        yield Pair(source, output, label, "summedits", source, label, supported=label)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, filter(None, text_lines(read_text(path))))


def commented_table(path: Path) -> list[dict[str, str]]:
    """Read a table of tab-separated values without quotation, packed or not; lines that begin with # are comments."""
    lines = (line for line in read_text(path).split("\n") if not line.startswith("#"))
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def contrast(path: Path) -> Iterator[Pair]:
    """Read contrast pairs, on which nothing may be trained or chosen: they are measured. The key is a pair's id."""
    for row in commented_table(path):
        try:
            label = {"yes": 1.0, "no": 0.0}[row["faithful"]]
            name, kind, source, output = (row[column] for column in ("id", "phenomenon", "source", "output"))
        except KeyError as e:
            columns = "id, phenomenon, faithful (yes or no), source, output"
            raise FormatError(f"a pair has {columns}", path=path, text=str(row)) from e
        yield Pair(source, output, label, "contrast", source, label, key=name, kind=kind)


def made(path: Path) -> Iterator[Pair]:
    """Read pairs of ``judges.pairs``; those of the families in :data:`FAMILIES` are data sets of their own."""
    for row in _records(path):
        family = row["kind"].partition(".")[0]
        origin = family if family in FAMILIES else "made"
        yield Pair(row["source"], row["target"], row["label"], origin, row["group"], row["label"], kind=row["kind"])


def written(path: Path) -> Iterator[Pair]:
    """Read the pairs that were written for the project, a table or a folder of tables (``judges/written``).

    Of a folder, the tables in :data:`OF_THEIR_OWN` are left out: each is read by itself. A table says by its columns
    what it is: pairs with a label; wordings of a segment, some with one thing wrong; substitutes for the target of a
    sentence; or a change within a text, right in one text and wrong in another.
    """
    of_folder = [table for table in sorted(path.glob("*.tsv")) if table.stem not in OF_THEIR_OWN]
    for table in of_folder if path.is_dir() else [path]:
        rows = commented_table(table)
        read = _WRITTEN.get(next(iter(rows[0])), _written_pair)
        origin = table.stem if table.stem in OF_THEIR_OWN else "written"
        for pair in _wordings(rows) if "segment" in rows[0] else filter(None, map(read, rows)):
            yield replace(pair, origin=origin)


def _written_pair(row: Mapping[str, str]) -> Pair:
    label, source, output, kind = float(row["label"]), row["source"], row["output"], row["kind"]
    if "direction" in row:
        supported, covered = _OF_DIRECTION.get(row["direction"], (label, label))
        return Pair(source, output, label, "written", source, label, kind=kind, supported=supported, covered=covered)
    return Pair(source, output, lowered(label), "written", source, label, kind=kind)


def lowered(label: float) -> float:
    """Return the label of a pair that was written, closer to 0 if it says something else.

    Its author gave .02 to .1 to what has one thing wrong. Taken as it is, unrelated sentences would get as much.
    """
    return label / 4 if label <= 0.15 else label


def _written_substitute(row: Mapping[str, str]) -> Pair | None:
    label, sentence = float(row["label"]), row["sentence"]
    start = sentence.index(row["target"])
    pair = replaced(sentence, start, start + len(row["target"]), row["substitute"], None)
    return pair and Pair(*pair, label, "written", sentence, label, key=sentence, kind="word")


def _written_in_text(row: Mapping[str, str]) -> Pair:
    label, source, around = float(row["label"]), row["sentence"], {name: row[name] for name in ("before", "after")}
    return Pair(source, row["output"], lowered(label), "written", source, label, kind=IN_TEXT, **around)


_WRITTEN = {"sentence": _written_substitute, "before": _written_in_text}


def _wordings(rows: Iterable[Mapping[str, str]]) -> Iterator[Pair]:
    """Yield the wordings of each segment in pairs: those that are right with each other and with each wrong one."""
    for own in grouped((row["segment"], row) for row in rows).values():
        good = [row["text"] for row in own if float(row["label"]) >= 0.5]
        group = f"segment:{good[0]}"
        for at, text in enumerate(good):
            yield Pair(text, good[(at + 1) % len(good)], 0.96, "written", group, 0.96, kind="wording.right")
        for at, row in enumerate(row for row in own if float(row["label"]) < 0.5):
            yield Pair(good[at % len(good)], row["text"], 0.01, "written", group, 0.01, kind="wording.wrong")


def some_of_each(pairs: Iterable[Pair], most: int, rng: random.Random) -> list[Pair]:
    """Return at most so many pairs of each target of substitution, by chance, and all that have none."""
    lists = grouped((pair.key, pair) for pair in pairs)
    kept: list[Pair] = lists.pop("", [])
    for of_key in lists.values():
        kept += rng.sample(of_key, min(most, len(of_key)))
    return kept


def replaced(text: str, start: int, end: int, substitute: str, pos: str | None) -> tuple[str, str] | None:
    """Return the sentence around a target before and after the substitution; None where it is not possible."""
    try:
        placed = put(text, start, end, _inflect()(substitute, text, start, end, pos))
    except SuggestionError:
        return None
    before, after = placed.around(text)
    return text[slice(*before)], placed.text[slice(*after)]
