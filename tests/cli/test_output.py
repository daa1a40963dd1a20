"""No output is written over an input, and what is no text is named."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import usim_here
from usim.cli.output import tsv_line

RECORD = '{"sentence": "He left.", "start": 3, "end": 7, "substitutes": ["went"]}\n'


def test_each_cell_of_a_table_stays_on_one_line_and_undefined_ones_are_empty() -> None:
    assert tsv_line("a\tb\nc", 0.1, None, math.nan, 3) == "a b c\t0.1\t\t\t3\n"


#: A text that would clear a terminal, ring its bell and turn its line round.
STEERING = "He went\x1b[2J home\x07 and\u202e paid 20\x9b euros."
FORMS = ("text", "tsv", "csv", "markdown", "latex")


def test_no_output_steers_a_terminal(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b\x1b[2J.txt", "c\x07.txt")]
    for file, euros in zip(files, ("20", "25", "30"), strict=True):
        file.write_text(STEERING.replace("20", euros) + "\n")
    words, *_ = pair = [STEERING, STEERING.replace("20", "25")]
    graphs = tmp_path / "a.mrp"
    assert usim_here("parse", files[0], "--format", "mrp", "-o", graphs).returncode == 0
    record = {"sentence": words, "start": 0, "end": 2, "substitutes": ["\x1b[2JShe"], "id": "\x07"}
    lines: list[tuple[str | Path, ...]] = [
        ("repair", *pair), ("explain", *pair), ("score", "-t", *pair), ("parse", files[0]), ("compare", *files[:2]),
        ("align", graphs, graphs), ("screen", "-", "--format", "text"), ("score", *files[:2]),
        *(("score", *files, "--format", form) for form in FORMS),
    ]  # fmt: skip
    for line in lines:
        done = usim_here(*line, stdin=json.dumps(record) + "\n")
        assert done.returncode == 0, line
        assert not re.search("[\x1b\x07\x9b\u202e]", done.stdout + done.stderr), line


def test_what_is_written_has_the_format_that_its_name_ends_in(tmp_path: Path) -> None:
    for name, text in (("a", "He left."), ("b", "He went.")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n")
    (tmp_path / "r.jsonl").write_text(RECORD)
    texts = [tmp_path / "a.txt", tmp_path / "b.txt"]
    graphs = tmp_path / "graphs.mrp"
    assert usim_here("parse", texts[0], "-o", graphs).returncode == 0
    pair = ("He left.", "He went.")
    for command, ending, start in (
        (("draw", graphs), "svg", "<svg"),
        (("align", graphs, graphs), "json", "{"),
        (("evaluate", graphs, graphs), "JSON", "{"),
        (("explain", *pair), "svg", "<svg"),
        (("repair", *pair), "json", "{"),
        (("compare", *texts), "html", "<!"),
        (("compare", *texts), "sarif", "{"),
        (("score", *texts), "tsv", "line\t"),
        (("score", *texts), "md", "**"),
        (("score", *texts, "--format", "tsv"), "json", "line\t"),  # what is asked for goes first
        (("score", *texts), "out", "line  verdict"),  # no ending of a format
        (("screen", tmp_path / "r.jsonl"), "txt", "1: "),
        (("screen", tmp_path / "r.jsonl", "--filter"), "txt", "{"),  # the file itself
    ):
        out = tmp_path / f"out.{ending}"
        done = usim_here(*command, "-o", out)
        assert done.returncode == 0, done.stderr
        assert out.read_text().lstrip().startswith(start), command
    for command, ending in (
        (("score", *texts), "xlsx"),
        (("score", *texts), "html"),
        (("compare", *texts), "PDF"),
        (("repair", *pair), "doc"),
        (("draw", graphs), "png"),
    ):
        done = usim_here(*command, "-o", tmp_path / f"none.{ending}")
        assert done.returncode == 2
        assert f"writes no {ending.lower()}" in done.stderr
        assert ("tsv" in done.stderr) is (command[0] == "score")
        assert not (tmp_path / f"none.{ending}").exists()


def test_graphs_that_are_given_name_no_parser(tmp_path: Path) -> None:
    graphs = [tmp_path / name for name in ("a.mrp", "b.mrp", "c.mrp")]
    for file in graphs:
        assert usim_here("parse", "-", "--format", "mrp", "-o", file, stdin="He left.\n").returncode == 0
    for form in ("text", "json", "jsonl", "tsv", "latex"):
        for files in (graphs[:2], graphs):
            done = usim_here("score", *files, "--format", form, "-v" if form == "text" else f"--format={form}")
            assert done.returncode == 0
            assert "usim|leaf:" in done.stdout + done.stderr
            assert "parser:" not in done.stdout + done.stderr
    assert "|parser:en" in usim_here("score", "-t", "He left.", "He left.", "-v").stdout


def test_a_spreadsheet_shows_text_and_usim_reads_it_back(tmp_path: Path) -> None:
    texts = ["=cmd|' /C calc'!A0", "@SUM(1)", "=HYPERLINK(1)", "+1 it is.", "- an item", "'=quoted", "'quoted'", "－1"]
    (tmp_path / "a.txt").write_text("".join(f"{text}\n" for text in texts))
    table = tmp_path / "a.tsv"
    done = usim_here("score", tmp_path / "a.txt", tmp_path / "a.txt", "--format", "tsv", "-o", table)
    assert done.returncode == 0
    header, *rows = [line.split("\t") for line in table.read_text().splitlines()]
    cells = [row[header.index("source")] for row in rows]
    assert not [cell for cell in cells if cell[0] in "=@+-－"]
    again = usim_here("score", table, "--format", "jsonl")
    assert [json.loads(line)["source"] for line in again.stdout.splitlines()] == texts
    names = ",".join(["=1+1", "@SUM(1)"])
    files = [tmp_path / "a.txt"]
    for name in ("b.txt", "c.txt"):
        files.append(tmp_path / name)
        files[-1].write_text(files[0].read_text())
    done = usim_here("score", *files, "--names", names, "--format", "csv")
    assert not [cell for row in csv.reader(done.stdout.splitlines()) for cell in row if cell[:1] in ("=", "@")]


@pytest.mark.parametrize(
    "line",
    [
        "score FILE b.txt -o FILE",
        "score b.txt b.txt FILE -o LINK",
        "screen FILE --filter -o ./FILE",
        "check FILE --fix -o HARD",
        "score FILE b.txt --plot x.svg -o x.svg",
        "score FILE b.txt -o x.zst",
        "batch b.txt --format-in jsonl --judge FILE -o FILE",
        "batch b.txt --format-in jsonl --parser mrp:FILE -o LINK",
    ],
)
def test_no_output_is_an_input_another_output_or_looks_packed(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FILE", "b.txt"):
        Path(name).write_text(RECORD)
    Path("LINK").symlink_to("FILE")
    os.link("FILE", "HARD")
    done = usim_here(*line.split())
    assert done.returncode == 2
    assert re.search("would overwrite an input|are the same file|is not compressed", done.stderr)
    assert Path("FILE").read_text() == RECORD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["FILE", "HARD", "LINK", "b.txt"]


@pytest.mark.parametrize(
    "line",
    [
        "score a.txt a.txt -o none/x.json",
        "score a.txt a.txt --plot none/x.svg",
        "compare a.txt a.txt -o none/x.html",
        "compare a.txt a.txt -o none/x.docx",
        "screen r.jsonl -o none/x.jsonl",
        "screen r.jsonl --filter -o none/x.jsonl",
        "check a.txt --fix -o none/x.txt",
        "repair A B -o none/x.json",
        "explain A B -o none/x.svg",
        "parse a.txt -o none/x.mrp",
        "parse a.txt -o none/x.xml",
        "parse a.txt --format ucca-xml -o none/x/",
        "report r.jsonl -o none/x.html",
        "tune a.csv -o none/x.json",
        "draw a.mrp -o none/x.svg",
        "align a.mrp a.mrp -o none/x.json",
        "evaluate a.mrp a.mrp -o none/x.json",
        "batch r.jsonl -o none/x.jsonl",
        "batch r.jsonl -o a.txt/x.jsonl",
    ],
)
def test_no_command_makes_the_folder_of_its_output(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("He left.\n")
    Path("r.jsonl").write_text(RECORD)
    done = usim_here(*line.split())
    assert done.returncode == 2
    assert re.search(r"usim: \S+/x\S*: cannot be written: its folder is not there; make it first", done.stderr)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "r.jsonl"]


@pytest.mark.parametrize(
    "line", ["score bad.jsonl", "screen bad.jsonl", "parse bad.txt --format mrp", "evaluate bad.mrp bad.mrp"]
)
def test_an_older_file_stays_where_no_record_could_be_read(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text('{"source": "A", "output": null}\n')
    Path("bad.txt").write_bytes(b"\xff\n")
    Path("bad.mrp").write_text("{}\n")
    Path("out.json").write_text("old")
    done = usim_here(*line.split(), "-o", "out.json")
    assert done.returncode == 2
    assert "no record could be read: out.json stays as it was" in done.stderr
    assert Path("out.json").read_text() == "old"


def test_an_output_that_is_an_input_by_redirection(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("He left.\n")
    with path.open("ab") as file:
        command = [sys.executable, "-m", "usim", "parse", str(path)]
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, timeout=120)
    assert (done.returncode, path.read_text()) == (2, "He left.\n")
    assert b"standard output would overwrite an input" in done.stderr


def test_standard_output_is_utf_8_whatever_the_locale() -> None:
    record = json.dumps({"sentence": "He left 😀.", "start": 3, "end": 7, "substitutes": ["→ went"]}) + "\n"
    command = [sys.executable, "-m", "usim", "screen", "-", "--judge", "usim"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, input=record.encode(), env=environment, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    suggestion = json.loads(done.stdout.decode("utf-8"))["suggestions"][0]
    assert (suggestion["substitute"], suggestion["source"]) == ("→ went", "He left 😀.")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("He left.\n".encode("utf-16"), "not UTF-8 text but UTF-16"),
        (b"PK\x03\x04\x14\x00\x06\x00", "not UTF-8 text but a file of Word's or another archive"),
        (bytes(range(256)), "no text but bytes of a program or another file"),
        (b"{\\rtf1\\ansi He left.}", "RTF, which usim does not read; save it as text"),
        (
            b"\xef\xbb\xbf\n<!DOCTYPE html>\n<p>He left.</p>\n",
            "a page in HTML, which usim does not read; save it as text",
        ),
    ],
)
def test_files_that_are_no_text_are_named(data: bytes, problem: str, tmp_path: Path) -> None:
    path, text = tmp_path / "a.data", tmp_path / "b.txt"
    path.write_bytes(data)
    text.write_text("He left.\nShe left.\n")
    for line in ("score PATH TEXT", "check PATH", "screen PATH --format-in jsonl", "parse PATH"):
        done = usim_here(*line.replace("PATH", str(path)).replace("TEXT", str(text)).split())
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{path}: {problem}" in done.stderr


def test_a_spreadsheet_and_a_page_are_named(tmp_path: Path) -> None:
    for name, data, problem in (
        ("a.xlsx", b"PK\x03\x04\x14\x00\x06\x00", "a spreadsheet, which usim does not read; save it as CSV"),
        ("a.xls", b"\xd0\xcf\x11\xe0" + bytes(40), "a spreadsheet, which usim does not read; save it as CSV"),
        ("a.html", b"<p>He left.</p>\n", "a page in HTML, which usim does not read"),
    ):
        (tmp_path / name).write_bytes(data)
        for command in (("score", tmp_path / name), ("compare", tmp_path / name, tmp_path / name)):
            done = usim_here(*command)
            assert (done.returncode, done.stdout) == (2, "")
            assert f"{name}: {problem}" in done.stderr
