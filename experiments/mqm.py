"""Are translations that say something else told from those that say the same, and is the place found? (MQM)

    python -m experiments.mqm --data FILE [--all] [--model NAME] [--out DIR]

Professional raters marked the errors in translations of TED talks (Freitag et al. 2021). Two translations of a segment
without an error of accuracy say the same; one with a major error of accuracy says something else than one without, at
the marked place. Up to three pairs of either kind are drawn from each segment, with seed 0. The two talks whose names
have the lowest SHA-256 are measured, from which usim's judges have not learned; ``--all`` takes the others, too.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from experiments.common.labelled import LabelledPair, command, digest, read_table
from usim.judge import Result
from usim.report.tables import Table

_WRONG = ("Accuracy", "Terminology", "Non-translation")
_TALKS = 2
_PAIRS = 3
_MARK = re.compile(r"(</?v>)")


def read(path: Path) -> list[LabelledPair]:
    """Read ratings (``system``, ``doc``, ``seg_id``, ``target``, ``category``, ``severity``) as pairs."""
    segments: dict[tuple[str, str], dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for row in read_table(path, ("system", "doc", "seg_id", "target", "category", "severity")):
        segments[row["doc"], row["seg_id"]][row["system"]].append(row)
    held_out = sorted({doc for doc, _ in segments}, key=digest)[:_TALKS]
    drawn = random.Random(0)
    pairs = []
    # The draws of the talks that are held out do not depend on the others.
    for (doc, segment), systems in sorted(segments.items(), key=lambda item: item[0][0] not in held_out):
        right: dict[str, None] = {}
        wrong: dict[str, frozenset[int]] = {}
        for rows in systems.values():
            errors = [row for row in rows if row["category"].startswith(_WRONG)]
            text, _ = _unmarked(rows[0]["target"])
            if not errors:
                right[text] = None
            elif any(row["severity"] == "Major" for row in errors):
                wrong[text] = frozenset().union(*(_unmarked(row["target"])[1] for row in errors))
        same = [(a, b) for a in right for b in right if a != b]
        other = [(a, b) for a in right for b in wrong if b not in right]
        drawn.shuffle(same)
        drawn.shuffle(other)
        count = min(_PAIRS, len(same), len(other))
        group, is_held_out = f"{doc} {segment}", doc in held_out
        pairs += [LabelledPair(*pair, True, (doc,), group, is_held_out) for pair in same[:count]]
        pairs += [LabelledPair(a, b, False, (doc,), group, is_held_out, wrong[b]) for a, b in other[:count]]
    return pairs


def _unmarked(target: str) -> tuple[str, frozenset[int]]:
    """Return a translation without the marks, and which of its characters were between them.

    >>> _unmarked("a <v>b</v>c")
    ('a bc', frozenset({2}))
    """
    text, marked, is_inside = "", set(), False
    for part in _MARK.split(target.strip()):
        if _MARK.fullmatch(part):
            is_inside = part == "<v>"
        else:
            marked |= set(range(len(text), len(text) + len(part))) if is_inside else set()
            text += part
    return text, frozenset(marked)


def places(pairs: Sequence[LabelledPair], results: Sequence[Result]) -> tuple[Table, ...]:
    """Compare the words that the reasons name with those that were marked, beside all words that the source lacks."""
    named = {"words of the reasons": [0, 0, 0], "all words that the source lacks": [0, 0, 0]}
    for pair, result in zip(pairs, results, strict=True):
        if not pair.marked:
            continue
        tokens, old = result.output_graph.tokens, set(result.source_graph.tokens)
        gold, at = set(), 0
        for k, token in enumerate(tokens):
            start = pair.output.find(token, at)
            if start >= 0:
                at = start + len(token)
                if pair.marked & set(range(start, at)):
                    gold.add(k)
        said = {k for reason in result.judgement.reasons for k in reason.target or ()}
        new = {k for k, token in enumerate(tokens) if token not in old}
        for counts, words in zip(named.values(), (said, new), strict=True):
            counts[:] = [a + b for a, b in zip(counts, (len(words & gold), len(words), len(gold)), strict=True)]
    rows = tuple(
        (name, right / max(1, said), right / max(1, wanted), 2 * right / max(1, said + wanted))
        for name, (right, said, wanted) in named.items()
    )
    title = f"Words against the marked ones: {sum(bool(pair.marked) for pair in pairs)} pairs"
    return (Table("places", title, ("words", "precision", "recall", "F1"), rows),)


main = command(
    "mqm",
    "Are translations that say something else told from those that say the same?",
    read,
    "ratings as published for WMT (mqm_*.tsv), with a header",
    more=places,
)

if __name__ == "__main__":
    sys.exit(main())
