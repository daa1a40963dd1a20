"""An editor that speaks to usim lsp."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import client_capabilities, make_test_lsp_client

from usim.serve.lsp import Places

URI = "file:///notes.txt"


OPTIONS = ("--model", "en-fast", "--keep", "0.5", "--drop", "0.3")


DONE = lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS


class Editor:
    """An editor that has started ``usim lsp``."""

    def __init__(self, capabilities: str, *command: str, dictionary: Path | None = None) -> None:
        self._runner = asyncio.Runner()
        self.client = make_test_lsp_client()
        self._version, self.uri, self._text = 0, URI, ""
        options = [*OPTIONS, *([] if dictionary is None else ["--dictionary", str(dictionary)])]
        self._runner.run(self.client.start_io(sys.executable, *(command or ("-m", "usim")), "lsp", *options))
        started = lsp.InitializeParams(capabilities=client_capabilities(capabilities))
        self.answer = self._runner.run(self.client.initialize_session(started))

    def close(self) -> int | None:
        """End the server, and return its exit code."""
        self._runner.run(self.client.shutdown_session())
        code = self.client._server.returncode
        self._runner.run(self.client.stop())
        self._runner.close()
        return code

    def open(self, text: str, language: str = "plaintext") -> dict[str, lsp.Diagnostic]:
        """Open a text, and return what is found in it, by rule."""
        self._text = text
        document = lsp.TextDocumentItem(self.uri, language, self._version, text)
        return self._found(lambda: self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document)))

    def change(self, *changes: tuple[tuple[int, int], tuple[int, int], str]) -> dict[str, lsp.Diagnostic]:
        """Replace ranges by texts, and return what is found then."""
        self._version += 1
        document = lsp.VersionedTextDocumentIdentifier(self._version, self.uri)
        for start, end, new in changes:
            places = Places(self._text, self.answer.capabilities.position_encoding)
            first, last = (places.character(lsp.Position(*place)) for place in (start, end))
            self._text = self._text[:first] + new + self._text[last:]
        parts = [lsp.TextDocumentContentChangeWholeDocument(self._text)]
        return self._found(
            lambda: self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, parts))
        )

    def shut(self) -> dict[str, lsp.Diagnostic]:
        """Close the text."""
        document = lsp.TextDocumentIdentifier(self.uri)
        return self._found(lambda: self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document)))

    def actions(self, place: lsp.Range, only: list[str] | None = None) -> list[lsp.CodeAction]:
        """Return what the editor offers at a place."""
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(self.uri), place, lsp.CodeActionContext([], only))
        return list(self._runner.run(self.client.text_document_code_action_async(asked)) or ())

    def command(self, command: lsp.Command) -> dict[str, lsp.Diagnostic]:
        """Carry out a command of the server's, and return what is found then."""
        asked = lsp.ExecuteCommandParams(command.command, list(command.arguments))
        return self._found(lambda: self.client.workspace_execute_command(asked))

    def hover(self, place: lsp.Position) -> str | None:
        """Return what is shown at a place."""
        asked = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri), place)
        shown = self._runner.run(self.client.text_document_hover_async(asked))
        return None if shown is None else shown.contents.value

    def _found(self, tell: Any) -> dict[str, lsp.Diagnostic]:
        async def ask() -> None:
            tell()
            await asyncio.wait_for(self.client.wait_for_notification(DONE), 300)

        self._runner.run(ask())
        return {str(each.code): each for each in self.client.diagnostics[self.uri]}
