"""Whether verdicts on rewrites can be trusted: the figures by hand."""

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from experiments.common.statistics import Draws, risk_coverage
from experiments.rewrites import figures, held_out, read, right_order
from judges.data import Pair
from usim.errors import FormatError

REWRITES = [
    Pair(source, output, label, "rewrites", source)
    for source in ("a", "b")
    for output, label in (("good", 1.0), ("fine", 1.0), ("bad", 0.0))
]


def results() -> list[Any]:
    said = [("keep", 0.9), ("review", 0.5), ("drop", 0.1), ("keep", 0.8), ("drop", 0.2), ("keep", 0.7)]
    return [SimpleNamespace(judgement=SimpleNamespace(verdict=v, faithfulness=p)) for v, p in said]


def test_figures_by_hand() -> None:
    draws = Draws([rewrite.source for rewrite in REWRITES], 5, 0)
    pairs, area, order, keep, drop, decided, kept = figures(REWRITES, results(), draws)
    assert (pairs, order) == (6, 3 / 4)
    assert area.value == pytest.approx(6 / 8)
    assert (keep.value, drop.value) == (pytest.approx(2 / 3), 1 / 2)
    assert (decided.value, kept.value) == (pytest.approx(5 / 6), 2 / 4)


def test_a_tie_of_two_rewrites_counts_half() -> None:
    assert right_order(REWRITES[:3], np.array([0.5, 0.6, 0.5])) == 0.75
    assert right_order(REWRITES[:2], np.array([0.5, 0.6])) is None


def test_the_surest_pairs_get_a_verdict_first() -> None:
    said = np.array([result.judgement.faithfulness for result in results()])
    labels = np.array([rewrite.label > 0 for rewrite in REWRITES])
    assert list(risk_coverage(said, labels)) == [
        (pytest.approx(count / 6), pytest.approx(wrong / count)) for count, wrong in enumerate((0, 0, 0, 1, 2, 2), 1)
    ]


def test_a_policy_allows_what_it_names(tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text("source\toutput\tlabel\tdirection\na b\ta\t0\tlost\na\ta b\t0\tadded\na\tA\tkept\t\n")
    for policy, expected in (("same", [0, 0, 1]), ("shorten", [1, 0, 1]), ("expand", [0, 1, 1])):
        assert [rewrite.label for rewrite in read(table, policy)] == expected  # type: ignore[arg-type]
    table.write_text("source\toutput\tlabel\na\tb\tperhaps\n")
    with pytest.raises(FormatError, match=r"pairs\.tsv:2: a row needs"):
        read(table)


def test_only_held_out_pairs_of_published_files_are_read(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "paws-wiki-dev.tsv.gz", "wt") as file:
        file.write("id\tsentence1\tsentence2\tlabel\n")
        file.writelines(f"{k}\tone {k}\ttwo {k}\t{k % 2}\n" for k in range(300))
    with gzip.open(tmp_path / "summedits-dev.jsonl.gz", "wt") as file:
        rows = [{"source": f"s {k}", "output": f"o {k}", "label": k % 2} for k in range(300)]
        file.writelines(json.dumps(row) + "\n" for row in rows)
    sets = held_out(tmp_path, most=20)
    assert [*sets] == ["contrast pairs", "PAWS-Wiki", "SummEdits"]
    assert len(sets["contrast pairs"]) == 456
    assert len(sets["PAWS-Wiki"]) == len(sets["SummEdits"]) == 20
