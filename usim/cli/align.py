"""``usim align``: which words and units of two graphs belong together."""

from __future__ import annotations

import click

from usim.cli.help import subcommand
from usim.cli.options import format_option, output_option, preset_option, read_graph_file
from usim.cli.output import opened_output


@subcommand("align", "usim align source.xml output.xml", "usim align source.xml output.xml --format json")
@click.argument("source", metavar="SOURCE")
@click.argument("changed", metavar="OUTPUT")
@output_option()
@format_option("text", "json")
@preset_option
def command(source: str, changed: str, output: str | None, form: str, preset: str) -> None:
    """Say which words and which units of the UCCA graphs in SOURCE and OUTPUT (UCCA XML) belong together.

    A unit is shown with its category and its text. With json, partner has the place of the partner of each word and
    unit of the source, -1 for none. Nothing is parsed or judged. See usim draw for a drawing.

    Exit code: 0 done, 2 something could not be read.
    """
    from usim.measures import PRESETS, usim_score
    from usim.report.words import figure_lines, one_line
    from usim.text import aligned
    from usim.text.codec import json_text

    graphs = read_graph_file(source), read_graph_file(changed)
    score = usim_score(*graphs, PRESETS[preset])
    texts = {
        "words": [[one_line(token) for token in graph.tokens] for graph in graphs],
        "units": [[one_line(str(unit)) for unit in graph.find()] for graph in graphs],
    }
    partners = {"words": score.token_alignment.to_output.tolist(), "units": score.nodes.to_output.tolist()}
    if form == "json":
        record = {name: dict(zip(("source", "output", "partner"), (*sides, partners[name]), strict=True))
                  for name, sides in texts.items()}  # fmt: skip
        text = json_text({**record, "usim": score.to_dict()}, indent=1)
    else:
        lines: list[str] = []
        for name, (own, others) in texts.items():
            rows = [(each, others[j] if j >= 0 else "–") for each, j in zip(own, partners[name], strict=True)]
            rows += [("–", each) for j, each in enumerate(others) if j not in partners[name]]
            # The whole and punctuation are no units that could have a partner.
            shown = [row for row in rows if name == "words" or not row[row[0] == "–"].startswith(("root:", "U:"))]
            lines += [name, *aligned([(f"  {a}", b) for a, b in shown]), ""]
        text = "\n".join([*lines, *figure_lines(score)]) + "\n"
    with opened_output(output) as stream:
        stream.write(text)
