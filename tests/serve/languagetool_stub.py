"""A server that speaks LanguageTool's protocol and knows one mistake."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

LANGUAGES = [
    {"name": "English (US)", "code": "en", "longCode": "en-US"},
    {"name": "German (Germany)", "code": "de", "longCode": "de-DE"},
]

RULE = {
    "id": "MORFOLOGIK_RULE_EN_US",
    "description": "Possible spelling mistake",
    "issueType": "misspelling",
    "urls": [{"value": "https://languagetool.example/rule"}],
    "category": {"id": "TYPOS", "name": "Possible Typo"},
}
SOFTWARE = {"name": "LanguageTool", "version": "6.5"}


def answer(form: dict[str, str]) -> dict[str, Any]:
    """Check a text as LanguageTool's published description says."""
    parts = json.loads(form["data"])["annotation"] if "data" in form else [{"text": form["text"]}]
    matches = []
    place = 0
    for part in parts:
        sent = part.get("text", part.get("markup", ""))
        for mistake in re.finditer(r"\btset\b", part.get("text", "")):
            before = sent[: mistake.start()]
            match = {
                "message": "Possible spelling mistake found.",
                "shortMessage": "Spelling mistake",
                "replacements": [{"value": "set"}, {"value": "test", "shortDescription": "an examination"}],
                "offset": place + len(before.encode("utf-16-le")) // 2,
                "length": 4,
                "context": {"text": sent, "offset": mistake.start(), "length": 4},
                "sentence": sent,
                "type": {"typeName": "UnknownWord"},
                "rule": RULE,
            }
            matches.append(match)
        place += len(sent.encode("utf-16-le")) // 2
    is_german = form["language"] == "de-DE"
    language = {"name": "German", "code": "de-DE"} if is_german else {"name": "English (US)", "code": "en-US"}
    return {
        "software": SOFTWARE | {"buildDate": "2024-09-27 11:28:27 +0200", "apiVersion": 1, "premium": False},
        "warnings": {"incompleteResults": False},
        "language": {**language, "detectedLanguage": {**language, "confidence": 0.99, "source": "ngram"}},
        "matches": matches,
        "sentenceRanges": [[0, place]],
    }


class Stub:
    """The server; ``forms`` holds what it has been asked."""

    def __init__(self) -> None:
        self.forms: list[dict[str, str]] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                told = {"/v2/languages": LANGUAGES}
                self.send(200, json.dumps(told[self.path]).encode()) if self.path in told else self.send(404, b"")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                form = dict(parse_qsl(body, keep_blank_values=True, strict_parsing=True))
                stub.forms.append(form)
                self.send(200, json.dumps(answer(form)).encode())

            def send(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
