"""Models by name: a parser and a judge that go together.

A *shelf* is a folder with a file ``models.json``, which says for each model where, below the folder, its parser and its
judge are::

    {"en": {"parser": "en/parser", "judge": "en/judge"}}

A model without a parser or a judge of its own has that of :data:`DEFAULT`; one with ``"context": "no"`` reads each
sentence by itself unless told otherwise. One shelf comes with usim. Packages bring
others: each names its model as an entry point of the group ``usim.models``, whose value is the package that is the
shelf::

    [project.entry-points."usim.models"]
    en-medical = "usim_model_en_medical"

Such a package is found by its name and never imported; its models are read as data. Installing a package can still run
code, for example by a ``.pth`` file, which Python runs whenever it starts.

>>> find_model("en").parser.name
'parser'
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from usim.errors import OptionError
from usim.text.checksums import model_settings

#: The model where none is named.
DEFAULT = "en"
#: The group of entry points that packages with models use.
GROUP = "usim.models"
_FILE = "models.json"
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Model:
    """A parser and a judge that go together.

    Attributes:
        name: what it is called.
        parser: the folder of its parser, or of that of the default model.
        judge: the folder of its judge; None for that of the default model.
        reads_context: whether its judge reads the text around a sentence unless told otherwise.
    """

    name: str
    parser: Path
    judge: Path | None
    reads_context: bool = True


def find_model(name: str) -> Model:
    """Return the model of this name.

    Raises:
        OptionError: there is none, or what is installed under the name is no shelf. The message says what to do.
    """
    model = _on(_HERE / "models", name)
    if model is not None:
        return model
    for entry in entry_points(group=GROUP, name=name):
        # To look for a package within another one would import that one.
        package, *inner = entry.value.split(":")[0].strip().split(".")
        try:
            spec = find_spec(package)
        except (ImportError, ValueError):
            spec = None
        places = list(spec.submodule_search_locations or ()) if spec else []
        model = _on(Path(places[0], *inner), name) if places else None
        if model is not None:
            return model
        raise OptionError(
            f"the package {entry.value}, installed for the model {name!r}, has no such model: install it anew",
            option="model",
        )
    raise OptionError(f"no such model: {name!r}; there are {', '.join(model_names())}", option="model")


def model_names() -> list[str]:
    """Return the names of all models that are installed."""
    return sorted({*_read(_HERE / "models"), *(entry.name for entry in entry_points(group=GROUP))})


def is_model(name: str | os.PathLike[str]) -> bool:
    """Return whether this is the name of a model, installed or not, rather than a path."""
    if not isinstance(name, str):
        return False
    # To look through all installed packages takes some 30 ms.
    return name in _read(_HERE / "models") or name in model_names()


def _on(shelf: Path, name: str) -> Model | None:
    parts = _read(shelf).get(name)
    if parts is None:
        return None
    parser = shelf / parts["parser"] if "parser" in parts else find_model(DEFAULT).parser
    judge = shelf / parts["judge"] if "judge" in parts else None
    return Model(name, parser, judge, parts.get("context") != "no")


def _read(shelf: Path) -> dict[str, dict[str, str]]:
    """Return the models of a shelf whose folders lie below it."""
    try:
        models, _ = model_settings(shelf, name=_FILE)
    except (OSError, ValueError):
        return {}
    return {
        name: parts for name, parts in models.items() if isinstance(parts, dict) and all(map(_is_below, parts.values()))
    }


def _is_below(path: object) -> bool:
    return isinstance(path, str) and not os.path.isabs(path) and os.pardir not in Path(path).parts
