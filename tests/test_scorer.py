"""From text to score, from Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import usim
from usim.compare import Analysis
from usim.judge import Judgement, Thresholds, UsimJudge
from usim.judge.trained import SHIPPED, load_encoder
from usim.measures import DEFAULT, PAPER, REFERENCE, Preset, usim_score
from usim.parsing import load
from usim.scorer import Scorer
from usim.text import is_punct, tokenise
from usim.ucca import Edge, Graph, Terminal, Unit


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


def scorer_of(parser: Flat | None = None, **options: Any) -> Scorer:
    """With USim as the judge, which needs nothing but graphs."""
    return Scorer(parser or Flat(), **{"judge": "usim", **options})


def test_results_come_in_the_order_of_the_pairs() -> None:
    scorer = scorer_of()
    pairs = [(f"a b {i}", f"a b c {i}") for i in range(7)]
    assert [(r.source, r.output) for r in scorer.score_pairs(pairs, batch=3)] == pairs


def test_pairs_are_taken_as_they_come() -> None:
    """A stream without end is no reason to wait."""

    def endless() -> object:
        while True:
            yield "one", "two"

    results = scorer_of().score_pairs(endless(), batch=2)  # type: ignore[arg-type]
    assert [next(results).source for _ in range(5)] == ["one"] * 5


def test_a_distinct_sentence_is_parsed_once_a_batch() -> None:
    parser = Flat()
    list(scorer_of(parser).score_pairs([("a b", "a b"), ("a b", "a c"), ("a c", "a d")]))
    assert parser.asked == ["a b", "a c", "a d"]


def test_tokens_are_taken_as_they_stand() -> None:
    result = scorer_of().score(["e-mail", "me"], ("e-mail", "him"))
    assert result.source == "e-mail me"
    assert result.source_graph.tokens == ("e-mail", "me")


def test_identical_sentences_score_one_and_different_ones_less() -> None:
    scorer = scorer_of()
    assert scorer.score("a b c", "a b c").score == 1.0
    assert scorer.score("a b c", "a b").usim.s2r.recall < 1.0
    assert scorer.score("a b c", "a b").usim.s2r.precision == 1.0


def test_graphs_can_be_given() -> None:
    graph = Flat().parse(["John left ."])[0]
    result = scorer_of().score_graphs(graph, graph)
    assert (result.source, result.score) == ("John left .", 1.0)


def test_signatures_tell_parsers_and_presets_apart() -> None:
    signatures = [scorer_of(preset=preset).signature for preset in (DEFAULT, PAPER, REFERENCE)]
    assert len(set(signatures)) == 3
    for signature in signatures:
        assert signature.startswith("usim|parser:flat|leaf:")
        assert signature.endswith(f"|v:{usim.__version__}")


def test_results_as_json_values() -> None:
    record = scorer_of().score("a b", "a").to_dict()
    assert list(record) == ["source", "output", "score", "faithfulness", "verdict", "reasons", "usim"]
    assert set(record["usim"]) == {"s2r", "r2s"}
    assert set(record["usim"]["s2r"]) == {"recall", "precision", "f"}


class Reader(UsimJudge):
    """A judge that cannot do without vectors; it finds all the same faithful that has as many tokens."""

    name = "reader"
    encoder = load_encoder(SHIPPED / "judge")

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        found = []
        for (source, target), judgement in zip(pairs, super().judge(pairs), strict=True):
            assert source.vectors is not None
            assert target.vectors is not None
            assert len(source.vectors) == len(source.tokens)
            faithfulness = float(len(source.vectors) == len(target.vectors))
            found.append(replace(judgement, faithfulness=faithfulness, verdict=self.thresholds.verdict(faithfulness)))
        return found


def test_the_judge_says_what_to_do() -> None:
    result = scorer_of().score("a b c d", "a b c")
    assert result.judgement.faithfulness == result.score < 1
    assert result.judgement.verdict == "review"
    assert [reason.text for reason in result.judgement.reasons] == ["lost: d"]
    assert result.to_dict()["reasons"] == [reason.to_dict() for reason in result.judgement.reasons]


def test_usim_as_the_judge_reads_graphs_by_the_preset() -> None:
    a, b = "The old man and the sea.", "The man at the old sea."
    for preset in (DEFAULT, PAPER, REFERENCE):
        result = scorer_of(preset=preset).score(a, b)
        assert result.usim.preset == preset
        assert result.judgement.faithfulness == result.score


@pytest.mark.parametrize("preset", [DEFAULT, PAPER])
def test_another_judge_leaves_usim_alone(preset: Preset) -> None:
    graphs = load().parse(["He saw a dog.", "He saw the old dog."])
    mine = Scorer("en", judge=Reader(), preset=preset).score_graphs(*graphs)
    assert mine.usim.to_dict() == usim_score(*graphs, preset).to_dict()
    assert mine.judgement.faithfulness == 0


def test_vectors_come_beside_any_parser_and_with_graphs() -> None:
    scorer = scorer_of(judge=Reader())
    assert scorer.score("He saw a dog .", "He saw the dog .").judgement.verdict == "keep"
    graphs = Flat().parse(["He saw a dog .", "He saw dogs ."])
    assert scorer.score_graphs(*graphs).judgement.verdict == "drop"


def test_thresholds_decide_about_verdicts() -> None:
    pair = "a b c d", "a b c"
    verdicts = [
        scorer_of(judge=judge, thresholds=Thresholds(*limits)).score(*pair).judgement.verdict
        for judge in ("usim", UsimJudge())
        for limits in ((0.8, 0.2), (1.0, 0.2), (1.0, 0.9))
    ]
    assert verdicts == ["keep", "review", "drop"] * 2
    scorer = scorer_of(thresholds=Thresholds(0.8, 0.2))
    assert scorer.judge.thresholds == Thresholds(0.8, 0.2)
    assert "|judge:usim|keep:0.8|drop:0.2|" in scorer.signature


def test_an_unknown_judge() -> None:
    with pytest.raises(ValueError, match="no such judge: 'solomon'"):
        scorer_of(judge="solomon")


def test_the_source_of_the_last_pair_is_not_parsed_again() -> None:
    parser = Flat()
    scorer = scorer_of(parser)
    for output in ("a", "b", "a b"):
        scorer.score("a b", output)
    assert parser.asked == ["a b", "a", "b"]


def test_the_short_way_loads_the_parser_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import usim.options

    made = []
    monkeypatch.setattr(usim.options, "load", lambda *_, **__: made.append(Flat()) or made[-1])
    usim._scorer.cache_clear()
    try:
        assert usim.score("a b", "a b").score == 1.0
        assert usim.parse("a b").tokens == ("a", "b")
        assert len(made) == 1
    finally:
        usim._scorer.cache_clear()
