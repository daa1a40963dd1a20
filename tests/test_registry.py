"""Models by name: those that come with usim, those of packages, and those that are not there."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import usim_here
from usim.batch import Task
from usim.errors import OptionError, ParsingError
from usim.judge import load_judge
from usim.options import Options
from usim.parsing import load
from usim.registry import find_model, is_model, model_names


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with a model: the files of en-fast under another name, without a judge of its own."""
    shelf = tmp_path / "some_models"
    shelf.mkdir()
    (shelf / "__init__.py").write_text("raise RuntimeError('no code of a package with models is run')\n")
    (shelf / "models.json").write_text(json.dumps({"mine": {"parser": "parser"}}))
    (shelf / "words").symlink_to(find_model("en").parser.parent / "words")
    (shelf / "parser").symlink_to(find_model("en-fast").parser)
    about = tmp_path / "some_models-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: some-models\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[usim.models]\nmine = some_models\nlost = some_models\n")
    monkeypatch.syspath_prepend(tmp_path)
    return shelf


def test_the_models_that_come_with_usim_are_complete() -> None:
    assert {"en", "en-fast"} <= set(model_names())
    for name in ("en", "en-fast"):
        model = find_model(name)
        assert (model.parser / "settings.json").is_file()
        assert model.judge is not None
        assert (model.judge / "settings.json").is_file()


@pytest.mark.parametrize(
    ("options", "is_read"),
    [
        ({}, True), ({"context": False}, False), ({"judge": "usim"}, True), ({"judge": "en-fast"}, False),
        ({"model": "en-fast"}, False), ({"model": "en-fast", "judge": "en"}, True), ({"model": "en-fast", "context": True}, True),
    ],
)  # fmt: skip
def test_the_model_of_the_judge_says_whether_sentences_are_read_in_their_text(
    options: dict[str, Any], is_read: bool
) -> None:
    assert Options(**options).reads_context() is is_read


def test_an_installed_package_brings_a_model(package: Path) -> None:
    assert {"mine", "en"} <= set(model_names())
    assert find_model("mine").parser == package / "parser"
    assert find_model("mine").judge is None
    assert load("mine").name == load("en-fast").name
    assert load_judge("mine").name == load_judge("en").name  # as it has none of its own


def test_a_package_within_a_package_is_not_imported_either(package: Path) -> None:
    inner = package / "inner"
    inner.mkdir()
    (inner / "models.json").write_text(json.dumps({"mine": {"judge": "judge"}}))
    entry = package.parent / "some_models-1.0.dist-info" / "entry_points.txt"
    for value in ("some_models.inner", "some_models.inner:shelf"):
        entry.write_text(f"[usim.models]\nmine = {value}\n")
        assert find_model("mine").judge == inner / "judge"
    assert "some_models" not in sys.modules
    for value in ("some_models.nowhere", "nowhere.at.all", "1 + 1", "1", ":"):
        entry.write_text(f"[usim.models]\nmine = {value}\n")
        with pytest.raises(OptionError, match="has no such model"):
            find_model("mine")


@pytest.mark.parametrize("parts", [["judge"], {"judge": 1}, {"judge": "../judge"}, {"parser": "/etc"}, None], ids=repr)
def test_a_shelf_holds_folders_below_it(parts: object, package: Path) -> None:
    (package / "models.json").write_text(json.dumps({"mine": parts, "lost": {"judge": "judge"}}))
    with pytest.raises(OptionError, match="has no such model"):
        find_model("mine")
    lost = find_model("lost")
    assert (lost.judge, lost.parser) == (package / "judge", find_model("en").parser)
    for content in ("{", "[]", "[" * 100_000):
        (package / "models.json").write_text(content)
        with pytest.raises(OptionError, match="the package some_models, installed for the model 'mine', has no such"):
            find_model("mine")


def test_parser_and_judge_come_from_the_model_unless_they_are_named() -> None:
    fast = Options(model="en-fast")
    assert fast.load_parser().name == load("en-fast").name
    assert fast.load_judge().name == load_judge("en-fast").name
    mixed = Options(model="en-fast", parser="en", judge="usim")
    assert (mixed.load_parser().name, mixed.load_judge().name) == (load("en").name, load_judge("usim").name)
    assert Task(model="en-fast", judge="usim").load_pipeline().signature.fields["parser"] == load("en-fast").name


def test_a_model_that_is_not_there_is_an_error_that_says_which_are() -> None:
    with pytest.raises(OptionError, match="no such model: 'de'; there are en, en-fast"):
        find_model("de")
    assert not is_model("de")
    with pytest.raises(ParsingError, match="no such model"):
        load("de")


@pytest.mark.parametrize("line", ["score -t PAIR --judge usim", "explain PAIR --judge usim", "parse -t TEXT"])
def test_commands_take_a_model(line: str) -> None:
    texts = {"PAIR": ["He go home.", "He goes home."], "TEXT": ["The cat slept."]}
    words = [part for word in line.split() for part in texts.get(word, [word])]
    assert usim_here(*words).returncode == 0
    assert usim_here(*words, "--model", "en-fast").returncode == 0
    missing = usim_here(*words, "--model", "de")
    assert missing.returncode == 2
    assert "no such model: 'de'; there are en, en-fast" in missing.stderr
