"""Whether the lines of two files are versions of each other, line by line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

from usim.texts._moves import words_of

#: Of fewer lines nothing is said; of more than the second number only the first are looked at.
_FEWEST, _MOST = 4, 2000
#: A line whose own partner shares less than this share of what another line shares with it seems to belong to that.
_SHARE = 0.5
#: From this share of such lines on, the files seem not to be parallel.
_STRANGE = 0.3
#: Words in so many lines say nothing.
_COMMON = 50


def are_parallel(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether the lines of two files may be parallel: not where many share their words with other lines.

    >>> before = ["Anna lost her key.", "Tom found a coin.", "Rain fell at night.", "Nobody wrote letters."]
    >>> are_parallel(before, before), are_parallel(before, before[::-1])
    (True, False)
    """
    before, after = before[:_MOST], after[:_MOST]
    if len(before) < _FEWEST:
        return True
    lines: defaultdict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(after):
        for word in words_of(line):
            lines[word].append(place)
    strange = compared = 0
    for place, line in enumerate(before):
        shared: Counter[int] = Counter()
        for word in words_of(line):
            places = lines.get(word, ())
            if len(places) <= _COMMON:
                for other in places:
                    shared[other] += log(1 + len(after) / len(places))  # type: ignore[assignment]
        if shared:
            compared += 1
            strange += shared[place] < _SHARE * max(shared.values())
    return strange < _STRANGE * max(compared, _FEWEST)
