"""Files of suggestions: what is read, what is refused and how, and what stays when some are dropped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.errors import FormatError, InputError
from usim.records import BadRecord, Part, Record, format_of
from usim.records import read_suggestions as read
from usim.suggestions import OFFSETS

Write = Callable[[str, str], Path]


def records(parts: Iterator[Part]) -> list[Record]:
    """The records of a file that has no bad ones."""
    found = list(parts)
    assert not [part for part in found if isinstance(part, BadRecord)]
    return [part for part in found if isinstance(part, Record)]


def faults(parts: Iterator[Part]) -> list[str]:
    """The errors of the bad records, without the folder."""
    return [str(part.error).split("/")[-1] for part in parts if isinstance(part, BadRecord)]


def filtered(parts: Iterator[Part], dropped: dict[str | int, set[int]]) -> str:
    """The file less some suggestions, given by record."""
    out = []
    for part in parts:
        if isinstance(part, Record):
            out.append(part.without(dropped.get(part.id, ())))
        else:
            out.append(part if isinstance(part, str) else part.raw)
    return "".join(out)


def texts(record: Record) -> list[str]:
    return [suggestion.placed(record.text).text for suggestion in record.suggestions]


JSONL = (
    '{"id": "a", "sentence": "An intimate friend.", "start": 3, "end": 11, "substitutes": ["close",  "cosy", ""], "x": 1e3}\n'
    "\n"
    '{"sentence": "He go.", "corrections": ["He goes.", "He went."]}\r\n'
    '{"id": 7, "sentence": "\\u00c9lan vital", "start": 0, "end": 4, "target": "Élan", "substitutes": []}'
)
BOTH = '{"sentence": "He go.", "corrections": ["He went."], "start": 3, "end": 5, "substitutes": ["goes", "runs"]}'
HEADER = "id\tsentence\tstart\tend\tsubstitutes\n"
TSV = "sentence\tnote\tid\tstart\tend\tsubstitutes\nAn old friend.\tx\ta\t3\t6\tclose\t\tdear\t\nHe goes.\t\t\t3\t7\n"
SWS = """{
  "a": {"input_words": ["An", "intimate", "friend", "'s", "car"],
        "substitute_topk": [[["intimate", 1, 2], ["close", "dear"]], [["friend 's", 2, 4], ["pal's"]], [["car", 4, 5], []]]},
  "b": {"input_words": [], "substitute_topk": []}
}
"""
M2 = """S She have two cat .
A 1 2|||R:VERB:SVA|||has||had|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0
A 3 4|||U:NOUN||||||REQUIRED|||-NONE-|||1
A 5 5|||M:OTHER|||indeed|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
S Mark this .
A 0 1|||UNK|||-NONE-|||REQUIRED|||-NONE-|||0
"""
PROLEX = 'target word,Sentence,Substitutes\noverall,"But **overall**,\nI ""see"".","generally, on the whole"\ncase,My **case** is new.,box\n'
CSV = 'id,sentence,start,end,substitutes\na,"Old, old man",0,3,New,"Grey, ""old"""\n'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.jsonl", JSONL, [("a", 1, ["A close friend.", "A cosy friend.", "A friend."]), (3, 3, ["He goes.", "He went."]), (7, 4, [])]),
        ("x.jsonl", BOTH, [(1, 1, ["He goes.", "He runs.", "He went."])]),
        ("x.tsv", TSV, [("a", 2, ["A close friend.", "A dear friend."]), (3, 3, [])]),
        ("x.tsv", "\ufeffid\tsentence\tcorrection\n1\tHe go.\tHe goes.\tHe went.\n", [("1", 2, ["He goes.", "He went."])]),
        ("x.tsv", HEADER + "a\tShe left.\t 0\t3\u00a0\tHe\n", [("a", 2, ["He left."])]),  # blanks around a number
        ("x.json", SWS, [("a", 1, ["A close friend 's car", "A dear friend 's car", "An intimate pal's car"]), ("b", 2, [])]),
        ("x.m2", M2, [(1, 1, ["She has two cat .", "She have two cats .", "She has two cats .",
                              "She have two .", "She have two cat . indeed", "She have two . indeed"]),
                      (2, 7, []), (3, 9, [])]),
        ("x.csv", PROLEX, [(2, 2, ['But generally,\nI "see".', 'But on the whole,\nI "see".']), (4, 4, ["My box is new."])]),
        ("x.csv", CSV, [("a", 2, ["New, old man", 'Grey, "old", old man'])]),
    ],
)  # fmt: skip
def test_records_have_names_lines_and_what_becomes_of_their_texts(
    name: str, content: str, expected: list[tuple[str | int, int, list[str]]], write: Write
) -> None:
    assert [(record.id, record.line, texts(record)) for record in records(read(write(name, content)))] == expected


