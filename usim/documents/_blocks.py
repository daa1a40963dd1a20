"""Two texts judged block by block: what belongs together as a pair, what has none by what the other text says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from itertools import pairwise, product
from math import inf, log
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec import structs
from rapidfuzz.distance import Prefix

from usim.documents._align import PassageLink, PassageReader, link_texts
from usim.documents._cut import CutText, words_of
from usim.documents._numbering import Clauses, Reference, follows, out_of_order, refer_alike, references, renumbered
from usim.evidence import Finding
from usim.judge import JudgePipeline, as_written
from usim.lexicon import word_info
from usim.text import Span, context_of, token_texts
from usim.verdicts import Cause, Judgement, Opinion, Result, Verdict
from usim.verdicts.decide import EVEN, GRAVE_WEIGHT
from usim.verdicts.nouns import REWORDED

#: From this coverage on, by cosine, what has no counterpart stands elsewhere, if the judge agrees; from the next one on
#: that is doubtful; at the last one nothing of it does.
_ELSEWHERE, _DOUBTFUL, _NOWHERE = 0.72, 0.56, 0.4
#: Below this probability neither side of a link says what the other does. Of the links in the texts to develop on whose
#: sides have few words in common the least likely has .27.
_UNSAID = 0.2
#: Passages that may say what one without a counterpart says: so many by its words, and so many by its meaning.
_BY_WORDS, _BY_MEANING = 6, 3
#: The weight of the finding that something is left out or added.
_WEIGHT = 0.9
#: From these weights on findings that are not clear are evidence: words that the other text surely does not say, and
#: the same words in another order.
_EVIDENCE = {"unsaid": 0.75, "order": 0.4}
#: From this chance on a block is merely reworded though a grave finding that anybody can check is told. Chosen, as the
#: figures above, on texts to develop on and on long texts by authors from whom nothing is learned.
_GOOD = 0.7
#: From this weight on a finding is a hint, where usim cannot judge a block; so many are told, and none of grammar.
_HINT, _MOST_HINTS, _OF_GRAMMAR = 0.5, 2, frozenset(("attachment", "category", "particle", "tense"))
#: The most words of a title, those of them that say nothing, and the letters that tell words apart.
_MOST_TITLE, _OF_TITLES, _STEM = 4, frozenset("a an the your our and of for to".split()), 3
#: A word or a number.
_WORD = re.compile(r"[^\W_]+")
#: A name, or a term that is written as one, within a sentence.
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][a-z]+")
#: Kinds of findings whose new words may stand in the text around, and how many characters on either side are that text.
_NEW, _AROUND = frozenset("participant-added modifier-added adverbial-added".split()), 300
#: What stands for a noun of the text around.
_PRONOUNS = frozenset("it its he him his she her they them their this that these those".split())
#: What the sides of a pair are called where they are texts, outside of quotation marks.
_SIDES = {"output": "after", "source": "before"}
_SIDE = re.compile(r"“[^”]*(?:”|$)|\b([Tt])he (output|source)\b")
#: The words that changed, in what is told of a finding.
_CHANGE = re.compile(r"“[^“”]*” (?:became “[^“”]*”|is (?:gone|new))")
#: What says who is meant by a pronoun: *In these terms, "we" means the club*.
_OF_PARTIES = re.compile(r"(?i)[\"“'‘](?:we|us|our|you|your)[\"”'’] (?:means?|refers? to|stands? for|is|are)\b")
#: Blocks that are judged together.
_TOGETHER = 64
#: Words of greetings that begin with a capital and are no names.
_GREETS = frozenset("dear hi hello hey good morning afternoon evening greetings all everyone team sir madam".split())
#: The members of a block that have the same names in JSON.
_MEMBERS = "before after verdict cause faithfulness supported covered elsewhere".split()


@dataclass(frozen=True)
class TextBlock:
    """Passages of both texts that belong together, or one that has no counterpart.

    Attributes:
        before, after: where the passages stand, in characters; empty on the side that has none.
        before_span, after_span: from the first to the last of them; where there are none an empty span at the place
            where they would stand.
        is_same: whether both sides have the same words.
        is_moved: whether it stands elsewhere in the order of the other text.
        verdict, cause, faithfulness: as of a pair of sentences; the faithfulness of a passage without a counterpart
            follows from how far the other text says it.
        findings: what speaks against it, the gravest first, with places in the texts.
        supported: how much of what stands after the change stands before it, in [0, 1].
        covered: how much of what stands before the change stands after it, in [0, 1].
        elsewhere: where the other text has the content of a passage without a counterpart.
        decided_by: the name of the judge that was asked because the first one was in doubt; empty where none was.
        is_doubtful: whether the block is not kept, but without a sign that it changed.
    """

    before: tuple[Span, ...]
    after: tuple[Span, ...]
    before_span: Span
    after_span: Span
    is_same: bool = False
    is_moved: bool = False
    verdict: Verdict = "review"
    cause: Cause | None = None
    faithfulness: float = 1.0
    findings: tuple[Finding, ...] = ()
    supported: float = 1.0
    covered: float = 1.0
    elsewhere: tuple[Span, ...] = ()
    decided_by: str = ""
    is_doubtful: bool = False

    @property
    def form(self) -> str:
        """How many passages it has before and after the change: ``1-1``, ``2-1``, ``0-1``."""
        return f"{len(self.before)}-{len(self.after)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the block as JSON values; spans of findings are places in the texts."""
        findings = [
            {"kind": finding.kind, "text": finding.text, "weight": finding.weight, "shown": finding.is_shown,
             "certain": finding.is_certain,
             "before": finding.source_spans, "after": finding.output_spans}
            for finding in self.findings
        ]  # fmt: skip
        values: dict[str, Any] = {name: getattr(self, name) for name in _MEMBERS}
        return {**values, "type": self.form, "same": self.is_same, "moved": self.is_moved, "findings": findings}


