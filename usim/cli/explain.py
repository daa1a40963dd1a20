"""``usim explain``: what a score is made of."""

from __future__ import annotations

from typing import Any

import click

from usim.cli.options import judge_options, make_scorer, parser_options, preset_option, tokenised_option
from usim.cli.output import echo_json, opened_output


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
        from usim.report.records import explanation_svg

        with opened_output(svg) as stream:
            stream.write(explanation_svg(result))
        if svg == "-":
            return
    if form == "json":
        from usim.report.records import explanation_record

        echo_json(explanation_record(result))
        return
    from rich.console import Console

    from usim.report.text import explanation

    console = Console(highlight=False, soft_wrap=True)
    with console.capture() as capture:
        console.print(explanation(result))
    click.echo(capture.get(), nl=False, color=True)  # rich itself would exit with 1 when the reader has gone away
