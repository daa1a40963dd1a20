"""The rate of a batch over the number of workers."""

from pathlib import Path

import pytest

from bench.batch import Run, cores, curve

RUNS = (
    Run("one process", 1, 0, 100.0, True),
    Run("loky", 2, 0, 190.0, True),
    Run("loky", 2, 1, 150.0, True),
    Run("Dask", 1, 0, 90.0, True),
    Run("Dask", 2, 0, 170.0, False),
)


def test_runs_become_a_table_and_a_drawing(tmp_path: Path) -> None:
    study = curve(RUNS, "10 pairs")
    assert [row[4:] for row in study.table.rows[2:]] == [(1.5, "yes"), (0.9, "yes"), (1.7, "NO")]
    assert "| loky | 2 | 1 | 150.00 | 1.50 | yes |" in study.as_markdown()
    written = {path.name for path in study.write(tmp_path)}
    assert {"cores-cores.csv", "cores-cores.tex", "cores.svg", "cores.pdf", "cores.png"} <= written


@pytest.mark.slow
@pytest.mark.model
def test_a_cluster_on_this_machine_gives_what_one_process_gives() -> None:
    pytest.importorskip("distributed")
    study = cores("en-fast", "none", 130, 1)
    assert [row[:3] + row[5:] for row in study.table.rows] == [("one process", 1, 0, "yes"), ("Dask", 1, 0, "yes")]
    assert all(row[3] > 0 for row in study.table.rows)
