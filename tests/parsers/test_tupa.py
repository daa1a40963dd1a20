"""TUPA's environment, and the worker that parses in it, wherever there is a Python 3.7.

Where the environment variable ``USIM_TUPA_ENV`` names an environment, that is used and none is built.
"""

import glob
import os
import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from tests.brackets import graph_of
from usim.errors import ParsingError
from usim.parsing import load
from usim.ucca import read_xml, write_xml

TUPA = Path(__file__).parents[2] / "parsers" / "tupa"
NAMES, VERBS = "John Mary Anna Peter".split(), "sees likes helps".split()


def set_up(python: str, environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", TUPA / "setup.sh", python, environment], capture_output=True, text=True, check=False)


def test_the_set_up_wants_a_python_3_7(tmp_path: Path) -> None:
    built = set_up(sys.executable, str(tmp_path / "env"))
    assert built.returncode == 1
    assert "TUPA needs Python 3.7, not 3." in built.stderr
    assert not (tmp_path / "env").exists()


def _python37() -> str | None:
    """A Python 3.7 on the path, or among those of pyenv."""
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    for python in (shutil.which("python3.7"), *sorted(glob.glob(f"{root}/versions/3.7.*/bin/python"))):
        if python and subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0:
            return python
    return None


def run(environment: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [f"{environment}/bin/python", *arguments],
        cwd=folder,
        env={**os.environ, "SPACY_MODEL_EN": "en_blank", "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_tupa_model_trained_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the environment, train a model on graphs made here, and parse with it."""
    environment = os.environ.get("USIM_TUPA_ENV")
    if not environment:
        python = _python37()
        if python is None:
            pytest.skip("no Python 3.7 was found (python3.7 on the path, or pyenv), which TUPA needs")
        environment = str(tmp_path / "env")
        built = set_up(python, environment)
        assert built.returncode == 0, built.stderr

    # All sentences of two names and a verb, but for some that are kept to be parsed.
    sentences = [
        graph_of(f"[H [A {a}] [P {verb}] [A {b}]] [U .]", id=f"{a}-{verb}-{b}")
        for verb in VERBS
        for a, b in permutations(NAMES, 2)
    ]
    kept, trained = sentences[::6], [s for i, s in enumerate(sentences) if i % 6]
    for folder, graphs in (("train", trained), ("kept", kept)):
        (tmp_path / folder).mkdir()
        for graph in graphs:
            write_xml(graph, tmp_path / folder / f"{graph.id}.xml")
    done = run(environment, tmp_path, "-m", "tupa", "-m", "small", "-t", "train", "-c", "sparse", "-I", "2")
    assert done.returncode == 0, done.stdout + done.stderr

    # What TUPA's own command makes of the other sentences is what the parser returns.
    done = run(environment, tmp_path, "-m", "tupa", "kept", "-m", "small", "-o", "out")
    assert done.returncode == 0, done.stdout + done.stderr
    expected = [read_xml(tmp_path / "out" / f"{graph.id}.xml") for graph in kept]
    # Of sentences that it knows nothing about, whatever it makes is a graph of their tokens.
    strange = ["Zoë , who left , cannot (yet) return !", "", "?", "the " * 60]
    texts = [*(graph.text() for graph in kept), *strange]
    monkeypatch.setenv("USIM_TUPA_PYTHON", f"{environment}/bin/python")
    monkeypatch.setenv("SPACY_MODEL_EN", "en_blank")
    ids = [*(graph.id for graph in kept), *(f"strange{k}" for k in range(len(strange)))]
    graphs = load(f"tupa:{tmp_path / 'small'}").parse([text.split() for text in texts], ids=ids)
    assert graphs[: len(kept)] == expected
    assert [list(graph.tokens) for graph in graphs] == [text.split() for text in texts]

    # A model that asks for a spaCy model that is not there, as published models do in a fresh environment.
    (tmp_path / "small.nlp.json").write_text('{"en": "en_core_web_none"}')
    with pytest.raises(ParsingError, match="-m spacy download en_core_web_none"):
        load(f"tupa:{tmp_path / 'small'}").parse(texts)
