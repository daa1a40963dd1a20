"""TUPA as a parser: the bridge, with a small program in TUPA's place, and TUPA itself wherever there is a Python 3.7.

Where the environment variable ``USIM_TUPA_ENV`` names an environment, the test of TUPA itself uses that and does not
build one.
"""

import glob
import json
import logging
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parsers.tupa.setup import SetupError, build, main
from tests.brackets import graph_of
from usim.cli import main as usim
from usim.errors import ParsingError
from usim.parsing import Parser, load
from usim.parsing.tupa import TupaParser, default_environment
from usim.ucca import read_xml, write_xml

pytestmark = pytest.mark.slow

# -- the bridge ------------------------------------------------------------------------------------------------------

#: Makes flat graphs, and does odd things for some words. It keeps what it did in a file, to do it once if asked to.
STAND_IN = r"""
import json, os, subprocess, sys, time

log = sys.argv[1]

def send(message):
    print(json.dumps(message), flush=True)

with open(log, "a") as file:
    file.write("start\n")
print("loading a model", file=sys.stderr, flush=True)
send({"ready": {}})
for line in sys.stdin:
    request = json.loads(line)
    words = [word for word, _ in request["tokens"]]
    with open(log, "a", encoding="utf-8") as file:
        file.write(" ".join(words) + "\n")
    asked = open(log, encoding="utf-8").read().splitlines().count(" ".join(words))
    if "die" in words or ("stumble" in words and asked == 1):
        print("out of memory, says the model", file=sys.stderr, flush=True)
        os._exit(3)
    if "kill" in words:
        os.kill(os.getpid(), 9)
    if "hang" in words:
        print("thinking hard", file=sys.stderr, flush=True)
        time.sleep(60)
    if "babble" in words:
        print("Loading... 100%", flush=True)
    if "list" in words:
        print("[]", flush=True)
    if "shift" in words:
        request["id"] += 1
    if "slow" in words:
        time.sleep(0.5)
    if "fail" in words:
        send({"id": request["id"], "error": "ValueError: no valid action", "traceback": "Traceback\n  line 1\nValueError"})
        continue
    units = [[[], False, False]] + [[[i], False, punct] for i, (_, punct) in enumerate(request["tokens"])]
    edges = [[0, i + 1, ["U" if punct else "H"], False, False] for i, (_, punct) in enumerate(request["tokens"])]
    if "leave" in words:
        units, edges = units[:-1], edges[:-1]
    if "cycle" in words:
        edges[0][0] = 1
    if "outside" in words:
        units[1][0] = [99]
    if "short" in words:
        units[1] = [0]
    if "nothing" in words:
        units = []
    remarks = ["gave up after 100 actions"] if "remark" in words else []
    send({"id": request["id"], "units": units, "edges": edges, "remarks": remarks})
"""

Start = Callable[..., TupaParser]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """What the stand-in notes: its starts and the sentences that it was asked for."""
    return tmp_path / "log"


@pytest.fixture
def stand_in(tmp_path: Path, log: Path) -> Iterator[Start]:
    """A function that gives a parser with the stand-in in TUPA's place; all are ended when the test is over."""
    program = tmp_path / "stand_in.py"
    program.write_text(STAND_IN)
    with_them: list[TupaParser] = []

    def start(**options: float) -> TupaParser:
        command = [sys.executable, "-I", str(program), str(log)]
        with_them.append(TupaParser("some/model", command=command, **{"timeout": 20, **options}))
        return with_them[-1]

    yield start
    for parser in with_them:
        parser.close()


def test_graphs_have_usims_tokens_and_the_ids_that_are_given(stand_in: Start) -> None:
    parser = stand_in()
    assert isinstance(parser, Parser)
    assert parser.name == "tupa:model"
    text, tokens, empty = parser.parse(["I don't.", ["I", "don't", "."], "  "], ids=["a", "b", "c"])
    assert str(text) == "[H I] [H do] [H n't] [U .]"
    assert str(tokens) == "[H I] [H don't] [U .]"
    assert empty.tokens == ()
    assert [graph.id for graph in (text, tokens, empty)] == ["a", "b", "c"]
    assert [terminal.is_punct for terminal in tokens.terminals] == [False, False, True]


