"""A server that speaks LanguageTool's protocol and knows one mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from tests.serve.answering import Reply, answering

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


class Stub(NamedTuple):
    """The server's address, and what it has been asked."""

    url: str
    forms: list[dict[str, str]]


@contextmanager
def running_stub() -> Iterator[Stub]:
    """Run the server for the block."""
    forms: list[dict[str, str]] = []

    def reply(path: str, body: bytes, _: object) -> Reply:
        forms.append(dict(parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True)))
        return 200, answer(forms[-1]), {}

    with answering(reply) as url:
        yield Stub(url, forms)
