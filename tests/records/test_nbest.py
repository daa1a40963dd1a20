"""Files of candidates, in every form, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from usim.errors import FormatError, InputError
from usim.records.nbest import Candidate, CandidateList, read_nbest, read_parallel


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_json_lines(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        '{"source": "He go.", "candidates": ["He goes.", {"text": "He went.", "grammar": 1}, {"text": "He"}]}\n\n'
        '{"source": "I is.", "candidates": ["I am."], "id": 7}\n',
    )
    assert list(read_nbest(path)) == [
        CandidateList(1, "He go.", (Candidate("He goes."), Candidate("He went.", 1.0), Candidate("He"))),
        CandidateList(3, "I is.", (Candidate("I am."),)),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ('{"source": "a"}', "a line must be"),
        ('{"source": "a", "candidates": []}', "one candidate or more"),
        ('{"source": "a", "candidates": [1]}', "a candidate must be"),
        ('{"source": "a", "candidates": [{"text": "b", "grammar": 2}]}', "a candidate must be"),
    ],
)
def test_lines_that_are_wrong(tmp_path: Path, line: str, said: str) -> None:
    path = written(tmp_path / "a.jsonl", f'{{"source": "a", "candidates": ["b"]}}\n{line}\n')
    with pytest.raises(FormatError, match=said) as e:
        list(read_nbest(path))
    assert (e.value.path, e.value.line) == (str(path), 2)


def test_parallel_files(tmp_path: Path) -> None:
    source = written(tmp_path / "s", "He go .\n\nI is .\n")
    first, second = written(tmp_path / "a", "He goes .\n\nI am .\n"), written(tmp_path / "b", "He .\n\nI .\n")
    lists = list(read_parallel(source, [first, second]))
    assert [(one.line, one.source) for one in lists] == [(1, "He go ."), (3, "I is .")]
    assert lists[1].candidates == (Candidate("I am ."), Candidate("I ."))
    with pytest.raises(InputError, match=r"has 3 lines, .* has 1, and they must be parallel"):
        list(read_parallel(source, [written(second, "one\n")]))


def test_tables_have_a_candidate_of_each_system(tmp_path: Path) -> None:
    table = written(tmp_path / "a.csv", 'source,A,B\nHe go.,He goes.,"He, go."\nI is.,I am.,I is.\n')
    assert list(read_nbest(table)) == [
        CandidateList(2, "He go.", (Candidate("He goes."), Candidate("He, go."))),
        CandidateList(3, "I is.", (Candidate("I am."), Candidate("I is."))),
    ]
    m2 = written(tmp_path / "a.m2", "S I is .\nA 1 2|||V|||am|||REQUIRED|||-NONE-|||0\n")
    assert list(read_nbest(m2)) == [CandidateList(1, "I is .", (Candidate("I am ."),))]
    with pytest.raises(FormatError, match="2 cells, and 3 are needed: source, A, B"):
        list(read_nbest(written(table, "source,A,B\nHe go.,He goes.\n")))
