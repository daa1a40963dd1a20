"""Quality of parsers against time and size: a table, and a drawing of it.

::

    python -m bench.curve --wiki-dev DIR --ewt-dev DIR [--svg FILE] en-fast en
    python -m bench.curve --wiki-dev DIR --ewt-dev DIR --json en > en.json      # each by itself,
    python -m bench.curve --read en-fast.json en.json --svg FILE                # and put together

Quality is the labelled F1 of :mod:`usim.ucca.evaluate`, for primary, remote and all edges. Time is the processor's,
one thread, for the sentences of :mod:`bench.common`. Size is that of all files that the parser opens, the shared ones
(word embeddings, tokeniser, trunk) included; in brackets those of its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.common import command, seconds, sentences
from usim.report.tables import markdown_table

_TEXTS = 200
#: Of so many runs the fastest counts.
_REPEAT = 5


@dataclass(frozen=True)
class Point:
    """A parser on the curve.

    Attributes:
        name: the parser's.
        wiki, ewt: labelled F1 of primary, remote and all edges on the two dev sets, in percent.
        batch, single: milliseconds a sentence, in batches and one by itself.
        megabytes, own: millions of bytes of all files, and of those that no other model uses.
    """

    name: str
    wiki: tuple[float, float, float]
    ewt: tuple[float, float, float]
    batch: float
    single: float
    megabytes: float
    own: float


def measure(model: str, wiki: Path, ewt: Path) -> Point:
    """Measure a parser."""
    from usim.parsing.embedded import EmbeddedParser

    parser = EmbeddedParser(model)
    texts = sentences(_TEXTS)
    parser.parse(texts)
    batch = seconds(lambda: parser.parse(texts), _REPEAT) / len(texts)
    single = seconds(lambda: [parser.parse([text]) for text in texts[:50]], _REPEAT) / 50
    folder = parser.__reduce__()[1][0]
    whole, own = sizes(folder)
    f1 = _f1(model, wiki, 1, cut=False), _f1(model, ewt, 2, cut=True)
    return Point(parser.name, *f1, 1000 * batch, 1000 * single, whole, own)


def _f1(model: str, corpus: Path, guidelines: int, *, cut: bool) -> tuple[float, float, float]:
    from usim.parsing import load
    from usim.ucca import read_xml
    from usim.ucca.evaluate import evaluate, total

    passages = [read_xml(file) for file in sorted(corpus.glob("*.xml"))]
    gold = [sentence for passage in passages for sentence in passage.sentences()] if cut else passages
    predicted = load(model, guidelines=guidelines).parse([g.tokens for g in gold])
    labelled = total(map(evaluate, gold, predicted)).labelled
    return 100 * labelled.primary.f, 100 * labelled.remote.f, 100 * labelled.all.f


def sizes(folder: Path) -> tuple[float, float]:
    """Return the millions of bytes of all files of the parser in a folder, and of those that are its own."""
    settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    files = [folder / "settings.json", *(folder / file for file in settings["sha256"])]
    if "trunk" in settings:
        trunk = folder / settings["trunk"]
        names = json.loads((trunk / "settings.json").read_text(encoding="utf-8"))["sha256"]
        files += [trunk / "settings.json", *(trunk / file for file in names)]
    own = sum(file.stat().st_size for file in files if file.parent.resolve() == folder.resolve())
    return sum(file.stat().st_size for file in files) / 1e6, own / 1e6


def table(points: Sequence[Point]) -> str:
    """Return the figures as a table in Markdown."""
    rows = [["parser", "Wiki dev", "EWT dev", "ms in batches; one by itself", "MB (of its own)"]]
    for p in points:
        of_edges = (" / ".join(f"{value:.2f}" for value in figures) for figures in (p.wiki, p.ewt))
        rows.append([f"`{p.name}`", *of_edges, f"{p.batch:.1f}; {p.single:.1f}", f"{p.megabytes:.1f} ({p.own:.1f})"])
    return markdown_table(rows)


def draw(points: Sequence[Point], path: Path) -> None:
    """Draw F1 against time and against size, as SVG; the same bytes for the same figures."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "usim"
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for axes, values, label in (
        (panels[0], [p.batch for p in points], "ms a sentence, one core, in batches"),
        (panels[1], [p.megabytes for p in points], "MB of files"),
    ):
        for corpus, title, marker in (("wiki", "Wiki", "o-"), ("ewt", "EWT", "s--")):
            axes.plot(values, [getattr(p, corpus)[2] for p in points], marker, label=f"{title} dev")
        for value, point in zip(values, points, strict=True):
            axes.annotate(point.name, (value, point.wiki[2]), xytext=(0, 5), textcoords="offset points", ha="center")
        axes.set_xscale("log")
        axes.set_xticks(values, [f"{value:.3g}" for value in values])
        axes.minorticks_off()
        axes.set_xlabel(label)
        axes.margins(0.2)
    panels[0].set_ylabel("labelled F1, all edges")
    panels[1].legend()
    figure.savefig(path, metadata={"Date": None})


def main(argv: Sequence[str] | None = None) -> None:
    """Measure parsers, and print the table."""
    p = command(__doc__)
    p.add_argument("models", nargs="*", metavar="MODEL", help="names, or folders of exported parsers")
    p.add_argument("--wiki-dev", type=Path, metavar="DIR", help="folder of UCCA XML")
    p.add_argument("--ewt-dev", type=Path, metavar="DIR")
    p.add_argument("--read", type=Path, nargs="+", default=[], metavar="FILE", help="what --json has written")
    p.add_argument("--svg", type=Path, metavar="FILE", help="draw the curve")
    p.add_argument("--json", action="store_true", help="a line of JSON a parser instead of a table")
    args = p.parse_args(argv)
    if args.models and not (args.wiki_dev and args.ewt_dev):
        p.error("pass --wiki-dev and --ewt-dev, whose sentences are parsed")
    read: list[dict[str, Any]] = [json.loads(line) for file in args.read for line in file.read_text().splitlines()]
    points = [Point(**known) for known in read]
    points += [measure(model, args.wiki_dev, args.ewt_dev) for model in args.models]
    if not points:
        p.error("name a parser, or --read FILE")
    print("\n".join(json.dumps(asdict(point)) for point in points) if args.json else table(points))
    if args.svg:
        draw(points, args.svg)
        print(f"{args.svg}: drawn", file=sys.stderr)


if __name__ == "__main__":
    main()
