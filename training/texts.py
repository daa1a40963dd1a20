"""Collect sentences without annotation for a teacher to parse (``parsers.span.lessons``), one a line.

::

    python -m training.texts --wordnet DIR --fortunes DIR --novels FILE --swords FILE --out FILE

All of this may be used for anything: the examples of WordNet (its own licence), the contexts of SWORDS (CC BY 3.0), the
sayings and bits of prose in ``fortunes``, a collection that Debian gives out as free software (BSD; single sayings are
quotations), and Jane Austen's novels (in the public domain), which the R package ``janeaustenr`` has (Debian:
``r-cran-janeaustenr``)::

    Rscript -e 'writeLines(janeaustenr::austen_books()$text, "novels.txt")'

Sentences made from the annotated ones come from :mod:`parsers.span.lessons` besides.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from training.corpora import fortunes, from_examples, read_examples, split, swords
from training.recipe import write_lines
from usim.text.files import read_text


def paragraphs(path: Path) -> Iterator[str]:
    """Yield the paragraphs of a plain text; headings, which are short or in capitals, are left out."""
    for is_text, group in groupby(read_text(path).splitlines(), key=lambda line: bool(line.strip())):
        text = " ".join(" ".join(group).replace("_", "").split()) if is_text else ""
        if text and not text.isupper() and text[-1] in ".!?\"'":
            yield text.replace("--", " -- ")


def main(argv: Sequence[str] | None = None) -> None:
    """Collect sentences into a file."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's database files: its examples")
    p.add_argument("--fortunes", type=Path, metavar="DIR", help="folder of Debian's fortunes")
    p.add_argument("--swords", type=Path, metavar="FILE", help="SWORDS dev: its contexts")
    p.add_argument("--novels", type=Path, metavar="FILE", help="novels as plain text")
    p.add_argument("--shortest", type=int, default=8, help="tokens that a sentence has, at least (%(default)s)")
    p.add_argument("--out", type=Path, required=True, metavar="FILE")
    args = p.parse_args(argv)
    sources: list[Iterable[str]] = []
    if args.swords:
        sources.append(swords(args.swords))
    if args.wordnet:
        sources.append(sentence.text for sentence in from_examples(read_examples(args.wordnet)))
    if args.fortunes:
        sources.append(fortunes(args.fortunes))
    if args.novels:
        sources.append(paragraphs(args.novels))
    sentences = (sentence for texts in sources for text in texts for sentence in split(" ".join(text.split())))
    distinct = dict.fromkeys(sentence.text for sentence in sentences if len(sentence) >= args.shortest)
    write_lines(args.out, distinct)
    print(f"{len(distinct)} sentences")


if __name__ == "__main__":
    main()
