"""``usim check``: what Harper suggests, screened."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.command import usim, usim_here
from tests.documents.word import p, word_file
from tests.serve.languagetool_stub import running_stub
from usim.checkers._harper import HarperChecker
from usim.screen import Screen

pytestmark = pytest.mark.model

Write = Callable[[str, str], Path]
#: Whatever is suggested is kept.
KEEP_ALL = ("--judge", "usim", "--drop", "0", "--keep", "0")
TEXT = "# Notes\r\n\r\nShe have two cats.\r\nHe dont likes it.\r\n"


@pytest.fixture(scope="module", autouse=True)
def _one_harper() -> Iterator[None]:
    """Let the commands of this process share Harper's, which takes longer to start than to check these texts."""
    with mock.patch("usim.checkers._harper.HarperChecker", return_value=HarperChecker()):
        yield


@pytest.fixture
def file(write: Write) -> Path:
    return write("notes.txt", TEXT)


def test_suggestions_stand_in_the_text(file: Path) -> None:
    done = usim_here("check", file)
    assert done.returncode == 0
    assert "  She [-have-]{+has+} two cats.\n" in done.stdout
    assert done.stdout.startswith(f"{file}:3:1\n")
    assert "(PronounVerbAgreement)\n      keep   0." in done.stdout
    assert "\x1b" not in done.stdout
    assert "drop" not in done.stdout
    shown = usim_here("check", file, "--all", "--keep", "0.7", "--drop", "0.3").stdout
    dropped = [line for line in shown.splitlines() if line.startswith("      drop")]
    assert any(len(line.split()) > 3 for line in dropped)  # with a reason
    assert "1 file, " in done.stderr


def test_word_files_are_checked_and_not_written(tmp_path: Path) -> None:
    path = word_file(tmp_path / "notes.docx", p("Notes") + p("She have two cats."))
    assert "  She [-have-]{+has+} two cats.\n" in usim_here("check", path).stdout
    done = usim_here("check", path, "--fix")
    assert done.returncode == 2
    assert f"{path}: --fix writes plain text" in done.stderr
    assert not done.stdout


def test_a_misspelt_comparative_is_corrected_in_its_degree(write: Write) -> None:
    path = write("a.txt", "She gets up earlyer. It was the Happyest day. He saw the teecher.")
    records = [json.loads(line) for line in usim_here("check", path, "--format", "jsonl").stdout.splitlines()]
    offered = {record["text"]: {each["substitute"] for each in record["suggestions"]} for record in records}
    assert "earlier" in offered["earlyer"]
    assert "Happiest" in offered["Happyest"]
    assert offered["earlyer"].isdisjoint({"early", "earliest"})
    assert offered["Happyest"].isdisjoint({"Happier", "happier", "Happy"})
    assert "teacher" in offered["teecher"]


def test_records(file: Path, write: Write) -> None:
    other = write("b.txt", "Fine.")
    done = usim_here("check", file, other, "--format", "jsonl", "--judge", "usim")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    has = next(record for record in records if record["rule"] == "PronounVerbAgreement")
    assert (has["file"], has["line"], has["column"], has["text"]) == (str(file), 3, 5, "have")
    assert TEXT[has["start"] : has["end"]] == "have"
    assert [one["substitute"] for one in has["suggestions"]] == ["has"]
    whole = json.loads(usim_here("check", file, other, "--format", "json", "--judge", "usim").stdout)
    assert whole["results"] == records
    assert whole["summary"]["files"] == 2
    assert "judge:usim" in whole["summary"]["signature"]


def test_what_is_kept_is_applied(file: Path, tmp_path: Path) -> None:
    done = usim_here("check", file, "--fix")
    assert "She has two cats.\r\n" in done.stdout
    assert " made\n" in done.stderr
    assert file.read_bytes() == TEXT.encode()
    output = tmp_path / "fixed.txt"
    assert usim_here("check", file, "--fix", "-o", output).stdout == ""
    assert b"# Notes\r\n\r\nShe has two cats.\r\n" in output.read_bytes()