def test_what_a_suggestion_is_about(write: Write) -> None:
    _, b, _ = records(read(write("x.jsonl", JSONL)))
    assert [s.span for s in b.suggestions] == [None, None]
    assert b.suggestions[0].placed(b.text).edits == ((3, 5, "goes"),)
    words, _ = records(read(write("x.json", SWS)))
    assert [s.about for s in words.suggestions] == [{"words": [1, 2]}, {"words": [1, 2]}, {"words": [2, 4]}]
    edits, *_ = records(read(write("x.m2", M2)))
    types = ["R:VERB:SVA", "R:NOUN:NUM", None, "U:NOUN", "M:OTHER", None]
    assert [s.about.get("type") for s in edits.suggestions] == types
    assert edits.suggestions[2].about == {"annotator": "0"}


M2_LINES = M2.splitlines(keepends=True)
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}\n"


@pytest.mark.parametrize(
    ("name", "content", "dropped", "left"),
    [
        ("x.jsonl", JSONL, {3: {0}}, JSONL.replace('"He goes.", ', "")),
        ("x.jsonl", JSONL, {"a": {0, 2}}, JSONL.replace('"close",  "cosy", ""', '"cosy"').replace("1e3", "1000.0")),
        ("x.jsonl", BOTH, {1: {0, 2}}, BOTH.replace('"He went."', "").replace('"goes", ', "")),
        ("x.tsv", HEADER + "a\tAn old friend.\t3\t6\tclose\tdear\r\n", {"a": {1}}, HEADER + "a\tAn old friend.\t3\t6\tclose\r\n"),
        ("x.tsv", TSV, {"a": {0}}, TSV.replace("close\t\tdear\t", "dear")),
        ("x.tsv", TSV, {"a": {0, 1}}, TSV.replace("\tclose\t\tdear\t", "")),
        ("x.m2", M2, {1: {1}}, "".join(M2_LINES[:2] + M2_LINES[3:])),
        ("x.m2", M2, {1: {0, 1}}, "".join([M2_LINES[0], NOOP.format(0), *M2_LINES[3:]])),
        # To drop a correction is to drop all its edits.
        ("x.m2", M2, {1: {5}}, "".join([*M2_LINES[:3], NOOP.format(1), *M2_LINES[5:]])),
        ("x.csv", PROLEX, {2: {0}, 4: {0}}, PROLEX.replace('"generally, on', "on").replace('whole"', "whole").replace("new.,box", "new.,")),
        ("x.csv", CSV, {"a": {0}}, CSV.replace("New,", "")),
    ],
)  # fmt: skip
def test_only_a_record_that_loses_suggestions_is_written_anew(
    name: str, content: str, dropped: dict[str | int, set[int]], left: str, write: Write
) -> None:
    assert filtered(read(write(name, content)), dropped) == left


def test_sws_less_some(write: Write) -> None:
    path = write("x.json", SWS)
    assert json.loads(filtered(read(path), {})) == json.loads(SWS)
    targets = json.loads(filtered(read(path), {"a": {0}}))["a"]["substitute_topk"]
    assert targets == [[["intimate", 1, 2], ["dear"]], [["friend 's", 2, 4], ["pal's"]], [["car", 4, 5], []]]
    # A target that loses its last suggestion goes; one that never had any is not ours to touch.
    targets = json.loads(filtered(read(path), {"a": {1, 2}}))["a"]["substitute_topk"]
    assert targets == [[["intimate", 1, 2], ["close"]], [["car", 4, 5], []]]


