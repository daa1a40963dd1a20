"""``usim score``: how much of the meaning survived, for a pair, for files, for several systems."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import IO, Any

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import JsonRecords, keep_older, opened_output, progress, tsv_line, warn, warn_of_languages
from usim.errors import InputError
from usim.judge import Result
from usim.records import Line, PairTable, Record, find_format, parallel_files, read_rows, read_suggestions, read_table
from usim.report.systems import DRAWS, Systems, check_plot, load_errant
from usim.report.tables import write_tables
from usim.report.values import explanation_record
from usim.report.words import bounds, figure_lines, one_line, verdict_lines, why_so
from usim.scorer import Scorer
from usim.signature import Signature
from usim.text import counted, is_foreign
from usim.text.files import open_binary

#: Formats of the figures of systems as tables, for papers and spreadsheets.
_TABLES = ("csv", "markdown", "latex")
_WAYS = [f"{way}_{name}" for way in ("s2r", "r2s") for name in ("recall", "precision", "f")]
_BY_TYPE = "type"  # what --by calls the types of errors
_JUDGED = ("faithfulness", "verdict", "findings")
#: The columns of TSV.
_COLUMNS = ("line", "score", *_WAYS, "faithfulness", "compared", *_JUDGED[1:], "source", "output", "error", "system")

#: A line of the source with those of each system.
_Row = tuple[Line, ...]
#: Takes the line, the place of the system and the result; returns the parts of the data in which the result counts.
_PartsOf = Callable[[int, int, Result], Sequence[str]]


@shared.subcommand(
    'usim score -t "Mary gave John a book yesterday." "Mary gave a book."',
    "usim score before.txt after.txt",
    "usim score before.txt after.txt --format jsonl -o results.jsonl",
    "usim score before.txt after.txt --fail-under-faithfulness 0.9",
    "usim score before.txt first-system.txt second-system.txt --reference corrected.txt",
    "usim score before.mrp after.mrp",
    "usim score pairs.csv --columns before,after",
)
@click.argument("files", metavar="SOURCE OUTPUT [OUTPUT…]", nargs=-1)
@option("-t", "--text", "are_texts", is_flag=True, help="SOURCE and OUTPUT are sentences, not files.")
@shared.output_options("text", "json", "jsonl", "tsv", *_TABLES, what="Where results go.",
                       help="How results are written. csv, markdown, latex: the figures of each system.")  # fmt: skip
@option("-v", "--verbose", is_flag=True,
        help="With text, add USim and its figures; with json and jsonl, the graphs for usim report.")  # fmt: skip
@option(
    "--fail-under-faithfulness", "least", type=shared.SHARE, help="Exit with 1 if the mean faithfulness is below this."
)
@option("--columns", metavar="SOURCE,OUTPUT,…", help="The columns of a table: the source, then each system.")
@option("--names", metavar="NAME,…", help="What to call the systems, or the annotators of M2.")
@option("--by", metavar="COLUMN|type", help="Add the figures for each value of this column of a table; type: for each "
        "type of error, from M2 or ERRANT.")  # fmt: skip
@option("--reference", "references", multiple=True, metavar="FILE|COLUMN", help="Corrections by people: a file "
        "parallel to SOURCE, or a column of the table; may be repeated.")  # fmt: skip
@option("--plot", metavar=shared.OUT, help="Draw the means, as .svg, .png or .pdf.")
@shared.judge_options
@shared.preset_option
@shared.parser_options
def score(
    files: tuple[str, ...],
    are_texts: bool,
    output: str | None,
    form: str,
    verbose: bool,
    least: float | None,
    columns: str | None,
    names: str | None,
    by: str | None,
    references: tuple[str, ...],
    plot: str | None,
    **options: Any,
) -> None:
    """Compute how much of the meaning of SOURCE is in OUTPUT, and the other way round, and whether the change can stay.

    SOURCE and OUTPUT are parallel text files with a sentence a line; - is standard input. With --text they are two
    sentences. They may also be graphs, as files or folders of UCCA XML or MRP; these need no parser.
    Results go to standard output, one a line, then the summary (with jsonl and tsv: to standard error).

    Several OUTPUTs are the outputs of several systems; the first is the baseline. usim compares the systems by paired
    bootstrap, and shows the verdicts, the findings and the sentences in which they differ. A single file is a table:
    CSV or TSV with a header, JSON lines, or M2, whose annotators are the systems. --columns names the columns; without
    it they are source and output, or source and all others. The columns before and after have the text around both
    sentences. --by adds figures for each part of the sentences. A system that does less scores higher, so the share
    that each system changed stands beside the means; --reference adds the share of errors that it mended.

    A pair has a verdict (keep, review or drop), the findings against the change unless it is kept, and its faithfulness
    from 0 to 1, the probability that people would call the meaning preserved. --verbose or a --preset adds the USim of
    each pair, in both directions.

    Exit code: 0 done, 1 below --fail-under-faithfulness, 2 something could not be read (other lines are scored all the
    same).
    """
    if verbose and form not in ("text", "json", "jsonl"):
        raise click.UsageError("--verbose is for --format text, json and jsonl")
    if are_texts and len(files) != 2:
        raise click.UsageError('give two sentences: usim score --text "SOURCE" "OUTPUT"')
    if columns is not None and len(files) != 1:
        raise click.UsageError("--columns is for a table: one file, and no other")
    if are_texts and (form in _TABLES or names or by or references or plot):
        raise click.UsageError("--names, --by, --reference, --plot and --format csv, markdown and latex are for files")
    if references and len(files) == 1 and columns is None:
        raise click.UsageError("--reference names a column here: name the others with --columns SOURCE,OUTPUT,…")
    if by not in (None, _BY_TYPE) and len(files) != 1:
        raise click.UsageError(f"--by names a column of a table, or is {_BY_TYPE}")
    if plot is not None:
        check_plot(plot)
    table = _table(files, columns, are_texts=are_texts)
    parts_of = _parts_of(files, by, table.names) if by else None
    column = (columns or "").partition(",")[0].strip()
    corrected = _corrected(files, column, references) if references else {}
    shown = table.names if names is None else _names(names, len(table.names))
    rows = _checked(files, table.rows, are_texts=are_texts)
    scorer = shared.make_scorer(**options)
    is_alone = len(shown) == 1 and not (form in _TABLES or by or references or plot)
    systems = Systems(shown, scorer.signature, by=by or "")
    languages: dict[int, str | None] = {}
    signatures: set[Signature] = set()
    with opened_output(output) as stream:
        # Who chooses a USim wants to see it.
        shows_usim = verbose or (form == "text" and options["preset"] != "default")
        writer = _Writer(form, stream, systems, is_alone, are_texts, shows_usim)
        for row, results in progress(_scored(scorer, rows), len(rows), "scoring", quiet=output not in (None, "-")):
            number = row[0].number
            if isinstance(results, str):
                writer.failure(row, results)
                continue
            languages[number] = next((each.language for each in results if is_foreign(each.language)), None)
            signatures.update(each.signature for each in results)
            parts = [parts_of(number, k, each) for k, each in enumerate(results)] if parts_of else ()
            writer.results(number, results, parts, corrected.get(number, ()))
        if not systems.outcomes:
            keep_older(output)
        # If all graphs are given, nothing was parsed, and the signature names no parser.
        systems.signature = max(signatures, key=len, default=systems.signature)
        warn_of_languages("" if are_texts else files[0], languages)
        writer.end()
    if plot is not None and systems.outcomes:
        systems.plot(plot)
    if writer.unreadable or (not systems.outcomes and not is_alone):
        sys.exit(2)
    if least is not None and systems.outcomes:
        means = [fmean(values) if (values := systems.values(k, "faithfulness")) else None for k in range(len(shown))]
        for name, mean in zip(shown, means, strict=True):
            if mean is None or mean < least:
                what = "is not known: the judge answered for none" if mean is None else f"{mean:.4f} is below {least}"
                whose = "" if is_alone else f" of {one_line(name)}"
                click.echo(f"usim: the mean faithfulness{whose} {what}", err=True)
        if any(mean is None or mean < least for mean in means):
            sys.exit(1)


def _names(names: str, count: int) -> tuple[str, ...]:
    given = tuple(name.strip() for name in names.split(","))
    if len(given) != count or len(set(given)) != count or not all(given):
        raise click.UsageError(f"--names takes {count} different names, one for each system, with commas between them")
    return given


def _corrected(files: Sequence[str], source: str, references: Sequence[str]) -> dict[int, list[str]]:
    """Return the references of each line: of parallel files, or of columns of a table."""
    if len(files) > 1:
        rows = parallel_files([files[0], *references]).rows
    else:
        rows = read_table(files[0], [source, *references]).rows
    return {row[0].number: [line.text for line in row[1:] if line.text.strip()] for row in rows}


def _parts_of(files: Sequence[str], by: str, names: Sequence[str]) -> _PartsOf:
    """Return a function that names the parts in which a result counts: by a column, or by the types of its errors."""
    is_table = len(files) == 1
    if by == _BY_TYPE and is_table and find_format(files[0]) == "m2":
        types: dict[int, list[tuple[str, str]]] = {}
        for record in read_suggestions(files[0]):
            if isinstance(record, Record):
                about = (each.about for each in record.suggestions)
                types[record.line] = [(each["annotator"], each["type"]) for each in about if "type" in each]
        return lambda line, system, result: sorted({kind for name, kind in types[line] if name == names[system]})
    values = {line.number: fields for line, fields in read_rows(files[0])} if is_table else {}
    if any(by in fields for fields in values.values()):
        return lambda line, system, result: (str(values[line].get(by) or "–"),)
    if by == _BY_TYPE:
        error_types = load_errant()
        return lambda line, system, result: error_types(result.source, result.output)
    known = dict.fromkeys(name for fields in values.values() for name in fields)
    raise InputError(f"no column {by!r}; there are {', '.join(map(repr, known))}", path=files[0])


def _table(files: Sequence[str], columns: str | None, *, are_texts: bool) -> PairTable:
    """Read one table, several parallel files, or a pair of sentences."""
    if are_texts:
        return PairTable(("output",), [(Line(1, files[0]), Line(1, files[1]))])
    shared.check_no_sentences(files, "for two sentences give --text")
    if len(files) > 1:
        return parallel_files(files)
    if not files or (columns is None and find_format(files[0]) is None):
        for file in filter(os.path.isfile, files):
            with open_binary(file):  # refuses what is no text
                pass
        raise click.UsageError('give two files, SOURCE and OUTPUT, or two sentences: usim score --text "…" "…"')
    return read_table(files[0], [] if columns is None else [name.strip() for name in columns.split(",")])


def _checked(files: Sequence[str], rows: Sequence[_Row], *, are_texts: bool) -> list[_Row]:
    """Return the rows with their lines checked, and warn of lines that are empty or cannot be scored."""
    if not rows:
        warn(f"{' and '.join(files)} are empty")
    rows = [tuple(map(Line.checked, row)) for row in rows]
    paths = files if len(files) > 1 else (*files, *files)
    for row in rows:
        places = ("SOURCE", "OUTPUT") if are_texts else map("{}:{.number}".format, paths, row)
        has_error = any(line.error for line in row)
        for place, line in zip(places, row, strict=False):
            if line.error:
                warn(f"{place}: {line.error}; the sentence is not scored")
            elif not has_error and len(row) == 2 and not line.text.strip():
                effect = "the pair scores 0" if any(each.text.strip() for each in row) else "the pair scores 1"
                warn(f"{place}: an empty {'sentence' if are_texts else 'line'}; {effect}")
    return rows


def _scored(scorer: Scorer, rows: Sequence[_Row]) -> Iterator[tuple[_Row, list[Result] | str]]:
    """Yield each row with its results, or with the reason why it has none."""
    errors = [next((line.error for line in row if line.error), None) for row in rows]
    good = [row for row, error in zip(rows, errors, strict=True) if error is None]
    pairs = [(row[0], output) for row in good for output in row[1:]]
    graphs = [(source.graph, output.graph) for source, output in pairs if source.graph and output.graph]
    if graphs and len(graphs) == len(pairs):
        results: Iterator[Result] = itertools.starmap(scorer.score_graphs, graphs)
    else:
        results = scorer.score_pairs((source.text, output.text, source.context) for source, output in pairs)
    for row, error in zip(rows, errors, strict=True):
        yield row, error or [next(results) for _ in row[1:]]


@dataclass
class _Writer:
    """Writes the results of each sentence, and at the end their summary.

    Each line is written in one piece, so an interrupt leaves whole lines. A single system has its results line by line,
    and two sentences of the command line have them in sentences. Several systems are compared; if one of them has an
    unreadable line, the sentence is left out for all.
    """

    form: str
    stream: IO[str]
    systems: Systems
    is_alone: bool
    is_pair: bool
    verbose: bool
    unreadable: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._records = JsonRecords(self.form, self.stream)
        self._has_head = False

    def _head(self) -> None:
        """Write the names of the columns once there is a line for them: before that all may fail."""
        if self._has_head:
            return
        self._has_head = True
        if self.form == "tsv":
            self.stream.write(tsv_line(*_COLUMNS))
        elif self.form == "text" and self.is_alone and not self.is_pair:
            usim = [" USim"] if self.verbose else []
            columns = ("  line", "verdict", "faithfulness", "keep from", "drop below", *usim, "findings")
            self.stream.write("  ".join(columns) + "\n")

    def results(
        self, number: int, results: Sequence[Result], parts: Sequence[Sequence[str]], references: Sequence[str]
    ) -> None:
        """Add and write the results of a sentence, one for each system."""
        self._head()
        self.systems.add(number, results, parts, references)
        if self.form == "tsv":
            for name, result in zip(self.systems.names, results, strict=True):
                row = {"line": number, "system": name, **result.to_row()}
                self.stream.write(tsv_line(*map(row.get, _COLUMNS)))
        elif not self.is_alone:
            self._records.write(self.systems.record(-1))
        elif self.form == "text":
            self.stream.write("".join(f"{line}\n" for line in self._lines(number, results[0])))
        else:
            record = explanation_record(results[0]) if self.verbose else results[0].to_dict()
            self._records.write({"line": number, **record})

    def _lines(self, number: int, result: Result) -> Iterator[str]:
        judgement = result.judgement
        if self.is_pair:
            yield from verdict_lines(judgement, result.notes)
            yield from figure_lines(result.usim) if self.verbose else ()
            return
        shown = f"  {result.score:.3f}" if self.verbose else ""
        keep, drop = bounds(judgement)
        verdict = f"{number:6d}  {judgement.verdict:7}  {judgement.faithfulness:12.3f}  {keep:>9}  {drop:>10}"
        yield f"{verdict}{shown}  {why_so(judgement, result.notes)}".rstrip()

    def failure(self, row: _Row, reason: str) -> None:
        """Count a sentence that cannot be scored; if there is a single system, write why."""
        self._head()
        self.unreadable += 1
        if not self.is_alone:
            return
        source, output = row[:2]
        record: dict[str, Any] = {"line": source.number, "source": source.text, "output": output.text}
        record |= dict.fromkeys(("score", *_JUDGED, "usim")) | {"error": reason}
        if self.form == "text":
            self.stream.write(f"{source.number:6d}  -        {one_line(reason)}\n")
        elif self.form == "tsv":
            self.stream.write(tsv_line(*map(record.get, _COLUMNS)))
        else:
            self._records.write(record)

    def end(self) -> None:
        self._head()
        systems = self.systems
        if self.form == "json":
            several = {} if self.is_alone else {**systems.to_dict(), "unreadable": self.unreadable}
            self._records.end(several or self._summary())
        elif self.form in _TABLES:
            self.stream.write(write_tables(systems.tables(), self.form) if systems.outcomes else "")
        else:
            text = "".join(f"{line}\n" for line in (self._pair_lines() if self.is_alone else self._system_lines()))
            self.stream.flush()
            click.echo(text, self.stream if self.form == "text" else None, nl=False, err=True)

    def _system_lines(self) -> Iterator[str]:
        systems = self.systems
        if not systems.outcomes:
            yield counted(0, "sentence")
        yield from systems.text()
        yield systems.full_signature

    def _summary(self) -> dict[str, Any]:
        systems = self.systems
        count = len(systems.outcomes)
        summary: dict[str, Any] = {"pairs": count, "unreadable": self.unreadable, "signature": systems.signature}
        if not count:
            return summary
        record: dict[str, Any] = systems.to_dict()["systems"][systems.names[0]]
        if unanswered := count - len(systems.values(0, "faithfulness")):
            record["faithfulness"]["unanswered"] = unanswered
        draws = {"confidence": 0.95, **DRAWS}
        return {**summary, **{name: record[name] for name in ("usim", "faithfulness", "verdicts")}, **draws}

    def _pair_lines(self) -> Iterator[str]:
        """Yield the summary as text. Two sentences in text form have been shown already."""
        summary = self._summary()
        verbose = self.verbose or self.form != "text"
        if self.form != "text" or not self.is_pair or self.unreadable:
            more = f" ({self.unreadable} more could not be read)" if self.unreadable else ""
            verdicts = ", ".join(f"{count} {verdict}" for verdict, count in summary.get("verdicts", {}).items())
            yield f"{counted(summary['pairs'], 'pair')}{more}{verdicts and ': '}{verdicts}"
            if verdicts and summary["faithfulness"]["mean"] is None:
                yield "no faithfulness: the judge answered for no pair"
            elif verdicts:
                yield f"mean faithfulness {_interval(summary['faithfulness'], summary['pairs'])}"
            if verdicts:
                yield f"mean USim {_interval(summary['usim'], summary['pairs'])}"
        if verbose or not self.is_pair:
            yield self.systems.signature


def _interval(figure: Mapping[str, Any], pairs: int) -> str:
    """Return a mean with its interval, which a single pair does not have."""
    low, high = figure["interval"]
    return f"{figure['mean']:.4f}" + ("" if pairs == 1 else f" (95% interval {low:.4f} to {high:.4f})")
