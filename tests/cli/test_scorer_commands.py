"""``usim sws``, ``usim prolex``, ``usim swords``: formats, warnings, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def record(line: str, stdin: str = "") -> dict[str, Any]:
    """Return the JSON of a command that succeeds."""
    code, out, _ = run(f"{line} --format json", stdin)
    assert code == 0
    value: dict[str, Any] = json.loads(out)
    return value


@pytest.mark.parametrize(
    ("command", "gold", "found", "figure", "value", "shown"),
    [
        ("sws", "sws.json", "sws-found.json", "p_detection", 0.5, ".5000"),
        ("prolex", "prolex.csv", "prolex-found.oot", "hard_acceptable_p@10", 0.5, ".5000"),
        ("swords", "swords.json", "swords-found.json", "lenient_a_p@10", 200 / 3, "66.67"),
    ],
)
def test_figures_intervals_and_signature(
    command: str, gold: str, found: str, figure: str, value: float, shown: str
) -> None:
    result = record(f"{command} {gold} {found}")
    assert result["benchmark"] == command
    assert result["figures"][figure] == pytest.approx(value)
    assert result["signature"].startswith(f"usim|{command}|")
    assert "|bs:1000|" in result["signature"]
    assert set(result["intervals"]) == set(result["figures"])
    assert record(f"{command} {gold} -", Path(found).read_text()) == result
    text = run(f"{command} {gold} {found}")[1].splitlines()
    assert text[-1] == result["signature"]
    assert next(line.split()[:2] for line in text if line.startswith(figure)) == [figure, shown]
    for files in (f"missing {found}", f"{gold} missing", f"- {found}", gold):
        code, out, err = run(f"{command} {files}")
        assert (code, out) == (2, "")
        assert "missing" in err.lower() or files[0] == "-"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sws sws.json", "Missing argument 'PRED'"),
        ("swords swords-gold.json swords-found.json --inflect", "add --screen"),
    ],
)
def test_bad_usage(line: str, message: str) -> None:
    code, _, err = run(line)
    assert code == 2
    assert message in err


def test_figures_that_are_not_defined_are_null() -> None:
    assert record("sws sws.json sws-none.json")["figures"]["p_detection"] is None
    assert run("sws sws.json sws-none.json")[1].splitlines()[2].split() == ["p_detection", "–"]


def test_prolex_says_its_lemmatiser() -> None:
    assert "lemma:wordnet-3.0+first-word" in run("prolex prolex.csv prolex-found.oot")[1]


def test_swords_warns_of_targets_without_a_prediction() -> None:
    code, out, err = run("swords swords.json swords-some.json --format json")
    assert code == 0
    assert "1 of 2 targets have no prediction" in err
    assert json.loads(out)["figures"]["strict_a_r@10"] == 50
