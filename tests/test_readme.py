"""The README's example is what the command prints, and its set-up commands are those that CI runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_is_real() -> None:
    blocks = re.findall(r"```console\n\$ usim (.*?)\n(.*?)```", README, re.DOTALL)
    assert blocks
    for command, expected in blocks:
        done = subprocess.run(
            [sys.executable, "-c", "from usim.cli import main; main()", *shlex.split(command)],
            capture_output=True, check=True, timeout=120,
        )  # fmt: skip
        assert done.stdout.decode() == expected


def test_ci_runs_the_readmes_test_command() -> None:
    assert "```bash\nbash tests/run.sh" in README
    assert "bash tests/run.sh" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target
