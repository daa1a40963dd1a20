"""``python -m usim``: the command line."""

from __future__ import annotations

from usim.cli import main

if __name__ == "__main__":
    main()
