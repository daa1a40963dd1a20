"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def written_whole(path: str | os.PathLike[str], *, errors: str = "strict") -> Iterator[IO[str]]:
    """A text file (UTF-8) to write to, which gets its name when the block ends without an error, and else goes away.

    Args:
        path: the file.
        errors: what to do with what UTF-8 cannot hold, as :func:`open` has it.

    Raises:
        OSError: the file cannot be written.
    """
    target = Path(path)
    partial = target.with_name(target.name + ".part")
    try:
        with open(partial, "w", encoding="utf-8", errors=errors, newline="\n") as file:
            yield file
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