@pytest.mark.parametrize(("options", "fixed"), [((), 0), (("--picky",), 1), (("--enable-rule", "Excellent"), 1)])
def test_words_that_are_right_are_replaced_only_if_style_is_asked_for(
    write: Write, options: tuple[str, ...], fixed: int
) -> None:
    texts = ("She has a very good plan.\n", "She has an excellent plan.\n")
    path = write("a.txt", texts[0].replace("has", "have"))
    assert "excellent" in usim_here("check", path, *KEEP_ALL).stdout
    assert usim_here("check", path, "--fix", *KEEP_ALL, *options).stdout == texts[fixed]


def test_a_name_is_left_alone_and_an_article_fits_what_is_put_in(write: Write) -> None:
    path = write("letter.txt", "My dog Bobo likes bones. It was a eccelent film, and I saw an beautifull play.")
    fixed = usim_here("check", path, "--fix").stdout
    assert fixed == "My dog Bobo likes bones. It was an excellent film, and I saw a beautiful play."
    path.write_text("Dear Mrs Qubowska,\n\nI saw the Kowalczyl film.\n\nKind regards,\nBobo A. Kowalczyk\n")
    done = usim_here("check", path, "--format", "jsonl", "--judge", "usim")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == ["Kowalczyl"]


def test_a_verb_agrees_with_what_its_noun_becomes(write: Write) -> None:
    path = write("a.txt", "The informations was useful.")
    assert usim_here("check", path, "--fix").stdout == "The information was useful."


def test_what_is_found_is_written_while_the_rest_is_screened(write: Write) -> None:
    """And what is too long is refused before anything is done."""
    path = write("long.txt", "She have two cats. " * 400)
    written: list[str] = []
    screen_texts = Screen.screen_texts

    def watched(self: Screen, texts: Any) -> Iterator[Any]:
        for k, each in enumerate(screen_texts(self, texts)):
            if k == 390:
                written.append(sys.stdout.buffer.getvalue().decode())  # type: ignore[attr-defined]
            yield each

    with mock.patch.object(Screen, "screen_texts", watched):
        assert usim_here("check", path, "--judge", "usim").returncode == 0
    assert written[0].count("[-have-]") > 300
    path.write_text("word " * 200_001)
    done = usim_here("check", path)
    assert done.returncode == 2
    assert f"{path}: 1,000,005 characters, and 1,000,000 are the most: check it in parts" in done.stderr


def test_gates(write: Write) -> None:
    fine, wrong = write("a.txt", "She has two cats.\n"), write("b.txt", "She have two cats.\n")
    assert usim_here("check", wrong, *KEEP_ALL).returncode == 0
    assert usim_here("check", fine, "--fail-on", "any", *KEEP_ALL).returncode == 0
    for gate in ("keep", "review", "any"):
        assert usim_here("check", fine, wrong, "--fail-on", gate, *KEEP_ALL).returncode == 1
    rule = ("--disable-rule", "PronounVerbAgreement", "--disable-rule", "LearnerAgreement")
    assert usim_here("check", wrong, "--fail-on", "any", *rule, *KEEP_ALL).returncode == 0


def test_files_that_cannot_be_read(file: Path, tmp_path: Path, write: Write) -> None:
    bad = write("bad.txt", "one\n\udcff\n")
    done = usim_here("check", tmp_path / "missing.txt", tmp_path, bad, file, "--judge", "usim")
    assert done.returncode == 2
    assert "[-have-]" in done.stdout
    warnings = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(warnings) == 3
    assert "bad.txt:2: not UTF-8" in warnings[2]


@pytest.mark.parametrize("options", [("--fix", "--format", "json"), ("--fix", "other.txt")])
def test_wrong_usage(file: Path, options: tuple[str, ...]) -> None:
    assert usim_here("check", file, *options).returncode == 2
    assert file.read_bytes() == TEXT.encode()


