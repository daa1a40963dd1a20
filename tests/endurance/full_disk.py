"""Files that cannot grow beyond a size, and standard output that takes nothing."""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.batch.common import PLAIN, pairs, with_bad, write
from tests.endurance.tally import Tally, Terms
from tests.processes import ROOT
from usim.batch import run
from usim.errors import InputError

_USIM = f"{shlex.quote(sys.executable)} -c 'from usim.cli import main; main()'"
#: Commands with a parser that needs no model where they can do with one; the names are files that :func:`_files` writes.
COMMANDS = (
    "batch in.jsonl -o - --judge none --parser mrp:graphs.mrp",
    "score text text --judge usim --parser mrp:graphs.mrp",
    "explain 'John left .' 'John left .' --judge usim --parser mrp:graphs.mrp",
    "parse text --parser mrp:graphs.mrp",
    "screen suggestions.jsonl --judge usim --parser mrp:graphs.mrp",
    "--help",
)


def experiment(tally: Tally, terms: Terms) -> None:
    """Let the disk be full at many sizes, then go on with room; and write to ``/dev/full``."""
    rng = terms.rng()
    given, whole = terms.folder / "in.jsonl", terms.folder / "whole.jsonl"
    write(given, with_bad(pairs(60, terms.seed)))
    run(given, whole, PLAIN, chunk=5)
    largest = whole.stat().st_size + 2000
    limits = range(0, largest, 97) if terms.is_long else rng.sample(range(largest), 8)
    for number, limit in enumerate(limits):
        for options in ({}, {"cache": terms.folder / "shared", "summary": terms.folder / "summary.json"}):
            folder = terms.folder / "job"
            folder.mkdir()
            with tally.case(f"files of at most {limit} bytes, case {number}"):
                _fill_and_go_on(folder, given, whole, limit, options)
            shutil.rmtree(folder)
            for path in terms.folder.glob("shared*"):
                path.unlink()
    _files(terms.folder)
    for command in COMMANDS if terms.is_long else COMMANDS[:1]:
        for redirection in (">/dev/full", ">&-", "2>/dev/full", "2>&-") if terms.is_long else (">/dev/full", ">&-"):
            with tally.case(f"usim {command} {redirection}"):
                _run_command(terms.folder, command, redirection)


def _fill_and_go_on(folder: Path, given: Path, whole: Path, limit: int, options: dict[str, Any]) -> None:
    out = folder / "out.jsonl"
    process = os.fork()
    if not process:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        code = 2
        try:
            run(given, out, PLAIN, chunk=5, **options)
            code = 0
        except InputError:
            code = 1
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert code in (0, 1), f"the job ends with {code}, and not with an InputError"
    expected = whole.read_bytes()
    assert not out.exists() or out.read_bytes() == expected, "half an output has the final name"
    assert code or out.exists(), "no output, and no error"
    run(given, out, PLAIN, chunk=5, **options)
    assert out.read_bytes() == expected, "other bytes"
    assert (folder / "out.jsonl.errors.jsonl").read_bytes() == whole.with_name("whole.jsonl.errors.jsonl").read_bytes()
    assert len(list(folder.iterdir())) == 2, f"left behind: {sorted(os.listdir(folder))}"


def _files(folder: Path) -> None:
    from tests.batch.slow_parser import WordParser
    from usim.ucca import mrp_line

    sentences = ["John left .", "John stayed ."]
    graphs = WordParser().parse(sentences, ids=["1", "2"])
    (folder / "graphs.mrp").write_text("".join(mrp_line(graph) + "\n" for graph in graphs))
    (folder / "text").write_text("".join(sentence + "\n" for sentence in sentences))
    (folder / "in.jsonl").write_text('{"source": "John left .", "output": "John stayed ."}\n' * 50)
    suggestion = '{"sentence": "John left .", "start": 5, "end": 9, "substitutes": ["stayed"]}\n'
    (folder / "suggestions.jsonl").write_text(suggestion)


def _run_command(folder: Path, command: str, redirection: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        ["sh", "-c", f"{_USIM} {command} {redirection}"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    if redirection.startswith(">"):
        assert done.returncode == 2, f"exit code {done.returncode}"
        assert len(done.stderr.splitlines()) == 1, done.stderr[-300:]
        assert done.stderr.startswith("usim: "), done.stderr[-300:]
    else:
        plain = subprocess.run(
            ["sh", "-c", f"{_USIM} {command}"],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.stdout == plain.stdout, "another output where nobody can read messages"
