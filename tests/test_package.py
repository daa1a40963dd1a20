"""What the wheel holds."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder]
    # The build leaves its traces in the tree that it is run in: give it one of its own.
    copy = folder / "tree"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([*map(str, pip), str(copy)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    assert built.name.startswith("usim_faithfulness-")
    return zipfile.ZipFile(built)


def test_only_usim_goes_in(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"usim"}


def test_the_models_go_in_whole(wheel: zipfile.ZipFile) -> None:
    folder = ROOT / "usim/models"
    here = {f"usim/models/{p.relative_to(folder)}": p.stat().st_size for p in folder.rglob("*") if p.is_file()}
    models = {name: wheel.getinfo(name).file_size for name in wheel.namelist() if name.startswith("usim/models/")}
    assert models == here
    for name in ("en", "en-fast", "judge"):
        assert f"usim/models/{name}/MODEL_CARD.md" in models
    parsers = sum(size for name, size in models.items() if not name.startswith("usim/models/judge/"))
    assert parsers <= 45_000_000
    assert sum(models.values()) <= 60_000_000


def test_all_files_of_the_package_go_in(wheel: zipfile.ZipFile) -> None:
    """Word lists, lemmas, licences: whatever a module reads is there once usim is installed."""
    listed = subprocess.run(["git", "ls-files", "-z", "usim"], cwd=ROOT, capture_output=True, check=True)
    files = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    assert {"usim/lexicon/wordnet-3.0.xz", "usim/lexicon/WORDNET-LICENSE.txt"} <= files
    assert files <= set(wheel.namelist())


def test_types_are_published(wheel: zipfile.ZipFile) -> None:
    assert "usim/py.typed" in wheel.namelist()


def test_runtime_dependencies_are_few_and_light(wheel: zipfile.ZipFile) -> None:
    (metadata,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    lines = wheel.read(metadata).decode().splitlines()
    required = {
        line.split(":")[1].strip().split(">")[0]
        for line in lines
        if line.startswith("Requires-Dist") and "extra" not in line
    }
    assert required == {
        "click",
        "joblib",
        "networkx",
        "numpy",
        "onnxruntime",
        "rapidfuzz",
        "rich",
        "scipy",
        "tokenizers",
    }