def test_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"id": "a", "sentence": "An old man.", "start": 3, "end": 6, "substitutes": ["new"], "corrections": None},
        {"id": "b", "sentence": "He go.", "start": None, "end": None, "substitutes": None, "corrections": ["He goes."]},
        {"id": "c", "sentence": None, "start": 0, "end": 0, "substitutes": [], "corrections": []},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "x.parquet")
    *good, bad = read(tmp_path / "x.parquet")
    assert [texts(r) for r in records(iter(good))] == [["A new man."], ["He goes."]]
    assert "x.parquet:3: record 'c': Expected `str`, got `null`: `sentence`" in faults(iter([bad]))[0]


# What is wrong


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON (Expecting property name enclosed in double quotes, column 2): '{'"),
        ("[1]", "a JSON object is needed on every line: '[1]'"),
        ('{"id": 1} {}', "not JSON (Extra data, column 11): '{\"id\": 1} {}'"),
        ('{"id": [1]}', "'id' must be a string or an integer: '[1]'"),
        ('{"id": 5}', "record 5: Object missing required field `sentence`"),
        ('{"id": 5, "sentence": "a", "substitutes": null}', "record 5: 'substitutes' or 'corrections' must be there, and not null"),
        ('{"id": "é", "sentence": "a", "corrections": "b"}', "record 'é': Expected `array | null`, got `str`: `corrections`"),
        ('{"sentence": "a", "corrections": [1]}', "record 1: Expected `str`, got `int`: `corrections[0]`"),
        ('{"sentence": "a", "substitutes": []}', "record 1: substitutes need the 'start' and 'end' of what they replace"),
        ('{"sentence": "a", "start": 0, "end": true, "substitutes": []}', "record 1: Expected `int | null`, got `bool`: `end`"),
        ('{"sentence": "a", "start": 0, "end": 2, "substitutes": []}', f"record 1: the span 0 to 2 does not fit a text of 1 characters; {OFFSETS}: 'a'"),
        ('{"sentence": "old house", "start": 0, "end": 2, "substitutes": []}', f"record 1: the span 0 to 2 cuts a word (ol|d); {OFFSETS}: 'ol'"),
        ('{"sentence": "We can meet 😀 tomorow.", "start": 15, "end": 22, "substitutes": []}', f"record 1: the span 15 to 22 cuts a word (t|omorow); {OFFSETS}: 'omorow.'"),
        ('{"sentence": "an old house", "start": 0, "end": 2, "target": "old", "substitutes": []}', f"record 1: the text from 0 to 2 is not the target 'old'; {OFFSETS}: 'an'"),
        ('{"sentence": "\udcff", "corrections": []}', "not UTF-8; convert the file to UTF-8"),
        ("[" * 100_000, "not JSON that can be read (nested more than 200 levels deep): '" + "[" * 79 + "…'"),
        ("9" * 5000, None),
    ],
)  # fmt: skip
def test_a_bad_line_costs_itself_alone(line: str, message: str | None, write: Write) -> None:
    good = '{"id": "good", "sentence": "He go.", "corrections": ["He goes."]}'
    path = write("x.jsonl", f"{line}\n{good}\n")
    first, second = read(path)
    assert isinstance(first, BadRecord)
    assert isinstance(second, Record)
    assert second.id == "good"
    assert message is None or faults(iter([first]))[0].startswith(f"x.jsonl:1: {message}")
    assert filtered(read(path), {}).encode("utf-8", "surrogateescape") == path.read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "messages", "good"),
    [
        ("x.tsv", HEADER + "a\tAn old friend.\t3", ["2: 3 cells, and 4 are needed: id, sentence, start, end: 'a\\tAn old friend.\\t3'"], []),
        ("x.tsv", HEADER + "a\tAn old friend.\t3\t٦\tb", ["2: record 'a': Expected `int | null`, got `str`: `end`"], []),
        ("x.tsv", HEADER + 'a\t"An old friend."\t4\t7\tclose\na\tAn old friend.\t3\t6\t"close"\na\t"An ""old"" friend."\t3\t6\tb', [
            "3: a cell in quotation marks, as a spreadsheet writes it; in TSV nothing is quoted: save the table as CSV: '\"close\"'",
            "4: a cell in quotation marks, as a spreadsheet writes it; in TSV nothing is quoted: save the table as CSV: '\"An \"\"old\"\" friend.\"'",
         ], [['"A close friend."']]),
        ("x.tsv", "sentence\ttarget\tstart\tend\tsubstitutes\nan old\tnew\t3\t6",
         [f"2: record 2: the text from 3 to 6 is not the target 'new'; {OFFSETS}: 'old'"], []),
        ("x.m2", "A 0 1|||X|||b|||R|||N|||0\n\nS good\n", ["1: record 1: a sentence must begin with a line 'S …': 'A 0 1|||X|||b|||R|||N|||0'"], [[]]),
        ("x.m2", "S a\nA 0 2|||X|||b|||R|||N|||0\n\nS good\n", ["1: record 1: the edit does not fit a sentence of 1 words: 'A 0 2|||X|||b|||R|||N|||0'"], [[]]),
        ("x.m2", "S a\nA 0 1|||X|||b\n\nS good\n", ["1: record 1: an edit must be 'A start end|||type|||correction|||…|||…|||annotator': 'A 0 1|||X|||b'"], [[]]),
        ("x.m2", "S a b\nA 0 2|||X|||b|||R|||N|||0\nA 1 2|||X|||b|||R|||N|||0\n\nS good\n",
         ["1: record 1: two edits of annotator 0 overlap: '(0, 2), (1, 2)'"], [[]]),
        ("x.csv", 'Sentence,Substitutes\na **b**\n**b**c,x\n"a"b,x\na **b**,"x, y"\n', [
            "2: 1 cells, and 2 are needed: sentence, substitutes: 'a **b**'",
            f"3: record 3: the span 0 to 1 cuts a word (b|c); {OFFSETS}: 'b'",
            "4: not CSV (',' expected after '\"'): '\"a\"b,x'",
        ], [["an x", "a y"]]),
        ("x.csv", 'Sentence,Substitutes\na **b**,"x\nc **d**,y\n"e\n**f**","g, h"\n', ["2: not CSV (unexpected end of data): 'a **b**,\"x'"],
         [["c y"], ["e\ng", "e\nh"]]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_records_of_other_formats(
    name: str, content: str, messages: list[str], good: list[list[str]], write: Write
) -> None:
    path = write(name, content)
    for fault, message in zip(faults(read(path)), messages, strict=True):
        assert fault.startswith(f"{name}:{message}")
    assert [texts(part) for part in read(path) if isinstance(part, Record)] == good
    assert filtered(read(path), {}) == content


ONE = '{"a": {"input_words": ["a"], "substitute_topk": []}'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.tsv", "sentence\tstart\tend\tsubstitutes\tid\n", "the last column must be"),
        ("x.tsv", "sentence\tstart\tsubstitutes\n", "no column 'end' in the header"),
        (
            "x.csv",
            "sentence;start;end;substitutes\nA cat;0;1;The\n",
            "semicolons between the cells; save the table with commas",
        ),
        ("x.tsv", '"sentence"\t"start"\t"end"\t"substitutes"\n', "in TSV nothing is quoted: save the table as CSV"),
        ("x.tsv", "a\tAn old friend.\t3\t6\tclose\n", "no column 'sentence' in the header"),
        ("x.json", ONE + ', "b": oops}', "not JSON"),
        ("x.json", ONE + "} x", "not JSON"),
        ("x.json", ONE + ', "a": {}}', "a key is there twice"),
    ],
)
def test_bad_headers_of_tsv_and_faults_in_the_json_itself(name: str, content: str, message: str, write: Write) -> None:
    with pytest.raises(FormatError, match=message):
        list(read(write(name, content)))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("[]", "an object is needed: '[]'"),
        ('{"substitute_topk": []}', "Object missing required field `input_words`"),
        ('{"input_words": ["a"], "substitute_topk": {}}', "Expected `array`, got `object`: `substitute_topk`"),
        *(
            (f'{{"input_words": ["a"], "substitute_topk": [{target}]}}', message)
            for target, message in (
                ('["a", 0, 1]', "a target must be [[text, start, end], [suggestion, …]]"),
                ('[["a", false, 1], []]', "a target must be [[text, start, end], [suggestion, …]]"),
                ('[["a", 0, 2], []]', "a span must lie within the 1 words of the sentence"),
                ('[["b", 0, 1], []]', "the words 0 to 1 are 'a', not the text of the target"),
            )
        ),
    ],
)
def test_bad_records_of_sws(record: str, message: str, write: Write) -> None:
    path = write("x.json", f'{{"good": {{"input_words": [], "substitute_topk": []}},\n"bad": {record}}}')
    (fault,) = faults(read(path))
    assert fault.startswith(f"x.json:2: record 'bad': {message}")
    assert json.loads(filtered(read(path), {})) == json.loads(path.read_text())


