"""Made histories of documents: what ``usim compare --git`` finds of changes of meaning, and what is noise.

``histories.tsv`` has a sentence a row, before and after a release, and whether its meaning changed: a README, a
changelog and a policy, written for this study by an author who knew the code.
"""

from __future__ import annotations

from pathlib import Path

from experiments.common.command import Command
from usim.documents import TextComparison
from usim.report.tables import markdown_table
from usim.scorer import Scorer
from usim.text.files import read_csv, read_text

_ROWS = Path(__file__).with_suffix(".tsv")


def study(scorer: Scorer) -> list[list[str]]:
    """Return a row a document: sentences, changed ones, those of them with a finding, and others with one."""
    files: dict[str, list[tuple[str, str, bool]]] = {}
    needed = ("file", "before", "after", "changes")
    for _, row in read_csv(_ROWS, needed, text=read_text(_ROWS), delimiter="\t"):
        files.setdefault(row["file"], []).append((row["before"], row["after"], row["changes"] == "1"))
    table = [["document", "sentences", "changed", "found", "noise"]]
    for name, rows in files.items():
        before, after = ("\n\n".join(row[side] for row in rows if row[side]) for side in (0, 1))
        comparison = scorer.compare_texts(before, after, is_markdown=name.endswith(".md"))
        hits = [(_has_finding(comparison, *row[:2]), row[2]) for row in rows]
        counts = (len(rows), *(sum(map(test, hits)) for test in (_is_changed, all, _is_noise)))
        table.append([name, *map(str, counts)])
    return table


def _has_finding(comparison: TextComparison, before: str, after: str) -> bool:
    text, sentence, side = (
        (comparison.after, after, "after_span") if after else (comparison.before, before, "before_span")
    )
    start = text.index(sentence)
    spans = [getattr(comparison.blocks[finding.block], side) for finding in comparison.findings]
    return any(first < start + len(sentence) and start < last for first, last in spans)


def _is_changed(hit: tuple[bool, bool]) -> bool:
    return hit[1]


def _is_noise(hit: tuple[bool, bool]) -> bool:
    return hit[0] and not hit[1]


def _run() -> None:
    rows = study(Scorer())
    print(markdown_table(rows, right=range(1, len(rows[0]))))


main = Command(_run, shared=(), forms=())
