"""The README's example is what the command prints, and its set-up commands are those that CI runs."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_ci_runs_the_readmes_test_command() -> None:
    assert "```bash\nbash tests/run.sh" in README
    assert "bash tests/run.sh" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
