"""What the experiments share: a count of cases and failures, and the terms of a run."""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_SHOWN = 300  # characters of the name of a case


@dataclass
class Tally:
    """How many cases were tried, and what failed."""

    tried: int = 0
    failures: list[str] = field(default_factory=list)

    def check(self, *problems: str | None) -> None:
        """Count a case; each problem that is not None or empty is what is wrong with it."""
        self.tried += 1
        failed = [problem for problem in problems if problem]
        if failed:
            self.failures.append("; ".join(failed))

    @contextmanager
    def case(self, name: str) -> Iterator[None]:
        """Count the block as a case, which fails where it raises anything."""
        self.tried += 1
        try:
            yield
        except Exception as e:
            place = traceback.extract_tb(e.__traceback__)[-1]
            message = str(e).replace("\n", " ")[:300]
            self.failures.append(
                f"{name[:_SHOWN]}: {type(e).__name__}: {message} ({Path(place.filename).name}:{place.lineno})"
            )


@dataclass(frozen=True)
class Terms:
    """How an experiment runs.

    Attributes:
        folder: an empty folder of its own.
        is_long: whether all cases are tried, or a few.
        seed: of its random choices.
    """

    folder: Path
    is_long: bool = False
    seed: int = 1

    def rng(self) -> random.Random:
        """Return a source of random choices, which is the same for each run with this seed."""
        return random.Random(self.seed)

    def count(self, short: int, long: int) -> int:
        """Return how many cases to try."""
        return long if self.is_long else short
