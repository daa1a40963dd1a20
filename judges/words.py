"""Words in contexts, each with candidates that another model has scored: what the encoder's upper layers learn from.

To read a sentence anew for each candidate would take long. The sentence is read once, with the candidates behind it:
their pieces stand at the position of the word, and see the sentence without the word, and each itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch

from judges.data import Pair
from judges.network import SentenceEncoder
from usim.parsing import Pieces as Tokeniser
from usim.text import tokenise

#: Shares of people who would accept a candidate are kept so far from 0 and 1.
LEAST_SHARE = 0.02


@dataclass
class WordList:
    """A word in its sentence, and candidates to stand in its place.

    Attributes:
        ids: the pieces of the sentence.
        start, end: which of them are the word's.
        candidates: the pieces of each candidate.
        scores: what each was given: of a teacher, a logit.
    """

    ids: list[int]
    start: int
    end: int
    candidates: list[list[int]] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def with_logits(self) -> WordList:
        """Return the list with the logits of its scores, which are shares."""
        return replace(self, scores=logits_of(self.scores))


#: A text, where a word begins and ends in it, and candidates with their scores.
Scored = tuple[str, int, int, Sequence[tuple[str, float]]]


def word_lists(rows: Iterable[Scored], pieces: Tokeniser, around: int) -> list[WordList]:
    """Return the lists of scored candidates; at most so many tokens on either side of the word are read."""

    def ids_of(tokens: Sequence[str]) -> list[int]:
        pieces.learn(tokens)
        return pieces.encode(tokens, [])[0][1:-1]

    lists = []
    for text, start, end, scored in rows:
        left, word, right = ([t.text for t in tokenise(part)] for part in (text[:start], text[start:end], text[end:]))
        if not word:
            continue
        before = ids_of(left[max(0, len(left) - around) :])
        ids = [pieces.cls, *before, *ids_of(word), *ids_of(right[:around]), pieces.sep]
        entry = WordList(ids, 1 + len(before), 1 + len(before) + len(ids_of(word)))
        for candidate, score in scored:
            tokens = [t.text for t in tokenise(candidate)]
            if tokens and tokens != word:
                entry.candidates.append(ids_of(tokens))
                entry.scores.append(score)
        if len(entry.candidates) > 1:
            lists.append(entry)
    return lists


def logits_of(shares: Sequence[float]) -> list[float]:
    """Return the logits of shares of people who would accept candidates."""
    inside = np.clip(shares, LEAST_SHARE, 1 - LEAST_SHARE)
    logits: list[float] = np.log(inside / (1 - inside)).tolist()
    return logits


def scored_rows(path: Path) -> Iterator[Scored]:
    """Yield what a file of the teacher scored; contexts of SWORDS are left out, as the figures on it would flatter.

    A score, the share of people who would accept the candidate, becomes its logit.
    """
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["source"] != "swords":
                scored = list(zip(row["substitutes"], logits_of(row["scores"]), strict=True))
                yield row["context"], row["start"], row["end"], scored


def changed_span(source: Sequence[str], target: Sequence[str]) -> tuple[int, int, int]:
    """Return where the words begin that differ in two sentences, and where they end in either."""
    start = 0
    while start < min(len(source), len(target)) and source[start] == target[start]:
        start += 1
    a, b = len(source), len(target)
    while a > start and b > start and source[a - 1] == target[b - 1]:
        a, b = a - 1, b - 1
    return start, a, b


def lists_of_pairs(pairs: Iterable[Pair], pieces: Tokeniser, around: int) -> list[WordList]:
    """Return the lists of pairs of substitution, with their figures as scores."""
    rows: dict[str, list[tuple[str, float]]] = {}
    words: dict[str, tuple[str, int, int]] = {}
    for pair in pairs:
        source, target = tokenise(pair.source), tokenise(pair.target)
        start, a, b = changed_span([t.text for t in source], [t.text for t in target])
        if start < a and start < b and pair.key:
            place = pair.source, source[start].start, source[a - 1].end
            if words.setdefault(pair.key, place) == place:
                new = pair.target[target[start].start : target[b - 1].end]
                rows.setdefault(pair.key, []).append((new, pair.figure))
    return word_lists(((*words[key], scored) for key, scored in rows.items()), pieces, around)


def read_lists(
    encoder: SentenceEncoder, lists: Sequence[WordList], chosen: Sequence[Sequence[int]]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the mean vectors of words and of chosen candidates, (candidates, 2 * width), and the list of each."""
    lengths = [len(e.ids) + sum(len(e.candidates[k]) for k in some) for e, some in zip(lists, chosen, strict=True)]
    rows, longest, count = len(lists), max(lengths), sum(map(len, chosen))
    ids, positions = np.zeros((2, rows, longest), np.int64)
    sees = np.zeros((rows, longest, longest), bool)
    before, after = np.zeros((rows, longest), np.float32), np.zeros((count, longest), np.float32)
    of_list = np.zeros(count, np.int64)
    number = 0
    for row, (entry, some) in enumerate(zip(lists, chosen, strict=True)):
        n = len(entry.ids)
        ids[row, :n], positions[row, :n] = entry.ids, np.arange(n)
        sees[row, :, :n] = True
        sees[row, n:, entry.start : entry.end] = False
        before[row, entry.start : entry.end] = 1 / (entry.end - entry.start)
        for k in some:
            m = len(entry.candidates[k])
            ids[row, n : n + m], positions[row, n : n + m] = entry.candidates[k], entry.start + np.arange(m)
            sees[row, n : n + m, n : n + m] = True
            after[number, n : n + m] = 1 / m
            of_list[number] = row
            n, number = n + m, number + 1
    bias = torch.from_numpy(~sees).float().unsqueeze(1) * -1e4
    vectors = encoder.read(torch.from_numpy(ids), torch.from_numpy(positions).clamp(max=511), bias).float()
    index = torch.from_numpy(of_list)
    words = torch.einsum("rp,rpw->rw", torch.from_numpy(before), vectors)
    candidates = torch.bmm(torch.from_numpy(after).unsqueeze(1), vectors[index]).squeeze(1)
    return words[index], candidates, index
