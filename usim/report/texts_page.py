"""Two texts side by side as one page of HTML that needs nothing else, and prints.

Each block is a row: the text before the change, the text after it, and in the margin what was found. The page of ``usim
serve`` shows the same rows.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from string import Template

from usim._version import __version__
from usim.report.texts import counts_line, fact_lines, language_note, verdict_text
from usim.text import Span, printable
from usim.texts import TextBlock, TextComparison, TextFinding

_WEB = Path(__file__).parent / "web"


def comparison_html(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the page of two texts.

    Args:
        comparison: of the texts.
        names: what they are called.
    """
    script = (_WEB / "compared.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    fields = {
        "policy": f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "title": _shown(f"{names[0]} and {names[1]}"),
        "style": "".join((_WEB / name).read_text(encoding="utf-8") for name in ("report.css", "compared.css")),
        "rows": comparison_rows(comparison, names=names),
        "footer": f"usim {__version__}. This page makes no requests.",
        "script": script,
    }
    return Template((_WEB / "compared.html").read_text(encoding="utf-8")).substitute(fields)


def comparison_rows(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the verdict and the rows, without the page around them."""
    return "\n".join(_lines(comparison, names))


def _lines(comparison: TextComparison, names: tuple[str, str]) -> Iterator[str]:
    verdict, number = comparison.verdict, len(comparison.findings)
    yield f'<div class="card answer {verdict}">'
    yield f'<h2 id="text-verdict"><span class="verdict {verdict}">{verdict_text(comparison)}</span></h2>'
    faithfulness = f"{comparison.faithfulness:.3f}"
    yield (
        f'<p class="quiet">Faithfulness {faithfulness}, that of the worst block, from 0 (changed) to 1 (kept). '
        f"{escape(counts_line(comparison))}.</p>"
    )
    lines = [*filter(None, [language_note(comparison)]), *fact_lines(comparison)]
    yield from (f'<p class="quiet">{escape(line[0].upper() + line[1:])}.</p>' for line in lines)
    yield "</div>"
    found = f"{number} finding{'' if number == 1 else 's'}" if number else "No findings."
    yield '<div class="bar walk">'
    if number:
        yield (
            '<button type="button" data-step="-1">Previous <kbd>k</kbd></button>'
            '<button type="button" data-step="1">Next <kbd>j</kbd></button>'
            '<label class="only"><input type="checkbox" id="only-findings"> Only what was found</label>'
        )
    yield f'<span class="place" role="status">{found}</span></div>'
    yield f'<p class="sides" aria-hidden="true"><b>{_shown(names[0])}</b><b>{_shown(names[1])}</b></p>'
    yield '<ol class="blocks">'
    numbers = {id(finding): place for place, finding in enumerate(comparison.findings, 1)}
    by_block: dict[int, list[TextFinding]] = {}
    for finding in comparison.findings:
        by_block.setdefault(finding.block, []).append(finding)
    doubtful = {doubt.block for doubt in comparison.doubts}
    for place, block in enumerate(comparison.blocks):
        findings = by_block.get(place, [])
        told = [(numbers[id(finding)], finding) for finding in findings]
        yield _row(comparison, place, block, told, place in doubtful)
    yield "</ol>"


def _row(
    comparison: TextComparison,
    place: int,
    block: TextBlock,
    findings: Sequence[tuple[int, TextFinding]],
    is_doubtful: bool,
) -> str:
    sides = []
    for side, name, text, span, spans in (
        ("before", "before", comparison.before, block.before_span, block.before),
        ("after", "after", comparison.after, block.after_span, block.after),
    ):
        marks = [(mark, number) for number, finding in findings for mark in getattr(finding, side) if mark != span]
        words = _marked(text, span, marks) if spans else '<span class="nothing">—</span>'
        sides.append(f'<div class="side {side}"><span class="name">{name}</span> <p lang="en">{words}</p></div>')
    notes = [
        f'<li class="finding {finding.verdict}" tabindex="0" data-finding="{number}">'
        f'<span class="verdict {finding.verdict}">{_shown(finding.text)}</span></li>'
        for number, finding in findings
    ]
    if is_doubtful:
        notes.append('<li class="quiet">reworded; usim cannot tell whether it says the same</li>')
    if block.is_moved:
        notes.append('<li class="quiet">moved</li>')
    if block.elsewhere and not findings:
        other = comparison.after if block.before else comparison.before
        notes.append(f'<li class="quiet">Its content stands in “{_shown(other[slice(*block.elsewhere[0])])}”</li>')
    margin = f'<ul class="notes">{"".join(notes)}</ul>' if notes else ""
    same = " same" if block.is_same else ""
    return (
        f'<li class="block {block.verdict}{same}{" found" if findings else ""}" id="block-{place + 1}">'
        f"{sides[0]}{sides[1]}{margin}</li>"
    )


def _marked(text: str, span: Span, marks: Sequence[tuple[Span, int]]) -> str:
    """Return a part of a text in which the places of findings are marked, each with the numbers of its findings."""
    edges = sorted({span[0], span[1], *(edge for mark, _ in marks for edge in mark if span[0] <= edge <= span[1])})
    html = ""
    for start, end in pairwise(edges):
        piece = _shown(text[start:end])
        numbers = sorted({number for mark, number in marks if mark[0] <= start and end <= mark[1]})
        html += f'<mark data-notes="{" ".join(map(str, numbers))}">{piece}</mark>' if numbers else piece
    return html


def _shown(text: str) -> str:
    return escape(printable(text.replace("\r\n", "\n").replace("\n", " ").replace("\t", " ")))
