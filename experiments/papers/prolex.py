"""The tables of ProLex (Zhang et al. 2024).

The systems' outputs were not published, but for ParaLS, which a fork of its repository has.
"""

from __future__ import annotations

from pathlib import Path

from experiments.papers.figure import Figure, Row, compared, located
from usim.benchmarks import prolex

PAPER = (
    "Zhang, Chen and Yu (2024), ProLex: A Benchmark for Language Proficiency-oriented Lexical Substitution, Findings "
    "of ACL. Hard F1 of the first ten substitutes, in per cent: Fa of the acceptable, Fp of the proficient ones."
)

_PARALS = {"Fa": 20.2, "Fp": 17.2}


def _parals(row: str, part: str, printed: dict[str, float]) -> Row:
    gold_file = f"prolex/ProLex_v1.0_{part}.csv"
    output = f"prolex-parals-{part}/lspro.out.embed.0.02.oot"

    def figures(data: Path) -> list[Figure]:
        gold = prolex.read_gold(located(data, gold_file))
        predictions = prolex.read_predictions(located(data, output), gold)
        result = prolex.score(gold, predictions, resamples=0).figures
        measured = {"Fa": 100 * result["hard_acceptable_f@10"], "Fp": 100 * result["hard_proficient_f@10"]}
        return compared(row, printed, measured, "" if printed else "the paper has the test part alone")

    return Row(row, (gold_file, output), figures, "dev" if part == "dev" else "test", printed=printed)


_ROWS = [_parals("systems: ParaLS", "test", _PARALS), _parals("systems: ParaLS (dev)", "dev", {})]
ROWS = {row.name: row for row in _ROWS}
