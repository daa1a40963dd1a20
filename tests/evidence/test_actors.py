"""Who does it: an actor that a passive leaves out, or an active puts in, is a finding; one of no account is none."""

from __future__ import annotations

import pytest

from tests.tables import cases
from usim.evidence import Analysis, compare, gather
from usim.parsing import load

pytestmark = pytest.mark.model

PAIRS = cases(__file__, "actors.tsv")


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    texts = list(dict.fromkeys(text for source, output, _ in PAIRS for text in (source, output)))
    return {text: Analysis(graph, None, text) for text, graph in zip(texts, load("en").parse(texts), strict=True)}


@pytest.mark.parametrize(("source", "output", "actor"), PAIRS)
def test_an_actor_who_is_lost_or_new_is_found_both_ways(
    source: str, output: str, actor: str, analyses: dict[str, Analysis]
) -> None:
    both = analyses[source], analyses[output]
    found = []
    for a, b in (both, both[::-1]):
        findings = gather(a, b, compare(a, b), ()).findings
        found.append([one for one in findings if one.is_certain and one.text.startswith("Who does it changed")])
    assert [len(one_way) for one_way in found] == [bool(actor)] * 2
    # A summary may leave him out, an explanation may name him.
    assert {one.allowed_by for one_way in found for one in one_way} == ({"shorten", "expand"} if actor else set())
    texts = {one.text for one_way in found for one in one_way}
    assert texts == ({f"Who does it changed: “{actor}” is {what}" for what in ("gone", "new")} if actor else set())


@pytest.mark.parametrize(
    ("source", "output", "is_turned"),
    [
        ("The tenant notifies the landlord.", "The tenant is notified by the landlord.", True),
        ("The tenant reports damage to the landlord.", "Damage is reported to the tenant by the landlord.", True),
        ("The tenant reports damage to the landlord.", "Damage is reported to the landlord by the tenant.", False),
        ("John finished the work by Friday.", "The work was finished for John by Friday.", False),
        ("Hakim admires his sister.", "Hakim's sister is admired by him.", False),
        ("The firm finished the bridge by the river.", "The bridge was finished by the river.", False),
    ],
)
def test_another_one_who_does_it_is_certain(source: str, output: str, *, is_turned: bool) -> None:
    both = [Analysis(graph, None, text) for text in (source, output) for graph in load("en").parse([text])]
    for a, b in (both, both[::-1]):
        found = [one for one in gather(a, b, compare(a, b), ()).findings if one.kind == "roles-swapped"]
        assert any(one.is_certain for one in found) == is_turned
