"""The data of the studies, fetched from where their authors publish them.

    python -m experiments.data --list
    python -m experiments.data NAME … [--to DIR]

Each set goes into a folder of its own name. A file appears under its name only when it is whole and what it should be;
until then it is ``NAME.part``, and the next call goes on where the last one was cut off (HTTP Range).

Checksums: of most files the SHA-256 is known and has to agree. Where it is not, the first download writes it into
``checksums.json`` beside the sets, and later downloads have to agree with that; this guards against changes from then
on, not against a first download that went wrong, and the command says so. Proxies are taken from the environment
(``https_proxy``), as everywhere in Python.

None of the data belongs to usim. Each set has the licence that its authors gave it, which is shown before it is
fetched.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import http.client
import json
import shutil
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from experiments.scores import Progress
from usim.errors import InputError, UsimError
from usim.text import written_whole

LOCK = "checksums.json"
_CHUNK = 1 << 16
_TIMEOUT = 60.0
_TRIES = 4
_LONG = 5_000_000  # from how many bytes on it is said how far things are


@dataclass(frozen=True)
class File:
    """A file of a data set.

    Attributes:
        name: what it is called here.
        url: where it is.
        sha256: its checksum, where it is known.
        members: for an archive (``.tar.gz``), which of its files are unpacked into the set's folder, as a pattern of
            their paths; the archive itself is not kept.
    """

    name: str
    url: str
    sha256: str | None = None
    members: str | None = None


@dataclass(frozen=True)
class DataSet:
    """Files that belong together.

    Attributes:
        name: what it is called on the command line.
        what: what it is, in a line.
        licence: the terms of its authors, in their words or, where they say nothing, just that.
        home: the page to look at for more.
        files: what is fetched.
    """

    name: str
    what: str
    licence: str
    home: str
    files: tuple[File, ...]


def _raw(repository: str, version: str, path: str) -> str:
    return f"https://raw.githubusercontent.com/{repository}/{version}/{urllib.parse.quote(path)}"


def _page(repository: str) -> str:
    return f"https://github.com/{repository}"


def _at(repository: str, version: str, path: str, sha256: str | None = None, name: str | None = None) -> File:
    return File(name or PurePosixPath(path).name, _raw(repository, version, path), sha256)


def _archive(repository: str, branch: str, members: str) -> File:
    url = f"{_page(repository)}/archive/refs/heads/{branch}.tar.gz"
    return File(f"{repository.partition('/')[2]}.tar.gz", url, None, members)


_SWS = "microsoft/SmartWordSuggestions"
_SWS_AT = "7f598b451471fed55d8f3afefef5a3c583725c50"
_SWORDS = "p-lambda/swords"
_SWORDS_DATA = "26bd5feda718b2970d9674e0cc0ce2f5d79be520"
_PROLEX = "BillyZhang24kobe/LS_Proficiency"
_TMU = "tmu-nlp/TMU-GFM-Dataset"
_CSMD = "GRAAL-Research/csmd"
_JFLEG = "keisks/jfleg"
_SMT = "grammatical/baselines-emnlp2016"
_SMT_AT = "c4fbcc09b45a46c7c46bdda2ba10484fa16e8f82"
_PILLARS = "grammarly/pillars-of-gec"
_USIM = "borgr/USim"
_USIM_AT = "9e97cb0e108dbcbbe8e854f6482f815e7f590a51"
_UCCA = "UniversalConceptualCognitiveAnnotation"
_JFLEG_DEV = {
    "dev.src": "4a0e8b86d18a1058460ff0a592dac1ba68986d135256efbd27e997ac43f295f8",
    "dev.spellchecked.src": "640be7de18ba338d411d55b6e6db2053db8fa165ba8536b047a6b5381361de97",
    "dev.ref0": "adea6287c6e2240b7777e63cd56f8e228e742bbfb42c5152bc0bd2bc91f4e53e",
    "dev.ref1": "d40d56ec7468ddab03fdcca97065ab3f9d391d749dbc7097b7c777a19ce4242e",
    "dev.ref2": "b070691d633e0c4143d96ba21299ae71cb126086517d2970df47420842067793",
    "dev.ref3": "9187fd834693fa77d07957991282d32d61ff84a207c25cbfab318c871bacdbc4",
}
_SMT_DEV = {
    "dev.dense+cclm.out": "32cdce40a40f3db1bbf16a21f0e34507075afb67faa2e72ce58773f9c3921adb",
    "dev.dense+wikilm.out": "0446c5c6f4ada89f7f30f01ab637592e30102eb3e2e28f75987c32ad408fe0db",
    "dev.sparse+cclm.out": "5af46d15819e24b0b4c08881905520fb49329a41c5b9f437b52248acc3803171",
    "dev.sparse+wikilm.out": "dd06a4285b38185429f5c0dcbde4bd9bfbf8535bbbbb83c20617424804db2c34",
}
_ESSAYS = {
    "amittaic1197": "768bf38b00d0a914aaba6889c4d57d25e9abb7db78c059e5f86205075ae8fcd7",
    "amittaic1198": "5f7cb427cdcc7319be1c678ad55e5cbc885dd1999df414d963fd1d67736eaaec",
    "amittaic1200": "0fa39f7bd0f0ad7f4420358f6f935b1706e5f545c73fb967dc8ebca2797c2cf8",
    "amittaic1203": "1cee83f57cd908ba74a489f7b5101aee191140a6818c3aedc9542d488c789891",
    "amittaic1205": "b10e6b5b769bbc5b08a7de6e4b688a7f5d95e88c3acb2b9707cb80badb7e8e44",
    "amittaic1297": "3a2ab167253fcfa2f8fb85adcb0896f72cbd1bce21048084dd08d2b408033221",
    "amittaic1298": "61fd6b098fd326c2a930300301417a9440b7ce2290bf67dd36c8b8512af64a9f",
    "amittaic1300": "e1e60cac677116c4df281795fc92d6f44a859fc5941e642d26448f7925a18899",
    "amittaic1301": "85a7155b87b88a08cc06474b284174dee6ccaeb14624628ed4d3952433d5ddf9",
    "amittaic1303": "96c53ce67a45567c4f21003780d096cb524ef915af11fc89475f3a4831886c15",
    "amittaic1305": "4bb7dbffc2c77b958a64a56491edf1d6a8f5111835f3cf17aeb44b1b8c47660e",
    "tree1197": "638bf74bbe73f7440529d278fb452185c2b397095bad0768c16a5822dc91bdbc",
    "tree1198": "7fe689fd044878d10469a64ea7c01b2e6c281830008bfbfd8173bd85b1ace611",
    "tree1200": "1cda269d985de37a6f5a808c921bfb7c2d1f932deafd5ed497aabbb07a9686ae",
    "tree1202": "818ddf0ea2c3720f189ef8c84713cc597c93230dc4f643796a102c473a30816c",
    "tree1297": "8bb5f906cd6adca399baf7f4b8ce7dec0dfedf3d68be8583018cc972a3c6ab6f",
    "tree1298": "078152f64437d76cd7757c9436e48ed632d4bacb7c157ec29b122e52f62d1841",
    "tree1300": "9123f77b9742fec924a2b6df6faaa6508c6759772204b95abb8e65519edd0f76",
    "tree1301": "2a83dfbd721c61ca2ce479154a7a93753411046d4ccaa4c9c72039726fa396cf",
    "tree1302": "2dd803022463d5be99ee21b43a9f58ee2740cfab426270dfadfda0f8bdf94dc4",
}

#: The data sets by their names.
SETS: dict[str, DataSet] = {
    made.name: made
    for made in (
        DataSet(
            "usim-annotations",
            "UCCA annotation of learners' essays and their corrections, behind Table 1 of the USim paper",
            "none stated; cite Choshen and Abend (2018)",
            _page(_USIM),
            tuple(_at(_USIM, _USIM_AT, f"annotations/{name}.xml", sha256) for name, sha256 in _ESSAYS.items()),
        ),
        DataSet(
            "jfleg",
            "JFLEG, dev: learners' sentences, four fluent corrections each, and what four SMT systems made of them",
            f"JFLEG: CC BY-NC-SA 4.0; the systems' outputs: see the licence file of {_page(_SMT)}",
            _page(_JFLEG),
            (
                *(_at(_JFLEG, "master", f"dev/{name}", sha256) for name, sha256 in _JFLEG_DEV.items()),
                *(_at(_SMT, _SMT_AT, f"jfleg/{name}", sha256) for name, sha256 in _SMT_DEV.items()),
            ),
        ),
        DataSet(
            "bea-dev",
            "W&I+LOCNESS, dev: learners' sentences with edits typed by ERRANT, as M2",
            "for non-commercial research and education, see the page of the BEA-2019 shared task; fetched from the "
            "repository of a paper that evaluates on it",
            _page(_PILLARS),
            (
                _at(
                    _PILLARS,
                    "main",
                    "data/evaluation_sets/bea-dev.m2",
                    "00585234d767dac4402edfb3f341996ee4d7889eff0be341f8d693c87a90ad34",
                ),
            ),
        ),
        DataSet(
            "tmu-gfm",
            "TMU-GFM: corrections by five systems with human ratings of grammaticality, fluency, meaning preservation",
            "none stated; cite Yoshimura et al. (2020)",
            _page(_TMU),
            (_at(_TMU, "7250c03741582ea51fa9a0f60cdba99b0433e60b", "tmu-gfm-dataset.csv"),),
        ),
        DataSet(
            "csmd",
            "CSMD: simplifications with human ratings of meaning preservation (MeaningBERT)",
            "none stated; cite Beauchemin et al. (2023)",
            _page(_CSMD),
            (
                _at(
                    _CSMD,
                    "main",
                    "dataset/meaning/train.tsv",
                    "1ef1b87a87510f7ea674822f8743d08ff8ad8fcb81ddbbd0ebe847ce363b4539",
                    "csmd-train.tsv",
                ),
                _at(
                    _CSMD,
                    "8a87a2743bf9c87f3911765c805866a0734123a9",
                    "dataset/meaning/dev.tsv",
                    "2f8f358e736a50b3838e49f0a0e0fb4d5d763aa4675e232fff875704f07ef714",
                    "csmd-dev.tsv",
                ),
                _at(_CSMD, "main", "dataset/meaning/test.tsv", None, "csmd-test.tsv"),
            ),
        ),
        DataSet(
            "sws",
            "Smart Word Suggestions: validation and test sentences with annotated targets and substitutes",
            "MIT",
            _page(_SWS),
            (
                _at(
                    _SWS,
                    _SWS_AT,
                    "data/sws/sws_eval.json",
                    "aaea4500127364048e33644f26010fb4be0bcb617efd96485644d0b13f613931",
                ),
                _at(_SWS, _SWS_AT, "data/sws/sws_test.json"),
            ),
        ),
        DataSet(
            "swords",
            "SWORDS 1.1: targets with judged substitutes, and what GPT-3 and Wordtune suggested for those of dev",
            "CC BY 3.0 US",
            _page(_SWORDS),
            (
                _at(
                    _SWORDS,
                    _SWORDS_DATA,
                    "assets/parsed/swords-v1.1_dev.json.gz",
                    "bc3570786455a05f11fcb4fc7f54e117642d5fb5e98f19355028c5c7ee00c954",
                ),
                _at(_SWORDS, _SWORDS_DATA, "assets/parsed/swords-v1.1_test.json.gz"),
                _at(
                    _SWORDS,
                    "87d73a3c22ac6d2de5df73297a9151b47a8ebcaa",
                    "assets/public/raw/methods/gpt3/swords-v0.8_dev-valid_gpt3.out.json.gz",
                    "466f9c21fc103fd10d2845b1e281d93a828e25f78cf99666f4c08190b15da92a",
                ),
                _at(
                    _SWORDS,
                    "8a2d42a713aa082576534ed6d1b117315b7a175a",
                    "assets/public/raw/methods/wordtune/swords-v0.8_dev-valid_wordtuneclues.out.json.gz",
                    "4b99584bf7ceb5dbb8a911499935961f011cbb119f87585f2546d35470a16eac",
                ),
            ),
        ),
        DataSet(
            "prolex",
            "ProLex: substitutes that are acceptable and more proficient; dev, test, training",
            "Apache-2.0",
            _page(_PROLEX),
            (
                _at(
                    _PROLEX,
                    "main",
                    "data/dev/ProLex_v1.0_dev.csv",
                    "fe3490c30a85c9aceaeef2336603a4bdd0dbd8ca96afab1dc98039bef93eac50",
                ),
                _at(_PROLEX, "main", "data/test/ProLex_v1.0_test.csv"),
                _at(
                    _PROLEX,
                    "fa12f4efba918b142a50e47c72595c0903267050",
                    "data/train/synthetic_gpt4.csv",
                    "53ff3b468c99eabfd665bded9635043b0e94494f42b9a5c6d8bb937b5404d909",
                    "ProLex_train_D_L.csv",
                ),
                _at(
                    _PROLEX,
                    "09ae6aa36c84ff5f92fad684cd091bc0faec4618",
                    "data/train/combined_D_LS.csv",
                    "52becbeeee32ea97340171260d588c6c55a70c6c33348d9e1e63df7b7007d0fb",
                    "ProLex_train_D_LS.csv",
                ),
            ),
        ),
        DataSet(
            "ucca-wiki",
            "UCCA English-Wiki: 367 annotated passages of Wikipedia, as XML",
            "CC BY-SA 3.0",
            _page(f"{_UCCA}/UCCA_English-Wiki"),
            (_archive(f"{_UCCA}/UCCA_English-Wiki", "master", "*/xml/*.xml"),),
        ),
        DataSet(
            "ucca-ewt",
            "UCCA English-EWT: annotated web reviews of the English Web Treebank, as XML",
            "see the repository; the texts are those of LDC2012T13",
            _page(f"{_UCCA}/UCCA_English-EWT"),
            (_archive(f"{_UCCA}/UCCA_English-EWT", "master", "*/xml/*.xml"),),
        ),
    )
}


def fetch(
    data: DataSet, to: Path, *, say: Callable[[str], None] = print, tries: int = _TRIES, wait: float = 1.0
) -> list[Path]:
    """Fetch what of a data set is not there yet.

    Args:
        data: which.
        to: the folder in which the set gets its own.
        say: where messages go.
        tries: how often a download that breaks off is taken up again.
        wait: seconds before the second try; each further one waits twice as long.

    Returns:
        the paths of the set's files, or of the folder where an archive was unpacked.

    Raises:
        InputError: a file cannot be had, or is not what it should be. What was fetched before it stays.
    """
    folder = to / data.name
    say(f"{data.name}: {data.what}\n  licence: {data.licence}\n  from {data.home}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_have(data, file, folder, say, tries, wait) for file in data.files]
    except OSError as e:
        raise InputError(e.strerror or str(e), path=folder) from e


def _have(data: DataSet, file: File, folder: Path, say: Callable[[str], None], tries: int, wait: float) -> Path:
    target = folder if file.members else folder / file.name
    lock = _Lock(folder.parent / LOCK)
    recorded = lock.get(data.name, file)
    if file.members:
        if recorded and any(folder.iterdir()):
            say(f"  {file.name}: unpacked already")
            return target
    elif target.exists():
        found = _sha256(target)
        wanted = file.sha256 or recorded
        if wanted and found != wanted:
            other = f"is there, but is not what it should be ({_differ(wanted, found)}); delete it"
            raise InputError(other, path=target)
        if not wanted:
            lock.put(data.name, file, found)
        say(f"  {file.name}: there already")
        return target
    part = folder / (file.name + ".part")
    _download(file, part, data.home, say, tries, wait)
    found = _sha256(part)
    wanted = file.sha256 or recorded
    if wanted and found != wanted:
        part.unlink()
        _etag(part).unlink(missing_ok=True)
        whose = "the checksum known for it" if file.sha256 else f"the one that {LOCK} has from the first download"
        raise InputError(
            f"what came from there does not have {whose} ({_differ(wanted, found)}); nothing was kept. "
            f"Perhaps the authors changed it: see {data.home}",
            path=file.url,
        )
    if file.members:
        try:
            _unpack(part, file.members, folder)
        finally:
            part.unlink()
            _etag(part).unlink(missing_ok=True)
    else:
        part.replace(target)
    _etag(part).unlink(missing_ok=True)
    if not wanted:
        lock.put(data.name, file, found)
        say(f"  {file.name}: no checksum is known for it; {found} was written to {LOCK} for later downloads")
    else:
        say(f"  {file.name}: fetched, checksum as it should be")
    return target


def _differ(wanted: str, found: str) -> str:
    return f"SHA-256 {found[:12]}… instead of {wanted[:12]}…"


def _download(file: File, part: Path, home: str, say: Callable[[str], None], tries: int, wait: float) -> None:
    """Get a file into ``part``, going on with what is there; a connection that breaks off is taken up again."""
    for attempt in range(1, tries + 1):
        try:
            _get(file, part)
            return
        except urllib.error.HTTPError as e:
            e.close()
            if e.code == 416:  # there is nothing beyond what we have: it is whole, or another file's
                if file.sha256 and _sha256(part) == file.sha256:
                    return
                part.unlink(missing_ok=True)
                problem = "what was there of it does not fit"
            elif e.code < 500 and e.code != 429:
                moved = f"; perhaps it was moved: see {home}" if e.code in (404, 410) else ""
                raise InputError(f"the server says {e.code} {e.reason}{moved}", path=file.url) from e
            else:
                problem = f"the server says {e.code} {e.reason}"
        except (OSError, http.client.HTTPException) as e:
            reason = getattr(e, "reason", None)
            problem = str(reason or e) or type(e).__name__
        if attempt < tries:
            say(f"  {file.name}: {problem}; trying again")
            time.sleep(wait * 2 ** (attempt - 1))
    raise InputError(f"cannot be fetched ({problem}); run the command again to go on where it stopped", path=file.url)


def _get(file: File, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    tag = _etag(part).read_text(encoding="utf-8") if _etag(part).exists() else ""
    request = urllib.request.Request(file.url, headers={"User-Agent": "usim", "Accept-Encoding": "identity"})
    # Without a checksum or a tag nobody could tell whether both halves are of the same file.
    if have and (file.sha256 or tag):
        request.add_header("Range", f"bytes={have}-")
        if tag:
            request.add_header("If-Range", tag)
    # An opener of its own takes the proxies that the environment has now.
    with urllib.request.build_opener().open(request, timeout=_TIMEOUT) as answer:
        begin = _begin(answer) if answer.status == 206 else 0
        if begin not in (0, have):
            raise OSError("the server sent another part than was asked for")
        length = answer.headers.get("Content-Length")
        new = answer.headers.get("ETag") or ""
        if new and not new.startswith("W/"):  # a weak tag does not promise the same bytes
            _etag(part).write_text(new, encoding="utf-8")
        elif not begin:
            _etag(part).unlink(missing_ok=True)
        got, whole = 0, int(length or 0)
        progress = Progress(whole, f"bytes of {file.name}", shown=whole > _LONG)
        with open(part, "ab" if begin else "wb") as out, progress:
            while chunk := answer.read(_CHUNK):
                out.write(chunk)
                got += len(chunk)
                progress.advance(len(chunk))
        if got < whole:
            raise OSError(f"the connection broke off after {begin + got} of {begin + whole} bytes")


def _begin(answer: Any) -> int:
    """Where the part begins that the server sent (RFC 9110, 14.4)."""
    span = str(answer.headers.get("Content-Range") or "").removeprefix("bytes ").partition("-")[0]
    return int(span) if span.isdigit() else -1


def _etag(part: Path) -> Path:
    return part.with_name(part.name + ".etag")


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack(archive: Path, members: str, folder: Path) -> None:
    """The files of an archive whose paths match, all into one folder, or none of them."""
    fresh = folder.with_name(folder.name + ".part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    try:
        with tarfile.open(archive) as packed:
            for member in packed:
                if not member.isfile() or not fnmatch.fnmatch(member.name, members):
                    continue
                if content := packed.extractfile(member):
                    with content, open(fresh / PurePosixPath(member.name).name, "wb") as out:
                        shutil.copyfileobj(content, out)
        if not any(fresh.iterdir()):
            raise InputError(f"there is nothing like {members} in it", path=archive)
        for file in fresh.iterdir():
            file.replace(folder / file.name)
    except (tarfile.TarError, EOFError, zlib.error) as e:
        raise InputError(f"not an archive ({e}); nothing was kept", path=archive) from e
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


class _Lock:
    """The checksums of first downloads, in a file beside the data sets."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, dict[str, str]] = {}
        if path.exists():
            try:
                self._known = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as e:
                raise InputError(f"not JSON ({e}); repair or delete it", path=path) from e

    def get(self, name: str, file: File) -> str | None:
        """The checksum of a file, if it was fetched from the same place before."""
        return self._known.get(name, {}).get(file.url)

    def put(self, name: str, file: File, sha256: str) -> None:
        """Write a checksum down."""
        self._known.setdefault(name, {})[file.url] = sha256
        with written_whole(self._path) as out:
            out.write(json.dumps(self._known, indent=2, sort_keys=True) + "\n")


def listed() -> str:
    """All data sets, what they are, and their licences."""
    return "\n".join(
        f"{data.name}\n  {data.what}\n  licence: {data.licence}\n  {data.home} ({len(data.files)} files)"
        for data in SETS.values()
    )


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for what cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m experiments.data", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets, see --list")
    parser.add_argument("--to", type=Path, default=Path("data"), metavar="DIR", help="where to (default: data)")
    parser.add_argument("--list", action="store_true", help="say what there is, and under which licence")
    given = parser.parse_args(arguments)
    if given.list:
        print(listed())
        return 0
    if not given.names:
        parser.error("which data set? See --list")
    unknown = [name for name in given.names if name not in SETS]
    if unknown:
        parser.error(f"no such data set: {', '.join(unknown)}; there are {', '.join(SETS)}")
    try:
        for name in given.names:
            fetch(SETS[name], given.to)
    except UsimError as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
