"""``usim rerank``: the outputs of a corrector in the order of faithfulness and grammaticality."""

from __future__ import annotations

from typing import Any

import click

from usim.cli.help import subcommand
from usim.cli.options import SHARE, check_file, judge_options, make_scorer, option, output_option, parser_options
from usim.cli.output import opened_output, progress
from usim.errors import InputError
from usim.records.nbest import read_nbest, read_parallel
from usim.text import check_length
from usim.text.codec import json_text


@subcommand(
    "rerank",
    "usim rerank candidates.jsonl --grammar harper",
    "usim rerank candidates.jsonl --grammar http://localhost:8081 --best -o best.txt",
    "usim rerank source.txt first-system.txt second-system.txt --grammar harper",
)
@click.argument("file", metavar="FILE")
@click.argument("outputs", metavar="[OUTPUT…]", nargs=-1)
@output_option()
@option("--best", is_flag=True, help="Write the best candidate of each source, a line each.")
@option("--grammar", metavar="CHECKER", help="harper, or the address of a LanguageTool server.")
@option("--gamma", type=SHARE, default=0.27, help="The weight of grammaticality.")
@judge_options
@parser_options
def command(
    file: str,
    outputs: tuple[str, ...],
    output: str | None,
    best: bool,
    grammar: str | None,
    gamma: float,
    **options: Any,
) -> None:
    """Put the candidates of a corrector into the order of faithfulness and grammaticality.

    FILE has a source with its candidates a line, as JSON ("source", "candidates"), or is a table (TSV, CSV, Parquet,
    M2) with the source and a column a system; - is standard input. With OUTPUTs, FILE has the sources, and each OUTPUT
    what a system made of them, line by line.

    The score of a candidate is gamma times its grammaticality, the share of words without a mistake that a checker
    finds, and for the rest its faithfulness (Choshen and Abend 2018 have .27). The result is a line of JSON for each
    source, the best candidate first.

    Exit code: 0 done, 2 something could not be read, or the checker did not answer.
    """
    from usim.checkers import load_checker
    from usim.gec import CheckerGrammar, Reranker

    for path in (file, *outputs):
        check_file(path)
    lists = list(read_parallel(file, outputs) if outputs else read_nbest(file))
    if not lists:
        raise InputError("no candidates in it", path=file)
    for each in lists:  # before anything is scored
        for text in (each.source, *(candidate.text for candidate in each.candidates)):
            try:
                check_length(text)
            except InputError as e:
                raise InputError(e.message, path=file, line=each.line) from e
    checker = None if grammar is None else CheckerGrammar(load_checker(grammar), grammar)
    reranker = Reranker(make_scorer(**options), checker, gamma=gamma)
    moved = 0
    with opened_output(output) as stream:
        ranked_lists = reranker.rerank(lists)
        for given, ranked in progress(ranked_lists, len(lists), "reranking", quiet=output not in (None, "-")):
            moved += ranked[0].place != 0
            if best:
                stream.write(" ".join(ranked[0].text.split()) + "\n")
            else:
                candidates = [candidate.to_dict() for candidate in ranked]
                stream.write(json_text({"source": given.source, "candidates": candidates}))
    number = sum(len(given.candidates) for given in lists)
    told = f"{len(lists)} sources, {number} candidates; another one is first in {moved}"
    click.echo(f"{told}\n{reranker.signature}", err=True)
