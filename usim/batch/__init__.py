"""Scoring and screening at scale: files of any length, on one core, on all of a machine, on a cluster."""

from usim.batch._job import Summary, run
from usim.batch._worker import Task, score_many

__all__ = ["Summary", "Task", "run", "score_many"]
