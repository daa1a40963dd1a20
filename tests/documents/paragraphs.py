"""Paragraphs in which one fact is changed among faithfully reworded sentences, and the same ones without the change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

#: Sentences with a faithful rewording each.
FAITHFUL = [
    ("We met at the station early in the morning.", "Early in the morning we met at the station."),
    ("The train was late, so we had coffee.", "Because the train was late, we had coffee."),
    ("Everybody was tired after the long trip.", "After the long trip, everyone was tired."),
    ("In the afternoon it rained for an hour.", "It rained for an hour in the afternoon."),
    ("We bought some fruit at the market.", "At the market we bought some fruit."),
    ("Our hotel stood near the old harbour.", "The hotel where we stayed stood near the old harbour."),
    ("Maria wrote two letters before dinner.", "Before dinner, Maria wrote two letters."),
    ("The soup was too hot to eat.", "The soup was so hot that one could not eat it."),
    ("A man sold us a map of the town.", "We were sold a map of the town by a man."),
    ("Later we walked along the river.", "Afterwards we walked along the river."),
]


class Change(NamedTuple):
    """A sentence with a wrong version of it; one of both is empty where it was dropped or made up."""

    name: str
    before: str
    after: str
    #: A faithful version.
    faithful: str


CHANGES = [
    Change("number", "We paid 20 euros for the tickets.", "We paid 25 euros for the tickets.",
           "For the tickets we paid 20 euros."),
    Change("negation", "The museum was not open on Monday.", "The museum was open on Monday.",
           "On Monday the museum was not open."),
    Change("roles", "Peter paid for Anna.", "Anna paid for Peter.", "It was Peter who paid for Anna."),
    Change("condition", "We will go to the lake if Tom comes.", "We will go to the lake.",
           "If Tom comes, we will go to the lake."),
    Change("dropped", "The keys are with the caretaker.", "", "The caretaker has the keys."),
    Change("made up", "", "The dog bit the postman.", ""),
]  # fmt: skip


class Paragraph(NamedTuple):
    """Two versions of a paragraph: ``after`` has the change, ``faithful`` has not."""

    name: str
    before: str
    after: str
    faithful: str


def paragraphs() -> Iterator[Paragraph]:
    """Yield each change alone (a sentence that is dropped or made up with one more), among 5, and among 11 sentences.

    Among eleven it stands in the middle and at the end.
    """
    for change in CHANGES:
        least = int(not (change.before and change.after))
        for count, place in ((least, least), (4, 2), (10, 5), (10, 10)):
            around = FAITHFUL[:count]
            sides = [
                " ".join(filter(None, [*side[:place], own, *side[place:]]))
                for side, own in (
                    ([a for a, _ in around], change.before),
                    ([b for _, b in around], change.after),
                    ([b for _, b in around], change.faithful),
                )
            ]
            yield Paragraph(f"{change.name}, among {count + 1}, place {place + 1}", *sides)


PARAGRAPHS = list(paragraphs())
