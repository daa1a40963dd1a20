"""Scoring and screening at scale, through the Python API.

A light parser stands for the model (``tests.batch.slow_parser``); kills, full files and damage are real.
"""

from __future__ import annotations

import gzip
import json
import resource
from pathlib import Path
from unittest import mock

import pytest

from tests.batch.common import (
    PLAIN,
    Stopped,
    beside,
    check_whole,
    errors_of,
    interrupt,
    lines,
    pairs,
    with_bad,
    write,
)
from tests.batch.slow_parser import WordParser
from usim import Scorer
from usim.batch import Summary, Task, run
from usim.errors import InputError, OptionError
from usim.judge import Result
from usim.records.results import read_results


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """57 pairs, in chunks of 10 in these tests."""
    return write(tmp_path / "pairs.jsonl", pairs(57))


def test_a_record_comes_out_with_its_fields_and_its_scores(file: Path) -> None:
    out = file.with_name("out.jsonl")
    summary = run(file, out, PLAIN, chunk=10)
    assert (summary.records, summary.errors, summary.before) == (57, 0, 0)
    assert summary.signature.startswith("usim|parser:words-1|")
    results = Scorer(options=PLAIN).score_pairs((record["source"], record["output"]) for record in pairs(57))
    for number, (record, result, line) in enumerate(zip(pairs(57), results, lines(out), strict=True), 1):
        expected = {"id": record["id"], "by": record["by"], "line": number, **result.to_dict()}
        assert line == expected
        assert list(line) == list(expected)
    assert beside(out) == []


def test_packed_or_in_a_table_the_records_are_the_same(tmp_path: Path, file: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [{"id": r["id"], "source": r["source"], "output": r["output"]} for r in pairs(57)]
    plain = write(tmp_path / "a.jsonl", records).read_bytes()
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(plain))
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "d.parquet", row_group_size=20)
    (tmp_path / "e.tsv").write_text("id\tsource\toutput\n" + "".join("\t".join(r.values()) + "\n" for r in records))
    for path in list(tmp_path.glob("?.*")):
        run(path, tmp_path / f"{path.name[0]}-out", PLAIN, chunk=10)
    expected = (tmp_path / "a-out").read_bytes()
    assert (tmp_path / "b-out").read_bytes() == expected
    assert (tmp_path / "d-out").read_bytes() == expected
    rows = lines(tmp_path / "e-out")
    assert [{**row, "line": row["line"] - 1} for row in rows] == lines(tmp_path / "a-out")
    assert len(rows) == 57
    run(tmp_path / "a.jsonl", tmp_path / "out.jsonl.gz", PLAIN, chunk=10)
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == expected


def test_the_output_may_be_parquet(tmp_path: Path, file: Path) -> None:
    import pyarrow.parquet as pq

    file.write_text(file.read_text() + '{"source": "A b", "output": "A b", "id": 7, "n": 1.5}\n')
    expected, out = tmp_path / "out.jsonl", tmp_path / "out.parquet"
    run(file, expected, PLAIN, chunk=10)
    with mock.patch("usim.batch._job.Journal.finish", side_effect=Stopped), pytest.raises(Stopped):
        run(file, out, PLAIN, chunk=10)
    assert not out.exists()
    assert run(file, out, PLAIN, chunk=10).records == 58
    assert beside(out) == []
    rows = pq.read_table(out).to_pylist()
    nested = ("usim", "by", "findings", "ledger", "cause")
    for row, line in zip(rows, lines(expected), strict=True):
        whole = row | {name: json.loads(row[name]) for name in nested if row[name] is not None}
        whole["id"] = json.loads(whole["id"]) if whole["id"] == "7" else whole["id"]
        assert {name: whole[name] for name in line} == line
    (score, *_) = read_results(out)
    assert isinstance(score, Result)
    assert score.score == rows[0]["score"]


