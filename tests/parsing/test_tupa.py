"""TUPA as a parser, with a worker that plays its part."""

import pickle
import sys
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.support.flat import Flat
from usim.errors import ParsingError
from usim.parsing import load

#: Answers as TUPA's worker does: with a flat graph, with an error for *fail*; at *end* it is gone.
WORKER = f"""#!{sys.executable}
import json, os, sys, time
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.support.flat import Flat
from usim.ucca import to_xml
print("loading", sys.argv[-1], file=sys.stderr)
with open(sys.argv[-1] + ".starts", "a") as starts:
    starts.write("x")
print("{{}}", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "end" in asked["tokens"]:
        os.close(1)  # as TUPA's worker: its answers end before it has said why
        time.sleep(0.3)
        sys.exit("out of memory")
    if "fail" in asked["tokens"]:
        answer = {{"error": "ValueError: no"}}
    else:
        tokens = ["other"] if "odd" in asked["tokens"] else asked["tokens"]
        answer = {{"xml": to_xml(Flat().parse([tokens], ids=[asked["id"]])[0])}}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    python = tmp_path / "python"
    python.write_text(WORKER)
    python.chmod(0o755)
    (tmp_path / "small.json").write_text("{}")
    monkeypatch.setenv("USIM_TUPA_PYTHON", str(python))
    return tmp_path / "small"


def test_sentences_and_tokens(model: Path) -> None:
    parser = load(f"tupa:{model}")
    assert parser.name == "tupa:small"
    graphs = parser.parse(["He didn't go.", ["a", "b c"], ""], ids=["x", "y", "z"])
    assert [list(graph.tokens) for graph in graphs] == [["He", "did", "n't", "go", "."], ["a", "b c"], []]
    assert [graph.id for graph in graphs] == ["x", "y", "z"]
    assert graphs[1] == Flat().parse([["a", "b c"]], ids=["y"])[0]
    assert model.with_suffix(".starts").read_text() == "x"  # the model is loaded once
    assert pickle.loads(pickle.dumps(parser)).parse(["a"])[0].id == "000001"


def test_what_can_go_wrong(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = load(f"tupa:{model}")
    with pytest.raises(ParsingError, match=r"TUPA failed on a sentence \(ValueError: no\): 'fail'"):
        parser.parse(["fail"])
    with pytest.raises(ParsingError, match="graph of other tokens"):
        parser.parse(["odd"])
    with pytest.raises(ParsingError, match=r"TUPA ended; it said last:\n(?s:.*)out of memory"):
        parser.parse(["end"])
    assert len(parser.parse(["again"])) == 1  # it is started anew
    with pytest.raises(ParsingError, match="leave the choice out"):
        load(f"tupa:{model}", guidelines=1)
    with pytest.raises(ParsingError, match=r"no TUPA model here: give the path of its \.json"):
        load(f"tupa:{model}er")
    monkeypatch.delenv("USIM_TUPA_PYTHON")
    with pytest.raises(ParsingError, match="USIM_TUPA_PYTHON must name the Python"):
        load(f"tupa:{model}")


def test_raw_text_is_scored_by_one_command(model: Path) -> None:
    done = usim_here(
        "score", "--parser", f"tupa:{model}", "--judge", "usim", "--format", "json", "--text", "He left.", "He left."
    )
    assert done.returncode == 0, done.stderr
    assert "tupa" in done.stdout
