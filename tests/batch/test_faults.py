"""What must not go wrong: inputs overwritten, damage believed, processes left behind."""

from __future__ import annotations

import gzip
import signal
import time
from pathlib import Path
from unittest import mock

import pytest

from tests.batch.common import (
    PLAIN,
    beside,
    check_whole,
    chunks_done,
    interrupt,
    pairs,
    wait_for,
    with_bad,
    write,
)
from tests.batch.job import start_job
from tests.batch.slow_parser import WordParser
from tests.command import usim_here
from tests.processes import descendants, is_running, wait_until
from usim.batch import Task, run
from usim.errors import InputError

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """57 pairs, some of them bad."""
    return write(tmp_path / "pairs.jsonl", with_bad(pairs(57)))


# -- no output is an input, or another output ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pairs.jsonl", "hard link", "symbolic link", "sub/../pairs.jsonl"])
def test_no_output_is_the_input(file: Path, name: str) -> None:
    before = file.read_bytes()
    file.with_name("hard link").hardlink_to(file)
    file.with_name("symbolic link").symlink_to(file)
    file.with_name("sub").mkdir()
    present = sorted(file.parent.iterdir())
    with pytest.raises(InputError, match="overwrite an input"):
        run(file, file.parent / name, PLAIN)
    assert file.read_bytes() == before
    assert sorted(file.parent.iterdir()) == present


@pytest.mark.parametrize("ending", [".partial", ".errors.jsonl"])
def test_no_file_of_a_job_under_way_is_the_input(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"out{ending}", pairs(3))
    before = path.read_bytes()
    with pytest.raises(InputError, match="overwrite an input"):
        run(path, tmp_path / "out", PLAIN, format="jsonl")
    assert path.read_bytes() == before


def test_a_file_of_the_user_is_not_taken_for_that_of_a_job(file: Path) -> None:
    mine = file.with_name("out.jsonl.partial")
    mine.write_text("my own work\n")
    before = mine.read_bytes()
    with pytest.raises(InputError, match=r"journal of usim batch.*name another file"):
        run(file, file.with_name("out.jsonl"), PLAIN)
    assert mine.read_bytes() == before
    assert sorted(p.name for p in file.parent.iterdir()) == [mine.name, file.name]


# -- what stands beside the output is damaged ------------------------------------------------------------------------


def test_a_chunk_that_was_cut_off_or_damaged_is_done_again_with_all_that_follow(file: Path) -> None:
    out = file.with_name("out.jsonl")
    partial = interrupt(file, out, 30, chunk=10)
    content = partial.read_bytes()
    head, first, second, third = content.splitlines(keepends=True)
    for damaged, before in (
        (head + first + second[:200], 10),
        (content[:-1], 20),
        (head + first + second.replace(b'"counts":{', b'"counts":5{') + third, 10),
        (head + first + bytes(len(second)) + third, 10),
    ):
        partial.write_bytes(damaged)
        assert run(file, out, PLAIN, chunk=10).before == before
        check_whole(out, file, chunk=10)
        assert beside(out) == ["out.jsonl.errors.jsonl"]


def test_damaged_settings_are_not_taken_for_the_same(file: Path) -> None:
    out = file.with_name("out.jsonl")
    partial = interrupt(file, out, 30, chunk=10)
    partial.write_bytes(partial.read_bytes().replace(b'"task": "score"', b'"task": score', 1))
    with pytest.raises(InputError, match=r"other settings has begun this output.*delete this file"):
        run(file, out, PLAIN, chunk=10)
    partial.unlink()
    assert run(file, out, PLAIN, chunk=10).before == 0
    check_whole(out, file, chunk=10)


# -- bounds ----------------------------------------------------------------------------------------------------------


def test_a_text_in_parquet_that_is_not_utf8_ends_the_reading(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = pa.array([b"a", b"caf\xe9", b"b"]).view(pa.string())
    pq.write_table(pa.table({"source": texts, "output": texts}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="cannot be read as Parquet from row 1 on"):
        run(tmp_path / "a.parquet", tmp_path / "out.jsonl", PLAIN)


def test_a_file_that_is_cut_ends_the_job_and_keeps_what_is_done(tmp_path: Path) -> None:
    path, out = tmp_path / "a.jsonl.gz", tmp_path / "out.jsonl"
    record = b'{"source": "a b", "output": "a"}\n'
    path.write_bytes(gzip.compress(record * 3) + gzip.compress(record * 3)[:-4])
    with mock.patch("usim.options.load", return_value=WordParser()):
        done = usim_here("batch", path, "-o", out, "--judge", "usim", "--chunk", "2")
    assert done.returncode == 2
    assert "the file is damaged" in done.stderr
    assert chunks_done(out) >= 1


def test_other_archives_are_to_be_unpacked_first(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    with pytest.raises(InputError, match="packed otherwise than by gzip; unpack it first"):
        run(path, tmp_path / "out.jsonl", PLAIN)


# -- processes -------------------------------------------------------------------------------------------------------


def shared_memory() -> set[str]:
    return {path.name for path in Path("/dev/shm").iterdir()}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("wait", [0.0, 0.5])
def test_workers_end_with_a_parent_that_is_killed_while_they_start(tmp_path: Path, wait: float) -> None:
    path = write(tmp_path / "a.jsonl", pairs(600))
    left_before = shared_memory()
    process = start_job(path, tmp_path / "out", delay=0.01, chunk=10, jobs=2)
    assert wait_until(lambda: len(descendants(process.pid)) >= 2, 60)
    time.sleep(wait)
    started = descendants(process.pid)
    process.kill()
    process.communicate()
    assert wait_until(lambda: not any(map(is_running, started)), 30)
    wait_until(lambda: shared_memory() <= left_before, 5)
    assert not {name for name in shared_memory() - left_before if "loky" in name or "joblib" in name or "mp-" in name}


def test_a_killed_job_holds_nobody_up_and_loses_what_was_in_hand_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(600)))
    out, log = tmp_path / "out.jsonl", tmp_path / "log"
    process = start_job(path, out, delay=0.004, log=log, chunk=10, jobs=1)
    wait_for(out, 2)
    with pytest.raises(InputError, match="another usim batch"):
        run(path, out, PLAIN, chunk=10)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not out.exists()
    assert run(path, out, Task(parser=WordParser(log=str(log)), judge="usim"), chunk=10).before >= 10
    assert beside(out) == ["out.jsonl.errors.jsonl"]
    check_whole(out, path, chunk=10)
    at_once = tmp_path / "at once"
    run(path, tmp_path / "again.jsonl", Task(parser=WordParser(log=str(at_once)), judge="usim"), chunk=10)
    parsed, least = (len(file.read_text().splitlines()) for file in (log, at_once))
    assert parsed - least <= 40  # two chunks
