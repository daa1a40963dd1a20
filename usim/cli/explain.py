"""``usim explain``: what a score is made of."""

from __future__ import annotations

from typing import Any

import click

from usim.cli.options import judge_options, make_scorer, parser_options, preset_option, tokenised_option
from usim.cli.output import echo_json, opened_output
from usim.scorer import Result
from usim.ucca import Edge, Graph


@click.command("explain")
@click.option("-s", "--source", required=True, metavar="TEXT", help="The sentence before the change.")
@click.option("-o", "--output", required=True, metavar="TEXT", help="The sentence after the change.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--svg", metavar="FILE", help="Also draw both graphs and their alignment to FILE (- for standard output)."
)
@judge_options
@preset_option
@parser_options
@tokenised_option
def command(source: str, output: str, form: str, svg: str | None, **options: Any) -> None:
    """Show both graphs, the alignment, the edges of either side that have no counterpart on the other, and the verdict.

    Such edges are red where there is colour, and marked with ✗. A remote edge is marked with an asterisk.
    """
    result = make_scorer(**options).score(source, output)
    if svg is not None:
        from usim.ucca import draw_pair

        score = result.usim
        drawing = draw_pair(
            result.source_graph,
            result.output_graph,
            [(int(i), int(j)) for i, j in score.token_alignment.pairs],
            score.unmatched_source,
            score.unmatched_output,
        )
        with opened_output(svg) as stream:
            stream.write(drawing)
        if svg == "-":
            return
    if form == "json":
        echo_json(_record(result))
        return
    from rich.console import Console

    from usim.report.text import explanation

    console = Console(highlight=False, soft_wrap=True)
    with console.capture() as capture:
        console.print(explanation(result))
    click.echo(capture.get(), nl=False, color=True)  # rich itself would exit with 1 when the reader has gone away


def _record(result: Result) -> dict[str, Any]:
    from usim.ucca import to_mrp

    score = result.usim
    return {
        **result.to_dict(),
        "signature": result.signature,
        "alignment": [[int(i), int(j)] for i, j in score.token_alignment.pairs],
        "unmatched": {
            "source": [_edge(result.source_graph, e) for e in score.unmatched_source],
            "output": [_edge(result.output_graph, e) for e in score.unmatched_output],
        },
        "graphs": {"source": to_mrp(result.source_graph), "output": to_mrp(result.output_graph)},
    }


def _edge(graph: Graph, edge: Edge) -> dict[str, Any]:
    return {
        "categories": list(edge.categories),
        "remote": edge.is_remote,
        "parent": graph.text(edge.parent),
        "child": graph.text(edge.child),
    }
