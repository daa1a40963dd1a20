"""Tables of words, which stand as TSV beside the modules that read them.

A line has the name of a table, the name of a class in it, and the words of the class: see ``closed_classes.tsv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def read_tables(name: str) -> dict[str, dict[str, str]]:
    """Return the words of each class of each table of a file in this folder."""
    tables: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            table, kind, words = line.split("\t")
            tables.setdefault(table, {})[kind] = words
    return tables


def classes_of(table: Mapping[str, str]) -> dict[str, str]:
    """Return the class of each word of a table."""
    return {word: kind for kind, words in table.items() for word in words.split()}


def word_sets(name: str) -> dict[str, frozenset[str]]:
    """Return the words of each class of the table ``words`` of a file."""
    return {kind: frozenset(words.split()) for kind, words in read_tables(name)["words"].items()}


#: Words that the rules of writing name: articles, case, clitics, forms of words.
WRITING = word_sets("writing.tsv")
#: Words that the rules of the comparison name (:mod:`usim.evidence`).
COMPARING = word_sets("comparing.tsv")
