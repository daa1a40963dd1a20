"""``usim tune``: thresholds from labelled pairs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import progress, warn, write_output

if TYPE_CHECKING:
    from usim.judge import Thresholds

#: The chance that the thresholds do not keep the risk. It is high because people have few pairs of their own.
_DELTA = 0.5
_LABELS = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "keep", "kept", "good", "faithful"), True),
    **dict.fromkeys(("0", "0.0", "false", "no", "drop", "changed", "bad", "unfaithful"), False),
}


@shared.subcommand("usim tune labelled.csv -o mine.json", "usim score source.txt output.txt --judge mine.json")
@click.argument("pairs", metavar="PAIRS")
@option("-o", "--output", metavar=shared.OUT,
        help="Write the thresholds as JSON to this file, which --judge takes.")  # fmt: skip
@option("--columns", metavar="SOURCE,OUTPUT,LABEL", default="source,output,label", help="The names of the columns.")
@option("--risk", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=shared.DEFAULT_RISK,
        help="The greatest share of kept pairs that may be unfaithful, and of dropped pairs that may be "
        "faithful.")  # fmt: skip
@option("--judge", help="The judge to tune, instead of the model's: usim, or the folder of a trained judge.")
@option("--reader", metavar="DIR", help="Fit the judge to this reader instead of its own, see usim score --help.")
@shared.model_option
def tune(
    pairs: str, output: str | None, columns: str, risk: float, judge: str | None, reader: str | None, **options: Any
) -> None:
    """Choose thresholds for your own texts from PAIRS that people have labelled.

    PAIRS is CSV, TSV, JSON lines or Parquet with the columns source, output and label. A label says whether the output
    is faithful: 1 or 0, true or false, yes or no, kept or changed, faithful or unfaithful, keep or drop, good or bad.
    20 pairs are the least, 5 of each label; some hundred are better.

    With --reader, usim tune also fits the last layer of the judge to that reader, on these pairs.

    The thresholds leave as few pairs as possible to review. Tests on PAIRS say for them: more likely than not, at most
    the share --risk of the kept pairs is unfaithful, and at most that share of the dropped pairs is faithful. A smaller
    risk needs more pairs.

    Exit code: 0 done, 2 something could not be read (the other pairs are used), or there are too few pairs.
    """
    import numpy as np

    from usim.judge import fitted_to
    from usim.judge.tuning import Tuning, check_labels, tuning_record
    from usim.records import read_table
    from usim.registry import find_model
    from usim.verdicts.thresholds import risk_thresholds

    names = [name.strip() for name in columns.split(",")]
    if len(names) != 3:
        raise click.UsageError("--columns takes three names: that of the source, of the output, of the label")
    if judge is not None and judge.endswith(".json"):
        raise click.UsageError("--judge takes the judge to tune, not the file of an earlier usim tune")
    sentences: list[tuple[str, str]] = []
    labels: list[bool] = []
    rows = read_table(pairs, names, scalars=names[2:]).rows
    for source, out, label in rows:
        error = source.checked().error or out.checked().error or label.error
        if error is None and label.text.strip().lower() not in _LABELS:
            error = f"the label is {label.text[:40]!r}; it can be {', '.join(_LABELS)}"
        if error is not None:
            warn(f"{pairs}:{source.number}: {error}; the pair is left out")
            continue
        sentences.append((source.text, out.text))
        labels.append(_LABELS[label.text.strip().lower()])
    bad = len(rows) - len(labels)
    check_labels(labels)
    last = None
    if reader is None:
        scorers = [shared.make_scorer(judge=judge, **options)]
    else:
        # Either half is judged by a last layer that learned from the other half; the last judge learns from all.
        name = judge or find_model(options["model"]).name
        parts = (slice(1, None, 2), slice(0, None, 2), slice(None))
        fitted = [fitted_to(name, reader, options["model"], sentences[part], labels[part]) for part in parts]
        scorers = [shared.make_scorer(judge=own, **options) for own, _ in fitted]
        last = fitted[-1][1]
    scorer, halves = scorers[-1], scorers[:2]
    faithfulness = [0.0] * len(sentences)
    for at, each in enumerate(halves):
        own = sentences[at :: len(halves)]
        results = progress(each.score_pairs(own), len(own), "scoring", quiet=True)
        faithfulness[at :: len(halves)] = [result.judgement.faithfulness for result in results]
    thresholds = risk_thresholds(np.array(faithfulness), np.array(labels, bool), risk, delta=_DELTA)
    name = judge or find_model(scorer.options.model).name
    tuning = Tuning(name, scorer.judge.name, thresholds, reader, last)
    measured = tuning_record(faithfulness, labels, thresholds) | {"bad": bad}
    record = tuning.to_dict() | {"risk": risk, "found": measured, "signature": scorer.signature}
    if output is not None:
        write_output(output, json.dumps(record, indent=1) + "\n")
    click.echo("\n".join(_lines(record, thresholds)), err=output == "-")
    if thresholds.keep == 1.0 and not measured["keep"]:
        warn(f"too few pairs to show that at most {risk:g} of the kept pairs are unfaithful: nothing is kept")
    if not thresholds.drop:
        warn(f"too few pairs to show that at most {risk:g} of the dropped pairs are faithful: nothing is dropped")
    if bad:
        sys.exit(2)


def _lines(record: dict[str, Any], thresholds: Thresholds) -> Iterator[str]:
    counts = record["found"]
    yield f"{counts['pairs']} pairs, {counts['faithful']} faithful and {counts['pairs'] - counts['faithful']} not"
    wrong, right = _share(counts["kept_wrong"]), _share(counts["dropped_right"])
    yield f"keep from {thresholds.keep:.5f}: {counts['keep']} pairs, {wrong} of them unfaithful"
    yield f"drop below {thresholds.drop:.5f}: {counts['drop']} pairs, {right} of them faithful"
    yield f"review: {counts['review']} pairs"
    yield record["signature"]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
