"""Findings for the tools of pull requests: annotations of GitHub's workflows, and SARIF 2.1 for code scanning."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from usim._version import __version__
from usim.documents import TextComparison
from usim.evidence import KINDS
from usim.report.texts import ListedFinding, has_lines, listed_findings, overview

#: How grave verdicts are called by GitHub and by SARIF.
_LEVELS = {"drop": "error", "review": "warning", "keep": "notice"}
_PAGE = "https://github.com/borgr/USim"
_OWN_KINDS = {
    "left-out": "a sentence is left out",
    "added": "a sentence is added",
    "code": "the code changed",
    "reference": "a reference names another clause than before",
    "order": "items of a numbered list come in another order",
    "undecided": "usim cannot tell",
}

Compared = Sequence[tuple[str, TextComparison]]


def _message(finding: ListedFinding) -> str:
    sides = [f"{name}: {text}" for name, text in (("Before", finding.before), ("After", finding.after)) if text]
    return "\n".join((f"{finding.where}: {finding.why}", *sides))


def _listed(comparison: TextComparison) -> list[ListedFinding]:
    """Return the findings; of a text without any that is not kept, that it is undecided, at the first such place."""
    findings = listed_findings(comparison)
    if findings or comparison.verdict == "keep":
        return findings
    nowhere = ListedFinding(0, comparison.verdict, "", "the text", 1, "", "", "")
    first = next(iter(listed_findings(comparison, with_doubts=True)), nowhere)
    return [first._replace(kind="undecided", why=overview(comparison))]


def github_lines(compared: Compared, unread: Sequence[tuple[str, str]] = ()) -> Iterator[str]:
    """Yield a workflow command for each finding of files, which GitHub shows at the file and the line.

    Files that could not be read have one, too: ``unread`` has their names, each with what is wrong.
    """
    for name, problem in unread:
        yield f"::error file={_escaped(name, ',:')},title=usim%3A not read::{_escaped(problem)}"
    for name, comparison in compared:
        for finding in _listed(comparison):
            line = f",line={finding.line}" if has_lines(name) else ""
            place = f"file={_escaped(name, ',:')}{line},title={_escaped(f'usim: {finding.kind}', ',:')}"
            yield f"::{_LEVELS[finding.verdict]} {place}::{_escaped(_message(finding))}"


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def sarif(compared: Compared, errors: Sequence[str] = ()) -> dict[str, Any]:
    """Return the findings of files as a SARIF 2.1.0 log; ``errors`` are what could not be compared."""
    results, kinds = [], dict[str, None]()
    for name, comparison in compared:
        for finding in _listed(comparison):
            kinds[finding.kind] = None
            place: dict[str, Any] = {"artifactLocation": {"uri": quote(name), "uriBaseId": "%SRCROOT%"}}
            if has_lines(name):
                place["region"] = {"startLine": finding.line}
            said = "\n".join((name, finding.kind, finding.before, finding.after)).encode(errors="replace")
            result = {"ruleId": finding.kind, "level": _LEVELS[finding.verdict], "message": {"text": _message(finding)}}
            marks = {"usim/v1": hashlib.sha256(said).hexdigest()[:32]}
            results.append(result | {"locations": [{"physicalLocation": place}], "partialFingerprints": marks})
    rules = [
        {"id": kind, "shortDescription": {"text": KINDS.get(kind) or _OWN_KINDS.get(kind) or kind}} for kind in kinds
    ]
    driver = {"name": "usim", "version": __version__, "informationUri": _PAGE, "rules": rules}
    notes = [{"level": "error", "message": {"text": error}} for error in errors]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [{"executionSuccessful": not errors, "toolExecutionNotifications": notes}],
    }
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
