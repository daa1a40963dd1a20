"""Documents that differ between revisions of made repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.repository import commit, git, write
from tests.documents.word import p, word_file
from usim.documents import ChangedFile, changed_files
from usim.errors import InputError

LONG = "The first line says where we are.\n\nThe second one says when.\n\nThe third one says how.\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    commit(folder, {"README.md": "One.\n", "docs/a b é.txt": "Two.\n", "code.py": "x = 1\n", "same.rst": "Three.\n"})
    monkeypatch.chdir(folder)
    return folder


def read(revisions: str, *paths: str) -> list[tuple[str, str | None, str | None]]:
    """The names of files that differ, and their texts before and after."""
    files = []
    for each in changed_files(revisions, paths):
        assert isinstance(each, ChangedFile), each
        files.append((each.name, each.before and each.before.text, each.after and each.after.text))
    return files


def test_the_working_tree_and_two_revisions(repository: Path) -> None:
    assert read("HEAD") == []
    write(repository, {"README.md": "One or two.\n", "code.py": "x = 2\n", "docs/a b é.txt": "Four.\n"})
    here = [("README.md", "One.\n", "One or two.\n"), ("docs/a b é.txt", "Two.\n", "Four.\n")]
    assert read("HEAD") == here
    git(repository, "add", "README.md")  # what is staged, as for a pre-commit hook
    assert read("HEAD") == here
    commit(repository, {})
    assert read("HEAD") == []
    assert read("HEAD^..HEAD") == read("HEAD^..") == read("HEAD^") == here
    assert read("HEAD..HEAD^")[0] == ("README.md", "One or two.\n", "One.\n")


def test_three_dots_leave_out_what_the_other_side_changed(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "mine")
    commit(repository, {"same.rst": "Mine.\n"})
    git(repository, "checkout", "-q", "main")
    commit(repository, {"README.md": "Theirs.\n"})
    assert [name for name, *_ in read("main..mine")] == ["README.md", "same.rst"]
    assert [name for name, *_ in read("main...mine")] == ["same.rst"]


def test_paths_are_those_of_the_current_folder(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository, {"README.md": "1.\n", "docs/a b é.txt": "2.\n"})
    assert [name for name, *_ in read("HEAD", "docs")] == ["docs/a b é.txt"]
    monkeypatch.chdir(repository / "docs")
    assert [name for name, *_ in read("HEAD", ".")] == ["docs/a b é.txt"]
    assert [name for name, *_ in read("HEAD", "../README.md")] == ["README.md"]
    for path in ("none.md", "/etc"):
        with pytest.raises(InputError, match="no such file or folder in this repository"):
            read("HEAD", path)


def test_renames_new_and_deleted_files(repository: Path) -> None:
    commit(repository, {"old.md": LONG})
    commit(repository, {"old.md": None, "new.md": LONG + "More.\n", "fresh.txt": "New.\n", "same.rst": None})
    files = {each.name: each for each in changed_files("HEAD^") if isinstance(each, ChangedFile)}
    assert {name: (each.old, each.before is None, each.after is None) for name, each in files.items()} == {
        "new.md": ("old.md", False, False), "fresh.txt": ("fresh.txt", True, False), "same.rst": ("same.rst", False, True),
    }  # fmt: skip
    assert [name for name, *_ in read("HEAD^", "new.md")] == ["new.md"]  # found though the old name was not given


def test_a_document_that_moved_and_was_reworded_is_a_renamed_one(repository: Path) -> None:
    commit(repository, {"old.md": LONG})
    reworded = LONG.replace("first line says", "line at the top tells").replace("third one says", "last line tells")
    commit(repository, {"old.md": None, "new.md": reworded})
    assert read("HEAD^") == [("new.md", LONG, reworded)]


GUIDE = "Pelican needs at least {} of memory.\n\nSet the timeout to {}.\n\nBack up the database {} you upgrade.\n"


def test_a_document_that_moved_and_was_rewritten_line_by_line_is_a_renamed_one(repository: Path) -> None:
    old, new = GUIDE.format("4 GB", "30 seconds", "before"), GUIDE.format("8 GB", "300 seconds", "after")
    other = "A mail server stores messages.\n\nThis page says how to read them.\n"
    commit(repository, {"install.md": old})
    write(repository, {"install.md": None, "installation.md": new, "a.md": other, "b.txt": old, "c.docx": b"no Word"})
    rows = [each for each in changed_files("HEAD") if isinstance(each, ChangedFile)]
    assert [(each.name, each.old) for each in rows if not each.note] == [("installation.md", "install.md")]
    notes = {each.name: each.note for each in rows if each.note}
    assert notes == dict.fromkeys(("a.md", "b.txt", "c.docx"), "git does not track it; git add makes it a new file")
    git(repository, "rm", "-q", "--cached", "install.md")
    git(repository, "add", "installation.md", "a.md")
    assert read("HEAD", "installation.md") == [("installation.md", old, new)]
    assert read("HEAD", "a.md") == [("a.md", None, other)]
    git(repository, "commit", "-qm", "moved")
    assert read("HEAD^..") == [("a.md", None, other), ("installation.md", old, new)]


def test_one_bad_file_never_costs_the_others(repository: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    write(repository, {"README.md": "1.\n", "a.txt": b"\0\1\2" * 9, "b.docx": pointer, "c.docx": b"no Word"})
    git(repository, "add", "-A")
    errors = {e.path: e.message for e in changed_files("HEAD") if isinstance(e, InputError)}
    assert errors.keys() == {"a.txt", "b.docx", "c.docx"}
    assert "Git LFS" in errors["b.docx"]
    assert "not a Word file" in errors["c.docx"]
    assert [e.name for e in changed_files("HEAD") if isinstance(e, ChangedFile)] == ["README.md"]


def test_line_ends_are_no_change(repository: Path) -> None:
    commit(repository, {"README.md": "One.\r\n"})
    assert read("HEAD^") == [("README.md", "One.\n", "One.\n")]


def test_word_files(repository: Path) -> None:
    commit(repository, {"a.docx": word_file(repository / "a.docx", p("Before.")).read_bytes()})
    word_file(repository / "a.docx", p("After."))
    assert read("HEAD") == [("a.docx", "Before.", "After.")]


def test_submodules_links_and_conflicts_have_notes(repository: Path, tmp_path: Path) -> None:
    commit(tmp_path / "other", {"x.md": "X.\n"})
    git(repository, "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(tmp_path / "other"), "sub")
    (repository / "link.md").symlink_to("README.md")
    git(repository, "add", "-A")
    notes = {each.name: each.note for each in changed_files("HEAD") if isinstance(each, ChangedFile)}
    assert notes == {"sub": "a submodule; compare it in its own repository", "link.md": "a symbolic link"}
    git(repository, "commit", "-qm", "both")
    git(repository, "checkout", "-q", "-b", "mine", "HEAD^")
    commit(repository, {"README.md": "Mine.\n"})
    git(repository, "checkout", "-q", "main")
    commit(repository, {"README.md": "Theirs.\n"})
    with pytest.raises(Exception, match="git"):
        git(repository, "merge", "mine")
    notes = {each.name: each.note for each in changed_files("HEAD") if isinstance(each, ChangedFile)}
    assert notes == {"README.md": "a merge is not finished; resolve its conflicts"}


def test_what_git_cannot_do_is_said(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for revision in ("none", "--output=x", "HEAD^", "HEAD:README.md"):
        with pytest.raises(InputError, match="no such revision; git log names them"):
            list(changed_files(revision))
    commit(repository, {"README.md": "2.\n"})
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    with pytest.raises(InputError, match=r"this clone is shallow: fetch more of it \(git fetch --unshallow"):
        list(changed_files("HEAD^"))
    (tmp_path / "none").mkdir()
    git(tmp_path / "none", "init", "-q")
    monkeypatch.chdir(tmp_path / "none")
    write(tmp_path / "none", {"first.md": "One.\n"})
    git(tmp_path / "none", "add", "first.md")
    assert read("HEAD") == [("first.md", None, "One.\n")]
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    with pytest.raises(InputError, match="not in a git repository"):
        list(changed_files("HEAD"))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="git is not installed"):
        list(changed_files("HEAD"))
