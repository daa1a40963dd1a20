"""New sentences out of annotated ones: units change places with units of the same label from other sentences.

What comes out reads oddly and means little, but has the words and the build of the corpus; the teacher says what its
graph is (:mod:`parsers.span.lessons`). After the substructure substitution of Shi, Livescu & Gimpel (2021).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from usim.parsing.trees import Tree

#: The most words of a unit that is exchanged.
_LONGEST = 15


def recombined(
    items: Sequence[tuple[Sequence[str], Tree]], count: int, rng: random.Random
) -> Iterator[tuple[str, ...]]:
    """Yield sentences in which one to three units, none inside another, come from other sentences.

    Args:
        items: tokens and trees of one corpus.

    Yields:
        The tokens of each.
    """
    donors: dict[tuple[str, int], list[tuple[str, ...]]] = defaultdict(list)
    places: list[list[tuple[int, int, str, int]]] = []
    for tokens, tree in items:
        units = []
        for (i, j), label in tree.spans.items():
            # A part of a unit that is in several parts ("^") does not stand for the unit.
            if j - i < min(len(tree.words), _LONGEST + 1) and "^" not in label:
                first, last = tree.words[i], tree.words[j - 1] + 1
                donors[label, (j - i).bit_length()].append(tuple(tokens[first:last]))
                units.append((first, last, label, (j - i).bit_length()))
        places.append(units)
    usable = [k for k, units in enumerate(places) if units]
    for _ in range(count if usable else 0):
        k = rng.choice(usable)
        tokens = list(items[k][0])
        chosen: list[tuple[int, int, str, int]] = []
        for place in rng.sample(places[k], min(len(places[k]), 6)):
            apart = all(place[1] <= other[0] or other[1] <= place[0] for other in chosen)
            if apart and len(chosen) < 3 and (not chosen or rng.random() < 0.7):
                chosen.append(place)
        for first, last, label, size in sorted(chosen, reverse=True):  # from the end, so that places stay right
            tokens[first:last] = rng.choice(donors[label, size])
        yield tuple(tokens)
