"""A language server that checks the texts of an editor and screens the suggestions of the checker.

It speaks the Language Server Protocol (https://microsoft.github.io/language-server-protocol/) over standard input and
output, by `pygls <https://pygls.readthedocs.io>`_ (extra ``lsp``). Findings are diagnostics, suggestions are code
actions, the most faithful first, those to drop are left out, and reasons are shown where the pointer rests. A text is
checked again when it changes; a sentence that stays as it was keeps its verdicts, whatever happens around it. Findings
can be ignored, words can be added to a dictionary, all suggestions that keep the meaning can be accepted at once, and a
selection can be compared with its last committed version.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from usim._version import __version__
from usim.checkers import Checker, CheckRequest, Finding, best_edits, check_text, screened_findings
from usim.errors import UsimError
from usim.report.words import one_line, why
from usim.screen import Screen, SuggestionResult, VerdictCache
from usim.serve._committed import committed_text
from usim.text import Span
from usim.text.files import read_text
from usim.texts import TextComparison, worst_verdict

_PAUSE = 0.05  # seconds without a change before a text is checked again
_TOGETHER = 16  # findings that are screened together; if the text changes, the next ones are not screened
_LINE_END = re.compile(r"\r\n|\r|\n")
#: Commands of code actions.
_IGNORE, _ADD, _COMPARE = "usim.ignore", "usim.addToDictionary", "usim.compareWithCommit"
_SPELLING = "TYPOS"  # the category of words that a checker does not know
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
        self._text = text
        ends = [*(match.span() for match in _LINE_END.finditer(text)), (len(text), len(text))]
        self._lines = list(zip([0, *(end for _, end in ends[:-1])], (end for end, _ in ends), strict=True))
        self._encoding, self._size = _UNITS[encoding]

    def character(self, position: lsp.Position) -> int:
        """Return the character at a position; beyond the end of a line that is the line's end."""
        if position.line >= len(self._lines):
            return len(self._text)
        start, end = self._lines[position.line]
        line = self._text[start:end].encode(self._encoding, "surrogatepass")[: position.character * self._size]
        return start + len(line.decode(self._encoding, "ignore"))

    def span(self, both: lsp.Range) -> Span:
        """Return the characters of a range."""
        return self.character(both.start), self.character(both.end)

    def position(self, character: int) -> lsp.Position:
        """Return the position of a character."""
        number = bisect_right(self._lines, character, key=lambda line: line[0]) - 1
        before = self._text[self._lines[number][0] : character]
        return lsp.Position(number, len(before.encode(self._encoding, "surrogatepass")) // self._size)

    def range(self, span: Span) -> lsp.Range:
        """Return the range of characters."""
        return lsp.Range(*map(self.position, span))


@dataclass
class _Document:
    """A text that is open in the editor, and the results of its last check."""

    text: str
    version: int
    is_markdown: bool
    findings: Sequence[Finding] = ()
    checked: int | None = None  # the version that was checked
    problem: str = ""
    ignored: set[tuple[str, str]] = field(default_factory=set)  # rules, each with the words that it found
    remembered: VerdictCache = field(default_factory=partial(VerdictCache, in_context=False))
    task: asyncio.Task[None] | None = None


class Server:
    """Checks the texts of an editor, and answers its requests.

    Args:
        checker: finds mistakes.
        screen: judges what it suggests.
        request: how a text is to be checked, given whether it is Markdown.
        dictionary: a file of words that are right, a line each; words that people add are written to its end. Without
            one they are known until the server ends.
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
        kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
        fixes = lsp.CodeActionOptions(code_action_kinds=kinds)
        for name, answer, options in (
            (lsp.SHUTDOWN, self._shut_down, None),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._open, None),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, self._change, None),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, self._close, None),
            (lsp.TEXT_DOCUMENT_HOVER, self._hover, None),
            (lsp.TEXT_DOCUMENT_CODE_ACTION, self._actions, fixes),
        ):
            server.feature(name, options)(partial(answer))  # pygls gives it attributes, which no method can have
        server.command(_IGNORE)(partial(self._ignore))
        server.command(_ADD)(partial(self._add))
        server.command(_COMPARE)(partial(self._compare))

    def run(self) -> None:
        """Serve over standard input and output until the editor ends.

        Raises:
            SystemExit: with 0 after the protocol's ``shutdown``, and with 1 without it.
        """
        try:
            with os.fdopen(os.dup(1), "wb") as answers:  # which pygls closes
                self._server.start_io(stdout=answers)
        finally:
            self._judging.shutdown(wait=False, cancel_futures=True)
        raise SystemExit(0 if self._is_shut_down else 1)

    def _places(self, text: str) -> Places:
        return Places(text, self._server.workspace.position_encoding or "utf-16")

    # What the editor tells

    def _shut_down(self, params: None) -> None:
        self._is_shut_down = True

    def _open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        told = params.text_document
        self._documents[told.uri] = _Document(told.text, told.version, told.language_id == "markdown")
        self._check_soon(told.uri, 0.0)

    def _change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        document = self._documents[params.text_document.uri]
        document.text = params.content_changes[-1].text
        document.version, document.checked = params.text_document.version, None
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
                message = f"usim: {self._dictionary}: {e.strerror}: the word is known until the server ends"
                self._server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
        for each in self._documents:
            self._check_soon(each, 0.0)

    def _compare(self, uri: str, start: int, end: int) -> None:
        self._comparing = asyncio.get_running_loop().create_task(self._tell_of_change(uri, (start, end)))

    async def _tell_of_change(self, uri: str, selection: Span) -> None:
        """Show what changed in the selected part of a text since the last commit."""
        document = self._documents[uri]

        def compare(text: str) -> TextComparison:
            before = committed_text(Path(to_fs_path(uri) or uri))
            return self._screen.scorer.compare_texts(before, text, is_markdown=document.is_markdown)

        kind = lsp.MessageType.Info
        try:
            comparison = await asyncio.get_running_loop().run_in_executor(self._judging, compare, document.text)
            told = _of_selection(comparison, selection)
        except UsimError as e:
            kind, told = lsp.MessageType.Warning, str(e)
        self._server.window_show_message(lsp.ShowMessageParams(kind, f"usim: {told}"))

    # Checking

    def _check_soon(self, uri: str, pause: float) -> None:
        document = self._documents[uri]
        if document.task is not None:
            document.task.cancel()
        document.task = asyncio.get_running_loop().create_task(self._check(uri, document, pause))

    async def _check(self, uri: str, document: _Document, pause: float) -> None:
        await asyncio.sleep(pause)
        problem = ""
        document.findings, version = [], document.version
        try:
            checked = await check_text(self._checker, self._request(document.text, document.is_markdown))
            document.findings = await self._judge(document, checked.findings)
        except UsimError as e:
            problem = str(e)
        except Exception as e:  # without a message, the editor would not show that the check failed
            problem = f"an error of the language server ({type(e).__name__}): please report it"
        document.checked = version
        if problem and problem != document.problem:  # once, not after each change
            self._server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"usim: {problem}"))
        document.problem = problem
        places = self._places(document.text)
        diagnostics = [_diagnostic(finding, places) for finding in document.findings]
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    async def _judge(self, document: _Document, found: Sequence[Finding]) -> list[Finding]:
        text = document.text

        def judge(part: Sequence[Finding]) -> list[Finding]:
            self._screen.remembered = document.remembered
            return list(screened_findings(text, part, self._screen))

        judged: list[Finding] = []
        for start in range(0, len(found), _TOGETHER):
            part = found[start : start + _TOGETHER]
            judged += await asyncio.get_running_loop().run_in_executor(self._judging, judge, part)
        wanted = []
        for finding in judged:
            words = text[finding.start : finding.end]
            is_known = finding.category == _SPELLING and words.casefold() in self._words
            if not is_known and (finding.rule, words) not in document.ignored:
                wanted.append(finding)
        return wanted

    # What the editor asks

    def _at(self, uri: str, span: lsp.Range) -> tuple[_Document, Places, list[Finding]]:
        """Return a document and the findings in a range of it; none while it waits to be checked again."""
        document = self._documents[uri]
        places = self._places(document.text)
        start, end = places.span(span)
        touched = [each for each in document.findings if each.start <= end and start <= each.end]
        return document, places, touched if document.checked == document.version else []

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction | lsp.Command]:
        uri, only = params.text_document.uri, params.context.only
        document, places, touched = self._at(uri, params.range)

        def edit(*edits: tuple[int, int, str]) -> lsp.WorkspaceEdit:
            identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, document.version)
            changes = [lsp.TextEdit(places.range((start, end)), text) for start, end, text in edits]
            return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, changes)])

        actions: list[lsp.CodeAction | lsp.Command] = []
        if only is None or lsp.CodeActionKind.QuickFix in only:
            actions += [
                lsp.CodeAction(
                    _title(document.text[finding.start : finding.end], screened),
                    lsp.CodeActionKind.QuickFix,
                    [_diagnostic(finding, places)],
                    is_preferred=screened is finding.best,
                    edit=edit((finding.start, finding.end, screened.substitute)),
                )
                for finding in touched
                for screened in finding.screened
                if screened.verdict != "drop"
            ]
        is_new = document.checked == document.version
        all_edits = best_edits(document.text, document.findings) if is_new else ()
        if all_edits and (only is None or lsp.CodeActionKind.SourceFixAll in only):
            title = f"Accept all suggestions that keep the meaning ({len(all_edits)})"
            actions.append(lsp.CodeAction(title, lsp.CodeActionKind.SourceFixAll, edit=edit(*all_edits)))
        for finding in touched if only is None else ():
            words = document.text[finding.start : finding.end]
            told = one_line(words)
            actions.append(lsp.Command(f"Ignore “{told}” in this text", _IGNORE, arguments=[uri, finding.rule, words]))
            if finding.category == _SPELLING:
                actions.append(lsp.Command(f"Add “{told}” to the dictionary", _ADD, arguments=[uri, words]))
        start, end = places.span(params.range)
        if start < end and only is None and to_fs_path(uri):
            title = "Compare the selection with its last committed version"
            actions.append(lsp.Command(title, _COMPARE, arguments=[uri, start, end]))
        return actions

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        _, places, touched = self._at(uri, lsp.Range(params.position, params.position))
        if not touched:
            return None
        # Plain text, so that a text can hold no link and no picture.
        content = lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n\n".join(map(_explain, touched)))
        return lsp.Hover(content, places.range((touched[0].start, touched[0].end)))


def _diagnostic(finding: Finding, places: Places) -> lsp.Diagnostic:
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


def _explain(finding: Finding) -> str:
    """Return a finding with its suggestions and the reasons for their verdicts."""
    lines = [f"{one_line(finding.message)} ({finding.rule})"]
    for screened in finding.screened:
        substitute = one_line(screened.substitute) or "(nothing)"
        lines.append(_verdict(f"{screened.verdict} {screened.faithfulness:.3f}  {substitute}", screened))
    return "\n".join(lines)


def _verdict(verdict: str, screened: SuggestionResult) -> str:
    """Return a verdict with its reasons, if it has some."""
    reasons = why(screened.reasons, screened.notes)
    return f"{verdict}: {reasons}" if reasons else verdict
