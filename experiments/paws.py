"""Are two sentences of nearly the same words told apart by what they say? (PAWS-Wiki)

    python -m experiments.paws --data FILE [--all] [--model NAME] [--out DIR]

PAWS (Zhang, Baldridge and He 2019) has pairs in which words changed places or went through another language, and people
who said whether they are paraphrases. Of the file every tenth pair is measured: those whose id has a SHA-256 that ten
divides. usim's judges learn from none of these; ``--all`` takes the others, too.
"""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.common.labelled import LabelledPair, command, digest, read_table
from usim.errors import FormatError

_SHARE = 10
_NOTE = "published: BERT that was trained on PAWS has an accuracy of .94 (Zhang et al. 2019)"


def read(path: Path) -> list[LabelledPair]:
    """Read the pairs of a file of PAWS (``id``, ``sentence1``, ``sentence2``, ``label``)."""
    pairs = []
    for row in read_table(path, ("id", "sentence1", "sentence2", "label")):
        if row["label"] not in ("0", "1"):
            raise FormatError("a label must be 0 or 1", path=path, text=f"{row['id']}: {row['label']}")
        is_held_out = digest(row["id"]) % _SHARE == 0
        pairs.append(LabelledPair(row["sentence1"], row["sentence2"], row["label"] == "1", is_held_out=is_held_out))
    return pairs


main = command(
    "paws",
    "Are sentences of nearly the same words told apart by what they say?",
    read,
    "dev.tsv or test.tsv of PAWS-Wiki (labelled, final)",
    note=_NOTE,
)

if __name__ == "__main__":
    sys.exit(main())
