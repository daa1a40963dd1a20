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

from judges.data import Pair, teachers_shares
from judges.network import Pieces, Replaced, WordNet
from usim.judge.words import surface
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
        word: its text.
        candidates: the pieces of each candidate.
        texts: the text of each.
        scores: what each was given: of a teacher, a logit.
    """

    ids: list[int]
    start: int
    end: int
    word: str
    candidates: list[list[int]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def with_logits(self) -> WordList:
        """Return the list with the logits of its scores, which are shares."""
        return replace(self, scores=logits_of(self.scores))


#: How many words are read alone at a time.
_ALONE = 96
#: How many pieces are read at a time.
_PIECES = 2400

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
        entry = WordList(ids, 1 + len(before), 1 + len(before) + len(ids_of(word)), " ".join(word))
        for candidate, score in scored:
            tokens = [t.text for t in tokenise(candidate)]
            if tokens and tokens != word:
                entry.candidates.append(ids_of(tokens))
                entry.texts.append(" ".join(tokens))
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
                word = row["context"][row["start"] : row["end"]]
                shares = teachers_shares(word, row["substitutes"], row["scores"])
                scored = list(zip(row["substitutes"], logits_of(shares), strict=True))
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


class ListReader:
    """Reads words in their contexts and their candidates; what the fixed layers say is computed once and kept.

    Args:
        net: the network; its lower layers must not change any more.
        lists: all that will be read.
    """

    def __init__(self, net: WordNet, lists: Sequence[WordList]) -> None:
        self._net = net
        self._lists = lists
        words = {tuple(ids) for e in lists for ids in (e.ids[e.start : e.end], *e.candidates)}
        distinct = sorted(words, key=lambda ids: (len(ids), ids))
        self._number = {ids: k for k, ids in enumerate(distinct)}
        begin, end = lists[0].ids[0], lists[0].ids[-1]
        self._words, self._begins = net.sentences.lower_of([Pieces([begin, *ids, end], []) for ids in distinct])
        self._lower: list[np.ndarray] = [np.zeros(0)] * len(lists)
        for batch in _of_like_length(lists):
            some = [lists[k] for k in batch]
            packed = _Packed(some, [range(len(e.candidates)) for e in some])
            with torch.autocast("cpu", torch.bfloat16):
                vectors = net.sentences.lower(packed.ids, packed.positions, packed.bias).float().numpy()
            for k, length, pieces in zip(batch, packed.lengths, vectors, strict=True):
                self._lower[k] = pieces[:length].astype(np.float16)

    def __call__(self, numbers: Sequence[int], chosen: Sequence[Sequence[int]]) -> tuple[Replaced, torch.Tensor]:
        """Return what the network reads of the words of some lists and of chosen candidates, and the list of each.

        The upper layers learn from the words in their contexts, not from the words alone.
        """
        lists = [self._lists[k] for k in numbers]
        packed = _Packed(lists, chosen)
        lower = np.zeros((*packed.ids.shape, self._net.sentences.width), np.float32)
        for row, (k, places) in enumerate(zip(numbers, packed.places, strict=True)):
            lower[row, : len(places)] = self._lower[k][places]
        given = torch.from_numpy(lower)
        vectors = torch.cat([given, self._net.sentences.upper(given, packed.bias).float()], 2)
        words = torch.einsum("rp,rpw->rw", packed.before, vectors)
        pieces = vectors.flatten(0, 1)[packed.of_candidates] * packed.weight.unsqueeze(1)
        candidates = torch.zeros(len(packed.of_list), pieces.shape[1]).index_add(0, packed.candidate, pieces)
        alone_before, alone_after = self._alone(lists, chosen)
        seen = torch.tensor([surface(e.word, e.texts[k]) for e, some in zip(lists, chosen, strict=True) for k in some])
        before = words[packed.of_list], alone_before[packed.of_list]
        return Replaced(before[0], candidates, before[1], alone_after, seen), packed.of_list

    @torch.no_grad()
    def _alone(self, lists: Sequence[WordList], chosen: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the vectors without any text of the words of lists, and of the chosen candidates."""
        numbers = [self._number[tuple(e.ids[e.start : e.end])] for e in lists]
        numbers += [self._number[tuple(e.candidates[k])] for e, some in zip(lists, chosen, strict=True) for k in some]
        distinct = sorted(set(numbers))  # the shorter first
        vectors: list[torch.Tensor] = []
        for at in range(0, len(distinct), _ALONE):
            lower = [self._words[self._begins[k] : self._begins[k + 1]] for k in distinct[at : at + _ALONE]]
            lengths = np.array([len(rows) for rows in lower])
            place = np.arange(lengths.max())
            inside = (place > 0) & (place < lengths[:, None] - 1)
            share = torch.from_numpy((inside / (lengths - 2)[:, None]).astype(np.float32))
            given = np.zeros((*inside.shape, self._net.sentences.width), np.float32)
            given[place < lengths[:, None]] = np.concatenate(lower)
            below = torch.from_numpy(given)
            bias = torch.from_numpy(place >= lengths[:, None]).float()[:, None, None, :] * -1e4
            both = torch.cat([below, self._net.sentences.upper(below, bias).float()], 2)
            vectors.append(torch.einsum("wp,wpv->wv", share, both))
        where = {number: k for k, number in enumerate(distinct)}
        rows = torch.cat(vectors)[torch.tensor([where[number] for number in numbers])]
        return rows[: len(lists)], rows[len(lists) :]


