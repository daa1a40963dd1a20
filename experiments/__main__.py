"""Run a study: ``python -m experiments NAME [options]``."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

_FOLDER = Path(__file__).parent
STUDIES = sorted(["papers", *(path.stem for path in _FOLDER.glob("*.py") if not path.stem.startswith("_"))])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study that the first argument names. Return its exit status, or 2 where there is no such study."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["-h"], ["--help"]):
        print("usage: python -m experiments NAME [options]\n")
        print("\n".join(f"{name:16} {_summary(name)}" for name in STUDIES))
        return 0
    if not given or given[0] not in STUDIES:
        problem = f"no study is called {given[0]!r}; there" if given else "which study? There"
        print(f"error: {problem} are {', '.join(STUDIES)}", file=sys.stderr)
        return 2
    try:
        return int(import_module(f"experiments.{given[0]}").main(given[1:]))
    except ModuleNotFoundError as e:
        package = (e.name or "").partition(".")[0]
        if (_FOLDER.parent / package).exists():
            raise
        print(f"error: {given[0]} needs {package}: pip install -e '.[studies]'", file=sys.stderr)
        return 2


def _summary(name: str) -> str:
    module = _FOLDER / (f"{name}.py" if name != "papers" else "papers/__init__.py")
    return (ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