def test_any_text_of_any_length_goes_over_the_wire(stand_in: Start) -> None:
    tokens = ("\x00", "\u2028", "", '"\\', "日本", "\ud800", "😀")
    assert [graph.tokens for graph in stand_in().parse([tokens, tokens * 7000])] == [tokens, tokens * 7000]


def test_the_program_starts_with_the_first_sentence_and_stays_up_until_it_is_closed(stand_in: Start, log: Path) -> None:
    with stand_in() as parser:
        assert not log.exists()
        parser.parse(["a", "b"])
        parser.parse(["c"])
    parser.parse(["d"])
    assert log.read_text().splitlines() == ["start", "a", "b", "c", "start", "d"]


def test_a_program_that_dies_is_started_again_and_asked_again(stand_in: Start, log: Path) -> None:
    parser = stand_in()
    assert [graph.text() for graph in parser.parse(["a", "stumble", "b"])] == ["a", "stumble", "b"]
    assert log.read_text().splitlines() == ["start", "a", "stumble", "start", "stumble", "b"]
    running = parser._workers[0].start().process  # and so is one that dies between two sentences
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert parser.parse(["c"])[0].tokens == ("c",)
    assert log.read_text().splitlines()[-2:] == ["start", "c"]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("die", r"died over a sentence, twice: .*exit code 3\nwhat it wrote .*\nout of memory, says the model"),
        ("kill", "died over a sentence, twice: .*SIGKILL"),
        ("hang", "no answer within 1 seconds and was ended.*thinking hard"),
        ("fail", r"TUPA failed: ValueError: no valid action\nTraceback\n  line 1\nValueError"),
        ("babble", "does not speak the protocol: it wrote 'Loading... 100%"),
        ("list", r"does not speak the protocol: it wrote '\[\]"),
        ("shift", "does not speak the protocol: an answer to 3, where 2 was asked"),
        ("cycle", "TUPA's answer is not a UCCA graph"),
        ("outside", "TUPA's answer is not a"),
        ("short", "TUPA's answer is not a graph"),
        ("nothing", "TUPA's answer is not a"),
    ],
)
def test_a_sentence_that_fails_is_named_and_the_next_is_parsed(
    stand_in: Start, log: Path, word: str, says: str
) -> None:
    parser = stand_in(timeout=1 if word == "hang" else 20)
    start = time.monotonic()
    with pytest.raises(ParsingError, match=f"(?s){says}") as e:
        parser.parse(["a", f"{word} it"])
    assert e.value.text == f"{word} it"
    assert time.monotonic() - start < 20  # it hangs for 60
    assert parser.parse(["b"])[0].tokens == ("b",)
    if word == "fail":  # the program itself goes on
        assert log.read_text().splitlines() == ["start", "a", "fail it", "b"]


def test_what_the_root_must_hold_and_remarks_are_logged(stand_in: Start, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        graph, _ = stand_in().parse(["we leave home", "remark"])
    assert str(graph) == "[H we] [H leave] home"
    assert "TUPA left 1 of 3 tokens out of its graph of 'we leave home'" in caplog.text
    assert "TUPA about 'remark': gave up after 100 actions" in caplog.text


def test_several_processes_share_the_sentences(stand_in: Start, log: Path) -> None:
    parser = stand_in(threads=2)
    sentences = [f"slow {i}" for i in range(4)]
    assert [graph.text() for graph in parser.parse(sentences)] == sentences
    assert log.read_text().splitlines().count("start") == 2
    with pytest.raises(ParsingError, match="no valid action"):
        parser.parse(["a", "fail", "b"])


def test_a_parser_can_be_sent_to_another_process(stand_in: Start) -> None:
    parser = stand_in()
    parser.parse(["a"])
    with pickle.loads(pickle.dumps(parser)) as copy:
        assert copy.parse(["b"])[0].tokens == ("b",)


def test_a_program_that_is_forgotten_ends(stand_in: Start, tmp_path: Path, log: Path) -> None:
    parser = TupaParser("m", command=[sys.executable, "-I", str(tmp_path / "stand_in.py"), str(log)])
    parser.parse(["a"])
    process = parser._workers[0].start().process
    del parser
    assert process.wait(20) == -signal.SIGKILL


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import sys; sys.exit('no such module')", r"TUPA did not start: exit code 1\n.*\nno such module"),
        ("print('Hello', flush=True)", r"TUPA does not speak the protocol: it wrote 'Hello"),
        ("""print('{"error": "IOError: no model", "traceback": "Trace"}')""", r"start: IOError: no model\nTrace"),
        ("import time; time.sleep(60)", "TUPA was not ready within 1 seconds and was ended"),
        (None, r"TUPA cannot be started: .*No such file"),
    ],
)
def test_a_program_that_does_not_start(code: str | None, says: str) -> None:
    command = [sys.executable, "-I", "-c", code] if code else ["/nowhere/python"]
    with pytest.raises(ParsingError, match=says):
        TupaParser("m", command=command, start_timeout=1 if code and "sleep" in code else 20).parse(["a"])


