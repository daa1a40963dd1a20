"""What a word may be about, as far as its form shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from usim.lexicon.tables import classes_of, read_tables, word_sets
from usim.lexicon.units import COMMON_UNITS
from usim.lexicon.wordnet import verb_lemmas

#: Topics; how many changed words are about each is a feature of a comparison.
TOPICS = ("unit", "clock", "calendar", "place", "stance", "few", "address", "emoji", "sign", "digits")

_TABLES = read_tables("topics.tsv")
_WORDS = word_sets("topics.tsv")
#: Days, months, seasons, parts of the day, and how often: the class and the entry of each form.
CALENDAR_CLASSES: Mapping[str, tuple[str, str]] = {  # forms joined by "=" are one entry
    form: (kind, entry.split("=")[0])
    for kind, entries in _TABLES["calendar"].items()
    for entry in entries.split()
    for form in entry.split("=")
}
#: The days of the week and the months, in order, in lower case.
WEEKDAYS, MONTHS = (
    tuple(entry.split("=")[0] for entry in _TABLES["calendar"][kind].split()) for kind in ("weekday", "month")
)
#: Forms that are mostly something else; they count as dates only beside a number or behind a preposition.
DATES_ONLY = _WORDS["dates only"]
#: Words that make another verb of one: *give up*.
PARTICLES = _WORDS["particles"]

#: Where something is, by class: forms of a class mean nearly the same.
PLACES: Mapping[str, str] = classes_of(_TABLES["place"])
#: Verbs that say how far a statement is true (*claim*, *know*), by class.
STANCES: Mapping[str, str] = classes_of(_TABLES["stance"])
#: For a verb those that tell the same event from the other side: *buy*, *sell*; for a word of a place, an order or a
#: relation those that say the same from the other side: *above*, *below*.
CONVERSES: dict[str, set[str]] = {}
CONVERSE_PLACES: dict[str, set[str]] = {}
for _kind, _found in (("", CONVERSES), ("place", CONVERSE_PLACES)):
    for _pair in _TABLES["converse"][_kind].split(","):
        for _word in _pair.split():
            _found.setdefault(_word, set()).update(set(_pair.split()) - {_word})
_WEB = re.compile(
    r"(?:https?://|www\.)\S+|[^\s@]+@[^\s@]+\.\w+|[@#]\w[\w-]*|\w[\w.-]*\.(?:com|org|net|edu|gov|co\.uk)(?:/\S*)?"
)
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff\u2b50\u2764]|[:;=8][-o']?[)(\\]\\[DPpO/\\\\|]$")
_FEELINGS: Mapping[str, str] = classes_of(_TABLES["feeling"])


def is_address(form: str) -> bool:
    """Return whether a form is an e-mail address, a page of the web, a handle or a tag."""
    return bool(_WEB.fullmatch(form))


def feeling(form: str) -> str:
    """Return the feeling that emoji of one kind or an emoticon show: ``glad``, ``sad``, ``angry``; empty for others."""
    return _FEELINGS.get(form) or _FEELINGS.get(form[:1] if len(set(form)) == 1 else "", "")


@lru_cache(20000)
def topics(form: str) -> frozenset[str]:
    """Return those of :data:`TOPICS` that a form in lower case may be about."""
    has_digit = any(c.isdigit() for c in form)
    found = {
        "unit": form in _WORDS["scales"] or form.lstrip("0123456789.,") in COMMON_UNITS,
        "clock": form in _WORDS["clock"],
        "calendar": form in CALENDAR_CLASSES,
        "place": form in PLACES,
        "stance": stance(form),
        "few": form in _WORDS["few"],
        "address": is_address(form),
        "emoji": not form[:1].isalnum() and _EMOJI.match(form),
        "sign": form in _WORDS["signs"],
        "digits": has_digit,
    }
    return frozenset(topic for topic, is_found in found.items() if is_found)


def stance(form: str) -> str | None:
    """Return the class of a verb of stance in any of its forms, None for other words."""
    return next((STANCES[lemma] for lemma in verb_lemmas(form) if lemma in STANCES), None)


def are_converse(form: str, other: str) -> bool:
    """Return whether two forms are of verbs that tell one event from either side.

    >>> are_converse("bought", "sells"), are_converse("bought", "walks")
    (True, False)
    """
    lemmas = verb_lemmas(other)
    return any(not CONVERSES[lemma].isdisjoint(lemmas) for lemma in verb_lemmas(form) if lemma in CONVERSES)
