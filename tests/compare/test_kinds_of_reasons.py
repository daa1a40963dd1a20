"""Reasons for units, times, places, degrees, claims, particles, addresses, emoji and converses, and what is none of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from usim.compare import Analysis, compare, find_reasons
from usim.parsing import load

pytestmark = pytest.mark.model

Kinds = Callable[[str, str], dict[str, float]]


@pytest.fixture(scope="module")
def kinds() -> Kinds:
    """Kinds of the reasons for a pair, with the weight of the gravest of each."""
    parser = load("en")

    def find(source: str, target: str) -> dict[str, float]:
        one, two = (
            Analysis(graph, None, text)
            for graph, text in zip(parser.parse([source, target]), (source, target), strict=True)
        )
        found: dict[str, float] = {}
        for reason in find_reasons(compare(one, two)):
            assert reason.text
            found[reason.kind] = max(found.get(reason.kind, 0.0), reason.weight)
        return found

    return find


@pytest.mark.parametrize(
    ("kind", "source", "target"),
    [
        ("unit", "It costs $5.", "It costs €5."),
        ("unit", "The file has 5 MB.", "The file has 5 GB."),
        ("unit", "He ran 5km.", "He ran 5 miles."),
        ("unit", "It was 20 °C.", "It was 20 °F."),
        ("unit", "It took half an hour.", "It took half a minute."),
        ("number", "It was -5 degrees outside.", "It was 5 degrees outside."),
        ("number", "The score was 1.5.", "The score was 15."),
        ("time", "We leave at 3 pm.", "We leave at 3 am."),
        ("time", "They came in May.", "They came in June."),
        ("time", "He works here daily.", "He works here weekly."),
        ("time", "We met at noon.", "We met at midnight."),
        ("quantifier", "A few people came.", "Few people came."),
        ("quantifier", "He has a little money.", "He has little money."),
        ("relation", "The book was written by Anna.", "The book was written for Anna."),
        ("relation", "The cat slept under the table.", "The cat slept beside the table."),
        ("comparison", "He is the oldest.", "He is the older."),
        ("comparison", "He is older than Tom.", "He is as old as Tom."),
        ("time", "At six in the morning we left.", "At six in the evening we left."),
        ("claim", "He tried to open the door.", "He opened the door."),
        ("claim", "She knew that he was ill.", "She thought that he was ill."),
        ("claim", "He would have come.", "He came."),
        ("particle", "He gave up.", "He gave in."),
        ("address", "Write to a@b.com.", "Write to a@c.com."),
        ("emoji", "Great food 😀", "Great food 😡"),
        ("roles-swapped", "Mary bought the house from Tom.", "Mary sold the house to Tom."),
        ("roles-swapped", "The boy that the girl kissed laughed.", "The boy that kissed the girl laughed."),
        ("roles-swapped", "I know the man who helped Anna.", "I know the man whom Anna helped."),
        ("roles-swapped", "Tom lent Anna the book.", "Tom borrowed the book from Anna."),
    ],
)
def test_a_reason(kinds: Kinds, kind: str, source: str, target: str) -> None:
    assert kinds(source, target).get(kind, 0.0) >= 0.4
    assert kinds(target, source).get(kind, 0.0) >= 0.4


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("It costs $5.", "It costs five dollars."),
        ("He ran 5km.", "He ran 5 km."),
        ("The town is 5 km away.", "The town is 3.1 miles away."),
        ("It lasted 90 minutes.", "It lasted an hour and a half."),
        ("It was 20 °C.", "It was 68 °F."),
        ("At 3 in the afternoon we left.", "At 3 pm we left."),
        ("They met on Monday.", "They met on Mon."),
        ("The party is on 3 May.", "The party is on May 3rd."),
        ("He works here daily.", "He works here every day."),
        ("See www.x.org.", "See http://www.x.org/."),
        ("There was a little water.", "There was some water."),
        ("I dunno.", "I do not know."),
        ("The lorry stopped.", "The truck stopped."),
        ("Bring fruit, e.g. apples.", "Bring fruit, for example apples."),
        ("She comes in the fall.", "She comes in autumn."),
        ("He kicked the bucket.", "He died."),
        ("Mary bought the house from Tom.", "Tom sold the house to Mary."),
        ("She bought a car from him.", "He sold her a car."),
        ("Tom lent Anna the book.", "Anna borrowed the book from Tom."),
        ("The oven was sold to the cook by Tom.", "The cook bought the oven from Tom."),
        ("Please fill in the form.", "Please fill out the form."),
        ("We met at 1 pm.", "We met at one o'clock in the afternoon."),
        ("He had little hope.", "He had almost no hope."),
        ("The town is close to the station.", "The town is not far from the station."),
        ("I know the man that Anna helped.", "I know the man who Anna helped."),
        ("When it rains, we stay inside.", "We stay inside when it rains."),
    ],
)
def test_no_reason(kinds: Kinds, source: str, target: str) -> None:
    assert not {kind for kind, weight in kinds(source, target).items() if weight >= 0.3}
    assert not {kind for kind, weight in kinds(target, source).items() if weight >= 0.3}


def test_a_month_is_no_modal_and_a_verb_no_connective(kinds: Kinds) -> None:
    assert "modality" not in kinds("He arrived in May.", "He arrived in summer.")
    assert "connective" not in kinds("They like music.", "They enjoy music.")
    assert "modality" in kinds("He may arrive.", "He must arrive.")
