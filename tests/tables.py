"""Tables of cases that are text alone, in files beside the tests."""

from pathlib import Path


def cases(test: str, name: str) -> list[list[str]]:
    """Return the rows of a file beside a test: cells between tabs, ``\\n`` for a line break; # begins a comment."""
    lines = Path(test).with_name(name).read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n").split("\t") for line in lines if not line.startswith("# ")]