class _Packed:
    """Lists as one array of pieces: each sentence with chosen candidates behind it, which stand at the word's place."""

    def __init__(self, lists: Sequence[WordList], chosen: Sequence[Sequence[int]]) -> None:
        self.lengths = [len(e.ids) + sum(len(e.candidates[k]) for k in c) for e, c in zip(lists, chosen, strict=True)]
        rows, longest, count = len(lists), max(self.lengths), sum(map(len, chosen))
        ids, positions = np.zeros((2, rows, longest), np.int64)
        sees = np.zeros((rows, longest, longest), bool)
        before = np.zeros((rows, longest), np.float32)
        of_list = np.zeros(count, np.int64)
        #: The pieces of candidates in all rows, which candidate each is of, and its weight in the mean.
        of_candidates: list[int] = []
        candidate: list[int] = []
        weight: list[float] = []
        #: Where the pieces are if all candidates stand behind the sentence.
        self.places: list[list[int]] = []
        number = 0
        for row, (entry, some) in enumerate(zip(lists, chosen, strict=True)):
            n = len(entry.ids)
            begins = np.cumsum([n, *map(len, entry.candidates)]).tolist()
            self.places.append(list(range(n)))
            ids[row, :n], positions[row, :n] = entry.ids, np.arange(n)
            sees[row, :, :n] = True
            sees[row, n:, entry.start : entry.end] = False
            before[row, entry.start : entry.end] = 1 / (entry.end - entry.start)
            for k in some:
                m = len(entry.candidates[k])
                ids[row, n : n + m], positions[row, n : n + m] = entry.candidates[k], entry.start + np.arange(m)
                sees[row, n : n + m, n : n + m] = True
                of_candidates += range(row * longest + n, row * longest + n + m)
                candidate += [number] * m
                weight += [1 / m] * m
                of_list[number] = row
                self.places[-1] += range(begins[k], begins[k + 1])
                n, number = n + m, number + 1
        self.ids, self.positions = torch.from_numpy(ids), torch.from_numpy(positions).clamp(max=511)
        self.bias = torch.from_numpy(~sees).float().unsqueeze(1) * -1e4
        self.before, self.of_list = torch.from_numpy(before), torch.from_numpy(of_list)
        self.of_candidates, self.candidate = torch.tensor(of_candidates), torch.tensor(candidate)
        self.weight = torch.tensor(weight)


def _of_like_length(lists: Sequence[WordList]) -> Iterator[list[int]]:
    """Yield the numbers of lists of like length, some at a time."""
    length = [len(e.ids) + sum(map(len, e.candidates)) for e in lists]
    ordered = sorted(range(len(lists)), key=length.__getitem__)
    while ordered:
        count = max(1, _PIECES // length[ordered[-1]])
        yield ordered[-count:]
        del ordered[-count:]
