"""Is a word exchanged for one that says something else told from one that says the same? (Breaking NLI)

    python -m experiments breaking_nli --data FILE [--model NAME] [--out DIR]

Breaking NLI (Glockner, Shwartz and Goldberg 2018) has sentences of SNLI and the same with one word or phrase exchanged.
What follows counts as faithful, what contradicts or is neutral does not. Kinds that have one label alone have no AUC.
"""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.common.labelled import LabelledPair, command
from usim.errors import FormatError
from usim.text.files import parse_json, read_text, text_lines

_LABELS = {"entailment": True, "neutral": False, "contradiction": False}
_NOTE = (
    "published, three labels: ESIM .656, KIM .835, both trained on SNLI (Glockner, Shwartz and Goldberg 2018, Table 3; "
    "figures from memory, not checked against the paper)"
)


def read(path: Path) -> list[LabelledPair]:
    """Read the pairs of a file of JSON lines (``sentence1``, ``sentence2``, ``gold_label``, ``category``)."""
    pairs = []
    for number, line in enumerate(text_lines(read_text(path)), 1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
            source, output, label, kind = (record[n] for n in ("sentence1", "sentence2", "gold_label", "category"))
            pairs.append(LabelledPair(source, output, _LABELS[label], (f"{kind}",), group=source))
        except (KeyError, TypeError, ValueError) as e:
            raise FormatError(f"no pair with sentence1, sentence2, gold_label and category ({e})", path=path,
                              line=number, text=line) from e  # fmt: skip
    return pairs


main = command(
    "breaking_nli",
    "Is a word that says something else told from one that says the same?",
    read,
    "JSON lines of Breaking NLI, unpacked or .gz",
    note=_NOTE,
)

if __name__ == "__main__":
    sys.exit(main())
