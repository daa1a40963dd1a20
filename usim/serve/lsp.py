"""A language server that checks the texts of an editor and screens the suggestions of the checker.

It speaks the Language Server Protocol (https://microsoft.github.io/language-server-protocol/) over standard input and
output, by `pygls <https://pygls.readthedocs.io>`_ (extra ``lsp``). Findings are diagnostics, suggestions are code
actions, the most faithful first, without those to drop; the verdicts of all, and why, show where the pointer rests. A
text is checked again when it changes; a sentence that stays as it was keeps its verdicts, whatever happens around it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import subprocess
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from usim._version import __version__
from usim.checkers import SPELLING, Checker, CheckRequest, Fault, best_edits, check_text, screened_findings
from usim.documents import TextComparison
from usim.errors import InputError, UsimError
from usim.report.words import one_line, why_so
from usim.screen import Screen, SuggestionResult, VerdictCache
from usim.text import Span
from usim.text.files import read_text
from usim.verdicts.decide import worst_verdict

_PAUSE = 0.05  # seconds without a change before a text is checked again
_TOGETHER = 16  # findings that are screened together; if the text changes, the next ones are not screened
#: The most characters of a text that is checked: checkers take much memory for more, and one text at a time.
_LONGEST = 100_000
_LINE_END = re.compile(r"\r\n|\r|\n")
#: Commands of code actions.
_IGNORE, _ADD, _COMPARE = "usim.ignore", "usim.addToDictionary", "usim.compareWithCommit"
#: Encodings of the protocol: Python's name, and the bytes of a unit.
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Places:
    """Places in a text: characters from 0, and the protocol's lines with units of an encoding.

    Only the ends of lines that the protocol names are such; Python's own ``splitlines`` knows many more.

    >>> places = Places("one\\u2028two\\na 😀 b")
    >>> places.position(11), places.character(lsp.Position(1, 4))
    (1:4, 11)
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self._text, self._lines = text, _LINE_END.split(text)
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._encoding, self._size = _UNITS[encoding]

    def character(self, position: lsp.Position) -> int:
        """Return the character at a position; beyond the end of a line that is the line's end."""
        if position.line >= len(self._lines):
            return len(self._text)
        line = self._lines[position.line].encode(self._encoding, "surrogatepass")
        before = line[: position.character * self._size].decode(self._encoding, "ignore")
        return self._starts[position.line] + len(before)

    def span(self, both: lsp.Range) -> Span:
        return self.character(both.start), self.character(both.end)

    def position(self, character: int) -> lsp.Position:
        number = bisect_right(self._starts, character) - 1
        before = self._text[self._starts[number] : character]
        return lsp.Position(number, len(before.encode(self._encoding, "surrogatepass")) // self._size)

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(*map(self.position, span))


@dataclass
class _Document:
    """A text that is open in the editor, and what was found in it, which is nothing until it has been checked."""

    findings: Sequence[Fault] = ()
    problem: str = ""
    ignored: set[tuple[str, str]] = field(default_factory=set)  # rules, each with the words that it found
    remembered: VerdictCache = field(default_factory=partial(VerdictCache, in_context=False))
    task: asyncio.Task[None] | None = None

    def touched(self, start: int, end: int) -> list[Fault]:
        return [each for each in self.findings if each.start <= end and start <= each.end]


class Server:
    """Checks the texts of an editor, and answers its requests.

    ``request`` makes the checker's request of a text and whether that is Markdown; ``dictionary`` has words that are
    right, a line each, and those that people add. Without a file these are known until the server ends.
    """

    def __init__(
        self,
        checker: Checker,
        screen: Screen,
        request: Callable[[str, bool], CheckRequest],
        dictionary: Path | None = None,
    ) -> None:
        self._checker, self._screen, self._request = checker, screen, request
        self._dictionary = dictionary
        known = read_text(dictionary) if dictionary is not None and dictionary.exists() else ""
        self._words = set(known.casefold().split())
        self._documents: dict[str, _Document] = {}
        self._judging = ThreadPoolExecutor(1)  # a screen works for one at a time
        self._is_shut_down = False
        # What pygls logs has texts in it.
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
        # With whole texts, no end of a line but the protocol's own counts: pygls applies edits at Python's.
        kind = lsp.TextDocumentSyncKind.Full
        self._server = server = LanguageServer("usim", __version__, text_document_sync_kind=kind)
        fixes = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll])
        # pygls gives each function attributes, which no method can have.
        server.feature(lsp.SHUTDOWN)(partial(self._shut_down))
        server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(partial(self._open))
        server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(partial(self._change))
        server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(partial(self._close))
        server.feature(lsp.TEXT_DOCUMENT_HOVER)(partial(self._hover))
        server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, fixes)(partial(self._actions))
        server.command(_IGNORE)(partial(self._ignore))
        server.command(_ADD)(partial(self._add))
        server.command(_COMPARE)(partial(self._compare))

    def run(self) -> None:
        """Serve over standard input and output until the editor ends; exit with 1 if it did not say ``shutdown``."""
        try:
            with os.fdopen(os.dup(1), "wb") as answers:  # which pygls closes
                self._server.start_io(stdout=answers)
        finally:
            self._judging.shutdown(wait=False, cancel_futures=True)
        raise SystemExit(0 if self._is_shut_down else 1)

    def _opened(self, uri: str) -> tuple[_Document, TextDocument, Places]:
        opened = self._server.workspace.get_text_document(uri)
        return self._documents[uri], opened, Places(opened.source, self._server.workspace.position_encoding or "utf-16")

    def _tell(self, message: str, kind: lsp.MessageType = lsp.MessageType.Warning) -> None:
        self._server.window_show_message(lsp.ShowMessageParams(kind, f"usim: {message}"))

    # What the editor tells

    def _shut_down(self, params: None) -> None:
        self._is_shut_down = True

    def _open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._documents[params.text_document.uri] = _Document()
        self._check_soon(params.text_document.uri, 0.0)

    def _change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._check_soon(params.text_document.uri, _PAUSE)

    def _close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        document = self._documents.pop(params.text_document.uri)
        if document.task is not None:
            document.task.cancel()
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))

    def _ignore(self, uri: str, rule: str, words: str) -> None:
        self._documents[uri].ignored.add((rule, words))
        self._check_soon(uri, 0.0)

    def _add(self, uri: str, word: str) -> None:
        self._words.add(word.casefold())
        if self._dictionary is not None:
            try:
                with self._dictionary.open("a", encoding="utf-8") as file:
                    file.write(f"{word}\n")
            except OSError as e:
                self._tell(f"{self._dictionary}: {e.strerror}: the word is known until the server ends")
        for each in self._documents:
            self._check_soon(each, 0.0)

    async def _compare(self, uri: str, start: int, end: int) -> None:
        """Show what changed in the selected part of a text since the last commit."""
        _, opened, _ = self._opened(uri)

        def compare(text: str, is_markdown: bool) -> TextComparison:
            before = committed_text(Path(to_fs_path(uri) or uri))
            return self._screen.scorer.compare_texts(before, text, is_markdown=is_markdown)

        try:
            comparison = await asyncio.get_running_loop().run_in_executor(
                self._judging, compare, opened.source, opened.language_id == "markdown"
            )
            self._tell(_of_selection(comparison, (start, end)), lsp.MessageType.Info)
        except UsimError as e:
            self._tell(str(e))

    # Checking

    def _check_soon(self, uri: str, pause: float) -> None:
        document = self._documents[uri]
        document.findings = ()
        if document.task is not None:
            document.task.cancel()
        document.task = asyncio.get_running_loop().create_task(self._check(uri, pause))

    async def _check(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document, opened, places = self._opened(uri)
        problem = ""
        try:
            if len(opened.source) > _LONGEST:
                raise InputError(f"the text has more than {_LONGEST:,} characters, and is not checked: cut it in parts")
            request = self._request(opened.source, opened.language_id == "markdown")
            checked = await asyncio.to_thread(check_text, self._checker, request)
            document.findings = await self._judge(document, opened.source, checked.findings)
        except UsimError as e:
            problem = str(e)
        except Exception as e:  # without a message, the editor would not show that the check failed
            problem = f"an error of the language server ({type(e).__name__}): please report it"
        if problem and problem != document.problem:  # once, not after each change
            self._tell(problem)
        document.problem = problem
        diagnostics = [_diagnostic(finding, places) for finding in document.findings]
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, opened.version))

    async def _judge(self, document: _Document, text: str, findings: Sequence[Fault]) -> list[Fault]:
        def is_wanted(finding: Fault) -> bool:
            words = text[finding.start : finding.end]
            is_known = finding.category == SPELLING and words.casefold() in self._words
            return not is_known and (finding.rule, words) not in document.ignored

        def judge(part: Sequence[Fault]) -> list[Fault]:
            self._screen.remembered = document.remembered
            return list(screened_findings(text, part, self._screen))

        wanted = list(filter(is_wanted, findings))
        judged: list[Fault] = []
        for start in range(0, len(wanted), _TOGETHER):
            part = wanted[start : start + _TOGETHER]
            judged += await asyncio.get_running_loop().run_in_executor(self._judging, judge, part)
        return judged

    # What the editor asks

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction | lsp.Command]:
        uri, only = params.text_document.uri, params.context.only
        document, opened, places = self._opened(uri)
        text = opened.source
        start, end = places.span(params.range)
        touched = document.touched(start, end)

        def edit(*edits: tuple[int, int, str]) -> lsp.WorkspaceEdit:
            identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, opened.version)
            changes = [lsp.TextEdit(places.range((start, end)), new) for start, end, new in edits]
            return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, changes)])

        actions: list[lsp.CodeAction | lsp.Command] = []
        if only is None or lsp.CodeActionKind.QuickFix in only:
            actions += [
                lsp.CodeAction(
                    _title(text[finding.start : finding.end], screened),
                    lsp.CodeActionKind.QuickFix,
                    [_diagnostic(finding, places)],
                    is_preferred=screened is finding.best,
                    edit=edit((finding.start, finding.end, screened.substitute)),
                )
                for finding in touched
                for screened in finding.screened
                if screened.verdict != "drop"
            ]
        mends = self._request(text, opened.language_id == "markdown").mends
        edits = best_edits(text, list(filter(mends, document.findings)))
        if edits and (only is None or lsp.CodeActionKind.SourceFixAll in only):
            title = f"Accept all suggestions that keep the meaning ({len(edits)})"
            actions.append(lsp.CodeAction(title, lsp.CodeActionKind.SourceFixAll, edit=edit(*edits)))
        if only is not None:
            return actions
        for finding in touched:
            words = text[finding.start : finding.end]
            told = one_line(words)
            actions.append(lsp.Command(f"Ignore “{told}” in this text", _IGNORE, arguments=[uri, finding.rule, words]))
            if finding.category == SPELLING:
                actions.append(lsp.Command(f"Add “{told}” to the dictionary", _ADD, arguments=[uri, words]))
        if start < end and to_fs_path(uri):
            title = "Compare the selection with its last committed version"
            actions.append(lsp.Command(title, _COMPARE, arguments=[uri, start, end]))
        return actions

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        document, _, places = self._opened(params.text_document.uri)
        place = places.character(params.position)
        touched = document.touched(place, place)
        if not touched:
            return None
        # Plain text, so that a text can hold no link and no picture.
        content = lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n\n".join(map(_explain, touched)))
        return lsp.Hover(content, places.range((touched[0].start, touched[0].end)))


