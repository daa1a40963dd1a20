"""``python -m experiments.papers``."""

from __future__ import annotations

import sys

from experiments.papers import main

if __name__ == "__main__":
    sys.exit(main())
