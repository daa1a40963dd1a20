"""What the wheel holds."""

from __future__ import annotations

import configparser
import email
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

import usim

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
    for name in ("en", "en-fast"):
        assert f"usim/models/{name}/MODEL_CARD.md" in models


def test_all_files_of_the_package_go_in(wheel: zipfile.ZipFile) -> None:
    """Word lists, lemmas, licences: whatever a module reads is there once usim is installed."""
    listed = subprocess.run(["git", "ls-files", "-z", "usim"], cwd=ROOT, capture_output=True, check=True)
    files = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    assert {"usim/py.typed", "usim/lexicon/wordnet-3.0.xz", "usim/lexicon/WORDNET-LICENSE.txt"} <= files
    assert files <= set(wheel.namelist())


def read_dist_info(wheel: zipfile.ZipFile, name: str) -> str:
    (path,) = (path for path in wheel.namelist() if path.endswith(f".dist-info/{name}"))
    return wheel.read(path).decode()


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    return email.message_from_string(read_dist_info(wheel, "METADATA"))


def test_the_wheel_is_small(wheel: zipfile.ZipFile) -> None:
    assert Path(str(wheel.filename)).stat().st_size < 100_000_000


def test_no_tests_and_nothing_that_a_run_left(wheel: zipfile.ZipFile) -> None:
    for name in wheel.namelist():
        assert not {"tests", "__pycache__", "parsers", "judges", "training", "experiments", "bench"} & set(
            name.split("/")
        ), name
        assert not name.endswith((".pyc", ".orig", ".rej")), name


def test_metadata(metadata: Message) -> None:
    assert metadata["Name"] == "usim-faithfulness"
    assert metadata["Version"] == usim.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert (metadata["License-Expression"] or metadata["License"]) == "Apache-2.0"
    assert metadata["Description-Content-Type"] == "text/markdown"
    extras = "amr bench cefr dask docs harper inflect llm lsp masked parquet serve studies test wn zstd"
    assert set(metadata.get_all("Provides-Extra", [])) == set(extras.split())


def test_the_command_is_an_entry_point(wheel: zipfile.ZipFile) -> None:
    entries = configparser.ConfigParser()
    entries.read_string(read_dist_info(wheel, "entry_points.txt"))
    assert {section: dict(entries[section]) for section in entries.sections()} == {
        "console_scripts": {"usim": "usim.cli:main"},
    }


def test_licences_go_in(wheel: zipfile.ZipFile, metadata: Message) -> None:
    assert metadata.get_all("License-File") == ["LICENSE"]
    assert any(name.endswith("LICENSE") and ".dist-info/" in name for name in wheel.namelist())
    assert "usim/lexicon/WORDNET-LICENSE.txt" in wheel.namelist()


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {usim.__version__}\n" in citation
    assert f"\n## [{usim.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_runtime_dependencies_are_few_and_light(metadata: Message) -> None:
    required = {line.split(">")[0].strip() for line in metadata.get_all("Requires-Dist", []) if "extra" not in line}
    assert required == set("click joblib networkx numpy onnxruntime py3langid rapidfuzz rich scipy".split())
