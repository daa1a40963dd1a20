"""The text around a sentence: what is read of it, what it changes, and what it costs."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.flat import Flat
from usim.batch import Task
from usim.batch import run as run_batch
from usim.cli import cli
from usim.errors import InputError
from usim.evidence import Analysis
from usim.judge import Analyser, AnalysisCache, EncoderInput, JudgePipeline, TokenEncoder, UsimJudge
from usim.judge.trained import SHIPPED, load_encoder
from usim.options import Options
from usim.records import Record, read_suggestions
from usim.scorer import Scorer
from usim.screen import Screen, VerdictCache
from usim.suggestions import Suggestion
from usim.text import CONTEXT_PIECES, Context, context_of, tokenise
from usim.verdicts import Opinion

pytestmark = pytest.mark.model

TEXT = "He sat by the river. The bank was steep. She went home."
BANK = (25, 29)
ELSEWHERE = "He had no money left. The bank was steep. She went home."


class Seeing(UsimJudge):
    """A judge to whom a change is as faithful as the vectors of both sentences are alike, on average."""

    name = "seeing"

    def __init__(self) -> None:
        super().__init__()
        self.encoder = load_encoder(SHIPPED / "en" / "judge")
        self.seen: list[tuple[Analysis, Analysis]] = []

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        self.seen += pairs
        opinions = []
        for pair in pairs:
            a, b = (vectors_of(one).mean(axis=0) for one in pair)
            faithfulness = float(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), 0, 1))
            opinions.append(Opinion(faithfulness))
        return opinions


def in_context(encoder: TokenEncoder, tokens: tuple[str, ...], context: Context | None) -> np.ndarray:
    (vectors,) = encoder.packed([EncoderInput(tokens, context)])
    return vectors.unpacked()


def vectors_of(analysis: Analysis) -> np.ndarray:
    assert analysis.vectors is not None
    return analysis.vectors


@pytest.fixture(scope="module")
def reader() -> TokenEncoder:
    return load_encoder(SHIPPED / "en" / "judge")


def words(text: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokenise(text))


# What stands around a sentence


def test_both_sides_of_a_sentence() -> None:
    assert context_of(TEXT, 21, 40) == Context(words("He sat by the river."), words("She went home."))
    assert context_of(TEXT, 0, 20) == Context((), words("The bank was steep. She went home."))
    assert context_of("  The bank.\n", 2, 11) is None


@settings(deadline=None, max_examples=20)
@given(st.text(max_size=300), st.text(max_size=300), st.integers(1, 300))
def test_a_context_is_of_the_tokens_next_to_the_sentence(left: str, right: str, times: int) -> None:
    """However far the text reaches, cut words are never among them."""
    before, after = (left + " ") * times, (" " + right) * times
    assume(len(before) + len(after) <= 50_000)
    found = context_of(f"{before}X.{after}", len(before), len(before) + 2) or Context((), ())
    for some, near in ((found.left, words(before)[::-1]), (found.right[::-1], words(after))):
        assert len(some) <= min(CONTEXT_PIECES, len(near))
        assert some[::-1] == near[: len(some)]
        assert len(some) == min(CONTEXT_PIECES, len(near)) or max(len(before), len(after)) > 40 * CONTEXT_PIECES


# What it changes


@pytest.mark.parametrize("sides", [("He came.", ()), ((), ["He", "came"]), ((1,), ())])
def test_a_context_of_the_wrong_type_is_an_error(sides: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError, match=r"not a tuple of tokens: use context_of\(text, start, end\)"):
        Context(*sides)


def test_a_context_and_a_sentence_are_read_as_one_text(reader: TokenEncoder) -> None:
    left, sentence, right = words("He sat by the river,"), words("the bank was steep,"), words("she went home")
    (whole,) = reader([left + sentence + right])
    within = in_context(reader, sentence, Context(left, right))
    np.testing.assert_allclose(within, whole[len(left) : len(left) + len(sentence)], atol=1e-5)


def test_no_more_is_read_than_is_said(reader: TokenEncoder) -> None:
    """Of a token that would be too much, nothing is read; what stands beyond makes no difference."""
    sentence = words("It was so.")
    near = ("word",) * (CONTEXT_PIECES - 1)
    long = "incomprehensibilities"  # of several pieces
    contexts = Context(near, near), Context(("x", long, *near), (*near, long, "x"))
    one, two = (in_context(reader, sentence, context) for context in contexts)
    np.testing.assert_allclose(one, two, atol=1e-5)


def test_a_sentence_that_fills_the_encoder_is_read_alone(reader: TokenEncoder) -> None:
    sentence = ("word",) * 451
    assert not reader.has_room(sentence)
    assert reader.has_room(sentence[:450])
    np.testing.assert_array_equal(*(in_context(reader, sentence, c) for c in (None, Context(("x",), ("y",)))))


# The screen


def screens(parser: Flat | None = None, **options: Any) -> tuple[Screen, Seeing]:
    judge = Seeing()
    return Screen(parser=parser or Flat(), judge=judge, **options), judge


def test_context_changes_vectors_and_no_graph() -> None:
    (with_context, judge), (without_context, plain) = screens(), screens(context=False)
    found, alone = (screen.screen(TEXT, *BANK, ["shore"]) for screen in (with_context, without_context))
    for within, without in zip(judge.seen[0], plain.seen[0], strict=True):
        assert within.graph == without.graph
        assert vectors_of(within).shape == vectors_of(without).shape
        assert np.abs(vectors_of(within) - vectors_of(without)).max(axis=1).min() > 1e-3
    assert found[0].faithfulness != alone[0].faithfulness
    assert (found[0].usim, found[0].source, found[0].output) == (alone[0].usim, alone[0].source, alone[0].output)
    # A text of one sentence gives what it gives without.
    one = ("The bank was steep.", 4, 8, ["shore", "office", "bank"])
    assert with_context.screen(*one) == without_context.screen(*one)


@pytest.mark.parametrize("in_context", [True, False])
def test_a_remembered_verdict_counts_in_its_text_or_for_its_sentence(in_context: bool) -> None:
    made, judge = screens()
    made.remembered = VerdictCache(in_context=in_context)
    river = made.screen(TEXT, *BANK, ["shore"])
    assert made.screen(TEXT, *BANK, ["shore"]) == river
    assert len(judge.seen) == 1
    money = made.screen(ELSEWHERE, 26, 30, ["shore"])
    assert river[0].source == money[0].source
    assert (money[0].faithfulness == river[0].faithfulness) == (not in_context)
    assert money[0].text == ELSEWHERE[:26] + "shore" + ELSEWHERE[30:]


def test_both_sentences_are_read_in_the_context_or_neither() -> None:
    """One that leaves no room after the change is read alone before as well, and the others are not."""
    (with_context, judge), (without_context, plain) = screens(), screens(context=False)
    longer = " ".join(["word"] * 450)
    for screen in (with_context, without_context):
        screen.screen(TEXT, *BANK, [longer, "shore"])
    (long, short), (long_alone, short_alone) = judge.seen, plain.seen
    for a, b in zip(long, long_alone, strict=True):
        np.testing.assert_allclose(vectors_of(a), vectors_of(b), atol=1e-5)
    assert all(np.abs(vectors_of(a) - vectors_of(b)).max() > 1e-3 for a, b in zip(short, short_alone, strict=True))


@pytest.mark.parametrize(
    ("output", "is_read"),
    [
        ("The shore was steep.", True),
        ("The steep bank was there.", True),
        ("The river bank was steep.", True),
        ("The was steep.", True),
        # What says the same in every text: other forms, function words, marks.
        ("The banks were steep.", False),
        ("A bank is steep", False),
        ("The bank wasn't steep.", False),
        ("The bank was, steep!", False),
    ],
)
def test_the_text_around_is_read_where_other_words_are_said(output: str, is_read: bool) -> None:
    judge = Seeing()
    pipeline, context = JudgePipeline(Flat(), judge), context_of(TEXT, 21, 40)
    pipeline.judge_pairs([("The bank was steep.", output)] * 2, [context, None])
    assert len(judge.seen) == 1 + is_read


def test_a_longer_text_costs_no_parse() -> None:
    parser = Flat()
    made, _ = screens(parser)
    made.screen("It rained for days. " * 500 + TEXT, 10_000 + BANK[0], 10_000 + BANK[1], ["shore", "edge"])
    assert parser.asked == ["The bank was steep.", "The shore was steep.", "The edge was steep."]


class Counting(Analyser):
    """Counts how many sentences are analysed."""

    analysed = 0

    def analyse_graphs(self, sentences):  # type: ignore[no-untyped-def]
        self.analysed += len(sentences)
        return super().analyse_graphs(sentences)


def test_each_sentence_is_parsed_once_and_read_once_in_each_context() -> None:
    parser = Flat()
    pipeline, cache = JudgePipeline(parser, Seeing()), AnalysisCache()
    pipeline.analyser = counting = Counting(parser, Seeing().encoder)
    a, b = Context(("Rivers", "."), ()), Context(("Money", "."), ())
    pairs = [("A bank.", "A shore."), ("A bank.", "An edge."), ("A bank.", "A shore."), ("A bank.", "A shore.")]
    first, _, again, elsewhere = pipeline.judge_pairs(pairs, [a, a, a, b], cache=cache)
    assert parser.asked == ["A bank.", "A shore.", "An edge."]
    assert counting.analysed == 5
    assert first is again
    assert first.judgement.faithfulness != elsewhere.judgement.faithfulness
    pipeline.judge_pairs([("A bank.", "A shore.")], [b], cache=cache)
    assert parser.asked[3:] == ["A shore."], "the last source is known"
    assert counting.analysed == 6
    pipeline.judge_pairs([("A bank.", "A bank.")], [a], cache=cache)
    assert parser.asked[4:] == [], "its graph is known in any context"
    assert counting.analysed == 7
    cache.clear()
    pipeline.judge_pairs([("A bank.", "A bank.")], [a], cache=cache)
    assert parser.asked[4:] == ["A bank."]


def test_an_answer_depends_on_its_own_text_alone() -> None:
    def record(name: str, text: str, span: tuple[int, int]) -> Record:
        return Record(name, 1, text, (Suggestion("shore", span), Suggestion("bench", span)), "", str)

    records = [record("a", TEXT, BANK), record("b", ELSEWHERE, (26, 30)), record("c", TEXT, BANK)]
    together = [found for _, found in screens()[0].screen_records(records)]
    alone = [next(screens()[0].screen_records([one]))[1] for one in records]
    assert [[one.faithfulness for one in found] for found in together] == [
        pytest.approx([one.faithfulness for one in found], abs=1e-5) for found in alone
    ]
    assert together[0] == together[2] != together[1]


def test_the_signature_says_so() -> None:
    assert "context" not in screens()[0].signature
    assert "|context:no|v:" in screens(context=False)[0].signature
    assert "|context:no|v:" in Scorer(options=Options(parser=Flat(), judge=Seeing(), context=False)).signature
    # USim alone reads no words.
    assert "context" not in Screen(parser=Flat(), judge="usim", context=False).signature


# Commands


def test_the_screen_reads_the_text_unless_told_otherwise(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    """One sentence is judged the same either way, and a batch says what the screen does."""
    records = [
        {"id": "a", "sentence": TEXT, "start": 25, "end": 29, "substitutes": ["shore", "office"]},
        {"id": "b", "sentence": "The bank was steep.", "start": 4, "end": 8, "substitutes": ["shore", "office"]},
    ]
    file = write("records.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    done = CliRunner().invoke(cli, ["screen", str(file)])
    assert not done.exit_code, done.output
    within = [faithfulness(line) for line in done.stdout.splitlines()]
    screen = Screen(context=False)
    alone = [
        [screened.faithfulness for screened in of_record]
        for _, of_record in screen.screen_records(read_suggestions(str(file)))
        if of_record
    ]
    assert ("context" in done.stderr, "|context:no|" in screen.signature) == (False, True)
    assert within[0] != pytest.approx(alone[0], abs=1e-4)
    assert within[1] == pytest.approx(alone[1], abs=1e-5)
    outputs = []
    for name in ("one", "again"):
        out = tmp_path / f"{name}.jsonl"
        run_batch(file, out, Task("screen"), jobs=1)
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    for line, expected in zip(outputs[0].decode().splitlines(), within, strict=True):
        assert faithfulness(line) == pytest.approx(expected, abs=1e-5)


def test_pairs_are_read_in_their_text(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    """The columns before and after, and the fields of a batch, are the text around a pair."""

    def scored(*arguments: str) -> float:
        done = CliRunner().invoke(cli, ["score", *arguments, "--format", "jsonl"])
        assert not done.exit_code, done.output
        return next(r["faithfulness"] for r in map(json.loads, done.stdout.splitlines()) if "shore" in r["output"])

    source = TEXT.replace(". ", ".\n")
    before, sentence, after = source.splitlines()
    cells = {"source": sentence, "output": sentence.replace("bank", "shore"), "before": before, "after": after}
    contents = {
        "source.txt": source, "output.txt": source.replace("bank", "shore"), "pairs.jsonl": json.dumps(cells),
        "pairs.csv": ",".join(cells) + "\n" + ",".join(cells.values()),
    }  # fmt: skip
    *texts, records, table = (str(write(name, f"{content}\n")) for name, content in contents.items())
    out = tmp_path / "scored.jsonl"
    within = scored(table)
    assert within != pytest.approx(scored(*texts), abs=1e-4)
    assert scored(records) == pytest.approx(within, abs=1e-5)
    run_batch(records, out, Task())
    assert json.loads(out.read_text("utf-8"))["faithfulness"] == pytest.approx(within, abs=1e-5)


def test_a_text_around_a_pair_that_is_no_text_is_an_error_of_its_record(write: Callable[[str, str], Path]) -> None:
    file = write("pairs.jsonl", '{"source": "A.", "output": "A.", "before": 1}\n{"source": "B.", "output": "B."}\n')
    done = CliRunner().invoke(cli, ["score", str(file), "--judge", "usim", "--parser", "en", "--format", "jsonl"])
    assert done.exit_code == 2
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["error"] == "'before' is no text"
    assert second["score"] == 1
    with pytest.raises(InputError, match="two sentences, and perhaps a Context"):
        Scorer(parser=Flat(), judge="usim").score("A.", "B.", "He came.")  # type: ignore[arg-type]


def faithfulness(line: str) -> list[float]:
    return [one["faithfulness"] for one in json.loads(line)["suggestions"]]
