"""``usim compare``: two versions of a whole text, or of the texts of a git repository."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import rendered, warn, warn_of_languages, write_output
from usim.errors import InputError
from usim.text import printable
from usim.text.codec import json_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from usim.documents import Document, TextComparison
    from usim.scorer import Scorer

#: Formats that show one comparison.
_OF_ONE = ("html", "docx")


@shared.subcommand(
    "usim compare letter.txt rewritten.txt",
    "usim compare article.md short.md --policy shorten",
    "usim compare report.docx report-2.docx --format docx -o commented.docx",
    "usim compare --git HEAD docs --fail-on drop",
    "usim compare --git v1.0..v1.1 --format sarif -o meaning.sarif",
)
@click.argument("paths", metavar="BEFORE AFTER", nargs=-1)
@shared.output_options("text", "html", "docx", "json", "github", "sarif",
                       help="html: a page with both texts side by side; docx: AFTER as a Word file with a comment at "
                       "each finding; github, sarif: findings at files and lines, for pull requests.")  # fmt: skip
@option("--git", "revisions", metavar="REV",
        help="Compare the documents (.md, .rst, .txt, .docx) that differ between a revision and the working tree, or "
        "between two (REV..REV). BEFORE AFTER are then files and folders to look at; all by default.")  # fmt: skip
@option("--fail-on", type=click.Choice(["never", "drop", "review"]), default="never",
        help="Exit with 1 if the verdict on a text is this verdict or a graver one.")  # fmt: skip
@option("--all", "shows_doubts", is_flag=True,
        help="With text and docx, also show what is undecided: rewordings that usim cannot judge.")  # fmt: skip
@shared.judging_options
def compare(
    paths: tuple[str, ...],
    output: str | None,
    form: str,
    revisions: str | None,
    fail_on: Literal["never", "drop", "review"],
    shows_doubts: bool,
    **options: Any,
) -> None:
    """Compare two versions of a text, whose sentences need not match one to one.

    BEFORE and AFTER are files: plain text, Markdown (.md), whose code and links are compared as they are, or Word
    (.docx); - is standard input. usim aligns the sentences, some with several, some moved, and judges each block with
    the text around it. A sentence without a counterpart is left out or added, unless its content stands elsewhere.

    The verdict on the text is that of its worst block. With --format text, the findings come with their places, the
    gravest first: what probably changed, facts that changed, what is left out or added. A block that is merely reworded
    is often undecided; --all shows such blocks, too.

    Exit code: 0 done, 1 the verdict is that of --fail-on or a graver one, 2 something could not be read.
    """
    if revisions is None and len(paths) != 2:
        raise click.UsageError("two files are needed, BEFORE and AFTER; or --git REV")
    if revisions is not None and form in _OF_ONE:
        raise click.UsageError(f"--format {form} is for two files; with --git there are text, json, github and sarif")
    if paths == ("-", "-"):
        raise click.UsageError("only one of the files can be standard input")
    if form == "docx" and output in (None, "-"):
        raise click.UsageError("a Word file needs a name: -o OUT.docx")
    scorer = None
    files: list[_File] = []
    errors: list[str] = []
    for file in _files(paths, revisions):
        if file.sides:
            scorer = scorer or shared.make_scorer(**options)  # a wrong option is no fault of a file
            try:
                file = _compared(file, scorer)
            except InputError as e:
                if revisions is None:
                    raise
                file = file._replace(note=e.message, is_error=True)
        if file.is_error:
            errors.append(str(InputError(file.note, path=file.name)))
            warn(errors[-1])
        files.append(file)
    if form == "docx":
        from usim.report.word import write_commented

        for file in files:
            if file.comparison and file.sides:
                write_commented(file.comparison, file.sides[1], file.name, str(output), shows_doubts=shows_doubts)
    else:
        text = _text(form, files, errors, output, is_one=revisions is None, shows_doubts=shows_doubts)
        write_output(output, text)
    if errors:
        sys.exit(2)
    order = ["keep", "review", "drop"]
    worst = max((order.index(file.comparison.verdict) for file in files if file.comparison), default=0)
    if fail_on != "never" and worst >= order.index(fail_on):
        sys.exit(1)


class _File(NamedTuple):
    """A file before and after: its names, both versions and their comparison; a note on why there is none."""

    old: str
    name: str
    sides: tuple[Document, Document] | None = None
    note: str = ""
    is_error: bool = False
    comparison: TextComparison | None = None


def _files(paths: Sequence[str], revisions: str | None) -> Iterator[_File]:
    """Yield the two files, or those below the paths that differ between revisions of git."""
    from usim.documents import Document, changed_files, read_document

    if revisions is None:
        before, after = paths
        yield _File(before, after, (read_document(before), read_document(after)))
        return
    for change in changed_files(revisions, paths):
        if isinstance(change, InputError):
            yield _File(str(change.path), str(change.path), note=change.message, is_error=True)
        elif change.before is None:
            yield _File(change.old, change.name, note=change.note or "new")
        elif change.after is None:  # all that it said is left out
            yield _File(change.old, change.name, (change.before, Document("")), note="deleted")
        else:
            yield _File(change.old, change.name, (change.before, change.after))


def _compared(file: _File, scorer: Scorer) -> _File:
    assert file.sides is not None
    for path, document in zip((file.old, file.name), file.sides, strict=True):
        if not (document.text.strip() or file.note):
            warn(f"{path}: an empty text")
        if document.unread:
            warn(f"{path}: not read: {', '.join(document.unread)}")
    before, after = file.sides
    is_markdown = before.is_markdown or after.is_markdown
    comparison = scorer.compare_texts(before.text, after.text, is_markdown=is_markdown)
    warn_of_languages(file.name, {1: comparison.language})
    unread = dict.fromkeys(what for each in file.sides if not each.text.strip() for what in each.unread)
    return file._replace(comparison=replace(comparison, places=(before.places, after.places), unread=tuple(unread)))


def _text(
    form: str, files: Sequence[_File], errors: Sequence[str], output: str | None, *, is_one: bool, shows_doubts: bool
) -> str:
    """Return the comparisons of files in a format; ``is_one`` says that there is one comparison, without git."""
    from usim.report.annotations import github_lines, sarif
    from usim.report.texts import HINT, comparison_html, comparison_text, summary, verdict_text

    compared = [(file.old, file.name, file.comparison) for file in files if file.comparison]
    named = [(name, comparison) for _, name, comparison in compared]
    if form == "sarif":
        return json_text(sarif(named, errors), indent=1)
    if form == "html":
        ((old, name, comparison),) = compared
        return comparison_html(comparison, names=(old, name))
    if form == "json" and is_one:
        return json_text(named[0][1].to_dict(), indent=1)
    if form == "json":
        values = [{"file": name, "old": old, **comparison.to_dict()} for old, name, comparison in compared]
        rest = [{"file": file.name, "why": file.note} for file in files if not file.comparison]
        return json_text({"files": values, "not_compared": rest}, indent=1)
    hint = HINT if form == "text" and not shows_doubts else ""

    def title(old: str, name: str) -> str:
        return name if old == name else f"{old} → {name}"

    lines = []
    for file in files:
        said, verdict = file.note, file.comparison.verdict if file.comparison else "-"
        if file.comparison and not file.note:
            said = f"{verdict_text(file.comparison)} {summary(file.comparison, hint=hint)}".rstrip()
        lines.append(f"{verdict:<7} {title(file.old, file.name)}: {said}")
    if form == "github":
        unread = [(file.name, file.note) for file in files if file.is_error]
        return "".join(f"{line}\n" for line in (*github_lines(named, unread), *map(printable, lines)))
    from rich.text import Text

    parts: list[RenderableType] = []
    for old, name, comparison in compared:
        if is_one or comparison.findings or (shows_doubts and comparison.doubts):
            parts += [] if is_one else [Text(printable(title(old, name)), style="bold")]
            parts += comparison_text(comparison, (old, name), shows_doubts=shows_doubts)
            parts.append(Text())
    rows = lines or ["No document differs."]
    return rendered(parts[:-1] if is_one else [*parts, *(Text(printable(row)) for row in rows)], output)