#: Judges pairs of texts.
_Judging = Callable[[list[tuple[str, str]]], list[Result]]


class _Asked(NamedTuple):
    """What the judge reads: an output whose references are numbered as in the source, where, and as it is written."""

    source: str
    output: str
    places: list[tuple[Span, Span]]
    written: str


class _Elsewhere(NamedTuple):
    """Where a lone passage may stand in the other text.

    Attributes:
        coverage: how far its words have counterparts there, by cosine.
        span: the passage that has most of them; None if no passage shares a word with it.
        alone: how far that passage alone has them.
        passages: the numbers of all passages that have them.
    """

    coverage: float
    span: Span | None
    alone: float
    passages: tuple[int, ...] = ()


class LinkedTexts:
    """Two texts whose passages are linked by a reader; ``states`` says how each of the ``links`` is judged.

    To :meth:`prepare` costs more than to link, and only texts that are judged in blocks need it.
    """

    def __init__(self, before: CutText, after: CutText, reader: PassageReader) -> None:
        self.before, self.after, self._reader = before, after, reader
        self.links = link_texts(before, after, reader)
        self.states = [self._state(link) for link in self.links]
        self.elsewhere: dict[int, _Elsewhere] = {}
        self.pairs: dict[int, _Asked] = {}
        self.old_numbers: dict[str, str] = {}

    def prepare(self, judge: _Judging, *, takes_unlike: bool = False) -> None:
        """Find the ``pairs`` that the judge reads, by the numbers of their links, and where lone passages may stand.

        First take apart the links of one passage to several, of which one says the same, more surely than all of them,
        and the others something else; and if it ``takes_unlike`` those of passages that have hardly anything in common.
        """
        links = [
            self._apart(link, judge, takes_unlike=takes_unlike) if state == "asked" else [link]
            for link, state in zip(self.links, self.states, strict=True)
        ]
        self.links = [link for parts in links for link in parts]
        self.states = [self._state(link) for link in self.links]
        lone = (k for k, state in enumerate(self.states) if state == "alone")
        self.elsewhere = {k: self._elsewhere(self.links[k]) for k in lone}
        self.old_numbers = renumbered(both for both in self._numbers().values() if all(both))
        asked = (k for k, state in enumerate(self.states) if state in ("asked", "alone"))
        pairs = {k: self._pair(k) for k in asked}
        self.pairs = {k: pair for k, pair in pairs.items() if pair}

    @property
    def cut(self) -> tuple[CutText, CutText]:
        return self.before, self.after

    def sides(self, run: range) -> tuple[range, range]:
        """Return the passages of a run of links, from the first to the last of either side."""
        links = self.links[run.start : run.stop]
        return _hull(link.before for link in links), _hull(link.after for link in links)

    def runs(self, most: int) -> Iterator[range]:
        """Yield runs of links, as long as they can be: no side is empty, has a gap, or more than so many tokens."""
        sizes = [[len(token_texts(key)) for key in cut.keys] for cut in self.cut]
        start = 0
        while start < len(self.links):
            end = start + 1
            for stop in range(end, len(self.links) + 1):
                links, sides = self.links[start:stop], self.sides(range(start, stop))
                if any(sum(own[side.start : side.stop]) > most for own, side in zip(sizes, sides, strict=True)):
                    break
                if all(sum(len(link[:2][k]) for link in links) == len(sides[k]) for k in (0, 1)):
                    end = stop
            if all(self.sides(range(start, end))):
                yield range(start, end)
            start = end

    def leave_out(self, runs: Iterable[range]) -> None:
        gone = {at for run in runs for at in run}
        self.links = [link for at, link in enumerate(self.links) if at not in gone]
        self.states = [self._state(link) for link in self.links]

    def misnumbered(self, sure: Set[int], gone: Set[int]) -> dict[int, list[Finding]]:
        """Return by the numbers of links what is wrong though the words stay, where clauses were numbered anew.

        A reference names another clause than before, or none; items of a numbered list come in another order. Both
        texts prove it where the links of the clauses are ``sure``, or stand in one count with such links, and their own
        clause is ``gone`` otherwise.
        """
        found = defaultdict[int, list[Finding]](list)
        clauses = [Clauses(cut.numbers, cut.keys) for cut in self.cut]
        at = [{k: place for place, link in enumerate(self.links) for k in link[:2][side]} for side in (0, 1)]
        once, counted = Counter(self.old_numbers.values()), self._counted(sure)
        new_numbers = {
            old: new for new, old in self.old_numbers.items() if once[old] == 1 and old not in self.before.numbers
        }
        for place, link in enumerate(self.links):
            for (old, near), (new, there) in self._staying_references(link):
                meant, named = clauses[0].named(old, near), clauses[1].named(new, there)
                own = None if meant is None else at[0][meant]
                other = None if named is None else at[1][named]
                clause = f"{old.name} {old.number}"
                if own is None:  # a clause of which only the parts have passages
                    now = new_numbers.get(old.number, old.number)
                elif own != other:
                    now = next((n for k in self.links[own].after if (n := self.after.numbers[k])), old.number)
                else:
                    continue
                is_proven = other in counted or old.number not in self.after.numbers
                if (own is None or own in counted or is_proven) and now != old.number:
                    said = f"{clause} is now {old.name} {now}"
                elif own in gone and is_proven:
                    said = f"{clause} is left out"
                else:
                    continue
                said = f"The reference to {clause} is out of date: {said}"
                found[place].append(_certain("reference", said, (old.span,), (new.span,)))
        lists = defaultdict[tuple[int, int], list[tuple[int, int]]](list)
        for place in sure:
            before, after, _ = self.links[place]
            own_lists = clauses[0].lists[before.start], clauses[1].lists[after.start]
            if min(own_lists) >= 0:
                lists[own_lists].append((after.start, before.start))
        for items in lists.values():
            new_places = {i: j for j, i in items}
            for pair in out_of_order([i for _, i in sorted(items)]):
                is_step = all(map(clauses[0].is_step, pair))
                name = "step" if is_step else "point"
                first, second = (self.before.numbers[i] for i in pair)
                said = f"{name.capitalize()} {first} now comes before {name} {second}"
                ours = tuple(self.before.passages[i][:2] for i in pair)
                theirs = tuple(self.after.passages[new_places[i]][:2] for i in pair)
                finding = _certain("order", said, ours, theirs)
                moved = next((i for i in pair if self.links[at[0][i]].is_moved), pair[0])
                found[at[0][moved]].append(structs.replace(finding, is_alone=is_step))
        return found

    def _numbers(self) -> dict[int, tuple[str, str]]:
        """Return by their places the numbers with which both sides of links begin."""
        links = ((place, link) for place, link in enumerate(self.links) if link.before and link.after)
        own, new = self.before.numbers, self.after.numbers
        return {place: (own[link.before.start], new[link.after.start]) for place, link in links}

    def _counted(self, sure: Set[int]) -> set[int]:
        """Return the sure links, and those whose clauses come next to such ones on both sides, however reworded."""
        numbers = {place: both for place, both in self._numbers().items() if not self.links[place].is_moved}
        beside = [
            pair
            for pair in pairwise(place for place, both in numbers.items() if all(both))
            if all(follows(*each) for each in zip(*(numbers[place] for place in pair), strict=True))
        ]
        counted = set(sure)
        for one, other in (*beside, *((b, a) for a, b in reversed(beside))):
            counted |= {other} if one in counted else set()
        return counted

    def _staying_references(self, link: PassageLink) -> Iterator[tuple[tuple[Reference, int], tuple[Reference, int]]]:
        """Yield the references of a link whose numbers stay, on both sides with their passages."""
        old, new = (
            [(each, k) for k in places for each in references(cut.plain, cut.passages[k][:2])]
            for cut, places in zip(self.cut, link[:2], strict=True)
        )
        for pair in zip(old, new, strict=True) if len(old) == len(new) else product(old, new):
            (before, _), (after, _) = pair
            if before.number == after.number and before.is_own and after.is_own:
                yield pair

    def _apart(self, link: PassageLink, judge: _Judging, *, takes_unlike: bool) -> list[PassageLink]:
        if takes_unlike and self._is_unlike(link, judge):
            gone = [PassageLink(range(k, k + 1), range(link.after.start, link.after.start)) for k in link.before]
            end = link.before.stop
            return [*gone, *(PassageLink(range(end, end), range(k, k + 1)) for k in link.after)]
        is_split = len(link.before) == 1
        one, many = (link.before, link.after) if is_split else (link.after, link.before)
        if not len(one) == 1 < len(many):
            return [link]
        own, other = (self.after, self.before) if is_split else (self.before, self.after)
        sentence = other.sentence(one)
        whole, *judged = judge(
            [(sentence, own.sentence(many)), *((sentence, own.sentence(range(k, k + 1))) for k in many)]
        )
        said = {k: result.judgement for k, result in zip(many, judged, strict=True) if _is_supported(result.judgement)}
        least = max(EVEN, whole.judgement.opinion.same)
        if len(said) != 1 or any(judgement.opinion.same < least for judgement in said.values()):
            return [link]
        nothing = range(one.stop, one.stop)
        sides = [(one if k in said else nothing, range(k, k + 1)) for k in many]
        return [PassageLink(*(x if is_split else x[::-1]), link.is_moved and x[0] == one) for x in sides]

    def _is_unlike(self, link: PassageLink, judge: _Judging) -> bool:
        """Return whether the sides share few words, and neither says what the other does, as far as the judge knows."""
        sides = [self._reader.read(cut.keys[of.start : of.stop]) for cut, of in zip(self.cut, link[:2], strict=True)]
        said = [
            sum(each.weight * self._reader.coverage(each, other) for each in own) / sum(each.weight for each in own)
            for own, other in (sides, sides[::-1])
        ]
        if sum(said) / 2 >= _DOUBTFUL:
            return False
        (result,) = judge([(self.before.sentence(link.before), self.after.sentence(link.after))])
        opinion = result.judgement.opinion
        says = (value for value in (opinion.same, opinion.supported, opinion.covered) if value is not None)
        return opinion.is_answered and max(says) < _UNSAID

    def _pair(self, place: int) -> _Asked | None:
        """Return what the judge reads at a link: both sides, or where a lone passage seems to stand and the passage."""
        before, after, _ = self.links[place]
        if before and after:
            source, written = self.before.sentence(before), self.after.sentence(after)
            return _Asked(source, *refer_alike(source, written, self.old_numbers), written)
        coverage, span, *_ = self.elsewhere[place]
        if span is None or coverage <= _DOUBTFUL:
            return None
        own, other = (self.before, self.after) if before else (self.after, self.before)
        passage = own.sentence(before or after)
        return _Asked(other.sentence_at(span), passage, [], passage)

    def _state(self, link: PassageLink) -> Literal["alone", "asked", "code", "greeting", "same"]:
        """Return how a block is judged: by what the other text says elsewhere, by the judge, or by what it is."""
        before, after = [self.before.keys[k] for k in link.before], [self.after.keys[k] for k in link.after]
        kinds = {self.before.passages[k].kind for k in link.before} | {self.after.passages[k].kind for k in link.after}
        if before == after:
            addresses = [[cut.addresses[k] for k in places] for cut, places in zip(self.cut, link[:2], strict=True)]
            return "same" if addresses[0] == addresses[1] else "code"
        is_alone = not (before and after)
        is_greeting = kinds == {"greeting"} and (is_alone or _names(before) == _names(after))
        if is_greeting or (is_alone and self._is_title(link)):
            return "greeting"
        if is_alone:
            return "alone"
        return "code" if "code" in kinds else "asked"

    def _is_title(self, link: PassageLink) -> bool:
        """Return whether a lone passage is a title, all of whose words the sentence below it says in some form.

        *Paying. You pay by card.*, but not *No refunds. You pay by card.*
        """
        own, places = (self.before, link.before) if link.before else (self.after, link.after)
        title = re.findall(r"\w+", own.keys[places.start].lower())
        if len(title) > _MOST_TITLE or places.stop == len(own.keys):
            return False
        said = re.findall(r"\w+", own.keys[places.stop].lower())
        words = [word for word in title if word not in _OF_TITLES]
        return bool(words) and all(any(_is_form(word, other) for other in said) for word in words)

    def is_merged(self, place: int, beside: Iterable[int]) -> bool:
        """Return whether all that a lone passage says is new in what stands beside it: *a surprise*, *surprisingly*."""
        side = int(not self.links[place].before)
        keys = [[cut.keys[k] for near in beside for k in self.links[near][:2][at]] for at, cut in enumerate(self.cut)]
        words = map(str.lower, _WORD.findall(self.cut[side].keys[self.links[place][:2][side].start]))
        content = words_of(" ".join(word for word in words if not word_info(word).is_function))
        before, after = (words_of(" ".join(own)) for own in keys)
        return bool(content) and content <= (before - after if side else after - before)

    def _elsewhere(self, link: PassageLink) -> _Elsewhere:
        """Return where a lone passage may stand in the other text.

        Looked at are the passages that share words with it, and of these those that are nearest in meaning.
        """
        own, other = (self.before, self.after) if link.before else (self.after, self.before)
        key = own.keys[(link.before or link.after).start]
        words = words_of(key)
        rarity = {word: log(1 + len(other.keys) / max(1, sum(word in each for each in other.words))) for word in words}
        shared = {k: sum(rarity[word] for word in words & each) for k, each in enumerate(other.words)}
        candidates = [k for k in nlargest(_BY_WORDS, shared, key=shared.__getitem__) if shared[k]]
        if not candidates:
            return _Elsewhere(0.0, None, 0.0)
        passage, *others = self._reader.read([key, *(other.keys[k] for k in candidates)])
        order = sorted(range(len(others)), key=lambda k: -float(others[k].mean @ passage.mean))[:_BY_MEANING]
        alone = {k: self._reader.coverage(passage, [others[k]]) for k in order}
        best = max(alone, key=alone.__getitem__)
        coverage = self._reader.coverage(passage, [others[k] for k in order])
        places = tuple(candidates[k] for k in order)
        return _Elsewhere(coverage, other.passages[candidates[best]][:2], alone[best], places)


