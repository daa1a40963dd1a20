"""Steps of a recipe run once, its record refuses other data, and all models are made by one command."""

import json
import tomllib
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from training import make
from training.recipe import record, step

RECIPE = tomllib.loads(make._RECIPE.read_text(encoding="utf-8"))


def test_a_step_runs_until_its_result_is_there(tmp_path: Path) -> None:
    calls: list[Sequence[str]] = []

    def run(arguments: Sequence[str]) -> None:
        calls.append(arguments)
        (tmp_path / "result").write_text("done")

    for _ in range(2):
        step(tmp_path / "result", run, "--seed", 1, tmp_path)
    assert calls == [["--seed", "1", str(tmp_path)]]


def test_a_folder_is_not_continued_with_other_options_or_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "a.txt").write_text("one")
    path = tmp_path / "out" / "record.json"
    for _ in range(2):
        record(path, {"seed": 1}, ["pytest"], {"texts": data})
    with pytest.raises(SystemExit, match=r"begun with other options seed: take another --out"):
        record(path, {"seed": 2}, ["pytest"], {"texts": data})
    (data / "a.txt").write_text("two")
    with pytest.raises(SystemExit, match=r"begun with other data texts"):
        record(path, {"seed": 1}, ["pytest"], {"texts": data})
    with pytest.raises(SystemExit, match=r"gone: no such file or folder"):
        record(path, {"seed": 1}, ["pytest"], {"texts": tmp_path / "gone"})


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """What the commands of the steps were called with: here they only write their results."""
    calls: dict[str, list[list[str]]] = {}
    results = {entry["module"]: entry for entry in RECIPE["steps"]}

    def command(module: str) -> SimpleNamespace:
        def main(arguments: list[str]) -> None:
            calls.setdefault(module, []).append(arguments)
            out = Path(arguments[arguments.index("--out") + 1])
            names = results[module]["result"].split("/")
            file = out if len(names) == 1 else out.joinpath(*names[1:])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(str(arguments))

        return SimpleNamespace(main=main)

    monkeypatch.setattr(make, "import_module", command)
    return calls


def test_all_models_are_made_by_one_command(tmp_path: Path, commands: dict[str, list[list[str]]]) -> None:
    given = []
    for name in RECIPE["inputs"]:
        (tmp_path / name).write_text(name)
        given += ["--data", f"{name}={tmp_path / name}"]
    for _ in range(2):
        make.main([*given, "--out", str(tmp_path / "out")])
    assert [len(calls) for calls in commands.values()] == [1, 1, 1, 2]  # nothing is made twice
    assert str(tmp_path / "mpnet") in commands["parsers.make"][0]
    assert not any("{" in word for calls in commands.values() for arguments in calls for word in arguments)
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert set(manifest["data"]) == set(RECIPE["inputs"])
    assert set(manifest["made"]) == {entry["result"] for entry in RECIPE["steps"]}


def test_one_model_reads_its_own_inputs_alone(
    tmp_path: Path, commands: dict[str, list[list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("wordnet", "fortunes", "novels", "published"):
        (tmp_path / name).touch()
    given = [word for name in ("wordnet", "fortunes", "novels") for word in ("--data", f"{name}={tmp_path / name}")]
    with pytest.raises(SystemExit, match="2"):
        make.main(["texts", *given, "--out", str(tmp_path / "out")])
    assert "these steps read published, too" in capsys.readouterr().err
    make.main(["texts", *given, "--data", f"published={tmp_path / 'published'}", "--out", str(tmp_path / "out")])
    assert set(commands) == {"training.texts"}
    with pytest.raises(SystemExit, match="2"):
        make.main(["judge", "--out", str(tmp_path / "out")])
    assert "no such step: judge; there are texts, parsers" in capsys.readouterr().err


@pytest.mark.slow
def test_the_commands_know_the_arguments_of_the_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("torch", "onnx", "transformers", "matplotlib", "textblob", "lemminflect"):
        pytest.importorskip(module)

    def parse(parser: ArgumentParser, arguments: list[str]) -> None:
        _, unknown = parser.parse_known_args(arguments)
        assert not unknown
        raise SystemExit("known")

    monkeypatch.setattr(ArgumentParser, "parse_args", parse)
    for entry in RECIPE["steps"]:
        with pytest.raises(SystemExit, match="known"):
            import_module(entry["module"]).main(entry["arguments"])
