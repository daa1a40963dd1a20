"""``usim draw`` and ``usim align``: graphs from files, and their alignment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import write_output
from usim.errors import FormatError
from usim.text import visible
from usim.text.codec import json_text

if TYPE_CHECKING:
    from usim.ucca import Graph


_id_option = option("--id", "graph_id", metavar="TEXT", help="In files with several graphs, take those with this id.")


@shared.subcommand(
    "usim draw source.xml -o graph.svg",
    "usim draw source.xml output.xml -o aligned.svg",
    "usim draw graphs.mrp --id 000002 -o graph.svg",
)
@click.argument("source", metavar="FILE")
@click.argument("changed", metavar="[OUTPUT]", required=False)
@_id_option
@shared.output_option()
@shared.preset_option
def draw(source: str, changed: str | None, graph_id: str | None, output: str | None, preset: str) -> None:
    """Draw the UCCA graph in FILE (UCCA XML or MRP) as SVG; with OUTPUT both graphs and their alignment.

    Nothing is parsed or judged. Edges without a counterpart are red. usim parse --format mrp writes graphs of
    sentences; see usim explain for two sentences.

    Exit code: 0 done, 2 something could not be read.
    """
    _write_graphs(source, changed, graph_id, output, "svg", preset)


@shared.subcommand("usim align source.xml output.xml", "usim align before.mrp after.mrp --id 000002 --format json")
@click.argument("source", metavar="SOURCE")
@click.argument("changed", metavar="OUTPUT")
@_id_option
@shared.output_options("text", "json")
@shared.preset_option
def align(source: str, changed: str, graph_id: str | None, output: str | None, form: str, preset: str) -> None:
    """Say which words and which units of the UCCA graphs in SOURCE and OUTPUT (UCCA XML or MRP) belong together.

    A unit has its category and its text. With --format json, partner is the place of the partner of each word and
    unit of the source, -1 for none. Nothing is parsed or judged. See usim draw for a drawing.

    Exit code: 0 done, 2 something could not be read.
    """
    _write_graphs(source, changed, graph_id, output, form, preset)


def _write_graphs(
    source: str, changed: str | None, graph_id: str | None, output: str | None, form: str, preset: str
) -> None:
    from usim.draw import draw_graph, draw_pair
    from usim.measures import PRESETS, usim_score
    from usim.report.values import alignment_lines, alignment_record

    paths = [source] if changed is None else [source, changed]
    graph, *others = (_read_graph(path, graph_id) for path in paths)
    if not others:
        text = draw_graph(graph)
    else:
        (other,) = others
        score = usim_score(graph, other, PRESETS[preset])
        if form == "svg":
            text = draw_pair(
                graph, other, score.token_alignment.pairs, score.unmatched_source, score.unmatched_output,
                partners=(score.nodes.to_output.tolist(), score.nodes.to_source.tolist()),
            )  # fmt: skip
        elif form == "json":
            text = json_text(alignment_record(graph, other, score), indent=1)
        else:
            text = visible("\n".join(alignment_lines(graph, other, score)) + "\n")
    write_output(output, text)


def _read_graph(path: str, graph_id: str | None) -> Graph:
    """Read a graph of a file; the error about another file names the command for sentences."""
    from usim.ucca.files import read_graph

    try:
        return read_graph(path, graph_id)
    except FormatError as e:
        if e.message.startswith("not JSON"):
            e.message = (
                "neither UCCA XML nor MRP; graphs come from files in UCCA XML or MRP (usim parse --format mrp); for "
                'sentences: usim explain "SOURCE" "OUTPUT"'
            )
        raise
