"""Start services, clusters and other processes, look at them, end them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.command import USIM

ROOT = Path(__file__).parents[1]
PATIENCE = 60.0  # seconds until a process that should have ended counts as hanging


def free_port() -> int:
    """Return the number of a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


# -- services and clusters -------------------------------------------------------------------------------------------


def start_service(
    log: Path, *arguments: str, command: Sequence[str] = USIM, cwd: Path | None = None
) -> tuple[subprocess.Popen[bytes], str]:
    """Start ``usim serve`` and wait until it is ready; return its process and its address."""
    port = free_port()
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, "serve", "--port", str(port), *arguments], stderr=file, stdout=file, cwd=cwd
        )
    url = f"http://127.0.0.1:{port}"

    import httpx  # the quick tests do without

    def is_ready() -> bool:
        assert process.poll() is None, log.read_text()
        with suppress(httpx.TransportError):
            return httpx.get(f"{url}/ready", timeout=5).status_code == 200
        return False

    if not wait_until(is_ready, 180):
        process.kill()
        process.wait()
        raise AssertionError(log.read_text())
    return process, url


@contextmanager
def running_service(log: Path, *arguments: str, **options: Any) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start ``usim serve``, and yield its process and its address; it is killed at the end of the block."""
    process, url = start_service(log, *arguments, **options)
    try:
        yield process, url
    finally:
        process.kill()
        process.wait()


def start_dask_worker(address: str) -> subprocess.Popen[bytes]:
    """Start a worker for the scheduler at an address."""
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", address)
    return start(sys.executable, "-m", "distributed.cli.dask_worker", *options, output=subprocess.DEVNULL)


@contextmanager
def dask_cluster() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a Dask scheduler and two workers, and yield its address and the workers."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    options = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    scheduler = start(sys.executable, "-m", "distributed.cli.dask_scheduler", *options, output=subprocess.DEVNULL)
    workers = [start_dask_worker(address) for _ in range(2)]
    try:
        yield address, workers
    finally:
        for process in (scheduler, *workers):
            process.kill()
            process.wait()
