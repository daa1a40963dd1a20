"""``usim screen``: which suggestions keep the meaning."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Any, get_args

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import keep_older, opened_output, progress, warn, warn_of_languages
from usim.judge import Verdict
from usim.records import FORMATS, BadRecord, Part, Record, format_of, read_suggestions
from usim.report.values import screen_record
from usim.report.words import one_line, suggestion_text
from usim.screen import SuggestionResult, ranking
from usim.text import counted, is_foreign, printable
from usim.text.codec import json_text


@shared.subcommand(
    "usim screen suggestions.jsonl -o verdicts.jsonl",
    "usim screen system.m2 --filter -o kept.m2",
    "cat records | usim screen - --format-in tsv --rank",
)
@click.argument("file", metavar="FILE")
@shared.output_options("jsonl", "text", help="How verdicts are written: for programs, or for people.")
@shared.format_in_option
@option("--filter", "filter_", is_flag=True, help="Write FILE without the suggestions to drop.")
@option("--filter-review", is_flag=True, help="As --filter, and without the suggestions to review.")
@option("--rank", is_flag=True, help="Sort the substitutes of each target, the most faithful first.")
@shared.inflect_option
@shared.judging_options
def screen(
    file: str,
    output: str | None,
    form: str,
    format_in: str | None,
    filter_: bool,
    filter_review: bool,
    rank: bool,
    **options: Any,
) -> None:
    """Say for each suggestion in FILE whether it keeps the meaning: keep, review or drop; - is standard input.

    FILE is JSON lines ("sentence", "start", "end", "substitutes", or "corrections"), TSV, CSV, Parquet, M2, or a
    system's output for Smart Word Suggestions or ProLex; see docs/how-to/screen.md. The result is a line of JSON for
    each record, with the suggestions in their order; with --format text it is lines for people. With --filter it is
    FILE without the suggestions to drop: records that lose none are unchanged, others are written anew. Suggestions to
    review stay, and --rank is not possible. A summary goes to standard error.

    The verdict on suggestions for sentences in another language is review, and they stay in any case.

    Exit code: 0 done, 2 something could not be read (the other records are screened).
    """
    filtered: frozenset[Verdict] = frozenset({"drop", "review"} if filter_review else {"drop"} if filter_ else ())
    if filtered and rank:
        raise click.UsageError("--rank is for verdicts: --filter only takes suggestions out")
    if filtered and form == "text":
        raise click.UsageError("--format is for verdicts: --filter writes FILE again")
    if filtered and not FORMATS[format_of(file, format_in)].is_text:
        raise click.UsageError("--filter writes FILE again, and cannot write this format: convert FILE to JSON lines")
    records = read_suggestions(file, format_in)
    screen = shared.make_screen(**options)
    began = time.perf_counter()
    counts: Counter[str] = Counter()
    languages: dict[int, str | None] = {}
    with opened_output(output) as stream:
        parts = screen.screen_records(records)
        for part, screened in progress(parts, None, "screening", quiet=output not in (None, "-")):
            if isinstance(part, BadRecord):
                warn(f"{part.error}; the record is not screened")
            if not isinstance(part, str):
                counts["bad" if isinstance(part, BadRecord) else "records"] += 1
                foreign = [each.language for each in screened if is_foreign(each.language)]
                counts["left alone"] += len(foreign)
                if foreign:
                    languages[part.line] = foreign[0]
            counts.update(suggestion.verdict for suggestion in screened)
            if filtered:
                stream.write(_filtered(part, screened, filtered))
            elif form == "text":
                stream.write(_text(part, screened, rank))
            elif not isinstance(part, str):
                stream.write(json_text(screen_record(part, screened, rank=rank)))
        if not counts["records"]:
            keep_older(output)
    warn_of_languages(file, languages)
    _summary(counts, time.perf_counter() - began, screen.signature)
    if counts["bad"]:
        sys.exit(2)


def _filtered(part: Part, screened: list[SuggestionResult], dropped: frozenset[Verdict]) -> str:
    """Return a part as it stands in the file, without the suggestions that have these verdicts."""
    if isinstance(part, Record):
        is_dropped = (each.verdict in dropped and not is_foreign(each.language) for each in screened)
        return part.without([place for place, each in enumerate(is_dropped) if each])
    return part if isinstance(part, str) else part.raw


def _text(part: Part, screened: list[SuggestionResult], rank: bool) -> str:
    """Return a record for people: each place of the text with the suggestions for it."""
    if not isinstance(part, Record):
        return ""
    lines = []
    last: object = ...
    for place in ranking(part.suggestions, screened) if rank else range(len(screened)):
        suggestion, result = part.suggestions[place], screened[place]
        if suggestion.span != last:
            start, end = suggestion.span or (0, 0)
            marked = f"{part.text[:start]}[{part.text[start:end]}]{part.text[end:]}" if suggestion.span else part.text
            lines.append(f"{printable(str(part.id))}: {one_line(marked)}")
            last = suggestion.span
        lines.append(f"  {result.verdict:6} {result.faithfulness:.3f}  {suggestion_text(result)}")
    return "".join(f"{line}\n" for line in lines)


def _summary(counts: Counter[str], seconds: float, signature: str) -> None:
    verdicts = [(verdict, counts[verdict]) for verdict in get_args(Verdict)]
    total = sum(count for _, count in verdicts)
    text = f"{counted(counts['records'], 'record')}, {counted(total, 'suggestion')}"
    if total:
        text += ": " + ", ".join(f"{count} {verdict}" for verdict, count in verdicts)
    if counts["left alone"]:
        text += f"; {counts['left alone']} of them in another language, left alone"
    if counts["bad"]:
        text += f"; {counted(counts['bad'], 'more record')} could not be read"
    sys.stdout.flush()
    click.echo(f"{text}\n{seconds:.1f} s, {total / seconds:.0f} suggestions/s\n{signature}", err=True)
