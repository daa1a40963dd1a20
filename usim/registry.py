"""Models by name: a parser and a judge that go together.

>>> find_model("en").parser.name
'parser'
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from usim.errors import OptionError

_HERE = Path(__file__).parent / "models"

#: The model where none is named.
DEFAULT = "en"


class Model(NamedTuple):
    """The folders of a parser and a judge that go together, and whether that judge reads the text around a sentence."""

    name: str
    parser: Path
    judge: Path
    reads_context: bool


#: All models by their names.
MODELS = {
    name: Model(name, _HERE / name / "parser", _HERE / name / "judge", reads_context)
    for name, reads_context in (("en", True), ("en-fast", False))
}


def find_model(name: str) -> Model:
    """Return the model of this name; raise an OptionError, which says which there are, if there is none."""
    if name not in MODELS:
        raise OptionError(f"no such model: {name!r}; there are {', '.join(MODELS)}", option="model")
    return MODELS[name]