def _hull(ranges: Iterable[range]) -> range:
    places = [place for places in ranges for place in places]
    return range(min(places), max(places) + 1) if places else range(0)


def _is_form(word: str, other: str) -> bool:
    """Return whether two words are forms of one, as far as their beginnings tell: *paying, pay*, *bookings, book*."""
    shared = Prefix.similarity(word, other)
    return word == other or (shared >= _STEM and shared >= min(len(word), len(other)) - 1)


def _names(greetings: Sequence[str]) -> set[str]:
    words = (word for greeting in greetings for word in re.findall(r"\w+", greeting)[1:])
    return {word for word in words if word[0].isupper() and word.lower() not in _GREETS}


def judge_blocks(
    pipeline: JudgePipeline, texts: Sequence[LinkedTexts], *, reads_around: bool = False
) -> Iterator[tuple[TextBlock, ...]]:
    """Yield the blocks of each of these texts, judged together; ``reads_around`` with the text around them."""
    unasked = copy(pipeline)
    unasked.ask = None  # only what the judge itself says takes links apart
    for own in texts:
        own.prepare(unasked.judge_pairs, takes_unlike=reads_around)
    asked = [(own, place) for own in texts for place in own.pairs]
    judgements = _judgements(pipeline, asked, reads_around)
    for own in texts:
        yield _blocks(own, judgements, pipeline, reads_around=reads_around)


