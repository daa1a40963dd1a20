"""Collect sentences without annotation for the teachers to parse (``parsers.span.committee``), one a line.

::

    python -m training.texts --jfleg DIR --m2 FILE --wordnet DIR --pairs tmu=FILE csmd=FILE swords=FILE … --out FILE

Of JFLEG and the M2 file only the half is read from which the judge may learn, too (:func:`training.corpora.is_ours`);
the other half is kept for measuring.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from training.corpora import Corrected, corrected_m2, from_examples, jfleg, read_examples
from usim.text import sentence_ends, tokenise, written_whole

#: Lengths of sentences that are used, in tokens.
_SHORTEST, _LONGEST = 4, 60


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


_READERS = {"swords": _swords, "sws": _sws, "prolex": _prolex, "tmu": _tmu, "csmd": _csmd}


def _of_learners(items: Iterator[Corrected]) -> Iterator[str]:
    for item in items:
        yield item.source
        yield from item.references[:1]


def sentences(text: str) -> Iterator[str]:
    """Return the sentences of a text that have a usable length."""
    tokens = tokenise(text)
    begin = 0
    for end in sentence_ends([t.text for t in tokens]):
        if _SHORTEST <= end - begin <= _LONGEST:
            yield " ".join(text[tokens[begin].start : tokens[end - 1].end].split())
        begin = end


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jfleg", type=Path, metavar="DIR")
    p.add_argument("--m2", type=Path, metavar="FILE")
    p.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's database files: its examples")
    p.add_argument("--pairs", nargs="*", default=[], metavar="NAME=FILE", help=f"published sets: {', '.join(_READERS)}")
    p.add_argument("--out", type=Path, required=True, metavar="FILE")
    args = p.parse_args(argv)
    distinct: dict[str, None] = {}
    for given in args.pairs:
        name, _, path = given.partition("=")
        if name not in _READERS or not path:
            raise SystemExit(f"--pairs {given}: NAME=FILE, with a name of {', '.join(_READERS)}")
        for text in _READERS[name](Path(path)):
            distinct.update(dict.fromkeys(sentences(text)))
    if args.jfleg:
        distinct.update(dict.fromkeys(s for text in _of_learners(jfleg(args.jfleg)) for s in sentences(text)))
    if args.m2:
        distinct.update(dict.fromkeys(s for text in _of_learners(corrected_m2(args.m2)) for s in sentences(text)))
    if args.wordnet:
        distinct.update(dict.fromkeys(sentence.text for sentence in from_examples(read_examples(args.wordnet))))
    with written_whole(args.out) as file:
        file.writelines(f"{text}\n" for text in distinct)
    print(f"{len(distinct)} sentences")


if __name__ == "__main__":
    main()
