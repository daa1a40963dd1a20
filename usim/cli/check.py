"""``usim check``: what a checker suggests for texts, screened."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, get_args

import click

from usim.cli.help import examples
from usim.cli.options import (
    CheckerSettings,
    check_file,
    checker_options,
    format_option,
    judge_options,
    make_screen,
    option,
    output_option,
    parser_options,
)
from usim.cli.output import JsonRecords, counted, opened_output, warn
from usim.errors import InputError, UsimError
from usim.judge import Verdict
from usim.report.words import why
from usim.text import (
    open_binary,
    printable,
    read_bounded,
    replace_content,
    sentence_around,
)

if TYPE_CHECKING:
    from rich.text import Text

    from usim.checkers import Checked, Finding
    from usim.screen import Screen

_MARKDOWN = (".md", ".markdown")
_STYLES = {"keep": "green", "review": "yellow", "drop": "red"}
#: For each choice of --fail-on the verdicts that count; an empty one is that on a finding without suggestions.
_GATES: dict[str, frozenset[str]] = {
    "never": frozenset(),
    "keep": frozenset({"keep"}),
    "review": frozenset({"keep", "review"}),
    "any": frozenset({"keep", "review", "drop", ""}),
}


@click.command(
    "check",
    epilog=examples(
        "usim check notes.txt",
        "usim check README.md docs/index.md --fail-on keep",
        "usim check letter.txt --fix -o corrected.txt",
    ),
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@output_option()
@format_option("text", "json", "jsonl", help="text: the sentences, with what is to be changed marked in them.")
@option("--all", "show_all", is_flag=True, help="Show suggestions to drop as well, and why.")
@option("--fix", is_flag=True, help="Write the text with what is kept put into it, instead of the suggestions.")
@option("--in-place", is_flag=True, help="With --fix: write over FILE.")
@option("--fail-on", type=click.Choice(list(_GATES)), default="never", help="Exit with 1 where a suggestion is kept; "
        "where one is kept or to be reviewed; where anything is found.")  # fmt: skip
@checker_options
@judge_options
@parser_options
def command(
    files: tuple[str, ...],
    output: str | None,
    form: str,
    show_all: bool,
    fix: bool,
    in_place: bool,
    fail_on: str,
    **options: Any,
) -> None:
    """Check texts, and show which of the checker's suggestions keep the meaning; - is standard input.

    The checker is Harper (extra harper), which works offline, or a LanguageTool server of yours. Its suggestions to
    drop are left out; --all shows them. With --fix the text comes back with the best suggestion of each place put into
    it if it is kept: to standard output, to -o OUT, or with --in-place to FILE itself. Sentences in another language
    are left alone unless --language says that the text is English.

    Exit code: 0 done, 1 --fail-on says so, 2 something could not be read or checked (the rest is checked).
    """
    if in_place and not fix:
        raise click.UsageError("--in-place is for --fix")
    if in_place and (output is not None or "-" in files):
        raise click.UsageError("--in-place writes over FILE: it goes with neither -o nor standard input")
    if fix and not in_place and len(files) > 1:
        raise click.UsageError("--fix of several files needs --in-place")
    if fix and form != "text":
        raise click.UsageError("--fix writes a text, not --format " + form)
    from usim.checkers import check_text, fixed

    checking = CheckerSettings.taken(options)
    checker = checking.load()
    screen = make_screen(**options)
    counts: Counter[str] = Counter()
    with asyncio.Runner() as runner, opened_output(None if in_place else output, exact=fix) as stream:
        writer = _Writer(form, stream, show_all, is_terminal=output in (None, "-"))
        for path in files:
            try:
                data, text = _read(path)
                request = checking.request(text, path.lower().endswith(_MARKDOWN))
                findings = _screened(runner.run(check_text(checker, request)), screen, path, text, counts)
                new, changes = fixed(text, findings) if fix else (text, 0)
                if in_place and new != text:
                    replace_content(path, data, new.encode("utf-8"))
            except UsimError as e:
                warn(f"{e}" if e.path else f"{path}: {e}; the file is not checked")
                counts["unreadable"] += 1
                continue
            counts["found"] += len(findings)
            counts["changes"] += changes
            counts.update(_gate(finding) for finding in findings)
            counts.update(f"{each.verdict} suggestions" for finding in findings for each in finding.screened)
            if fix and not in_place:
                stream.write(new)
            elif not fix:
                writer.file(path, text, findings)
        runner.run(checker.close())
        if not fix:
            writer.records.end({**_totals(counts, len(files)), "signature": screen.signature})
        sys.stdout.flush()
        click.echo(_summary(counts, len(files), fix=fix) + f"\n{screen.signature}", err=True)
        if counts["unreadable"] == len(files):
            sys.exit(2)  # before the output gets its name: what stands there stays
    if counts["unreadable"] or counts["not checked"]:
        sys.exit(2)
    if any(counts[verdict] for verdict in _GATES[fail_on]):
        sys.exit(1)


def _screened(checked: Checked, screen: Screen, path: str, text: str, counts: Counter[str]) -> list[Finding]:
    """Return what is wrong with a text; what is not looked at is counted and said."""
    from usim.checkers import findings

    for language, number in sorted(checked.foreign.items()):
        counts["left alone"] += number
        warn(f"{path}: {counted(number, 'sentence')} in another language ({language}) left alone")
    for start, _ in checked.not_checked:
        counts["not checked"] += 1
        warn(f"{path}:{_place(text, start)[0]}: the paragraph takes the checker too long; it is not checked")
    fitting = list(findings(text, checked.matches, screen))
    if misfits := len(checked.matches) - len(fitting):
        warn(f"{path}: left out, as they fit no place in the text: {counted(misfits, 'finding')}")
    for finding in fitting:
        if finding.left_out and not finding.screened:
            line = _place(text, finding.start)[0]
            warn(f"{path}:{line}: a sentence or a suggestion is too long to be judged; suggestions are left out")
    return fitting


def _read(path: str) -> tuple[bytes, str]:
    """Read a text with its line ends and its byte order mark as they are."""
    check_file(path)
    with open_binary(path) as file:
        data = read_bounded(file, path)
    try:
        return data, data.decode("utf-8")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise InputError("not UTF-8; convert the file to UTF-8", path=path, line=line) from e


def _gate(finding: Finding) -> str:
    """Return the verdict on the most faithful suggestion; an empty string where there is none."""
    return finding.screened[0].verdict if finding.screened else ""


def _totals(counts: Counter[str], files: int) -> dict[str, Any]:
    verdicts = {verdict: counts[f"{verdict} suggestions"] for verdict in get_args(Verdict)}
    names = {
        "unreadable": "unreadable",
        "other_languages": "left alone",
        "not_checked": "not checked",
        "found": "found",
    }
    return {"files": files, **{key: counts[name] for key, name in names.items()}, "suggestions": verdicts}


def _summary(counts: Counter[str], files: int, *, fix: bool) -> str:
    verdicts = ", ".join(f"{counts[f'{verdict} suggestions']} {verdict}" for verdict in get_args(Verdict))
    text = f"{counted(files - counts['unreadable'], 'file')}, {counts['found']} found; suggestions: {verdicts}"
    if fix:
        text += f"; {counted(counts['changes'], 'change')} made"
    if counts["left alone"]:
        text += f"; {counted(counts['left alone'], 'sentence')} in another language left alone"
    if counts["not checked"]:
        text += f"; {counted(counts['not checked'], 'paragraph')} not checked"
    if counts["unreadable"]:
        text += f"; {counted(counts['unreadable'], 'more file')} could not be checked"
    return text


class _Writer:
    """Writes findings in one of the formats."""

    def __init__(self, form: str, stream: IO[str], show_all: bool, *, is_terminal: bool) -> None:
        from rich.console import Console

        self.records = JsonRecords(form, stream)
        self._form = form
        self._stream = stream
        self._all = show_all
        self._console = Console(highlight=False, soft_wrap=True)
        # With NO_COLOR, on a terminal without colours and in a file, signs mark what colours mark elsewhere.
        self._is_coloured = is_terminal and self._console.is_terminal and self._console.color_system is not None
        self._is_coloured = self._is_coloured and not self._console.no_color

    def file(self, path: str, text: str, findings: Sequence[Finding]) -> None:
        """Write the findings in a file."""
        if self._form == "text":
            shown = [finding for finding in findings if self._shown(finding)]
            self._stream.write("".join(self._rendered(block) for block in self._blocks(path, text, shown)))
        for finding in findings:
            self.records.write(self._record(path, text, finding))

    def _shown(self, finding: Finding) -> bool:
        """Return whether a finding has something to show: all of its suggestions may be to drop."""
        return self._all or not finding.screened or any(each.verdict != "drop" for each in finding.screened)

    def _record(self, path: str, text: str, finding: Finding) -> dict[str, Any]:
        line, column = _place(text, finding.start)
        return {
            "file": path,
            "line": line,
            "column": column,
            "text": text[finding.start : finding.end],
            **finding.to_dict(dropped=self._all),
        }

    def _rendered(self, block: Text) -> str:
        if not self._is_coloured:
            return block.plain
        with self._console.capture() as capture:
            self._console.print(block, end="")
        return capture.get()

    def _blocks(self, path: str, text: str, findings: Sequence[Finding]) -> Iterator[Text]:
        """Yield the sentences with findings, each with what is suggested for it."""
        of_sentence: dict[tuple[int, int], list[Finding]] = {}
        for finding in sorted(findings, key=lambda finding: (finding.start, finding.end)):
            of_sentence.setdefault(sentence_around(text, finding.start, finding.end), []).append(finding)
        for span, of_this in of_sentence.items():
            yield self._block(path, text, span, of_this)

    def _block(self, path: str, text: str, span: tuple[int, int], findings: Sequence[Finding]) -> Text:
        from rich.text import Text

        line, column = _place(text, span[0])
        block = Text(f"{printable(path)}:{line}:{column}\n  ", style="default")
        block.stylize("bold", 0, len(block) - 3)
        place = span[0]
        for finding in findings:
            if finding.start < place:  # it overlaps with the one before, and is listed below
                continue
            block.append(_one_line(text[place : finding.start]))
            old, best = _one_line(text[finding.start : finding.end]), finding.best
            if self._is_coloured:
                block.append(old, style="red strike" if best else "red underline")
                block.append(_one_line(best.substitute) if best else "", style="bold green")
            else:
                block.append(f"[-{old}-]" + (f"{{+{_one_line(best.substitute)}+}}" if best else ""))
            place = finding.end
        block.append(_one_line(text[place : span[1]]) + "\n")
        for finding in findings:
            block.append_text(self._listed(text, finding))
        return block.append("\n")

    def _listed(self, text: str, finding: Finding) -> Text:
        from rich.text import Text

        old = _one_line(text[finding.start : finding.end])
        listed = Text(f"    {old!r}: {_one_line(finding.message)} ({finding.rule})\n")
        for screened in finding.screened:
            if self._all or screened.verdict != "drop":
                listed.append(f"      {screened.verdict:6}", style=_STYLES[screened.verdict])
                reasons = why(screened.shown)
                told = f"   {reasons}" if reasons else ""
                listed.append(f" {screened.faithfulness:.3f}  {_one_line(screened.substitute) or '(nothing)'}{told}\n")
        return listed


def _one_line(text: str) -> str:
    return printable(text.replace("\r\n", " ").replace("\n", " ").replace("\t", " "))


def _place(text: str, start: int) -> tuple[int, int]:
    """Return the line and the column of a character, both from 1."""
    return text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
