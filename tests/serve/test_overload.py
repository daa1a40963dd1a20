"""Four times as much as the service can bear: it goes on answering, refuses the rest, and its memory stays flat."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest

from tests.processes import running_service

pytestmark = pytest.mark.slow

TAKEN = 4  # requests that may be under way
BODY = {"pairs": [{"source": f"John gave Mary book {n}.", "output": f"Mary gave John book {n}."} for n in range(16)]}


def memory(pid: int) -> int:
    """Return the memory of a process in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc, which Linux has")
def test_overload(tmp_path: Path) -> None:
    statuses: Counter[int] = Counter()
    waits: list[str] = []
    measured: list[int] = []

    def hammer(url: str, until: float) -> None:
        with httpx.Client(timeout=200) as client:
            while time.monotonic() < until:
                response = client.post(f"{url}/v1/score", json=BODY)
                statuses[response.status_code] += 1
                if response.status_code == 503:
                    waits.append(response.headers["retry-after"])
                    assert response.headers["content-type"] == "application/problem+json"
                    time.sleep(0.05)

    arguments = ("--judge", "usim", "--max-under-way", str(TAKEN), "--time-limit", "120")
    with running_service(tmp_path / "log", *arguments) as (process, url):
        until = time.monotonic() + 12
        threads = [threading.Thread(target=hammer, args=(url, until)) for _ in range(4 * TAKEN)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(1)
            measured.append(memory(process.pid))
        assert set(statuses) == {200, 503}
        assert set(waits) == {"1"}
        assert max(measured[len(measured) // 2 :]) < measured[len(measured) // 3] + 30_000_000
        assert httpx.post(f"{url}/v1/score", json=BODY, timeout=200).status_code == 200
