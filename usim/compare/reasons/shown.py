"""Which reasons people are told: none that contradicts the verdict, and none that adds nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from usim.compare.reasons.reason import Reason

#: A reason is told if its weight is at least this share of the gravest one's.
SHOWN_SHARE = 0.5


def mark_shown(reasons: Sequence[Reason], pairs: Iterable[tuple[int, int]], *, is_kept: bool) -> tuple[Reason, ...]:
    """Return reasons, each marked with whether people are told it.

    Of a change that is kept they are told none: the judge has weighed the reasons, and they did not count. Of another
    change they are told the gravest reasons, and of several about the same words the gravest one.

    Args:
        reasons: what speaks against a change, the gravest first.
        pairs: the tokens of the source with those of the output that stand for them.
        is_kept: whether the verdict is ``keep``.
    """
    least = max((reason.weight for reason in reasons), default=0.0) * SHOWN_SHARE
    to_output, to_source = {}, {}
    for i, j in pairs:
        to_output[int(i)], to_source[int(j)] = int(j), int(i)
    told: tuple[set[int], set[int]] = (set(), set())
    marked = []
    for reason in reasons:
        adds = not (told[0].issuperset(reason.source) and told[1].issuperset(reason.target))
        is_shown = not is_kept and reason.weight >= least and (adds or not (reason.source or reason.target))
        if is_shown:
            told[0].update(reason.source, (to_source[j] for j in reason.target if j in to_source))
            told[1].update(reason.target, (to_output[i] for i in reason.source if i in to_output))
        marked.append(replace(reason, is_shown=is_shown))
    return tuple(marked)
