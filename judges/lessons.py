"""What the reader learns from: pairs with labels of the pair and of its tokens, and the trunk's vectors of all texts.

:func:`read` lists the pairs of all sets. :func:`encode` writes what the trunk gives for their texts, in shards, in the
order of the pairs, so that training can begin before all is there; it goes on where it was stopped.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judges import data
from judges.data import Pair, commented_table
from training.statistics import grouped
from usim.evidence import PackedVectors
from usim.parsing import Trunk
from usim.text import Span, token_spans, token_texts
from usim.text.differing import differing
from usim.text.files import written_beside

#: Sides of more tokens are left out.
LONGEST = 240
SHARD = 2000
#: In one place at most so many tokens are exchanged for the change to be marked as a whole.
_ONE_PLACE = 6
#: Sets whose pairs say something else in no one place: words are swapped, fit badly, or have marks of their own.
_NO_PLACE = ("paws", "swords", "mqm")
#: The label of a token of which nobody knows whether the other side says it.
UNKNOWN = -1
#: So many pairs of texts that have nothing in common, to learn from and held out.
UNLIKE = 3000, 300
#: For so many pairs of an author there is one that is several of them in a row, and of how many.
JOINED, PARTS = 4, (2, 3, 4, 5)
#: The authors all of whose pairs are held out: what holds for authors that a judge knows may not hold for others.
HELD_AUTHORS = frozenset(
    ("courts", "economy", "entailed", "interviews", "long_notices", "long_reports", "messages", "reviews", "software")
)


class Lesson(NamedTuple):
    """A pair to learn from, of a set, perhaps by a known author.

    Attributes:
        wanted: how likely both say the same, the source supports the output, the output covers the source; NaN where
            nobody said.
        drifted: for the tokens of either side 1 where the other side does not say it, 0 where it does, and
            :data:`UNKNOWN`.
        is_held_out: whether it only measures.
    """

    origin: str
    source: str
    output: str
    wanted: tuple[float, float, float]
    drifted: tuple[list[int], list[int]]
    is_held_out: bool
    author: str = ""

    @property
    def turned(self) -> Lesson:
        """The lesson the other way round: what supports the output is then what covers the source."""
        same, supported, covered = self.wanted
        return self._replace(
            source=self.output, output=self.source, wanted=(same, covered, supported), drifted=self.drifted[::-1]
        )


@lru_cache(200_000)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text."""
    return tuple(token_texts(text))


def read(folder: Path, written: Path, more: Sequence[Path] = ()) -> list[Lesson]:
    """Return the lessons of all sets, published, written or ``more``, in an order by chance that is always the same."""
    lessons = [lesson for lesson in _every(folder, written, more) if _is_usable(lesson)]
    random.Random(1).shuffle(lessons)
    made: list[Lesson] = []
    for is_held_out, unlike in zip((False, True), UNLIKE, strict=True):
        part = [lesson for lesson in lessons if lesson.is_held_out == is_held_out]
        made += [*islice(_unlike(part), unlike), *_joined(part), *_crossed(part)]
    random.Random(2).shuffle(made)
    return [*lessons, *made]


def measured(tables: Iterable[Path]) -> list[Lesson]:
    """Return the lessons of tables that only measure, each table a set of its own."""
    return [
        lesson._replace(origin=path.stem, is_held_out=True)
        for path in tables
        for lesson in _marked(commented_table(path), "measured", path.stem)
        if _is_usable(lesson)
    ]