def test_a_glob_is_one_input(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, seed in (("b.jsonl", 2), ("a.jsonl", 1)):
        write(tmp_path / "in" / name, pairs(7, seed))
    (tmp_path / "in" / "c.tsv").write_text("source\toutput\none two\tone\nnot a pair\n")
    out = tmp_path / "in" / "out.jsonl"  # which is no input, in spite of its place
    for _ in range(2):
        summary = run(tmp_path / "in" / "*", out, Task(parser=WordParser(), judge="usim", with_file=True), chunk=5)
        assert (summary.records, summary.errors) == (15, 1)
    assert [(Path(x["file"]).name, x["line"]) for x in lines(out)] == [
        *(("a.jsonl", n) for n in range(1, 8)), *(("b.jsonl", n) for n in range(1, 8)), ("c.tsv", 2),
    ]  # fmt: skip


def test_a_field_with_the_name_of_a_result_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"score": 4, "source": "a b", "output": "a b", "given": 1}])
    run(path, tmp_path / "out.jsonl", PLAIN)
    (line,) = lines(tmp_path / "out.jsonl")
    assert line["score"] == 1.0
    assert line["given"] == {"score": 4, "given": 1}


def test_other_names_of_fields_and_odd_texts(tmp_path: Path) -> None:
    records = [{"from": "a b c", "to": "a b c"}, {"from": "", "to": ""}, {"from": "\ud800 é", "to": "猫"}]
    path = write(tmp_path / "a.jsonl", records)
    run(path, tmp_path / "out.jsonl", Task(parser=WordParser(), judge="usim", names=("from", "to")))
    first, second, third = lines(tmp_path / "out.jsonl")
    assert (first["source"], first["output"]) == ("a b c", "a b c")
    assert "from" not in first
    assert second["score"] == 1.0
    assert third["source"] == "\ud800 é"


def test_an_empty_input_is_an_empty_output(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    assert run(tmp_path / "a.jsonl", tmp_path / "out.jsonl", PLAIN).records == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    run(tmp_path / "a.jsonl", tmp_path / "out.jsonl.gz", PLAIN)
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == b""


def test_progress_comes_to_its_end(file: Path) -> None:
    seen: list[Summary] = []
    run(file, file.with_name("out.jsonl"), PLAIN, chunk=10, watch=seen.append)
    assert [p.records for p in seen] == [0, 10, 20, 30, 40, 50, 57]
    assert seen[-1].share == 1.0
    assert seen[-1].left == 0.0
    assert all(p.rate > 0 for p in seen[1:])


def test_what_cannot_be_an_output(file: Path) -> None:
    for output in (file.parent, "-"):
        with pytest.raises(InputError, match="not a file"):
            run(file, output, PLAIN)
    for name in ("out.jsonl.zst", "out.tsv", "out.parquet.gz"):
        with pytest.raises(InputError, match="packed or not"):
            run(file, file.with_name(name), PLAIN)
    (file.parent / "plain").touch()
    for folder in ("plain", "none"):
        with pytest.raises(InputError, match="its folder is not there"):
            run(file, file.parent / folder / "out.jsonl", PLAIN)
    assert not (file.parent / "none").exists()
    with pytest.raises(OptionError, match="no such judge"):
        run(file, file.with_name("out.jsonl"), Task(parser=WordParser(), judge="nobody"))


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_job_goes_on_wherever_it_was_cut(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(57)))
    out, log = tmp_path / name, tmp_path / "log"
    logged = Task(parser=WordParser(log=str(log)), judge="usim")
    for stop in (10, 30, 57):
        interrupt(path, out, stop, logged, chunk=10)
        log.unlink(missing_ok=True)
        summary = run(path, out, logged, chunk=10)
        assert summary.before == stop
        assert (summary.records, summary.errors) == (52, 5)
        check_whole(out, path, chunk=10)
        assert beside(out) == [f"{name}.errors.jsonl"]
        parsed = log.read_text().splitlines() if log.exists() else []
        assert len(parsed) <= 2 * (57 - stop)  # what is done is not done again
        out.unlink()


