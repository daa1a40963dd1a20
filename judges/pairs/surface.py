"""Changes of the surface alone: contractions, commas, quotation marks, *that* left out, sentences joined or split."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

from judges.pairs.pair import Change
from judges.pairs.registry import edit
from judges.pairs.sources import Sources
from judges.pairs.tables import Table
from training.sentence import Sentence

_SHORT = (
    (r"\b(do|does|did|is|are|was|were|has|have|had|could|should|would|must|need)n['’]t\b", r"\1 not"),
    (r"\bcan['’]t\b", "cannot"),
    (r"\bwon['’]t\b", "will not"),
    (r"\bI['’]m\b", "I am"),
    (r"\b(you|we|they|You|We|They)['’]re\b", r"\1 are"),
    (r"\b(I|you|we|they|You|We|They)['’]ve\b", r"\1 have"),
    (r"\b(I|you|he|she|it|we|they|You|He|She|It|We|They|there)['’]ll\b", r"\1 will"),
    (r"\b(it|that|there|he|she|It|That|There|He|She|here|what|What)['’]s (?=(?:a|an|the|not|so|very|no|too|my|also|"
     r"just|still|really|about|good|great|always)\b)", r"\1 is "),
    (r"\b([Ll])et['’]s\b", r"\1et us"),
)  # fmt: skip
_LONG = (
    (r"\b(do|does|did|is|are|was|were|has|have|had|could|should|would) not\b", r"\1n't"),
    (r"\b([Cc])an ?not\b", r"\1an't"),
    (r"\bwill not\b", "won't"),
    (r"\bI am\b", "I'm"),
    (r"\b(you|we|they|You|We|They) are\b", r"\1're"),
    (r"\b(I|you|we|they|You|We|They) have (?=\w+(?:ed|en)\b|been\b|had\b)", r"\1've "),
    (r"\b(I|you|he|she|it|we|they|You|He|She|It|We|They) will\b", r"\1'll"),
    (r"\b(it|that|there|he|she|It|That|There|He|She) is\b(?! *[.,?!])", r"\1's"),
)
_SAYS = (
    "said|says|say|think|thought|thinks|believe|believed|believes|know|knew|knows|hope|hoped|felt|feel|told (?:me|him|"
    "her|us|them)|found|sure|glad|happy|claimed|realized|noticed|heard|guess|wish"
)


@edit("surface.contraction", faithful=True, weight=1.2)
def contraction(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Contract *do not* to *don't*, or expand it."""
    for rules in rng.sample((_SHORT, _LONG), 2):
        text = sentence.text
        for pattern, new in rules:
            text = re.sub(pattern, new, text)
        if text != sentence.text:
            return Change(text, 0.98, "surface.contraction")
    return None


