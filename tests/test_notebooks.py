"""The notebooks: they hold no logic, run from top to bottom on their own data, and come to the results in them.

The tests run their cells in this process, which has loaded the models. ``python -m tests.test_notebooks`` runs them as
Jupyter does, and stores the results.
"""

from __future__ import annotations

import ast
import copy
import io
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.model

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("IPython")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("[0-9]-*.ipynb"))
#: Settings of the user's own that would lead a notebook to other data.
SETTINGS = ("USIM_ANNOTATIONS", "USIM_M2", "USIM_OFTEN", "USIM_SAMPLES", "USIM_SWORDS", "USIM_SWS")

#: A figure in a table or a line: ``.812``, ``-0.25``, ``12``, and blanks that fill up to its width.
NUMBER = re.compile(r" *[+-]?(?:\d+\.?\d*|\.\d+)")


def read(name: str) -> Any:
    return nbformat.read(FOLDER / name, as_version=4)


def execute(notebook: Any) -> Any:
    """Run a notebook in its folder, as Jupyter does, on the data that come with it."""
    import nbclient

    notebook = copy.deepcopy(notebook)
    metadata = copy.deepcopy(notebook.metadata)
    for cell in code(notebook):
        cell.outputs = []
    client = nbclient.NotebookClient(
        notebook, timeout=120, record_timing=False, resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
    notebook.metadata = metadata  # without the version of Python
    return notebook


def run_here(notebook: Any) -> Iterator[str]:
    """Run the cells of a notebook in this process, and yield what they print and show, as :func:`texts` does."""
    from IPython.core.formatters import DisplayFormatter
    from matplotlib import pyplot

    names: dict[str, Any] = {}
    show = DisplayFormatter().format
    for cell in code(notebook):
        lines = [line for line in cell.source.splitlines() if not line.startswith("%")]
        body = ast.parse("\n".join(lines)).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        values = []
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
                values = [value] if value is not None and not cell.source.endswith(";") else []
        values += [pyplot.figure(number) for number in pyplot.get_fignums()]
        pyplot.close("all")
        yield from filter(None, [printed.getvalue(), *(shown(show(value)[0]) for value in values)])


def shown(data: Mapping[str, str]) -> str:
    text = next((data[kind] for kind in ("text/markdown", "text/plain") if kind in data), "")
    return re.sub(r"\|v:[\w.]+", "", text)


def texts(notebook: Any) -> list[str]:
    """Return what the cells of a notebook print and their tables, without the version of usim."""
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    return [output["text"] if output.output_type == "stream" else shown(output.data) for output in outputs]


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_they_are_numbered() -> None:
    assert [name[0] for name in NAMES] == ["1", "2", "3"]


@pytest.mark.parametrize("name", NAMES)
class TestAsStored:
    def test_it_is_valid_small_and_has_its_results(self, name: str) -> None:
        notebook = read(name)
        nbformat.validate(notebook)
        assert (FOLDER / name).stat().st_size < 300_000
        assert [cell.execution_count for cell in code(notebook)] == list(range(1, len(code(notebook)) + 1))
        outputs = [output for cell in code(notebook) for output in cell.outputs]
        assert any("image/png" in output.get("data", {}) for output in outputs)
        assert any("text/markdown" in output.get("data", {}) for output in outputs)
        assert not [output for output in outputs if output.get("name") == "stderr"]
        assert "parser:en-" in outputs[-1]["data"]["text/plain"]  # what the figures were made with
        # Neither times nor the version of Python: the same run gives the same file.
        assert not any(cell.metadata for cell in code(notebook))
        assert notebook.metadata.language_info == {"name": "python"}

    def test_logic_is_in_the_modules(self, name: str) -> None:
        """Cells call, print and draw: whatever could go wrong is tested with the modules."""
        logic = (ast.FunctionDef, ast.ClassDef, ast.If, ast.While, ast.Try, ast.With)
        cells = code(read(name))
        assert cells
        for cell in cells:
            lines = [line for line in cell.source.splitlines() if not line.startswith("%")]
            assert len(lines) <= 20
            assert not [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, logic)]

    def test_every_setting_is_known_here(self, name: str) -> None:
        words = {word for cell in code(read(name)) for word in cell.source.replace('"', " ").split()}
        assert {word for word in words if word.startswith("USIM_")} <= set(SETTINGS)


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n[0] == "3" else []) for n in NAMES])
def test_it_comes_to_its_results(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("MPLBACKEND", "agg")
    stored = read(name)
    # The models round a little differently on other processors.
    for new, old in zip(run_here(stored), texts(stored), strict=True):
        assert NUMBER.sub("#", new) == NUMBER.sub("#", old)
        assert [float(x) for x in NUMBER.findall(new)] == pytest.approx(list(map(float, NUMBER.findall(old))), abs=0.02)


if __name__ == "__main__":
    for variable in SETTINGS:
        os.environ.pop(variable, None)
    for file in NAMES:
        nbformat.write(execute(read(file)), FOLDER / file)
