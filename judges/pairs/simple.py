"""Whole sentences made simpler, and some of their meaning lost with it.

Elaborators, adverbials, times, participants and scenes of the graph go; words give way to more usual, to more general,
and now and then to wrong ones; sentences are split; small words are lost as a bad system loses them. The label falls
with the share of the content that is gone, and with each wrong word, so that it is graded and not all or nothing, as
people rate such sentences.

These pairs are a data set of their own (``--only simple.``): where people rate simplifications, what is left out costs
less than where they compare two sentences that differ in one thing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from judges.pairs.pair import Pair
from judges.pairs.registry import EDITS, changed, maker
from judges.pairs.sources import Sources
from judges.pairs.units import spans
from training.sentence import Sentence

#: Shorter sentences are left as they are, in tokens.
_SHORTEST = 8
#: Wrong words are put into sentences of so many tokens and more.
_LONG = 12
#: What may go, and how readily.
_GOES = {"E": 1.0, "D": 1.0, "T": 1.0, "A": 0.5, "H": 0.8, "G": 1.0, "Q": 0.4}
#: How steeply the label falls with the share of content that is gone.
_STEEP = 1.3
#: What a word that is not content counts beside one that is.
_SMALL = 0.12
_NEGATIONS = frozenset("not n't n’t never no nor nobody nothing none without hardly neither".split())
#: Edits that keep the meaning, with how often they are tried; their labels count half.
_KEEPING = (
    ("word.synonym", 3), ("phrase.same", 3), ("surface.split", 2), ("surface.that", 1), ("surface.comma", 1),
    ("word.general", 3), ("name.shortened", 1), ("adverb.moved", 1),
)  # fmt: skip
#: Edits that do not, as bad systems make them.
_LOSING = (
    ("word.other-sense", 3), ("word.sibling", 3), ("word.random", 3), ("unit.participants-swapped", 1),
    ("number.changed", 1), ("link.changed", 1), ("pronoun.changed", 1),
)  # fmt: skip
#: Edits that turn a sentence into its opposite or change who or what it is about: the label times so much.
_TURNING = (("negation.added", 0.2), ("negation.removed", 0.2), ("word.antonym", 0.35), ("name.replaced", 0.4))
#: Words that bad systems leave out without much loss.
_OMITTED = frozenset("the a an of to that which who is was are were been be has have had by as and".split())


def weights(sentence: Sentence) -> list[float]:
    """Return how much of the content each token carries."""
    return [
        1.0 if tag[:2] in ("NN", "VB", "JJ", "CD") or word in _NEGATIONS else 0.5 if tag[:2] in ("RB", "PR") else _SMALL
        for tag, word in zip(sentence.tags, sentence.words, strict=True)
    ]


def shortened(sentence: Sentence, rng: random.Random) -> tuple[str, float]:
    """Drop units of a sentence with a graph; return the text, and the share of content that is gone."""
    options = [
        s
        for s in spans(sentence)
        if rng.random() < _GOES.get(s.category, 0.0)
        and s.end - s.begin < 0.75 * len(sentence)
        and (s.end - s.begin > 1 or s.category != "E" or sentence.tags[s.begin][:2] in ("JJ", "NN", "RB", "CD"))
        and sentence.is_whole(s.begin)
        and sentence.is_whole(s.end - 1)
    ]
    rng.shuffle(options)
    wanted = rng.choice((1, 1, 1, 2, 2, 3, 4))
    gone: set[int] = set()
    chosen: list[tuple[int, int]] = []
    for span in options:
        places = set(range(span.begin, span.end))
        if len(chosen) < wanted and not places & gone and len(gone | places) < 0.85 * len(sentence):
            gone |= places
            chosen.append((span.begin, span.end))
    text = sentence.text
    for begin, end in sorted(chosen, reverse=True):
        current = Sentence(text, sentence.tokens, sentence.group)
        text = current.put(begin, end, "")
    weight = weights(sentence)
    share = sum(weight[k] for k in gone) / sum(weight)
    return (text[:1].upper() + text[1:] if sentence.text[:1].isupper() else text), share


def truncated(sentence: Sentence, rng: random.Random) -> tuple[str, float]:
    """Lose the end of a sentence; return the text, and the share of content that is gone."""
    end = rng.randint(max(2, len(sentence) // 5), len(sentence) - 2)
    weight = weights(sentence)
    return sentence.slice(0, end).rstrip(",;: ") + ".", sum(weight[end:]) / sum(weight)


def omitted(text: str, rng: random.Random) -> str:
    """Leave out some small words."""
    words = text.split(" ")
    places = [k for k, word in enumerate(words) if word.lower() in _OMITTED and k]
    for k in sorted(rng.sample(places, min(len(places), rng.randint(1, 3))), reverse=True):
        del words[k]
    return " ".join(words)


def simplified(sentence: Sentence, rng: random.Random, sources: Sources) -> tuple[str, float] | None:
    """Return a simpler sentence with the share of people who would say that the meaning is kept; None for none."""
    text, label = sentence.text, 1.0
    draw = rng.random()
    if sentence.graph is not None and draw < 0.75:
        text, share = shortened(sentence, rng)
        label *= (1 - share) ** _STEEP
    elif draw > 0.92:
        text, share = truncated(sentence, rng)
        label *= (1 - share) ** _STEEP
    text, label = _edited(text, label, _KEEPING, rng.choice((0, 1, 1, 2, 2, 3)), sentence, rng, sources)
    # One wrong word in a short sentence that is otherwise as it was is no matter of degree: it turns the meaning.
    if rng.random() < 0.3 and text != sentence.text and len(sentence) >= _LONG:
        text, label = _edited(text, label, _LOSING, rng.choice((1, 1, 2, 3)), sentence, rng, sources)
    if rng.random() < 0.07:
        name, factor = rng.choice(_TURNING)
        new = changed(EDITS[name][1], Sentence.of(text, sentence.group), rng, sources)
        if new is not None:
            text, label = new.text, label * factor
    if rng.random() < 0.15:
        text, label = omitted(text, rng), label * 0.93
    if len(text.split()) < 2 or text == sentence.text:
        return None
    return text, round(min(0.98, label), 4)


def _edited(
    text: str,
    label: float,
    edits: tuple[tuple[str, int], ...],
    count: int,
    sentence: Sentence,
    rng: random.Random,
    sources: Sources,
) -> tuple[str, float]:
    """Make so many edits; one that keeps the meaning costs half of what it costs by itself, others by length."""
    names, often = zip(*edits, strict=True)
    for name in rng.choices(names, often, k=count):
        faithful, change = EDITS[name]
        current = Sentence.of(text, sentence.group)
        if current.graph is None and name.startswith("unit.") and current.text == sentence.text:
            current = sentence
        if current.graph is None and name.startswith("unit."):
            continue
        new = changed(change, current, rng, sources)
        if new is None:
            continue
        content = sum(weight == 1 for weight in weights(current))
        text = new.text
        if faithful or name == "word.general":
            label *= max(new.label, 0.8) ** 0.5
        else:
            label *= max(0.3, 1 - 2.2 / max(content, 1))
    return text, label


def _pairs(sources: Sources, rng: random.Random, kind: str, *, kept: bool) -> Iterator[Pair]:
    pool = [s for s in sources.sentences if len(s) >= _SHORTEST]
    for _ in range(3):
        rng.shuffle(pool)
        for sentence in pool:
            new = simplified(sentence, rng, sources)
            if new is not None and (new[1] >= 0.5) is kept:
                yield Pair(sentence.text, new[0], new[1], kind, sentence.group)


@maker("simple.kept", faithful=True, noise=False, alone=True)
def kept(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Simplify sentences so that most is kept."""
    yield from _pairs(sources, rng, "simple.kept", kept=True)


@maker("simple.lost", faithful=False, noise=False, alone=True)
def lost(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Simplify sentences so that much is lost."""
    yield from _pairs(sources, rng, "simple.lost", kept=False)