def test_without_harper(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usim.checkers._harper.HarperChecker", HarperChecker)
    monkeypatch.setitem(sys.modules, "harper", None)
    done = usim_here("check", file)
    assert done.returncode == 2
    assert done.stderr == "usim: Harper needs the extra harper: pip install harper-py\n"


def test_a_server_of_languagetool(write: Write) -> None:
    path = write("a.txt", "This is a tset of it.")
    with running_stub() as stub:
        done = usim_here("check", path, "--languagetool", stub.url, "--all")
        assert "This is a [-tset-]" in done.stdout
        assert "  test\n" in done.stdout
        assert "set   “tset” became “set”, but probably “test” was meant" in done.stdout
        path.write_text("This is a tset of it. She have a dog.")
        beside = usim_here("check", path, "--languagetool", stub.url, "--harper", "--format", "json", "--judge", "usim")
        assert [each["rule"] for each in json.loads(beside.stdout)["results"]] == ["SpellCheck", "PronounVerbAgreement"]
        path.write_text("Fine.\n\nThis is a tset " + "and so on " * 1_000 + ".\n")
        giant = usim_here("check", path, "--languagetool", stub.url, "--format", "json", "--judge", "usim")
        assert [each["suggestions"] for each in json.loads(giant.stdout)["results"]] == [[]]
        message = "a sentence or a suggestion is too long to be judged; suggestions are left out"
        assert f"{path}:3: {message}" in giant.stderr
        german = usim_here("check", path, "--languagetool", stub.url, "--language", "de-DE")
        assert german.returncode == 2
        assert "another language (de-DE)" in german.stderr
    down = usim_here("check", path, "--languagetool", stub.url)
    assert down.returncode == 2
    assert "cannot be reached" in down.stderr
    assert "Traceback" not in down.stderr


#: What Harper prints about into standard output, if it is let.
PRINTED = "I am looking forward to hear from you.\n"
FRENCH = "Je suis all a la maison hier soir. Il ne veut pas que nous allons avec lui.\n"


@pytest.mark.slow
def test_nothing_but_results_is_written_to_standard_output(write: Write) -> None:
    path = write("letter.txt", PRINTED)
    options = ("--judge", "usim", "--drop", "0", "--keep", "0.01")
    assert usim("check", path, *options).stdout.startswith(f"{path}:1:1\n")
    results = json.loads(usim("check", path, "--format", "json", *options).stdout)["results"]
    assert [each["suggestions"][0]["substitute"] for each in results] == ["hearing"]
    fixed = usim("check", path, "--fix", *options)
    assert (fixed.stdout, fixed.returncode) == (PRINTED.replace("hear ", "hearing "), 0)


@pytest.mark.parametrize("content", [b"caf\xe9\n", FRENCH.encode(), None])
def test_an_output_is_left_as_it_is_where_nothing_was_checked(tmp_path: Path, content: bytes | None) -> None:
    path, keep = tmp_path / "letter.txt", tmp_path / "keep.txt"
    keep.write_text("precious")
    if content is not None:
        path.write_bytes(content)
    for options in (("--fix",), ("--format", "json"), ()):
        done = usim_here("check", path, *options, "-o", keep, "--judge", "usim")
        assert (done.returncode, done.stdout) == (2, "")
        assert keep.read_text() == "precious"
    assert set(tmp_path.iterdir()) == {keep} | ({path} if content is not None else set())


def test_sentences_in_another_language_are_left_alone_and_counted(write: Write) -> None:
    path = write("mixed.txt", f"She have two cats.\n\n{FRENCH}\nHe have a dog.\n")
    done = usim_here("check", path, "--fix", *KEEP_ALL)
    assert done.stdout == f"She has two cats.\n\n{FRENCH}\nHe has a dog.\n"
    assert done.returncode == 0
    assert f"{path}: 2 sentences in another language (fr) left alone" in done.stderr
    record = json.loads(usim_here("check", path, "--format", "json", *KEEP_ALL).stdout)
    assert record["summary"]["other_languages"] == 2
    assert {each["line"] for each in record["results"]} == {1, 5}
    told = usim_here("check", path, "--language", "en-US", *KEEP_ALL)
    assert "allons" in told.stdout
    assert "left alone" not in told.stderr
