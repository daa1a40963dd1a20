"""Models by name: a parser and a judge that go together.

>>> find_model("en").parser.name
'parser'
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from usim.errors import OptionError

_HERE = Path(__file__).parent / "models"

#: The model where none is named.
DEFAULT = "en"


@dataclass(frozen=True)
class Model:
    """A parser and a judge that go together.

    Attributes:
        name: what it is called.
        reads_context: whether its judge reads the text around a sentence unless told otherwise.
    """

    name: str
    reads_context: bool = True

    @property
    def parser(self) -> Path:
        """The folder of its parser."""
        return _HERE / self.name / "parser"

    @property
    def judge(self) -> Path:
        """The folder of its judge."""
        return _HERE / self.name / "judge"


#: All models by their names.
MODELS = {model.name: model for model in (Model("en"), Model("en-fast", reads_context=False))}


def find_model(name: str) -> Model:
    """Return the model of this name.

    Raises:
        OptionError: there is none; the message says which there are.
    """
    if name not in MODELS:
        raise OptionError(f"no such model: {name!r}; there are {', '.join(MODELS)}", option="model")
    return MODELS[name]
