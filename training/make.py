"""Make the models that ship, all of them or some, by one command.

::

    python -m training.make --data wiki-train=DIR --data ewt-train=DIR … --out runs [STEP …]

The steps and their inputs stand in ``models.toml``; ``--help`` lists them. A step is a command of its own, which says
more with ``--help``; one whose result is there is left out, so that the command goes on after a stop.
``manifest.json`` in the output folder holds the versions of the libraries, and the SHA-256 of all that was read and of
all that was made; the command refuses to go on with others. Nothing is put into ``usim/models``: what was made is
copied there by whoever has looked at its figures, the parsers before the judges that stand on them are made.
"""

from __future__ import annotations

import argparse
import string
import tomllib
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from training.recipe import LIBRARIES, add_made, named_path, record, step

_RECIPE = Path(__file__).with_name("models.toml")


def main(argv: Sequence[str] | None = None) -> None:
    """Make models."""
    recipe = tomllib.loads(_RECIPE.read_text(encoding="utf-8"))
    steps: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in recipe["steps"]}
    inputs = "\n".join(f"  {name:12} {about}" for name, about in recipe["inputs"].items())
    epilog, formatter = f"inputs:\n{inputs}", argparse.RawDescriptionHelpFormatter
    p = argparse.ArgumentParser(description=__doc__, epilog=epilog, formatter_class=formatter)
    p.add_argument("steps", nargs="*", metavar="STEP", help=f"which steps: {', '.join(steps)}; by default all")
    p.add_argument("--data", action="append", default=[], type=named_path, metavar="NAME=PATH", help="an input")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    if unknown := set(args.steps) - set(steps):
        p.error(f"no such step: {', '.join(sorted(unknown))}; there are {', '.join(steps)}")
    chosen = [entry for name, entry in steps.items() if not args.steps or name in args.steps]
    given = dict(args.data)
    needed = {name for entry in chosen for argument in entry["arguments"] for name in _names(argument)} - {"out"}
    if missing := sorted(needed - set(given)):
        p.error(f"these steps read {', '.join(missing)}, too: pass --data {missing[0]}=PATH")
    manifest = args.out / "manifest.json"
    record(manifest, {}, LIBRARIES, {name: given[name] for name in sorted(needed)})
    for entry in chosen:
        result = args.out / entry["result"]
        arguments = [argument.format_map({**given, "out": args.out}) for argument in entry["arguments"]]
        step(result, import_module(entry["module"]).main, *arguments)
        add_made(manifest, [result] if result.parent == args.out else sorted(result.parent.iterdir()))


def _names(argument: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(argument) if name]


if __name__ == "__main__":
    main()
