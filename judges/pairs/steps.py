"""Corrections done one at a time, and the same with something wrong among them.

Of a learner's sentence an order of its edits is drawn. One of the sentences on the way is the source, a later one the
output: all that lies between was corrected well, whatever was corrected, so that the meaning is what it was. The
unfaithful half is made of the same sentences. In one of the two something is changed that no corrector would change, or
a word that was corrected becomes another than it should be: that a sentence has errors, or that a word gives way to
another where one was wrong, says nothing by itself.

These pairs are a data set of their own (``--only step.``), as the judge weighs them by themselves.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judges.pairs.learners import resembling
from judges.pairs.registry import Change, Pair, Sources, apply_edit, edit, maker, shuffled
from judges.pairs.words import content, put_lemma
from training.corpora import Corrected, as_text
from training.sentence import Sentence
from usim.suggestions import Edit, apply

_SHORTEST, _LONGEST = 3, 60
#: The number of orders in which the edits of a sentence are done.
_ROUNDS = 4
#: The share of pairs that are written as people write; the others are tokens with blanks between them.
_WRITTEN = 0.5
#: How likely people say that a correction of an error keeps the meaning.
_CORRECTED = 0.99
#: How often something wrong is put where something was corrected, and not anywhere; how often into the source.
_AT_PLACE, _IN_SOURCE = 0.7, 0.3
#: What may be put in the place of a corrected word, and anywhere.
_WORDS = ("word.antonym", "word.sibling", "word.other-sense", "word.random", "resembling")
_ANYWHERE = (
    *_WORDS, "word.special", "dropped", "negation.added", "negation.removed", "modality.changed", "number.changed",
    "pronoun.changed", "quantifier.changed", "comparison.changed", "link.changed", "direction.changed",
    "opposite.changed", "name.replaced", "question.made",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Within(Sentence):
    """A sentence in which only the tokens at ``places`` may be changed."""

    places: frozenset[int] = field(default=frozenset())

    def shuffled(self, rng: random.Random) -> Iterator[int]:
        """Yield those places, in any order."""
        yield from (i for i in super().shuffled(rng) if i in self.places)


def _orders(sources: Sources, rng: random.Random) -> Iterator[tuple[Corrected, list[Edit], int]]:
    """Yield learners' sentences with their edits in some order, and how many of these are done in the source."""
    learners = [item for item in sources.corrected if _SHORTEST <= len(item.tokenised.split()) <= _LONGEST]
    for learner in shuffled(learners, rng) * _ROUNDS:
        yield learner, rng.sample(learner.edits, len(learner.edits)), rng.randrange(len(learner.edits))


def _pair(source: str, output: str, label: float, kind: str, learner: Corrected, rng: random.Random) -> Pair:
    """Return a pair of texts of a learner, as tokens or as people write."""
    if rng.random() < _WRITTEN:
        source, output = as_text(source), as_text(output)
    return Pair(source, output, round(label, 4), kind, learner.source)


@maker("step.valid", faithful=True, alone=True)
def valid(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a sentence on the way to its correction with a later one."""
    for learner, order, first in _orders(sources, rng):
        source = apply(learner.tokenised, order[:first])
        for k in range(first + 1, len(order) + 1):
            output = apply(learner.tokenised, order[:k])
            label = _CORRECTED - 0.003 * (k - first - 1)
            yield _pair(source, output, max(0.95, label), "step.valid", learner, rng)


@maker("step.wrong", faithful=False, alone=True)
def wrong(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a sentence on the way with one that has a change no corrector would make, or a wrong word."""
    for learner, order, first in _orders(sources, rng):
        last = rng.randint(first, len(order))
        source, output = apply(learner.tokenised, order[:first]), apply(learner.tokenised, order[:last])
        if last > first and rng.random() < _AT_PLACE:
            spans = (_where(learner.tokenised, order[:last], done) for done in order[first:last])
            tried = (_changed(output, _WORDS, rng, sources, span) for span in spans)
            if fault := next(filter(None, tried), None):
                yield _pair(source, fault.text, fault.label, f"step.place-{fault.kind}", learner, rng)
                continue
        side = "source" if rng.random() < _IN_SOURCE else "target"
        fault = _changed(source if side == "source" else output, _ANYWHERE, rng, sources)
        if fault:
            sides = (fault.text, output) if side == "source" else (source, fault.text)
            yield _pair(*sides, fault.label, f"step.{side}-{fault.kind}", learner, rng)


def _where(text: str, done: Sequence[Edit], edit: Edit) -> tuple[int, int]:
    """Return where the new words of an edit are in the text with the edits done."""
    before = apply(text[: edit.start], [e for e in done if e.end <= edit.start and e != edit])
    return len(before), len(before) + len(edit.new)


def _changed(
    text: str, names: Sequence[str], rng: random.Random, sources: Sources, span: tuple[int, int] | None = None
) -> Change | None:
    """Return a text with one unfaithful change, anywhere or between two characters; None if there is none."""
    sentence = Sentence.of(text)
    if span is not None:
        places = frozenset(i for i, t in enumerate(sentence.tokens) if span[0] <= t.start and t.end <= span[1])
        sentence = Within(sentence.text, sentence.tokens, sentence.group, places=places)
    for name in rng.sample(names, len(names)):
        change = apply_edit(name, sentence, rng, sources)
        if change is not None and change.label < 0.5 and change.text.lower() != text.lower():
            return change
    return None


@edit("resembling", faithful=False, alone=True)
def put_resembling(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a word by one that is spelled nearly the same and means something else."""
    for i, base, tag, part, _ in content(sentence, rng, "nva"):
        options = resembling(base, part) if len(base) >= 4 else []
        if options:
            yield Change(put_lemma(sentence, i, rng.choice(options), tag), 0.08)


@edit("dropped", faithful=False, alone=True)
def drop(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Drop a content word."""
    for i, _, tag, part, _ in content(sentence, rng):
        if 0 < i < len(sentence) - 1:
            text = sentence.text[: sentence.tokens[i].start] + sentence.text[sentence.tokens[i + 1].start :]
            yield Change(text, 0.3 if tag in ("JJ", "RB") else 0.15, f"dropped-{part}")
