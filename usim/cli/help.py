"""What the help of a command ends with."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """Return examples of a command for the end of its help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
