"""``usim compare``, and what else of the command line knows texts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.batch.common import errors_of, lines, write
from tests.command import usim_here
from tests.documents.repository import commit, git
from tests.documents.word import p, word_file

pytestmark = pytest.mark.model

BEFORE = "# Notes\n\nIt rained. We paid 20 euros for the two tickets to the museum.\n\n```\nx = 1\n```\n"
AFTER = "# Notes\n\nWe paid **25** euros for the two tickets to the museum. It rained.\n\n```\nx = 1\n```\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.md", tmp_path / "after.md"
    before.write_text(BEFORE, encoding="utf-8")
    after.write_text(AFTER, encoding="utf-8")
    return before, after


def test_text_json_and_html_say_the_same(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = usim_here("compare", *files)
    assert text.returncode == 0
    assert "The number changed: “20 euros” became “25 euros”" in text.stdout
    assert "before: We paid [-20-] euros" in text.stdout
    assert "after:  We paid {+**25**+} euros" in text.stdout
    pytest.importorskip("jinja2", reason="pages need jinja2")
    page = tmp_path / "page.html"
    assert usim_here("compare", *files, "--format", "html", "-o", page).returncode == 0
    assert "The number changed: “20 euros” became “25 euros”" in page.read_text(encoding="utf-8")
    values = json.loads(usim_here("compare", *files, "--format", "json", "--policy", "shorten").stdout)
    assert (values["verdict"], values["policy"], values["counts"]["moved"]) == ("drop", "shorten", 1)
    assert values["signature"].split("|")[-2] == "policy:shorten"
    (finding,) = values["findings"]
    assert [BEFORE[slice(*span)] for span in finding["before"]] == ["20", "euros"]
    assert [AFTER[slice(*span)] for span in finding["after"]] == ["25", "euros"]


def test_a_gate(files: tuple[Path, Path]) -> None:
    assert usim_here("compare", *files, "--fail-on", "drop").returncode == 1
    assert usim_here("compare", files[0], files[0], "--fail-on", "review").returncode == 0


def test_what_cannot_be_read(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("word " * 200_001)
    for given, message in (
        (("-", "-"), "only one of the files can be standard input"),
        ((files[0], tmp_path / "none.txt"), "No such file"),
        ((files[0], tmp_path / "big.txt"), "1,000,005 characters, and 1,000,000 are the most"),
        ((files[0], tmp_path), "Is a directory"),
    ):
        done = usim_here("compare", *given)
        assert done.returncode == 2
        assert message in done.stderr
    (tmp_path / "empty.txt").write_text("")
    done = usim_here("compare", tmp_path / "empty.txt", files[1])
    assert "an empty text" in done.stderr


def test_a_whole_text_that_is_gone_is_one_change_and_quoted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We met. We paid 20 euros.\n" + "It rained. " * 50)
    (tmp_path / "empty.txt").write_text("")
    for names, quoted in (
        (("a.txt", "empty.txt"), "before: [-We met. We paid 20 euros. It rained."),
        (("empty.txt", "a.txt"), "after:  {+We met. We paid 20 euros. It rained."),
    ):
        done = usim_here("compare", *(tmp_path / name for name in names))
        assert done.stdout.startswith("drop: Check 1 change of meaning.")
        (line,) = (line.strip() for line in done.stdout.splitlines() if "We met" in line)
        assert line.startswith(quoted)
        assert len(line) < 320
        assert "…" in line


def test_what_is_not_read_is_never_kept(tmp_path: Path) -> None:
    """In every format, and whatever the policy; beside a text it is warned of."""
    word = "<w:r><w:t>It rained.</w:t></w:r>"
    picture = p("<w:r><w:drawing><a:blip/></w:drawing></w:r>")
    both = word_file(tmp_path / "both.docx", p(word) + picture)
    only = word_file(tmp_path / "only.docx", picture)
    said = "A text has nothing but what is not read: pictures"
    done = usim_here("compare", only, only, "--fail-on", "review")
    assert done.returncode == 1
    assert done.stdout.startswith(f"review: {said}; look at both versions yourself.")
    assert f"{only}: not read: pictures" in done.stderr
    values = json.loads(usim_here("compare", only, only, "--format", "json").stdout)
    assert (values["verdict"], values["cause"]["by"], values["cause"]["text"]) == ("review", "unreadable", said)
    page = tmp_path / "page.html"
    for form, sign in (("html", said), ("github", "::warning file="), ("sarif", '"level": "warning"')):
        assert usim_here("compare", only, only, "--format", form, "-o", page).returncode == 0
        assert sign in page.read_text(encoding="utf-8")
    assert usim_here("compare", both, only, "--fail-on", "review", "--policy", "shorten").returncode == 1
    done = usim_here("compare", both, both, "--fail-on", "review")
    assert done.returncode == 0
    assert f"{both}: not read: pictures" in done.stderr


def test_of_a_text_all_of_which_is_new_no_blocks_are_counted(tmp_path: Path) -> None:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.touch()
    after.write_text("It rained. Nobody came.")
    lines = usim_here("compare", before, after, "--model", "en-fast").stdout.splitlines()
    assert lines[0].startswith("drop: Check 1 change of meaning.")
    assert lines[2].startswith("1. the text ")


def test_another_language_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Er ging jeden Tag in die Schule. Dort lernte er lesen und schreiben.")
    done = usim_here("compare", tmp_path / "a.txt", tmp_path / "a.txt")
    assert "seems not to be English (de)" in done.stderr
    assert done.stdout.startswith("keep")


def test_a_word_file_with_comments(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Of a text its paragraphs; of a Word file all that it has, with a comment at the words that changed."""
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    out = tmp_path / "out.docx"
    assert usim_here("compare", *files, "--format", "docx", "-o", out).returncode == 0
    comments = [comment.text for comment in docx.Document(out).comments]
    assert any("The number changed: “20 euros” became “25 euros”" in text for text in comments)
    names = []
    for name, price in (("a", "20"), ("b", "25")):
        word = docx.Document()
        word.add_heading("Prices", 1)
        word.sections[0].header.paragraphs[0].text = "A draft of our letter"
        word.add_paragraph("It rained. We paid ").add_run(f"{price} euros").bold = True
        word.paragraphs[1].add_run(" for the two tickets to the museum.")
        word.save(tmp_path / f"{name}.docx")
        names.append(tmp_path / f"{name}.docx")
    assert usim_here("compare", *names, "--format", "docx", "-o", out).returncode == 0
    word = docx.Document(out)
    assert word.paragraphs[0].text == "Prices"
    texts = [comment.text for comment in word.comments]
    assert len(texts) == 2
    assert any(text.startswith("Changes the meaning (“Prices”, paragraph 1, sentence 2). ") for text in texts)
    assert (
        f"1. “Prices”, paragraph 1, sentence 2 ({names[1]}): changes the meaning" in usim_here("compare", *names).stdout
    )
    at = next(k for k, text in enumerate(texts) if "“20 euros” became “25 euros”" in text)
    marks = word.paragraphs[1]._p.xpath("w:commentRangeStart | w:r[w:t]")
    bold = next(k for k, mark in enumerate(marks) if "25 euros" in "".join(mark.itertext()))
    assert marks[bold - 1].get(marks[bold - 1].keys()[0]) == str([comment.comment_id for comment in word.comments][at])
    assert usim_here("compare", *files, "--format", "docx").returncode == 2