def test_a_kill_while_the_files_get_their_names(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(file, with_bad(pairs(57)))
    out = file.with_name("out.jsonl")
    replace = Path.replace
    for victim in (errors_of(out), out):

        def refuse(self: Path, target: Path, victim: Path = victim) -> Path:
            if target == victim:
                raise Stopped
            return replace(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", refuse)
            with pytest.raises(Stopped):
                run(file, out, PLAIN, chunk=10)
        summary = run(file, out, Task(parser=WordParser(log=str(file.with_name("log"))), judge="usim"), chunk=10)
        assert not file.with_name("log").exists()  # nothing was left to do
        assert summary.before == 57
        check_whole(out, file, chunk=10)
        assert beside(out) == ["out.jsonl.errors.jsonl"]
        out.unlink()


def test_other_settings_and_other_input_are_refused(file: Path) -> None:
    out = file.with_name("out.jsonl")
    interrupt(file, out, 30, chunk=10)
    with pytest.raises(InputError, match=r"other settings.*delete this file.*anew: chunk: was 10, is 20$"):
        run(file, out, PLAIN, chunk=20)
    with pytest.raises(InputError, match="anew: node: was touched, is cover; ties: was label, is"):
        run(file, out, Task(parser=WordParser(), judge="usim", preset="paper"), chunk=10)
    content = file.read_text()
    file.write_text(content.replace('"r15"', '"r0015"'))
    with pytest.raises(InputError, match=r"not what it was .*pairs.jsonl:11 on"):
        run(file, out, PLAIN, chunk=10)
    file.write_text("".join(content.splitlines(keepends=True)[:12]))
    with pytest.raises(InputError, match="not what it was"):
        run(file, out, PLAIN, chunk=10)


def test_what_has_done_nothing_leaves_nothing_and_binds_nobody(file: Path) -> None:
    out = file.with_name("out.jsonl")
    interrupt(file, out, 0, chunk=10)
    assert beside(out) == []
    run(file, out, PLAIN, chunk=20)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.parquet"])
def test_older_files_stay_where_no_record_has_a_result(file: Path, name: str) -> None:
    write(file, with_bad(pairs(57)))
    out = file.with_name(name)
    run(file, out, PLAIN)
    before = out.read_bytes(), errors_of(out).read_bytes()
    other = Task(parser=WordParser(), judge="usim", names=("x", "y"))
    (file.parent / "none.jsonl").touch()
    for given, reasons in ((file, (("no field 'x'", 57),)), (file.parent / "none.jsonl", ())):
        summary = run(given, out, other)
        assert (summary.records, summary.is_kept, summary.reasons, summary.errors_file) == (0, True, reasons, None)
        assert (out.read_bytes(), errors_of(out).read_bytes()) == before
        assert beside(out) == [f"{name}.errors.jsonl"]
    run(file, file.with_name("new.jsonl"), other)
    assert not file.with_name("new.jsonl").exists()
    assert len(lines(file.with_name("new.jsonl.errors.jsonl"))) == 57


def test_m2_says_which_option_names_the_annotator(tmp_path: Path) -> None:
    path, out = tmp_path / "a.m2", tmp_path / "out.jsonl"
    path.write_text("S He go .\nA 1 2|||V|||goes|||REQUIRED|||-NONE-|||0\n\nS He left .\n")
    run(path, out, PLAIN)
    reasons = {each["reason"] for each in lines(tmp_path / "out.jsonl.errors.jsonl")}
    assert reasons == {"M2 has annotators in place of an output: --columns source,0 names the first"}
    run(path, out, Task(parser=WordParser(), judge="usim", names=("source", "0")))
    assert [each["output"] for each in lines(out)] == ["He goes .", "He left ."]


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "real.jsonl").write_text("old")
    out = tmp_path / "link.jsonl"
    out.symlink_to(folder / "real.jsonl")
    run(file, out, PLAIN)
    assert out.is_symlink()
    check_whole(out, file)
    assert [path.name for path in folder.iterdir()] == ["real.jsonl"]


def test_one_job_at_a_time(file: Path) -> None:
    out = file.with_name("out.jsonl")

    def watch(progress: Summary) -> None:
        with pytest.raises(InputError, match="another usim batch"):
            run(file, out, PLAIN)

    run(file, out, PLAIN, watch=watch)


def test_a_full_disk_keeps_what_is_done(file: Path) -> None:
    """A limit on the size of files, as the system imposes it, is what a full disk is: writes fail half way."""
    whole, out = file.with_name("whole.jsonl"), file.with_name("out.jsonl")
    run(file, whole, PLAIN, chunk=10)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 * whole.stat().st_size // 4, hard))
    try:
        with pytest.raises(InputError, match="cannot be written") as caught:
            run(file, out, PLAIN, chunk=10)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "same command" in str(caught.value)
    assert not out.exists()
    assert run(file, out, PLAIN, chunk=10).before in (10, 20, 30, 40)
    assert out.read_bytes() == whole.read_bytes()
