"""Bad records of many kinds at known lines: each is reported with its line, and no other record is touched."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.batch.slow_parser import WordParser
from tests.endurance.tally import Tally, Terms
from usim.batch import Task, run
from usim.text import DEEPEST_JSON

_REFUSED = "evil"
_PARSER = WordParser(refused=_REFUSED)
_DEEP = DEEPEST_JSON + 1
_DIGITS = b"9" * 5000


def _pair(source: bytes, output: bytes = b'"a"', more: bytes = b"") -> bytes:
    return b'{"id": 1, "source": ' + source + b', "output": ' + output + more + b"}"


def _suggestion(start: bytes, end: bytes, more: bytes = b"", substitutes: bytes = b'["new"]') -> bytes:
    return (
        b'{"sentence": "the old man", "start": ' + start + b', "end": ' + end + b', "substitutes": ' + substitutes + more
        + b"}"
    )  # fmt: skip


class Kind(NamedTuple):
    """A file format for a task, with good records and bad ones.

    Attributes:
        task: what is done.
        name: the name of the file.
        first: its first line, if it has a header.
        good: good records.
        bad: bad ones.
    """

    task: Task
    name: str
    first: bytes | None
    good: Sequence[bytes]
    bad: dict[str, bytes]


PAIRS = Kind(
    Task(parser=_PARSER, judge="none"),
    "pairs.jsonl",
    None,
    [
        b'{"id": "a", "source": "the old man", "output": "the new man"}',
        b'{"source": ["e-mail", "me"], "output": "me", "source2": null}',
        b'{"source": "", "output": "", "line": 3}',
        '{"source": "été \\ud800", "output": "a\\u2028b", "x": {"y": [1.5, true]}}'.encode(),
        b'{"source": "a", "output": "b"}\r',
        b'{"source": "a", "output": "b", "deep": ' + b"[" * 99 + b"]" * 99 + b"}",
    ],
    {
        "half an object": b"{",
        "an array": b"[1]",
        "null": b"null",
        "a number": b"7",
        "a string": b'"text"',
        "no JSON": b"the old man",
        "two objects": b'{"source": "a", "output": "b"} {"source": "a", "output": "b"}',
        "a comma at the end": b'{"source": "a", "output": "b",}',
        "single quotation marks": b"{'source': 'a', 'output': 'b'}",
        "a control character": b'{"source": "a\x01", "output": "b"}',
        "an unknown escape": b'{"source": "\\x41", "output": "b"}',
        "half an escape": b'{"source": "\\u00", "output": "b"}',
        "no output": b'{"source": "a"}',
        "no source": b'{"output": "a"}',
        "a source that is a number": _pair(b"3"),
        "a source that is null": _pair(b"null"),
        "a source that is true": _pair(b"true"),
        "a source that is an object": _pair(b'{"text": "a"}'),
        "tokens with a number": _pair(b'["a", 1]'),
        "an empty token": _pair(b'["a", ""]'),
        "tokens in arrays": _pair(b'[["a"]]'),
        "no UTF-8": _pair(b'"\xff"'),
        "a character cut short": b'{"source": "a", "output": "\xe2\x82',
        "UTF-16": '{"source": "a", "output": "b"}'.encode("utf-16-le"),
        "zero bytes": b"\0" * 40,
        "not a number": _pair(b'"a"', more=b', "x": NaN'),
        "infinity": _pair(b'"a"', more=b', "x": -Infinity'),
        "a number beyond all": _pair(b'"a"', more=b', "x": 1e999'),
        "a number of 5,000 digits": _pair(b'"a"', more=b', "x": ' + _DIGITS),
        "too many words": _pair(b'"' + b"a " * 100_000 + b'"'),
        "a word without end": _pair(b'"' + b"a" * 1_000_000 + b'"'),
        "too many tokens in few words": _pair(b'"' + b"a,b;" * 900 + b'"'),
        "too many given tokens": _pair(json.dumps(["a"] * 2001).encode()),
        "a sentence that the parser refuses": _pair(b'"an evil word"'),
        "brackets without end": b"[" * 100_000,
        "an extra field that is too deep": _pair(b'"a"', more=b', "x": ' + b"[" * _DEEP + b"]" * _DEEP),
        "objects that are too deep": _pair(b'"a"', more=b', "x": ' + b'{"x":' * _DEEP + b"1" + b"}" * _DEEP),
        "a line of more than 16 MiB": _pair(b'"' + b"a" * (16 * 2**20) + b'"'),
    },
)
TABLE = Kind(
    Task(parser=_PARSER, judge="none"),
    "pairs.tsv",
    b"id\tsource\toutput",
    [b"1\tthe old man\tthe new man", b"\t\t", "2\tété\t'\"".encode()],
    {"a cell too few": b"1\tthe old man", "a cell too many": b"1\ta\tb\tc", "no UTF-8 in a table": b"1\ta\t\xe9"},
)
SUGGESTIONS = Kind(
    Task("screen", parser=_PARSER, judge="usim"),
    "suggestions.jsonl",
    None,
    [
        _suggestion(b"4", b"7"),
        _suggestion(b"0", b"3", b', "id": "x"', b'["a", ""]'),
        _suggestion(b"4", b"7", b"", b"[]"),
    ],
    {
        "a target beyond the end": _suggestion(b"4", b"70"),
        "a target before the beginning": _suggestion(b"-4", b"7"),
        "a target that ends before it begins": _suggestion(b"7", b"4"),
        "a place that is no whole number": _suggestion(b"4.0", b"7"),
        "a place that is true": _suggestion(b"true", b"7"),
        "a place that is text": _suggestion(b'"4"', b"7"),
        "a place of 5,000 digits": _suggestion(_DIGITS, _DIGITS),
        "another target": _suggestion(b"4", b"7", b', "target": "new"'),
        "substitutes that are no array": _suggestion(b"4", b"7", substitutes=b'"new"'),
        "a substitute that is a number": _suggestion(b"4", b"7", substitutes=b"[1]"),
        "an id that is an array": _suggestion(b"4", b"7", b', "id": [1]'),
        "a sentence that is a number": b'{"sentence": 1, "start": 0, "end": 1, "substitutes": []}',
        "neither substitutes nor corrections": b'{"sentence": "the old man", "start": 0, "end": 3}',
        "a suggestion that is a book": _suggestion(b"4", b"7", substitutes=b'["' + b"a " * 100_000 + b'"]'),
    },
)
SUGGESTION_TABLE = Kind(
    Task("screen", parser=_PARSER, judge="usim"),
    "suggestions.tsv",
    b"id\tsentence\tstart\tend\tsubstitutes",
    [b"1\tthe old man\t4\t7\tnew\tyoung", b"2\tthe old man\t4\t7"],
    {
        "a number with a separator": b"1\tthe old man\t4\t7\x1d\tnew",
        "a number of 5,000 digits in a table": b"1\tthe old man\t4\t" + _DIGITS + b"\tnew",
        "a superscript for a number": "1\tthe old man\t4\t²\tnew".encode(),
        "too few cells": b"1\tthe old man\t4",
    },
)
KINDS = (PAIRS, TABLE, SUGGESTIONS, SUGGESTION_TABLE)


def experiment(tally: Tally, terms: Terms) -> None:
    """Mix bad records among good ones and compare with the same file, in which blank lines stand for the bad ones."""
    rng = terms.rng()
    for round_number in range(terms.count(1, 10)):
        for kind in KINDS:
            for chunk in rng.sample((1, 2, 7, 30, 512), terms.count(2, 5)):
                folder = terms.folder / f"{round_number}-{chunk}-{kind.name}"
                folder.mkdir()
                with tally.case(f"{kind.name} in chunks of {chunk}"):
                    _check(tally, folder, kind, chunk, rng)
    with tally.case("number of kinds"):
        assert sum(len(kind.bad) for kind in KINDS) >= 46


def _check(tally: Tally, folder: Path, kind: Kind, chunk: int, rng: random.Random) -> None:
    names = list(kind.bad)
    rng.shuffle(names)
    lines: list[tuple[bytes, str | None]] = []
    for name in names:
        lines += [(rng.choice(kind.good), None) for _ in range(rng.randint(0, 2))]
        lines.append((kind.bad[name], name))
    lines.append((kind.good[0], None))
    if kind.first is not None:
        lines.insert(0, (kind.first, None))
    mixed, plain = (
        _run(folder / way, kind, [b"" if name and way == "plain" else raw for raw, name in lines], chunk)
        for way in ("mixed", "plain")
    )
    errors = {error["line"]: error["reason"] for error in mixed[1]}
    expected = {number: name for number, (_, name) in enumerate(lines, 1) if name is not None}
    for number, name in expected.items():
        tally.check(
            f"{name}: not reported" if not errors.get(number) else None,
            f"{name}: {errors[number]}" if "Error:" in errors.get(number, "") and "refuses" not in name else None,
        )
    assert set(errors) == set(expected), f"other lines are reported: {sorted(set(errors) - set(expected))}"
    assert len(mixed[1]) == len(expected), "a line is reported twice"
    assert not plain[1], "good records are reported"
    assert mixed[0] == plain[0], "good records have other results"


def _run(folder: Path, kind: Kind, lines: list[bytes], chunk: int) -> tuple[bytes, list[dict[str, Any]]]:
    folder.mkdir()
    path, out = folder / kind.name, folder / "out.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    run(path, out, kind.task, chunk=chunk)
    errors = folder / "out.jsonl.errors.jsonl"
    reported = [json.loads(line) for line in errors.read_bytes().splitlines()] if errors.exists() else []
    content = out.read_bytes()
    path.unlink()
    return content, reported
