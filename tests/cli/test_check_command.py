"""``usim check``: what Harper suggests, screened."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.serve.languagetool_stub import Stub

pytestmark = pytest.mark.model

TEXT = "# Notes\r\n\r\nShe have two cats.\r\nHe dont likes it.\r\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_bytes(TEXT.encode())
    return path


def test_suggestions_stand_in_the_text(file: Path) -> None:
    done = usim_here("check", file)
    assert done.returncode == 0
    assert "  She [-have-]{+has+} two cats.\n" in done.stdout
    assert done.stdout.startswith(f"{file}:3:1\n")
    assert "(PronounVerbAgreement)\n      keep   0." in done.stdout
    assert "\x1b" not in done.stdout
    assert "drop" not in done.stdout
    shown = usim_here("check", file, "--all").stdout
    dropped = [line for line in shown.splitlines() if line.startswith("      drop")]
    assert any(len(line.split()) > 3 for line in dropped)  # with a reason
    assert "1 file, " in done.stderr


def test_records(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.txt"
    other.write_text("Fine.")
    done = usim_here("check", file, other, "--format", "jsonl", "--judge", "usim")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    has = next(record for record in records if record["rule"] == "PronounVerbAgreement")
    assert (has["file"], has["line"], has["column"], has["text"]) == (str(file), 3, 5, "have")
    assert TEXT[has["start"] : has["end"]] == "have"
    assert [one["substitute"] for one in has["suggestions"]] == ["has"]
    whole = json.loads(usim_here("check", file, other, "--format", "json", "--judge", "usim").stdout)
    assert whole["results"] == records
    assert whole["summary"]["files"] == 2
    assert "judge:usim" in whole["summary"]["signature"]


def test_what_is_kept_is_applied(file: Path, tmp_path: Path) -> None:
    done = usim_here("check", file, "--fix")
    assert "She has two cats.\r\n" in done.stdout
    assert file.read_bytes() == TEXT.encode()
    output = tmp_path / "fixed.txt"
    assert usim_here("check", file, "--fix", "-o", output).stdout == ""
    assert b"# Notes\r\n\r\nShe has two cats.\r\n" in output.read_bytes()
    os.chmod(file, 0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(file)
    done = usim_here("check", link, "--fix", "--in-place")
    assert "made" in done.stderr
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert file.read_bytes() == output.read_bytes()


def test_gates(tmp_path: Path) -> None:
    fine, wrong = tmp_path / "a.txt", tmp_path / "b.txt"
    fine.write_text("She has two cats.\n")
    wrong.write_text("She have two cats.\n")
    options = ("--judge", "usim", "--keep", "0.01", "--drop", "0")
    assert usim_here("check", wrong, *options).returncode == 0
    assert usim_here("check", fine, "--fail-on", "any", *options).returncode == 0
    for gate in ("keep", "review", "any"):
        assert usim_here("check", fine, wrong, "--fail-on", gate, *options).returncode == 1
    rule = ("--disable-rule", "PronounVerbAgreement")
    assert usim_here("check", wrong, "--fail-on", "any", *rule, *options).returncode == 0


def test_files_that_cannot_be_read(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"one\n\xff\n")
    done = usim_here("check", tmp_path / "missing.txt", tmp_path, bad, file, "--judge", "usim")
    assert done.returncode == 2
    assert "[-have-]" in done.stdout
    warnings = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(warnings) == 3
    assert "bad.txt:2: not UTF-8" in warnings[2]


@pytest.mark.parametrize(
    "options",
    [("--in-place",), ("--fix", "--in-place", "-o", "x"), ("--fix", "--format", "json"), ("--fix", "other.txt")],
)
def test_wrong_usage(file: Path, options: tuple[str, ...]) -> None:
    assert usim_here("check", file, *options).returncode == 2
    assert file.read_bytes() == TEXT.encode()


def test_colours(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in usim_here("check", file, "--judge", "usim").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in usim_here("check", file, "--judge", "usim").stdout


def test_without_harper(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "harper", None)
    done = usim_here("check", file)
    assert done.returncode == 2
    assert done.stderr == "usim: Harper needs one more package: pip install harper-py\n"


def test_a_server_of_languagetool(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("This is a tset of it.")
    stub = Stub()
    try:
        done = usim_here("check", path, "--languagetool", stub.url, "--all")
        assert "This is a [-tset-]" in done.stdout
        assert "  test\n" in done.stdout
        assert "set   not the word that was meant: tset → set" in done.stdout
        german = usim_here("check", path, "--languagetool", stub.url, "--language", "de-DE")
        assert german.returncode == 2
        assert "another language (de-DE)" in german.stderr
    finally:
        stub.close()
    down = usim_here("check", path, "--languagetool", stub.url)
    assert down.returncode == 2
    assert "cannot be reached" in down.stderr
    assert "Traceback" not in down.stderr
