"""``usim compare``: two versions of a whole text."""

from __future__ import annotations

import sys
from typing import Any, Literal

import click

from usim.cli.options import judging_options, make_scorer, option, output_options, subcommand
from usim.cli.output import rendered, warn, warn_of_languages, write_output
from usim.text.codec import json_text


@subcommand(
    "compare",
    "usim compare letter.txt rewritten.txt",
    "usim compare article.md short.md --policy shorten",
    "usim compare report.docx report-2.docx --format html -o changes.html",
)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@output_options("text", "html", "json", help="html: a page with both texts side by side, in one file.")
@option("--fail-on", type=click.Choice(["never", "drop", "review"]), default="never",
        help="Exit with 1 if the verdict on the text is this or a graver one.")  # fmt: skip
@option("--all", "shows_doubts", is_flag=True,
        help="With text, also show rewordings that usim cannot judge.")  # fmt: skip
@judging_options
def command(
    before: str,
    after: str,
    output: str | None,
    form: str,
    fail_on: Literal["never", "drop", "review"],
    shows_doubts: bool,
    **options: Any,
) -> None:
    """Compare two versions of a text, whose sentences need not match one to one.

    BEFORE and AFTER are files: plain text, Markdown (.md), whose code and links are left alone, or Word (.docx); - is
    standard input. Sentences are aligned, some with several, some moved; each block is judged with the text around it.
    What has no counterpart is left out or added, unless its content stands elsewhere.

    The verdict on the text is that of its worst block, and its faithfulness that of the least faithful one. With text,
    only the blocks that somebody should look at are shown: those that probably changed, with a fact that changed, left
    out or added. Of a block that is merely reworded usim often cannot tell; --all shows these, too.

    Exit code: 0 done, 1 the verdict is that of --fail-on or a graver one, 2 something could not be read.
    """
    from usim.documents import read_document
    from usim.report.texts import comparison_text
    from usim.verdicts.decide import worst_verdict

    if before == after == "-":
        raise click.UsageError("only one of the files can be standard input")
    names = (before, after)
    documents = [read_document(path) for path in names]
    for path, (text, _) in zip(names, documents, strict=True):
        if not text.strip():
            warn(f"{path}: an empty text")
    is_markdown = any(is_markdown for _, is_markdown in documents)
    comparison = make_scorer(**options).compare_texts(*(text for text, _ in documents), is_markdown=is_markdown)
    warn_of_languages("", {1: comparison.language})
    if form == "json":
        text = json_text(comparison.to_dict(), indent=1)
    elif form == "html":
        from usim.report import comparison_html

        text = comparison_html(comparison, names=names)
    else:
        text = rendered(comparison_text(comparison, names, shows_doubts=shows_doubts), output)
    write_output(output, text)
    if fail_on != "never" and worst_verdict([comparison.verdict, fail_on]) == comparison.verdict:
        sys.exit(1)