def _judgements(
    pipeline: JudgePipeline, asked: Sequence[tuple[LinkedTexts, int]], reads_around: bool
) -> Iterator[Judgement]:
    for at in range(0, len(asked), _TOGETHER):
        some = asked[at : at + _TOGETHER]
        contexts = [
            context_of(own.before.plain, *own.before.span_of(own.links[place].before))
            if reads_around and own.states[place] == "asked"
            else None
            for own, place in some
        ]
        pairs = [own.pairs[place] for own, place in some]
        results = pipeline.judge_pairs([pair[:2] for pair in pairs], contexts)
        for pair, result in zip(pairs, results, strict=True):
            yield as_written(result, pair.written, pair.places).judgement


def _blocks(
    texts: LinkedTexts, judgements: Iterator[Judgement], pipeline: JudgePipeline, *, reads_around: bool
) -> tuple[TextBlock, ...]:
    """Return the blocks of two texts; judgements come in the order of the links that the judge is asked about."""
    before, after = texts.before, texts.after
    judged = {place: next(judgements) for place in texts.pairs}
    asked = {place: judgement for place, judgement in judged.items() if texts.states[place] == "asked"}
    # The passages of each text that, as far as the judge knows, say nothing that the other one does not say there.
    steady = [
        {
            k
            for place, (state, link) in enumerate(zip(texts.states, texts.links, strict=True))
            if state == "same" or (place in asked and _is_steady(asked[place].opinion, side))
            for k in link[:2][side]
        }
        for side in (0, 1)
    ]
    unknown, same = Opinion(pipeline.thresholds.middle, is_answered=False), Opinion(1.0, 1.0, 1.0)
    judged_block = partial(_judged, pipeline=pipeline, among=len(asked), texts=texts, reads_around=reads_around)
    blocks: list[TextBlock] = []
    at_before = at_after = 0
    for place, (state, link) in enumerate(zip(texts.states, texts.links, strict=True)):
        block = TextBlock(
            tuple(before.passages[k][:2] for k in link.before),
            tuple(after.passages[k][:2] for k in link.after),
            before.span_of(link.before) if link.before else (at_before, at_before),
            after.span_of(link.after) if link.after else (at_after, at_after),
            is_same=state == "same",
            is_moved=link.is_moved,
        )
        at_after = max(at_after, block.after_span[1])
        if not link.is_moved:
            at_before = max(at_before, block.before_span[1])
        if state == "asked":
            block = judged_block(block, judged[place])
        elif state == "alone":
            side = int(bool(link.before))
            beside = (k for k in (place - 1, place + 1) if k in asked and asked[k].band in REWORDED)
            is_beside = any(k not in steady[side] for near in beside for k in texts.links[near][:2][side])
            is_beside |= texts.is_merged(place, [k for k in (place - 1, place + 1) if k in asked])
            block = _alone(block, texts, place, judged.get(place), pipeline, steady[side], may_be_beside=is_beside)
        elif state == "code":
            is_code = any(before.passages[k].kind == "code" for k in link.before)
            said = "The code changed" if is_code else "The address of a link changed"
            block = replace(_decided(block, unknown, pipeline, _certain("code", said)), supported=0.5, covered=0.5)
        else:
            block = _decided(block, same, pipeline)
        blocks.append(block)
    sure = {
        place
        for place, state in enumerate(texts.states)
        if state == "same" or (place in asked and asked[place].opinion.same >= EVEN)
    }
    gone = {place for place, state in enumerate(texts.states) if state == "alone" and blocks[place].verdict != "keep"}
    for place, found in texts.misnumbered(sure, gone).items():
        block = blocks[place]
        if place in asked:
            is_all = texts.pairs[place].source == texts.pairs[place].output
            found = [structs.replace(finding, is_alone=finding.is_alone and is_all) for finding in found]
            blocks[place] = judged_block(block, asked[place], more=found)
        elif any(finding.is_alone for finding in found):
            blocks[place] = replace(_decided(block, unknown, pipeline, *found), supported=0.5, covered=0.5)
        else:
            blocks[place] = _decided(block, same, pipeline, *found)
    return tuple(blocks)


