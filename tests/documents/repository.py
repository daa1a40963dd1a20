"""Git repositories made for tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_WHO = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
_OWN = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def git(folder: Path, *arguments: str) -> str:
    own = {**os.environ, **_WHO, **_OWN}
    return subprocess.run(["git", *arguments], cwd=folder, env=own, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, files: dict[str, str | bytes | None], message: str = "A change") -> str:
    """Write files, remove those without a content, and commit all; return the name of the commit."""
    if not (folder / ".git").exists():
        folder.mkdir(exist_ok=True)
        git(folder, "init", "-q", "-b", "main")
    write(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


def write(folder: Path, files: dict[str, str | bytes | None]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
