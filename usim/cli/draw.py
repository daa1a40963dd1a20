"""``usim draw``: graphs from files, as drawings."""

from __future__ import annotations

import click

from usim.cli.help import subcommand
from usim.cli.options import output_option, preset_option, read_graph_file
from usim.cli.output import opened_output


@subcommand("draw", "usim draw source.xml -o graph.svg", "usim draw source.xml output.xml -o aligned.svg")
@click.argument("file", metavar="FILE")
@click.argument("other", metavar="[OUTPUT]", required=False)
@output_option()
@preset_option
def command(file: str, other: str | None, output: str | None, preset: str) -> None:
    """Draw the UCCA graph in FILE (UCCA XML) as SVG; with OUTPUT both graphs and their alignment.

    Nothing is parsed or judged. Edges without a counterpart are red. See usim parse --format ucca-xml for graphs of
    sentences, usim explain for two sentences.

    Exit code: 0 done, 2 something could not be read.
    """
    from usim.draw import draw_graph, draw_pair
    from usim.measures import PRESETS, usim_score

    graph = read_graph_file(file)
    if other is None:
        drawing = draw_graph(graph)
    else:
        target = read_graph_file(other)
        score = usim_score(graph, target, PRESETS[preset])
        drawing = draw_pair(
            graph, target, score.token_alignment.pairs, score.unmatched_source, score.unmatched_output,
            partners=(score.nodes.to_output.tolist(), score.nodes.to_source.tolist()),
        )  # fmt: skip
    with opened_output(output) as stream:
        stream.write(drawing)
