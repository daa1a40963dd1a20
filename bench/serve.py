"""Load the service with many users at once, and compare it with the library in one run.

::

    python -m bench.serve [--seconds 20] [--users 8] [--pairs 1] [--judge NAME]

Starts ``usim serve``, and lets as many users as asked for send one request after another by the load generator Locust
(https://locust.io, extra ``bench``). Beside it stands the rate of :meth:`usim.scorer.Scorer.score_pairs` on the same
pairs in this process.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench.common import command, memory, processor_time
from bench.screening import records

_USER = Path(__file__).with_name("serve_user.py")


def pairs(count: int) -> list[dict[str, str]]:
    """Make up pairs of sentences, a word of each replaced."""
    return [
        {"source": sentence, "output": sentence[:start] + word + sentence[end:]}
        for sentence, start, end, substitutes in records(count)
        for word in substitutes[:2]
    ]


@contextmanager
def service(*arguments: str) -> Iterator[tuple[str, int]]:
    """Start the service and yield its address and its process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "usim", "serve", "--port", str(port), *arguments]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 180
        while True:
            try:
                httpx.get(f"{url}/ready").raise_for_status()
                break
            except httpx.HTTPError:
                if process.poll() is not None or time.monotonic() > until:
                    raise SystemExit("the service did not start: see usim serve") from None
                time.sleep(0.2)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(60)


def load(url: str, body: Path, *, users: int, seconds: float) -> dict[str, Any]:
    """Let users send requests, and return the figures of the load generator."""
    command = [sys.executable, "-m", "locust", "-f", str(_USER), "--headless", "--json", "--host", url,
               "--users", str(users), "--spawn-rate", str(users), "--run-time", f"{max(1, round(seconds))}s",
               "--exit-code-on-error", "0"]  # fmt: skip
    environment = {**os.environ, "USIM_BENCH_BODIES": str(body)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if "No module named locust" in done.stderr:
        raise SystemExit("bench.serve needs the load generator Locust: pip install locust")
    if not done.stdout.strip():
        raise SystemExit(f"Locust failed: {done.stderr.strip()[-500:]}")
    stats: list[dict[str, Any]] = json.loads(done.stdout)
    return {entry["name"]: entry for entry in stats}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the benchmark that the module describes."""
    from usim.scorer import Scorer

    p = command(__doc__)
    p.add_argument("--seconds", type=float, default=20)
    p.add_argument("--users", type=int, default=8)
    p.add_argument("--pairs", type=int, default=1, help="pairs of a request")
    p.add_argument("--judge", default="en")
    given = p.parse_args(argv)
    known = pairs(200)
    scorer = Scorer(judge=given.judge)
    list(scorer.score_pairs([(pair["source"], pair["output"]) for pair in known[:20]]))
    began, busy = time.perf_counter(), time.process_time()
    list(scorer.score_pairs([(pair["source"], pair["output"]) for pair in known]))
    own = len(known) / (time.perf_counter() - began)
    own_cost = (time.process_time() - busy) / len(known)
    bodies = [{"pairs": known[start : start + given.pairs]} for start in range(0, len(known), given.pairs)]
    with tempfile.TemporaryDirectory() as folder, service("--judge", given.judge) as (url, pid):
        path = Path(folder) / "bodies.json"
        path.write_text(json.dumps(bodies), encoding="utf-8")
        load(url, path, users=given.users, seconds=given.seconds / 3)
        before, busy = memory(pid), processor_time(pid)
        figures = load(url, path, users=given.users, seconds=given.seconds)
        after, busy = memory(pid), processor_time(pid) - busy
    answered = figures["answered"]
    count = answered["num_requests"] - answered["num_failures"]
    rate = count / (answered["last_request_timestamp"] - answered["start_time"])
    # How often an answer took so many milliseconds.
    times = np.repeat([float(ms) for ms in answered["response_times"]], list(answered["response_times"].values()))
    print(f"library, one process        {own:8.1f} pairs/s")
    print(f"service                     {rate * given.pairs:8.1f} pairs/s, {rate:.1f} requests/s "
          f"of {given.pairs} pair(s), {given.users} users")  # fmt: skip
    median, high = np.quantile(times, [0.5, 0.95], method="inverted_cdf")
    print(f"time of a request           {median:8.0f} ms (median), {high:.0f} ms (p95)")
    cost = busy / (count * given.pairs)
    print(f"processor's time of a pair  {1000 * cost:8.1f} ms; in the library {1000 * own_cost:.1f} ms")
    refused = figures.get("refused", {"num_requests": 0})["num_requests"]
    print(f"refused with 503            {refused:8d} of {count + refused}")
    print(f"failed                      {answered['num_failures']:8d}")
    print(f"memory                      {before:8.0f} MiB, at the end {after:.0f} MiB")


if __name__ == "__main__":
    main()
