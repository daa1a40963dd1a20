"""The one entry to all studies, and the module of each."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from experiments.__main__ import STUDIES, main
from experiments.common.command import Command
from usim.errors import InputError, extra

ROOT = Path(__file__).parents[2]


def test_every_module_is_a_command() -> None:
    assert {"baseline", "data", "generate", "judges", "papers", "texts"} <= set(STUDIES)
    assert "common" not in STUDIES
    for name in STUDIES:
        command = import_module(f"experiments.{name}").main
        assert isinstance(command, Command)
        assert command.parser.prog == f"python -m experiments {name}"


@pytest.mark.parametrize("paper", ["all", "prolex"])
def test_without_a_package_there_is_one_line(
    paper: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    monkeypatch.delitem(sys.modules, "experiments.papers.prolex", raising=False)
    assert main(["papers", paper, "--list"]) == 2
    assert capsys.readouterr().err == "error: papers needs sklearn: pip install -e '.[studies]'\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([], "which study? There are assistant, baseline, data, error_types, "),
        (["nothing"], "no study is called 'nothing'; "),
    ],
)
def test_without_a_study_there_is_one_line(line: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"error: {message}")


def test_help_lists_all_studies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == STUDIES
    assert all(len(line.split()) > 3 for line in lines)


def test_without_usim_there_is_one_line(tmp_path: Path) -> None:
    """The folder alone, in a Python that has no usim."""
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    command = [sys.executable, "-I", "-S", "-c"]
    code = "import sys, runpy; sys.path.insert(0, '.'); runpy.run_module('experiments', run_name='__main__')"
    done = subprocess.run([*command, code, "judges"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("pip install -e '.[studies]'\n")


def test_a_library_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match=r"figures need nothing_here: pip install nothing_here"):
        extra("nothing_here.inside", "figures need")
