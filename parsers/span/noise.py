"""Noise that makes clean text a little like learners' text.

:class:`Noise` changes tokens: misspellings, casing, articles taken for each other, agreement. The tree of the sentence
stays as it is. :func:`disturbed` drops, doubles and moves words, and changes the tree along with them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from usim.parsing.trees import Node, Tree

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SWAPS = {
    "a": ("an", "the"),
    "an": ("a", "the"),
    "the": ("a", "this"),
    "is": ("are", "be"),
    "are": ("is", "be"),
    "was": ("were", "is"),
    "were": ("was", "are"),
    "has": ("have", "had"),
    "have": ("has", "had"),
    "do": ("does",),
    "does": ("do",),
    "in": ("on", "at"),
    "on": ("in", "at"),
    "at": ("in", "on"),
    "to": ("for", "too"),
    "for": ("to",),
    "of": ("for", "from"),
    "this": ("these",),
    "these": ("this",),
    "their": ("there",),
    "there": ("their",),
    "its": ("it's",),
    "than": ("then",),
    "then": ("than",),
    "your": ("you",),
    "much": ("many",),
    "many": ("much",),
}


@dataclass(frozen=True)
class Noise:
    """Noise at a rate.

    Attributes:
        sentences: the share of sentences that get any.
        words: the share of words that are changed in these.
    """

    sentences: float = 0.25
    words: float = 0.12

    def __call__(self, tokens: Sequence[str], rng: random.Random) -> list[str]:
        """Return the tokens, some of them changed; always as many."""
        if rng.random() >= self.sentences:
            return list(tokens)
        noisy = [self._changed(t, rng) if t.isalpha() and rng.random() < self.words else t for t in tokens]
        if rng.random() < 0.1:
            noisy = [t.lower() for t in noisy]
        return noisy

    @staticmethod
    def _changed(token: str, rng: random.Random) -> str:
        swaps = _SWAPS.get(token.lower())
        if swaps:
            return rng.choice(swaps)
        if len(token) < 4:
            return token
        kind = rng.randrange(6)
        i = rng.randrange(1, len(token) - 1)
        if kind == 0:  # two letters change places
            return token[:i] + token[i + 1] + token[i] + token[i + 2 :]
        if kind == 1:  # one is missing
            return token[:i] + token[i + 1 :]
        if kind == 2:  # one is doubled
            return token[:i] + token[i] + token[i:]
        if kind == 3:  # another letter
            return token[:i] + rng.choice(_LETTERS) + token[i + 1 :]
        for ending in ("ing", "ed", "s"):  # another form
            if token.endswith(ending) and len(token) > len(ending) + 2:
                return token[: -len(ending)]
        return token + rng.choice(("s", "ed", "ing"))


#: Words that learners leave out.
_LEFT_OUT = frozenset(
    "a an the is are was were be been am do does did has have had to of in on at for with from by about into it that "
    "will would can and".split()
)


def disturbed(tokens: tuple[str, ...], tree: Tree, rng: random.Random) -> tuple[tuple[str, ...], Tree]:
    """Return tokens and tree with a word dropped, doubled, or exchanged with the next one.

    Function words are dropped, any word is doubled (both then belong to the same unit), and two units of one word under
    the same parent change places. Where nothing of the kind can be done, both come back as they are.

    >>> tree = Tree((0, 1, 2), {(0, 3): "H", (0, 1): "A", (1, 2): "P", (2, 3): "A"})
    >>> _doubled(("he", "saw", "her"), tree, 1)
    (('he', 'saw', 'saw', 'her'), Tree(words=(0, 1, 2, 3), spans={(0, 4): 'H', (0, 1): 'A', (1, 3): 'P', (3, 4): 'A'}, \
remotes=()))
    """
    kind = rng.random()
    places = list(range(len(tree.words)))
    rng.shuffle(places)
    for k in places:
        if kind < 0.5:
            changed = _dropped(tokens, tree, k) if tokens[tree.words[k]].lower() in _LEFT_OUT else None
        elif kind < 0.75:
            changed = _doubled(tokens, tree, k) if tokens[tree.words[k]].isalpha() else None
        else:
            changed = _swapped(tokens, tree, k)
        if changed is not None:
            return changed
    return tokens, tree


def _dropped(tokens: tuple[str, ...], tree: Tree, k: int) -> tuple[tuple[str, ...], Tree] | None:
    at = tree.words[k]
    if len(tree.words) < 4:
        return None

    def moved(fence: int) -> int:
        return fence if fence <= k else fence - 1

    spans: dict[tuple[int, int], str] = {}
    for (i, j), label in tree.spans.items():
        span = moved(i), moved(j)
        if span[0] == span[1]:
            continue
        if span in spans:  # two units would have the same words
            return None
        spans[span] = label
    lost = (k, k + 1)
    remotes = tuple(
        (Node(moved(p[0]), moved(p[1]), p[2]), Node(moved(c[0]), moved(c[1]), c[2]), label)
        for p, c, label in tree.remotes
        if p[:2] != lost and c[:2] != lost
    )
    words = tuple(w if w < at else w - 1 for w in tree.words if w != at)
    return tokens[:at] + tokens[at + 1 :], Tree(words, _ordered(spans), remotes)


def _doubled(tokens: tuple[str, ...], tree: Tree, k: int) -> tuple[tuple[str, ...], Tree]:
    at = tree.words[k]

    def moved(fence: int) -> int:
        return fence if fence <= k else fence + 1

    spans = {(moved(i), moved(j)): label for (i, j), label in tree.spans.items()}
    remotes = tuple(
        (Node(moved(p[0]), moved(p[1]), p[2]), Node(moved(c[0]), moved(c[1]), c[2]), label)
        for p, c, label in tree.remotes
    )
    words = (*tree.words[: k + 1], *(w + 1 for w in tree.words[k:]))
    return (*tokens[: at + 1], tokens[at], *tokens[at + 1 :]), Tree(words, _ordered(spans), remotes)


def _swapped(tokens: tuple[str, ...], tree: Tree, k: int) -> tuple[tuple[str, ...], Tree] | None:
    first, second = (k, k + 1), (k + 1, k + 2)
    labels = tree.spans.get(first), tree.spans.get(second)
    if labels[0] is None or labels[1] is None or "^" in labels[0] + labels[1]:
        return None
    at = tree.words[k]
    if tree.words[k + 1] != at + 1 or any(i == k + 1 or j == k + 1 for i, j in tree.spans if j - i > 1):
        return None  # punctuation between them, or another unit begins or ends there
    other = {first: second, second: first}
    spans = {**tree.spans, first: labels[1], second: labels[0]}
    remotes = tuple(
        (Node(*other.get(p[:2], p[:2]), p[2]), Node(*other.get(c[:2], c[:2]), c[2]), label)
        for p, c, label in tree.remotes
    )
    swapped = (*tokens[:at], tokens[at + 1], tokens[at], *tokens[at + 2 :])
    return swapped, Tree(tree.words, spans, remotes)


def _ordered(spans: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
    return dict(sorted(spans.items(), key=lambda s: (s[0][0], -s[0][1])))
