"""Measure the speed of screening on one core, from records to verdicts, everything included.

::

    python -m bench.screening [--model en|en-fast|en-large] [--judge NAME] [--sentences 60]

Made-up sentences of 22 to 28 tokens, each with a target and ten substitutes for it, go through
:meth:`usim.screen.Screen.screen_records`. The peer in the same run is the same parser and judge given one pair after
another: each changed sentence is parsed and judged with its source by itself, like in a program that scores one
suggestion at a time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from bench.common import command, peak, seconds, sentences
from usim.parsing import load
from usim.registry import DEFAULT
from usim.scorer import Scorer
from usim.screen import Screen
from usim.suggestions import Suggestion, put

#: Words of the sentences, each with suggestions for it: good, bad and odd ones.
SUBSTITUTES = {
    "old": "elderly|aged|ancient|senior|young|former|frail|very old|tired|grey-haired",
    "young": "youthful|adolescent|little|junior|old|small|new|immature|rather young|fresh",
    "new": "recent|modern|current|incoming|old|novel|fresh|unfamiliar|next|newly elected",
    "build": "construct|erect|put up|make|create|raise|destroy|assemble|sell|establish",
    "wanted": "wished|hoped|desired|longed|refused|intended|needed|meant|was eager|planned",
    "told": "informed|notified|warned|asked|reminded|advised|spoke|lied|said|let us know",
    "remember": "recall|recollect|think of|forget|retain|recognise|mind|name|memorise|bring to mind",
    "late": "past midnight|overdue|early|delayed|dark|tardy|belated|far too late|dead|behind time",
    "house": "home|building|cottage|dwelling|villa|boat|residence|bridge|place to live|household",
    "results": "outcome|outcomes|findings|consequences|figures|causes|effects|numbers|winners|final results",
}


def records(count: int) -> list[tuple[str, int, int, list[str]]]:
    """Make up sentences, each with the place of one of its words and ten substitutes for that word."""
    rng = random.Random(1)
    pattern = re.compile(rf"\b(?:{'|'.join(SUBSTITUTES)})\b")
    targets: list[tuple[str, int, int, list[str]]] = []
    for sentence in sentences(4 * count):
        if (places := list(pattern.finditer(sentence))) and len(targets) < count:
            place = rng.choice(places)
            targets.append((sentence, *place.span(), SUBSTITUTES[place.group()].split("|")))
    return targets


def main(argv: Sequence[str] | None = None) -> None:
    # One run alone, because the screen remembers part of what it has seen.
    p = command(__doc__, repeat=1)
    p.add_argument("--model", default=DEFAULT, help="the parser and the judge (default: %(default)s)")
    p.add_argument("--judge", help="a judge in place of the model's")
    p.add_argument("--sentences", type=int, default=60)
    args = p.parse_args(argv)

    work = records(args.sentences)
    total = sum(len(substitutes) for *_, substitutes in work)
    parser = load(args.model)
    screen = Screen(judge=args.judge, model=args.model)
    texts = [(sentence, [Suggestion(s, (start, end)) for s in words]) for sentence, start, end, words in work]
    list(screen.screen_texts(texts[:2]))
    together = seconds(lambda: list(screen.screen_texts(texts)), args.repeat) / total

    few = work[: max(1, len(work) // 6)]

    def one_by_one() -> None:
        for sentence, start, end, words in few:
            for substitute in words:
                changed = put(sentence, start, end, substitute).text
                Scorer(parser=parser, judge=screen.scorer.judge).score(sentence, changed)

    alone = seconds(one_by_one, args.repeat) / sum(len(words) for *_, words in few)
    print(screen.signature)
    print(f"{len(work)} sentences, {total} suggestions")
    print(f"usim.Screen      {1 / together:8.0f} suggestions/s   {1000 * together:6.2f} ms a suggestion")
    print(f"pair after pair  {1 / alone:8.0f} suggestions/s   {1000 * alone:6.2f} ms a suggestion")
    print(f"peer: pair after pair takes {alone / together:.2f} times as long")
    print(f"peak memory      {peak():8.0f} MiB")


if __name__ == "__main__":
    main()
