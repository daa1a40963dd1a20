"""Do reasons tell pairs that keep the meaning from pairs that change it?

    python -m experiments.reasons [--parser en] [--weight .5] [--format text|json|markdown]

For each phenomenon of ``contrast_pairs.tsv`` (see :mod:`experiments.contrast`): how many pairs get a reason of at least
the weight, how many get any, and which kinds come first. Every unfaithful pair should have one, no faithful pair
should. **Nothing may be chosen by these pairs.**
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from experiments.common.command import Command, Option
from experiments.common.study import markdown_table
from experiments.contrast import Pair, read_pairs
from usim.compare import Reason, compare, find_reasons
from usim.judge import Analyser


@dataclass(frozen=True)
class Row:
    """The pairs of one phenomenon: how many get a grave reason, how many any, and the kinds that come first."""

    phenomenon: str
    faithful: bool
    pairs: int
    grave: int
    any: int
    kinds: dict[str, int]


@dataclass(frozen=True)
class Counts:
    """Rows by phenomenon, and the weight from which on a reason counts as grave."""

    rows: list[Row]
    weight: float

    def render(self, form: str) -> str:
        """Return the rows as ``text``, ``markdown`` or ``json``."""
        if form == "json":
            return json.dumps([asdict(row) for row in self.rows], indent=1)
        lines = []
        for row in self.rows:
            kinds = ", ".join(f"{kind} {count}" for kind, count in list(row.kinds.items())[:4])
            faithful = "yes" if row.faithful else "no"
            lines.append((row.phenomenon, faithful, f"{row.grave}/{row.pairs}", f"{row.any}/{row.pairs}", kinds))
        if form == "markdown":
            return markdown_table([("phenomenon", "faithful", f"≥ {self.weight:g}", "any", "first"), *lines])
        return "\n".join("{:20} {:4} {:>8} {:>8}  {}".format(*line) for line in lines)


def run(pairs: Sequence[Pair], analyser: Analyser, weight: float = 0.5) -> Counts:
    """Count reasons by phenomenon: those that change the meaning first, after each label a row for all of it."""
    analyses = analyser.analyse([text for pair in pairs for text in (pair.source, pair.output)])
    couples = zip(analyses[::2], analyses[1::2], strict=True)
    reasons: list[tuple[Reason, ...]] = [find_reasons(compare(source, target)) for source, target in couples]
    rows = []
    for faithful in (False, True):
        names = dict.fromkeys(pair.phenomenon for pair in pairs if pair.faithful == faithful)
        for name in [*names, "all"]:
            own = [
                reasons_of_pair
                for pair, reasons_of_pair in zip(pairs, reasons, strict=True)
                if pair.faithful == faithful and name in ("all", pair.phenomenon)
            ]
            first = Counter(r[0].kind for r in own if r and r[0].weight >= weight)
            rows.append(Row(name, faithful, len(own), first.total(), sum(map(bool, own)), dict(first.most_common())))
    return Counts(rows, weight)


main = Command(
    "reasons",
    __doc__,
    lambda given: run(read_pairs(), Analyser(given.parser), given.weight),
    Option("--weight", type=float, default=0.5, help="the least weight of a grave reason (default: %(default)s)"),
    shared=("parser",),
)

if __name__ == "__main__":
    sys.exit(main())
