"""``usim screen`` as a user types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.command import USIM, usim_here
from tests.processes import end_of, wait_until
from tests.support.flat import Flat

pytestmark = pytest.mark.model

JSONL = (
    '{"id": "a", "sentence": "She told an old story.", "start": 12, "end": 15, "substitutes": ["long and dull",  "new", "old"], "x": 1e3}\r\n'
    "\n"
    '{"sentence": "He came. She go home.", "corrections": ["He came. She goes home.", "\\u00c9lan"]}'
)
FORMATS = {
    "a.jsonl": "\ufeff" + JSONL,
    "a.tsv": "id\tsentence\tstart\tend\tsubstitutes\r\n7\tShe told an old story.\t12\t15\tnew\t\tlong and dull\r\n",
    "a.json": '{\n"7": {"input_words": ["She", "told", "an", "old", "story", "."], "substitute_topk":'
    ' [[["old", 3, 4], ["new", "long and dull"]], [["told", 1, 2], ["heard out then"]]]}\n}\n',
    "a.m2": "S She told an old story .\nA 3 4|||R|||new|||REQUIRED|||-NONE-|||0\nA 4 5|||R|||tale of his life|||REQUIRED|||-NONE-|||0\n\n",
    "a.csv": 'target word,Sentence,Substitutes\nold,"She, told an **old** story.","new, long and dull"\n',
}
#: What is left of them where each change of a word is kept and everything else dropped. In M2 an edit of the
#: annotator is dropped, and with it the correction as a whole. A record that loses something is written anew.
FILTERED = {
    "a.jsonl": FORMATS["a.jsonl"]
    .replace('"long and dull",  ', "")
    .replace(', "\\u00c9lan"', "")
    .replace("1e3", "1000.0"),
    "a.tsv": FORMATS["a.tsv"].replace("\t\tlong and dull", ""),
    "a.json": FORMATS["a.json"].replace(', "long and dull"', "").replace(', [["told", 1, 2], ["heard out then"]]', ""),
    "a.m2": "S She told an old story .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n",
    "a.csv": FORMATS["a.csv"].replace('"new, long and dull"', "new"),
}
#: Only faithful as a whole is what keeps as many words.
KEPT = ("--keep", "0.99", "--drop", "0.99")
Done = subprocess.CompletedProcess[str]


@pytest.fixture(autouse=True)
def _flat() -> Iterator[None]:
    """The parser that makes each word a participant: fast, and it is known what comes of it."""
    with mock.patch("usim.options.load", return_value=Flat()):
        yield


def run(*arguments: object, stdin: str | bytes = b"") -> Done:
    """With USim as the judge, which needs nothing but graphs; an option given later takes the place of an earlier."""
    return usim_here("screen", "--judge", "usim", *map(str, arguments), stdin=stdin)


def lines(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


Write = Callable[[str, str], Path]


# Verdicts


def test_a_line_for_each_record(write: Write) -> None:
    done = run(write("a.jsonl", JSONL), *KEPT)
    assert done.returncode == 0, done.stderr
    counts, speed, signature = done.stderr.splitlines()
    assert counts == "2 records, 5 suggestions: 3 keep, 0 review, 2 drop"
    assert re.fullmatch(r"\d+\.\d s, \d+ suggestions/s", speed)
    assert re.fullmatch(r"usim\|parser:flat\|.*\|judge:usim\|keep:0.99\|drop:0.99\|v:.*", signature)
    a, b = lines(done)
    assert (a["id"], b["id"]) == ("a", 3)
    verdicts = {one["substitute"]: one["verdict"] for one in a["suggestions"]}
    assert list(verdicts.items()) == [("long and dull", "drop"), ("new", "keep"), ("old", "keep")]
    assert [one["verdict"] for one in b["suggestions"]] == ["keep", "drop"]
    for record in (a, b):
        assert list(record) == ["id", "suggestions"]
        for one in record["suggestions"]:
            assert list(one)[:6] == ["substitute", "faithfulness", "verdict", "cause", "findings", "usim"]
    assert a["suggestions"][0]["findings"]
    text = "She told an old story."
    cause = a["suggestions"][2].pop("cause")
    assert (cause["by"], cause["keep"], cause["drop"]) == ("probability", 0.99, 0.99)
    assert a["suggestions"][2] == {
        "substitute": "old", "faithfulness": 1.0, "verdict": "keep", "findings": [], "usim": 1.0,
        "source": text, "output": text, "offset": 0, "language": "en",
    }  # fmt: skip


def test_several_targets_of_a_record_can_be_told_apart(write: Write) -> None:
    (sws,) = lines(run(write("a.json", FORMATS["a.json"])))
    assert [one["words"] for one in sws["suggestions"]] == [[3, 4], [3, 4], [1, 2]]
    (m2,) = lines(run(write("a.m2", FORMATS["a.m2"])))
    assert [one.get("words") for one in m2["suggestions"]] == [[3, 4], [4, 5], None]
    assert {one["annotator"] for one in m2["suggestions"]} == {"0"}


def test_standard_input_and_a_format_that_is_said(write: Write) -> None:
    jsonl, tsv = run(write("a.jsonl", JSONL)).stdout, run(write("a.tsv", FORMATS["a.tsv"])).stdout
    assert run("-", stdin=JSONL).stdout == jsonl
    assert run("-", "--format-in", "tsv", stdin=FORMATS["a.tsv"]).stdout == tsv
    assert run(write("suggestions", JSONL), "--format-in", "jsonl").stdout == jsonl


# Filtering


@pytest.mark.parametrize("name", FORMATS)
def test_filter_takes_out_what_is_dropped_and_nothing_else(write: Write, name: str) -> None:
    path = write(name, FORMATS[name])
    done = run(path, "--filter", *KEPT)
    assert done.returncode == 0, done.stderr
    assert done.stdout == FILTERED[name]
    assert run(path, "--filter", "--keep", "0", "--drop", "0").stdout.encode() == path.read_bytes()


def test_what_is_to_be_reviewed_stays_unless_said_otherwise(write: Write) -> None:
    path = write("a.jsonl", JSONL)
    limits = ("--keep", "0.99", "--drop", "0")
    assert run(path, "--filter", *limits).stdout.encode() == path.read_bytes()
    assert run(path, "--filter-review", *limits).stdout == run(path, "--filter", *KEPT).stdout


def test_text_for_people(write: Write) -> None:
    path = write("a.jsonl", JSONL + '\n{"bad')
    done = run(path, *KEPT, "--format", "text", "--rank")
    assert done.returncode == 2
    shown = done.stdout.splitlines()
    assert shown[0] == "a: She told an [old] story."
    assert shown[1:3] == ["  keep   1.000  new", "  keep   1.000  old"]
    assert re.fullmatch(r"  drop   0\.\d{3}  long and dull   “.*", shown[3])
    assert shown[4] == "3: He came. She go home."
    assert len(shown) == 7


def test_text_says_what_decided_as_that_of_score_does(write: Write) -> None:
    record = {"sentence": "We pay 20 euros today.", "start": 7, "end": 9, "substitutes": ["25"]}
    line = usim_here("screen", write("a.jsonl", json.dumps(record)), "--format", "text").stdout.splitlines()[1]
    assert line.startswith("  drop ")
    assert line.endswith("; decided by a certain finding")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.jsonl", "--filter --rank", "--rank is for verdicts"),
        ("a.jsonl", "--filter --format text", "--filter writes FILE again"),
        ("suggestions", "", "its name does not say the format"),
    ],
)
def test_wrong_usage(write: Write, name: str, options: str, message: str) -> None:
    done = run(write(name, JSONL), *options.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


# Files


BAD = (
    '{"id": "a", "sentence": "He left.", "start": 3, "end": 7, "substitutes": ["went"]}\n'
    '{"id": "b", "sentence": "He left.", "start": 3, "end": 6, "substitutes": ["went"]}\n'
    '{"id": "c", "sentence": "Caf\udce9", "corrections": []}\n'
    "nonsense\n"
    '{"id": "e", "sentence": "He left.", "corrections": ["He left."]}\n'
)


def test_bad_records_are_named_and_cost_only_themselves(write: Write) -> None:
    path = write("a.jsonl", BAD)
    done = run(path)
    assert done.returncode == 2
    a, b, c, d, e = lines(done)
    assert (a["id"], e["id"], len(a["suggestions"]), len(e["suggestions"])) == ("a", "e", 1, 1)
    assert [(x["id"], x["line"]) for x in (b, c, d)] == [("b", 2), (None, 3), (None, 4)]
    assert "cuts a word" in b["error"]
    assert "not UTF-8" in c["error"]
    assert "not JSON" in d["error"]
    for line, what in ((2, "record 'b': the span 3 to 6 cuts a word"), (3, "not UTF-8"), (4, "not JSON")):
        assert re.search(rf"usim: warning: {path}:{line}: {what}.*; the record is not screened", done.stderr)
    assert "2 records, 2 suggestions: " in done.stderr
    assert "; 3 more records could not be read" in done.stderr


def test_bad_records_stay_in_a_filtered_file(write: Write, tmp_path: Path) -> None:
    options = (write("a.jsonl", BAD), "--filter", "--keep", 1, "--drop", 1)
    done = run(*options)
    assert (done.returncode, done.stdout) == (2, BAD)
    assert run(*options, "-o", tmp_path / "b.jsonl").returncode == 2
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


# Processes of their own, with the real parser


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """More than can be screened before anyone interferes."""
    path = tmp_path / "many.jsonl"
    line = '{{"sentence": "Man {:05} walked home .", "start": 10, "end": 16, "substitutes": ["went", "ran"]}}\n'
    path.write_text("".join(map(line.format, range(20000))), encoding="utf-8")
    return path


def test_a_pipe_gets_results_before_the_end_and_may_close(many: Path) -> None:
    done = subprocess.run(
        f"cat {many} | {sys.executable} -c 'from usim.cli import main; main()' screen - --judge usim | head -2; exit ${{PIPESTATUS[1]}}",
        shell=True, executable="/bin/bash", capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 141  # as a shell reports SIGPIPE: neither done nor a gate
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    assert done.stderr == b""


@pytest.mark.parametrize("arguments", [[], ["--filter", "-o", "out"]])
def test_an_interrupt_leaves_whole_lines_or_no_file(many: Path, arguments: list[str]) -> None:
    folder = many.parent
    with open(folder / "stdout", "wb") as out:
        process = subprocess.Popen(
            [*USIM, "screen", many, "--judge", "usim", *arguments], cwd=folder, stdout=out, stderr=subprocess.PIPE
        )
        growing = "out.*.part" if "-o" in arguments else "stdout"
        wait_until(lambda: any(os.path.getsize(path) for path in folder.glob(growing)), 60)
        process.send_signal(signal.SIGINT)
        code, errors = end_of(process)
    assert (code, errors.strip()) == (130, "usim: interrupted")
    if "-o" in arguments:
        assert sorted(p.name for p in folder.iterdir()) == ["many.jsonl", "stdout"]
        return
    written = (folder / "stdout").read_text(encoding="utf-8")
    assert written.endswith("}\n")
    assert 0 < len([json.loads(line) for line in written.splitlines()]) < 20000
