"""Addresses of people and pages, and emoji."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._changes import pair_off
from usim.compare._comparison import Comparison
from usim.compare._reasons.reason import HandledTokens, Reason, make_reason
from usim.lexicon.topics import feeling, is_address, is_emoji


def detect_addresses(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find addresses that gave way to others, and emoji of another feeling."""
    a, b = comparison.source, comparison.target
    gone = [i for i in comparison.gone if is_address(a.words[i])]
    new = [j for j in comparison.new if is_address(b.words[j])]
    handled.add(gone, new)
    _, gone, new = pair_off(gone, new, lambda i, j: _bare(a.words[i]) == _bare(b.words[j]))
    for k in range(max(len(gone), len(new))):
        at, to = tuple(gone[k : k + 1]), tuple(new[k : k + 1])
        yield make_reason(comparison, "address" if at and to else "address.alone", at, to)
    if "emoji" in comparison.topics:
        gone = [i for i in comparison.gone if is_emoji(a.words[i])]
        new = [j for j in comparison.new if is_emoji(b.words[j])]
        handled.add(gone, new)
        feelings = {f for i in gone if (f := feeling(a.words[i]))}
        new_feelings = {f for j in new if (f := feeling(b.words[j]))}
        if feelings and new_feelings and feelings.isdisjoint(new_feelings):
            yield make_reason(comparison, "emoji.feeling", gone, new)
        elif bool(gone) != bool(new):
            yield make_reason(comparison, "emoji", gone, new)


def _bare(address: str) -> str:
    """Return an address without its scheme, ``www.`` and a slash at its end."""
    return address.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
