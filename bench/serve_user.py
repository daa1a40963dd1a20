"""A user of the service for Locust, see :mod:`bench.serve`: sends one request after another."""

from __future__ import annotations

import itertools
import json
import os
import time
from pathlib import Path

from locust import FastHttpUser, task

BODIES = itertools.cycle(json.loads(Path(os.environ["USIM_BENCH_BODIES"]).read_text(encoding="utf-8")))


class User(FastHttpUser):
    """Sends pairs; where it is refused, it waits a little, shorter than it is told to."""

    @task
    def score(self) -> None:
        """Send one request; it counts under ``answered`` or ``refused``."""
        with self.client.post("/v1/score", json=next(BODIES), name="answered", catch_response=True) as response:
            if response.status_code == 503:
                response.request_meta["name"] = "refused"
                response.success()
                time.sleep(0.05)  # gevent's: others go on
