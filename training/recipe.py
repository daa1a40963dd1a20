"""What the commands that make models share: each step runs once, and a record says what the results depend on."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from usim.text.checksums import digest_of
from usim.text.files import written_whole

#: The packages whose versions change what the commands make.
LIBRARIES = ("codespell", "harper-py", "lemminflect", "numpy", "onnx", "onnxruntime", "rapidfuzz", "scikit-learn",
             "textblob", "tokenizers", "torch", "transformers", "wordfreq")  # fmt: skip


def step(result: Path, run: Callable[..., None], *arguments: object) -> None:
    """Run a step unless its result is there: the main function of a command with its arguments, or one without any."""
    if result.exists():
        print(f"{result}: there already", file=sys.stderr)
        return
    print(f"{result}: being made", file=sys.stderr, flush=True)
    run(*([[str(a) for a in arguments]] if arguments else ()))


def named_path(text: str) -> tuple[str, Path]:
    """Read an option ``NAME=PATH``."""
    name, _, path = text.partition("=")
    if not name or not path:
        raise argparse.ArgumentTypeError(f"NAME=PATH expected, not {text!r}")
    return name, Path(path)


def record(path: Path, options: Mapping[str, Any], libraries: Sequence[str], data: Mapping[str, Path]) -> None:
    """Write down what the results of a folder depend on; raise a SystemExit where it was begun with others."""
    about = {
        "options": {name: str(value) for name, value in options.items()},
        "libraries": {name: _version(name) for name in libraries},
        "data": {name: digest_of_data(source) for name, source in data.items()},
    }
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, about)
        return
    before = json.loads(path.read_text(encoding="utf-8"))
    changed = [
        f"{part} {name}" for part in about for name, now in about[part].items() if before[part].get(name, now) != now
    ]
    if changed:
        raise SystemExit(f"{path}: begun with other {', '.join(changed)}: take another --out")
    for part in about:
        before[part] |= about[part]
    _write(path, before)


def add_made(path: Path, files: Iterable[Path]) -> None:
    """Add the SHA-256 of files that were made to a record."""
    about = json.loads(path.read_text(encoding="utf-8"))
    new = {file.relative_to(path.parent).as_posix(): digest_of(file) for file in files if file.is_file()}
    about["made"] = dict(sorted((about.get("made", {}) | new).items()))
    _write(path, about)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file of lines, whole or not at all."""
    with written_whole(path) as file:
        file.writelines(f"{line}\n" for line in lines)


def _write(path: Path, about: Mapping[str, Any]) -> None:
    write_lines(path, [json.dumps(about, indent=1)])


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def digest_of_data(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files in a folder."""
    if not path.exists():
        raise SystemExit(f"{path}: no such file or folder")
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
        digest.update(f"{file.relative_to(path) if file != path else ''}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
