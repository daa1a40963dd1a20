"""The language server: findings as diagnostics, suggestions as code actions, in the encodings and editors that there are."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from tests.command import USIM, usim_here
from tests.support.editor import OPTIONS, URI, Editor
from usim.serve.lsp import Places

pytestmark = pytest.mark.model

TEXT = "😀 She have two cats.\r\nI could of went, and he dont likes it.\n"


@given(
    st.text(st.sampled_from("ab😀é\u0301\n\r\u2028\x0b ")), st.sampled_from(["utf-8", "utf-16", "utf-32"]), st.data()
)
def test_an_edit_reaches_what_the_editor_means(text: str, encoding: str, data: st.DataObject) -> None:
    places = Places(text, encoding)
    # Between \r and \n there is no place that an editor could name.
    named = [k for k in range(len(text) + 1) if text[k - 1 : k + 1] != "\r\n" or k in (0, len(text))]
    for k in named:
        assert places.character(places.position(k)) == k
    lines = re.split("\r\n|\r|\n", text)
    k = data.draw(st.sampled_from(named))
    position = places.position(k)
    units = [part.encode(f"{encoding}-le" if encoding != "utf-8" else encoding) for part in lines]
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    before = units[position.line][: size * position.character].decode(f"{encoding}-le" if size > 1 else encoding)
    assert text[:k].endswith(before)
    assert places.character(lsp.Position(position.line, 10**6)) == k + len(lines[position.line]) - len(before)
    assert places.character(lsp.Position(10**6, 0)) == len(text)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dictionary of the editor, which knows a word already."""
    path = tmp_path_factory.mktemp("dictionary") / "words.txt"
    path.write_text("Chiken\n")
    return path


@pytest.fixture(scope="module")
def shared(words: Path) -> Iterator[Editor]:
    editor = Editor("visual_studio_code", dictionary=words)
    yield editor
    assert editor.close() == 0


@pytest.fixture
def editor(shared: Editor) -> Iterator[Editor]:
    """The editor that the tests share, with the usual file."""
    yield shared
    shared.uri = URI


def places(found: dict[str, lsp.Diagnostic]) -> dict[str, tuple[int, int, int, int]]:
    return {
        rule: (each.range.start.line, each.range.start.character, each.range.end.line, each.range.end.character)
        for rule, each in found.items()
    }


def test_findings_stand_where_they_are_in_utf_16(editor: Editor) -> None:
    assert editor.answer.capabilities.position_encoding == "utf-16"
    found = editor.open(TEXT)
    assert places(found) == {
        "PronounVerbAgreement": (0, 7, 0, 11), "ModalOf": (1, 2, 1, 10), "SpellCheck": (1, 24, 1, 28),
    }  # fmt: skip
    assert found["SpellCheck"].source == "usim"
    assert editor.shut() == {}


def test_only_the_ends_of_lines_that_editors_know_are_such(editor: Editor) -> None:
    found = editor.open("One\u2028\u2029\x0b\x0c\x85\x1c😀 two\rShe have a cat.")
    assert places(found)["PronounVerbAgreement"] == (1, 4, 1, 8)
    found = editor.change(((0, 9), (0, 11), "Zwei"), ((1, 4), (1, 8), "has"), ((1, 99), (9, 9), "\nHe have it."))
    place = found["PronounVerbAgreement"].range
    assert places(found)["PronounVerbAgreement"] == (2, 3, 2, 7)
    edits = [action.edit.document_changes[0].edits[0] for action in editor.actions(place, ["quickfix"])]
    assert [(edit.range, edit.new_text) for edit in edits] == [(place, "has")]
    editor.shut()


