"""``usim check``: the suggestions of a checker, screened."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, get_args

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import JsonRecords, opened_output, warn
from usim.errors import InputError, UsimError
from usim.judge import Verdict
from usim.report.words import COLOURS, suggestion_text
from usim.suggestions import apply
from usim.text import Span, counted, printable, sentence_around, unbroken
from usim.text.files import read_text

if TYPE_CHECKING:
    from usim.checkers import Checked, Fault
    from usim.screen import Screen

_MARKDOWN, _WORD = (".md", ".markdown"), ".docx"
#: For each choice of --fail-on, the verdicts on the best suggestion that count; empty for a finding without any.
_GATES: dict[str, frozenset[str]] = {
    "never": frozenset(),
    "keep": frozenset({"keep"}),
    "review": frozenset({"keep", "review"}),
    "any": frozenset({"keep", "review", "drop", ""}),
}


@shared.subcommand(
    "usim check notes.txt",
    "usim check README.md docs/index.md --fail-on keep",
    "usim check letter.txt --fix -o corrected.txt",
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@shared.output_options("text", "json", "jsonl", help="text: the sentences, with the changes marked in them.")
@option("--all", "show_all", is_flag=True, help="Show suggestions to drop as well, and why.")
@option("--fix", is_flag=True, help="Write the text with the kept suggestions put in, instead of the findings.")
@option("--fail-on", type=click.Choice(list(_GATES)), default="never", help="Exit with 1. keep: if a suggestion is "
        "kept; review: also if one is to be reviewed; any: if anything is found.")  # fmt: skip
@shared.checker_options
@shared.judging_options
def check(
    files: tuple[str, ...], output: str | None, form: str, show_all: bool, fix: bool, fail_on: str, **options: Any
) -> None:
    """Check texts, and show which of the checker's suggestions keep the meaning; - is standard input.

    Files are plain text, Markdown (.md) or Word (.docx); of a Word file the lines of its text are counted.

    The checker is Harper (extra harper), which works offline, or a LanguageTool server of yours. Its suggestions to
    drop are left out; --all shows them. With --fix the command writes the text, and puts in the best suggestion of each
    place if it is kept; one of style only with --picky, or if its rule is enabled by name. Sentences in another
    language are left alone, unless --language says that the text is English.

    Exit code: 0 done, 1 --fail-on says so, 2 something could not be read or checked (the rest is checked).
    """
    if fix and (len(files) > 1 or form != "text"):
        raise click.UsageError("--fix writes one text: it takes neither several files nor --format")
    from usim.checkers import best_edits, check_text
    from usim.documents import MAX_CHARACTERS, read_document

    checker, request_for = shared.make_checker(options)
    screen = shared.make_screen(**options)
    counts: Counter[str] = Counter()
    suggestions = dict.fromkeys(get_args(Verdict), 0)
    with opened_output(output) as stream:
        records = JsonRecords(form, stream)
        for path in files:
            try:
                if path.lower().endswith(_WORD):
                    if fix:
                        raise InputError(
                            "--fix writes plain text, and would lose what a Word file has besides", path=path
                        )
                    text = read_document(path).text
                else:
                    text = read_text(path, has_mark=True)  # --fix leaves it
                if len(text) > MAX_CHARACTERS:
                    problem = f"{len(text):,} characters, and {MAX_CHARACTERS:,} are the most: check it in parts"
                    raise InputError(problem, path=path)
                request = request_for(text, path.lower().endswith(_MARKDOWN))
                findings = _screened(check_text(checker, request), screen, path, text, counts, suggestions)
                if fix:
                    edits = best_edits(text, list(filter(request.mends, findings)))
                    counts["changes"] = len(edits)
                    stream.write(apply(text, edits))
                    continue
                for span, own in groupby(findings, partial(_sentence, text)):
                    shown = list(_recorded(path, text, own, records, show_all))
                    if form == "text" and shown:
                        colour = False if "NO_COLOR" in os.environ else None  # by default a terminal has colours
                        click.echo("".join(_lines(path, text, span, shown, show_all)), stream, color=colour)
                    stream.flush()  # what is found is shown while the rest is screened
            except UsimError as e:
                warn(f"{e}" if e.path else f"{path}: {e}; the file is not checked")
                counts["unreadable"] += 1
        found = {"other_languages": counts["left alone"], "found": counts["found"], "suggestions": suggestions}
        about = {"files": len(files), "unreadable": counts["unreadable"], **found, "signature": screen.signature}
        records.end(about)
        sys.stdout.flush()
        click.echo(f"{_summary(counts, len(files), suggestions, fix=fix)}\n{screen.signature}", err=True)
        if counts["unreadable"] == len(files):
            sys.exit(2)  # before the output gets its name: an older file stays
    if counts["unreadable"]:
        sys.exit(2)
    if any(counts[verdict] for verdict in _GATES[fail_on]):
        sys.exit(1)


def _screened(
    checked: Checked, screen: Screen, path: str, text: str, counts: Counter[str], suggestions: dict[str, int]
) -> Iterator[Fault]:
    """Yield the findings in a text, in order, as they are screened; count, and warn of what is left alone."""
    from usim.checkers import screened_findings

    for language, number in sorted(checked.foreign.items()):
        counts["left alone"] += number
        warn(f"{path}: {counted(number, 'sentence')} in another language ({language}) left alone")
    found = sorted(checked.findings, key=lambda finding: (finding.start, finding.end))
    for finding in screened_findings(text, found, screen):
        if finding.replacements and not finding.screened:
            line = _place(text, finding.start)[0]
            warn(f"{path}:{line}: a sentence or a suggestion is too long to be judged; suggestions are left out")
        counts["found"] += 1
        counts[finding.screened[0].verdict if finding.screened else ""] += 1
        for each in finding.screened:
            suggestions[each.verdict] += 1
        yield finding


def _summary(counts: Counter[str], files: int, suggestions: dict[str, int], *, fix: bool) -> str:
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in suggestions.items())
    text = f"{counted(files - counts['unreadable'], 'file')}, {counts['found']} found; suggestions: {verdicts}"
    for key, noun, what in (
        ("changes", "change", "made"),
        ("left alone", "sentence", "in another language left alone"),
        ("unreadable", "more file", "could not be checked"),
    ):
        if counts[key] or (key == "changes" and fix):
            text += f"; {counted(counts[key], noun)} {what}"
    return text


def _sentence(text: str, finding: Fault) -> Span:
    return sentence_around(text, finding.start, finding.end)


def _recorded(path: str, text: str, findings: Iterable[Fault], records: JsonRecords, show_all: bool) -> Iterator[Fault]:
    """Write findings as records, and yield those that people are shown."""
    for finding in findings:
        line, column = _place(text, finding.start)
        place = {"file": path, "line": line, "column": column, "text": text[finding.start : finding.end]}
        records.write({**place, **finding.to_dict(dropped=show_all)})
        if not finding.screened or show_all or any(each.verdict != "drop" for each in finding.screened):
            yield finding


def _lines(path: str, text: str, span: tuple[int, int], findings: Sequence[Fault], show_all: bool) -> Iterator[str]:
    """Yield a sentence with the findings marked in it, and the suggestions."""
    line, column = _place(text, span[0])
    yield click.style(f"{printable(path)}:{line}:{column}", bold=True) + "\n  "
    end = span[0]
    for finding in findings:
        if finding.start < end:  # it overlaps with the finding before, and is listed below
            continue
        yield unbroken(text[end : finding.start])
        yield click.style(f"[-{unbroken(text[finding.start : finding.end])}-]", fg="red")
        if finding.best:
            yield click.style(f"{{+{unbroken(finding.best.substitute)}+}}", fg="green")
        end = finding.end
    yield unbroken(text[end : span[1]]) + "\n"
    for finding in findings:
        yield f"    {unbroken(text[finding.start : finding.end])!r}: {unbroken(finding.message)} ({finding.rule})\n"
        for each in finding.screened:
            if show_all or each.verdict != "drop":
                verdict = click.style(f"{each.verdict:6}", fg=COLOURS[each.verdict])
                yield f"      {verdict} {each.faithfulness:.3f}  {suggestion_text(each)}\n"


def _place(text: str, start: int) -> tuple[int, int]:
    """Return the line and the column of a character, both from 1."""
    return text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
