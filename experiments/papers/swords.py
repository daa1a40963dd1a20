"""The tables of SWORDS (Lee et al. 2021), from the files that its authors published."""

from __future__ import annotations

from pathlib import Path

from experiments.papers.figure import Figure, Row, compared, located
from usim.benchmarks import swords

PAPER = (
    "Lee, Donahue, Jia, Iyabor and Liang (2021), Swords: A Benchmark for Lexical Substitution with Improved Data "
    "Coverage and Quality, NAACL. F1 of the first ten substitutes, in per cent: Fa of the acceptable, Fc of the "
    "conceivable ones."
)

#: Heading of a column of Table 4 → figure of :func:`usim.benchmarks.swords.score`.
_GENERATION = {
    "lenient Fa": "lenient_a_f@10",
    "lenient Fc": "lenient_c_f@10",
    "strict Fa": "strict_a_f@10",
    "strict Fc": "strict_c_f@10",
}


def _system(row: str, gold_file: str, output: str, part: str) -> Row:
    def figures(data: Path) -> list[Figure]:
        gold = swords.read_gold(located(data, gold_file))
        predictions, unknown = swords.read_answers(located(data, output), gold)
        result = swords.score(gold, predictions, resamples=0).figures
        why = f"answers to {len(predictions)} of {len(gold)} targets were published" if part == "dev" else ""
        if unknown and not why:
            why = f"{len(unknown)} answers are to targets that are no longer in the data"
        return compared(row, {}, {name: result[figure] for name, figure in _GENERATION.items()}, why)

    return Row(row, (gold_file, output), figures, "dev" if part == "dev" else "test")


_ROWS = [
    _system(
        f"table 4: {name} (dev)",
        "swords/swords-v1.1_dev.json.gz",
        f"swords/swords-v0.8_dev-valid_{file}.out.json.gz",
        "dev",
    )
    for name, file in (("GPT-3", "gpt3"), ("WORDTUNE", "wordtuneclues"))
]
ROWS = {row.name: row for row in _ROWS}
