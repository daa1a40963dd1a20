"""The kinds of reasons: ``kinds.tsv`` has a line for each, and for each case of a kind that is said in another way."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

with (Path(__file__).parent / "kinds.tsv").open(encoding="utf-8", newline="") as _file:
    _ROWS = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))

#: The kinds of reasons, each in a line.
KINDS: Mapping[str, str] = MappingProxyType({row["case"]: row["about"] for row in _ROWS if row["about"]})
#: What each kind says, and each case that a kind has under a name of its own. ``{old}`` and ``{new}`` are the words of
#: either sentence in quotation marks, ``{change}`` says what became of them; other names are given by the detector.
SENTENCES: Mapping[str, str] = MappingProxyType({row["case"]: row["sentence"] for row in _ROWS if row["sentence"]})
#: The kinds that trained judges give; :func:`usim.compare.find_reasons` gives all others.
OF_JUDGES = ("not-meant", "says-else")