def test_a_comment_is_on_its_sentence_where_a_paragraph_is_one_run(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    names = []
    for name, price, park in (("a", 20, "may not"), ("b", 25, "may")):
        word = docx.Document()
        word.add_paragraph().add_run(f"It rained. We paid {price} euros for it. You {park} park here.").italic = True
        word.save(tmp_path / f"{name}.docx")
        names.append(tmp_path / f"{name}.docx")
    assert usim_here("compare", *names, "-o", tmp_path / "c.docx").returncode == 0
    paragraph = docx.Document(tmp_path / "c.docx").paragraphs[0]
    assert paragraph.text == "It rained. We paid 25 euros for it. You may park here."
    pieces = [run for run in paragraph.runs if run.text]
    assert all(run.italic for run in pieces)
    assert any(run.text in "We paid 25 euros for it." for run in pieces)
    assert paragraph._p.xml.index("It rained.") < paragraph._p.xml.rindex("commentRangeStart")


def test_a_word_file_says_that_what_is_undecided_is_not_marked(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    usim_here("samples", tmp_path)
    files, out = [tmp_path / name for name in ("letter.txt", "letter-rewritten.txt")], tmp_path / "out.docx"
    for option, is_named in (((), True), (("--all",), False)):
        assert usim_here("compare", *files, *option, "-o", out).returncode == 0
        (said,) = (
            comment.text
            for comment in docx.Document(out).comments
            if "undecided, " in comment.text or "undecided (" in comment.text
        )
        assert ("(not marked here)" in said) == is_named


def test_columns_of_plain_text_stay_lines_in_a_word_file(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    table = "Item for sale   Price of each\nA4 cardboard    GBP 61.50\nB2 cardboard    GBP 94.00"
    before, after, out = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "out.docx"
    before.write_text(f"The prices are\nthese:\n\n{table}\n")
    after.write_text(f"The prices are\nthese:\n\n{table.replace('94.00', '95.00')}\n")
    assert usim_here("compare", before, after, "-o", out).returncode == 0
    text = "\n".join(each.text for each in docx.Document(out).paragraphs)
    assert text == f"The prices are these:\n{table.replace('94', '95')}"


PRICE = "We paid {} euros for the two tickets to the museum.\n"
#: What each result of a SARIF log must have, from its schema.
_RESULT = {
    "type": "object", "required": ["message", "ruleId", "level", "locations"], "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"}, "level": {"enum": ["none", "note", "warning", "error"]},
        "message": {"type": "object", "required": ["text"]}, "partialFingerprints": {"type": "object"},
        "locations": {"type": "array", "items": {"type": "object", "required": ["physicalLocation"], "properties": {
            "physicalLocation": {"type": "object", "required": ["artifactLocation"], "properties": {
                "artifactLocation": {"type": "object", "properties": {"uri": {"type": "string", "pattern": "^[^ ]+$"}}},
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}},
            }},
        }}},
    },
}  # fmt: skip
SARIF = {
    "type": "object", "required": ["version", "runs"],
    "properties": {"version": {"const": "2.1.0"}, "runs": {"type": "array", "items": {
        "type": "object", "required": ["tool"], "properties": {
            "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {"type": "object", "required": ["name"]}}},
            "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]}, "results": {"type": "array", "items": _RESULT},
        },
    }}},
}  # fmt: skip