def _certain(kind: str, text: str, before: tuple[Span, ...] = (), after: tuple[Span, ...] = ()) -> Finding:
    """Return a finding that anybody can check, and that is all that changed."""
    return Finding(kind, text, source_spans=before, output_spans=after, weight=_WEIGHT, is_certain=True, is_alone=True)


def _decided(block: TextBlock, opinion: Opinion, pipeline: JudgePipeline, *findings: Finding) -> TextBlock:
    verdict, cause = pipeline.decide(opinion, findings)
    faithfulness = opinion.under(pipeline.policy) if opinion.is_answered else opinion.same
    return replace(
        block, verdict=verdict, cause=cause, findings=findings if verdict != "keep" else (), faithfulness=faithfulness
    )


def _alone(
    block: TextBlock,
    texts: LinkedTexts,
    place: int,
    judgement: Judgement | None,
    pipeline: JudgePipeline,
    steady: Set[int],
    *,
    may_be_beside: bool,
) -> TextBlock:
    """Return the block of a passage without a counterpart, judged by how far the other text says it.

    Like words say much else, so what the judge does not find said where it seems to stand is doubtful at the best. What
    seems to say it may be ``steady``: it stood there beside it, and few texts say a thing twice. Then nothing says it,
    unless the judge is sure. What seems to be gone or new beside a reworded passage may be said there: that is doubtful
    at the least. A heading alone says little, and so does who *we* are: they are in doubt.
    """
    coverage, span, alone, places = texts.elsewhere[place]
    thresholds = pipeline.thresholds
    is_steady = steady >= set(places)
    if judgement and not _is_supported(judgement, thresholds.keep if is_steady else EVEN):
        coverage = 0.0 if is_steady else min(coverage, _DOUBTFUL)
    coverage = max(coverage, _DOUBTFUL) if may_be_beside else coverage
    knots = (0.0, thresholds.drop, thresholds.keep, 1.0)
    same = round(float(np.interp(coverage, (_NOWHERE, _DOUBTFUL, _ELSEWHERE, 1.0), knots)), 5)
    own, other = (texts.before, texts.after) if block.before else (texts.after, texts.before)
    link, passage = texts.links[place], (block.before or block.after)[0]
    is_heading = own.is_heading((link.before or link.after).start)
    if is_slight := is_heading or bool(_OF_PARTIES.search(own.plain[slice(*passage)])):
        same = thresholds.middle
    share = round(min(1.0, max(0.0, (coverage - _NOWHERE) / (_ELSEWHERE - _NOWHERE))), 3)
    # Of what is left out all is supported, and of what is added all is covered.
    supported, covered = (1.0, same) if block.before else (same, 1.0)
    opinion = Opinion(same, supported, covered)
    kind, done = ("scene-lost", "left out") if block.before else ("scene-added", "added")
    said = own.quoted(passage)
    text = f"The {'row' if ' | ' in said else 'heading' if is_heading else 'sentence'} “{said}” is {done}"
    if span and alone >= _DOUBTFUL:
        text += f"; something like it stands in “{other.quoted(span)}”"
    finding = Finding(kind, text, source_spans=block.before, output_spans=block.after, weight=_WEIGHT)
    decided = _decided(block, opinion, pipeline, finding)
    return replace(
        decided,
        is_doubtful=is_slight and decided.verdict == "review",
        elsewhere=(span,) if span and share else (),
        supported=1.0 if block.before else share,
        covered=share if block.before else 1.0,
    )


