"""Load the service with many users at once, by the load generator Locust (https://locust.io, extra ``bench``).

    usim serve --port 8080
    python -m locust -f bench/serve.py --headless --host http://127.0.0.1:8080 --users 8 --run-time 20s [--pairs 1]

Each user sends one request after another; ``--pairs`` says how many pairs a request has. What the service refuses with
503 counts as ``refused``.
"""

from __future__ import annotations

import itertools
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from typing import Any

from locust import FastHttpUser, events, task

from bench.screening import records


@events.init_command_line_parser.add_listener
def add_options(parser: ArgumentParser) -> None:
    """Add the option of this benchmark to Locust's."""
    parser.add_argument("--pairs", type=int, default=1, help="pairs of a request")


@cache
def bodies(pairs: int) -> Iterator[dict[str, Any]]:
    """Return requests for all users together, over and over: made-up sentences, each with a word replaced."""
    known = [
        {"source": sentence, "output": sentence[:start] + word + sentence[end:]}
        for sentence, start, end, substitutes in records(200)
        for word in substitutes[:2]
    ]
    return itertools.cycle([{"pairs": known[k : k + pairs]} for k in range(0, len(known), pairs)])


events.init.add_listener(lambda environment, **_: bodies(environment.parsed_options.pairs))


class User(FastHttpUser):
    """Sends pairs; where it is refused, it waits a little, shorter than it is told to."""

    @task
    def score(self) -> None:
        """Send one request; it counts under ``answered`` or ``refused``."""
        body = next(bodies(self.environment.parsed_options.pairs))
        with self.client.post("/v1/score", json=body, name="answered", catch_response=True) as response:
            if response.status_code == 503:
                response.request_meta["name"] = "refused"
                response.success()
                time.sleep(0.05)  # gevent's: others go on
