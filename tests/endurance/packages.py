"""Folders of models, and caches, that are not what they seem.

Each is refused with one line that says why, or used for what its checksums say it is; within a bound on time and memory,
and nothing in it is run.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from tests.endurance.hostile import places, refuse_or_read, replace
from tests.endurance.tally import Tally, Terms
from usim.judge import load_judge
from usim.judge.corrections import CorrectionModel
from usim.llm._cache import AnswerCache
from usim.parsing import load

_LOADERS: dict[str, Callable[[Path], object]] = {
    "en-fast/parser": load,
    "en-fast/judge": lambda folder: load_judge(str(folder)),
    "corrections": lambda folder: CorrectionModel(folder)(["He", "walkd"], ["He", "walked"]),
}
_SETTINGS = "settings.json"
MODELS = Path(load.__code__.co_filename).parents[1] / "models"


class _Trap:
    """An object whose pickle makes a file where it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


def packages(tally: Tally, terms: Terms) -> None:
    """Load models and caches; see the module's text."""
    mark = terms.folder / "executed"
    for model, loader in _LOADERS.items():
        _model(tally, terms, model, loader, mark)
    _caches(tally, terms)
    tally.check("code of a model was run" if mark.exists() else None)


# -- folders ---------------------------------------------------------------------------------------------------------


def _model(tally: Tally, terms: Terms, model: str, loader: Callable[[Path], object], mark: Path) -> None:
    folder = terms.folder / model / "model"

    def fresh() -> None:
        shutil.rmtree(folder.parent, ignore_errors=True)
        folder.mkdir(parents=True)
        if model != "corrections":
            (folder.parent / "trunk").symlink_to((MODELS / model).parent / "trunk")
        for file in (MODELS / model).iterdir():
            if file.name == _SETTINGS:
                shutil.copyfile(file, folder / file.name)
            else:
                (folder / file.name).symlink_to(file)

    def case(name: str, *, must_refuse: bool) -> None:
        refuse_or_read(tally, f"{model}, {name}", lambda: loader(folder), must_refuse=must_refuse)

    fresh()
    with tally.case(f"{model}, files that are links to the right ones"):
        loader(folder)
    settings = json.loads((folder / _SETTINGS).read_text())
    files = [name for name in settings["sha256"] if "/" not in name]
    for digests in ({}, None, [], dict.fromkeys(settings["sha256"], ""), dict.fromkeys(settings["sha256"], 7)):
        (folder / _SETTINGS).write_text(json.dumps({**settings, "sha256": digests}))
        case(f"the checksums {digests!r}"[:80], must_refuse=True)
    outside = {"../../secret": "0" * 64, "/etc/passwd": "0" * 64, "/dev/zero": "0" * 64, "\0": "0" * 64, "": "0" * 64}
    for name, digest in outside.items():
        (folder / _SETTINGS).write_text(json.dumps({**settings, "sha256": {**settings["sha256"], name: digest}}))
        case(f"a checksum of {name!r}", must_refuse=model != "corrections")  # the others look at their own files alone
    cases = [(place, value) for place in places(settings) if len(place) < 3 for value in _OF_SETTINGS]
    for place, value in cases if terms.is_long else terms.rng().sample(cases, 30):
        changed = json.loads(json.dumps(settings))
        replace(changed, place, value)
        (folder / _SETTINGS).write_text(json.dumps(changed))
        case(f"setting {place} is {value!r}", must_refuse=False)
    secret = terms.folder / "secret"
    secret.write_text("a secret")
    for name in files if terms.is_long else terms.rng().sample(files, 1):
        damaged = _damaged((MODELS / model / name).read_bytes())
        for what, put in {**_others(secret, mark), **damaged}.items():
            for is_signed in (False, True):
                fresh()
                path = folder / name
                path.unlink()
                put(path)
                if is_signed and path.is_file():
                    _sign(folder, name)
                # With the checksum of what it is now, a file is what its writer wants it to be, and read as data.
                is_taken = is_signed and what in damaged
                case(f"{name} is {what}{', signed' if is_signed else ''}", must_refuse=not is_taken)
        fresh()
        del settings["sha256"][name]
        (folder / _SETTINGS).write_text(json.dumps(settings))
        case(f"no checksum of {name}", must_refuse=True)
        settings = json.loads((MODELS / model / _SETTINGS).read_text())
    damaged = _damaged((MODELS / model / _SETTINGS).read_bytes())
    for what, put in {**_others(secret, mark), **damaged}.items():
        fresh()
        (folder / _SETTINGS).unlink()
        put(folder / _SETTINGS)
        case(f"the settings are {what}", must_refuse=what != "wrong in a bit")


_OF_SETTINGS = (None, [], {}, "x", -1, 10**30)


def _damaged(data: bytes) -> dict[str, Callable[[Path], object]]:
    """Return what may become of the bytes of a file, each as a function that writes it."""
    contents = {
        "empty": b"",
        "cut short": data[: len(data) // 2],
        "wrong in a bit": data[:100] + bytes([data[100] ^ 4]) + data[101:],
        "brackets": b"[" * 1_000_000,
    }
    return {what: partial(Path.write_bytes, data=content) for what, content in contents.items()}


def _sign(folder: Path, name: str) -> None:
    """Give the file of a model the checksum that it should have, as somebody could who writes to its folder."""
    settings = json.loads((folder / _SETTINGS).read_text())
    settings["sha256"][name] = sha256((folder / name).read_bytes()).hexdigest()
    (folder / _SETTINGS).write_text(json.dumps(settings))


def _others(secret: Path, mark: Path) -> dict[str, Callable[[Path], object]]:
    """Return what may stand in the place of a file, each as a function that puts it there."""
    objects = BytesIO()
    np.savez(objects, **{name: np.array([_Trap(mark)], dtype=object) for name in ("left", "contexts", "feature")})
    huge = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (%s,), }"
    shape = huge % (b"9" * 15)
    return {
        "a link to a secret": lambda path: path.symlink_to(secret),
        "a link to nothing": lambda path: path.symlink_to("nothing"),
        "a link to itself": lambda path: path.symlink_to(path),
        "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
        "a pipe": lambda path: os.mkfifo(path),
        "a folder": lambda path: path.mkdir(),
        "a pickle": lambda path: path.write_bytes(pickle.dumps(_Trap(mark))),
        "arrays of objects": lambda path: path.write_bytes(objects.getvalue()),
        "an array of a huge shape": lambda path: path.write_bytes(shape.ljust(127) + b"\n" + bytes(64)),
        "an archive of a huge array": lambda path: _huge_archive(path, shape.ljust(127) + b"\n"),
        "an array of bytes without end": lambda path: os.truncate(path, 2**40) if path.exists() else _sparse(path),
    }


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**28)


def _huge_archive(path: Path, head: bytes) -> None:
    from zipfile import ZIP_DEFLATED, ZipFile

    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name in ("left", "right", "bias", "contexts", "feature", "root"):
            archive.writestr(f"{name}.npy", head + bytes(2**20))


# -- caches ----------------------------------------------------------------------------------------------------------


def _caches(tally: Tally, terms: Terms) -> None:
    """Read caches that somebody else has written: they may be refused, but never wait without end or fail."""
    other = terms.folder / "other.db"
    for name, put in _others(terms.folder / "secret", terms.folder / "executed").items():
        put(other)
        refuse_or_read(tally, f"a cache that is {name}", lambda: AnswerCache(other), must_refuse=False)
        for path in (other, *terms.folder.glob("other.db-*")):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
