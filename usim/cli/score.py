"""``usim score``: how much of the meaning survived."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO, Any, get_args

import click

from usim.cli.help import subcommand
from usim.cli.options import (
    AT_LEAST_ONE,
    SHARE,
    OutputOption,
    check_file,
    context_option,
    format_option,
    make_scorer,
    option,
    output_option,
    scoring_options,
)
from usim.cli.output import ForeignLines, JsonRecords, check_gate, counted, opened_output, progress, tsv_line, warn
from usim.cli.systems import TABLES, PartsOf, compare_systems
from usim.errors import InputError
from usim.judge import Result, Verdict
from usim.records import (
    Line,
    PairTable,
    Record,
    as_document,
    find_format,
    parallel_files,
    read_rows,
    read_suggestions,
    read_table,
)
from usim.report.systems import FIGURES, Systems, check_plot
from usim.report.values import explanation_record, score_record
from usim.report.words import figure_lines, one_line, verdict_lines, why
from usim.scorer import Scorer
from usim.stats import bootstrap_interval
from usim.texts import are_parallel

_FIGURES = [f"{way}_{name}" for way in ("s2r", "r2s") for name in ("recall", "precision", "f")]
_JUDGED = ("faithfulness", "verdict", "reasons")
_COLUMNS = ("line", "score", *_FIGURES, *_JUDGED, "source", "output", "error")  # of TSV
_SENTENCE_ENDS = (".", "!", "?")


@subcommand(
    "score",
    'usim score -t "Mary gave John a book yesterday." "Mary gave a book."',
    "usim score before.txt after.txt",
    "usim score before.txt after.txt --format jsonl -o results.jsonl",
    "usim score before.txt after.txt --fail-under-faithfulness 0.9",
    "usim score before.txt first-system.txt second-system.txt",
    "usim score pairs.csv --columns before,after",
)
@click.argument("files", metavar="SOURCE OUTPUT [OUTPUT…]", nargs=-1)
@option("-t", "--text", "are_texts", is_flag=True, help="SOURCE and OUTPUT are sentences, not files.")
@output_option("Where results go.")
@format_option(
    "text",
    "json",
    "jsonl",
    "tsv",
    *TABLES,
    help="How results are written; csv, markdown and latex: the figures of each system as a table.",
)
@option("-b", "--brief", is_flag=True, help="With text: the mean faithfulness alone, one line for each system.")
@option("-v", "--verbose", is_flag=True, help="With text: USim and all its figures, too.")
@option("--fail-under", type=SHARE, help="Exit with 1 if the mean USim is below this.")
@option("--fail-under-faithfulness", type=SHARE, help="Exit with 1 if the mean faithfulness is below this.")
@option("--document", is_flag=True, help="The lines of SOURCE are one text: read each with those around it.")
@context_option
@option("--columns", metavar="SOURCE,OUTPUT,…", help="The columns of a table: of the source, of each system.")
@option("--names", metavar="NAME,…", help="What to call the systems, or the annotators of M2.")
@option("--by", metavar="COLUMN", help="Of a table: the figures also for each value of this column.")
@option("--by-type", is_flag=True, help="The figures also for each type of error: those of M2, or by ERRANT.")
@option("--plot", cls=OutputOption, metavar="FILE", help="Draw means and verdicts, as .svg, .png or .pdf.")
@option("--graphs", is_flag=True, help="With json and jsonl: also the graphs of each pair, for usim report.")
@option("--resamples", type=AT_LEAST_ONE, default=1000, help="Bootstrap resamples.")
@scoring_options
def command(
    files: tuple[str, ...],
    are_texts: bool,
    output: str | None,
    form: str,
    brief: bool,
    verbose: bool,
    fail_under: float | None,
    fail_under_faithfulness: float | None,
    document: bool,
    columns: str | None,
    names: str | None,
    by: str | None,
    by_type: bool,
    plot: str | None,
    graphs: bool,
    resamples: int,
    **options: Any,
) -> None:
    """Compute how much of the meaning of SOURCE is in OUTPUT, and the other way round, and whether the change can stay.

    SOURCE and OUTPUT are parallel text files with a sentence a line; - is standard input. With --text they are two
    sentences. Results go to standard output, one a line, then the summary (with jsonl and tsv: to standard error).

    Several OUTPUTs are several systems, the first of them the baseline: they are compared by paired bootstrap, with the
    verdicts, the reasons and the sentences in which they differ. One file alone is a table with columns: CSV or TSV
    with a header, JSON lines, or M2, whose annotators are the systems. --columns names the columns; without it they are
    source and output, or source and all others. The columns before and after have the text around both sentences.
    With --by and --by-type there are figures for each part of the sentences, too.

    A pair has a verdict: keep, review or drop; unless it is kept, the reasons for that; and its faithfulness from 0 to
    1, the probability that people would call the meaning preserved. With --verbose it has USim in both directions, too.

    Exit code: 0 done, 1 below --fail-under or --fail-under-faithfulness, 2 something could not be read (other lines are
    scored all the same).
    """
    if graphs and form not in ("json", "jsonl"):
        raise click.UsageError("--graphs is for --format json and jsonl")
    if (brief or verbose) and form != "text":
        raise click.UsageError("--brief and --verbose are for --format text; the other formats have all figures")
    if brief and verbose:
        raise click.UsageError("--brief and --verbose contradict each other")
    if are_texts and len(files) > 2:
        raise click.UsageError("sentences are given as one pair; for several systems give files")
    if columns is not None and len(files) != 1:
        raise click.UsageError("--columns is for a table: one file, and no other")
    if are_texts and (form in TABLES or names or by or by_type or plot):
        raise click.UsageError("--names, --by, --by-type, --plot and --format csv, markdown and latex are for files")
    if by and (by_type or len(files) != 1):
        raise click.UsageError("--by names a column of a table, in the place of --by-type")
    if document and are_texts:
        raise click.UsageError("--document is for files: their lines are the text")
    if plot is not None:
        check_plot(plot)
    gates = {"usim": fail_under, "faithfulness": fail_under_faithfulness}
    if are_texts:
        if len(files) < 2:
            raise click.UsageError('give two sentences: usim score --text "SOURCE" "OUTPUT"')
        pairs = [(1, Line(1, files[0]), Line(1, files[1]))]
    else:
        table = _table(files, columns)
        parts_of = _parts_of(files[0], by, table.names) if by or by_type else None
        if document:
            table = replace(table, rows=as_document(table.rows))
        if names is not None:
            table = replace(table, names=_names(names, len(table.names)))
        if len(table.names) > 1 or form in TABLES or by or by_type or plot:
            scorer = make_scorer(**options)
            systems = Systems(table.names, scorer.signature, resamples, by=by or ("type" if by_type else ""))
            form = "brief" if brief else form
            compare_systems(systems, files[0], table.rows, scorer, output, form, gates, parts_of, plot)
            return
        if not table.rows:
            warn(f"{' and '.join(files)} are empty")
        pairs = _warned([(a.number, a, b) for a, b in table.rows], files[0], files[-1])
        if len(files) > 1 and not are_parallel([a.text for _, a, _ in pairs], [b.text for *_, b in pairs]):
            warn(
                f"many lines of {files[0]} share their words with other lines of {files[1]}, as if the files were not "
                "parallel; usim compare takes texts whose sentences do not match one to one"
            )
    scorer = make_scorer(**options)
    with opened_output(output) as stream:
        form = "brief" if brief else form
        writer = _ResultWriter(form, stream, graphs=graphs, is_pair=len(pairs) == 1, verbose=verbose)
        summary = _score(files[0], pairs, scorer, writer, resamples, quiet=output not in (None, "-"))
    if summary["unreadable"]:
        sys.exit(2)
    if summary["pairs"]:
        means = {"usim": summary["mean"], "faithfulness": summary["faithfulness"]["mean"]}
        check_gate(
            f"the mean {FIGURES[figure]} "
            + ("is not known: the judge answered for none" if mean is None else f"{mean:.4f} is below {least}")
            for figure, mean in means.items()
            if (least := gates[figure]) is not None and (mean is None or mean < least)
        )


def _names(names: str, count: int) -> tuple[str, ...]:
    """Return the names of systems that a user gave."""
    given = tuple(name.strip() for name in names.split(","))
    if len(given) != count or len(set(given)) != count or not all(given):
        raise click.UsageError(f"--names takes {count} different names, one for each system, with commas between them")
    return given


def _parts_of(file: str, column: str | None, names: Sequence[str]) -> PartsOf:
    """Return what parts the sentences of a file: by the values of a column, else by the types of their errors."""
    if column is not None:
        values = {line.number: fields for line, fields in read_rows(file)}
        if not any(column in fields for fields in values.values()):
            known = dict.fromkeys(name for fields in values.values() for name in fields)
            raise InputError(f"no column {column!r}; there are {', '.join(map(repr, known))}", path=file)
        return lambda line, system, result: (str(values[line].get(column) or "–"),)
    if find_format(file) != "m2":
        from usim.gec.errant import load_errant

        error_types = load_errant()
        return lambda line, system, result: error_types(result.source, result.output)
    types: dict[int, list[tuple[str, str]]] = {}
    for record in read_suggestions(file):
        if isinstance(record, Record):
            own = [
                (about["annotator"], about["type"]) for each in record.suggestions if "type" in (about := each.about)
            ]
            types[record.line] = own
    return lambda line, system, result: sorted({kind for name, kind in types[line] if name == names[system]})


NumberedPair = tuple[int, Line, Line]


def _table(files: Sequence[str], columns: str | None) -> PairTable:
    """Return what one table or several parallel files hold."""
    for file in files:
        if file.endswith(_SENTENCE_ENDS) and " " in file and not os.path.exists(file):
            raise click.UsageError(f"{file!r} is no file; for two sentences give --text")
        check_file(file, instead="usim batch takes folders")
    if len(files) > 1:
        return parallel_files(files)
    if not files or (columns is None and find_format(files[0]) is None):
        raise click.UsageError('give two files, SOURCE and OUTPUT, or two sentences: usim score --text "…" "…"')
    return read_table(files[0], [] if columns is None else [name.strip() for name in columns.split(",")])


def _score(
    path: str, pairs: list[NumberedPair], scorer: Scorer, writer: _ResultWriter, resamples: int, *, quiet: bool
) -> dict[str, Any]:
    """Score pairs, write their results and the summary, and return the summary."""
    results = _scored(scorer, pairs)
    scores: list[float] = []
    faithfulness: list[float] = []
    verdicts: Counter[Verdict] = Counter()
    unreadable = 0
    foreign = ForeignLines(path)
    for (number, source, output), result in progress(results, len(pairs), "scoring", quiet=quiet):
        if isinstance(result, Result):
            foreign.see(result.language, number)
            scores.append(result.score)
            if result.judgement.is_answered:
                faithfulness.append(result.judgement.faithfulness)
            verdicts[result.judgement.verdict] += 1
            writer.result(number, result)
        else:
            unreadable += 1
            writer.failure(number, source, output, result)
    summary: dict[str, Any] = {"pairs": len(scores), "unreadable": unreadable, "signature": scorer.signature}
    if scores:
        mean, low, high = bootstrap_interval(scores, resamples=resamples)
        summary |= {"mean": mean, "interval": [low, high], "confidence": 0.95, "resamples": resamples, "seed": 0}
        judged: dict[str, Any] = {"mean": None, "interval": None}
        if faithfulness:
            mean, low, high = bootstrap_interval(faithfulness, resamples=resamples)
            judged = {"mean": mean, "interval": [low, high]}
        if len(faithfulness) < len(scores):
            judged["unanswered"] = len(scores) - len(faithfulness)
        counts = {verdict: verdicts[verdict] for verdict in get_args(Verdict)}
        summary |= {"faithfulness": judged, "verdicts": counts}
    writer.summary(summary)
    foreign.finish()
    return summary


def _warned(pairs: list[NumberedPair], source_file: str, output_file: str) -> list[NumberedPair]:
    """Warn of lines that are empty or cannot be scored, and return the pairs."""
    pairs = [(number, a.checked(), b.checked()) for number, a, b in pairs]
    for _, a, b in pairs:
        for path, line, other in ((source_file, a, b), (output_file, b, a)):
            if line.error:
                warn(f"{path}:{line.number}: {line.error}; the pair is not scored")
            elif not line.text.strip():
                effect = "the pair scores 1" if not other.text.strip() else "the pair scores 0"
                warn(f"{path}:{line.number}: an empty line; {effect}")
    return pairs


def _scored(scorer: Scorer, pairs: list[NumberedPair]) -> Iterator[tuple[NumberedPair, Result | str]]:
    """Yield each pair with its result, or with the reason why it has none."""
    results = scorer.score_pairs((a.text, b.text, a.context) for _, a, b in pairs if not (a.error or b.error))
    for pair in pairs:
        yield pair, pair[1].error or pair[2].error or next(results)


class _ResultWriter:
    """Writes results in one of the formats, ``brief`` for the mean alone.

    A line is written in one piece, so that an interrupt leaves whole lines. Of a single pair a text says more than a
    line of a table has room for.
    """

    def __init__(self, form: str, stream: IO[str], *, graphs: bool, is_pair: bool, verbose: bool) -> None:
        self.form = form
        self.graphs = graphs
        self.is_pair = is_pair
        self.verbose = verbose
        self.stream = stream
        self.records = JsonRecords(form, stream)
        if form == "tsv":
            self.line(tsv_line(*_COLUMNS))
        elif form == "text" and not is_pair:
            usim = "   USim   source→output: R     P     F   output→source: R     P     F" if verbose else ""
            self.line(f"  line  verdict  faithfulness{usim}  reasons")

    def line(self, text: str) -> None:
        self.stream.write(text + "\n")

    def result(self, number: int, result: Result) -> None:
        judgement, row = result.judgement, result.to_row()
        if self.form == "text" and self.is_pair:
            lines = (*verdict_lines(judgement, result.notes), *(figure_lines(result.usim) if self.verbose else ()))
            self.line("\n".join(lines))
        elif self.form == "text":
            figures = [f"{row[name]:.3f}" for name in _FIGURES]
            ways = [" ".join(figures[:3]), " ".join(figures[3:])]
            usim = f"  {result.score:.3f}             {ways[0]}             {ways[1]}" if self.verbose else ""
            verdict = f"{number:6d}  {judgement.verdict:7}  {judgement.faithfulness:12.3f}"
            self.line(f"{verdict}{usim}  {why(judgement.shown, result.notes)}".rstrip())
        elif self.form == "tsv":
            row |= {"line": number, "reasons": "; ".join(one_line(reason.text) for reason in judgement.shown)}
            self.line(tsv_line(*map(row.get, _COLUMNS)))
        elif self.form != "brief":
            record = {"line": number, **explanation_record(result)} if self.graphs else score_record(number, result)
            self.records.write(record)

    def failure(self, number: int, source: Line, output: Line, reason: str) -> None:
        names = ("line", "source", "output", "score", *_JUDGED, "usim")
        row = dict.fromkeys(names) | {"line": number, "source": source.text, "output": output.text, "error": reason}
        if self.form == "text":
            self.line(f"{number:6d}  -        {reason}")
        elif self.form == "tsv":
            self.line(tsv_line(*map(row.get, _COLUMNS)))
        elif self.form != "brief":
            self.records.write(row)

    def summary(self, summary: dict[str, Any]) -> None:
        if self.form == "json":
            self.records.end(summary)
        elif self.form == "brief":
            mean = summary.get("faithfulness", {}).get("mean")
            self.line("-" if mean is None else f"{mean:.4f}")
        elif self.form == "text":
            self.stream.writelines(f"{line}\n" for line in self._summary_lines(summary, self.verbose))
        else:
            self.stream.flush()
            click.echo("\n".join(self._summary_lines(summary, True)), err=True)

    def _summary_lines(self, summary: dict[str, Any], verbose: bool) -> Iterator[str]:
        """Yield what is said about all pairs; of one pair in a text that has been said already."""
        if self.form != "text" or not self.is_pair or summary["unreadable"]:
            text = counted(summary["pairs"], "pair")
            if summary["unreadable"]:
                text += f" ({summary['unreadable']} more could not be read)"
            if "mean" not in summary:
                yield text
            else:
                yield f"{text}: " + ", ".join(f"{count} {verdict}" for verdict, count in summary["verdicts"].items())
                is_alone, faithfulness = summary["pairs"] == 1, summary["faithfulness"]
                if faithfulness["mean"] is None:
                    yield "no faithfulness: the judge answered for no pair"
                else:
                    yield f"mean faithfulness {_interval(faithfulness, is_alone)}"
                if verbose:
                    yield f"mean USim {_interval(summary, is_alone)}"
        if verbose or not self.is_pair:
            yield summary["signature"]


def _interval(figure: dict[str, Any], is_alone: bool) -> str:
    """Return a mean with its interval, which a single pair does not have."""
    low, high = figure["interval"]
    return f"{figure['mean']:.4f}" + ("" if is_alone else f" (95% interval {low:.4f} to {high:.4f})")
