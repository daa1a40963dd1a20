"""The comparison of two sentences word by word: words kept, replaced, left out, put in, and moved.

It starts from the alignment of the words (:mod:`usim.measures.align`) and settles by their meaning what that leaves
open. Among the changed words of one place, those belong together that are most alike, by WordNet, by their letters, and
by their vectors. Words far apart belong together only as forms of one word, synonyms, or derivations.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import JaroWinkler, Levenshtein

from usim.compare.analysis import Analysis
from usim.compare.cosines import Cosines
from usim.compare.match import Match
from usim.compare.once import once
from usim.compare.sentence import SentenceView
from usim.lexicon import NEGATIVE_PREFIXES, FormClasses, WordRelation, expand_short_form, relation
from usim.lexicon.equivalents import LONGEST, Phrase, find_phrases
from usim.lexicon.topics import EQUIVALENT
from usim.measures import DEFAULT, Preset, UsimScore, usim_score

#: The least similarity of a misspelling and the word that was meant.
_SPELLING = 0.55
#: The least score of words in one place that belong together; two that are the only ones always do.
_WORTH = 0.45
#: More pairs than this in one place are compared by letters and vectors alone.
_MANY = 40
#: A place of more pairs of words than these is compared in stretches: so many are in texts of 5,792 words a side that
#: have no word in common.
_MOST = 1 << 25


class Group(NamedTuple):
    """Changed words of one place: neighbours in either sentence that belong together."""

    source: tuple[int, ...]
    target: tuple[int, ...]


class Comparison:
    """Two sentences compared; computed by :func:`compare`, its properties at first use.

    Attributes:
        source, target: the sentences.
        alignment: the alignment of their tokens.
        score: their USim.
        to: for each source token its partner, -1 for none.
        kept: the aligned pairs of equal words.
        gone, new: the other positions of either side.
    """

    def __init__(self, source: SentenceView, target: SentenceView, score: UsimScore) -> None:
        self.source, self.target = source, target
        self.alignment, self.score = score.token_alignment, score
        a, b = source.words, target.words
        self.to: list[int] = self.alignment.to_output.tolist()
        self.kept = [(i, j) for i, j in enumerate(self.to) if j >= 0 and a[i] == b[j]]
        self.kept_source = {i for i, _ in self.kept}
        self.kept_target = {j for _, j in self.kept}
        self.gone = [i for i in range(len(a)) if i not in self.kept_source]
        self.new = [j for j in range(len(b)) if j not in self.kept_target]
        self.is_same = not self.gone and not self.new and len(a) == len(b) and self.to == list(range(len(a)))

    def __repr__(self) -> str:
        counts = f"{len(self.kept)} kept, {len(self.gone)} gone, {len(self.new)} new"
        return f"<Comparison of {len(self.source.words)} and {len(self.target.words)} words: {counts}>"

    # -- places ------------------------------------------------------------------------------------------------------

    @once
    def groups(self) -> list[Group]:
        """The changed words, place by place, in the order of the source."""
        if not self.gone and not self.new:
            return []
        runs_of_source, runs_of_target = stretches(self.gone), stretches(self.new)
        by_last: dict[int, int] = {}  # the last kept target token before a run of the target → the run
        by_next: dict[int, int] = {}
        of_target: dict[int, int] = {}
        for r, run in enumerate(runs_of_target):
            by_last[run[0] - 1] = r
            by_next[run[-1] + 1] = r
            of_target.update(dict.fromkeys(run, r))
        links: list[set[int]] = []
        to_of_kept = dict(self.kept)
        n, m = len(self.source.words), len(self.target.words)
        for run in runs_of_source:
            linked_runs = {of_target[self.to[i]] for i in run if self.to[i] in of_target}
            before = to_of_kept[run[0] - 1] if run[0] else -1
            after = to_of_kept[run[-1] + 1] if run[-1] + 1 < n else m
            if before in by_last:
                linked_runs.add(by_last[before])
            if after in by_next:
                linked_runs.add(by_next[after])
            links.append(linked_runs)
        # Runs that share a run of the other side are one place.
        groups: list[Group] = []
        linked: dict[int, list[int]] = {}  # a run of the target → the runs of the source
        for r, link in enumerate(links):
            for other in link:
                linked.setdefault(other, []).append(r)
        seen: set[int] = set()
        is_open = [True] * len(runs_of_source)
        for first in range(len(runs_of_source)):
            if not is_open[first]:
                continue
            is_open[first] = False
            source_runs = [first]
            target_runs = set[int]()
            for r in source_runs:
                for other in links[r] - target_runs:
                    target_runs.add(other)
                    source_runs += [k for k in linked[other] if is_open[k]]
                    for k in linked[other]:
                        is_open[k] = False
            seen |= target_runs
            at, to = (
                sorted(i for r in source_runs for i in runs_of_source[r]),
                sorted(j for r in target_runs for j in runs_of_target[r]),
            )
            groups += _parts(Group(tuple(at), tuple(to)))
        alone = [Group((), run) for r, run in enumerate(runs_of_target) if r not in seen]
        return groups + alone

    @once
    def moved(self) -> list[tuple[int, int]]:
        """The kept pairs that are out of order: those beside a longest ascending run."""
        order = [j for _, j in self.kept]
        if all(x < y for x, y in pairwise(order)):
            return []
        inside = _ascending(order)
        return [pair for k, pair in enumerate(self.kept) if k not in inside]

    @property
    def moved_runs(self) -> list[list[tuple[int, int]]]:
        """The kept pairs that are out of order, neighbours together."""
        runs: list[list[tuple[int, int]]] = []
        for i, j in self.moved:
            if runs and runs[-1][-1] == (i - 1, j - 1):
                runs[-1].append((i, j))
            else:
                runs.append([(i, j)])
        return runs

    @once
    def crossing(self) -> float:
        """The share of pairs of kept words that are in another order (Kendall's distance), in [0, 1]."""
        if not self.moved:
            return 0.0
        turned = 0
        before: list[int] = []
        for _, j in self.kept:
            place = bisect_left(before, j)
            turned += len(before) - place
            before.insert(place, j)
        n = len(before)
        return turned / (n * (n - 1) / 2)

    # -- words -------------------------------------------------------------------------------------------------------

    @once
    def cosines(self) -> Cosines | None:
        """The cosines of all token vectors of the source and of the target; None without vectors."""
        a, b = self.source.units, self.target.units
        return None if a is None or b is None else Cosines(a, b)

    def cosine(self, i: int, j: int) -> float:
        """Return the cosine of the vectors of a source token and a target token; NaN without vectors."""
        return float("nan") if self.cosines is None else self.cosines[i, j]

    @once
    def joined(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Words that are written as one word on one side and as several on the other, perhaps with a wrong letter."""
        candidates: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        a, b = self.source.words, self.target.words
        for group in self.groups:
            if len(group.source) == len(group.target) == 1:
                continue
            for places, other_places, words, other_words, is_reversed in (
                (group.source, group.target, a, b, False),
                (group.target, group.source, b, a, True),
            ):
                runs = [run for run in stretches(places) if len(run) > 1]
                letters = [(k, _letters(other_words[k])) for k in other_places] if runs else []
                for run in runs:
                    for start in range(len(run) - 1):
                        for end in range(start + 2, min(start + 4, len(run)) + 1):
                            together = _letters("".join(words[t] for t in run[start:end]))
                            for k, word in letters:
                                if _are_same_letters(together, word):
                                    pair = (run[start:end], (k,))
                                    candidates.append((pair[1], pair[0]) if is_reversed else pair)
        full = {expand_short_form(b[j]): j for j in self.new}
        for i in self.gone:
            if (j := full.get(expand_short_form(a[i]), -1)) >= 0:
                candidates.append(((i,), (j,)))
        pairs: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        used: tuple[set[int], set[int]] = (
            {i for run, _ in self.equivalents for i in run},
            {j for _, run in self.equivalents for j in run},
        )
        for x, y in candidates:
            if used[0].isdisjoint(x) and used[1].isdisjoint(y):
                used[0].update(x)
                used[1].update(y)
                pairs.append((x, y))
        return pairs

    @once
    def topics(self) -> int:
        """What the changed words may be about, as bits of :mod:`usim.lexicon.topics`."""
        bits = 0
        a, b = self.source.entries, self.target.entries
        for i in self.gone:
            bits |= a[i].topics
        for j in self.new:
            bits |= b[j].topics
        return bits

    @once
    def equivalents(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Phrases that say the same by the table of equivalents: the changed tokens of either."""
        if not self.gone or not self.new or not self.topics & EQUIVALENT:
            return []
        a, b = self.source, self.target
        left = _changed_phrases(a.words, self.gone, self.kept_source)
        right = _changed_phrases(b.words, self.new, self.kept_target) if left else []
        pairs: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        used: tuple[set[int], set[int]] = (set(), set())
        for p, at in sorted(left, key=lambda x: x[0].start - x[0].end):
            for q, to in right:
                if (
                    not p.meanings.isdisjoint(q.meanings)
                    and p.text != q.text
                    and used[0].isdisjoint(at)
                    and used[1].isdisjoint(to)
                    and self.is_one_place(at[0], to[0])
                ):
                    used[0].update(at)
                    used[1].update(to)
                    pairs.append((at, to))
                    break
        return pairs

    def has_changed(self, places: Sequence[int]) -> bool:
        """Return whether one of these tokens of the source was not kept."""
        return not self.kept_source.issuperset(places)

    def is_one_place(self, i: int, j: int) -> bool:
        """Return whether a source token gave way to a target token: aligned to it, or among the same changed words."""
        if self.to[i] == j:
            return True
        places = self._places
        return i in places[0] and places[0][i] == places[1].get(j)

    @once
    def _places(self) -> tuple[dict[int, int], dict[int, int]]:
        return (
            {i: k for k, group in enumerate(self.groups) for i in group.source},
            {j: k for k, group in enumerate(self.groups) for j in group.target},
        )

    @once
    def respelled(self) -> list[tuple[int, int]]:
        """Pairs of similar words of which one does not exist: misspellings, and forms that no word has."""
        pairs: list[tuple[int, int]] = []
        a, b = self.source, self.target
        used_target = {j for _, run in (*self.joined, *self.equivalents) for j in run}
        used_source = {i for run, _ in (*self.joined, *self.equivalents) for i in run}
        for group in self.groups:
            if not group.source or not group.target:
                continue
            for i in group.source:
                x = a.entries[i]
                if not x.is_word or x.digits or i in used_source:
                    continue
                for j in group.target:
                    y = b.entries[j]
                    if (
                        j not in used_target
                        and y.is_word
                        and not y.digits
                        and _misspelt(x.form, y.form, _is_known(x), _is_known(y))
                    ):
                        pairs.append((i, j))
                        used_target.add(j)
                        break
        return pairs

    @once
    def respelled_tokens(self) -> tuple[set[int], set[int]]:
        """The tokens of either side that are only spelt differently on the other side."""
        return (
            {i for i, _ in self.respelled} | {i for run, _ in (*self.joined, *self.equivalents) for i in run},
            {j for _, j in self.respelled} | {j for _, run in (*self.joined, *self.equivalents) for j in run},
        )

    @once
    def _settled(self) -> tuple[list[Match], list[int], list[int]]:
        """The matches, and the content words of either side that are left."""
        a, b = self.source, self.target
        used = (set(self.respelled_tokens[0]), set(self.respelled_tokens[1]))
        matches = [self._match(i, j, True) for i, j in self.respelled]
        matches += [self._match(x[0], y[0], True) for x, y in self.joined]
        matches += [self._match(x[0], y[0], False)._replace(equivalent=True) for x, y in self.equivalents]
        for group in self.groups:
            if not group.source or not group.target:
                continue
            source_words = [i for i in group.source if i not in used[0] and a.is_content[i]]
            target_words = [j for j in group.target if j not in used[1] and b.is_content[j]]
            if not source_words and not target_words:
                continue
            if len(source_words) == len(target_words) == 1:
                pairs = [(source_words[0], target_words[0])]
            elif (phrases := self._as_phrases(group)) is not None:
                matches.append(phrases)
                used[0].update(group.source)
                used[1].update(group.target)
                continue
            elif source_words and target_words:
                pairs = self._paired(source_words, target_words)
            else:
                continue
            for i, j in pairs:
                used[0].add(i)
                used[1].add(j)
                matches.append(self._match(i, j, False))
        lost = [i for i in self.gone if i not in used[0] and a.is_content[i]]
        added = [j for j in self.new if j not in used[1] and b.is_content[j]]
        if lost and added and len(lost) * len(added) <= 4 * _MANY:
            for i in list(lost):
                for j in added:
                    r = relation(a.words[i], b.words[j])
                    if r.same_lemma or r.derived or (r.synonym and min(r.share_a, r.share_b) >= 0.1):
                        matches.append(self._match(i, j, False))
                        lost.remove(i)
                        added.remove(j)
                        break
        return sorted(matches, key=lambda m: (m.source, m.target)), lost, added

    @property
    def matches(self) -> list[Match]:
        """The pairs of content words of which one stands for the other, in the order of the source."""
        return self._settled[0]

    @property
    def lost(self) -> list[int]:
        """The content words of the source without a counterpart."""
        return self._settled[1]

    @property
    def added(self) -> list[int]:
        """The content words of the target without a counterpart."""
        return self._settled[2]

    @once
    def _stand_ins(self) -> tuple[dict[int, int], dict[int, int]]:
        """The stand-ins for lost and for added words, see :meth:`stand_in`."""
        return (
            _stand_ins(self.source, self.lost, self.target, self.new, [(g.source, g.target) for g in self.groups]),
            _stand_ins(self.target, self.added, self.source, self.gone, [(g.target, g.source) for g in self.groups]),
        )

    def stand_in(self, side: int, i: int) -> int | None:
        """Return the pronoun or auxiliary in the place of a lost (side 0) or added (side 1) content word, or None."""
        return self._stand_ins[side].get(i)

    @property
    def stand_ins(self) -> int:
        """The number of content words of either side that have a pronoun or an auxiliary in their place."""
        return len(self._stand_ins[0]) + len(self._stand_ins[1])

    @once
    def rephrased(self) -> tuple[set[int], set[int]]:
        """The tokens of either side in places where another word has a match, which may express them as well."""
        matched = {m.source for m in self.matches if not m.spelling}
        inside = [g for g in self.groups if not matched.isdisjoint(g.source)]
        return {i for g in inside for i in g.source}, {j for g in inside for j in g.target}

    def _as_phrases(self, group: Group) -> Match | None:
        """Return the words of one place as two phrases that WordNet knows and relates; None if it does not."""
        if not 3 <= len(group.source) + len(group.target) <= 6:
            return None
        x, y = (
            " ".join(words[t] for t in places)
            for words, places in ((self.source.words, group.source), (self.target.words, group.target))
        )
        between = relation(x, y)
        if not between.known or not (
            between.same_lemma
            or between.synonym
            or between.antonym
            or between.derived
            or between.similar
            or between.sibling
            or between.hypernym
        ):
            return None
        i, j = group.source[0], group.target[0]
        return Match(i, j, between, Levenshtein.normalized_similarity(x, y), self.cosine(i, j), False)

    def _paired(self, source_words: Sequence[int], target_words: Sequence[int]) -> list[tuple[int, int]]:
        a, b = self.source.words, self.target.words
        many = len(source_words) * len(target_words) > _MANY
        ranked = []
        for i in source_words:
            for j in target_words:
                worth = _alike(a[i], b[j], None if many else relation(a[i], b[j]), self.cosine(i, j))
                worth += 0.15 * (self.to[i] == j)
                if worth >= _WORTH:
                    ranked.append((-worth, abs(i - j), i, j))
        pairs: list[tuple[int, int]] = []
        used: tuple[set[int], set[int]] = (set(), set())
        for _, _, i, j in sorted(ranked):
            if i not in used[0] and j not in used[1]:
                used[0].add(i)
                used[1].add(j)
                pairs.append((i, j))
        return pairs

    def _match(self, i: int, j: int, spelling: bool) -> Match:
        a, b = self.source, self.target
        x, y = a.words[i], b.words[j]
        source_phrase, target_phrase = self._phrase(a, i, self.kept_source), self._phrase(b, j, self.kept_target)
        between = relation(source_phrase, target_phrase)
        cosine = self.cosine(i, j)
        if not between.known:
            between = relation(x, y)
        elif source_phrase != x:  # the particle may carry the meaning
            cosine = max(cosine, self.cosine(i + 1, j))
        elif target_phrase != y:
            cosine = max(cosine, self.cosine(i, j + 1))
        return Match(i, j, between, Levenshtein.normalized_similarity(x, y), cosine, spelling)

    def _phrase(self, view: SentenceView, i: int, kept: set[int]) -> str:
        """Return a word with the particle after it, where both were changed and WordNet knows them together."""
        word = view.words[i]
        if i + 1 < len(view.words) and i + 1 not in kept and view.entries[i + 1].is_preposition:
            phrase = f"{word} {view.words[i + 1]}"
            if relation(phrase, phrase).known:
                return phrase
        return word

    @once
    def partner(self) -> dict[int, int]:
        """The partner of each source token in the target: the same word, or its match."""
        partners = dict(self.kept)
        partners.update((m.source, m.target) for m in self.matches)
        return partners

    @once
    def in_order(self) -> bool:
        """Whether all partners are in the order of the source."""
        return all(x < y for x, y in pairwise([j for _, j in sorted(self.partner.items())]))

    @once
    def stood_for(self) -> frozenset[int]:
        """The tokens of the target that are partners."""
        return frozenset(self.partner.values())


def compare(source: Analysis, target: Analysis, preset: Preset = DEFAULT) -> Comparison:
    """Compare two analysed sentences word by word.

    Args:
        source: the sentence before the change.
        target: the sentence after the change.
        preset: how their graphs are aligned and compared.

    Raises:
        AlignmentError: the sentences are too long to be aligned.
    """
    return Comparison(source.view, target.view, usim_score(source.graph, target.graph, preset))


def _changed_phrases(
    words: Sequence[str], changed: Sequence[int], kept: set[int]
) -> list[tuple[Phrase, tuple[int, ...]]]:
    """Return the phrases of the table that have changed words, with the places of these."""
    starts = sorted({k for i in changed for k in range(max(0, i - LONGEST + 1), i + 1)})
    phrases = ((p, tuple(i for i in range(p.start, p.end) if i not in kept)) for p in find_phrases(words, starts))
    return [(phrase, places) for phrase, places in phrases if places]


def _parts(group: Group) -> list[Group]:
    """Return a group in parts of equal shares of both sides, so that they have no more pairs of words together."""
    n, m = len(group.source), len(group.target)
    parts = -(-n * m // _MOST)
    if parts < 2:
        return [group]
    cuts = [(n * k // parts, m * k // parts) for k in range(parts + 1)]
    return [Group(group.source[i:k], group.target[j:stop]) for (i, j), (k, stop) in pairwise(cuts)]


def _is_known(e: FormClasses) -> bool:
    return bool(e.is_function or e.word.known or e.quantity or e.modal)


def _stand_ins(
    view: SentenceView,
    lost: Sequence[int],
    other_view: SentenceView,
    new: Sequence[int],
    groups: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
) -> dict[int, int]:
    stand_ins: dict[int, int] = {}
    used: set[int] = set()
    lost_words = set(lost)
    for positions, other_positions in groups:
        for i in positions:
            if i not in lost_words:
                continue
            parts = view.entries[i].word.parts
            for j in other_positions:
                e = other_view.entries[j]
                if j not in used and (
                    (parts.get("n", 0.0) > 0.3 and (e.person or e.form in ("one", "ones", "that", "those")))
                    or (parts.get("v", 0.0) > 0.3 and e.is_auxiliary and not e.modal)
                ):
                    stand_ins[i] = j
                    used.add(j)
                    break
    return stand_ins


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _are_same_letters(together: str, word: str) -> bool:
    """Return whether words written together are a word, with at most a slip in a long one."""
    return len(word) > 1 and (
        together == word or (len(word) > 5 and Levenshtein.normalized_similarity(together, word) >= 0.85)
    )


def differ_by_negative_prefix(x: str, y: str) -> bool:
    """Return whether one word is the other with a negative prefix, even if misspelt."""
    short, long = (x, y) if len(x) < len(y) else (y, x)
    if len(short) < 5:
        return False
    return any(
        long.startswith(prefix)
        and not short.startswith(prefix)
        and Levenshtein.normalized_similarity(long[len(prefix) :], short) >= 0.8
        for prefix in NEGATIVE_PREFIXES
    )


def _misspelt(x: str, y: str, x_known: bool, y_known: bool) -> bool:
    if (x_known and y_known) or differ_by_negative_prefix(x, y):
        return False
    if x_known == y_known:  # both are unknown: perhaps names
        return len(x) > 3 and Levenshtein.normalized_similarity(x, y) >= 0.8
    if len(x) < 3 or len(y) < 2:
        return False
    alike = Levenshtein.normalized_similarity(x, y)
    return alike >= _SPELLING or (alike >= 0.45 and x[0] == y[0] and JaroWinkler.similarity(x, y) >= 0.8)


def _alike(x: str, y: str, between: WordRelation | None, cosine: float) -> float:
    """Return how much speaks for two words to belong together, in [0, 1.1]."""
    chars = Levenshtein.normalized_similarity(x, y)
    worth = chars if chars >= 0.6 else 0.5 * chars
    if cosine == cosine:
        worth = max(worth, cosine)
    if between is not None and between.known:
        if between.same_lemma:
            worth = 1.1
        elif between.synonym:
            worth = max(worth, 0.8 + 0.2 * min(between.share_a, between.share_b))
        elif between.derived:
            worth = max(worth, 0.85)
        elif between.antonym:
            worth = max(worth, 0.7)
        elif between.similar:
            worth = max(worth, 0.65)
        elif between.hypernym or between.sibling:
            worth = max(worth, 0.6)
        else:
            worth = max(worth, 0.5 * between.lin)
    return worth


def stretches(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Return neighbouring places together.

    >>> stretches([1, 2, 5])
    [(1, 2), (5,)]
    """
    together: list[list[int]] = []
    for place in places:
        if together and together[-1][-1] == place - 1:
            together[-1].append(place)
        else:
            together.append([place])
    return [tuple(run) for run in together]


def _ascending(order: Sequence[int]) -> set[int]:
    """Return the places of a longest ascending subsequence."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for k, value in enumerate(order):
        at = bisect_left(tails, value)
        if at == len(tails):
            tails.append(value)
            places.append(k)
        else:
            tails[at] = value
            places[at] = k
        before.append(places[at - 1] if at else -1)
    members: set[int] = set()
    k = places[-1] if places else -1
    while k >= 0:
        members.add(k)
        k = before[k]
    return members
