"""The command line as a user types it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import USIM, usim_here
from usim.ucca import read_xml
from usim.ucca.files import read_graph

pytestmark = pytest.mark.model

Write = Callable[[str, str], Path]
SOURCES = "He go to school yesterday.\nI like the cat of my neighbour.\nThe dog bit the man.\n"
OUTPUTS = "He went to school yesterday.\nI like my neighbour's cat.\nThe man left.\n"


@pytest.fixture
def files(write: Write) -> tuple[Path, Path]:
    return write("a.src", SOURCES), write("a.out", OUTPUTS)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("score", "give two files"),
        ("score a.src", "give two files"),
        ("score a.src nowhere", "nowhere: cannot be read (No such file or directory)"),
        ("score a.src .", ".: cannot be read (Is a directory)"),
        ("score --text a", "give two sentences"),
        ("score - -", "name each of the files once"),
        ("score a.src a.out -v --format tsv", "is for --format text"),
        ("score a.src a.out --preset x", "'x' is not one of"),
        ("score a.src a.out --risk lax", "'lax' is neither a share from 0 to 1 nor strict"),
        ("score a.src a.out --judge solomon", "no such judge: 'solomon'"),
        ("score a.src a.out --judge usim --keep 0.2", "drop 0.6 is above keep 0.2; the judge's own are 0.9 and 0.6"),
        ("score graphs graphs", "graphs:1: JSON in place of a sentence a line; graphs to be scored are MRP"),
        ("score a.src longer", "longer:4: this line has no partner in a.src"),
        ("parse", "Missing argument"),
        ("parse a.src --format ucca-xml", "give it with -o OUT"),
        ("parse a.src --format ucca-xml -o a.out/x", "a.out/x: cannot be written: its folder is not there"),
        ("parse a.src --parser klingon", "usim: no such model: 'klingon'; there are en, en-fast, "),
        ("explain a", "Missing argument"),
    ],
)
def test_what_cannot_be_done_is_said_and_exits_with_2(
    files: tuple[Path, Path], line: str, message: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files[0].parent)
    write("longer", OUTPUTS + "One more.\n")
    write("graphs", '{"id": "000001", "tokens": ["He", "left", "."]}\n')
    done = usim_here(*line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(("Usage", "Error", "usim: "))
    assert message in done.stderr
    assert "Traceback" not in done.stderr


class TestScore:
    def test_a_sentence_needs_an_option(self) -> None:
        for arguments in (("parse", "He goes home."), ("score", "He goes home.", "He left.")):
            assert "is no file; for" in usim_here(*arguments).stderr

    def test_text(self, files: tuple[Path, Path]) -> None:
        done, verbose = usim_here("score", *files), usim_here("score", *files, "-v").stdout
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert [line.split()[0] for line in lines[1:4]] == ["1", "2", "3"]
        assert {line.split()[1] for line in lines[1:4]} <= {"keep", "review", "drop"}
        for _, verdict, *figures in (line.split()[:5] for line in lines[1:4]):
            faithfulness, keep, drop = (float(figure.replace("–", "nan")) for figure in figures)
            assert (verdict == "keep") == (faithfulness >= keep)
            assert verdict != "drop" or faithfulness < drop
        assert re.fullmatch(r"3 pairs: \d keep, \d review, \d drop", lines[4])
        assert re.fullmatch(r"mean faithfulness 0\.\d{4} \(95% interval 0\.\d{4} to [01]\.\d{4}\)", lines[5])
        assert re.fullmatch(r"mean USim 0\.\d{4} \(95% interval 0\.\d{4} to [01]\.\d{4}\)", lines[6])
        assert re.fullmatch(
            r"usim\|parser:en-[\w.:-]+\|leaf:.*\|judge:.*\|risk:0\.1\|bands:[0-9a-f]{8}\|v:.*", lines[7]
        )
        assert " USim " not in lines[0]
        assert {len(line.split()[:4]) for line in verbose.splitlines()[1:4]} == {4}

    def test_a_pair_has_verdict_sentence_findings_and_one_number(self) -> None:
        book = "a book about the old castles of Wales"
        pair = (f"Mary gave John {book} yesterday.", f"Mary gave {book}.")
        verdict, *findings, number = usim_here(
            "score", "-t", *pair, "--keep", "0.9", "--drop", "0.5"
        ).stdout.splitlines()
        assert verdict == "drop: The output changes the meaning."
        assert findings == ["  • “John” is no longer mentioned", "  • “yesterday” is left out"]
        assert re.fullmatch(
            r"faithfulness 0\.\d{3}, from 0 \(changed\) to 1 \(kept\); keep needs 0\.\d{3}, and drop less than 0\.\d{3}\D*",
            number,
        )
        assert "interval" not in usim_here("score", "-t", *pair, "-v").stdout

    def test_whoever_chooses_how_graphs_are_compared_sees_usim(self, write: Write) -> None:
        sentences = "Mary gave John a book yesterday.", "Mary gave a book."
        files = [write(name, f"{text}\n") for name, text in zip("ab", sentences, strict=True)]
        outputs = {}
        for preset in ("default", "paper"):
            outputs[preset] = usim_here("score", *files, "--preset", preset, "--judge", "usim").stdout
            assert re.search(r"^mean USim 0\.\d{4}\nusim\|", outputs[preset], re.M)  # a file of one pair, too
        assert outputs["default"] != outputs["paper"]
        shown = usim_here("score", "-t", *sentences, "--preset", "paper", "--judge", "usim").stdout
        assert "USim" in shown
        assert "|node:cover|" in shown

    def test_every_format_says_the_same(self, files: tuple[Path, Path]) -> None:
        """With USim as the judge, as its findings are known; the last pair has the most to say."""
        text, json_, jsonl, tsv = (
            usim_here("score", *files, "--judge", "usim", "--format", form) for form in ("text", "json", "jsonl", "tsv")
        )
        results, summary = json.loads(json_.stdout).values()
        assert [json.loads(line) for line in jsonl.stdout.splitlines()] == results
        assert [(r["source"], r["output"]) for r in results] == list(
            zip(SOURCES.splitlines(), OUTPUTS.splitlines(), strict=True)
        )
        assert "mean" not in summary
        scores = [r["score"] for r in results]
        assert scores[2] < min(scores[:2])
        assert summary["usim"]["interval"][0] <= summary["usim"]["mean"] <= summary["usim"]["interval"][1]
        assert summary["usim"]["mean"] == pytest.approx(sum(scores) / 3)
        assert summary["faithfulness"]["mean"] == pytest.approx(sum(r["faithfulness"] for r in results) / 3)
        assert sum(summary["verdicts"].values()) == 3
        for done in (jsonl, tsv):  # they hold the results alone
            assert "mean USim" in done.stderr
            assert "usim|parser:" in done.stderr
        header, *rows = (line.split("\t") for line in tsv.stdout.splitlines())
        assert header[:5] == ["line", "score", "s2r_recall", "s2r_precision", "s2r_f"]
        assert header[8:] == ["faithfulness", "compared", "verdict", "findings", "source", "output", "error", "system"]
        for result, row, line in zip(results, rows, text.stdout.splitlines()[1:], strict=False):
            cells = dict(zip(header, row, strict=True))
            assert float(cells["faithfulness"]) == result["faithfulness"] == result["score"]
            assert cells["verdict"] == result["verdict"] == line.split()[1]
            findings = [finding["text"] for finding in result["findings"] if finding["shown"]]
            assert cells["findings"] == "; ".join(findings)
            assert all(finding in line for finding in findings[:3])
        assert results[2]["findings"]

    def test_a_gate(self, files: tuple[Path, Path]) -> None:
        passed = usim_here("score", *files, "--judge", "usim", "--preset", "paper", "--fail-under-faithfulness", "0.1")
        assert passed.returncode == 0
        assert "|node:cover|" in passed.stdout
        judged = usim_here("score", *files, "--judge", "usim", "--fail-under-faithfulness", "0.999")
        assert judged.returncode == 1
        assert re.search(r"mean faithfulness 0\.\d{4} is below 0.999", judged.stderr)

    def test_empty_lines_and_files_are_warned_of(self, write: Write) -> None:
        a, b = write("a", "\nHe left.\n\n"), write("b", "He left.\nHe left.\n\n")
        done = usim_here("score", a, b, "--format", "jsonl")
        assert done.returncode == 0
        assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [0.0, 1.0, 1.0]
        assert f"{a}:1: an empty line; the pair scores 0" in done.stderr
        assert f"{b}:3: an empty line; the pair scores 1" in done.stderr
        for texts, name in ((("", "He left."), "SOURCE"), (("He left.", ""), "OUTPUT")):
            assert f"{name}: an empty sentence; the pair scores 0" in usim_here("score", "--text", *texts).stderr
        a.write_text("")
        empty = usim_here("score", a, a, "--format", "json")
        assert (empty.returncode, json.loads(empty.stdout)["results"]) == (0, [])
        assert "are empty" in empty.stderr

    @pytest.mark.parametrize("form", ["text", "json", "jsonl", "tsv"])
    def test_a_line_in_another_encoding_costs_that_line_only(self, write: Write, form: str) -> None:
        a, b = write("a", "One.\nCaf\udce9.\nThree.\n"), write("b", "One.\nCafé.\nThree.\n")
        done = usim_here("score", a, b, "--judge", "usim", "--format", form)
        assert done.returncode == 2
        assert f"{a}:2: not UTF-8; convert" in done.stderr
        if form == "jsonl":
            records = [json.loads(line) for line in done.stdout.splitlines()]
            assert [r["score"] for r in records] == [1.0, None, 1.0]
            assert "not UTF-8" in records[1]["error"]
        assert "2 pairs (1 more could not be read)" in done.stdout + done.stderr or form == "json"

    def test_a_line_that_is_too_long_costs_that_line_only(self, write: Write) -> None:
        path = write("a", "He left.\n" + "word " * 70_000 + "\nShe left.\n")
        problem = "the line has 70000 tokens or more, and 2000 are the most: cut it into passages"
        other = write("b", path.read_text())
        for outputs, count in (([path], 3), ([path, other], 2)):
            done = usim_here("score", path, *outputs, "--format", "jsonl", "--judge", "usim")
            assert (done.returncode, len(done.stdout.splitlines())) == (2, count)
            assert f"{path}:2: {problem}; the sentence is not scored" in done.stderr
        alone = usim_here("score", "--text", "He left.", "word " * 70_000, "--judge", "usim")
        assert (alone.returncode, len(alone.stderr.splitlines())) == (2, 1)

    def test_windows_files_and_standard_input(self, write: Write) -> None:
        other = write("b", "He left.\nShe stayed.")
        given = b"\xef\xbb\xbfHe left.\r\nShe stayed.\r\n"
        done = usim_here("score", "-", other, "--judge", "usim", "--format", "jsonl", stdin=given)
        assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == ["He left.", "She stayed."]


class TestParse:
    def test_text(self) -> None:
        done = usim_here("parse", "-", stdin="John left.\n\nMary stayed.\n")
        assert done.returncode == 0, done.stderr
        first, second, third = done.stdout.split("\n")[:3]
        assert "John" in first
        assert second == ""
        assert "[U .]" in third

    def test_ucca_xml_where_a_bad_line_costs_only_itself(self, tmp_path: Path) -> None:
        (tmp_path / "in").write_bytes(b"John left.\n\xff\nMary stayed.\n")
        done = usim_here("parse", tmp_path / "in", "--format", "ucca-xml", "-o", tmp_path / "out")
        assert done.returncode == 2
        assert f"{tmp_path / 'in'}:2: not UTF-8; convert" in done.stderr
        assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["000001.xml", "000003.xml"]
        graph = read_xml(tmp_path / "out" / "000003.xml")
        assert (graph.id, graph.tokens) == ("000003", ("Mary", "stayed", "."))

    def test_graphs_of_two_files_stand_in_two_folders(self, tmp_path: Path, write: Write) -> None:
        files = {"a": write("a.txt", "John left.\nMary stayed."), "b": write("b.txt", "John went.\nMary stayed.")}
        graphs = tmp_path / "graphs"
        graphs.mkdir()
        for name, file in files.items():
            assert usim_here("parse", file, "--format", "ucca-xml", "-o", graphs / name).returncode == 0
        done = usim_here("parse", files["b"], "--format", "ucca-xml", "-o", graphs / "a")
        assert done.returncode == 2
        assert f"{graphs / 'a'}: the folder has 000001.xml already" in done.stderr
        assert read_xml(graphs / "a" / "000001.xml").tokens == ("John", "left", ".")
        done = usim_here("score", *files.values(), "--parser", graphs, "--judge", "usim")
        assert done.returncode == 0, done.stderr
        assert "2 pairs" in done.stdout

    def test_no_table_begins_before_a_fatal_error(self, tmp_path: Path, write: Write) -> None:
        files = write("a.txt", "John left.\nMary stayed."), write("b.txt", "John went.\nMary stayed.")
        usim_here("parse", files[0], "--format", "ucca-xml", "-o", tmp_path / "graphs")
        for form in ("text", "tsv"):
            done = usim_here("score", *files, "--parser", tmp_path / "graphs", "--judge", "usim", "--format", form)
            assert (done.returncode, done.stdout) == (2, "")
            assert "none of the 2 graphs" in done.stderr

    def test_the_format_follows_the_ending_of_the_output(self, tmp_path: Path) -> None:
        for name in ("a.xml", "a.mrp"):
            done = usim_here("parse", "--text", "He left.", "-o", tmp_path / name)
            assert done.returncode == 0, done.stderr
            assert read_graph(tmp_path / name).tokens == ("He", "left", ".")
        assert read_xml(tmp_path / "a.xml").id == "000001"
        assert usim_here("parse", "--text", "He left.", "-o", tmp_path / "a.txt").returncode == 0
        assert (tmp_path / "a.txt").read_text(encoding="utf-8").startswith("[")
        # A file of UCCA XML has one passage, and a folder may have any name.
        done = usim_here("parse", "-", "-o", tmp_path / "b.xml", stdin="He left.\nShe stayed.\n")
        assert done.returncode == 2
        assert "b.xml' would hold one sentence, and there are 2; name a folder" in done.stderr
        assert not (tmp_path / "b.xml").exists()
        (tmp_path / "c.xml").mkdir()
        assert usim_here("parse", "--text", "He left.", "-o", tmp_path / "c.xml").returncode == 0
        assert [p.name for p in (tmp_path / "c.xml").iterdir()] == ["000001.xml"]

    def test_mrp(self, tmp_path: Path) -> None:
        done = usim_here("parse", "-", "--format", "mrp", "-o", tmp_path / "out.mrp", stdin="He's here!\n")
        assert done.returncode == 0, done.stderr
        graph = read_graph(tmp_path / "out.mrp")
        assert graph.tokens == ("He", "'s", "here", "!")
        assert json.loads((tmp_path / "out.mrp").read_text(encoding="utf-8"))["input"] == "He's here!"

    def test_given_tokens_stay_as_they_are(self, tmp_path: Path) -> None:
        path = tmp_path / "out.mrp"
        usim_here("parse", "-", "--tokenised", "--format", "mrp", "-o", path, stdin="do n't e-mail U.S. !?")
        assert read_graph(path).tokens == ("do", "n't", "e-mail", "U.S.", "!?")

    def test_guidelines(self) -> None:
        """An article is an Elaborator in version 1 and a Function in version 2."""
        for version, category in (("1", "E"), ("2", "F")):
            text = usim_here("parse", "-", "--guidelines", version, stdin="The old man saw the sea.").stdout
            assert f"[{category} the]" in text.lower().replace(f"[{category.lower()} ", f"[{category} ")


class TestExplain:
    ARGUMENTS = ("explain", "Mary gave John a book.", "Mary gave a book.")

    def test_text_names_what_was_lost(self) -> None:
        done = usim_here(*self.ARGUMENTS)
        lines = done.stdout.splitlines()
        assert done.returncode == 0, done.stderr
        assert "source: Mary gave John a book." in done.stdout
        assert "output: Mary gave a book." in done.stdout
        assert "−John" in done.stdout
        assert "A  John  ✗" in done.stdout
        assert "\x1b[" not in done.stdout, "no colour where there is no terminal"
        # A legend has what the graphs have.
        assert "  A  Participant: who or what takes part" in lines
        assert "  ✗  without a counterpart in the other sentence" in lines
        assert not any("Linker" in line or "remote" in line for line in lines)

    def test_json_has_the_judgement_the_alignment_and_the_graphs(self) -> None:
        arguments = (*self.ARGUMENTS, "--judge", "usim", "--keep", "0.9", "--drop", "0.5")
        done = usim_here(*arguments)
        record = json.loads(usim_here(*arguments, "--format", "json").stdout)
        assert record["faithfulness"] == record["score"]
        assert done.stdout.startswith(f"{record['verdict']}: The output ")
        assert f"faithfulness {record['faithfulness']:.3f}, from" in done.stdout
        assert record["findings"]
        for finding in record["findings"]:
            assert (f"• {finding['text']}" in done.stdout) == finding["shown"]
        assert [0, 0] in record["alignment"]
        assert any(e["child"] == "John" for e in record["unmatched"]["source"])
        assert record["graphs"]["source"]["framework"] == "ucca"

    def test_svg(self, tmp_path: Path) -> None:
        done = usim_here(*self.ARGUMENTS, "--format", "svg", "-o", tmp_path / "a.svg")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        root = ET.parse(tmp_path / "a.svg").getroot()
        texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
        assert (texts.count("Mary"), texts.count("John")) == (2, 1)
        assert any("lost" in (line.get("class") or "") for line in root.iter("{http://www.w3.org/2000/svg}path"))

    def test_awkward_text(self, tmp_path: Path) -> None:
        text = '<b> & "[bold]" \x1b[31m ]]> مرحبا 🙂'
        usim_here("explain", text, text, "--format", "svg", "-o", tmp_path / "a.svg")
        done = usim_here("explain", text, text)
        assert "[bold]" in done.stdout.replace(" ", "")
        assert "\x1b" not in done.stdout
        assert "every edge has a counterpart" in done.stdout
        ET.parse(tmp_path / "a.svg")


def test_a_progress_bar_takes_nothing_from_the_results(tmp_path: Path) -> None:
    """A bar on a terminal, results in a file."""
    (tmp_path / "a").write_text("John left .\n" * 60, encoding="utf-8")
    terminal, theirs = pty.openpty()
    with open(tmp_path / "out", "wb") as out:
        process = subprocess.Popen(
            [*USIM, "score", "a", "a", "--format", "jsonl"],
            cwd=tmp_path, stdout=out, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        )  # fmt: skip
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while read := os.read(terminal, 65536):
                shown += read
        os.close(terminal)
        assert process.wait(timeout=60) == 0
    assert b"scoring" in shown
    assert b"John" not in shown
    assert len((tmp_path / "out").read_bytes().splitlines()) == 60


def test_importing_usim_loads_none_of_the_libraries_that_take_their_time() -> None:
    code = "import sys, usim; print([m for m in ('numpy', 'scipy', 'onnxruntime', 'networkx', 'rich', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_judge_is_loaded_without_the_libraries_that_only_tuning_needs() -> None:
    code = "import sys, usim.judge; print([m for m in ('scipy', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