def _is_supported(judgement: Judgement, least: float = EVEN) -> bool:
    """Return whether the source of a pair probably says all that the output says, as far as the judge knows."""
    said = judgement.opinion.supported
    is_changed = any(finding.is_certain and finding.allowed_by != "shorten" for finding in judgement.findings)
    return said is None or (said >= least and not is_changed)


def _is_steady(opinion: Opinion, side: int) -> bool:
    """Return whether one side of a pair probably says nothing that the other does not say."""
    said = (opinion.covered, opinion.supported)[side]
    return (opinion.same if said is None else said) >= EVEN


def _of_text(side: re.Match[str]) -> str:
    """Return a name of a side as texts have it; what is quoted stays."""
    return f"{side[1]}he text {_SIDES[side[2]]} the change" if side[2] else side[0]


def _judged(
    block: TextBlock,
    judgement: Judgement,
    *,
    pipeline: JudgePipeline,
    more: Sequence[Finding] = (),
    among: int,
    texts: LinkedTexts,
    reads_around: bool,
) -> TextBlock:
    """Return a block with what the judge says of it and with ``more``, decided among the other blocks that changed.

    What is to be reviewed without a sign that it changed (:func:`_has_sign`) is in doubt. What the ``texts`` around a
    block say is no news in it: *Dissolve it* may become *Dissolve the pellet*; there nothing is dropped. Nor is a name
    or a number certainly gone that only went into the sentence beside it.
    """
    opinion, verdict, cause = judgement.opinion, judgement.verdict, judgement.cause
    own_findings = (
        structs.replace(
            placed(finding, block.before_span, block.after_span),
            text=_SIDE.sub(_of_text, finding.text) if reads_around else finding.text,
        )
        for finding in judgement.findings
    )
    findings = (*more, *(_less_certain(finding, block, texts) for finding in own_findings))
    shown = [finding for finding in findings if finding.is_shown]
    is_around = reads_around and bool(shown) and _is_said_around(block, shown, texts)
    if more or (not judgement.decided_by and verdict != "keep"):
        opinion = replace(opinion, is_vague=opinion.is_vague or is_around)
        verdict, cause = pipeline.decide(opinion, findings, among=among)
    supported, covered = judgement.supported, judgement.covered
    if supported is None or covered is None:  # a judge that does not tell the directions apart
        supported, covered = judgement.usim.r2s.precision, judgement.usim.s2r.recall
    evidence = _evidence(findings)
    has_sign = _has_sign(findings, evidence, judgement.faithfulness, pipeline.thresholds.middle, is_around=is_around)
    is_doubtful = verdict == "review" and not has_sign
    if verdict != "keep" and all(f.kind == "reworded" for f in shown):
        hints = evidence[:1] if evidence and not is_doubtful else _hints(findings)
        findings = tuple(structs.replace(f, is_shown=f in hints) for f in findings) if hints else findings
    if is_doubtful:
        findings = tuple(structs.replace(f, text=_as_seen(f.text)) for f in findings)
    return replace(
        block,
        verdict=verdict,
        cause=cause,
        faithfulness=judgement.faithfulness,
        findings=findings,
        supported=supported,
        covered=covered,
        decided_by=judgement.decided_by,
        is_doubtful=is_doubtful,
    )


