"""Who does it: an actor that a passive leaves out, or an active puts in, is a finding; one of no account is none."""

from __future__ import annotations

import pytest

from tests.tables import cases
from usim.evidence import SentenceView, build_ledger, ledger_reasons
from usim.measures import align_graphs
from usim.parsing import load

pytestmark = pytest.mark.model

PAIRS = cases(__file__, "actors.tsv")


@pytest.fixture(scope="module")
def views() -> dict[str, SentenceView]:
    texts = list(dict.fromkeys(text for source, output, _ in PAIRS for text in (source, output)))
    return {text: SentenceView(graph, None, text) for text, graph in zip(texts, load("en").parse(texts), strict=True)}


@pytest.mark.parametrize(("source", "output", "actor"), PAIRS)
def test_an_actor_who_is_lost_or_new_is_found_both_ways(
    source: str, output: str, actor: str, views: dict[str, SentenceView]
) -> None:
    for old, new in ((source, output), (output, source)):
        a, b = views[old], views[new]
        ledger = build_ledger(a, b, align_graphs(a.graph, b.graph).pairs, [])
        found = [entry for entry in ledger.findings if entry.kind == "actor"]
        assert [entry.old or entry.new for entry in found] == ([actor] if actor else [])
        assert {entry.status for entry in found} <= {"lost", "added"}
        change = "gone" if found and found[0].status == "lost" else "new"
        assert all(reason.text == f"Who does it changed: “{actor}” is {change}" for reason in ledger_reasons(found))
        # A summary may leave the actor out, an explanation may name him.
        allowed = "shorten" if change == "gone" else "expand"
        assert not [entry for entry in ledger.against(allowed) if entry.kind == "actor"]