def test_revisions_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File by file, with a table; as annotations, as SARIF and as JSON; one bad file costs the exit code alone."""
    folder = tmp_path / "repository"
    commit(folder, {"my prices.md": "# Prices\n\n" + PRICE.format(20), "a.txt": "It rained.\n", "old.rst": "Gone.\n"})
    commit(folder, {"my prices.md": "# Prices\n\n" + PRICE.format(25), "a.txt": "It  rained.\n", "old.rst": None})
    monkeypatch.chdir(folder)
    text = usim_here("compare", "--git", "HEAD^", "--fail-on", "drop")
    assert text.returncode == 1
    assert "“Prices”, paragraph 1 (my prices.md:3): changes the meaning" in text.stdout
    assert "drop    my prices.md: Check 1 change of meaning. " in text.stdout
    assert "\n\nold.rst\ndrop: Check 1 change of meaning.\n\n1. the text" in text.stdout
    assert text.stdout.startswith("my prices.md\ndrop: Check 1 change of meaning.\n")
    assert "keep    a.txt: Nothing to check: " in text.stdout
    assert "drop    old.rst: deleted" in text.stdout
    first = usim_here("compare", "--git", "HEAD^..HEAD", "--format", "github").stdout.splitlines()[0]
    assert first.startswith("::error file=my prices.md,line=3,title=usim%3A number::“Prices”, paragraph 1: The number")
    log = json.loads(usim_here("compare", "--git", "HEAD^..HEAD", "--format", "sarif").stdout)
    jsonschema.validate(log, SARIF)
    result, _ = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"], result["level"]) == (
        "my%20prices.md", {"startLine": 3}, "error",
    )  # fmt: skip
    values = json.loads(usim_here("compare", "--git", "HEAD^..HEAD", "--format", "json").stdout)
    assert [(file["file"], file["verdict"]) for file in values["files"]] == [
        ("a.txt", "keep"),
        ("my prices.md", "drop"),
        ("old.rst", "drop"),
    ]
    assert values["not_compared"] == []
    assert usim_here("compare", "--git", "HEAD", "--fail-on", "review").stdout == "No document differs.\n"
    (folder / "a.txt").write_bytes(b"\0\1\2")
    bad = usim_here("compare", "--git", "HEAD^")
    assert bad.returncode == 2
    assert "a.txt: a binary file and no text" in bad.stderr
    assert "drop    my prices.md" in bad.stdout
    annotated = usim_here("compare", "--git", "HEAD^", "--format", "github").stdout
    assert annotated.startswith("::error file=a.txt,title=usim%3A not read::a binary file and no text")
    for given in (("--git", "none"), ("--git", "HEAD", "--format", "html"), ("one.md",)):
        assert usim_here("compare", *given).returncode == 2


def test_a_deleted_document_is_all_left_out_and_a_new_one_changes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every format it is one finding; so it is where a document was emptied, or renamed to no document."""
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    folder = tmp_path / "repository"
    word = docx.Document()
    word.add_paragraph("Visitors must sign in. Dogs stay outside.")
    word.save(tmp_path / "rules.docx")
    kept = {
        "c.txt": "It rained.\n",
        "e.rst": "It rained. Nobody came.\n",
        "m.md": "# Rules\n\nVisitors must sign in.\n",
    }
    commit(folder, {**kept, "rules.docx": (tmp_path / "rules.docx").read_bytes()})
    renamed = {"m.md": None, "m.html": kept["m.md"]}
    commit(folder, {**renamed, "c.txt": None, "e.rst": "", "new.md": "All is new.\n", "rules.docx": None})
    monkeypatch.chdir(folder)
    done = usim_here("compare", "--git", "HEAD^", "--fail-on", "drop")
    assert done.returncode == 1
    for name in ("c.txt", "m.md", "rules.docx"):
        assert f"drop    {name}: deleted" in done.stdout
    assert "drop    e.rst: Check 1 change of meaning." in done.stdout
    assert done.stdout.count("why:    The whole text is left out\n") == 4
    assert "-       new.md: new" in done.stdout
    gate = ("compare", "--git", "HEAD^", "c.txt", "--fail-on", "drop", "--policy")
    assert [usim_here(*gate, policy).returncode for policy in ("same", "expand", "shorten")] == [1, 1, 0]
    github = usim_here("compare", "--git", "HEAD^", "--format", "github").stdout
    assert github.count("::error ") == 4
    assert (
        "::error file=rules.docx,title=usim%3A left-out::the text: The whole text is left out%0ABefore: Visitors"
        in github
    )
    log = json.loads(usim_here("compare", "--git", "HEAD^", "--format", "sarif").stdout)
    jsonschema.validate(log, SARIF)
    assert [(result["ruleId"], result["level"]) for result in log["runs"][0]["results"]] == [("left-out", "error")] * 4
    values = json.loads(usim_here("compare", "--git", "HEAD^", "--format", "json").stdout)
    assert {(file["file"], file["verdict"]) for file in values["files"]} == {
        (name, "drop") for name in ("c.txt", "e.rst", "m.md", "rules.docx")
    }
    assert values["not_compared"] == [{"file": "new.md", "why": "new"}]