@edit("surface.that", faithful=True, weight=0.7)
def that(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Leave out or put in *that* after a verb of saying; exchange *which* and *that*."""
    text = sentence.text
    subject = r"(?=(?:I|you|he|she|it|we|they|the|this|my|his|her|their|our|there|people)\b)"
    options = [
        re.sub(rf"\b({_SAYS}) that {subject}", r"\1 ", text, count=1),
        re.sub(rf"\b({_SAYS}) (?=(?:I|he|she|we|they)\b)", r"\1 that ", text, count=1),
        re.sub(r"(?<=[a-z]{3}), which (?=\w+s\b|is|are|was|were|has|had)", " that ", text, count=1),
        re.sub(r"(?<=[a-z]s) that (?=are|were|have|had)", " which ", text, count=1),
    ]
    rewritten = [o for o in options if o != text]
    return Change(rng.choice(rewritten), 0.96, "surface.that") if rewritten else None


@edit("surface.comma", faithful=True, weight=0.8)
def comma(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Put in or leave out a comma after an opening phrase or before a conjunction."""
    text = sentence.text
    opening = r"^((?:In|On|At|After|Before|During|However|Also|Then|Finally|Now|Today|Later|Although|When|If|For) "
    options = [
        re.sub(opening + r"?(?:[\w'’]+ ){0,4}[\w'’]+),", r"\1", text, count=1),
        re.sub(r"^((?:In|By|Since|During) \d{4}) (?=[a-zA-Z])", r"\1, ", text, count=1),
        re.sub(r"(\w), (and|but|or|so) ", r"\1 \2 ", text, count=1),
        re.sub(r"(\w) (but|so) (?=(?:I|he|she|it|we|they|the)\b)", r"\1, \2 ", text, count=1),
        re.sub(r"^(However|Therefore|Moreover|Furthermore|Finally|Nowadays|Also|First|Then) (?=[a-zI])", r"\1, ", text),
    ]
    rewritten = [o for o in options if o != text]
    return Change(rng.choice(rewritten), 0.98, "surface.comma") if rewritten else None


@edit("surface.marks", faithful=True, weight=0.7)
def marks(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Change quotation marks, the last full stop, case, dashes, or the blanks between tokens."""
    text = sentence.text
    options = [(re.sub(r'"([^"]+)"', r"“\1”", text), 0.99), (re.sub(r'"([^"]+)"', r"'\1'", text), 0.98)]
    if text.endswith("."):
        options += [(text[:-1], 0.98), (text[:-1] + "!", 0.92)]
    options += [(text.lower(), 0.95)]
    if sentence.tags[0] not in ("NNP", "NNPS") and sentence.words[0] != "i":
        options += [(text[0].lower() + text[1:], 0.98)]
    options += [(" ".join(t.text for t in sentence.tokens), 0.98)]
    options += [(re.sub(r" [–—] | - ", ", ", text, count=2), 0.96), (re.sub(r"; ", ". ", text), 0.92)]
    options += [(re.sub(r" \(([^()]{3,40})\)([ .])", r", \1,\2", text).replace(",.", "."), 0.95)]
    rewritten = [o for o in options if o[0] != text]
    if not rewritten:
        return None
    return Change(*rng.choice(rewritten), "surface.marks")


@edit("surface.split", faithful=True, weight=1.0)
def split(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Split a sentence in two at a conjunction, or join two."""
    text = sentence.text
    where = r", (and|but|so) (?=(?:I|he|she|it|we|they|the|this|there) )"
    matches = list(re.finditer(where, text))
    if not matches:
        return None
    match = rng.choice(matches)
    if '"' in text or match.start() < 12 or re.match(r"(If|When|Because|Although|While|Since|As)\b", text):
        return None
    rest = text[match.end() :]
    starts = {
        "and": ("", "Also, ", "And "),
        "but": ("However, ", "But ", "Nevertheless, "),
        "so": ("Therefore, ", "So ", "As a result, "),
    }
    opening = rng.choice(starts[match.group(1)])
    rest = rest if opening else rest[0].upper() + rest[1:]
    return Change(f"{text[: match.start()]}. {opening}{rest}", 0.93, "surface.split")


@edit("surface.genitive", faithful=True, weight=0.6)
def genitive(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Exchange *Ann's work* and *the work of Ann*."""
    tags, tokens = sentence.tags, sentence.tokens
    for i in sentence.shuffled(rng):
        if tags[i] != "POS" or not 0 < i < len(tags) - 1 or tags[i + 1] not in ("NN", "NNS"):
            continue
        if i + 2 < len(tags) and tags[i + 2].startswith(("NN", "JJ", "VBG", "CD", "POS", "-")):
            continue
        begin = i - 1
        while begin and tags[begin - 1] == "NNP" and tags[begin] == "NNP":
            begin -= 1
        if tags[begin] != "NNP" or (begin and tags[begin - 1] in ("DT", "JJ", "NN", ",", "CC", "CD")):
            continue
        if not sentence.is_whole(i + 1):
            continue
        owner = sentence.text[tokens[begin].start : tokens[i - 1].end]
        new = f"the {tokens[i + 1].text} of {owner}"
        if begin == 0:
            new = new[0].upper() + new[1:]
        text = sentence.text[: tokens[begin].start] + new + sentence.text[tokens[i + 1].end :]
        return Change(text, 0.93, "surface.genitive")
    return None


_TABLE = Table(Path(__file__).with_suffix(".txt"))
_SAME, _OTHER = ([line.split(" | ", 2) for line in _TABLE.lines(section)] for section in ("same", "other"))


def _framed(sentence: Sentence, frames: Sequence[tuple[str, ...]], rng: random.Random, kind: str) -> Change | None:
    if not sentence.text.endswith(".") or len(sentence) > 28 or sentence.tags[0] not in ("DT", "PRP", "NNP", "PRP$"):
        return None
    finite = {"VBD", "VBZ", "VBP", "MD"} & set(sentence.tags[1:8])
    opening = "," in sentence.words[:8] or sentence.words[0].endswith("ed")
    if sentence.words[0] in ("it's", "this") or '"' in sentence.text or opening or not finite:
        return None
    text = sentence.text[:-1]
    plain = text if sentence.tags[0] == "NNP" or sentence.words[0] == "i" else text[0].lower() + text[1:]
    label, frame = rng.choice(frames)
    return Change((frame.format(text if frame.startswith("{") else plain)) + ".", float(label), kind)


@edit("frame.same", faithful=True, weight=0.6)
def frame_same(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Stress what is said."""
    return _framed(sentence, _SAME, rng, "frame.same")


@edit("frame.other", faithful=False, weight=0.9)
def frame_other(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Put the sentence into a frame in which it is no longer claimed."""
    return _framed(sentence, _OTHER, rng, "frame.other")
