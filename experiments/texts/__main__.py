"""``python -m experiments.texts``."""

from __future__ import annotations

import sys

from experiments.texts import main

if __name__ == "__main__":
    sys.exit(main())
