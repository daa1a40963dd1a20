"""Results as one self-contained page of HTML, whose policy (a meta element) forbids every request.

Pages are Jinja templates in the folder ``web``.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from usim._version import __version__
from usim.errors import FormatError, extra
from usim.evidence import KINDS
from usim.judge import Result, Verdict
from usim.text import printable, unbroken
from usim.text.codec import encode

if TYPE_CHECKING:
    from jinja2 import Environment

#: The greatest number of pairs in the list.
MOST_PAIRS = 100_000
_BARS = 20  # of the distribution
_BAD_LINES = 10  # bad lines that the page names
_DRAWINGS = 200  # at most so many pairs are drawn
#: The files of the page; that of ``usim serve`` shows reports with them too.
WEB = Path(__file__).parent / "web"


class Collection:
    """Counts of results, and the worst of them, which a page lists.

    Attributes:
        most: how many pairs the list may have.
        results, unscored, bad: how many results there are, records that could not be scored, and lines that are no
            results; ``bad_lines`` has the errors of the first.
        verdicts, kinds, languages, bars: how many results have a verdict, a finding of a kind, another language than
            English, a faithfulness in each twentieth.
        faithfulness, usim: the sums over all results.
        worst: the numbers of the worst results, with the results, the worst first.
    """

    def __init__(self, records: Iterable[Result | str | FormatError], *, most: int = MOST_PAIRS) -> None:
        self.most = most
        self.results = self.unscored = self.bad = 0
        self.bad_lines: list[FormatError] = []
        self.verdicts, self.kinds, self.languages = Counter[str](), Counter[str](), Counter[str]()
        self.bars = Counter[int]()
        self.faithfulness = self.usim = 0.0
        results = enumerate(self._counted(records))
        self.worst = heapq.nsmallest(most, results, key=lambda entry: entry[1].judgement.faithfulness)

    def _counted(self, records: Iterable[Result | str | FormatError]) -> Iterator[Result]:
        for record in records:
            if isinstance(record, str):
                self.unscored += 1
            elif isinstance(record, FormatError):
                self.bad += 1
                self.bad_lines += [record][: _BAD_LINES - len(self.bad_lines)]
            else:
                self.results += 1
                judgement = record.judgement
                self.verdicts[judgement.verdict] += 1
                self.kinds.update({finding.kind for finding in judgement.findings})
                if record.language not in (None, "en"):
                    self.languages[str(record.language)] += 1
                self.faithfulness += judgement.faithfulness
                self.usim += record.score
                self.bars[min(int(judgement.faithfulness * _BARS), _BARS - 1)] += 1
                yield record

    def to_html(self, *, title: str = "usim report") -> str:
        drawings: list[str] = []
        pairs = "".join(_json(_values(result, drawings)) + "\n" for _, result in self.worst)
        about = {
            "results": self.results,
            "verdicts": [[each, self.verdicts[each]] for each in get_args(Verdict) if each in self.verdicts],
            "kinds": [[printable(kind), count, KINDS.get(kind, "")] for kind, count in sorted(self.kinds.items())],
            "bars": [self.bars[place] for place in range(_BARS)],
            "order": [number for number, _ in self.worst],
            "drawings": drawings,
        }
        return html_page("report", title, about=_json(about), pairs=pairs, collection=self)


def report_html(records: Iterable[Result | str | FormatError], *, title: str = "usim report") -> str:
    """Return the page of some records, whose heading is ``title``."""
    return Collection(records).to_html(title=title)


def html_page(name: str, title: str, **fields: Any) -> str:
    """Return the page of a template with other ``fields``: ``NAME.html``, ``NAME.js``, ``NAME.css`` in ``web``."""
    script = (WEB / f"{name}.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    style = "".join((WEB / f"{each}.css").read_text(encoding="utf-8") for each in dict.fromkeys(("report", name)))
    own = {"policy": policy, "title": title, "style": style, "script": script, "version": __version__}
    return render(f"{name}.html", **own, **fields)


def render(template: str, **fields: Any) -> str:
    """Return a template of the folder ``web`` with its fields escaped; raise an InputError if there is no jinja2."""
    return _templates().get_template(template).render(fields)


@cache
def _templates() -> Environment:
    jinja2 = extra("jinja2", "a page needs", of="report")
    templates: Environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WEB), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.filters["shown"] = unbroken
    templates.filters["count_of"] = lambda number, noun: f"{number:,} {noun}{'' if number == 1 else 's'}"
    return templates


def _values(result: Result, drawings: list[str]) -> list[Any]:
    """Return a pair as the script of the page reads it; its drawing, if it has one, is added to ``drawings``."""
    judgement = result.judgement
    drawing = None
    if judgement.usim_score is not None and len(drawings) < _DRAWINGS:
        drawing = len(drawings)
        drawings.append(result.to_svg(caption=False))
    findings = [
        [finding.kind, finding.text, finding.weight, finding.source_spans, finding.output_spans]
        for finding in judgement.findings
    ]
    judged = [round(judgement.faithfulness, 5), judgement.verdict, round(result.score, 5), findings]
    language = None if result.language == "en" else result.language
    return [printable(result.name), result.source, result.output, *judged, language, drawing]


def _json(value: Any) -> str:
    """Return a value as JSON that may stand in a script element, and that UTF-8 can hold."""
    return encode(value).decode().replace("<", "\\u003c")
