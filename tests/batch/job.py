"""``python -m tests.batch.job SETTINGS``: a batch job with a light parser, for other processes to disturb."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.batch.slow_parser import WordParser
from tests.processes import start
from usim.batch import Task, run
from usim.errors import UsimError


def start_job(
    given: Path, output: Path, *, delay: float = 0.001, log: Path | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a job with the light parser in a process of its own."""
    parser = {"delay": delay, "log": log and str(log)}
    settings = {"given": str(given), "output": str(output), "parser": parser, **options}
    return start(sys.executable, "-m", "tests.batch.job", json.dumps(settings))


def main() -> None:
    """Run the job that the settings describe: ``given``, ``output``, ``parser``, and options of the batch."""
    settings = json.loads(sys.argv[1])
    given, output, parser = settings.pop("given"), settings.pop("output"), settings.pop("parser")
    try:
        run(given, output, Task(parser=WordParser(**parser), judge="usim"), **settings)
    except UsimError as e:
        sys.exit(f"usim: {e}")


if __name__ == "__main__":
    main()
