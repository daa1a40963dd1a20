"""The notebooks: they hold no logic and no results, and run from top to bottom on the data that come with them."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about where Jupyter keeps its settings
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("[0-9]-*.ipynb"))
#: Settings of the user's own that would lead a notebook to other data.
SETTINGS = ("USIM_ANNOTATIONS", "USIM_M2", "USIM_OFTEN", "USIM_SAMPLES", "USIM_STORE", "USIM_SWORDS", "USIM_SWS")


def read(name: str) -> Any:
    return nbformat.read(FOLDER / name, as_version=4)


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_is_one_for_each_study_that_is_told() -> None:
    assert [name[0] for name in NAMES] == ["1", "2", "5"]


@pytest.mark.parametrize("name", NAMES)
class TestAsStored:
    def test_it_is_valid_and_has_no_results(self, name: str) -> None:
        notebook = read(name)
        nbformat.validate(notebook)
        for cell in code(notebook):
            assert cell.outputs == []
            assert cell.execution_count is None

    def test_logic_is_in_the_modules(self, name: str) -> None:
        """Cells call, print and draw: whatever could go wrong is tested with the modules."""
        logic = (ast.FunctionDef, ast.ClassDef, ast.If, ast.While, ast.Try, ast.With)
        for cell in code(read(name)):
            lines = [line for line in cell.source.splitlines() if not line.startswith("%")]
            assert len(lines) <= 20
            assert not [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, logic)]

    def test_every_setting_is_known_here(self, name: str) -> None:
        words = {word for cell in code(read(name)) for word in cell.source.replace('"', " ").split()}
        assert {word for word in words if word.startswith("USIM_")} <= set(SETTINGS)


@pytest.mark.filterwarnings("ignore")  # of the machinery that runs notebooks
@pytest.mark.parametrize("name", NAMES)
def test_it_runs_from_top_to_bottom(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # settings of the user's own have no part in it
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    notebook = read(name)
    # Started in its folder, as Jupyter does.
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    shown = [set(output.get("data", {})) for output in outputs]
    assert sum("image/png" in kinds for kinds in shown) >= 1
    tables = [output["data"]["text/markdown"] for output in outputs if "text/markdown" in output.get("data", {})]
    assert tables
    assert all("| --- |" in table for table in tables)
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert "parser:en-" in outputs[-1]["data"]["text/plain"]  # what the figures were made with
