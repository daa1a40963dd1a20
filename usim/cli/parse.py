"""``usim parse``: sentences to UCCA graphs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import keep_older, opened_output, progress, warn
from usim.errors import InputError
from usim.parsing import Parser, load
from usim.records import Line, read_sentences
from usim.text import visible
from usim.ucca import Graph, mrp_line, write_xml

_BATCH = 256


@shared.subcommand(
    "usim parse sentences.txt",
    'usim parse --text "He goes home."',
    'usim parse --text "He goes home." -o graph.xml',
    "usim parse sentences.txt --format ucca-xml -o graphs/",
    "echo 'He goes home.' | usim parse - --format mrp",
)
@click.argument("file", metavar="FILE")
@option("-t", "--text", "is_text", is_flag=True, help="FILE is a sentence, not a file.")
@shared.output_options(
    "text", "ucca-xml", "mrp", what="Where to write; a folder with ucca-xml, or for one sentence a file NAME.xml.",
    help="text: brackets; ucca-xml: a passage a file; mrp: MRP JSON.",
)  # fmt: skip
@shared.guidelines_option
@shared.parser_options
@shared.tokenised_option
def parse(
    file: str, is_text: bool, output: str | None, form: str, guidelines: int | None, tokenised: bool, **options: Any
) -> None:
    """Parse FILE, a sentence a line, to UCCA graphs; - is standard input. With --text it is the sentence itself.

    With --format ucca-xml, OUT is a folder with a file for each line, named by line number: 000001.xml and so on. No
    graph there is written over. For one sentence OUT may be a file whose name ends in .xml.
    An empty line gives an empty graph. Exit code: 0 done, 2 something could not be read (the other lines are parsed).
    """
    if not is_text:
        shared.check_no_sentences([file], "for a sentence give --text")
    lines = [line.checked() for line in ([Line(1, file)] if is_text else read_sentences(file))]
    for line in lines:
        if line.error:
            warn(f"{file}:{line.number}: {line.error}; the line is not parsed")
    graphs = _parsed(load(options["parser"] or options["model"], guidelines=guidelines), lines, tokenised)
    parsed = progress(graphs, len(lines), "parsing", quiet=output not in (None, "-"))
    if form == "ucca-xml":
        if output is None or output == "-":
            raise click.UsageError("--format ucca-xml writes a folder of files: give it with -o OUT")
        out = Path(output)
        is_file = out.suffix.lower() == ".xml" and not out.is_dir()
        if is_file and len(lines) > 1:
            hint = f"there are {len(lines)}; name a folder, or give --format mrp"
            raise click.UsageError(f"{output!r} would hold one sentence, and {hint}")
        names = {line.number: out if is_file else out / f"{line.number:06d}.xml" for line in lines}
        if not is_file and (other := next(filter(Path.exists, names.values()), None)):
            hint = "perhaps of another file; name a new folder, or empty this one"
            raise InputError(f"the folder has {other.name} already, {hint}", path=output)
        try:
            if not is_file:
                out.mkdir(exist_ok=True)
            for line, graph in parsed:
                if graph is not None:
                    write_xml(graph, names[line.number])
        except OSError as e:
            raise InputError(e.strerror or str(e), path=output) from e
    else:
        with opened_output(output) as stream:
            if all(line.error for line in lines):
                keep_older(output)
            for line, graph in parsed:
                if form == "text":
                    stream.write(f"{'' if graph is None else visible(str(graph))}\n")
                elif graph is not None:  # an MRP file holds graphs alone
                    stream.write(mrp_line(graph, text=None if tokenised else line.text))
    if any(line.error for line in lines):
        sys.exit(2)


def _parsed(parser: Parser, lines: list[Line], tokenised: bool) -> Iterator[tuple[Line, Graph | None]]:
    for start in range(0, len(lines), _BATCH):
        block = lines[start : start + _BATCH]
        good = {f"{line.number:06d}": line.text for line in block if not line.error}
        sentences = [tuple(text.split()) if tokenised else text for text in good.values()]
        graphs = iter(parser.parse(sentences, ids=list(good)))
        for line in block:
            yield line, None if line.error else next(graphs)
