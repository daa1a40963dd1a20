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
_SCORE = "import usim; print(usim.Scorer().score('He go home.', 'He goes home.').judgement.verdict)"


def run(code: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, without what this process has set, in an empty home."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "OMP_NUM_THREADS", "LD_LIBRARY_PATH")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture
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


def test_a_score_opens_no_socket(guard: str, tmp_path: Path) -> None:
    result = run(guard + _SCORE, tmp_path)
    assert (result.returncode, result.stdout) == (0, "keep\n"), result.stderr
    assert list(tmp_path.iterdir()) == []


def command(guard: str, folder: Path, *arguments: str) -> str:
    """Run the command, check that it leaves nothing in the home folder, and return what it shows."""
    home = folder / "home"
    home.mkdir()
    result = run(f"{guard}\nfrom usim.cli import main; main()", home, *arguments)
    assert result.returncode == 0, result.stderr
    assert list(home.iterdir()) == []
    return result.stdout


def test_a_batch_with_workers_opens_no_socket(guard: str, tmp_path: Path) -> None:
    pairs, results = tmp_path / "pairs.jsonl", tmp_path / "results.jsonl"
    pairs.write_text('{"source": "He go home.", "output": "He goes home."}\n' * 3, encoding="utf-8")
    command(guard, tmp_path, "batch", str(pairs), "-o", str(results), "--jobs", "2", "--judge", "en")
    assert [json.loads(line)["verdict"] for line in results.read_text(encoding="utf-8").splitlines()] == ["keep"] * 3


def test_a_check_opens_no_socket(guard: str, tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("She have two cats.\n", encoding="utf-8")
    assert "[-have-]" in command(guard, tmp_path, "check", str(text), "--judge", "usim")


@pytest.mark.slow
def test_an_editor_that_checks_its_texts_opens_no_socket(guard: str) -> None:
    editor = Editor("visual_studio_code", "-c", f"{guard}\nfrom usim.cli import main; main()")
    assert "PronounVerbAgreement" in editor.open("She have two cats.")
    assert editor.close() == 0


def test_a_large_language_model_is_asked_only_where_a_server_is_named(guard: str, tmp_path: Path) -> None:
    code = f"{guard}\nfrom usim.cli import main; main()"
    judged = run(code, tmp_path, "score", "-t", "He go home.", "He goes home.", "--judge", "llm:gpt")
    assert judged.returncode == 2
    assert "which server has the model gpt?" in judged.stderr


def test_onnxruntime_is_imported_in_one_place() -> None:
    """Elsewhere its telemetry might be on."""
    imports = [
        f"{path.relative_to(ROOT)}"
        for folder in ("usim", "training", "parsers", "judges", "experiments", "bench", "docs")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if re.search(r"^\s*(import|from) onnxruntime\b", path.read_text(encoding="utf-8"), re.M)
    ]
    assert imports == ["usim/parsing/network.py"]