def committed_text(path: Path) -> str:
    """Return the text of a file as it was committed last."""
    # cat-file, because show would run the converters that the settings of a repository may name.
    command = ["git", "-C", str(path.parent), "cat-file", "blob", f"HEAD:./{path.name}"]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=True)
    except subprocess.CalledProcessError as e:
        why = " ".join(e.stderr.decode("utf-8", "replace").split()).removeprefix("fatal: ")
        raise InputError(f"git has no committed version: {why}", path=path) from e
    except (OSError, subprocess.TimeoutExpired) as e:
        raise InputError(f"git cannot say what was committed last: {e}", path=path) from e
    return done.stdout.decode("utf-8", "replace")


def _diagnostic(finding: Fault, places: Places) -> lsp.Diagnostic:
    severity = lsp.DiagnosticSeverity.Warning if finding.best else lsp.DiagnosticSeverity.Information
    return lsp.Diagnostic(
        places.range((finding.start, finding.end)), finding.message, severity, finding.rule, source="usim"
    )


def _title(old: str, screened: SuggestionResult) -> str:
    title = f"Replace with “{one_line(screened.substitute)}”" if screened.substitute else f"Delete “{one_line(old)}”"
    return title if screened.verdict == "keep" else f"{title} ({_verdict('review', screened)})"


