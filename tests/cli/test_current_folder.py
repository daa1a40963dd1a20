"""What lies beside the data is never run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

#: Modules that workers and the processes beside them import as they start.
_HOSTILE = ("joblib", "multiprocessing", "uvicorn", "pickle", "signal")


@pytest.fixture
def usim(tmp_path: Path) -> list[str]:
    """The console script: the first entry of its path is its own folder, not the current one."""
    script = tmp_path / "bin" / "run.py"
    script.parent.mkdir()
    script.write_text("from usim.cli import main\nif __name__ == '__main__':\n    main()\n")
    return [sys.executable, str(script)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in _HOSTILE:
        (folder / f"{name}.py").write_text("from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n")
    return folder


def ran(folder: Path) -> list[str]:
    return [path.stem for path in folder.glob("*.ran")]


def test_by_the_workers_of_a_batch(usim: list[str], folder: Path) -> None:
    (folder / "pairs.tsv").write_text("He left .\tHe left .\n" * 4)
    arguments = ["batch", "pairs.tsv", "-o", "out.jsonl", "-j", "2", "--chunk", "1", "--judge", "none"]
    done = subprocess.run([*usim, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert ran(folder) == []
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["score"] for line in (folder / "out.jsonl").read_text().splitlines()] == [1] * 4


def test_by_workers_that_a_script_of_the_user_starts(usim: list[str], folder: Path) -> None:
    Path(usim[1]).write_text(
        "import os\nfrom usim.batch import Task, run\n"
        "run('pairs.tsv', 'out.jsonl', Task(judge='none'), jobs=2)\nassert 'PYTHONSAFEPATH' not in os.environ\n"
    )
    (folder / "pairs.tsv").write_text("He left .\tHe left .\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(usim, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran(folder) == []
    assert done.returncode == 0, done.stderr
