"""A parser and a scorer that need no model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from usim.scorer import Scorer
from usim.text import is_punct, tokenise
from usim.ucca import Edge, Graph, Terminal, Unit


class Flat:
    """A parser that makes each word a participant of one scene, and remembers what it was asked."""

    name = "flat"

    def __init__(self) -> None:
        self.asked: list[str | Sequence[str]] = []

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        self.asked += sentences
        graphs = []
        for k, sentence in enumerate(sentences):
            words = [t.text for t in tokenise(sentence)] if isinstance(sentence, str) else sentence
            graphs.append(
                Graph(
                    [Terminal(w, is_punct(w)) for w in words],
                    [Unit(), *(Unit((i,), is_punct=is_punct(w)) for i, w in enumerate(words))],
                    [Edge(0, i + 1, ("U" if is_punct(w) else "A",)) for i, w in enumerate(words)],
                    id=ids[k] if ids else "",
                )
            )
        return graphs


def scorer_of(parser: Flat | None = None, **options: Any) -> Scorer:
    """With USim as the judge, which needs nothing but graphs."""
    return Scorer(parser=parser or Flat(), **{"judge": "usim", **options})
