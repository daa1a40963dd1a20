"""Fetch the data of the studies from where their authors publish them.

    python -m experiments data --list
    python -m experiments data NAME … [--to DIR]

``data_sets.json`` lists the sets with their addresses, checksums and licences; each goes into a folder of its own name.
A file appears under its name only when it is complete and its checksum, where one is known, agrees. None of the data
belongs to usim: the licence that its authors gave a set is shown before it is fetched.
"""

from __future__ import annotations

import fnmatch
import json
import shutil
import tarfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from experiments.common.command import Command, Option
from usim.errors import InputError, extra

_TIMEOUT = 60.0
_RETRIES = 3  # how often a download that failed is tried again


class File(NamedTuple):
    """A file of a data set, or an archive: its ``members`` whose paths match are unpacked, and it is not kept."""

    name: str
    url: str
    sha256: str | None = None
    members: str | None = None


class DataSet(NamedTuple):
    """Files that belong together, with the terms of their authors, in their words, or that they state none."""

    name: str
    what: str
    licence: str
    home: str
    files: tuple[File, ...]


SETS = {
    name: DataSet(name, **{**entry, "files": tuple(File(**file) for file in entry["files"])})
    for name, entry in json.loads(Path(__file__).with_name("data_sets.json").read_text(encoding="utf-8")).items()
}


def located(data: Path, name: str) -> Path:
    """Return the path of a file of a data set, ``SET/NAME``, which may also lie in the folder itself."""
    in_set = data / name
    return in_set if in_set.exists() else data / PurePosixPath(name).name


def fetch(data: DataSet, to: Path) -> None:
    """Fetch those files of a data set that are missing, into a folder of its own in ``to``."""
    folder = to / data.name
    print(f"{data.name}: {data.what}\n  licence: {data.licence}\n  from {data.home}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in data.files:
            _fetch_file(data, file, folder)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=folder) from e


def _fetch_file(data: DataSet, file: File, folder: Path) -> None:
    target = folder / file.name
    if file.members and any(folder.iterdir()):
        print(f"  {file.name}: unpacked already")
        return
    is_new = not target.exists()
    if is_new:
        _download(data, file, folder)
    digest = extra("pooch", "downloads need").file_hash(str(target))
    if file.sha256 and digest != file.sha256:
        problem = f"SHA-256 {digest[:12]}… instead of {file.sha256[:12]}…"
        raise InputError(f"is there, but is not what it should be ({problem}); delete it", path=target)
    checked = "checksum as it should be" if file.sha256 else f"no checksum known: {digest}"
    print(f"  {file.name}: {f'fetched, {checked}' if is_new else 'there already'}")
    if file.members:
        _unpack(target, file.members, folder)


def _download(data: DataSet, file: File, folder: Path) -> None:
    pooch = extra("pooch", "downloads need")
    from requests import RequestException  # a dependency of pooch

    pooch.get_logger().setLevel("WARNING")
    downloads = pooch.create(
        folder, "", registry={file.name: file.sha256}, urls={file.name: file.url}, retry_if_failed=_RETRIES
    )
    try:
        # The files are small: read as a whole, a connection that fails is closed at once.
        downloads.fetch(file.name, downloader=pooch.HTTPDownloader(timeout=_TIMEOUT, stream=False))
    except RequestException as e:
        moved = e.response is not None and e.response.status_code in (404, 410)
        advice = f"perhaps it was moved: see {data.home}" if moved else "run the command again"
        raise InputError(f"cannot be fetched ({e}); {advice}", path=file.url) from e
    except ValueError as e:
        problem = f"what came from there does not have the checksum known for it ({file.sha256}); nothing was kept"
        raise InputError(f"{problem}. Perhaps the authors changed it: see {data.home}", path=file.url) from e


def _unpack(archive: Path, members: str, folder: Path) -> None:
    """Unpack the files of an archive whose paths match, all into one folder, or none of them; delete the archive."""
    fresh = folder.with_name(folder.name + ".part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    try:
        with tarfile.open(archive) as packed:
            wanted = [member for member in packed if member.isfile() and fnmatch.fnmatch(member.name, members)]
            for member in wanted:
                packed.extract(member.replace(name=PurePosixPath(member.name).name), fresh, filter="data")
        if not wanted:
            raise InputError(f"there is nothing like {members} in it", path=archive)
        for file in fresh.iterdir():
            file.replace(folder / file.name)
    except (tarfile.TarError, EOFError, zlib.error) as e:
        raise InputError(f"not an archive ({e}); nothing was kept", path=archive) from e
    finally:
        archive.unlink()
        shutil.rmtree(fresh, ignore_errors=True)


def _run(names: Sequence[str], to: Path, *, list: bool) -> None:
    unknown = [name for name in names if name not in SETS]
    if list:
        for data in SETS.values():
            print(f"{data.name}\n  {data.what}\n  licence: {data.licence}\n  {data.home} ({len(data.files)} files)")
    elif not names:
        main.parser.error("which data set? See --list")
    elif unknown:
        main.parser.error(f"no such data set: {', '.join(unknown)}; there are {', '.join(SETS)}")
    else:
        for name in names:
            fetch(SETS[name], to)


main = Command(
    _run,
    Option("names", nargs="*", metavar="NAME", help="data sets, see --list"),
    Option("--to", type=Path, default=Path("data"), metavar="DIR", help="where to (default: data)"),
    Option("--list", action="store_true", help="list the data sets with their licences"),
    shared=(),
    forms=(),
)
