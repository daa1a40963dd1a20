"""What the wheel holds."""

from __future__ import annotations

import configparser
import email
import json
import os
import subprocess
import sys
import venv
import zipfile
from email.message import Message
from pathlib import Path

import pytest

import usim

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The source archive and the wheel that is built from it."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(distributions: list[Path]) -> zipfile.ZipFile:
    (built,) = (path for path in distributions if path.suffix == ".whl")
    assert built.name == f"usim_faithfulness-{usim.__version__}-py3-none-any.whl"
    return zipfile.ZipFile(built)


def test_both_can_be_published(distributions: list[Path]) -> None:
    pytest.importorskip("twine")
    assert len(distributions) == 2
    check = [sys.executable, "-m", "twine", "check", "--strict", *distributions]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_wheel_works_in_a_fresh_environment(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*command: object) -> str:
        done = subprocess.run(list(map(str, command)), cwd=tmp_path, env=clean, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(programs / "python", "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel.filename)
    pair = ("She have two cat.", "She has two cats.")
    scored = json.loads(run(programs / "usim", "score", "--format", "json", "--text", *pair))
    assert scored["results"][0]["verdict"] == "keep"
    assert scored["summary"]["signature"].endswith(f"|v:{usim.__version__}")
    place = run(programs / "python", "-c", "import usim; usim.Screen; print(usim.__file__)").strip()
    assert Path(place).is_relative_to(tmp_path)


def test_only_usim_goes_in_and_nothing_that_a_run_left(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"usim"}
    others = {"tests", "__pycache__", "parsers", "judges", "training", "experiments", "bench"}
    assert [name for name in names if others & set(name.split("/")) or name.endswith((".pyc", ".orig", ".rej"))] == []
    assert Path(str(wheel.filename)).stat().st_size < 130_000_000


def test_all_files_of_the_package_go_in(wheel: zipfile.ZipFile) -> None:
    """Word lists, lemmas, licences: whatever a module reads is there once usim is installed."""
    listed = subprocess.run(["git", "ls-files", "-z", "usim"], cwd=ROOT, capture_output=True, check=True)
    files = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    assert {"usim/py.typed", "usim/lexicon/wordnet-3.0.xz", "usim/models/en-fast/MODEL_CARD.md"} <= files
    sizes = {each.filename: each.file_size for each in wheel.infolist()}
    assert {name: sizes.get(name) for name in files} == {name: (ROOT / name).stat().st_size for name in files}


def read_dist_info(wheel: zipfile.ZipFile, name: str) -> str:
    (path,) = (path for path in wheel.namelist() if path.endswith(f".dist-info/{name}"))
    return wheel.read(path).decode()


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    return email.message_from_string(read_dist_info(wheel, "METADATA"))


def test_metadata(metadata: Message) -> None:
    assert metadata["Name"] == "usim-faithfulness"
    assert metadata["Version"] == usim.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_the_command_is_an_entry_point(wheel: zipfile.ZipFile) -> None:
    entries = configparser.ConfigParser()
    entries.read_string(read_dist_info(wheel, "entry_points.txt"))
    assert entries.sections() == ["console_scripts"]
    assert dict(entries["console_scripts"]) == {"usim": "usim.cli:main"}


def test_licences_are_named_and_go_in(wheel: zipfile.ZipFile, metadata: Message) -> None:
    names = ["CC-BY-SA-4.0", "LicenseRef-WordNet"]
    assert metadata["License-Expression"] == " AND ".join(["Apache-2.0", *names])
    files = metadata.get_all("License-File")
    assert files is not None
    assert sorted(files) == ["LICENSE", *(f"LICENSES/{name}.txt" for name in names)]
    for file in files:
        (name,) = (name for name in wheel.namelist() if ".dist-info/" in name and name.endswith(file))
        assert len(wheel.read(name)) > 1000


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {usim.__version__}\n" in citation
    assert f"\n## [{usim.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_runtime_dependencies_are_few_and_light(metadata: Message) -> None:
    required = {line.split(">")[0].strip() for line in metadata.get_all("Requires-Dist", []) if "extra" not in line}
    assert required == set(
        "click joblib markdown-it-py msgspec networkx numpy onnxruntime py3langid rapidfuzz rich scipy".split()
    )