# All formats


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="check the name"):
        list(read(tmp_path / "no.jsonl"))
    (tmp_path / "x.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="cannot be read"):
        list(read(tmp_path / "x.jsonl.gz"))
    with pytest.raises(InputError, match="name one of jsonl, tsv, csv, parquet, m2, sws"):
        format_of("x.txt")
    with pytest.raises(InputError, match="no such format"):
        read("x.jsonl", "xml")


GOOD = {"jsonl": JSONL, "tsv": TSV, "m2": M2, "csv": PROLEX}


@pytest.mark.parametrize("format_", GOOD)
@given(data=st.data())
def test_the_parts_are_the_file_whatever_is_in_it(
    format_: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A good file with bytes changed, put in and taken out."""
    content = bytearray(GOOD[format_].encode())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=3))
    path = tmp_path_factory.mktemp("files") / "x"
    path.write_bytes(bytes(content))
    try:
        parts = list(read(path, format_))
    except (FormatError, InputError):
        return  # the header, or the beginning of a packed file
    assert filtered(iter(parts), {}).encode("utf-8", "surrogateescape") == bytes(content)
    for part in parts:
        if isinstance(part, Record):
            texts(part)
            part.without(range(len(part.suggestions)))


# The data at hand


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "format_", "count"), [("bea-dev.m2", "m2", 4384), ("scorer-golden/sws_pred_a.json", "sws", 200)]
)
def test_published_files(name: str, format_: str, count: int, data: Path) -> None:
    parts = list(read(data / name, format_))
    assert len(records(iter(parts))) == count
    assert format_ == "sws" or filtered(iter(parts), {}).encode() == (data / name).read_bytes()


@pytest.mark.data
def test_m2_corrections_of_published_edits(data: Path) -> None:
    """Against edits carried out on the tokens, from the last to the first."""
    blocks = (data / "bea-dev.m2").read_text("utf-8").strip().split("\n\n")
    found = records(read(data / "bea-dev.m2"))
    for block, record in zip(blocks, found, strict=True):
        sentence, *edits = block.split("\n")
        words = sentence.split()[1:]
        for line in reversed(edits):
            span, kind, new, *_ = line.split("|||")
            start, end = map(int, span.split()[1:])
            if kind != "noop" and new != "-NONE-":
                words[start:end] = new.split()
        corrections = [s.substitute for s in record.suggestions if "type" not in s.about]
        assert corrections == ([] if not record.suggestions else [" ".join(words)])


# Odd numbers, odd line ends, and records without end

HUGE = "1" * 5000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.tsv", HEADER + "a\tShe left.\t0\t{}\tHe\nb\tShe left.\t0\t3\tHe\n"),
        ("x.jsonl", '{{"sentence": "She left.", "start": 0, "end": {}, "substitutes": []}}\n'
                    '{{"sentence": "She left.", "start": 0, "end": 3, "substitutes": []}}\n'),
        ("x.m2", "S She left\nA 0 {}|||X|||He|||REQUIRED|||-NONE-|||0\n\nS She left\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("number", [HUGE, "-" + HUGE, "²", "1_0", ""])
def test_what_is_no_number_costs_its_record_alone(name: str, content: str, number: str, write: Write) -> None:
    path = write(name, content.format(number))
    parts = list(read(path))
    assert sorted(isinstance(part, BadRecord) for part in parts if not isinstance(part, str)) == [False, True]
    assert "".join(part if isinstance(part, str) else part.raw for part in parts) == content.format(number)


def test_a_line_ends_at_a_line_feed_and_nowhere_else(write: Write) -> None:
    """A cell may hold what Python takes for a line end: \u2028, \x1d, \x85."""
    first, second = records(read(write("x.tsv", HEADER + "a\ta man\t0\t1\tb\u2028c\x1dd\te\x85f\nb\ta dog\t0\t1\tg\n")))
    assert [s.substitute for s in first.suggestions] == ["b\u2028c\x1dd", "e\x85f"]
    assert (second.id, second.line) == ("b", 3)
