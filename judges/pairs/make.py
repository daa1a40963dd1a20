"""All makers together: how many pairs of each, balanced, without repetitions, in one order for a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path

from judges.pairs.learners import put_errors, with_errors
from judges.pairs.registry import MAKERS, Maker, Pair, Sources
from judges.pairs.templates.frames import plain
from training.corpora import from_examples, from_graphs, parse_missing, read_examples
from training.recipe import write_lines
from training.sentence import Sentence
from usim.text import token_texts

#: The modules whose makers are registered by importing them.
MODULES = "amounts contrasts ends entities phrases steps templates.frames units verbs words".split()
for _name in MODULES:
    import_module(f"judges.pairs.{_name}")
#: How often learners' errors are put into the source, into the output, and both are written as tokens.
_NOISY_SOURCE, _NOISY_OUTPUT, _TOKENISED = 0.16, 0.04, 0.03
#: How many clean sentences get learners' errors; how many sentences from frames are changed like any other.
LEARNERS, FRAMES = 3000, 1500
#: How often the makers that have more pairs are asked for what the others could not give.
_ROUNDS = 3


def read_sources(graphs: Iterable[tuple[str, Path]], wordnet: Path, seed: int, *, parse: bool = False) -> Sources:
    """Read clean sentences, parse those without a graph if asked to, and put learners' errors into some."""
    sentences = [sentence for name, folder in graphs for sentence in from_graphs(folder, name)]
    sentences += from_examples(read_examples(wordnet))
    sentences += (Sentence.of(text) for text in plain(FRAMES, seed))
    if parse:
        sentences = list(parse_missing(sentences))
    return Sources(*with_errors(sentences, LEARNERS, seed))


def write(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as JSON lines, as :func:`judges.data.made` reads them: files call the output the target."""
    names = ["target" if name == "output" else name for name in Pair._fields]
    write_lines(path, (json.dumps(dict(zip(names, pair, strict=True)), ensure_ascii=False) for pair in pairs))


def make(sources: Sources, count: int, seed: int, only: str = "") -> list[Pair]:
    """Make about ``count`` pairs, half of them faithful, by the makers whose names begin with ``only``."""
    makers = [m for _, m in sorted(MAKERS.items()) if m.name.startswith(only) and (only or not m.alone)]
    halves = [
        _half([m for m in makers if m.faithful is faithful], sources, count // 2, seed) for faithful in (True, False)
    ]
    if all(halves):
        fewer = min(map(len, halves))
        halves = [random.Random(f"{seed}:thin").sample(half, fewer) for half in halves]
    pairs = halves[0] + halves[1]
    random.Random(f"{seed}:order").shuffle(pairs)
    return pairs


def _half(makers: list[Maker], sources: Sources, count: int, seed: int) -> list[Pair]:
    seen: set[tuple[str, str]] = set()
    streams = {m.name: _stream(m, sources, seed, seen) for m in makers}
    pairs: list[Pair] = []
    left = list(makers)
    for _ in range(_ROUNDS):
        missing = count - len(pairs)
        weight = sum(m.weight for m in left)
        if missing <= 0 or not left:
            break
        for m in list(left):
            quota = max(1, round(missing * m.weight / weight))
            got = list(islice(streams[m.name], quota))
            pairs += got
            if len(got) < quota:
                left.remove(m)
    return pairs


def _stream(maker: Maker, sources: Sources, seed: int, seen: set[tuple[str, str]]) -> Iterator[Pair]:
    rng = random.Random(f"{seed}:{maker.name}")
    finish = random.Random(f"{seed}:{maker.name}:finish")
    for pair in maker.make(sources, rng):
        source, output = " ".join(pair.source.split()), " ".join(pair.output.split())
        if (source, output) in seen or not source or not output:
            continue
        seen.add((source, output))
        pair = pair._replace(source=source, output=output)
        pair = pair if maker.alone else _finished(pair, finish)
        if pair.source != pair.output:
            yield pair


def _finished(pair: Pair, rng: random.Random) -> Pair:
    """Sometimes add learners' errors or write tokens, so that neither says anything about meaning."""
    source, output, label, kind = pair.source, pair.output, pair.label, pair.kind
    draw = 1.0 if "+learner" in kind else rng.random()
    if draw < _NOISY_SOURCE:
        source, label, kind = put_errors(source, rng), label * 0.98, kind + "+errors"
    elif draw < _NOISY_SOURCE + _NOISY_OUTPUT:
        output, label, kind = put_errors(output, rng), label * 0.95, kind + "+errors"
    if rng.random() < _TOKENISED:
        source, output = (" ".join(token_texts(text)) for text in (source, output))
    return pair._replace(source=source, output=output, label=round(label, 4), kind=kind)
