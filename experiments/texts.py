"""Are the sentences of two versions of a text aligned, and are changed ones found?

    python -m experiments texts [--part develop] [--model en] [--links] [--out DIR]

60 texts of 5 to 40 sentences, each with a later version (edited lightly, reworded, simplified, shortened or
restructured), gold links and sentences that have drifted, by an author who saw no code (``texts_data/README.md``).
Those with odd numbers are there to develop on; figures come from the others.

Links are pairs of sentences. A baseline is measured in the same run: for each sentence the one with the best cosine of
means, above the least cosine that is best for the texts to develop on. Where usim names a place for a sentence without
a counterpart, that is no link.

A drifted sentence is found if its block has a finding. A false finding is a block of a faithful text that has one,
although the author linked its sentences. Blocks in doubt are those that are not kept and have no finding. The policy is
*shorten* where the author shortened, simplified or restructured, and *same* elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.statistics import Draws
from experiments.common.study import Study
from usim.documents import CutText, Passage, PassageLink, PassageReader, TextComparison, cut_text, link_texts
from usim.errors import FormatError
from usim.judge import Policy
from usim.judge.trained import SHIPPED, load_encoder
from usim.options import Options
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.ucca.evaluate import Counts

Pairs = set[tuple[int, int]]
SHORTENS = ("simplified", "shortened", "restructured")
#: Cosines among which the baseline's least one is chosen.
LEAST = tuple(k / 20 for k in range(4, 19))
DRIFTS = 3
FOLDER = Path(__file__).with_name("texts_data")
_SENTENCE = re.compile(r"([AB])(\d+): (.*)")
_LINK = re.compile(r"(-|(?:B\d+ ?)+)\s*[=~]\s*(-|(?:A\d+ ?)+)(?:\s.*)?$")
#: A sentence of running text ends so, and does not begin so: any other is a heading, an item of a list, or a greeting.
_ENDS = re.compile(r"[.!?…][\"'”’)\]]*$")
_NUMBERED = re.compile(r"\(?\d+[.)] ")
_DRIFT = re.compile(r"A(\d+)\s*\|\s*[\w-]+\s*\|\s*what:\s*(.*)")


class Drift(NamedTuple):
    """A wrong version of a sentence of the later text: the place from 0, and the text."""

    place: int
    text: str


class GoldLink(NamedTuple):
    """Sentences of both texts that belong together, by their places from 0."""

    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class TextPair:
    """A text and a later version by places of sentences: breaks of paragraphs, links and drifts by the author."""

    name: str
    change: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    breaks_before: frozenset[int]
    breaks_after: frozenset[int]
    links: tuple[GoldLink, ...]
    drifts: tuple[Drift, ...]

    @property
    def texts(self) -> tuple[str, str]:
        """Both texts: a blank line between paragraphs, a line for each heading, item of a list and greeting."""
        return _joined(self.before, self.breaks_before)[0], _joined(self.after, self.breaks_after)[0]

    @property
    def starts(self) -> list[int]:
        """Where each sentence begins in the later text."""
        return _joined(self.after, self.breaks_after)[1]

    def with_drifts(self, count: int) -> tuple[TextPair, tuple[Drift, ...]]:
        """Return the pair with its first drifts put in, at most one in a sentence, and which these are."""
        chosen: dict[int, Drift] = {}
        for drift in self.drifts:
            if len(chosen) < count:
                chosen.setdefault(drift.place, drift)
        after = tuple(chosen[place].text if place in chosen else text for place, text in enumerate(self.after))
        return replace(self, after=after), tuple(chosen.values())


def _joined(sentences: tuple[str, ...], breaks: frozenset[int]) -> tuple[str, list[int]]:
    """Return a text, and where each of its sentences begins."""
    text, starts = "", []
    for place, sentence in enumerate(sentences):
        if place in breaks:
            text += "\n\n"
        elif place:
            is_running = _ENDS.search(sentences[place - 1]) and not _NUMBERED.match(sentence)
            text += " " if is_running else "\n"
        starts.append(len(text))
        text += sentence
    return text, starts


def read_pair(path: Path) -> TextPair:
    """Read a file of the study; raise a FormatError where it is not what the README of the data asks for."""
    sentences: dict[str, list[str]] = {"B": [], "A": []}
    breaks: dict[str, set[int]] = {"B": set(), "A": set()}
    links: list[GoldLink] = []
    drifts: list[Drift] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    change = lines[0].partition(" | ")[2]
    section = ""
    for number, line in enumerate(lines[1:], 2):
        line = line.strip()
        if not line:
            continue
        if line in ("[before]", "[after]", "[links]", "[drift]"):
            section = line[1:-1]
        elif section in ("before", "after"):
            side = "B" if section == "before" else "A"
            if line == "¶":
                breaks[side].add(len(sentences[side]))
            elif match := _SENTENCE.match(line):
                sentences[side].append(match[3])
            else:
                raise FormatError("no sentence", path=path, line=number, text=line)
        elif section == "links" and (match := _LINK.match(line)):
            links.append(GoldLink(_places(match[1]), _places(match[2])))
        elif section == "drift" and (match := _DRIFT.match(line)):
            drifts.append(Drift(int(match[1]) - 1, match[2]))
        else:
            raise FormatError("neither a link nor a drift", path=path, line=number, text=line)
    texts = (tuple(own) for own in sentences.values())
    return TextPair(path.stem, change, *texts, *map(frozenset, breaks.values()), tuple(links), tuple(drifts))


def _places(names: str) -> tuple[int, ...]:
    return () if names == "-" else tuple(int(name[1:]) - 1 for name in names.split())


def read_pairs(part: str, folder: Path = FOLDER) -> Iterator[TextPair]:
    """Yield the pairs of a part: ``develop``, those with odd numbers; ``measure``, all others."""
    for path in sorted(folder.glob("[0-9][0-9].txt")):
        if (int(path.stem) % 2 == 1) == (part == "develop"):
            yield read_pair(path)


def best_cosine(pair: TextPair, reader: PassageReader, least: float) -> Pairs:
    """Link each sentence of either text to that of the other with the best cosine of means, if it is high enough."""
    a, b = (np.stack([passage.mean for passage in reader.read(list(side))]) for side in (pair.before, pair.after))
    table = a @ b.T
    links = {(i, int(j)) for i, j in enumerate(table.argmax(axis=1)) if table[i, j] >= least}
    return links | {(int(i), j) for j, i in enumerate(table.argmax(axis=0)) if table[i, j] >= least}


# -- links and drifts ----


def given(sentences: Sequence[str]) -> CutText:
    """Return a text that is cut as the author cut it; what kind each sentence is usim says."""
    text = "\n\n".join(sentences)
    passages, at = [], 0
    for sentence in sentences:
        own = cut_text(sentence).passages
        passages.append(Passage(at, at + len(sentence), own[0].kind if own else "sentence"))
        at += len(sentence) + 2
    return CutText(text, text, tuple(passages))


def link_pairs(links: Iterable[GoldLink | PassageLink]) -> Pairs:
    """Return links as pairs of sentences."""
    return {(i, j) for link in links for i in link.before for j in link.after}


def counts_of(pair: TextPair, said: Pairs) -> Counts:
    """Count the links of a pair that are right, those that are said, and those of its author."""
    gold = link_pairs(pair.links)
    return Counts(len(said & gold), len(said), len(gold))


def best_least(pairs: Sequence[TextPair], reader: PassageReader) -> float:
    """Return the least cosine with which the baseline links these texts best."""

    def f(least: float) -> float:
        return sum((counts_of(pair, best_cosine(pair, reader, least)) for pair in pairs), Counts()).f

    return max(LEAST, key=f)


def alignment(pairs: Sequence[TextPair], reader: PassageReader, least: float, draws: Draws) -> Table:
    """Measure the links of usim and of the baseline, of all texts and of each kind of change."""
    aligners: dict[str, Callable[[TextPair], Pairs]] = {
        "usim": lambda pair: link_pairs(link_texts(given(pair.before), given(pair.after), reader)),
        "best cosine": lambda pair: best_cosine(pair, reader, least),
    }
    rows: list[Row] = []
    changes = sorted({pair.change for pair in pairs})
    for name, align in aligners.items():
        counts = [counts_of(pair, align(pair)) for pair in pairs]

        def figures(places: Iterable[int], counts: Sequence[Counts] = counts) -> list[float]:
            total = sum((counts[place] for place in places), Counts())
            return [total.precision, total.recall, total.f]

        of_change = ([k for k, pair in enumerate(pairs) if pair.change == change] for change in changes)
        rows.append((name, *draws.intervals(figures), *(figures(places)[2] for places in of_change)))
    return Table(
        "alignment",
        "Links of sentences",
        ("aligner", "precision", "recall", "F", *(f"F, {change}" for change in changes)),
        tuple(rows),
        "[95% interval, texts drawn again]",
    )


class _Judged(NamedTuple):
    """What usim says of a text: of the faithful version, and of the one with drifts."""

    pair: TextPair
    faithful: TextComparison
    drifted: TextComparison
    drifts: tuple[tuple[int, int], ...]

    def false_findings(self, *, is_drop: bool = False) -> int:
        """Return how many blocks of linked sentences of the faithful text have a finding; with ``is_drop`` a drop."""
        found = {finding.block for finding in self.faithful.findings if finding.verdict == "drop" or not is_drop}
        return sum(bool(self.faithful.blocks[k].before and self.faithful.blocks[k].after) for k in found)

    def found(self, *, is_drop: bool = False, with_doubts: bool = False) -> int:
        """Return how many drifted sentences are in a block that has a finding; with ``with_doubts`` or is in doubt."""
        told = [*self.drifted.findings, *(self.drifted.doubts if with_doubts else ())]
        numbers = {each.block for each in told if each.verdict == "drop" or not is_drop}
        spans = [span for number in numbers for span in self.drifted.blocks[number].after]
        return sum(any(a < end and start < b for a, b in spans) for start, end in self.drifts)


def judge(pair: TextPair, scorer: Scorer) -> _Judged:
    """Compare a text with its later version, and with that version once sentences have drifted."""
    drifted, drifts = pair.with_drifts(DRIFTS)
    starts = drifted.starts
    spans = tuple((starts[d.place], starts[d.place] + len(drifted.after[d.place])) for d in drifts)
    before, after = pair.texts
    policy: Policy = "shorten" if pair.change in SHORTENS else "same"
    return _Judged(
        pair,
        scorer.compare_texts(before, after, policy=policy),
        scorer.compare_texts(before, drifted.texts[1], policy=policy),
        spans,
    )


def drift(judged: Sequence[_Judged]) -> Table:
    """Measure how many drifts are found, and false findings, by the kind of change."""
    rows: list[Row] = []
    for change in (*sorted({each.pair.change for each in judged}), "all"):
        some = [each for each in judged if change in (each.pair.change, "all")]
        drifts = sum(len(each.drifts) for each in some)
        words = sum(len(sentence.split()) for each in some for sentence in each.pair.after)
        rows.append(
            (
                change,
                len(some),
                drifts,
                sum(each.found() for each in some) / drifts,
                sum(each.found(is_drop=True) for each in some) / drifts,
                sum(each.found(with_doubts=True) for each in some) / drifts,
                1000 * sum(each.false_findings() for each in some) / words,
                1000 * sum(each.false_findings(is_drop=True) for each in some) / words,
                1000 * sum(each.faithful.counts["doubts"] for each in some) / words,
                sum(each.faithful.verdict == "keep" for each in some) / len(some),
                sum(not each.false_findings() for each in some) / len(some),
            )
        )
    return Table(
        "drift",
        "Sentences that drifted, and false findings",
        ("change", "texts", "drifts", "found", "of them drop", "found or in doubt", "false a 1,000 words",
         "false: drop", "in doubt a 1,000 words", "faithful: keep", "faithful: nothing found"),
        tuple(rows),
        "found: its block has a finding; false: blocks of linked sentences of the faithful text with a finding",
    )  # fmt: skip


def run(options: Options, part: str = "measure", *, links: bool, seed: int = 0, resamples: int = 1000) -> Study:
    """Study the texts of a part; with ``links`` the alignment alone."""
    pairs = list(read_pairs(part))
    scorer = None if links else Scorer(options=options)
    encoder = load_encoder(SHIPPED / options.model / "judge") if scorer is None else scorer.judge.encoder
    reader = PassageReader(encoder)
    least = best_least(list(read_pairs("develop")), reader)
    aligned = alignment(pairs, reader, least, Draws(range(len(pairs)), resamples, seed))
    return Study(
        "texts",
        "Are the sentences of two versions of a text aligned, and are changed ones found?",
        (aligned,) if scorer is None else (aligned, drift([judge(pair, scorer) for pair in pairs])),
        {"usim": str(scorer.signature)} if scorer is not None else {},
        {"part": part, "texts": len(pairs), "seed": seed, "resamples": resamples, "least cosine": least},
    )


main = Command(
    run,
    Option("--part", choices=("develop", "measure"), default="measure", help="which texts (default: %(default)s)"),
    Option("--links", action="store_true", help="the alignment alone, without a judge"),
)
