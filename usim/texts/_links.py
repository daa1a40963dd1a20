"""From two cut texts to their links: the search in order, what moved, greetings."""

from __future__ import annotations

from collections.abc import Sequence

from usim.texts._align import PassageLink, align
from usim.texts._cut import CutText
from usim.texts._moves import with_moves
from usim.texts._reading import PassageReader

#: A greeting without a counterpart is linked to another one that stands so near in the list of links.
_NEAR = 3


def link_texts(before: CutText, after: CutText, reader: PassageReader) -> list[PassageLink]:
    """Align two texts; links come in the order of the text after the change, what was left out where it stood."""
    links = align(before.keys, after.keys, reader)
    if any(link.before and not link.after for link in links):
        links = with_moves(links, before.keys, after.keys, reader)
        links = _with_greetings(links, before, after)
    return links


def _with_greetings(links: Sequence[PassageLink], before: CutText, after: CutText) -> list[PassageLink]:
    """Return links in which a greeting that gave way to another one is linked to it."""

    def greets(cut: CutText, places: range) -> bool:
        return len(places) == 1 and cut.passages[places[0]].kind == "greeting"

    result = list(links)
    for k, link in enumerate(links):
        if link.after or not greets(before, link.before):
            continue
        for near in sorted(range(max(0, k - _NEAR), min(len(links), k + _NEAR + 1)), key=lambda near: abs(near - k)):
            other = result[near]
            if other.after and not other.before and greets(after, other.after):
                result[near] = PassageLink(link.before, other.after)
                result[k] = PassageLink(range(0), range(0))
                break
    return [link for link in result if link.before or link.after]
