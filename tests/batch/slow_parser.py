"""A parser for tests of the batch: quick, without a model, and it can tell what it was asked for."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from usim.ucca import Edge, Graph, Terminal, Unit

_CATEGORIES = "APDCEFR"


class WordParser:
    """One scene, a unit a word; the category comes from the word.

    Args:
        log: a file that gets a line for each sentence that is parsed.
        delay: seconds a sentence takes.
        refused: sentences with this word make it fail.
    """

    name = "words-1"

    def __init__(self, log: str | None = None, delay: float = 0.0, refused: str | None = None) -> None:
        self.log, self.delay, self.refused = log, delay, refused

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        graphs = []
        for sentence in sentences:
            words = sentence.split() if isinstance(sentence, str) else list(sentence)
            if self.refused in words:
                raise ValueError(f"{self.refused} is refused")
            time.sleep(self.delay)
            if self.log is not None:
                with open(self.log, "a") as file:
                    file.write(f"{os.getpid()}\t{' '.join(words)}\n")
            graphs.append(_graph(words))
        return graphs


def _graph(words: Sequence[str]) -> Graph:
    units = [Unit(), Unit(), *(Unit((i,)) for i in range(len(words)))]
    edges = [Edge(0, 1, ("H",))]
    edges += [Edge(1, i + 2, (_CATEGORIES[sum(map(ord, word)) % 7],)) for i, word in enumerate(words)]
    return Graph([Terminal(word) for word in words], units, edges)
