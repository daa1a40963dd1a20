"""A benchmark of one's own: what a class has to say, and what follows from that."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import click
import pytest

from tests.command import usim_here
from usim import __version__, benchmarks
from usim.benchmarks.benchmark import Benchmark, Change
from usim.benchmarks.case import Candidate, Case, GivenTarget, Place
from usim.benchmarks.result import Ratio, Tally
from usim.cli import _COMMANDS

from .conftest import written

Lists = dict[str, list[str]]
DATA = {
    "a": ["A **big** dog .", "large", "huge"],
    "b": ["They **talk** .", "speak"],
}


class Toy(Benchmark[Lists]):
    """The share of targets whose first substitute is right."""

    name = "toy"
    about = "Score a system on a few words."
    options = (click.option("--strict", is_flag=True, help="The first right one must come first."),)

    def __init__(self, gold: dict[str, list[str]], *, strict: bool = False) -> None:
        self.gold, self.strict = gold, strict

    @classmethod
    def open(cls, path: Any, *, strict: bool = False) -> Toy:
        return cls(json.loads(Path(path).read_text()), strict=strict)

    @classmethod
    def gives_targets(cls, path: Any) -> bool:
        return str(path).endswith(".toy")

    def read_predictions(self, path: Any, warn: Any = None) -> Lists:
        read: Lists = json.loads(Path(path).read_text())
        return read

    def _place(self, name: str) -> Place:
        before, word, after = self.gold[name][0].split("**")
        return Place(before + word + after, len(before), len(before + word))

    def targets(self) -> list[GivenTarget]:
        return [GivenTarget.at(name, self._place(name)) for name in self.gold]

    def write(self, file: IO[str], answers: Iterable[tuple[GivenTarget, Sequence[Candidate]]]) -> None:
        json.dump({target.name: [candidate.text for candidate in own] for target, own in answers}, file)

    def tally(self, predictions: Lists) -> Tally:
        rights = {name: right[:1] if self.strict else right for name, (_, *right) in self.gold.items()}
        records = [{"right": predictions.get(n, [""])[0] in right, "targets": 1} for n, right in rights.items()]
        return Tally("toy", records, {"first": Ratio("right", "targets")}, {"strict": self.strict})

    def cases(self, predictions: Lists) -> list[Case]:
        return [
            Case(k, n, self._place(n), {s: "acceptable" if s in self.gold[n] else "wrong" for s in predictions[n]})
            for k, n in enumerate(self.gold)
        ]

    def changed(self, predictions: Lists, change: Change) -> Lists:
        return {name: change(name, own) for name, own in predictions.items()}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    module = ModuleType("usim.benchmarks.toy")
    module.Toy = Toy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "usim.benchmarks.toy", module)
    monkeypatch.setitem(benchmarks.BENCHMARKS, "toy", ("Toy", "a toy"))
    monkeypatch.setitem(_COMMANDS, "toy", ("usim.cli.benchmark", "Score a system on a toy."))
    written(tmp_path / "gold.toy", DATA)
    written(tmp_path / "made.json", {"a": ["small", "huge"], "b": ["speak"]})
    written(tmp_path / "vectors.txt", "big 1 0\nhuge 1 0.1\nsmall 0 1\n")
    return tmp_path


def test_its_command_scores_and_reranks(files: Path) -> None:
    command = ("toy", files / "gold.toy", files / "made.json", "--resamples", "0")
    done = usim_here(*command)
    assert done.stdout.splitlines() == ["first  0.5000", f"usim|toy|strict:False|n:2|v:{__version__}"], done.stderr
    strict = usim_here(*command, "--strict", "--format", "json")
    assert json.loads(strict.stdout)["signature"].startswith("usim|toy|strict:True|")
    ranked = usim_here(*command, "--rerank", "--by", f"vectors:{files / 'vectors.txt'}", "--format", "json")
    assert (json.loads(ranked.stdout)["before"], json.loads(ranked.stdout)["after"]) == ({"first": 0.5}, {"first": 1.0})
    assert "--strict" in usim_here("toy", "--help").stdout
    assert "--ranking" not in usim_here("toy", "--help").stdout


def test_baselines_are_given_its_targets(files: Path) -> None:
    done = usim_here("baseline", "rules", files / "gold.toy", "--thesaurus", "wordnet", "-o", files / "out.json")
    assert done.returncode == 0, done.stderr
    assert "speak" in json.loads((files / "out.json").read_text())["b"]
    assert "|given:toy" in done.stderr


def test_what_it_cannot_say_is_an_error() -> None:
    with pytest.raises(Exception, match="do not say what people rejected"):
        Toy(DATA).judged()
