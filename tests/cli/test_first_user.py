"""What a first user stumbles over: messages that say what to do, help with examples, names that mean one thing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from tests.command import usim_here
from tests.support.benchmarks import GOLD_OF_SWORDS, PROLEX, SWS
from usim.cli import cli

ROOT = Path(__file__).parents[2]


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli)
    for name in cli.list_commands(context):  # type: ignore[attr-defined]
        command = cli.get_command(context, name)  # type: ignore[attr-defined]
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", command.commands[inner]) for inner in command.commands)


COMMANDS = dict(commands())


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
        shown = usim_here(*name.split(), "--help").stdout
        assert "Examples:\n" in shown
        for line in shown.partition("Examples:\n")[2].splitlines():
            words = line.partition("usim ")[2].split(" | ")[0].split()
            assert words, line
            for option in re.findall(r"(?<!\S)--?[a-z][\w-]*", " ".join(words)):
                command = COMMANDS[" ".join(words[:2])] if " ".join(words[:2]) in COMMANDS else COMMANDS[words[0]]
                assert any(option in parameter.opts for parameter in command.params), line

    @pytest.mark.parametrize("width", ["30", "40", "79"])
    @pytest.mark.parametrize("name", ["", *COMMANDS])
    def test_narrow_terminals_wrap(self, name: str, width: str) -> None:
        context = click.Context(
            COMMANDS[name] if name else cli, info_name="usim", terminal_width=int(width), max_content_width=int(width)
        )
        shown = context.command.get_help(context)
        assert "..." not in shown.replace("[ARGS]...", "").replace("FILE...", "")

    def test_options_mean_one_thing(self) -> None:
        for name, command in COMMANDS.items():
            for parameter in command.params:
                if "-o" in parameter.opts:
                    assert parameter.opts == ["-o", "--output"]
                    others = {"batch": "OUTPUT"}
                    assert parameter.metavar == others.get(name, "OUT"), name
        shown = usim_here("batch", "--help").stdout
        assert "--format-in " in shown
        assert "--format " not in shown

    def test_mistyped_commands(self) -> None:
        done = usim_here("scroe", "a", "b")
        assert done.returncode == 2
        assert "No such command 'scroe'. Did you mean score" in done.stderr
        assert "Did you mean" not in usim_here("xyz").stderr
        assert "python -m experiments at the root of a checkout" in usim_here("experiments").stderr

    def test_completion(self) -> None:
        words = {"_USIM_COMPLETE": "bash_complete", "COMP_WORDS": "usim sc", "COMP_CWORD": "1"}
        for variables, shown in (({"_USIM_COMPLETE": "bash_source"}, "complete -o"), (words, "plain,screen")):
            done = subprocess.run(
                [sys.executable, "-m", "usim"],
                env={**os.environ, **variables}, capture_output=True, text=True, check=False, cwd=ROOT,
            )  # fmt: skip
            assert shown in done.stdout, done.stderr


class TestPackages:
    def test_nothing_says_that_usim_is_on_an_index(self) -> None:
        modules = [path for folder in ("usim", "experiments") for path in (ROOT / folder).rglob("*.py")]
        for path in (*modules, *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"):
            assert "usim-faithfulness" not in path.read_text(encoding="utf-8"), path

    def test_messages_name_packages_that_an_extra_has(self) -> None:
        config = ConfigParser()
        config.read(ROOT / "setup.cfg", encoding="utf-8")
        required = "\n".join(config["options.extras_require"].values()).split("\n")
        # And a library that we plug into, and a backend of somebody's cluster.
        known = {re.split(r"[><=\s]", line)[0] for line in required} | {"gec-metrics", "spacy"}
        sources = [path.read_text(encoding="utf-8") for path in (ROOT / "usim").rglob("*.py")]
        named = {
            name
            for text in sources
            for names in re.findall(r"pip install ([a-z][a-z0-9 -]*)", text)
            for name in names.split()
        }
        assert named
        assert named <= known


@pytest.mark.model
class TestSamples:
    def test_they_are_written_once_and_every_command_takes_its_own(self, tmp_path: Path) -> None:
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
    @pytest.mark.parametrize("command", ["screen", "parse", "score"])
    def test_a_missing_file_and_a_folder(self, command: str, tmp_path: Path) -> None:
        more = [tmp_path / "b"] if command == "score" else []
        missing, output = tmp_path / "missing.jsonl", tmp_path / "out"
        assert one_line(command, missing, *more, "-o", output) == f"usim: {missing}: No such file or directory\n"
        assert "a folder; " in one_line(command, tmp_path, *more)
        assert list(tmp_path.iterdir()) == []

    def test_sentences_given_as_files(self) -> None:
        assert "--text" in usim_here("score", "He go home.", "He goes home.").stderr

    def test_gold_data_given_as_predictions(self, tmp_path: Path) -> None:
        for command, gold in (("sws", SWS), ("swords", GOLD_OF_SWORDS), ("prolex", PROLEX)):
            path = tmp_path / f"{command}.csv"
            path.write_text(gold if isinstance(gold, str) else json.dumps(gold), encoding="utf-8")
            assert "gold data given as predictions" in one_line(command, path, path)
        done = usim_here("screen", tmp_path / "sws.csv", "--format-in", "sws", "--judge", "usim")
        assert "gold data, not the suggestions of a system" in done.stderr

    @pytest.mark.parametrize("name", ["judge", "words", "nothing"])
    def test_what_is_no_parser(self, name: str) -> None:
        said = one_line("score", "--text", "a", "b", "--parser", name)
        assert said.startswith(f"usim: no such model: {name!r}; there are en, en-fast, ")
        assert "judge" not in said.replace(repr(name), "")


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

    def test_nothing_scored_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "a.tsv"
        path.write_text("1\tAn old man.\t3\t6\taged\n")
        done = usim_here("batch", path, "-o", tmp_path / "out.jsonl", "--judge", "none")
        assert done.returncode == 2
        assert "nothing has been scored: the one record is bad" in done.stderr
        assert "out.jsonl.errors.jsonl says why" in done.stderr

    def test_the_format_of_standard_input(self) -> None:
        done = usim_here("batch", "-", "-o", "-", "--judge", "none", "--format-in", "tsv", stdin="A b.\tA b.\n")
        assert json.loads(done.stdout)["score"] == 1


@pytest.mark.model
class TestSentences:
    def test_results_go_to_a_file(self, tmp_path: Path) -> None:
        pair = ("He go home.", "He goes home.")
        for command in (("score", "-t"), ("explain",)):
            path = tmp_path / command[0]
            shown = usim_here(*command, *pair, "--format", "json").stdout
            assert usim_here(*command, *pair, "--format", "json", "-o", path).stdout == ""
            assert path.read_text(encoding="utf-8") == shown
        assert usim_here("explain", *pair, "--format", "svg").stdout.startswith("<svg")
