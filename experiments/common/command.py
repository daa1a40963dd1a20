"""The command lines of the studies: one runner, and the options that they share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from experiments.common.study import Study
from usim.errors import InputError, UsimError
from usim.options import Options
from usim.registry import DEFAULT as DEFAULT_MODEL
from usim.scorer import Scorer


class Option:
    """An option or argument of a command: what ``argparse.ArgumentParser.add_argument`` takes."""

    def __init__(self, *flags: str, **settings: Any) -> None:
        self.flags, self.settings = flags, settings
        if settings.get("action") == "append":
            settings.setdefault("default", [])


SHARED = {
    "out": Option("--out", type=Path, metavar="DIR", help="write tables, figure and numbers into this folder"),
    "model": Option(
        "--model", default=DEFAULT_MODEL, help="whose parser and judge are measured (default: %(default)s)"
    ),
    "parser": Option("--parser", help="another parser than the model's: onnx:DIR, xml:DIR, …"),
    "judge": Option("--judge", help="another judge than the model's: a folder, usim, llm:NAME, …"),
    "seed": Option("--seed", type=int, default=0, help="for all that is drawn at random"),
    "resamples": Option("--resamples", type=int, default=1000, help="of the bootstrap intervals"),
}
#: Those that say how pairs are scored; a study gets them together.
_MODELS = ("model", "parser", "judge")


class Command:
    """The command line of a study: ``python -m experiments NAME``.

    Its name and its description are those of the module of ``run``.

    Args:
        run: computes what is printed, which has a method ``render`` and perhaps ``problems``; a :class:`Study` is also
            written into a folder. Its parameters are the options by name, and ``options``, how pairs are scored, or the
            ``scorer`` that does it. It returns None where it prints for itself.
        options: options of the command's own.
        shared: which of :data:`SHARED` it has; all by default.
        forms: what ``--format`` offers, the default first; without any there is no such option.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        *options: Option,
        shared: Sequence[str] = tuple(SHARED),
        forms: Sequence[str] = ("text", "markdown", "json"),
    ) -> None:
        self._run, self._is_study, self._has_models = run, "out" in shared, set(_MODELS) <= set(shared)
        self._has_scorer = "scorer" in signature(run).parameters
        module = sys.modules[run.__module__]
        file = Path(module.__file__ or "")
        name = file.parent.name if file.stem == "__init__" else file.stem
        text = (module.__doc__ or "").split("\n", 1)[0]
        self.parser = argparse.ArgumentParser(prog=f"python -m experiments {name}", description=text)
        for option in (*options, *(SHARED[key] for key in shared)):
            self.parser.add_argument(*option.flags, **option.settings)
        if forms:
            self.parser.add_argument("--format", choices=forms, default=forms[0], help="what is printed")

    def __call__(self, arguments: Sequence[str] | None = None) -> int:
        """Run the command. Return the exit status: 0, or 2 for input that cannot be read."""
        given = vars(self.parser.parse_args(arguments))
        form, out = given.pop("format", ""), given.pop("out") if self._is_study else None
        options = Options(**{name: given.pop(name) for name in _MODELS}) if self._has_models else None
        try:
            if options is not None:
                given |= {"scorer": Scorer(options=options)} if self._has_scorer else {"options": options}
            output = self._run(**given)
            if output is not None:
                print(output.render(form).rstrip())
                if problems := getattr(output, "problems", ()):
                    raise InputError("; ".join(problems))
            if isinstance(output, Study) and out:
                for path in output.write(out):
                    print(f"wrote {path}", file=sys.stderr)
        except UsimError as e:
            print(f"error: {e}", file=sys.stderr)
            return 2
        return 0
