"""Scoring and screening at scale: files of any length, on one core, on all of a machine, on a cluster.

- :mod:`usim.batch.job`: a job from input to output, :func:`run`;
- :mod:`usim.batch.reading`: input as chunks of raw records;
- :mod:`usim.batch.tasks`: what is done with a record;
- :mod:`usim.batch.worker`: from a chunk of records to the lines of their results;
- :mod:`usim.batch.backends`: chunks to workers, results in order;
- :mod:`usim.batch.journal`: what is done, on disk, so that a job goes on after a kill;
- :mod:`usim.batch.cache`: parses that are kept.

>>> import tempfile
>>> from pathlib import Path
>>> from usim.batch import Task, run
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "pairs.jsonl").write_text('{"id": "a", "source": "He go home.", "output": "He goes home."}\\n')
>>> summary = run(folder / "pairs.jsonl", folder / "scores.jsonl", Task(judge="none"))
>>> summary.records, summary.errors
(1, 0)
>>> print((folder / "scores.jsonl").read_text()[:81])
{"id": "a", "line": 1, "source": "He go home.", "output": "He goes home.", "score
"""

from usim.batch.job import Progress, Summary, run
from usim.batch.tasks import NO_JUDGE, Task

__all__ = ["NO_JUDGE", "Progress", "Summary", "Task", "run"]
