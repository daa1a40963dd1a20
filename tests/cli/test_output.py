"""Lines of tables and figures in JSON."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.command import usim_here
from usim.cli import cli
from usim.cli.options import OutputOption, may_name_file
from usim.cli.output import tsv_line
from usim.errors import UsimError


def test_each_cell_of_a_table_stays_on_one_line_and_undefined_ones_are_empty() -> None:
    assert tsv_line("a\tb\nc", 0.1, None, math.nan, 3) == "a b c\t0.1\t\t\t3"


RECORD = '{"sentence": "He left.", "start": 3, "end": 7, "substitutes": ["went"]}\n'


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "FILE", "b.txt", "-o", "FILE"],
        ["score", "b.txt", "b.txt", "FILE", "-o", "LINK"],
        ["parse", "FILE", "-o", "./FILE"],
        ["screen", "FILE", "--filter", "-o", "FILE"],
        ["check", "b.txt", "FILE", "-o", "FILE"],
        ["check", "FILE", "--fix", "-o", "HARD"],
        ["report", "FILE", "-o", "FILE"],
        ["tune", "FILE", "-o", "FILE"],
        ["score", "FILE", "b.txt", "--plot", "x", "-o", "x"],
        ["explain", "He left.", "He went.", "-o", "x.svg.gz"],
        ["score", "FILE", "b.txt", "-o", "x.zst"],
        ["score", "b.txt", "b.txt", "--judge", "FILE", "-o", "HARD"],
        ["tune", "b.txt", "--judge", "FILE", "-o", "FILE"],
    ],
)
def test_no_output_is_an_input_another_output_or_looks_packed(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FILE", "b.txt"):
        Path(name).write_text(RECORD)
    Path("LINK").symlink_to("FILE")
    os.link("FILE", "HARD")
    done = usim_here(*arguments)
    assert done.returncode == 2
    assert re.search("would overwrite an input|are the same file|is not compressed", done.stderr)
    assert Path("FILE").read_text() == RECORD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["FILE", "HARD", "LINK", "b.txt"]


def _all_commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _all_commands(command, context)
        else:
            yield name, command


def _valid(parameter: click.Parameter, value: str) -> str:
    return parameter.type.choices[0] if isinstance(parameter.type, click.Choice) else value


def test_whatever_option_names_a_file_no_output_overwrites_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("read.me", "other"):
        Path(name).write_text(RECORD)
    tried = 0
    for name, command in _all_commands(cli, click.Context(cli)):
        for output in (each for each in command.params if isinstance(each, OutputOption)):
            needed = [
                argument
                for each in command.params
                if each.required and each is not output
                for argument in ([each.opts[-1]] if isinstance(each, click.Option) else []) + [_valid(each, "other")]
            ]
            for option in command.params:
                if isinstance(option, click.Argument | OutputOption) or not may_name_file(option):
                    continue
                with pytest.raises(UsimError, match="would overwrite an input"):
                    command.make_context(name, [*needed, option.opts[-1], "read.me", output.opts[-1], "read.me"])
                tried += 1
    assert tried > 30


def test_an_output_that_is_an_input_by_redirection(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("He left.\n")
    with path.open("ab") as file:
        command = [sys.executable, "-m", "usim", "parse", str(path)]
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, timeout=120)
    assert (done.returncode, path.read_text()) == (2, "He left.\n")
    assert b"standard output would overwrite an input" in done.stderr


def test_what_the_encoding_of_standard_output_lacks_is_written_as_json_has_it(tmp_path: Path) -> None:
    record = json.dumps({"sentence": "He left 😀.", "start": 3, "end": 7, "substitutes": ["→ went"]}) + "\n"
    command = [sys.executable, "-m", "usim", "screen", "-", "--judge", "usim"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, input=record.encode(), env=environment, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    suggestion = json.loads(done.stdout.decode("cp1252"))["suggestions"][0]
    assert (suggestion["substitute"], suggestion["source"]) == ("→ went", "He left 😀.")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("He left.\n".encode("utf-16"), "not UTF-8 text but UTF-16"),
        ("He left.\n".encode("utf-16-le"), "not UTF-8 text but UTF-16"),
        (b"PK\x03\x04\x14\x00\x06\x00", "not UTF-8 text but a file of Word's or another archive"),
    ],
)
def test_files_that_are_no_text_are_named(data: bytes, problem: str, tmp_path: Path) -> None:
    path, text = tmp_path / "a.docx", tmp_path / "b.txt"
    path.write_bytes(data)
    text.write_text("He left.\nShe left.\n")
    for line in ("score PATH TEXT", "check PATH", "screen PATH --format-in jsonl", "parse PATH"):
        done = usim_here(*line.replace("PATH", str(path)).replace("TEXT", str(text)).split())
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{path}: {problem}" in done.stderr
        assert " lines" not in done.stderr
