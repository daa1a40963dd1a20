"""Files of candidates, in every form, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from usim.errors import FormatError, InputError
from usim.records.nbest import Candidate, CandidateList, format_of, read_nbest, read_parallel


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


def test_moses(tmp_path: Path) -> None:
    sources = written(tmp_path / "a.src", "He go .\nI is .\n")
    path = written(
        tmp_path / "a.best2",
        "0 ||| He |0-0| goes |1-1| . |2-2|  ||| LM0= -1 ||| -0.5\n0 ||| He go . ||| LM0= -2 ||| -0.7\n1 ||| I am . \n",
    )
    assert format_of(path) == "moses"
    assert list(read_nbest(path, sources=sources)) == [
        CandidateList(1, "He go .", (Candidate("He goes ."), Candidate("He go ."))),
        CandidateList(3, "I is .", (Candidate("I am ."),)),
    ]
    with pytest.raises(InputError, match="need the file of the sources: --source FILE"):
        read_nbest(path)
    for text, said in (
        ("2 ||| a", "source 2, and"),
        ("0 ||| a\n1 ||| b\n0 ||| c", "source 0 again"),
        ("0 ||| a\nb", "a line must be"),
    ):
        with pytest.raises(FormatError, match=said):
            list(read_nbest(written(path, text), sources=sources))


def test_fairseq(tmp_path: Path) -> None:
    path = written(
        tmp_path / "gen.out",
        "S-1\tI is .\nH-1\t-0.25\tI am .\nD-1\t-0.25\tI am .\nP-1\t-0.1 -0.2\nH-1\t-1e-05\tI is .\n"
        "S-0\tHe go .\nH-0\t-0.5\tHe goes .\n| Generate test with beam=5\n",
    )
    assert format_of(path) == "fairseq"
    assert list(read_nbest(path)) == [
        CandidateList(6, "He go .", (Candidate("He goes ."),)),
        CandidateList(1, "I is .", (Candidate("I am ."), Candidate("I is ."))),
    ]
    with pytest.raises(InputError, match="leave --source out"):
        read_nbest(path, sources=path)
    with pytest.raises(FormatError, match="a candidate before its source S-3"):
        list(read_nbest(written(path, "H-3\t-0.5\tHe .\n"), "fairseq"))


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
