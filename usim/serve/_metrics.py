"""Metrics for Prometheus: requests, their duration, sizes of batches, verdicts."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

#: The media type of the metrics.
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The metrics of a service."""

    def __init__(self) -> None:
        own = CollectorRegistry()
        self.requests = Counter("usim_requests", "Requests by path and status.", ["path", "status"], registry=own)
        self.seconds = Histogram("usim_request_seconds", "Seconds that requests took.", ["path"], registry=own)
        self.batches = Histogram(
            "usim_batch_size", "Items judged in one batch.", registry=own, buckets=(1, 2, 4, 8, 16, 32)
        )
        self.verdicts = Counter("usim_verdicts", "Verdicts given.", ["verdict"], registry=own)
        self.under_way = Gauge("usim_under_way", "Requests under way.", registry=own)
        self.large_under_way = Gauge("usim_large_under_way", "Large requests under way.", registry=own)
        self.checker_seconds = Histogram("usim_checker_seconds", "Seconds that the checker took.", registry=own)
        self.checker_failures = Counter(
            "usim_checker_failures", "Requests that the checker could not answer, by status.", ["status"], registry=own
        )
        self._own = own

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self._own)
