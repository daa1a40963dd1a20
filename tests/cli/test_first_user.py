"""What a first user stumbles over: messages that say what to do, help with examples, names that mean one thing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from tests.command import usim_here
from tests.support.benchmarks import GOLD_OF_SWORDS, PROLEX, SWS
from usim.cli import cli

ROOT = Path(__file__).parents[2]
CONTEXT = click.Context(cli)
COMMANDS = {name: cli.get_command(CONTEXT, name) for name in cli.list_commands(CONTEXT)}  # type: ignore[attr-defined]


def one_line(*arguments: str | Path, stdin: str = "") -> str:
    """Run a command that fails, and return the one line that it says."""
    done = usim_here(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


class TestHelp:
    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_page_has_examples_that_can_be_parsed(self, name: str) -> None:
        shown = usim_here(name, "--help").stdout
        assert "Examples:\n" in shown
        for line in shown.partition("Examples:\n")[2].splitlines():
            words = line.partition("usim ")[2].split(" | ")[0].split()
            assert words, line
            for option in re.findall(r"(?<!\S)--?[a-z][\w-]*", " ".join(words)):
                assert any(option in parameter.opts for parameter in COMMANDS[words[0]].params), line

    def test_options_mean_one_thing(self) -> None:
        for name, command in COMMANDS.items():
            for parameter in command.params:
                if "-o" in parameter.opts:
                    assert parameter.opts == ["-o", "--output"]
                    assert parameter.metavar == {"batch": "OUTPUT"}.get(name, "OUT"), name
        shown = usim_here("batch", "--help").stdout
        assert "--format-in " in shown
        assert "--format " not in shown

    def test_the_version_and_mistyped_commands(self) -> None:
        assert re.match(r"usim, version \d+\.\d+\.\d+", usim_here("--version").stdout)
        done = usim_here("scroe", "a", "b")
        assert done.returncode == 2
        assert "No such command 'scroe'. Did you mean score" in done.stderr
        assert "Did you mean" not in usim_here("xyz").stderr

    def test_completion(self) -> None:
        words = {"_USIM_COMPLETE": "bash_complete", "COMP_WORDS": "usim sc", "COMP_CWORD": "1"}
        for variables, shown in (({"_USIM_COMPLETE": "bash_source"}, "complete -o"), (words, "plain,screen")):
            done = subprocess.run(
                [sys.executable, "-m", "usim"],
                env={**os.environ, **variables}, capture_output=True, text=True, check=False, cwd=ROOT,
            )  # fmt: skip
            assert shown in done.stdout, done.stderr


def test_messages_name_packages_that_an_extra_has_and_nothing_says_that_usim_is_on_an_index() -> None:
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    extras = {
        name: {re.split(r"[><=\s]", line)[0] for line in lines.split("\n")} - {""}
        for name, lines in config["options.extras_require"].items()
    }
    # And a library that we plug into, and a backend of somebody's cluster.
    known = set[str]().union(*extras.values()) | {"gec-metrics", "spacy", "errant"}
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "usim").rglob("*.py")]
    named = {
        name
        for text in sources
        for names in re.findall(r"pip install ([a-z][a-z0-9 -]*)", text)
        for name in names.split()
    }
    assert named
    assert named <= known
    called = r'\bextra\(\s*(?:name|"(?:usim[\w.]+|([a-z0-9]+)[\w.]*)"),\s+(?:what|"[^"]+")(?:,\s+"([^"]+)")?(?:,\s+of=(?:of|"(\w+)"))?,?\s*\)'
    calls = [groups for text in sources for groups in re.findall(called, text)]
    assert len(calls) >= 10
    for library, packages, extra in calls:
        assert set((packages or library).split()) <= (extras[extra] if extra else known)
    pages = [path.read_text(encoding="utf-8") for path in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md")]
    assert not any("usim-faithfulness" in text for text in (*sources, *pages))


@pytest.mark.model
def test_samples_are_written_once_and_every_command_takes_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "tried"
    names = [Path(line).name for line in usim_here("samples", folder).stdout.splitlines()]
    letters = ["letter-rewritten.txt", "letter.txt"]
    assert names == ["after.txt", "before.txt", "labelled.csv", *letters, "notes.txt", "suggestions.jsonl"]
    assert "there is a file of this name" in one_line("samples", folder)
    for command in (
        "score before.txt after.txt",
        "compare letter.txt letter-rewritten.txt",
        "screen suggestions.jsonl",
        "tune labelled.csv",
    ):
        done = usim_here(*(folder / word if "." in word else word for word in command.split()))
        assert done.returncode == 0, done.stderr


class TestFiles:
    def test_sentences_given_as_files(self) -> None:
        assert "--text" in usim_here("score", "He go home.", "He goes home.").stderr

    def test_gold_data_given_as_predictions(self, tmp_path: Path) -> None:
        for command, gold in (("sws", SWS), ("swords", GOLD_OF_SWORDS), ("prolex", PROLEX)):
            path = tmp_path / f"{command}.csv"
            path.write_text(gold if isinstance(gold, str) else json.dumps(gold), encoding="utf-8")
            assert "gold data given as predictions" in one_line(command, path, path)
        done = usim_here("screen", tmp_path / "sws.csv", "--format-in", "sws", "--judge", "usim")
        assert "gold data, not the suggestions of a system" in done.stderr


class TestBatch:
    @pytest.mark.parametrize(
        ("task", "header", "says"),
        [
            ("score", "src\ttgt", "--columns SOURCE,OUTPUT"),
            ("score", "source\tmine", "no columns 'source' and 'output'"),
            ("score", "id\tsentence\tstart\tend\tsubstitutes", "--task screen"),
            ("screen", "source\toutput", "usim batch"),
            ("screen", "id\ttext\tstart\tend\tsubstitutes", "no column 'sentence'"),
        ],
    )
    def test_an_unknown_header_is_named(self, task: str, header: str, says: str, tmp_path: Path) -> None:
        path = tmp_path / "a.tsv"
        path.write_text(f"{header}\nA b.\tA c.\n")
        said = one_line("batch", path, "-o", tmp_path / "out.jsonl", "--task", task, "--judge", "usim")
        assert f"{path}:1: " in said
        assert says in said
        assert list(tmp_path.glob("out*")) == []

    def test_where_nothing_is_scored_the_summary_says_where_the_reasons_are(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text('{"sentence": "A"}\n')
        done = usim_here("batch", path, "-o", tmp_path / "out.jsonl", "--judge", "usim")
        assert done.returncode == 1
        assert f"0 records, 1 error ({tmp_path / 'out.jsonl.errors.jsonl'})" in done.stderr
