"""``usim report``: results as a page to look at."""

from __future__ import annotations

import os
import sys

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import warn, write_output
from usim.errors import InputError


@shared.subcommand(
    "usim score source.txt output.txt --format jsonl -o results.jsonl",
    "usim report results.jsonl -o report.html",
)
@click.argument("results", metavar="RESULTS")
@option("-o", "--output", metavar=shared.OUT, required=True,
        help="The page to write, e.g. report.html; - is standard output.")  # fmt: skip
def report(results: str, output: str) -> None:
    """Make one page of HTML from RESULTS, which usim score, usim screen or usim batch has written; - is standard input.

    RESULTS is JSON lines, packed (.gz) or not, or Parquet. The page shows the distribution of the faithfulness,
    verdicts, findings by kind, and the pairs, the worst first, with the words of each finding marked, and graphs if
    RESULTS has them. You can search and filter it. It works without a network and makes no requests. The list has the
    worst 100,000 pairs; the figures count all.

    Exit code: 0 done, 2 some lines could not be read (they are named and left out), or nothing could.
    """
    from usim.records.results import read_results
    from usim.report.page import Collection

    collection = Collection(read_results(results))
    for error in collection.bad_lines:
        warn(f"{error}; the line is left out")
    if collection.bad > len(collection.bad_lines):
        warn(f"{collection.bad - len(collection.bad_lines)} more lines are left out")
    if not collection.results:
        hint = (
            "a report takes JSON lines of one system (--format jsonl); usim compare --format html writes a page itself"
        )
        raise InputError(f"there are no results of usim score, screen or batch in it: {hint}", path=results)
    write_output(output, collection.to_html(title="usim report" if results == "-" else os.path.basename(results)))
    if collection.bad:
        sys.exit(2)