def test_suggestions_are_those_of_the_command_the_most_faithful_first(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(TEXT.encode())
    told = usim_here("check", path, "--all", "--format", "jsonl", *OPTIONS).stdout
    by_rule = {each["rule"]: each for each in map(json.loads, told.splitlines())}
    found = editor.open(TEXT)
    assert found.keys() == by_rule.keys()
    for rule, diagnostic in found.items():
        suggestions = by_rule[rule]["suggestions"]
        shown = [each for each in suggestions if each["verdict"] != "drop"]
        actions = editor.actions(diagnostic.range, ["quickfix"])
        new = [action.edit.document_changes[0].edits[0].new_text for action in actions]
        assert new == [each["substitute"] for each in shown]
        for action, each in zip(actions, shown, strict=True):
            assert each["substitute"] in action.title
            assert ("review" in action.title) == (each["verdict"] == "review")
            assert action.diagnostics == [diagnostic] or list(action.diagnostics) == [diagnostic]
        preferred = [bool(action.is_preferred) for action in actions]
        assert preferred == [k == 0 and each["verdict"] == "keep" for k, each in enumerate(shown)]
        hover = editor.hover(diagnostic.range.start)
        assert diagnostic.message in hover
        for each in suggestions:  # with those that are left out, and why
            assert f"{each['verdict']} {each['faithfulness']:.3f}  {each['substitute']}" in hover
            assert all(finding["text"] in hover for finding in [r for r in each["findings"] if r["shown"]][:3])
    assert any(each["verdict"] == "drop" for record in by_rule.values() for each in record["suggestions"])
    assert editor.actions(found["ModalOf"].range, ["source.organizeImports"]) == []
    assert editor.hover(lsp.Position(0, 1)) is None
    editor.shut()


def test_an_action_is_for_the_text_as_it_is(editor: Editor) -> None:
    found = editor.open(TEXT)
    found = editor.change(((0, 0), (0, 3), ""), ((0, 0), (0, 0), "\n\n"))
    assert places(found)["PronounVerbAgreement"] == (2, 4, 2, 8)
    action = editor.actions(found["PronounVerbAgreement"].range)[0]
    (change,) = action.edit.document_changes
    assert change.text_document.version == editor._version
    assert (change.edits[0].range, change.edits[0].new_text) == (found["PronounVerbAgreement"].range, "has")
    found = editor.change(((2, 4), (2, 8), "has"))
    assert found.keys() == {"ModalOf", "SpellCheck"}
    editor.shut()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_selection_is_compared_with_its_last_committed_version(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    first, second = "The shop is open on Sundays.", "Children must not use the lift alone."
    file.write_text(f"{first}\n\n{second}\n", encoding="utf-8")
    editor.uri = file.as_uri()
    editor.open(f"{first}\n\nChildren may use the lift alone.\n")

    def compared(line: int) -> lsp.ShowMessageParams:
        selection = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 20))
        (action,) = [each for each in editor.actions(selection) if each.title.startswith("Compare the selection")]
        asked = lsp.ExecuteCommandParams(action.command, list(action.arguments))
        editor._runner.run(editor.client.workspace_execute_command_async(asked))
        return editor.client.messages[-1]

    told = compared(2)
    assert told.type == lsp.MessageType.Warning
    assert "git has no committed version: not a git repository" in told.message
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "letter.txt"), (*author, "commit", "-q", "-m", "A letter")):
        run(["git", "-C", str(tmp_path), *command], check=True)
    verdict, *changes = compared(2).message.splitlines()
    assert re.fullmatch(r"usim: since the last commit: drop, faithfulness 0\.\d+", verdict)
    assert [re.findall("“(.*?)”", change) for change in changes] == [["must not use", "may use"]]
    assert "in the same words" in compared(0).message
    nothing = lsp.Range(lsp.Position(2, 3), lsp.Position(2, 3))
    assert not [each for each in editor.actions(nothing) if each.title.startswith("Compare")]
    editor.shut()


def test_findings_are_ignored_words_added_and_all_that_keeps_the_meaning_accepted(editor: Editor, words: Path) -> None:
    editor.uri = "file:///ignored.txt"
    text = "She have two cats. We met in the kichen. The chiken helps. It is very good."
    found = editor.open(text)
    assert {"PronounVerbAgreement", "SpellCheck"} <= found.keys()
    (everything,) = editor.actions(found["PronounVerbAgreement"].range, ["source.fixAll"])
    (change,) = everything.edit.document_changes
    assert f"({len(change.edits)})" in everything.title
    assert "has" in [edit.new_text for edit in change.edits]
    assert "excellent" not in [edit.new_text for edit in change.edits]  # style is nobody's mistake
    assert any("excellent" in action.title for action in editor.actions(found["Excellent"].range))
    at = text.index("kichen")
    kichen = lsp.Range(lsp.Position(0, at), lsp.Position(0, at + 6))
    titles = {action.title: action for action in editor.actions(kichen)}
    found = editor.command(titles["Add “kichen” to the dictionary"])
    assert words.read_text() == "Chiken\nkichen\n"
    assert "SpellCheck" not in found  # neither what was added nor what the dictionary had
    place = found["PronounVerbAgreement"].range
    titles = {action.title: action for action in editor.actions(place)}
    found = editor.command(titles["Ignore “have” in this text"])
    assert "PronounVerbAgreement" not in found
    editor.shut()


