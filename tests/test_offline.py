"""Nothing leaves the machine: no socket is opened, and nothing is written under the user's home folder.

What the tests see: on Linux, the kernel ends a process with SIGSYS as soon as it or one of its children asks for a socket
of any family but AF_UNIX, whether Python or a compiled library asks. A look-up of a host name needs such a socket, too.
The filter does not see sockets that were open before (there are none) or data left for another program to send.
"""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.editor import Editor

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[1]
#: The audit architecture and the number of the system call ``socket``.
_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
_FILTER = """
import ctypes, struct
def forbid_sockets(architecture, call):
    steps = [
        (0x20, 0, 0, 4), (0x15, 0, 5, architecture),  # another architecture: allowed
        (0x20, 0, 0, 0), (0x15, 0, 3, call),  # another system call: allowed
        (0x20, 0, 0, 16), (0x15, 1, 0, 1),  # a socket of family AF_UNIX: allowed
        (0x06, 0, 0, 0x80000000), (0x06, 0, 0, 0x7FFF0000),  # end the process; allow
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((38, 1, 0, 0, 0), (22, 2, program)):  # no new privileges; a filter of system calls
        if libc.prctl(*arguments):
            raise OSError(ctypes.get_errno(), "prctl")
"""
#: Runs command lines one after the other, and prints their exit statuses.
_COMMANDS = """
import json, sys
from usim.cli import main

def status(arguments):
    try:
        return main(arguments) or 0
    except SystemExit as e:
        return e.code or 0

if __name__ == "__main__":
    print(json.dumps([status(arguments) for arguments in json.loads(sys.argv[1])]))
"""


def run(code: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, without what this process has set, in an empty home."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "OMP_NUM_THREADS", "LD_LIBRARY_PATH")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def guard() -> str:
    """Code that forbids sockets in the process that runs it; checked on a socket that Python opens."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        pytest.skip("sockets can be forbidden by a filter of system calls only on Linux (x86-64 or ARM)")
    code = f"{_FILTER}\nforbid_sockets{_MACHINES[platform.machine()]}\n"
    plain = run(code, Path("/"))
    if plain.returncode:
        pytest.skip(f"the system allows no filter of system calls: {plain.stderr.strip().splitlines()[-1]}")
    for opens in ("import socket; socket.socket()", "import socket; socket.getaddrinfo('host.invalid', 80)"):
        assert run(code + opens, Path("/")).returncode == -signal.SIGSYS
    return code


def test_scores_checks_and_batches_open_no_socket(guard: str, tmp_path: Path) -> None:
    """One process does all, so that the models are loaded once; the batch has workers of its own."""
    home, text = tmp_path / "home", tmp_path / "a.txt"
    home.mkdir()
    text.write_text("She have two cats.\n", encoding="utf-8")
    pairs, results = tmp_path / "pairs.jsonl", tmp_path / "results.jsonl"
    pairs.write_text('{"source": "He go home.", "output": "He goes home."}\n' * 3, encoding="utf-8")
    fast = ["--parser", "en-fast", "--judge", "en-fast"]
    commands = [
        ["score", "-t", "He go home.", "He goes home.", *fast, "--format", "tsv"],
        ["check", str(text), "--model", "en-fast", "--judge", "usim"],
        ["score", "-t", "He go home.", "He goes home.", "--judge", "llm:gpt"],
        ["batch", str(pairs), "-o", str(results), "--jobs", "2", "--parser", "en-fast", "--judge", "usim"],
    ]
    result = run(f"{guard}{_COMMANDS}", home, json.dumps(commands))
    assert json.loads(result.stdout.splitlines()[-1]) == [0, 0, 2, 0], result.stderr
    assert "keep" in result.stdout
    assert "[-have-]" in result.stdout
    assert "which server has the model gpt?" in result.stderr
    assert [json.loads(line)["verdict"] for line in results.read_text(encoding="utf-8").splitlines()] == ["keep"] * 3
    assert list(home.iterdir()) == []


@pytest.mark.slow
def test_an_editor_that_checks_its_texts_opens_no_socket(guard: str) -> None:
    editor = Editor("visual_studio_code", "-c", f"{guard}\nfrom usim.cli import main; main()")
    assert "PronounVerbAgreement" in editor.open("She have two cats.")
    assert editor.close() == 0


def test_onnxruntime_is_imported_in_one_place() -> None:
    """Elsewhere its telemetry might be on."""
    imports = [
        f"{path.relative_to(ROOT)}"
        for folder in ("usim", "training", "parsers", "judges", "experiments", "bench", "docs")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if re.search(r"^\s*(import|from) onnxruntime\b", path.read_text(encoding="utf-8"), re.M)
    ]
    assert imports == ["usim/parsing/network.py"]
