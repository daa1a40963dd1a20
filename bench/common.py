"""What the benchmarks share: sentences, times, what a process uses, and the toolkit that is their peer."""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import timeit
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

_SUBJECTS = "the old man|my sister|a group of young people|nobody in the village|the new government".split("|")
_VERBS = "has decided to build|wanted to see|told us about|could not remember|gave up looking for".split("|")
_OBJECTS = "a house near the river|the results of the last election|some books that we had never read".split("|")
_ADDED = "although it was late|in the rain|after the war|in 1999".split("|")
_WORDS = "very old new never always green small house garden was had often quite almost".split()


def command(doc: str | None, *, repeat: int | None = None) -> argparse.ArgumentParser:
    """Return the parser of a benchmark's options: ``--repeat`` is among them where it has a default."""
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if repeat is not None:
        p.add_argument("--repeat", type=int, default=repeat, help="of so many times the best counts (%(default)s)")
    return p


def sentences(count: int, seed: int = 1) -> list[str]:
    """Make up sentences of 22 to 28 tokens."""
    from usim.text import tokenise

    rng = random.Random(seed)
    texts: list[str] = []
    while len(texts) < count:
        parts = [rng.choice(kind) for kind in (_SUBJECTS, _VERBS, _OBJECTS, _ADDED)]
        more = [rng.choice(kind) for kind in (_SUBJECTS, _VERBS, _OBJECTS)]
        text = f"{' '.join(parts).capitalize()}, and {' '.join(more)}."
        if 22 <= len(tokenise(text)) <= 28:
            texts.append(text)
    return texts


def changed(text: str, rng: random.Random) -> str:
    """Return the sentence with a word more, without one, or with another one."""
    words = text.split()
    place = rng.randrange(1, len(words) - 1)
    kind = rng.randrange(3)
    words[place : place + (kind > 0)] = [rng.choice(_WORDS)] if kind < 2 else []
    return " ".join(words)


def seconds(task: Callable[[], object], repeat: int) -> float:
    """Run a task several times and return the shortest time of the processor: other processes can only add to it."""
    return min(timeit.repeat(task, "gc.enable()", time.process_time, repeat, number=1))


def memory(process: int | None = None) -> float:
    """Return the memory of a process, by default this one, in MiB."""
    import psutil

    return float(psutil.Process(process).memory_info().rss) / 2**20


def peak() -> float:
    """Return the memory of this process at its peak, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def processor_time() -> float:
    """Return the processor time that this process and its children have had, in seconds."""
    import psutil

    root = psutil.Process()
    times = [each.cpu_times() for each in (root, *root.children(recursive=True))]
    return float(sum(spent.user + spent.system for spent in times))


def ucca_reader() -> Callable[[str], Any] | None:
    """Return what makes a passage of the ``ucca`` toolkit from UCCA XML; None if it is not installed."""
    try:
        from ucca.convert import from_standard
    except ImportError:
        return None
    return lambda text: from_standard(ElementTree.fromstring(text))