def _unlike(lessons: Sequence[Lesson]) -> Iterator[Lesson]:
    """Yield sources of written pairs with outputs of others: texts that have nothing in common."""
    by_authors = [lesson for lesson in lessons if lesson.author]
    for one, other in zip(by_authors, by_authors[len(by_authors) // 2 :], strict=False):
        if one.source != other.source:
            drifted = [UNKNOWN] * len(one.drifted[0]), [UNKNOWN] * len(other.drifted[1])
            yield Lesson("ends", one.source, other.output, (0.02, 0.02, 0.02), drifted, one.is_held_out)


def _joined(lessons: Sequence[Lesson]) -> Iterator[Lesson]:
    """Yield texts that are several pairs of one author in a row, in one of which something drifted, or in none.

    Hardly anybody writes long pairs, and in a long text one wrong place is hard to find.
    """
    for own in _grouped(lessons, lambda lesson: lesson.author):
        rng = random.Random(own[0].author)
        faithful, drifted = _parted(own)
        for number in range(len(own) // JOINED):
            count, is_drifted = rng.choice(PARTS), number % 2
            if len(faithful) < max(PARTS) or len(drifted) < is_drifted:
                continue
            parts = rng.sample(faithful, count - is_drifted) + rng.sample(drifted, is_drifted)
            rng.shuffle(parts)
            source, output = (" ".join(getattr(part, side) for part in parts) for side in ("source", "output"))
            drifts = tuple([mark for part in parts for mark in part.drifted[side]] for side in (0, 1))
            same, supported, covered = np.min([part.wanted for part in parts], axis=0).tolist()
            lesson = Lesson("joined", source, output, (same, supported, covered), drifts, own[0].is_held_out)
            is_cut_alike = [len(tokens_of(text)) for text in (source, output)] == list(map(len, drifts))
            if len({part.source for part in parts}) == count and is_cut_alike and _is_usable(lesson):
                yield lesson


def _crossed(lessons: Sequence[Lesson]) -> Iterator[Lesson]:
    """Yield the faithful outputs of a source beside each other, and one of them beside an output that drifted.

    Both texts are then reworded, as when two versions by an assistant are compared, and nothing new is to be written.
    """
    rng = random.Random(3)
    for own in _grouped(lessons, lambda lesson: (lesson.author, lesson.source)):
        faithful, drifted = _parted(own)
        if len(faithful) < 2 or not drifted:
            continue
        first, second = rng.sample(faithful, 2)
        for one, other in ((first, second), (first, rng.choice(drifted))):
            # A word that was lost or became another has no mark in a text that its author did not see.
            is_marked = other is second or not {1, UNKNOWN} & set(other.drifted[0])
            of_source = [0 if is_marked else UNKNOWN] * len(one.drifted[1])
            lesson = other._replace(origin="crossed", source=one.output, drifted=(of_source, other.drifted[1]))
            if _is_usable(lesson):
                yield lesson


def _grouped(lessons: Iterable[Lesson], key: Callable[[Lesson], Hashable]) -> Iterable[list[Lesson]]:
    """Return the lessons by authors in groups of the same key, in an order that is always the same."""
    return grouped((key(lesson), lesson) for lesson in sorted(one for one in lessons if one.author)).values()


def _parted(lessons: Sequence[Lesson]) -> tuple[list[Lesson], list[Lesson]]:
    """Return the lessons that are surely faithful, and those that surely drifted."""
    return [one for one in lessons if one.wanted[0] >= 0.8], [one for one in lessons if one.wanted[0] < 0.2]


def _is_usable(lesson: Lesson) -> bool:
    sides = tokens_of(lesson.source), tokens_of(lesson.output)
    return sides[0] != sides[1] and all(0 < len(side) <= LONGEST for side in sides)


def _every(folder: Path, written: Path, more: Sequence[Path]) -> Iterator[Lesson]:
    for name in ("entailment-dev.tsv.gz", "entailment-more.tsv.gz"):
        for pair in data.entailment(folder / name):
            yield lesson_of(pair, pair.kind.rpartition(".")[0])
    yield from map(lesson_of, data.paws(folder / "paws-wiki-dev.tsv.gz"))
    yield from map(lesson_of, data.breaking_nli(folder / "breaking-nli-train.jsonl.gz"))
    yield from map(lesson_of, data.summedits(folder / "summedits-dev.jsonl.gz"))
    swords = data.swords(folder / "swords-v1.1_dev.json.gz")
    yield from map(lesson_of, data.some_of_each(swords, 20, random.Random(1)))
    yield from _translations(folder / "mqm-ted-zhen.tsv.gz")
    for path in sorted(written.glob("*.tsv")):
        rows = commented_table(path)
        if "marks" in rows[0]:
            yield from _marked(rows, path.stem)
        else:
            for pair in data.written(path):
                yield lesson_of(pair, path.stem)
    for path in more:
        yield from _marked(commented_table(path), "authors", path.stem)


def lesson_of(pair: Pair, origin: str = "") -> Lesson:
    """Return a lesson; what was exchanged in one place of a pair that says something else is marked."""
    source, output = tokens_of(pair.source), tokens_of(pair.output)
    drifted = [UNKNOWN] * len(source), [UNKNOWN] * len(output)
    label = pair.label if not math.isnan(pair.label) else pair.supported
    if pair.label >= 0.8:
        drifted = [0] * len(source), [0] * len(output)
    elif pair.origin not in _NO_PLACE and label < 0.1:
        first, end, stop = differing(source, output)
        if end - first <= _ONE_PLACE and stop - first <= _ONE_PLACE:
            drifted = [0] * len(source), [0] * len(output)
            drifted[0][first:end] = [1] * (end - first)
            drifted[1][first:stop] = [1] * (stop - first)
    return Lesson(origin or pair.origin, pair.source, pair.output, pair.wanted, drifted, pair.is_held_out)


def _marked(rows: Iterable[dict[str, str]], origin: str, author: str = "") -> Iterator[Lesson]:
    """Read pairs whose authors marked the words that drifted."""
    for number, row in enumerate(rows):
        if not row.get("label"):
            continue
        pair = data._written_pair(row)
        marks = [mark for mark in map(str.strip, row["marks"].split("|")) if mark and pair.label < 0.5]
        texts = row["source"], row["output"]
        at = ([(text.find(mark), mark) for mark in marks] for text in texts)
        places = [[(start, start + len(mark)) for start, mark in own if start >= 0] for own in at]
        source, output = map(_tokens_in, texts, places)
        if pair.label < 0.5 and row["direction"] == "changed":  # what became something else in a side without a mark
            source, output = (side if 1 in side else [UNKNOWN] * len(side) for side in (source, output))
        is_held_out = author in HELD_AUTHORS if author else pair.is_held_out
        name = author or f"{origin}-{number // 250}"
        yield Lesson(origin, pair.source, pair.output, pair.wanted, (source, output), is_held_out, name)


def _tokens_in(text: str, places: Sequence[Span]) -> list[int]:
    """Return for each token of a text whether a part of it is in one of these places."""
    return [
        int(span is not None and any(span[0] < end and span[1] > start for start, end in places))
        for span in token_spans(text, tokens_of(text))
    ]


def _translations(path: Path, each: int = 6) -> Iterator[Lesson]:
    """Read translations with marked errors: pairs as :func:`judges.data.mqm` has them, with the marked words."""
    marked: dict[tuple[str, str], list[Span]] = {}
    for row in commented_table(path):
        before, *inside = re.split("</?v>", row["target"].strip())
        if inside and row["category"].startswith(data._OF_ACCURACY):
            place = len(before), len(before) + len(inside[0])
            marked.setdefault((row["doc"], data._unmarked(row)), []).append(place)
    for pair in data.mqm(path, random.Random(1), each):
        lesson = lesson_of(pair)
        if pair.label < 0.5 and (places := marked.get((pair.group, pair.output))):
            lesson = lesson._replace(drifted=(lesson.drifted[0], _tokens_in(pair.output, places)))
        yield lesson


def texts_of(lessons: Iterable[Lesson]) -> list[str]:
    """Return the texts of the lessons in their order, each once."""
    return list(dict.fromkeys(text for lesson in lessons for text in (lesson.source, lesson.output)))


def read_layers(layers: Collection[int]) -> tuple[int, ...]:
    """Return which layers of a trunk a reader reads: those that its own layers go on from, and those that it compares.

    The upper half of an MPNet goes on from the highest layer of the trunk, and compares it, too. A trunk that is a
    whole BERT of six layers has its upper half in itself: it goes on from the third layer, and the fifth tells best
    which tokens are alike.
    """
    return (3, 5) if 2 in layers else (max(layers),)


def vectors_of(trunk: Trunk, texts: Sequence[str]) -> list[npt.NDArray[np.float16]]:
    """Return the vectors of the tokens of each text in the layers that a reader reads, (tokens, layers * width)."""
    read = [trunk.layers.index(layer) for layer in read_layers(trunk.layers)]
    windows = [trunk.windows(tokens_of(text)) for text in texts]
    layers = iter(trunk.outputs([window.ids for own in windows for window in own]))
    found = []
    for own in windows:
        halves = [next(layers) for _ in own]
        sides = [np.concatenate([half[k] for k in read], axis=1) for half in halves]
        parts = [PackedVectors.of(side, window.starts) for side, window in zip(sides, own, strict=True)]
        found.append(PackedVectors.joined(parts, len(read) * trunk.width).unpacked().astype(np.float16))
    return found


def encode(texts: Sequence[str], trunk: Trunk, out: Path) -> None:
    """Write the vectors of all texts that are not there yet, a shard at a time."""
    out.mkdir(parents=True, exist_ok=True)
    known = set(Vectors(out).where)
    new = [text for text in texts if text not in known]
    count = len(list(out.glob("*.json")))
    for number, at in enumerate(range(0, len(new), SHARD), count):
        some = new[at : at + SHARD]
        vectors = vectors_of(trunk, some)
        with written_beside(out / f"{number:04}.npy") as file:
            np.save(file, np.concatenate(vectors))
        (out / f"{number:04}.json").write_text(json.dumps([some, [len(v) for v in vectors]]), encoding="utf-8")
        print(f"{at + len(some)} of {len(new)} texts", flush=True)


class Vectors:
    """The vectors that :func:`encode` has written; ``where`` has each text's shard, and its begin and end there."""

    def __init__(self, folder: Path) -> None:
        self.where: dict[str, tuple[int, int, int]] = {}
        self._shards: list[npt.NDArray[np.float16]] = []
        self._folder = folder
        self.refresh()

    def refresh(self) -> None:
        """Take up shards that are new."""
        before = len(self._shards)
        for path in sorted(self._folder.glob("*.json"))[before:]:
            texts, lengths = json.loads(path.read_text(encoding="utf-8"))
            ends = np.cumsum([0, *lengths]).tolist()
            self.where |= {t: (len(self._shards), a, b) for t, a, b in zip(texts, ends, ends[1:], strict=False)}
            self._shards.append(np.load(path.with_suffix(".npy"), mmap_mode="r"))

    def has(self, lesson: Lesson) -> bool:
        """Return whether there are vectors of both texts of a lesson, cut into the same tokens."""
        places = [self.where.get(text, (0, 0, 0)) for text in (lesson.source, lesson.output)]
        return [end - start for _, start, end in places] == list(map(len, lesson.drifted))

    def __getitem__(self, text: str) -> npt.NDArray[np.float16]:
        shard, start, end = self.where[text]
        return self._shards[shard][start:end]
