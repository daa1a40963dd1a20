"""Worker processes that end with the process that started them.

A worker that waits for its next task does not notice that nobody will send one: loky's wait for five minutes. So each
worker runs :func:`end_with_parent` before its first task.
"""

from __future__ import annotations

import os
import threading
import time

_INTERVAL = 0.5  # seconds between looks


def end_with_parent(parent: int) -> None:
    """End this process as soon as its parent is no longer the process ``parent``, from now on.

    The parent may have been killed while this process was starting: then it ends at once. On Windows a process keeps
    the number of its parent for ever, so nothing happens there.

    Args:
        parent: the id of the process that started this one.
    """
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), name="usim-batch-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os._exit(1)
