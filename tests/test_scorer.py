"""From text to score, from Python."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import escape
from itertools import count, islice
from typing import Any

import pytest

import usim
from tests.support.flat import Flat, scorer_of
from usim.errors import InputError, ParsingError
from usim.evidence import Analysis, Finding
from usim.judge import Thresholds, UsimJudge
from usim.judge.trained import SHIPPED, load_encoder
from usim.measures import DEFAULT, PAPER, REFERENCE, Preset, usim_score
from usim.parsing import load
from usim.registry import MODELS
from usim.scorer import Scorer
from usim.text.codec import values_of
from usim.verdicts import Opinion


def test_pairs_are_taken_as_they_come_and_results_are_in_their_order() -> None:
    """A stream without end is no reason to wait."""
    results = scorer_of().score_pairs(((f"a b {i}", f"a b c {i}") for i in count()), batch=3)
    assert [(r.source, r.output) for r in islice(results, 7)] == [(f"a b {i}", f"a b c {i}") for i in range(7)]


def test_a_distinct_sentence_is_parsed_once_a_batch_and_the_last_source_not_again() -> None:
    parser = Flat()
    scorer = scorer_of(parser)
    list(scorer.score_pairs([("a b", "a b"), ("a b", "a c"), ("a c", "a d")]))
    assert parser.asked == ["a b", "a c", "a d"]
    for output in ("a", "b"):
        scorer.score("a c", output)
    assert parser.asked[3:] == ["a", "b"]


def test_tokens_are_taken_as_they_stand() -> None:
    result = scorer_of().score(["e-mail", "me"], ("e-mail", "him"))
    assert result.source == "e-mail me"
    assert result.source_graph.tokens == ("e-mail", "me")


def test_what_is_lost_costs_recall_alone() -> None:
    lost = scorer_of().score("a b c", "a b").usim.s2r
    assert lost.recall < lost.precision == 1.0


@pytest.mark.model
@pytest.mark.parametrize("model", MODELS)
def test_a_pair_that_is_reworded_from_end_to_end_is_judged_at_any_length(model: str) -> None:
    result = Scorer(model=model).score("It is open on Monday. " * 130, "On Mondays it opens. " * 120)
    assert 0 < result.judgement.faithfulness < 1


def test_what_is_too_long_is_not_parsed() -> None:
    with pytest.raises(InputError, match="2001 tokens"):
        scorer_of().parse(["a", "b " * 2001])


def test_graphs_can_be_given() -> None:
    graph = Flat().parse(["John left ."])[0]
    result = scorer_of().score_graphs(graph, graph)
    assert (result.source, result.score) == ("John left .", 1.0)
    assert scorer_of().score(graph, graph) == result
    # Nothing was parsed, so no parser is named.
    assert "parser:" not in result.signature
    assert "parser:flat" in scorer_of().score("John left .", "John left .").signature
    with pytest.raises(InputError, match="a graph needs another graph"):
        scorer_of().score(graph, "John left.")


@pytest.mark.model
def test_threads_share_a_scorer() -> None:
    """Twelve threads with one scorer, and so one cache, get what each would get alone."""
    pairs = [(f"She have {n} cat at home.", f"She has {n + n % 2} cats.") for n in range(12)]
    alone = [(result.judgement.faithfulness, result.score) for result in map(Scorer().score, *zip(*pairs, strict=True))]
    scorer = Scorer()
    with ThreadPoolExecutor(12) as pool:
        results = list(pool.map(lambda pair: scorer.score(*pair), pairs * 2))
    assert [(result.judgement.faithfulness, result.score) for result in results] == alone * 2


def test_results_as_json_values() -> None:
    record = scorer_of().score("a b", "a").to_dict()
    assert list(record) == [
        "source", "output", "score", "faithfulness", "supported", "covered", "verdict", "cause", "decided_by", "findings",
        "ledger", "usim", "language",
    ]  # fmt: skip
    assert set(record["usim"]) == {"s2r", "r2s"}
    assert set(record["usim"]["s2r"]) == {"recall", "precision", "f"}


class Reader(UsimJudge):
    """A judge that cannot do without vectors; it finds all the same faithful that has as many tokens."""

    name = "reader"
    encoder = load_encoder(SHIPPED / "en" / "judge")

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        opinions = []
        for (source, output), opinion in zip(pairs, super().judge(pairs), strict=True):
            assert source.vectors is not None
            assert output.vectors is not None
            assert len(source.vectors) == len(source.tokens)
            faithfulness = float(len(source.vectors) == len(output.vectors))
            opinions.append(replace(opinion, same=faithfulness))
        return opinions


def test_the_judge_says_what_to_do() -> None:
    result = scorer_of().score("a b c d", "a b c")
    assert result.judgement.faithfulness == result.score < 1
    assert result.judgement.verdict == "review"
    assert [finding.text for finding in result.judgement.findings] == ["“d” is no longer mentioned"]
    assert result.to_dict()["findings"] == values_of(result.judgement.findings)


def test_usim_as_the_judge_reads_graphs_by_the_preset() -> None:
    a, b = "The old man and the sea.", "The man at the old sea."
    for preset in (DEFAULT, PAPER, REFERENCE):
        result = scorer_of(preset=preset).score(a, b)
        assert result.usim.preset == preset
        assert result.judgement.faithfulness == result.score


@pytest.mark.model
@pytest.mark.parametrize("preset", [DEFAULT, PAPER])
def test_another_judge_leaves_usim_alone(preset: Preset) -> None:
    graphs = load().parse(["He saw a dog.", "He saw the old dog."])
    mine = Scorer(parser="en", judge=Reader(), preset=preset).score_graphs(*graphs)
    assert mine.usim.to_dict() == usim_score(*graphs, preset).to_dict()
    assert mine.judgement.faithfulness == 0


@pytest.mark.model
def test_vectors_come_beside_any_parser_and_with_graphs() -> None:
    scorer = scorer_of(judge=Reader())
    assert scorer.score("He saw a dog .", "He saw the dog .").judgement.verdict == "keep"
    graphs = Flat().parse(["He saw a dog .", "He saw dogs ."])
    assert scorer.score_graphs(*graphs).judgement.verdict == "drop"


def test_thresholds_decide_about_verdicts() -> None:
    pair = "a b c d", "a b c"
    verdicts = [
        scorer_of(judge=judge, keep=limits[0], drop=limits[1]).score(*pair).judgement.verdict
        for judge in ("usim", UsimJudge())
        for limits in ((0.8, 0.2), (1.0, 0.2), (1.0, 0.9))
    ]
    assert verdicts == ["keep", "review", "drop"] * 2
    scorer = scorer_of(keep=0.8, drop=0.2)
    assert scorer.thresholds == Thresholds(0.8, 0.2)
    assert "|judge:usim|keep:0.8|drop:0.2|" in scorer.signature


@pytest.mark.model
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


# What is no sentence, and odd ones


@pytest.mark.parametrize("sentence", ["", "He left.", [], ["He", "", " ", "a b"], ("He", "left")])
def test_what_is_a_sentence(sentence: Any) -> None:
    assert scorer_of().score(sentence, sentence).score == 1.0


@pytest.mark.parametrize("sentence", [None, 1, b"He left.", {"He"}, iter("ab"), ["He", None], ["He", 1], [["He"]]])
def test_what_is_no_sentence_is_refused(sentence: Any) -> None:
    for pair in ((sentence, "a"), ("a", sentence)):
        with pytest.raises(InputError, match=r"must be a string.* of type \w+"):
            scorer_of().score(*pair)


@pytest.mark.parametrize("pair", ["ab", "abc", b"ab", None, 3, [], ["a"], ["a", "b", "c"]])
def test_what_is_no_pair_is_refused(pair: Any) -> None:
    with pytest.raises(InputError, match="a pair must be a sequence of two sentences"):
        list(scorer_of().score_pairs([pair]))


@pytest.mark.model
def test_what_is_no_sentence_is_not_parsed() -> None:
    with pytest.raises(InputError, match="a sentence must be a string or a sequence of tokens"):
        scorer_of().parse([None])  # type: ignore[list-item]
    with pytest.raises(ParsingError, match="takes a list of sentences"):
        scorer_of().parse("He left.")
    with pytest.raises(ParsingError, match="1 ids for 2"):
        scorer_of().parse(["a", "b"], ids=["x"])
    with pytest.raises(InputError, match="not of type int"):
        usim.parse(3)  # type: ignore[arg-type]


@pytest.mark.model
def test_empty_tokens_are_tokens_like_others() -> None:
    scorer = Scorer()
    result = scorer.score(["practices", "", "U3"], ["practices", "", "", "U3", "."])
    assert result.source_graph.tokens == ("practices", "", "U3")
    assert 0 <= result.judgement.faithfulness <= 1
    assert scorer.score(["", ""], ["", ""]).judgement.faithfulness == 1
    assert 0 <= scorer.score([], [""]).judgement.faithfulness <= 1


# How results look


def test_a_result_prints_in_a_line() -> None:
    result = scorer_of().score("a b c d", "a b c" + " and so on" * 10)
    assert repr(result) == (
        "<Result 'a b c d' → 'a b c and so on and so on and so on and…': "
        f"{result.judgement.verdict}, faithfulness {result.judgement.faithfulness:.3f}, USim {result.score:.3f}>"
    )
    assert repr(result.judgement).startswith(f"<Judgement {result.judgement.verdict}, faithfulness 0.")
    assert all(repr(finding) == f"<Finding {finding.kind} {finding.weight:.2f}: {finding.text}>"
               for finding in result.judgement.findings)  # fmt: skip


def test_a_result_in_a_notebook() -> None:
    result = scorer_of().score("He saw <b> dogs .", "He saw <b> cats .")
    finding = Finding("unrelated", "'cats' & others", source=(5,), output=(5,))
    judgement = replace(result.judgement, findings=(finding,))
    result = replace(result, judgement=judgement)
    html = result._repr_html_()
    assert html == result.to_svg()
    assert html.startswith("<svg ")
    assert html.count("'cats' &amp; others") == 2
    assert "<b> " not in html
    for line in (result.summary(), scorer_of().score("a <b> " * 300, "a")):
        assert line._repr_html_() == f"<pre>{escape(repr(line))}</pre>"


def test_a_result_as_a_row_of_a_table() -> None:
    result, other = (scorer_of().score("a b", output) for output in ("a", ""))
    row = result.to_row()
    assert list(row)[:7] == ["source", "output", "score", "faithfulness", "compared", "verdict", "findings"]
    assert list(row) == list(other.to_row())
    assert row["s2r_recall"] == result.usim.s2r.recall
    assert row["r2s_f"] == result.usim.r2s.f
    assert row["findings"] == "; ".join(finding.text for finding in result.judgement.findings)
    assert all(isinstance(value, str | float) for value in row.values())
    summary = result.summary()
    assert summary.to_row() == {name: value for name, value in row.items() if not name.startswith(("s2r", "r2s"))}
    assert set(result.to_dict()) - set(summary.to_dict()) == {"usim"}


def test_a_change_of_a_word_that_is_too_long_to_be_read_is_not_kept() -> None:
    scorer = scorer_of(keep=0, drop=0)
    for length, verdict in ((100, "keep"), (101, "review"), (10_000, "review")):
        word = "x" * length
        assert scorer.score("He saw it.", f"He saw {word}.").judgement.verdict == verdict
        assert scorer.score(f"He saw {word}.", "He saw it.").judgement.verdict == verdict
        assert scorer.score(f"He see {word}.", f"He sees {word}.").judgement.verdict == "keep"
    with pytest.raises(InputError, match="100000 tokens or more"):
        scorer.score("He saw it.", f"He saw {'x' * 1_000_000}.")
