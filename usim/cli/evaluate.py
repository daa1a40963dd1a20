"""``usim evaluate``: how well graphs agree with gold graphs."""

from __future__ import annotations

import os
import sys

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import NAMED, keep_older, progress, warn, write_output
from usim.errors import UsimError
from usim.report.tables import Row, Table
from usim.signature import Signature
from usim.text import counted, printable
from usim.text.codec import json_text
from usim.ucca.evaluate import LABELS, Evaluation, total
from usim.ucca.evaluate import evaluate as compared
from usim.ucca.files import GraphPair, pair_graphs

_COLUMNS = ("table", "row", "precision", "recall", "f", "matched", "predicted", "gold")


@shared.subcommand(
    "usim evaluate gold/ predicted/",
    "usim evaluate gold.mrp predicted.mrp",
    "usim evaluate gold/ --parser en --sentences --format json -o results.json",
)
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="PRED", required=False)
@shared.output_option("Where the table goes.")
@option("--parser", metavar="NAME", help="Parse the tokens of GOLD instead of reading PRED: en, en-fast, …; see "
        "docs/how-to/graphs.md.")  # fmt: skip
@shared.guidelines_option
@option("--sentences", is_flag=True, help="Cut passages into sentences first, where the gold passage ends them.")
@shared.format_option("text", "json", help="How the table is written; json has the passages one by one, too.")
def evaluate(
    gold: str,
    predicted: str | None,
    output: str | None,
    parser: str | None,
    guidelines: int | None,
    sentences: bool,
    form: str,
) -> None:
    """Compute how well the graphs in PRED agree with those in GOLD.

    GOLD and PRED are folders or files of graphs, as UCCA XML or MRP. A passage of GOLD is compared with the graph in
    PRED that has the same tokens; if there are several, with the one that has the same id. With --parser, usim parses
    the tokens of GOLD, and there is no PRED.

    Prints precision, recall and F of primary, remote, all (both) and implicit edges, labelled, unlabelled and weakly
    labelled (equivalent categories), and the same for each category. The counts are those of the ucca toolkit, which
    removes differences of notation first.

    Exit code: 0 done, 2 something could not be read or compared (the rest is evaluated all the same).
    """
    if (predicted is None) == (parser is None):
        raise click.UsageError("give PRED or a --parser, one of the two")
    if guidelines is not None and parser is None:
        raise click.UsageError("--guidelines is for a --parser")
    from usim.parsing import load
    from usim.parsing.given import GivenParser

    # A parser gets sentences one by one; PRED has graphs of whole passages.
    loaded = GivenParser(predicted) if predicted is not None else load(parser or "en", guidelines=guidelines)
    source = loaded.name + (f"|guidelines:{guidelines}" if guidelines is not None else "")
    pairs = pair_graphs(gold, loaded, sentences=sentences, whole=predicted is not None)
    results: list[tuple[GraphPair, Evaluation]] = []
    problems = several = 0
    for pair in progress(pairs, None, "evaluating", quiet=True):
        if isinstance(pair, UsimError):
            problems += 1
            if problems <= NAMED:
                warn(f"{pair}; not evaluated")
        else:
            several += parser is not None and not sentences and len(pair.gold.sentence_ends()) > 1
            results.append((pair, compared(pair.gold, pair.predicted)))
    if problems > NAMED:
        warn(f"{problems - NAMED} more could not be evaluated")
    if problems and not results:
        warn("nothing was evaluated; for graphs of a sentence before and after a change there is usim score")
    if not results:
        keep_older(output)
    if several:
        warn(f"{counted(several, 'passage')} of several sentences parsed as one sentence each: --sentences cuts them")
    summary = total(result for _, result in results)
    unit = "sentence" if sentences else "passage"
    signature = Signature.stamped("evaluate", {"pred": source, "norm": "yes", "unit": f"{unit}s"})
    if form == "json":
        records = [
            {"id": pair.gold.id, "gold": os.fspath(pair.path), "predicted": loaded.name, **result.to_dict()}
            for pair, result in results
        ]
        about = {**summary.to_dict(), "problems": problems, "signature": signature}
        write_output(output, json_text({"results": records, "summary": about}, indent=1))
    elif results:
        rows: list[Row] = [
            (name if name in LABELS else "category", printable(row), *c.to_dict().values())
            for name, counts in summary.tables.items()
            for row, c in counts.items()
        ]
        table = Table("evaluation", "UCCA evaluation", _COLUMNS, tuple(rows), digits=4)
        left_out = f" ({counted(problems, 'problem')}, see above)" if problems else ""
        write_output(output, f"{table.as_text()}\n\n{counted(summary.passages, unit)}{left_out}\n{signature}\n")
    if problems:
        sys.exit(2)
