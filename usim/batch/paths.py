"""The files of a job, and where they stand.

While a job runs, its files stand beside those that they will become: ``OUTPUT.partial`` and
``OUTPUT.errors.jsonl.partial``, ``OUTPUT.partial.journal``, ``OUTPUT.partial.parses`` (the parses of this job) and
``OUTPUT.partial.lock``.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

from usim.batch.cache import files_of
from usim.records.tables import write_parquet


class OutputFiles:
    """The files of a job with the output ``output``; see the module's text.

    Attributes:
        output, errors: the files that the user asked for.
        results, bad: what they are while the job runs.
        journal: what is done so far.
        cache: the parses of this job.
        lock: held while a process writes to these files.
        table: where the results become Parquet when all are there, if the output is to be that.
    """

    def __init__(self, output: Path, errors: Path | None = None) -> None:
        self.output = output
        self.errors = errors or output.with_name(output.name + ".errors.jsonl")
        base = output.name + ".partial"
        self.results = output.with_name(base)
        self.bad = self.errors.with_name(self.errors.name + ".partial")
        self.journal = output.with_name(base + ".journal")
        self.cache = output.with_name(base + ".parses")
        self.lock = output.with_name(base + ".lock")
        self.table = output.with_name(base + ".parquet")

    @property
    def by_role(self) -> dict[str, Path]:
        """All of the files, by what they are."""
        caches = {f"the parses of this job ({path.name})": path for path in files_of(self.cache)}
        return {
            "the output": self.output,
            "the file of bad records": self.errors,
            f"the results so far ({self.results.name})": self.results,
            f"the bad records so far ({self.bad.name})": self.bad,
            f"the journal ({self.journal.name})": self.journal,
            f"the lock ({self.lock.name})": self.lock,
            f"the table so far ({self.table.name})": self.table,
            **caches,
        }

    @property
    def is_parquet(self) -> bool:
        """Whether the output is to be Parquet."""
        return self.output.suffix.lower() == ".parquet"

    def publish(self) -> None:
        """Give the results their name, as Parquet where they are to be that.

        Raises:
            OSError: they cannot be written.
        """
        if self.is_parquet:
            write_parquet(self.results, self.table)
            self.table.replace(self.output)
            self.results.unlink()
        else:
            self.results.replace(self.output)


def open_regular(path: Path) -> IO[bytes]:
    """Open a file to read and write, made if it is not there, without following a symbolic link.

    Raises:
        OSError: it cannot be opened; it is a link, or no regular file.
    """
    if path.is_symlink():  # also where the system has no O_NOFOLLOW
        raise OSError(0, "a symbolic link stands there; remove it")
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    # Without a buffer: what could not be written would be written once more when the file is closed.
    file = open(os.open(path, flags, 0o666), "r+b", buffering=0)  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(0, "not a regular file")
    return file