def test_the_action_and_the_hook_do_what_they_say(tmp_path: Path) -> None:
    """The shell of the last step of ``action.yml`` is run as GitHub runs it; the workflow of the how-to page uses it."""
    root = Path(__file__).parents[2]
    action = yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))
    folder = tmp_path / "repository"
    commit(folder, {"docs/a b.md": PRICE.format(20), "c.md": PRICE.format(20)})
    commit(folder, {"docs/a b.md": PRICE.format(25), "c.md": PRICE.format(30)})
    step = action["runs"]["steps"][-1]
    given = {name: text["default"] for name, text in action["inputs"].items()} | {"paths": "docs"}
    own = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "usim"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m usim "$@"\n')
    command.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **own, "PATH": path, "PYTHONPATH": str(root)}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=docs/a b.md,line=1,")
    assert "c.md" not in done.stdout
    page = (root / "docs/how-to/texts.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(re.findall(r"```yaml\n(name: .*?)```", page, re.DOTALL)[0])
    checkout, use = workflow["jobs"]["meaning"]["steps"]
    assert checkout["with"]["fetch-depth"] >= 2  # the first parent, to which it is compared
    assert use["with"].keys() <= action["inputs"].keys()
    # There is no tag, and a branch moves: what is used is a commit.
    hook = (root / "docs/how-to/plugins.md").read_text(encoding="utf-8")
    assert [use["uses"].partition("@")[2], *re.findall(r"^  rev: (\S+)", hook, re.M)] == ["COMMIT", "COMMIT"]
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    entry = next(hook["entry"] for hook in hooks if hook["id"] == "usim-compare")
    (folder / "c.md").write_text(PRICE.format(40))
    git(folder, "add", "-A")
    done = subprocess.run([*entry.split(), "c.md"], cwd=folder, env=environment, capture_output=True, text=True)
    assert (done.returncode, "“30 euros” became “40 euros”" in done.stdout) == (1, True)


def test_score_points_to_compare_where_files_are_not_parallel(files: tuple[Path, Path]) -> None:
    files[1].write_text("It rained.\n")
    done = usim_here("score", *files)
    assert done.returncode == 2
    assert "usim compare takes texts" in done.stderr


def test_a_batch_of_texts(tmp_path: Path) -> None:
    paid = "It rained. We paid {} euros for the two tickets to the museum."
    records = [
        {"id": 1, "before": paid.format(20), "after": paid.format(25)},
        {"id": 2, "before": "It rained."},
        {"id": 3, "before": "It rained.", "after": "word " * 2001},
        {"id": 4, "before": "It rained.", "after": "It rained. Nobody came."},
    ]
    given, out = write(tmp_path / "texts.jsonl", records), tmp_path / "compared.jsonl"
    done = usim_here("batch", given, "-o", out, "--task", "compare", "--policy", "expand")
    assert done.returncode == 2, done.stderr
    assert [(result["id"], result["verdict"]) for result in lines(out)] == [(1, "drop"), (4, "keep")]
    errors = errors_of(out).read_text(encoding="utf-8")
    assert "no field 'after'" in errors
    assert "cut it into passages" in errors
    assert "|policy:expand|" in done.stderr
