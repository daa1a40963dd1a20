"""``usim explain``: what a score is made of."""

from __future__ import annotations

from typing import Any

from usim.cli.help import subcommand
from usim.cli.options import (
    OutputOption,
    format_option,
    make_scorer,
    option,
    output_option,
    scoring_options,
    sentence_arguments,
)
from usim.cli.output import ForeignLines, opened_output
from usim.text.codec import json_text


@subcommand(
    "explain",
    'usim explain "Mary gave John a book yesterday." "Mary gave a book."',
    'usim explain "She have two cat." "She has two cats." --format svg -o pair.svg',
)
@sentence_arguments
@output_option()
@format_option("text", "json", "svg", help="svg: a drawing of both graphs and their alignment.")
@option("--svg", cls=OutputOption, metavar="FILE",
        help="Also draw both graphs and their alignment to FILE (- for standard output).")  # fmt: skip
@scoring_options
def command(source: str, changed: str, output: str | None, form: str, svg: str | None, **options: Any) -> None:
    """Show both graphs, the alignment, the edges of either side that have no counterpart on the other, and the verdict.

    SOURCE is the sentence before the change, OUTPUT the sentence after it. Edges without a counterpart are red where
    there is colour, and marked with ✗. A remote edge is marked with an asterisk.
    """
    result = make_scorer(**options).score(source, changed)
    ForeignLines("").see(result.language, 1)
    if svg is not None:
        with opened_output(svg) as stream:
            stream.write(result.to_svg())
        if svg == "-":
            return
    if form == "text":
        from rich.console import Console

        from usim.report.text import explanation

        console = Console(highlight=False, soft_wrap=True, force_terminal=None if output in (None, "-") else False)
        with console.capture() as capture:  # rich itself would exit with 1 when the reader has gone away
            console.print(explanation(result))
        text = capture.get()
    elif form == "json":
        from usim.report.values import explanation_record

        text = json_text(explanation_record(result), indent=1)
    else:
        text = result.to_svg()
    with opened_output(output) as stream:
        stream.write(text)
