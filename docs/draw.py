"""Draw the example graphs of the documentation again: ``python docs/draw.py`` at the root of a checkout."""

from __future__ import annotations

from pathlib import Path

from usim.cli import main

#: The file of each drawing, with the pair that it shows.
DRAWINGS = {
    "swapped.svg": ("John gave Mary a book.", "Mary gave John a book."),
    "alignment.svg": ("The old man sold his car yesterday.", "Yesterday the man has sold his old cars."),
    "remote.svg": ("She came in and sat down.", "She came in and then sat down."),
}


def draw(folder: Path) -> None:
    """Write each drawing into a folder."""
    for name, (source, output) in DRAWINGS.items():
        main(["explain", source, output, "--format", "svg", "-o", str(folder / name)])


if __name__ == "__main__":
    draw(Path(__file__).parent / "_static")
