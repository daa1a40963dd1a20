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


def run_beside_hostile_modules(tmp_path: Path, script: str, *arguments: str) -> str:
    """Run a script beside modules that must not run, and return its results.

    The first entry of the script's path is its own folder, as it is for the console script, not the current one.
    """
    folder, path = tmp_path / "data", tmp_path / "bin" / "run.py"
    folder.mkdir()
    path.parent.mkdir()
    path.write_text(script)
    for name in _HOSTILE:
        (folder / f"{name}.py").write_text("from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n")
    (folder / "pairs.tsv").write_text("source\toutput\n" + "He left .\tHe left .\n" * 4)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    command = [sys.executable, str(path), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert list(folder.glob("*.ran")) == []
    assert done.returncode == 0, done.stderr
    return (folder / "out.jsonl").read_text()


def test_by_the_workers_of_a_batch(tmp_path: Path) -> None:
    script = "from usim.cli import main\nif __name__ == '__main__':\n    main()\n"
    options = "batch pairs.tsv -o out.jsonl -j 2 --chunk 1 --judge usim"
    results = run_beside_hostile_modules(tmp_path, script, *options.split())
    assert [json.loads(line)["score"] for line in results.splitlines()] == [1] * 4
