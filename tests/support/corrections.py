"""Files of corrections as published corpora have them."""

from __future__ import annotations

from pathlib import Path


def corpus(folder: Path, part: str = "dev", **files: str) -> Path:
    """A folder in the form of JFLEG, from the words of each file."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{part}.{name.replace('_', '.')}").write_text("\n".join(text.split("/")) + "\n", encoding="utf-8")
    return folder


M2 = """S My best freind lives here .
A 2 3|||R:SPELL|||friend|||REQUIRED|||-NONE-|||0

S I definatly know it .
A 1 2|||R:SPELL|||definitely|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
