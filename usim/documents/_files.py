"""Documents in files, plain text, Markdown or Word; and those of a git repository that differ between two revisions."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

from usim.documents._cut import MAX_CHARACTERS, cut_text
from usim.documents._word import Document, read_word
from usim.errors import InputError
from usim.text.files import Path as AnyPath
from usim.text.files import read_text

_MARKDOWN = (".md", ".markdown")
#: The endings of names of documents.
ENDINGS = (*_MARKDOWN, ".rst", ".txt", ".docx")
_SUBMODULE, _LINK = "160000", "120000"
#: A document that moved and was reworded has few lines of its own left.
_RENAMED = "-M30%"
#: Of the neighbouring words of both files; of files on one subject less than .15 are common.
_REWRITTEN = 0.3
_POINTER = b"version https://git-lfs"
#: In so many bytes git looks for a zero, too, which no text has.
_LOOKED_AT = 8000
#: Nothing is fetched, and messages come in one language.
_ENVIRONMENT = {"LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def read_document(path: AnyPath, data: bytes | None = None) -> Document:
    """Read a file by the ending of its name: Markdown (``.md``, ``.markdown``), Word (``.docx``); others are UTF-8.

    Of a Word file the text is read that a reader sees, with the insertions and without the deletions of a document
    that is under review: paragraphs and tables with their numbers, boxes, formulas; notes after the paragraph that
    names them, headers first and footers last.

    Args:
        path: the file; ``-`` is standard input.
        data: its content, if it has been read already.

    Raises:
        InputError: the file cannot be read, is too large, or is no Word file.
    """
    name = os.fspath(path)
    if name.lower().endswith(".docx"):
        return read_word(name if data is None else io.BytesIO(data), name)
    text = read_text(path, data=data, limit=4 * MAX_CHARACTERS + 3)
    return Document(text.replace("\r\n", "\n"), name.lower().endswith(_MARKDOWN))


class ChangedFile(NamedTuple):
    """A document that differs between two revisions.

    Attributes:
        name: its path from the top of the repository; of a deleted one its old path.
        old: its path before, another one if it was renamed.
        before, after: both versions; None where there is none.
        note: why it cannot be compared, such as ``a submodule``.
    """

    name: str
    old: str
    before: Document | None = None
    after: Document | None = None
    note: str = ""


def changed_files(revisions: str, paths: Sequence[str] = ()) -> Iterator[ChangedFile | InputError]:
    """Yield the documents that differ, in the order of their names; an error for each that cannot be read.

    Args:
        revisions: a revision, to which the working tree is compared; ``A..B`` for two of them; ``A...B`` for the second
            one and the last that it has in common with the first.
        paths: files and folders to look at, from the current folder; by default all.

    Raises:
        InputError: there is no git, no repository, no such revision or no such path.
    """
    top = Path(_git(".", "rev-parse", "--show-toplevel", what="not in a git repository").strip())
    first, dots, last = revisions.partition("..")
    base = _commit(top, first or "HEAD")
    tip = _commit(top, last.removeprefix(".") or "HEAD") if dots else None
    if tip and last.startswith("."):
        problem = f"{revisions}: nothing in common; a shallow clone needs more"
        base = _git(top, "merge-base", base, tip, what=problem).strip()
    entries = _git(
        top, "diff", "--raw", "-z", _RENAMED, "--no-abbrev", "--no-ext-diff", base, *([tip] if tip else []), "--",
        what="git diff failed",
    ).split("\0")  # fmt: skip
    wanted = [os.path.relpath(os.path.realpath(path), top.resolve()) for path in paths]
    changes = list(_parsed(entries))
    changes += [] if tip else _untracked(top)
    changes = _with_rewritten(top, changes, is_tree=tip is None)
    unmerged = "" if tip else _git(top, "ls-files", "--unmerged", "-z", what="git ls-files failed")
    conflicts = {line.partition("\t")[2] for line in unmerged.split("\0")}
    for path, own in zip(paths, wanted, strict=True):
        if own.startswith("..") or not (os.path.exists(path) or any(_is_in(own, change) for change in changes)):
            raise InputError("no such file or folder in this repository", path=path)
    for change in sorted(changes, key=lambda each: each.name):
        is_wanted = not paths or any(_is_in(own, change) for own in wanted)
        if is_wanted and (change.name.lower().endswith(ENDINGS) or change.new_mode == _SUBMODULE):
            try:
                if change.name in conflicts:
                    yield ChangedFile(change.name, change.old, note="a merge is not finished; resolve its conflicts")
                else:
                    yield _read(top, change, is_tree=tip is None)
            except InputError as e:
                yield InputError(e.message, path=change.name, line=e.line)


class _Entry(NamedTuple):
    name: str
    old: str
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    status: str


def _is_in(path: str, change: _Entry) -> bool:
    return path == "." or any(name == path or name.startswith(path + os.sep) for name in (change.name, change.old))


def _parsed(entries: Sequence[str]) -> Iterator[_Entry]:
    """Yield the changes of ``git diff --raw -z``."""
    parts = iter(entries)
    for part in parts:
        if part:
            old_mode, new_mode, old_blob, new_blob, status = part[1:].split()
            old = next(parts)
            name = next(parts) if status[0] in "RC" else old
            if old.lower().endswith(ENDINGS) and not name.lower().endswith(ENDINGS):
                name, status = old, "D"  # no document any more
            yield _Entry(name, old, old_mode, new_mode, old_blob, new_blob, status[0])


def _untracked(top: Path) -> Iterator[_Entry]:
    for name in _git(top, "ls-files", "--others", "--exclude-standard", "-z", what="git ls-files failed").split("\0"):
        if name:
            yield _Entry(name, name, "", _LINK if (top / name).is_symlink() else "", "", "", "?")


def _with_rewritten(top: Path, changes: Sequence[_Entry], *, is_tree: bool) -> list[_Entry]:
    """Join a deleted and a new document that have many words in common: one that moved and was rewritten."""
    files = (each for each in changes if not {_LINK, _SUBMODULE} & {each.old_mode, each.new_mode})
    texts = [each for each in files if each.name.lower().endswith(ENDINGS)]
    deleted, new = ([each for each in texts if each.status in letters] for letters in ("D", "A?"))
    kinds = {_kind(each) for each in deleted} & {_kind(each) for each in new}
    pairs = {each: _word_pairs(top, each, is_tree=is_tree) for each in (*deleted, *new) if _kind(each) in kinds}

    def alike(before: _Entry, after: _Entry) -> float:
        both = len(pairs[before]) + len(pairs[after])
        return 2 * len(pairs[before] & pairs[after]) / both if both else 0.0

    candidates = [(alike(*pair), *pair) for pair in product(deleted, new) if _kind(pair[0]) == _kind(pair[1]) in kinds]
    joined: dict[_Entry, _Entry | None] = {}
    for share, before, after in sorted(candidates, reverse=True):
        if share >= _REWRITTEN and before not in joined and after not in joined:
            joined[before] = None
            joined[after] = before._replace(
                name=after.name, new_mode=after.new_mode, new_blob=after.new_blob, status="R"
            )
    return [entry for each in changes if (entry := joined.get(each, each))]


def _kind(change: _Entry) -> str:
    return Path(change.name.lower()).suffix


def _word_pairs(top: Path, change: _Entry, *, is_tree: bool) -> set[tuple[str, str]]:
    """Return the neighbouring words of a new or deleted document; none of one that cannot be read."""
    try:
        file = _read(top, change._replace(status="A" if change.status == "?" else change.status), is_tree=is_tree)
    except InputError:
        return set()
    document = file.before or file.after
    keys = cut_text(document.text, is_markdown=document.is_markdown).keys if document else ()
    return {pair for key in keys for pair in pairwise(key.lower().split())}


def _read(top: Path, change: _Entry, *, is_tree: bool) -> ChangedFile:
    modes = {change.old_mode, change.new_mode}
    note = "a submodule; compare it in its own repository" if _SUBMODULE in modes else ""
    note = "a symbolic link" if _LINK in modes else note
    note = "git does not track it; git add makes it a new file" if change.status == "?" else note
    if note:
        return ChangedFile(change.name, change.old, note=note)
    before = after = None
    if change.status != "A":
        before = _document(change.old, _blob(top, change.old_blob))
    if change.status != "D":
        after = _document(change.name, (top / change.name).read_bytes() if is_tree else _blob(top, change.new_blob))
    return ChangedFile(change.name, change.old, before, after)


def _document(name: str, data: bytes) -> Document:
    if data.startswith(_POINTER):
        raise InputError("a pointer of Git LFS; fetch the file itself (git lfs pull)")
    if not name.lower().endswith(".docx") and b"\0" in data[:_LOOKED_AT]:
        raise InputError("a binary file and no text")
    return read_document(name, data)


def _commit(top: Path, revision: str) -> str:
    """Return the name of a commit; before the first one ``HEAD`` is a tree without files."""
    try:
        name = f"{revision}^{{commit}}"
        return _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", name, what="").strip()
    except InputError:
        if revision == "HEAD":
            return _git(top, "hash-object", "-t", "tree", os.devnull, what="git hash-object failed").strip()
        if _git(top, "rev-parse", "--is-shallow-repository", what="").strip() == "true":
            hint = "; this clone is shallow: fetch more of it (git fetch --unshallow, fetch-depth of actions/checkout)"
        else:
            hint = "; git log names them"
        raise InputError(f"no such revision{hint}", text=revision) from None


def _git(folder: Path | str, *arguments: str, what: str) -> str:
    return os.fsdecode(_output(folder, arguments, what))


def _blob(top: Path, name: str) -> bytes:
    return _output(top, ("cat-file", "blob", name), "its content is not in this clone; fetch it")


def _output(folder: Path | str, arguments: Sequence[str], what: str) -> bytes:
    """Return what git prints; its own message is added to an error."""
    git = shutil.which("git")
    if git is None:
        raise InputError("git is not installed, and --git needs it")
    done = subprocess.run([git, *arguments], cwd=folder, capture_output=True, env={**os.environ, **_ENVIRONMENT})
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise InputError(f"{what} ({said[0]})" if said else what)
    return done.stdout
