"""Do reasons tell apart what changes the meaning and what does not?

    python -m experiments.reasons [--parser en] [--weight .5] [--format text|json|markdown]

For each phenomenon of ``contrast_pairs.tsv`` (see :mod:`experiments.contrast`): how many pairs get a reason of at least
the weight, how many get any, and which kinds come first. Of unfaithful pairs all should have one, of faithful none.
**Nothing may be chosen by these pairs.**
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from experiments.contrast import Pair, read_pairs
from usim.compare import Reason, compare, find_reasons
from usim.errors import UsimError
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


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m experiments.reasons", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--parser", default="en", help="who makes the graphs (default: %(default)s)")
    parser.add_argument("--weight", type=float, default=0.5, help="what counts as grave (default: %(default)s)")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    given = parser.parse_args(arguments)
    try:
        rows = evaluate(read_pairs(), Analyser(given.parser), given.weight)
    except UsimError as e:
        print(e, file=sys.stderr)
        return 1
    if given.format == "json":
        print(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        print(as_table(rows, given.weight, markdown=given.format == "markdown"))
    return 0


def evaluate(pairs: Sequence[Pair], analyser: Analyser, weight: float) -> list[Row]:
    """A row for each phenomenon, those that change the meaning first, and one for all of either label."""
    analyses = analyser.analyse([text for pair in pairs for text in (pair.source, pair.output)])
    found: list[tuple[Reason, ...]] = []
    for source, target in zip(analyses[::2], analyses[1::2], strict=True):
        found.append(find_reasons(compare(source, target)))
    rows = []
    for faithful in (False, True):
        names = dict.fromkeys(pair.phenomenon for pair in pairs if pair.faithful == faithful)
        for name in [*names, "all"]:
            mine = [
                reasons
                for pair, reasons in zip(pairs, found, strict=True)
                if pair.faithful == faithful and name in ("all", pair.phenomenon)
            ]
            first = Counter(reasons[0].kind for reasons in mine if reasons and reasons[0].weight >= weight)
            rows.append(Row(name, faithful, len(mine), first.total(), sum(map(bool, mine)), dict(first.most_common())))
    return rows


def as_table(rows: Sequence[Row], weight: float, *, markdown: bool = False) -> str:
    """The rows for people."""
    lines = []
    if markdown:
        lines += [f"| phenomenon | faithful | ≥ {weight:g} | any | first |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        kinds = ", ".join(f"{kind} {count}" for kind, count in list(row.kinds.items())[:4])
        cells = (
            row.phenomenon,
            "yes" if row.faithful else "no",
            f"{row.grave}/{row.pairs}",
            f"{row.any}/{row.pairs}",
            kinds,
        )
        lines.append("| " + " | ".join(cells) + " |" if markdown else "{:20} {:4} {:>8} {:>8}  {}".format(*cells))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
