"""``usim evaluate``: how well graphs agree with gold graphs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from usim.cli.help import subcommand
from usim.cli.options import SHARE, format_option, guidelines_option, option, output_option
from usim.cli.output import JsonRecords, check_gate, counted, opened_output, progress, tsv_line, warn
from usim.errors import UsimError
from usim.report.tables import Table
from usim.signature import Signature
from usim.text import printable
from usim.ucca.evaluate import KINDS, LABELS, Evaluation, evaluate, total
from usim.ucca.files import GraphPair, pair_graphs, pair_parses

_COLUMNS = ("table", "row", "precision", "recall", "f", "matched", "predicted", "gold")
_KINDS = ("primary", "remote", "all", "implicit")


@subcommand(
    "evaluate",
    "usim evaluate gold/ predicted/",
    "usim evaluate gold.mrp predicted.mrp",
    "usim evaluate gold/ --parser en --sentences --format json -o results.json",
)
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="PRED", required=False)
@output_option("Where the tables go.")
@option("--parser", metavar="NAME", help="Parse the tokens of GOLD instead of reading PRED: en, en-fast, …; see "
        "docs/how-to/parsers.md.")  # fmt: skip
@guidelines_option
@option("--sentences", is_flag=True, help="Cut passages into sentences first, where the gold passage ends them.")
@option("--normalise/--no-normalise", default=True,
        help="Remove differences of notation first, as the ucca toolkit does.")  # fmt: skip
@format_option("text", "json", "tsv", help="How the tables are written; json has the passages one by one, too.")
@option("--fail-under", type=SHARE, help="Exit with 1 if the labelled F of all is below this.")
def command(
    gold: str,
    predicted: str | None,
    output: str | None,
    parser: str | None,
    guidelines: int | None,
    sentences: bool,
    normalise: bool,
    form: str,
    fail_under: float | None,
) -> None:
    """Compute how well the graphs in PRED agree with those in GOLD.

    GOLD and PRED are folders or files of graphs, as UCCA XML or MRP. Passages are paired by their passage id, or by
    file name. With --parser, the tokens of GOLD are parsed and there is no PRED.

    Prints precision, recall and F of primary, remote, all (both) and implicit edges, labelled, unlabelled and weakly
    labelled (equivalent categories), and the same for each category. The counts are those of the ucca toolkit.

    Exit code: 0 done, 1 below --fail-under, 2 something could not be read or compared (the rest is evaluated all the
    same).
    """
    if (predicted is None) == (parser is None):
        raise click.UsageError("give PRED or a --parser, one of the two")
    if guidelines is not None and parser is None:
        raise click.UsageError("--guidelines is for a --parser")
    if predicted is not None:
        pairs: Iterable[GraphPair | UsimError] = pair_graphs(gold, predicted, sentences=sentences)
        source = "files"
    else:
        from usim.parsing import load

        loaded = load(parser or "en", guidelines=guidelines)
        pairs, source = pair_parses(gold, loaded, sentences=sentences), loaded.name
        if guidelines is not None:
            source += f"|guidelines:{guidelines}"
    results: list[tuple[GraphPair, Evaluation]] = []
    problems = several = 0
    for pair in progress(pairs, None, "evaluating", quiet=True):
        if isinstance(pair, UsimError):
            warn(f"{pair}; not evaluated")
            problems += 1
        else:
            several += parser is not None and not sentences and len(pair.gold.sentence_ends()) > 1
            results.append((pair, evaluate(pair.gold, pair.predicted, normalise=normalise)))
    if several:
        warn(f"{counted(several, 'passage')} of several sentences parsed as one sentence each: --sentences cuts them")
    summary = total(result for _, result in results)
    split = "sentence" if sentences else "passage"
    norm = "yes" if normalise else "no"
    signature = Signature.stamped("evaluate", {"pred": source, "norm": norm, "unit": f"{split}s"})
    left_out = f" ({counted(problems, 'problem')}, see above)" if problems else ""
    foot = f"{counted(summary.passages, split)}{left_out}\n{signature}"
    if results or form == "json":
        with opened_output(output) as stream:
            if form == "text":
                table = Table("evaluation", "UCCA evaluation", _COLUMNS, tuple(_rows(summary)), digits=4)
                stream.write(f"{table.as_text()}\n\n{foot}\n")
            elif form == "tsv":
                stream.writelines(tsv_line(*row) + "\n" for row in (_COLUMNS, *_rows(summary)))
                stream.flush()
                click.echo(foot, err=True)
            else:
                records = JsonRecords(form, stream)
                for pair, result in results:
                    records.write(_record(pair, result))
                records.end({**summary.to_dict(), "problems": problems, "signature": signature})
    if problems:
        sys.exit(2)
    f = summary.labelled.all.f
    check_gate([f"the labelled F {f:.4f} is below {fail_under}"] if fail_under is not None and f < fail_under else [])


def _rows(evaluation: Evaluation) -> Iterator[tuple[str | float, ...]]:
    """Yield the figures of edges by how they are compared, and those of each category."""
    agreements = {how: getattr(evaluation, how) for how in LABELS}
    tables = {
        **{how: {kind: getattr(agreements[how], kind) for kind in _KINDS} for how in LABELS},
        "category": evaluation.categories,
    }
    for name, counts in tables.items():
        for row, c in counts.items():
            yield name, printable(row), c.precision, c.recall, c.f, c.matched, c.predicted, c.gold


def _record(pair: GraphPair, result: Evaluation) -> dict[str, Any]:
    """Return the scores of one passage without those of single categories."""
    scores = result.to_dict()
    return {
        "id": pair.gold.id,
        "gold": os.fspath(pair.path),
        "predicted": pair.other,
        **{how: {kind: scores[how][kind] for kind in (*KINDS, "all")} for how in LABELS},
    }
