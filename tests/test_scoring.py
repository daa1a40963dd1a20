"""From text to score, from Python."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import usim
from usim.graph import Edge, Graph, Terminal, Unit
from usim.measures import DEFAULT, PAPER, REFERENCE
from usim.scoring import Scorer
from usim.tokenise import is_punct, tokenise


class Flat:
    """A parser that makes each word a participant of one scene, and remembers what it was asked."""

    name = "flat"

    def __init__(self) -> None:
        self.asked: list[str | Sequence[str]] = []

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        self.asked += sentences
        graphs = []
        for k, sentence in enumerate(sentences):
            words = [t.text for t in tokenise(sentence)] if isinstance(sentence, str) else sentence
            graphs.append(
                Graph(
                    [Terminal(w, is_punct(w)) for w in words],
                    [Unit(), *(Unit((i,), is_punct=is_punct(w)) for i, w in enumerate(words))],
                    [Edge(0, i + 1, ("U" if is_punct(w) else "A",)) for i, w in enumerate(words)],
                    id=ids[k] if ids else "",
                )
            )
        return graphs


def test_results_come_in_the_order_of_the_pairs() -> None:
    scorer = Scorer(Flat())
    pairs = [(f"a b {i}", f"a b c {i}") for i in range(7)]
    assert [(r.source, r.output) for r in scorer.score_pairs(pairs, batch=3)] == pairs


def test_pairs_are_taken_as_they_come() -> None:
    """A stream without end is no reason to wait."""

    def endless() -> object:
        while True:
            yield "one", "two"

    results = Scorer(Flat()).score_pairs(endless(), batch=2)  # type: ignore[arg-type]
    assert [next(results).source for _ in range(5)] == ["one"] * 5


def test_a_distinct_sentence_is_parsed_once_a_batch() -> None:
    parser = Flat()
    list(Scorer(parser).score_pairs([("a b", "a b"), ("a b", "a c"), ("a c", "a d")]))
    assert parser.asked == ["a b", "a c", "a d"]


def test_tokens_are_taken_as_they_stand() -> None:
    result = Scorer(Flat()).score(["e-mail", "me"], ("e-mail", "him"))
    assert result.source == "e-mail me"
    assert result.source_graph.tokens == ("e-mail", "me")


def test_identical_sentences_score_one_and_different_ones_less() -> None:
    scorer = Scorer(Flat())
    assert scorer.score("a b c", "a b c").score == 1.0
    assert scorer.score("a b c", "a b").usim.s2r.recall < 1.0
    assert scorer.score("a b c", "a b").usim.s2r.precision == 1.0


def test_graphs_can_be_given() -> None:
    graph = Flat().parse(["John left ."])[0]
    result = Scorer(Flat()).score_graphs(graph, graph)
    assert (result.source, result.score) == ("John left .", 1.0)


def test_signatures_tell_parsers_and_presets_apart() -> None:
    signatures = [Scorer(Flat(), preset=preset).signature for preset in (DEFAULT, PAPER, REFERENCE)]
    assert len(set(signatures)) == 3
    for signature in signatures:
        assert signature.startswith("usim|parser:flat|leaf:")
        assert signature.endswith(f"|v:{usim.__version__}")


def test_results_as_json_values() -> None:
    record = Scorer(Flat()).score("a b", "a").as_dict()
    assert set(record) == {"source", "output", "score", "usim"}
    assert set(record["usim"]) == {"s2r", "r2s"}
    assert set(record["usim"]["s2r"]) == {"recall", "precision", "f"}


def test_the_short_way_loads_the_parser_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import usim.scoring

    made = []
    monkeypatch.setattr(usim.scoring, "load", lambda *_, **__: made.append(Flat()) or made[-1])
    usim._scorer.cache_clear()
    try:
        assert usim.score("a b", "a b").score == 1.0
        assert usim.parse("a b").tokens == ("a", "b")
        assert len(made) == 1
    finally:
        usim._scorer.cache_clear()
