"""``python -m tests.endurance.job SETTINGS``: a batch job with a light parser, for other processes to disturb."""

from __future__ import annotations

import json
import sys

from tests.batch.slow_parser import WordParser
from usim.batch import Task, run
from usim.errors import UsimError


def main() -> None:
    """Run the job that the settings describe: ``given``, ``output``, ``delay``, and options of the batch."""
    settings = json.loads(sys.argv[1])
    given, output, delay = settings.pop("given"), settings.pop("output"), settings.pop("delay")
    try:
        run(given, output, Task(parser=WordParser(delay=delay), judge="none"), **settings)
    except UsimError as e:
        sys.exit(f"usim: {e}")


if __name__ == "__main__":
    main()
