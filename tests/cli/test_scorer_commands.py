"""``usim sws``, ``usim prolex``, ``usim swords``: formats, warnings, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.command import usim_here
from tests.support.benchmarks import GOLD_OF_SWORDS, PROLEX, SWORDS, SWS, SWS_FOUND, WORDS

FILES = {
    "sws.json": SWS,
    "sws-found.json": SWS_FOUND,
    "sws-none.json": {"s": {"input_words": WORDS, "substitute_topk": []}},
    "swords.json": SWORDS,
    "swords-gold.json": GOLD_OF_SWORDS,
    "swords-found.json": {"t": [["fast", 2], ["slow", 1]], "u": [["unhappy", 1]]},
    "swords-some.json": {"t": [["fast", 1]]},
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the lines of the tests name."""
    monkeypatch.chdir(tmp_path)
    for name, value in FILES.items():
        Path(name).write_text(json.dumps(value), encoding="utf-8")
    Path("prolex.csv").write_text(PROLEX, encoding="utf-8")
    Path("prolex-found.oot").write_text("cause.V 0 ::: produce;lead\n", encoding="utf-8")


def run(line: str, stdin: str = "") -> tuple[int, str, str]:
    """Run ``usim``; return the exit code, standard output and standard error."""
    done = usim_here(*line.split(), stdin=stdin)
    return done.returncode, done.stdout, done.stderr


def record(line: str) -> dict[str, Any]:
    """Return the JSON of a command that succeeds."""
    code, out, _ = run(f"{line} --format json")
    assert code == 0
    value: dict[str, Any] = json.loads(out)
    return value


class Scored(NamedTuple):
    """A command with its files, and the value of one of its figures."""

    command: str
    gold: str
    found: str
    figure: str
    value: float

    @property
    def line(self) -> str:
        return f"{self.command} {self.gold} {self.found}"


COMMANDS = [
    Scored("sws", "sws.json", "sws-found.json", "p_detection", 0.5),
    Scored("prolex", "prolex.csv", "prolex-found.oot", "hard_acceptable_p@10", 0.5),
    Scored("swords", "swords.json", "swords-found.json", "lenient_a_p@10", 200 / 3),
]
each_command = pytest.mark.parametrize("case", COMMANDS, ids=[case.command for case in COMMANDS])


@each_command
def test_json_has_figures_intervals_and_signature(case: Scored) -> None:
    code, out, err = run(f"{case.line} --format json --resamples 50")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert result["benchmark"] == case.command
    assert result["figures"][case.figure] == pytest.approx(case.value)
    assert result["signature"].startswith(f"usim|{case.command}|")
    assert "|bs:50|" in result["signature"]
    assert set(result["intervals"]) == set(result["figures"])
    assert record(f"{case.line} --resamples 50") == result
    piped = run(f"{case.command} {case.gold} - --format json --resamples 50", stdin=Path(case.found).read_text())
    assert json.loads(piped[1]) == result


@each_command
def test_tsv_has_full_precision_and_text_ends_with_the_signature(case: Scored) -> None:
    rows = [row.split("\t") for row in run(f"{case.line} --resamples 0 --format tsv")[1].splitlines()]
    assert rows[0] == ["figure", "value", "low", "high"]
    assert {len(row) for row in rows} == {4}
    assert float(next(row[1] for row in rows if row[0] == case.figure)) == pytest.approx(case.value, abs=1e-12)
    assert rows[-1][0] == "signature"
    text = run(f"{case.line} --resamples 0")[1].splitlines()
    assert text[-1] == rows[-1][1]
    assert any(line.startswith(case.figure) for line in text)


@each_command
def test_what_cannot_be_read_is_named_and_exits_with_2(case: Scored) -> None:
    for line in (f"missing {case.found}", f"{case.gold} missing"):
        code, out, err = run(f"{case.command} {line}")
        assert (code, out) == (2, "")
        assert "missing" in err
        assert "Traceback" not in err
    assert run(f"{case.command} - {case.found}")[0] == 2
    assert run(case.command)[0] == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sws sws.json", "Missing argument 'PRED'"),
        ("prolex prolex.csv prolex-found.oot -k 0", "-k"),
        ("swords swords-gold.json swords-found.json --list out.tsv", "add --screen"),
    ],
)
def test_bad_usage(line: str, message: str) -> None:
    code, _, err = run(line)
    assert code == 2
    assert message in err


def test_figures_that_are_not_defined_are_null() -> None:
    assert record("sws sws.json sws-none.json")["figures"]["p_detection"] is None
    assert run("sws sws.json sws-none.json")[1].splitlines()[0].split() == ["p_detection", "–"]


def test_prolex_says_its_lemmatiser() -> None:
    assert "lemma:wordnet-3.0+first-word" in run("prolex prolex.csv prolex-found.oot")[1]


def test_swords_warns_of_targets_without_a_prediction() -> None:
    code, out, err = run("swords swords.json swords-some.json -k 3 --format json")
    assert code == 0
    assert "1 of 2 targets have no prediction" in err
    assert json.loads(out)["figures"]["strict_a_r@3"] == 50
