"""Collect sentences without annotation for a teacher to parse (``parsers.span.lessons``), one a line.

::

    python -m training.texts --wordnet DIR --fortunes DIR --novels DIR --pairs swords=FILE … --out FILE

All of this may be used for anything: the examples of WordNet (its own licence), the contexts of
SWORDS (CC BY 3.0), Smart Word Suggestions (MIT) and ProLex (Apache-2.0), the sayings and bits of prose in ``fortunes``,
a collection that Debian gives out as free software (BSD; single sayings are quotations), and Jane Austen's novels (in
the public domain), which Debian has for R users. No root is needed to get the last two::

    apt-get download fortunes fortunes-min r-cran-janeaustenr && for f in *.deb; do dpkg -x $f texts; done

(then ``--fortunes texts/usr/share/games/fortunes --novels texts/usr/lib/R/site-library/janeaustenr/data``).
Sentences made from the annotated ones come from :mod:`parsers.span.lessons` besides.
"""

from __future__ import annotations

import argparse
import csv
import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from training.corpora import fortunes, from_examples, read_examples, split, swords
from usim.text.files import written_whole


def _sws(path: Path) -> Iterator[str]:
    for item in json.loads(path.read_text(encoding="utf-8")).values():
        yield item["sentence"]


def _prolex(path: Path) -> Iterator[str]:
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield row["tagged_sentences"].replace("**", "")


_READERS = {"swords": swords, "sws": _sws, "prolex": _prolex}


def novels(folder: Path) -> Iterator[str]:
    """Yield the paragraphs of Jane Austen's novels, from the data of the R package ``janeaustenr`` in a folder.

    The file is a row of texts, each behind its length and packed by zlib, in R's own format for vectors of strings.

    Raises:
        SystemExit: there is no such file, or something else is in it.
    """
    path = folder / "Rdata.rdb"
    if not path.is_file():
        raise SystemExit(f"{folder}: no Rdata.rdb")
    packed = path.read_bytes()
    while packed:
        unpacking = zlib.decompressobj()
        yield from _paragraphs(_strings(unpacking.decompress(packed[4:]), path))
        packed = unpacking.unused_data


def _strings(data: bytes, path: Path) -> Iterator[str]:
    """Yield the strings of a vector that R has written (``serialize``, version 3)."""
    header = struct.Struct(">2s4i")
    kind, version, *_, encoding = header.unpack_from(data)
    at = header.size + encoding
    flags, count = struct.unpack_from(">2i", data, at)
    if (kind, version, flags & 0xFF) != (b"X\n", 3, 16):
        raise SystemExit(f"{path}: not a vector of strings as R writes it")
    at += 8
    for _ in range(count):
        _, length = struct.unpack_from(">2i", data, at)
        at += 8
        yield data[at : at + length].decode("utf-8")
        at += length


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to paragraphs; headings, which are short or in capitals, are left out."""
    for is_text, group in groupby(lines, key=lambda line: bool(line.strip())):
        text = " ".join(" ".join(group).replace("_", "").split()) if is_text else ""
        if text and not text.isupper() and text[-1] in ".!?\"'":
            yield text.replace("--", " -- ")


def main(argv: Sequence[str] | None = None) -> None:
    """Collect sentences into a file."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's database files: its examples")
    p.add_argument("--fortunes", type=Path, metavar="DIR", help="folder of Debian's fortunes")
    p.add_argument("--pairs", nargs="*", default=[], metavar="NAME=FILE", help=f"published sets: {', '.join(_READERS)}")
    p.add_argument("--novels", type=Path, metavar="DIR", help="folder data/ of the R package janeaustenr")
    p.add_argument(
        "--shortest", type=int, default=8, help="tokens that a sentence has, at least (default: %(default)s)"
    )
    p.add_argument("--out", type=Path, required=True, metavar="FILE")
    args = p.parse_args(argv)
    sources: list[Iterable[str]] = []
    for given in args.pairs:
        name, _, path = given.partition("=")
        if name not in _READERS or not path:
            raise SystemExit(f"--pairs {given}: NAME=FILE, with a name of {', '.join(_READERS)}")
        sources.append(_READERS[name](Path(path)))
    if args.wordnet:
        sources.append(sentence.text for sentence in from_examples(read_examples(args.wordnet)))
    if args.fortunes:
        sources.append(fortunes(args.fortunes))
    if args.novels:
        sources.append(novels(args.novels))
    sentences = (sentence for texts in sources for text in texts for sentence in split(" ".join(text.split())))
    distinct = dict.fromkeys(sentence.text for sentence in sentences if len(sentence) >= args.shortest)
    with written_whole(args.out) as file:
        file.writelines(f"{text}\n" for text in distinct)
    print(f"{len(distinct)} sentences")


if __name__ == "__main__":
    main()
