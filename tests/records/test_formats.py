"""Every format is read alike by all that read it: pairs by tables and batches, suggestions by the screen and batches."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from tests.batch.slow_parser import WordParser
from usim.batch import Task, run
from usim.cli import cli
from usim.errors import FormatError
from usim.judge import Result
from usim.records import find_format, read_table
from usim.records.results import read_results

PAIRS = [("He go .", "He goes ."), ("I is , here .", "I am , here .")]
M2 = """S He go .
A 1 2|||V|||goes|||REQUIRED|||-NONE-|||0

S I is , here .
A 1 2|||V|||am|||REQUIRED|||-NONE-|||0
"""


def written(folder: Path, form: str) -> Path:
    """The pairs in a file of a format."""
    path = folder / f"pairs.{form}"
    rows = [dict(zip(("source", "output"), pair, strict=True)) for pair in PAIRS]
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        text = {
            "jsonl": "".join(json.dumps(row) + "\n" for row in rows),
            "tsv": "source\toutput\n" + "".join("\t".join(row.values()) + "\n" for row in rows),
            "csv": "source,output\n" + "".join('"' + '","'.join(row.values()) + '"\n' for row in rows),
            "m2": M2,
        }
        path.write_text(text[form], encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["jsonl", "tsv", "csv", "parquet", "m2"])
def test_pairs_are_the_same_in_every_format(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, form)
    table = read_table(str(path))
    assert [tuple(cell.text for cell in row) for row in table.rows] == PAIRS
    task = Task(parser=WordParser(), judge="usim", names=("source", "0") if form == "m2" else None)
    assert run(path, tmp_path / "out.jsonl", task).records == 2
    results = [r for r in read_results(tmp_path / "out.jsonl") if isinstance(r, Result)]
    assert [(result.source, result.output) for result in results] == PAIRS


SUGGESTIONS: dict[str, str] = {
    "a.m2": M2,
    "a.json": '{"7": {"input_words": ["He", "go"], "substitute_topk": [[["go", 1, 2], ["goes"]]]}}\n',
    "a.csv": "Sentence,Substitutes\nHe **go**,goes\n",
    "b.csv": "id,sentence,start,end,substitutes\na,He go,3,5,goes\n",
    "a.tsv": "id\tsentence\tstart\tend\tsubstitutes\na\tHe go\t3\t5\tgoes\n",
}


@pytest.mark.parametrize("name", SUGGESTIONS)
def test_a_batch_screens_every_format_of_suggestions(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SUGGESTIONS[name], encoding="utf-8")
    task = Task(kind="screen", parser=WordParser(), judge="usim")
    summary = run(path, tmp_path / "out.jsonl", task)
    assert (summary.records, summary.errors) == (2 if name == "a.m2" else 1, 0)
    first = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["suggestions"][0]["substitute"] == "goes"
    assert name != "a.tsv" or first["substitutes"] == ["goes"]


def test_gold_data_are_no_suggestions(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text('{"a": {"sentence_split": ["He"], "substitutes": []}}', encoding="utf-8")
    with pytest.raises(FormatError, match=r"gold\.json:1: gold data, not the suggestions of a system"):
        run(path, tmp_path / "out.jsonl", Task(kind="screen", parser=WordParser(), judge="usim"))


def test_parquet_cannot_be_filtered(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist([{"sentence": "He go", "start": 3, "end": 5, "substitutes": ["goes"]}]), path)
    done = CliRunner().invoke(cli, ["screen", str(path), "--filter"])
    assert done.exit_code == 2
    assert "convert FILE to JSON lines" in done.stderr


def test_the_format_goes_by_the_name() -> None:
    assert [find_format(name) for name in ("a.CSV", "a.jsonl.zst", "a.txt", "-")] == ["csv", "jsonl", None, None]


@pytest.mark.parametrize("name", ["source", "output"])
def test_what_is_no_text_in_parquet_is_a_bad_record_that_names_the_column(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"source": ["He left."], "output": ["He went."]} | {name: [1.5]}), path)
    bad = next(line for line in read_table(str(path), ["source", "output"]).rows[0] if line.error)
    assert bad.error == f"{name!r} is no text"
    run(path, tmp_path / "out.jsonl", Task(judge="usim", parser=WordParser()))
    (error,) = map(json.loads, (tmp_path / "out.jsonl.errors.jsonl").read_text().splitlines())
    assert error["reason"] == f"{name!r} is no text"


def test_bytes_and_dates_in_parquet_are_text(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"source": ["He left."], "output": [b"He went."], "day": [date(2026, 1, 2)]}), path)
    assert [cell.text for cell in read_table(str(path)).rows[0]] == ["He left.", "He went."]
    run(path, tmp_path / "out.jsonl", Task(judge="usim", parser=WordParser()))
    assert json.loads((tmp_path / "out.jsonl").read_text())["day"] == "2026-01-02"