def test_code_in_markdown_is_left_alone(editor: Editor) -> None:
    assert editor.open("```\nShe have two cats.\n```\n", "markdown") == {}
    editor.shut()
    assert editor.open("```\nShe have two cats.\n```\n").keys() == {"PronounVerbAgreement"}
    editor.shut()


def test_a_text_in_another_language_is_left_alone_and_that_is_said_once(editor: Editor) -> None:
    before = len(editor.client.messages)
    assert editor.open("Je suis alle a la maison hier soir. Il fait froid.") == {}
    assert editor.change(((0, 0), (0, 2), "Nous")) == {}
    assert [("another language (fr)" in told.message) for told in editor.client.messages[before:]] == [True]
    editor.shut()


def test_a_text_that_is_too_long_is_not_checked_and_that_is_said(editor: Editor) -> None:
    assert not editor.open("He go home. " * 40_000)
    assert editor.client.messages[-1].message.endswith("100,000 characters, and is not checked: cut it in parts")
    assert editor.change(((0, 0), (0, 12 * 40_000), "I am looking forward to hear you."))
    editor.shut()


def test_without_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.delitem(sys.modules, "usim.serve.lsp")
    done = usim_here("lsp")
    assert done.returncode == 2
    assert done.stderr == "usim: the language server needs the extra lsp: pip install pygls\n"


@pytest.mark.slow
def test_an_editor_that_counts_in_utf_8() -> None:
    editor = Editor("neovim@0.11.0")
    assert editor.answer.capabilities.position_encoding == "utf-8"
    assert places(editor.open(TEXT))["PronounVerbAgreement"] == (0, 9, 0, 13)
    assert editor.change(((0, 9), (0, 13), "has")).keys() == {"ModalOf", "SpellCheck"}
    assert editor.close() == 0


#: What somebody does in Neovim: open a file, wait for findings, look at one, take the first suggestion, write the file.
NEOVIM = """
vim.cmd("edit " .. vim.env.USIM_FILE)
local client = vim.lsp.start_client({ name = "usim", cmd = vim.fn.json_decode(vim.env.USIM_COMMAND) })
vim.lsp.buf_attach_client(0, client)
local function wait(count)
  assert(vim.wait(200000, function() return #vim.diagnostic.get(0) == count end, 50), "no findings")
end
wait(3)
local encoding = vim.lsp.get_client_by_id(client).offset_encoding
vim.api.nvim_win_set_cursor(0, { 1, 9 })
local place = vim.lsp.util.make_range_params(0, encoding)
place.context = { diagnostics = {} }
local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(0, encoding), 60000)
local actions = vim.lsp.buf_request_sync(0, "textDocument/codeAction", place, 60000)
vim.lsp.util.apply_workspace_edit(actions[client].result[1].edit, encoding)
wait(2)
vim.cmd("write")
print(vim.fn.json_encode({ hover = hover[client].result.contents.value, title = actions[client].result[1].title }))
vim.cmd("quit")
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_in_neovim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, script = tmp_path / "notes.txt", tmp_path / "script.lua"
    path.write_text(TEXT.replace("\r", ""))
    script.write_text(NEOVIM)
    monkeypatch.setenv("USIM_COMMAND", json.dumps([sys.executable, "-m", "usim", "lsp", *OPTIONS]))
    monkeypatch.setenv("USIM_FILE", str(path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    command = ["nvim", "--headless", "-u", "NONE", "-S", script]
    done = run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert path.read_text() == TEXT.replace("\r", "").replace("have", "has")
    shown = json.loads(done.stderr[done.stderr.index("{") :].splitlines()[0])
    assert shown["title"] == "Replace with “has”"
    assert "has" in shown["hover"]


def test_an_editor_that_ends_without_a_shutdown_is_exit_code_1() -> None:
    done = run([*USIM, "lsp", *OPTIONS], input=b"", capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"")
