"""Collect sentences without annotation for a teacher to parse (``parsers.span.lessons``), one a line.

::

    python -m training.texts --wordnet DIR --fortunes DIR --novels DIR --pairs swords=FILE … --out FILE
    python -m training.texts --jfleg DIR --m2 FILE --wordnet DIR --pairs tmu=FILE csmd=FILE swords=FILE … --out FILE

The first command reads nothing whose terms forbid any use: the examples of WordNet (its own licence), the contexts of
SWORDS (CC BY 3.0), Smart Word Suggestions (MIT) and ProLex (Apache-2.0), the sayings and bits of prose in ``fortunes``,
a collection that Debian gives out as free software (BSD; single sayings are quotations), and Jane Austen's novels (in
the public domain), which Debian has for R users. No root is needed to get the last two::

    apt-get download fortunes fortunes-min r-cran-janeaustenr && for f in *.deb; do dpkg -x $f texts; done

(then ``--fortunes texts/usr/share/games/fortunes --novels texts/usr/lib/R/site-library/janeaustenr/data``). JFLEG and
W&I+LOCNESS are for research that earns nothing, and TMU-GFM and CSMD state no terms.
Sentences made from the annotated ones come from :mod:`parsers.span.recombine` besides.

Of JFLEG and the M2 file only the half is read from which the judge may learn, too (:func:`training.corpora.is_ours`);
the other half is kept for measuring.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from training.corpora import Corrected, corrected_m2, from_examples, jfleg, read_examples
from usim.text import sentence_ends, tokenise, written_whole

#: Lengths of sentences that are used, in tokens.
_SHORTEST, _LONGEST = 4, 60
#: How long the lines of running text are on average, at least, in characters.
_FULL = 55


def _swords(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for context in json.load(file)["contexts"].values():
            yield context["context"]


def _sws(path: Path) -> Iterator[str]:
    for item in json.loads(path.read_text(encoding="utf-8")).values():
        yield item["sentence"]


def _prolex(path: Path) -> Iterator[str]:
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield row["tagged_sentences"].replace("**", "")


def _tmu(path: Path) -> Iterator[str]:
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield from (row["source"], row["output"])


def _csmd(path: Path) -> Iterator[str]:
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield from (row["original"], row["simplification"])


def fortunes(folder: Path) -> Iterator[str]:
    """Yield the sayings in the files of a folder, which stand between lines with nothing but a percent sign.

    Dialogues and verses, where lines are no running text, are left out, and so is who said it: what follows a dash.
    """
    for path in sorted(folder.iterdir()):
        if path.suffix or not path.is_file() or path.is_symlink():
            continue  # an index, or the same file under another name
        for saying in path.read_text(encoding="utf-8", errors="replace").split("\n%"):
            lines = [line.expandtabs().rstrip() for line in saying.strip("%\n").split("\n")]
            end = next((k for k, line in enumerate(lines) if line.lstrip().startswith(("-- ", "― "))), len(lines))
            text = lines[:end]
            # Running text fills its lines: all but the last of a paragraph are long.
            if len(text) > 1 and sum(len(line) for line in text[:-1]) < _FULL * (len(text) - 1):
                continue
            yield " ".join(" ".join(text).split())


_READERS = {"swords": _swords, "sws": _sws, "prolex": _prolex, "tmu": _tmu, "csmd": _csmd}


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


def _of_learners(items: Iterator[Corrected]) -> Iterator[str]:
    for item in items:
        yield item.source
        yield from item.references[:1]


def sentences(text: str, shortest: int = _SHORTEST) -> Iterator[str]:
    """Yield the sentences of a text that have a usable length: ``shortest`` tokens or more, and not very many."""
    tokens = tokenise(text)
    begin = 0
    for end in sentence_ends([t.text for t in tokens]):
        if shortest <= end - begin <= _LONGEST:
            yield " ".join(text[tokens[begin].start : tokens[end - 1].end].split())
        begin = end


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jfleg", type=Path, metavar="DIR")
    p.add_argument("--m2", type=Path, metavar="FILE")
    p.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's database files: its examples")
    p.add_argument("--fortunes", type=Path, metavar="DIR", help="folder of Debian's fortunes")
    p.add_argument("--pairs", nargs="*", default=[], metavar="NAME=FILE", help=f"published sets: {', '.join(_READERS)}")
    p.add_argument("--novels", type=Path, metavar="DIR", help="folder data/ of the R package janeaustenr")
    p.add_argument("--shortest", type=int, default=_SHORTEST, help="tokens that a sentence has, at least")
    p.add_argument("--most", type=int, metavar="N", help="so many sentences of each source, by chance; else all")
    p.add_argument("--seed", type=int, default=1, help="of this choice")
    p.add_argument("--out", type=Path, required=True, metavar="FILE")
    args = p.parse_args(argv)
    sources: list[Iterable[str]] = []
    for given in args.pairs:
        name, _, path = given.partition("=")
        if name not in _READERS or not path:
            raise SystemExit(f"--pairs {given}: NAME=FILE, with a name of {', '.join(_READERS)}")
        sources.append(_READERS[name](Path(path)))
    if args.jfleg:
        sources.append(_of_learners(jfleg(args.jfleg)))
    if args.m2:
        sources.append(_of_learners(corrected_m2(args.m2)))
    if args.wordnet:
        sources.append(example.text for example in from_examples(read_examples(args.wordnet)))
    if args.fortunes:
        sources.append(fortunes(args.fortunes))
    if args.novels:
        sources.append(novels(args.novels))
    rng = random.Random(args.seed)
    distinct: dict[str, None] = {}
    for texts in sources:
        found = list(dict.fromkeys(s for text in texts for s in sentences(text, args.shortest)))
        kept = found if args.most is None else rng.sample(found, min(args.most, len(found)))
        distinct.update(dict.fromkeys(kept))
    with written_whole(args.out) as file:
        file.writelines(f"{text}\n" for text in distinct)
    print(f"{len(distinct)} sentences")


if __name__ == "__main__":
    main()