# -- finding the model and the environment ---------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """What usim looks at of a model before TUPA loads it: that one file is there."""
    (tmp_path / "ucca-bilstm.json").write_text("{}")
    return tmp_path / "ucca-bilstm"


def test_no_model_or_environment_says_how_to_build_one(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("USIM_TUPA_ENV", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_environment() == tmp_path / "usim" / "tupa"
    with pytest.raises(ParsingError, match=r"no TUPA model here.*there is no m\.json"):
        load(f"tupa:{tmp_path / 'm'}")
    with pytest.raises(ParsingError, match="leave the choice out"):
        load(f"tupa:{model}", guidelines=1)
    with pytest.raises(ParsingError, match=r"python -m parsers\.tupa\.setup --python PYTHON3\.7 --env .*usim/tupa"):
        load(f"tupa:{model}")


def test_where_the_environment_is(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "python").touch()
    monkeypatch.setenv("USIM_TUPA_ENV", str(tmp_path / "a"))
    assert TupaParser(model)._workers[0].command[0] == str(tmp_path / "a" / "bin" / "python")
    assert TupaParser(model, environment=tmp_path / "b")._workers[0].command[0] == str(tmp_path / "b/bin/python")
    assert TupaParser(f"{model}.json").name == "tupa:ucca-bilstm"


@pytest.mark.parametrize("value", ["soon", "0", "-1", "nan"])
def test_the_time_out_must_be_a_number(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("USIM_TUPA_ENV", sys.prefix)
    monkeypatch.setenv("USIM_TUPA_TIMEOUT", value)
    with pytest.raises(ParsingError, match="USIM_TUPA_TIMEOUT must be a number of seconds"):
        TupaParser(model)
    monkeypatch.setenv("USIM_TUPA_TIMEOUT", "7.5")
    assert TupaParser(model)._workers[0].timeout == 7.5


def test_the_worker_says_what_is_missing(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker itself, in an environment that has no TUPA: this one."""
    if shutil.which("python3") is None or _imports(sys.executable, "tupa"):
        pytest.skip("TUPA can be imported here")
    monkeypatch.setenv("USIM_TUPA_ENV", sys.prefix)
    with TupaParser(model) as parser, pytest.raises(ParsingError, match=r"(?s)did not start: .*Error.*Traceback"):
        parser.parse(["a"])


# -- the set-up ------------------------------------------------------------------------------------------------------


def test_the_set_up_wants_a_python_3_7(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SetupError, match=r"is Python 3\.1\d: TUPA's packages are there for Python 3\.7 alone"):
        build(sys.executable, tmp_path / "env")
    assert main(["--python", "/nowhere/python", "--env", str(tmp_path / "env")]) == 2
    assert "/nowhere/python: No such file" in capsys.readouterr().err
    assert not (tmp_path / "env").exists()


# -- TUPA itself -----------------------------------------------------------------------------------------------------


def _imports(python: str, what: str) -> bool:
    return subprocess.run([python, "-c", f"import {what}"], capture_output=True, check=False).returncode == 0


def _python37() -> str | None:
    """A Python 3.7 on the path, or among those of pyenv."""
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    for python in (shutil.which("python3.7"), *sorted(glob.glob(f"{root}/versions/3.7.*/bin/python"))):
        if python and _imports(python, "venv, ensurepip"):
            return python
    return None


def tupa(environment: str, folder: Path, *options: str) -> None:
    """TUPA's own command."""
    done = subprocess.run(
        [f"{environment}/bin/python", "-m", "tupa", *options],
        cwd=folder,
        env={**os.environ, "SPACY_MODEL_EN": "en_blank", "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


NAMES, VERBS = "John Mary Anna Peter".split(), "sees likes helps".split()


def test_a_tupa_model_trained_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From nothing to a score: build the environment, train a model on graphs made here, parse with it, kill it."""
    environment = os.environ.get("USIM_TUPA_ENV")
    if not environment:
        python = _python37()
        if python is None:
            pytest.skip("no Python 3.7 was found (python3.7 on the path, or pyenv), which TUPA needs")
        environment = str(tmp_path / "env")
        assert main(["--python", python, "--env", environment]) == 0, capsys.readouterr().err
        assert capsys.readouterr().out == f"export USIM_TUPA_ENV={environment}\n"
        monkeypatch.setenv("USIM_TUPA_ENV", environment)

    # All sentences of two names and a verb, but for some that are kept to be parsed.
    sentences = [
        graph_of(f"[H [A {a}] [P {verb}] [A {b}]] [U .]", id=f"{a}-{verb}-{b}")
        for verb in VERBS
        for a in NAMES
        for b in NAMES
        if a != b
    ]
    kept, trained = sentences[::6], [s for i, s in enumerate(sentences) if i % 6]
    (tmp_path / "train").mkdir()
    for graph in trained:
        write_xml(graph, tmp_path / "train" / f"{graph.id}.xml")
    model = tmp_path / "small"
    tupa(environment, tmp_path, "-m", str(model), "-t", "train", "-c", "sparse", "-I", "2")

    # What TUPA's own command makes of the other sentences, is what comes over the bridge.
    (tmp_path / "kept").mkdir()
    for graph in kept:
        write_xml(graph, tmp_path / "kept" / f"{graph.id}.xml")
    tupa(environment, tmp_path, "kept", "-m", str(model), "-o", "out")
    expected = [read_xml(tmp_path / "out" / f"{graph.id}.xml") for graph in kept]
    assert [graph.tokens for graph in expected] == [graph.tokens for graph in kept]
    assert all(len(graph.edges) >= len(graph.tokens) for graph in expected), "the model has learnt nothing to compare"
    with load(f"tupa:{model}") as parser:
        assert isinstance(parser, TupaParser)
        graphs = parser.parse([graph.text() for graph in kept], ids=[graph.id for graph in kept])
        assert graphs == expected
        # Sentences that it knows nothing about, each of another shape: whatever it makes of them is a graph of them.
        strange = ["Zoë , who left , cannot (yet) return !", "\x01 \ud800", "?", "the " * 60, ""]
        assert [list(graph.tokens) for graph in parser.parse([s.split(" ") for s in strange])] == [
            s.split(" ") for s in strange
        ]
        # Killed between two sentences, it comes back.
        process = parser._workers[0].start().process
        process.kill()
        process.wait()
        assert parser.parse(["Mary helps John ."])[0].text() == "Mary helps John ."
        assert parser._workers[0].start().process.pid != process.pid

    text = tmp_path / "text"
    text.write_text("".join(f"{graph.text()}\n" for graph in kept))
    usim(["score", str(text), str(text), "--parser", f"tupa:{model}", "--format", "json"])
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["mean"] == 1.0
    assert "parser:tupa:small" in summary["signature"]

    # A model that asks for a spaCy model that is not there, as published models do in a fresh environment.
    (tmp_path / "small.nlp.json").write_text('{"en": "en_core_web_sm"}')
    if not _imports(f"{environment}/bin/python", "en_core_web_sm"):
        with load(f"tupa:{model}") as parser, pytest.raises(ParsingError, match="-m spacy download en_core_web_sm"):
            parser.parse(["a"])
