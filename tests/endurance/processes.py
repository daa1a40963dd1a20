"""Start jobs, look at their processes, end them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds until a process that should have ended counts as hanging


def start_job(given: Path, output: Path, delay: float = 0.001, **options: Any) -> subprocess.Popen[bytes]:
    """Start a job with the light parser."""
    settings = {"given": str(given), "output": str(output), "delay": delay, **options}
    return start(sys.executable, "-m", "tests.endurance.job", json.dumps(settings))


def start(*command: str, output: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Start a process in the root of the project."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)


def end_of(process: subprocess.Popen[bytes], patience: float = PATIENCE) -> tuple[int, str]:
    """Wait for a process to end, and return its exit code and its messages.

    Raises:
        TimeoutError: it hangs; it has been killed.
    """
    try:
        _, messages = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired as e:
        process.kill()
        process.communicate()
        raise TimeoutError(f"hangs after {patience:.0f} s") from e
    return process.returncode, messages.decode(errors="replace")


def descendants(process: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    children: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            children += map(int, (task / "children").read_text().split())
    return children + [below for child in children for below in descendants(child)]


def is_running(process: int) -> bool:
    """Return whether a process runs; one that only waits for its parent to take note of its end does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(process: int) -> None:
    """Kill a process that may have ended."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def wait_until(condition: Callable[[], bool], patience: float) -> bool:
    """Wait for a condition; return whether it came to be."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
