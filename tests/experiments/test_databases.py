"""Files of SQLite that are not what they should be: they are refused, and left as they are."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.common import databases
from experiments.common.databases import LARGEST_ROW, Store
from usim.errors import InputError

#: What opens a file of each kind, the name of its table, and what errors call it.
KINDS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "values": (lambda path: Store(path, 7, "store of values"), "kept", "store of values"),
}
#: What makes a program of a file, which may never come to its end.
PROGRAMS = (
    "DROP TABLE {0}; CREATE VIEW {0} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    " SELECT i AS number, i AS key, i AS value FROM n",
    "CREATE TRIGGER t AFTER INSERT ON {0} BEGIN DELETE FROM {0}; END",
    "DROP TABLE {0}; CREATE TABLE {0} (key BLOB NOT NULL UNIQUE, value BLOB CHECK (length(hex(zeroblob(9))) > 0))",
    "CREATE INDEX x ON {0} (length(hex(zeroblob(100000000))))",
)


def run_sql(path: Path, program: str) -> None:
    with sqlite3.connect(path) as file:
        file.executescript(program)
    file.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_file_that_is_a_program_is_refused(kind: str, program: str, tmp_path: Path) -> None:
    opened, table, name = KINDS[kind]
    opened(tmp_path / "file")
    run_sql(tmp_path / "file", program.format(table))
    with pytest.raises(InputError, match=f"an SQLite file, but no {name}; name another file"):
        opened(tmp_path / "file")


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_the_user_is_refused_and_left(kind: str, tmp_path: Path) -> None:
    opened, _, name = KINDS[kind]
    text, database = tmp_path / "text", tmp_path / "database"
    text.write_text("not a database, but something of mine " * 50)
    run_sql(database, "CREATE TABLE mine (x)")
    before = database.read_bytes()
    with pytest.raises(InputError, match=f"an SQLite file, but no {name}"):
        opened(database)
    for path in (text, tmp_path / "nowhere" / "file"):
        with pytest.raises(InputError, match=f"not usable as a {name}"):
            opened(path)
    assert database.read_bytes() == before
    assert text.read_text() == "not a database, but something of mine " * 50


def test_a_row_that_is_too_large_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "file", 1, "store")
    store.put({bytes([k]): bytes(1000) for k in range(100)} | {b"large": bytes(LARGEST_ROW)})
    keys = [bytes([k]) for k in range(100)]
    assert store.get([*keys, b"large"]).keys() == set(keys)
    monkeypatch.setattr(databases, "_LARGEST_ANSWER", 10_000)
    assert len(store.get(keys)) == 9  # each with its checksum
    store.close()


def test_a_file_of_somebody_else_is_never_to_be_deleted(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("something of mine " * 100)
    for opened, _, _ in KINDS.values():
        with pytest.raises(InputError, match="name another file") as told:
            opened(path)
        assert "delete" not in str(told.value)
