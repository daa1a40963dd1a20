"""Scoring and screening at scale: files of any length, on one core, on all of a machine, on a cluster.

- ``usim.batch._job``: a job from input to output, :func:`run`;
- ``usim.batch._reading``: input as chunks of raw records;
- ``usim.batch._tasks``: what is done with a record;
- ``usim.batch._worker``: from a chunk of records to the lines of their results, and of pairs to theirs;
- ``usim.batch._backends``: chunks to workers, results in order, by joblib;
- ``usim.batch._journal``: what is done, on disk, so that a job goes on after a kill.
"""

from usim.batch._job import Summary, run
from usim.batch._tasks import Task
from usim.batch._worker import score_many

__all__ = ["Summary", "Task", "run", "score_many"]
