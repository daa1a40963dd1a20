"""The notebooks: they hold no logic, run from top to bottom on their own data, and come to the results in them.

``python -m tests.test_notebooks`` runs them and stores the results.
"""

from __future__ import annotations

import ast
import copy
import os
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.model

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about where Jupyter keeps its settings
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
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


def texts(notebook: Any) -> list[str]:
    """Return what the cells of a notebook print and their tables, without the version of usim."""
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    kinds = ("text/markdown", "text/plain")
    printed = [
        output["text"]
        if output.output_type == "stream"
        else next((output.data[k] for k in kinds if k in output.data), "")
        for output in outputs
    ]
    return [re.sub(r"\|v:[\w.]+", "", text) for text in printed]


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_is_one_for_each_study_that_is_told() -> None:
    assert [name[0] for name in NAMES] == ["1", "2", "5"]


@pytest.mark.parametrize("name", NAMES)
class TestAsStored:
    def test_it_is_valid_small_and_has_its_results(self, name: str) -> None:
        notebook = read(name)
        nbformat.validate(notebook)
        assert (FOLDER / name).stat().st_size < 300_000
        assert [cell.execution_count for cell in code(notebook)] == list(range(1, len(code(notebook)) + 1))
        assert any("image/png" in output.get("data", {}) for cell in code(notebook) for output in cell.outputs)
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


@pytest.mark.filterwarnings("ignore")  # of the machinery that runs notebooks
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n[0] == "5" else []) for n in NAMES])
def test_it_runs_from_top_to_bottom_and_comes_to_its_results(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # settings of the user's own have no part in it
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    stored = read(name)
    notebook = execute(stored)
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    shown = [set(output.get("data", {})) for output in outputs]
    assert sum("image/png" in kinds for kinds in shown) >= 1
    tables = [output["data"]["text/markdown"] for output in outputs if "text/markdown" in output.get("data", {})]
    assert tables
    assert all(re.search(r"^\|[ :]?-+", table, re.M) for table in tables)
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert "parser:en-" in outputs[-1]["data"]["text/plain"]  # what the figures were made with
    # The models round a little differently on other processors.
    for new, old in zip(texts(notebook), texts(stored), strict=True):
        assert NUMBER.sub("#", new) == NUMBER.sub("#", old)
        assert [float(x) for x in NUMBER.findall(new)] == pytest.approx(list(map(float, NUMBER.findall(old))), abs=0.02)


if __name__ == "__main__":
    for variable in SETTINGS:
        os.environ.pop(variable, None)
    for file in NAMES:
        nbformat.write(execute(read(file)), FOLDER / file)