def _evidence(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that speak against a block, whether or not they are told."""
    return [f for f in findings if f.weight >= (GRAVE_WEIGHT if f.is_clear else _EVIDENCE.get(f.kind, inf))]


def _hints(findings: Sequence[Finding]) -> list[Finding]:
    """Return what to look at first in a block that nobody is told of: the gravest findings."""
    hidden = (f for f in findings if not f.is_shown and f.weight >= _HINT and f.kind not in _OF_GRAMMAR)
    return nlargest(_MOST_HINTS, hidden, key=lambda f: f.weight)


def _as_seen(text: str) -> str:
    """Return the words that changed, without what that means: of what usim cannot judge it is seldom true.

    >>> _as_seen("The text after the change says the opposite: “not” is new")
    '“not” is new'
    >>> _as_seen("“prior” became “former”, which means something else")
    '“prior” became “former”'
    """
    return ", ".join(_CHANGE.findall(text)) or text


def _has_sign(
    findings: Sequence[Finding], evidence: Sequence[Finding], chance: float, middle: float, *, is_around: bool
) -> bool:
    """Return whether a block shows a sign that it changed.

    A judge of pairs is asked about pairs of which about half changed. In a text that somebody edited most sentences say
    the same, so most of the blocks that it is not sure of are merely reworded. Signs are a certain finding, and a clear
    one that is all that changed. So is a low ``chance``, unless the text around says what is told (``is_around``): one
    below the ``middle``; with evidence, one below an even chance; with a grave finding that anybody can check, one
    below a good chance.
    """
    shown = (f for f in findings if f.is_shown)
    if any(f.is_certain or (f.is_alone and (f.is_clear or f.kind.endswith("-lost"))) for f in shown):
        return True
    is_checkable = any(f.is_clear and f.is_shown for f in evidence)
    return not is_around and chance < (_GOOD if is_checkable else EVEN if evidence else middle)


def _less_certain(finding: Finding, block: TextBlock, texts: LinkedTexts) -> Finding:
    """Return a finding, no longer certain if what one side alone has stands near the block in the other text."""
    if bool(finding.source_spans) == bool(finding.output_spans):
        return finding
    sides = [(texts.before.plain, block.before_span), (texts.after.plain, block.after_span)]
    (own, _), other = sides if finding.source_spans else sides[::-1]
    said = " ".join(own[slice(*span)] for span in finding.source_spans + finding.output_spans)
    words = set(_WORD.findall(said.lower()))
    if not words or not words <= set(_WORD.findall(_around(*other).lower())):
        return finding
    return structs.replace(finding, is_certain=False, is_alone=False)


def _around(text: str, span: Span) -> str:
    start, end = span
    return f"{text[max(0, start - _AROUND) : start]} {text[end : end + _AROUND]}"


def _is_said_around(block: TextBlock, shown: Sequence[Finding], texts: LinkedTexts) -> bool:
    """Return whether all that is told of a block are new words that stand in the text around it.

    Or all that changed is that a pronoun became what it stands for there, or the reverse: *it*, *the tube*.
    """
    sides = [(texts.before.plain, block.before_span), (texts.after.plain, block.after_span)]
    around = [words_of(_around(*side)) for side in sides]
    new = [words_of(" ".join(sides[1][0][slice(*span)] for span in finding.output_spans)) for finding in shown]
    if all(f.kind in _NEW and words and words <= around[0] for f, words in zip(shown, new, strict=True)):
        return True
    words = [Counter(_WORD.findall(text[slice(*span)].lower())) for text, span in sides]
    for k, (text, span) in enumerate(sides):
        gone, new_words = words[k] - words[1 - k], words[1 - k] - words[k]
        named = words_of(" ".join(new_words))
        if named and named <= around[k] and gone and gone.keys() <= _PRONOUNS:
            # Beside another name a pronoun may stand for that: *The Supplier shall, at its option*.
            return {name.lower() for name in _NAME.findall(text[slice(*span)])} <= new_words.keys()
    return False


def placed(finding: Finding, before: Span, after: Span) -> Finding:
    """Return a finding in parts of two texts with its places in the texts."""
    spans = (finding.source_spans, before[0]), (finding.output_spans, after[0])
    source, output = (tuple((start + by, end + by) for start, end in own) for own, by in spans)
    return structs.replace(finding, source_spans=source, output_spans=output)