def _of_selection(comparison: TextComparison, selection: Span) -> str:
    """Return what a change did to the sentences of a selection, in words."""
    start, end = selection
    numbers = {
        number
        for number, block in enumerate(comparison.blocks)
        if not block.is_same and block.after_span[0] < end and start <= block.after_span[1]
    }
    if not numbers:
        return "the selection is the same as in the last commit, in the same words"
    blocks = [comparison.blocks[number] for number in numbers]
    verdict, least = worst_verdict([block.verdict for block in blocks]), min(block.faithfulness for block in blocks)
    found = [each for each in (*comparison.findings, *comparison.doubts) if each.block in numbers]
    what = "\n".join(f"• {one_line(each.text)}" for each in found) or "the meaning is kept"
    return f"since the last commit: {verdict}, faithfulness {least:.3f}\n{what}"


def _explain(finding: Fault) -> str:
    lines = [f"{one_line(finding.message)} ({finding.rule})"]
    for screened in finding.screened:
        substitute = one_line(screened.substitute) or "(nothing)"
        lines.append(_verdict(f"{screened.verdict} {screened.faithfulness:.3f}  {substitute}", screened))
    return "\n".join(lines)


def _verdict(verdict: str, screened: SuggestionResult) -> str:
    """Return a verdict with what was found and what decided, if anything is told."""
    against = why_so(screened.judgement, screened.notes)
    return f"{verdict}: {against}" if against else verdict
