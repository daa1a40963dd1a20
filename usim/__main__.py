"""``python -m usim``: the command line."""

from usim.cli import main

if __name__ == "__main__":
    main()
