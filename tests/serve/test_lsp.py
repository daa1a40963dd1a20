"""The language server: findings as diagnostics, suggestions as code actions, in the encodings and editors that there are."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired, run
from threading import Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from tests.command import USIM, usim_here
from tests.support.editor import OPTIONS, URI, Editor
from usim.serve.lsp import Places, Server

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


def units_of(text: str) -> list[str]:
    """Return a text as units of UTF-16, so that a position needs no arithmetic."""
    return [chr(int.from_bytes(pair, "little")) for pair in batched(text.encode("utf-16-le", "surrogatepass"))]


def batched(data: bytes) -> Iterator[bytes]:
    return (data[k : k + 2] for k in range(0, len(data), 2))


def index_of(units: list[str], line: int, column: int) -> int:
    """Return where a position is, by walking there: the model that the server is compared with."""
    k = 0
    while line and k < len(units):
        is_end = units[k] == "\n" or (units[k] == "\r" and units[k + 1 : k + 2] != ["\n"])
        line, k = line - is_end, k + 1
    if line:
        return k
    while column and k < len(units) and units[k] not in "\r\n":
        column, k = column - 1, k + 1
    return k


#: Whatever Python, an editor, or Unicode takes for the end of a line; and what is one unit or two.
PIECES = [
    "a",
    "b ",
    "é",
    "e\u0301",
    "😀",
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\u2029",
    "\x0b",
    "\x0c",
    "\x85",
    "\x1c",
    "\x1e",
]


class NoChecker:
    """A checker that finds nothing."""

    async def check(self, request: Any) -> dict[str, Any]:
        return {"matches": [], "language": {"code": "en"}, "warnings": {}}


def told(method: str, params: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()


@pytest.fixture(scope="module")
def server() -> Server:
    server = Server(NoChecker(), None, lambda *_: None)
    server.take(told("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1))
    return server


@given(st.data())
def test_the_server_has_the_text_that_the_editor_has(server: Server, data: st.DataObject) -> None:
    texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
    text = data.draw(texts)

    async def edit() -> None:
        item = {"uri": URI, "languageId": "plaintext", "version": 0, "text": text}
        server.take(told("textDocument/didOpen", {"textDocument": item}))
        model = text
        for version in range(1, data.draw(st.integers(1, 4)) + 1):
            changes = []
            for _ in range(data.draw(st.integers(1, 3))):
                units = units_of(model)
                # An editor names no place within a pair of surrogates, or within \r\n.
                places = [(line, column) for line in range(6) for column in (*range(8), 2**31 - 1)]
                named = [
                    place for place in places
                    if not "\udc00" <= "".join(units[index_of(units, *place) :][:1]) <= "\udfff"
                ]  # fmt: skip
                start, end = sorted(data.draw(st.tuples(st.sampled_from(named), st.sampled_from(named))))
                new = data.draw(texts)
                kept = units[: index_of(units, *start)], units[index_of(units, *end) :]
                joined = "".join([*kept[0], *units_of(new), *kept[1]])
                model = joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
                both = {name: {"line": at[0], "character": at[1]} for name, at in (("start", start), ("end", end))}
                changes.append({"range": both, "text": new})
            identifier = {"uri": URI, "version": version}
            server.take(told("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes}))
            assert server.text(URI) == model
        server.take(told("textDocument/didClose", {"textDocument": {"uri": URI}}))

    asyncio.run(edit())


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    editor = Editor("visual_studio_code")
    yield editor
    assert editor.close() == 0


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
    found = editor.open("One\u2028\x0b\x85😀 two\rShe have a cat.")
    assert places(found)["PronounVerbAgreement"] == (1, 4, 1, 8)
    found = editor.change(((0, 6), (0, 8), "Zwei"), ((1, 4), (1, 8), "has"), ((1, 99), (9, 9), "\nHe have it."))
    assert places(found)["PronounVerbAgreement"] == (2, 3, 2, 7)
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
            assert all(reason["text"] in hover for reason in each["reasons"][:3])
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


def test_a_fix_replaces_the_finding_behind_a_separator_that_is_no_end_of_a_line(editor: Editor) -> None:
    for separator in "\u2028\u2029\x0b\x0c\x85\x1c":
        text = f"Dear all,{separator}we met in the libary last week."
        editor.open(text)
        column = text.index("last")
        found = editor.change(((0, column), (0, column), "very late "))
        new = text[:column] + "very late " + text[column:]
        place = found["SpellCheck"].range
        assert new[place.start.character : place.end.character] == "libary"
        edits = [action.edit.document_changes[0].edits[0] for action in editor.actions(place, ["quickfix"])]
        assert all(edit.range == place for edit in edits)
        editor.shut()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_selection_is_compared_with_its_last_committed_version(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    first, second = "The shop is open on Sundays.", "Children must not use the lift alone."
    file.write_text(f"{first}\n\n{second}\n", encoding="utf-8")
    editor = Editor("visual_studio_code")
    editor.uri = file.as_uri()
    editor.open(f"{first}\n\nChildren may use the lift alone.\n")

    def compared(line: int) -> lsp.ShowMessageParams:
        selection = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 20))
        (action,) = [each for each in editor.actions(selection) if each.title.startswith("Compare the selection")]
        count = len(editor.client.messages)
        asked = lsp.ExecuteCommandParams(action.command, list(action.arguments))

        async def ask() -> None:
            editor.client.workspace_execute_command(asked)
            while len(editor.client.messages) == count:
                await asyncio.sleep(0.05)

        editor._runner.run(ask())
        return editor.client.messages[-1]

    told = compared(2)
    assert told.type == lsp.MessageType.Warning
    assert "git has no committed version: not a git repository" in told.message
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "letter.txt"), (*author, "commit", "-q", "-m", "A letter")):
        run(["git", "-C", str(tmp_path), *command], check=True)
    assert re.match(r"usim: since the last commit: drop, faithfulness 0\.\d+\n• .*must", compared(2).message)
    assert "in the same words" in compared(0).message
    nothing = lsp.Range(lsp.Position(2, 3), lsp.Position(2, 3))
    assert not [each for each in editor.actions(nothing) if each.title.startswith("Compare")]
    editor.close()


def test_findings_are_ignored_words_added_and_all_that_keeps_the_meaning_accepted(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    editor = Editor("visual_studio_code", "-m", "usim", dictionary=words)
    text = "She have two cats. We met in the libary. Usim helps."
    found = editor.open(text)
    assert {"PronounVerbAgreement", "SpellCheck"} <= found.keys()
    (everything,) = editor.actions(found["PronounVerbAgreement"].range, ["source.fixAll"])
    (change,) = everything.edit.document_changes
    assert f"({len(change.edits)})" in everything.title
    assert "has" in [edit.new_text for edit in change.edits]
    at = text.index("libary")
    libary = lsp.Range(lsp.Position(0, at), lsp.Position(0, at + 6))
    titles = {action.title: action for action in editor.actions(libary)}
    found = editor.command(titles["Add “libary” to the dictionary"])
    assert words.read_text() == "libary\n"
    assert all(each.range != libary for each in editor.client.diagnostics[URI])
    place = found["PronounVerbAgreement"].range
    titles = {action.title: action for action in editor.actions(place)}
    found = editor.command(titles["Ignore “have” in this text"])
    assert "PronounVerbAgreement" not in found
    editor.close()
    again = Editor("visual_studio_code", "-m", "usim", dictionary=words)
    again.open(text)
    assert all(each.range != libary for each in again.client.diagnostics[URI])
    again.close()


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


def test_without_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.delitem(sys.modules, "usim.serve.lsp")
    done = usim_here("lsp")
    assert done.returncode == 2
    assert done.stderr == "usim: the language server needs one more package (lsprotocol): pip install pygls\n"


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


#: The same in Emacs, with Eglot.
EMACS = """
(require 'package) (package-initialize)
(require 'eglot)
(require 'json)
(setq eglot-sync-connect 200 eglot-connect-timeout 200 eglot-confirm-server-edits nil)
(add-to-list 'eglot-server-programs (cons 'text-mode (append (json-read-from-string (getenv "USIM_COMMAND")) nil)))
(find-file (getenv "USIM_FILE"))
(text-mode)
(call-interactively 'eglot)
(let ((tries 0))
  (while (and (< tries 2000) (not (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (flymake-start)
    (setq tries (1+ tries))))
(eglot--apply-workspace-edit (plist-get (elt (eglot-code-actions 7 11 nil) 0) :edit) nil)
(save-buffer)
"""


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A function that runs a script in an editor, checks what became of the text, and returns what the editor said."""

    def run_script(content: str, *command: str | Path) -> str:
        path, script = tmp_path / "notes.txt", tmp_path / "script.lua"  # Neovim goes by the ending, Emacs does not
        path.write_text(TEXT.replace("\r", ""))
        script.write_text(content)
        monkeypatch.setenv("USIM_COMMAND", json.dumps([sys.executable, "-m", "usim", "lsp", *OPTIONS]))
        monkeypatch.setenv("USIM_FILE", str(path))
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        done = run([*command, script], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert path.read_text() == TEXT.replace("\r", "").replace("have", "has")
        return done.stderr

    return run_script


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_in_neovim(edited: Callable[..., str]) -> None:
    told = edited(NEOVIM, "nvim", "--headless", "-u", "NONE", "-S")
    shown = json.loads(told[told.index("{") :].splitlines()[0])
    assert shown["title"] == "Replace with “has”"
    assert "has" in shown["hover"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_in_emacs(edited: Callable[..., str]) -> None:
    eglot = ["emacs", "--batch", "--eval", "(progn (require 'package) (package-initialize) (require 'eglot))"]
    if run(eglot, capture_output=True).returncode:
        pytest.skip("Emacs has no Eglot")
    edited(EMACS, "emacs", "--batch", "-l")


class Pipe:
    """``usim lsp`` with its streams as they are, for an editor that does not keep to the protocol."""

    def __init__(self, *, process: int | None = None) -> None:
        self.process = Popen([*USIM, "lsp", *OPTIONS], stdin=PIPE, stdout=PIPE, stderr=PIPE)
        self.tell(told("initialize", {"processId": process, "rootUri": None, "capabilities": {}}, id=1))
        assert self.answer()["id"] == 1
        self._watch = Timer(60, self.process.kill)  # so that a test of what is deaf ends
        self._watch.start()

    def wait(self) -> int:
        """Wait until the server has ended, and return its exit code."""
        with self.process:  # closes its streams, too
            self.said = self.process.stderr.read()
        self._watch.cancel()
        return self.process.returncode

    def tell(self, body: bytes, head: bytes | None = None) -> None:
        """Send a message."""
        self.process.stdin.write((b"Content-Length: %d\r\n\r\n" % len(body) if head is None else head) + body)
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Return the next message of the server's."""
        head = self.process.stdout.readline()
        while head and not head.endswith(b"\r\n\r\n"):
            head += self.process.stdout.readline()
        return json.loads(self.process.stdout.read(int(re.search(rb"Content-Length: (\d+)", head)[1])))

    def ask(self, number: int) -> dict[str, Any]:
        """Ask for something, and return the answer, whatever comes before it."""
        self.tell(
            told(
                "textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}, id=number
            )
        )
        while (answer := self.answer()).get("id") != number:
            pass
        return answer


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


#: What stands before, in place of, or around a message, and is not as the protocol has it.
FRAMINGS = [
    b"Content-Length: 2\n\n{}",
    b"content-length:2\r\n\r\n{}",
    b"Content-Length : 2\r\n\r\n{}",
    b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}",
    b"Content-Length: 0\r\n\r\n",
    b"Content-Length: -2\r\n\r\n{}",
    b"Content-Length: 1\r\n\r\n{}",
    b"Content-Length: 5\r\n\r\n{}",
    b"Content-Length: 40\r\n\r\n{}",
    b"Content-Length: 999999999\r\n\r\n{}",
    b"Content-Length: 99999999999999999999\r\n\r\n{}",
    b"Content-Length: x\r\n\r\n{}",
    b"\r\n\r\n\r\n",
    b"{}",
    b"[]\r\n",
    b"\0" * 70_000,
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    *map(framed, [
        b"null", b"[]", b"{}", b"7", b'"x"', b"\xff\xfe\xfd\xfc", b"[" * 400_000, b"{", b'{"jsonrpc":"1.0"}', b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":[]}', b'{"jsonrpc":"2.0","method":7,"params":1}', b'{"jsonrpc":"2.0","method":"x"}',
        b'{"jsonrpc":"2.0","id":5000,"method":"initialize"}', b'{"jsonrpc":"2.0","id":5000}', b'{"jsonrpc":"2.0","id":5000,"method":[]}',
        b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[]}', b'{"jsonrpc":"2.0","method":{"jsonrpc":"2.0"}}',
        b'{"jsonrpc":"2.0","id":5000,"method":"textDocument/hover","params":{"position":{"line":-1}}}',
        b'{"jsonrpc":"2.0","method":"$/cancelRequest"}', b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{}}',
    ]),
]  # fmt: skip


def test_no_framing_leaves_the_server_deaf() -> None:
    server = Pipe()
    for number, framing in enumerate(FRAMINGS, start=10):
        server.tell(framing, b"")
        # A length that is too great takes a part of the next message with it, and no more than that.
        server.tell(told("textDocument/hover", {}, id=6000))
        assert "error" in server.ask(number), framing
    server.tell(told("exit", {}))
    assert server.wait() == 1


@pytest.mark.parametrize(("is_shut", "code"), [(True, 0), (False, 1)])
def test_the_exit_code_says_whether_a_shutdown_was_asked_for(is_shut: bool, code: int) -> None:
    for end in (lambda server: server.tell(told("exit", {})), lambda server: server.process.stdin.close()):
        server = Pipe()
        if is_shut:
            server.tell(told("shutdown", {}, id=2))
            assert server.answer()["id"] == 2
        end(server)
        assert server.wait() == code
        assert server.said == b""


def test_one_interrupt_ends_the_server() -> None:
    server = Pipe()
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == 130
    assert server.said.strip() == b"usim: interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="the process is looked at by a signal")
def test_the_server_ends_with_the_process_of_the_editor() -> None:
    with Popen([sys.executable, "-c", "input()"], stdin=PIPE) as editor:
        server = Pipe(process=editor.pid)
        editor.communicate(b"\n")
    assert server.wait() == 1
    # A process that cannot be seen, as that of an editor outside a container, is none that has ended.
    server = Pipe(process=2**22 + 1)
    with pytest.raises(TimeoutExpired):
        server.process.wait(5)
    server.process.kill()
    server.wait()
