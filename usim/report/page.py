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
from typing import IO, Any, NamedTuple, get_args

from usim._version import __version__
from usim.compare import KINDS
from usim.errors import FormatError
from usim.judge import StoredResult, Verdict
from usim.measures import Alignment, usim_score
from usim.records.results import BadLine, Unscored
from usim.text import printable
from usim.text.codec import encode_compact
from usim.ucca import Graph

#: The greatest number of pairs in the list.
MOST_PAIRS = 100_000
_BARS = 20  # of the distribution
_BAD_LINES = 10  # bad lines that the page names
_DRAWINGS = 200  # at most so many pairs are drawn
_NO_VERDICT = "none"
#: The files of the page; that of ``usim serve`` shows reports with them too.
WEB = Path(__file__).parent / "web"


class _ListEntry(NamedTuple):
    """A result and its place in the list; a greater entry is less faithful, or an earlier one that is as faithful."""

    minus_faithfulness: float
    minus_number: int
    result: StoredResult


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
    worst: list[_ListEntry] = field(default_factory=list)  # a heap, the least bad at its top

    @classmethod
    def of(cls, records: Iterable[StoredResult | Unscored | BadLine], *, most: int = MOST_PAIRS) -> Collection:
        """Count records, see :meth:`add`."""
        collection = cls(most)
        for record in records:
            collection.add(record)
        return collection

    def add(self, record: StoredResult | Unscored | BadLine) -> None:
        """Count a record, and keep it for the list if it is among the worst."""
        if isinstance(record, Unscored):
            self.unscored += 1
            return
        if isinstance(record, BadLine):
            self.bad += 1
            if len(self.bad_lines) < _BAD_LINES:
                self.bad_lines.append(record.error)
            return
        self.results += 1
        self.verdicts[record.verdict or _NO_VERDICT] += 1
        self.kinds.update({reason.kind for reason in record.reasons})
        if record.language is not None:
            self.languages[record.language] += 1
        self.total += record.faithfulness
        self.total_usim += record.usim
        self.bars[min(int(record.faithfulness * _BARS), _BARS - 1)] += 1
        entry = _ListEntry(-record.faithfulness, -self.results, record)
        (heapq.heappush if len(self.worst) < self.most else heapq.heappushpop)(self.worst, entry)


def write_report(collection: Collection, stream: IO[str], *, title: str = "usim report") -> None:
    """Write the page.

    Args:
        collection: what it shows.
        stream: where to, a text stream for UTF-8.
        title: its heading.
    """
    for piece in _pieces(collection, title):
        stream.write(piece)


def report_html(records: Iterable[StoredResult | Unscored | BadLine], *, title: str = "usim report") -> str:
    """Return the page of some records as a string, see :func:`write_report`."""
    return "".join(_pieces(Collection.of(records), title))


def _pieces(collection: Collection, title: str) -> Iterator[str]:
    entries = sorted(collection.worst, reverse=True)
    kinds = [kind for kind in KINDS if kind in collection.kinds]
    kinds += sorted(set(collection.kinds) - set(kinds))
    verdicts = [verdict for verdict in (*get_args(Verdict), _NO_VERDICT) if verdict in collection.verdicts]
    drawings: list[str] = []
    place_of_kind = {kind: place for place, kind in enumerate(kinds)}
    lines = [_line(entry.result, drawings) for entry in entries]
    numbers = sorted(-entry.minus_number for entry in entries)
    place_of_number = {number: place for place, number in enumerate(numbers)}
    about = {
        "results": collection.results,
        "summary": _summary(collection),
        "notices": list(_notices(collection)),
        "verdicts": [[verdict, collection.verdicts[verdict]] for verdict in verdicts],
        "kinds": [[printable(kind), collection.kinds[kind], KINDS.get(kind, "")] for kind in kinds],
        "bars": collection.bars,
        "verdictOf": "".join(str(verdicts.index(entry.result.verdict or _NO_VERDICT)) for entry in entries),
        "kindsOf": [
            ",".join(str(place) for place in sorted({place_of_kind[reason.kind] for reason in entry.result.reasons}))
            for entry in entries
        ],
        "order": [place_of_number[-entry.minus_number] for entry in entries],
        "drawings": drawings,
    }
    head, _, tail = html_page("report", title, about=_json(about), pairs="\0").partition("\0")
    yield head
    yield from lines
    yield tail


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
    return encode_compact(value).decode().replace("<", "\\u003c")


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
