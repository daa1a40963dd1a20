"""``usim evaluate``: how well graphs agree with gold graphs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import IO, Any

import click

from usim.cli.help import examples
from usim.cli.options import output_option, threads_option
from usim.cli.output import opened_output, progress, tsv_line, warn
from usim.errors import UsimError
from usim.report.evaluation import COLUMNS, rows, table
from usim.signature import Signature
from usim.ucca.evaluate import KINDS, LABELS, Evaluation, evaluate, total
from usim.ucca.folders import Pair, pair_folders, pair_parses


@click.command(
    "evaluate",
    epilog=examples(
        "usim evaluate gold/ predicted/",
        "usim evaluate gold/ --parser en --sentences --format json -o results.json",
    ),
)
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="PRED", required=False)
@output_option("Where the tables go.")
@click.option("--parser", metavar="NAME", help="Parse the tokens of GOLD instead of reading PRED: en, en-fast, …; see "
              "docs/how-to/parsers.md.")  # fmt: skip
@click.option(
    "--guidelines",
    type=click.Choice(["1", "2"]),
    help="Which version of the UCCA guidelines the parser follows.  [default: the parser's own]",
)
@threads_option
@click.option("--sentences", is_flag=True, help="Cut passages into sentences first, where the gold passage ends them.")
@click.option("--lenient", is_flag=True, help="Read graphs in which a terminal has no unit, too, with a warning.")
@click.option(
    "--normalise/--no-normalise", default=True, show_default=True,
    help="Remove differences of notation first, as the ucca toolkit does.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "tsv"]), default="text", show_default=True,
    help="How the tables are written; json has the passages one by one, too.",
)  # fmt: skip
@click.option("--fail-under", type=click.FloatRange(0, 1), help="Exit with 1 if the labelled F of all is below this.")
def command(
    gold: str,
    predicted: str | None,
    output: str | None,
    parser: str | None,
    guidelines: str | None,
    threads: int,
    sentences: bool,
    lenient: bool,
    normalise: bool,
    form: str,
    fail_under: float | None,
) -> None:
    """Compute how well the graphs in PRED agree with those in GOLD.

    GOLD and PRED are folders of UCCA XML files. Passages are paired by their passage id, or by file name. With
    --parser, the tokens of GOLD are parsed and there is no PRED.

    Prints precision, recall and F of primary, remote, all (both) and implicit edges, labelled, unlabelled and weakly
    labelled (equivalent categories), and the same for each category. The counts are those of the ucca toolkit.

    Exit code: 0 done, 1 below --fail-under, 2 something could not be read or compared (the rest is evaluated all the
    same).
    """
    if (predicted is None) == (parser is None):
        raise click.UsageError("give a folder PRED or a --parser, one of the two")
    if guidelines is not None and parser is None:
        raise click.UsageError("--guidelines is for a --parser")
    if predicted is not None:
        pairs: Iterable[Pair | UsimError] = pair_folders(gold, predicted, sentences=sentences, lenient=lenient)
        source = "files"
    else:
        from usim.parsing import load

        loaded = load(parser or "en", threads=threads, guidelines=None if guidelines is None else int(guidelines))
        pairs, source = pair_parses(gold, loaded, sentences=sentences, lenient=lenient), loaded.name
        if guidelines is not None:
            source += f"|guidelines:{guidelines}"
    results: list[tuple[Pair, Evaluation]] = []
    problems = several = 0
    for pair in progress(pairs, _count(gold), "evaluating", quiet=True):
        if isinstance(pair, UsimError):
            warn(f"{pair}; not evaluated")
            problems += 1
        else:
            several += parser is not None and not sentences and len(pair.gold.sentence_ends()) > 1
            results.append((pair, evaluate(pair.gold, pair.predicted, normalise=normalise)))
    if several:
        warn(f"{_number(several, 'passage')} of several sentences parsed as one sentence each: --sentences cuts them")
    summary = total(result for _, result in results)
    split = "sentence" if sentences else "passage"
    norm = "yes" if normalise else "no"
    signature = Signature.stamped("evaluate", {"pred": source, "norm": norm, "unit": f"{split}s"})
    if results or form == "json":
        with opened_output(output) as stream:
            _write(stream, form, results, summary, problems, signature, split)
    if problems:
        sys.exit(2)
    if fail_under is not None and summary.labelled.all.f < fail_under:
        click.echo(f"usim: the labelled F {summary.labelled.all.f:.4f} is below {fail_under}", err=True)
        sys.exit(1)


def _count(folder: str) -> int:
    return sum(name.endswith(".xml") for name in os.listdir(folder)) if os.path.isdir(folder) else 0


def _number(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _write(
    stream: IO[str],
    form: str,
    results: list[tuple[Pair, Evaluation]],
    summary: Evaluation,
    problems: int,
    signature: str,
    split: str,
) -> None:
    left_out = f" ({_number(problems, 'problem')}, see above)" if problems else ""
    foot = f"{_number(summary.passages, split)}{left_out}\n{signature}"
    if form == "text":
        stream.write(f"{table(summary)}\n\n{foot}\n")
    elif form == "tsv":
        stream.write(tsv_line(*COLUMNS) + "\n")
        for name, row, c in rows(summary):
            stream.write(tsv_line(name, row, c.precision, c.recall, c.f, c.matched, c.predicted, c.gold) + "\n")
        stream.flush()
        click.echo(foot, err=True)
    else:
        totals: dict[str, Any] = {**summary.to_dict(), "problems": problems, "signature": signature}
        record = {"results": [_record(pair, result) for pair, result in results], "summary": totals}
        stream.write(json.dumps(record, ensure_ascii=False, indent=1) + "\n")


def _record(pair: Pair, result: Evaluation) -> dict[str, Any]:
    """Return the scores of one passage without those of single categories."""
    scores = result.to_dict()
    return {
        "id": pair.gold.id,
        "gold": os.fspath(pair.path),
        "predicted": pair.other,
        **{how: {kind: scores[how][kind] for kind in (*KINDS, "all")} for how in LABELS},
    }
