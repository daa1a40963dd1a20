"""A real ``usim serve`` answers over a socket, and stops in good order."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from tests.processes import running_service

pytestmark = pytest.mark.slow

SECRET = "zyxwvut"


def test_it_stops_in_good_order_and_its_log_has_no_texts(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with running_service(log, "--workers", "2", "--judge", "usim", "--harper") as (process, url):
        body = {"pairs": [{"source": SECRET, "output": SECRET}]}
        assert httpx.post(f"{url}/v1/score?q={SECRET}", json=body, timeout=30).status_code == 200
        # Harper prints what it thinks of this sentence.
        form = {"text": f"{SECRET}. I am looking forward to hear you."}
        assert "hearing" in httpx.post(f"{url}/v2/check", data=form, timeout=60).text
        assert 'usim_requests_total{path="/v1/score",status="200"}' in httpx.get(f"{url}/metrics").text
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    text = log.read_text()
    assert "POST /v1/score 200" in text
    assert SECRET not in text
    assert "hear" not in text
    assert "Traceback" not in text
