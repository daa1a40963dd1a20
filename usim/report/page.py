"""Results as one self-contained page of HTML: no server, no network, no other file.

The page has the figures of all results and a list of the pairs, the worst first, with the words of each reason marked.
Its policy (a meta element) forbids every request. The list has at most :data:`MOST_PAIRS` pairs, the worst ones; the
figures count all.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template
from typing import Any, get_args

from usim._version import __version__
from usim.compare import KINDS
from usim.errors import FormatError
from usim.judge import StoredResult, Verdict
from usim.measures import Alignment, usim_score
from usim.records.results import BadLine, Unscored
from usim.text import printable
from usim.text.codec import encode
from usim.ucca import Graph

#: The greatest number of pairs in the list.
MOST_PAIRS = 100_000
_BARS = 20  # of the distribution
_BAD_LINES = 10  # bad lines that the page names
_DRAWINGS = 200  # at most so many pairs are drawn
_NO_VERDICT = "none"
#: The files of the page; that of ``usim serve`` shows reports with them too.
WEB = Path(__file__).parent / "web"


@dataclass
class Collection:
    """Counts of results, and the worst of them, which a page lists.

    Args:
        most: how many pairs the list may have.

    Attributes:
        results: how many results there are.
        unscored: how many records say that they could not be scored.
        bad_lines: the errors of the first lines that are no results; ``bad`` counts all.
    """

    most: int = MOST_PAIRS
    results: int = 0
    unscored: int = 0
    bad: int = 0
    bad_lines: list[FormatError] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    total: float = 0.0
    total_usim: float = 0.0
    bars: list[int] = field(default_factory=lambda: [0] * _BARS)
    worst: list[tuple[int, StoredResult]] = field(default_factory=list)

    @classmethod
    def of(cls, records: Iterable[StoredResult | Unscored | BadLine], *, most: int = MOST_PAIRS) -> Collection:
        """Count records, and keep the worst of them with their numbers, the worst first."""
        collection = cls(most)
        results = enumerate(collection._counted(records))
        collection.worst = heapq.nsmallest(most, results, key=lambda entry: entry[1].faithfulness)
        return collection

    def _counted(self, records: Iterable[StoredResult | Unscored | BadLine]) -> Iterator[StoredResult]:
        for record in records:
            if isinstance(record, Unscored):
                self.unscored += 1
                continue
            if isinstance(record, BadLine):
                self.bad += 1
                if len(self.bad_lines) < _BAD_LINES:
                    self.bad_lines.append(record.error)
                continue
            self.results += 1
            self.verdicts[record.verdict or _NO_VERDICT] += 1
            self.kinds.update({reason.kind for reason in record.reasons})
            if record.language is not None:
                self.languages[record.language] += 1
            self.total += record.faithfulness
            self.total_usim += record.usim
            self.bars[min(int(record.faithfulness * _BARS), _BARS - 1)] += 1
            yield record

    def to_html(self, *, title: str = "usim report") -> str:
        """Return the page."""
        kinds = [kind for kind in KINDS if kind in self.kinds]
        kinds += sorted(set(self.kinds) - set(kinds))
        verdicts = [verdict for verdict in (*get_args(Verdict), _NO_VERDICT) if verdict in self.verdicts]
        drawings: list[str] = []
        pairs = "".join(_line(result, drawings) for _, result in self.worst)
        in_file = {number: place for place, number in enumerate(sorted(number for number, _ in self.worst))}
        about = {
            "results": self.results,
            "summary": _summary(self),
            "notices": list(_notices(self)),
            "verdicts": [[verdict, self.verdicts[verdict]] for verdict in verdicts],
            "kinds": [[printable(kind), self.kinds[kind], KINDS.get(kind, "")] for kind in kinds],
            "bars": self.bars,
            "verdictOf": "".join(str(verdicts.index(result.verdict or _NO_VERDICT)) for _, result in self.worst),
            "kindsOf": [
                ",".join(map(str, sorted({kinds.index(reason.kind) for reason in result.reasons})))
                for _, result in self.worst
            ],
            "order": [in_file[number] for number, _ in self.worst],
            "drawings": drawings,
        }
        return html_page("report", title, about=_json(about), pairs=pairs)


def report_html(records: Iterable[StoredResult | Unscored | BadLine], *, title: str = "usim report") -> str:
    """Return the page of some records, whose heading is ``title``."""
    return Collection.of(records).to_html(title=title)


def html_page(name: str, title: str, *, styles: Sequence[str] = (), **fields: str) -> str:
    """Return the page of a template with its script and styles, which may make no requests.

    Args:
        name: of the files in the folder ``web``: ``NAME.html``, ``NAME.js``, ``NAME.css``.
        title: the heading.
        styles: the names of more style sheets.
        fields: other fields of the template, as HTML.
    """
    script = (WEB / f"{name}.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template((WEB / f"{name}.html").read_text(encoding="utf-8")).substitute(
        policy=policy,
        title=escape(printable(title)),
        style="".join((WEB / f"{each}.css").read_text(encoding="utf-8") for each in (*styles, name)),
        footer=f"usim {__version__}. This page makes no requests.",
        script=script,
        **fields,
    )


def _line(result: StoredResult, drawings: list[str]) -> str:
    """Return a pair as the script of the page reads it, with its line end."""
    drawing = None
    if result.graphs is not None and len(drawings) < _DRAWINGS:
        drawing = len(drawings)
        drawings.append(_drawing(*result.graphs))
    reasons = [
        [reason.kind, reason.text, reason.weight, reason.source_spans, reason.target_spans] for reason in result.reasons
    ]
    judged = [round(result.faithfulness, 5), result.verdict, round(result.usim, 5), reasons]
    language = None if result.language == "en" else result.language
    return _json([printable(result.name), result.source, result.output, *judged, language, drawing]) + "\n"


def _drawing(source: Graph, output: Graph, aligned: tuple[tuple[int, int], ...]) -> str:
    from usim.draw import draw_pair

    sizes = len(source.terminals), len(output.terminals)
    score = usim_score(source, output, token_alignment=Alignment.from_pairs(aligned, *sizes))
    return draw_pair(source, output, aligned, score.unmatched_source, score.unmatched_output)


def _json(value: Any) -> str:
    """Return a value as JSON that may stand in a script element, and that UTF-8 can hold."""
    return encode(value).decode().replace("<", "\\u003c")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _summary(collection: Collection) -> str:
    if not collection.results:
        return "No results."
    mean = collection.total / collection.results
    usim = collection.total_usim / collection.results
    judged = "" if set(collection.verdicts) == {_NO_VERDICT} else f"mean faithfulness {mean:.4f}, "
    return f"{_count(collection.results, 'pair')}, {judged}mean USim {usim:.4f}."


def _notices(collection: Collection) -> Iterator[dict[str, Any]]:
    """Yield notices about the results: a text, and items below it."""

    def notice(text: str, items: Sequence[str] = ()) -> dict[str, Any]:
        return {"text": printable(text), "items": [printable(item) for item in items]}

    if collection.results > collection.most:
        yield notice(
            f"The list has the {collection.most:,} worst of {collection.results:,} pairs. The figures count all."
        )
    if collection.unscored:
        yield notice(f"{_count(collection.unscored, 'record')} could not be scored.")
    if collection.bad:
        more = collection.bad - len(collection.bad_lines)
        rest = [f"{more:,} more"] if more else []
        yield notice(
            f"Left out, because not readable: {_count(collection.bad, 'line')}.",
            [*map(str, collection.bad_lines), *rest],
        )
    foreign = collection.languages.total() - collection.languages["en"]
    if foreign:
        names = ", ".join(f"{name}: {n:,}" for name, n in collection.languages.most_common() if name != "en")
        yield notice(f"{_count(foreign, 'pair')} seem not to be English ({names}): usim reads English.")
