"""Words that the users of a service never want to be told about, and findings that they ignore."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from usim.checkers import AnnotatedText, Match, spans
from usim.errors import InputError
from usim.text import Span
from usim.text.databases import open_table

_MARK = 0x7573776F  # "uswo": SQLite's application_id, so that no other database is taken for one of these
_MOST = 10_000  # words of a client
_LONGEST = 100  # characters
_DICTIONARIES = 100  # at once


class Words:
    """Personal dictionaries, with or without a name, and for each rule the findings to ignore, in a file."""

    def __init__(self, path: str) -> None:
        columns = "entry TEXT PRIMARY KEY, client TEXT, dictionary TEXT, rule TEXT, word TEXT"
        self._table = open_table(path, _MARK, f"words ({columns}) WITHOUT ROWID", "file of words")

    def add(self, client: str, word: str, *, dictionary: str = "", rule: str = "") -> bool:
        """Add a word to a dictionary of a client, or a finding of a rule to ignore; return whether it is new."""
        if not word or len(word) > _LONGEST or word != word.strip() or not word.isprintable():
            raise InputError(f"word must have 1 to {_LONGEST} characters, and no blank at its ends")
        if not rule and len(word.split()) > 1:
            raise InputError("a word has no blank in it; to ignore what a rule finds, name it: rule=ID")
        if max(len(dictionary), len(rule)) > _LONGEST:
            raise InputError(f"dict and rule have at most {_LONGEST} characters")
        (count,) = self._table.execute("SELECT count(*) FROM words WHERE client = ?", (client,)).fetchone()
        if count >= _MOST:
            raise InputError(f"there are {_MOST} words already: delete some")
        row = (client, dictionary, rule, word)
        added = self._table.execute("INSERT OR IGNORE INTO words VALUES (?, ?, ?, ?, ?)", (json.dumps(row), *row))
        return added.rowcount > 0

    def delete(self, client: str, word: str, *, dictionary: str = "", rule: str = "") -> bool:
        """Take a word out again; return whether it was there."""
        entry = json.dumps((client, dictionary, rule, word))
        return self._table.execute("DELETE FROM words WHERE entry = ?", (entry,)).rowcount > 0

    def of(self, client: str, dictionaries: Collection[str] = ("",)) -> list[tuple[str, str]]:
        """Return the words of some dictionaries as pairs of a rule and a word; the rule is empty for a spelling."""
        if len(dictionaries) > _DICTIONARIES:
            raise InputError(f"{len(dictionaries)} dictionaries; {_DICTIONARIES} are allowed at once")
        marks = ", ".join("?" * len(dictionaries))
        place = f"client = ? AND dictionary IN ({marks})"
        question = f"SELECT DISTINCT rule, word FROM words WHERE {place} ORDER BY word, rule"
        return self._table.execute(question, (client, *dictionaries)).fetchall()


def without(ignored: Collection[tuple[str, str]], text: AnnotatedText, matches: Sequence[Match]) -> list[Match]:
    """Return the matches of a text that nobody ignores; see :meth:`Words.of`.

    A word in small letters is known with capitals too.
    """
    if not ignored:
        return list(matches)

    def is_ignored(match: Match, place: Span | None) -> bool:
        word = "" if place is None else text.plain[slice(*place)]
        is_spelling = ((match["rule"].get("category") or {}).get("id")) == "TYPOS"
        rules = [match["rule"]["id"], *([""] if is_spelling else [])]
        return any((rule, form) in ignored for rule in rules for form in (word, word.lower()))

    places = spans(text, matches)
    return [match for match, place in zip(matches, places, strict=True) if not is_ignored(match, place)]
