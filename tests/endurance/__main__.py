"""``python -m tests.endurance``; see the package."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: a process with threads cannot be copied safely

import argparse
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from tests.endurance.tally import Tally, Terms, UnavailableError

#: The experiments, which are functions of modules beside this one.
EXPERIMENTS = {
    "kills": "batches", "fuzz": "fuzz", "fixes": "fuzz", "hostile": "hostile",
    "service": "service", "numbers": "numbers",
}  # fmt: skip
_SHOWN = 20
#: A folder in memory, where there is one: thousands of jobs that wait for a disk would take hours.
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main() -> int:
    """Run experiments and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description="Try what breaks software in use.")
    parser.add_argument("--long", action="store_true", help="try all cases, which takes an hour or so")
    parser.add_argument("--only", action="append", choices=EXPERIMENTS, help="run this experiment; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="of the random choices")
    arguments = parser.parse_args()
    has_failed = False
    for name in arguments.only or EXPERIMENTS:
        tally = Tally()
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="usim-endurance-", dir=_MEMORY) as folder:
            try:
                experiment = getattr(import_module(f"tests.endurance.{EXPERIMENTS[name]}"), name)
                experiment(tally, Terms(Path(folder), arguments.long, arguments.seed))
            except UnavailableError as e:
                print(f"{name}: not run: {e}", flush=True)
                continue
        seconds = time.monotonic() - began
        print(f"{name}: {tally.tried} tried, {len(tally.failures)} failed ({seconds:.0f} s)", flush=True)
        for failure in tally.failures[:_SHOWN]:
            print(f"  {failure}", flush=True)
        if len(tally.failures) > _SHOWN:
            print(f"  … and {len(tally.failures) - _SHOWN} more", flush=True)
        has_failed |= bool(tally.failures)
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
