"""The graph of a sentence with one word replaced, made from the graph of its source without parsing.

A substitute of the same part of speech takes the place of its target in the structure. A sentence with a word that may
be an error in its place is parsed.
"""

from __future__ import annotations

from collections.abc import Sequence

from usim.judge.grammar import is_other_word
from usim.lexicon import WordNet
from usim.text import is_punct
from usim.text.differing import differing
from usim.ucca import Graph, Terminal

#: The most words that are replaced, and the most words of a phrase that replaces them.
_MOST_WORDS = 3
_ARTICLES = frozenset({"a", "an"})


def substituted(graph: Graph, tokens: Sequence[str]) -> Graph | None:
    """Return the graph of a sentence that differs in a word or a phrase; None if it may have another structure.

    A word can replace a word if WordNet knows both as the same part of speech, *a* can replace *an*, and a phrase can
    replace one word.
    """
    old = graph.tokens
    start, end, stop = differing(old, tokens)
    before, after = old[start:end], tokens[start:stop]
    if min(len(before), len(after)) > 1 and _is_article(before[0], after[0]):
        # The new phrase takes another article than the old one.
        graph = graph.replaced(start, 1, [graph.terminals[start]._replace(text=after[0])])
        start, before, after = start + 1, before[1:], after[1:]
    if not before or not after or max(len(before), len(after)) > _MOST_WORDS:
        return None
    if is_other_word("".join(before).lower(), "".join(after).lower()):
        return None
    net = WordNet.shipped()
    if len(before) == len(after):
        fits = all(
            a == b or _is_article(a, b) or net.word(a).parts.keys() & net.word(b).parts.keys()
            for a, b in zip(before, after, strict=True)
        )
    else:
        fits = len(before) == 1 and net.word(before[0]).known
    if not fits:
        return None
    paragraph = graph.terminals[start].paragraph
    return graph.replaced(start, len(before), [Terminal(token, is_punct(token), paragraph) for token in after])


def _is_article(before: str, after: str) -> bool:
    return {before.lower(), after.lower()} == _ARTICLES
