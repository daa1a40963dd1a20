"""``usim tune``: thresholds and a calibration map from labelled pairs."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from usim.cli.help import subcommand
from usim.cli.options import SHARE, OutputOption, format_option, make_scorer, option, pair_options
from usim.cli.output import echo_json, opened_output, progress, warn
from usim.errors import InputError

_LABELS = {
    **dict.fromkeys(("1", "true", "yes", "keep", "good", "faithful"), True),
    **dict.fromkeys(("0", "false", "no", "drop", "bad", "unfaithful"), False),
}


@subcommand("tune", "usim tune labelled.csv -o mine.json", "usim score source.txt output.txt --judge mine.json")
@click.argument("pairs", metavar="PAIRS")
@option("-o", "--output", cls=OutputOption, metavar="OUT",
        help="Write what was found to this file, which --judge takes.")  # fmt: skip
@option("--columns", metavar="SOURCE,OUTPUT,LABEL", default="source,output,label", help="The names of the columns.")
@option("--map", "kind", type=click.Choice(["platt", "isotonic", "none"]), default="platt",
        help="The calibration map: Platt's curve, an isotonic one (for a thousand pairs or more), or thresholds "
        "alone.")  # fmt: skip
@option("--keep-error", type=SHARE, default=0.05, help="The greatest share of kept pairs that may be unfaithful.")
@option("--drop-error", type=SHARE, default=0.05, help="The greatest share of dropped pairs that may be faithful.")
@format_option("text", "json")
@option("--svg", cls=OutputOption, metavar="FILE", help="Also draw the curve to FILE.")
@option("--judge", help="The judge to tune, in place of the model's: usim, or the folder of a trained one.")
@pair_options
def command(
    pairs: str,
    output: str | None,
    columns: str,
    kind: str,
    keep_error: float,
    drop_error: float,
    form: str,
    svg: str | None,
    judge: str | None,
    **options: Any,
) -> None:
    """Choose thresholds for your own texts from PAIRS that people have labelled, and calibrate the judge.

    PAIRS is CSV, TSV, JSON lines or Parquet with the columns source, output and label. A label says whether the output
    is faithful: 1 or 0, true or false, yes or no, keep or drop, good or bad. 20 pairs are the least, 5 of each label;
    some hundred are better.

    The thresholds leave as few pairs as possible to review while no more than --keep-error of the kept pairs are
    unfaithful and no more than --drop-error of the dropped ones are faithful, on these pairs.

    Exit code: 0 done, 2 something could not be read (the other pairs are used), or there are too few pairs.
    """
    from usim.judge.tuned import Tuning
    from usim.judge.tuning import brier, check_labels, choose_thresholds, curve, fit_map, held_out, tuning_record
    from usim.registry import find_model

    names = [name.strip() for name in columns.split(",")]
    if len(names) != 3:
        raise click.UsageError("--columns takes three names: that of the source, of the output, of the label")
    if judge is not None and judge.endswith(".json"):
        raise click.UsageError("--judge takes the judge to tune, not what was tuned before")
    sentences, labels, bad = _labelled(pairs, names)
    try:
        check_labels(labels)
    except InputError as e:
        raise InputError(e.message, path=pairs) from e
    scorer = make_scorer(judge=judge, **options)
    results = progress(scorer.score_pairs(sentences), len(sentences), "scoring", quiet=True)
    faithfulness = [result.judgement.faithfulness for result in results]
    try:
        fitted = fit_map(faithfulness, labels, kind)  # type: ignore[arg-type]
        crossed = held_out(faithfulness, labels, kind)  # type: ignore[arg-type]
    except InputError as e:
        raise InputError(e.message, path=pairs) from e
    calibrated = [
        1.0 if source == out else fitted(value) for value, (source, out) in zip(faithfulness, sentences, strict=True)
    ]
    points = curve(calibrated, labels)
    thresholds = choose_thresholds(points, keep_error, drop_error)
    tuning = Tuning(judge or find_model(scorer.options.model).name, scorer.judge.name, fitted, thresholds)
    measured = tuning_record(calibrated, labels, calibrated, thresholds) | {
        "brier_before": brier(faithfulness, labels),
        "brier_held_out": brier(crossed, labels),
        "bad": bad,
    }
    record = tuning.to_dict() | {
        "keep_error": keep_error,
        "drop_error": drop_error,
        "found": measured,
        "curve": [asdict(point) for point in points],
        "signature": scorer.signature,
    }
    if svg is not None:
        from usim.report.tuning import curve_svg

        with opened_output(svg) as stream:
            stream.write(curve_svg(points, thresholds))
    if output is not None:
        with opened_output(output) as stream:
            stream.write(json.dumps(record, indent=1) + "\n")
    if form == "json":
        if output != "-":
            echo_json(record)
    else:
        from usim.report.tuning import tuning_lines

        for line in tuning_lines(record, points, thresholds):
            click.echo(line, err=output == "-")
    if thresholds.keep == 1.0 and not measured["keep"]:
        warn(f"no threshold keeps pairs with {keep_error:g} of them unfaithful or fewer: nothing is kept")
    if not thresholds.drop:
        warn(f"no threshold drops pairs with {drop_error:g} of them faithful or fewer: nothing is dropped")
    if bad:
        sys.exit(2)


def _labelled(path: str, names: list[str]) -> tuple[list[tuple[str, str]], list[bool], int]:
    """Return the pairs that can be read, whether each is faithful, and how many lines are bad."""
    from usim.records import read_table

    sentences: list[tuple[str, str]] = []
    labels: list[bool] = []
    bad = 0
    for source, out, label in read_table(path, names, scalars=names[2:]).rows:
        value = _LABELS.get(label.text.strip().lower())
        error = source.checked().error or out.checked().error or label.error
        if error is None and value is None:
            error = f"the label is {label.text[:40]!r}; it can be {', '.join(_LABELS)}"
        if error is not None or value is None:
            warn(f"{path}:{source.number}: {error}; the pair is left out")
            bad += 1
            continue
        sentences.append((source.text, out.text))
        labels.append(value)
    return sentences, labels, bad
