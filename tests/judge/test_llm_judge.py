"""A large language model as the judge, behind a real server on this machine."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.servers.server import Request, completion, fault, in_turn, serving
from usim.errors import OptionError
from usim.judge import load_judge
from usim.judge.llm import LlmJudge, read_answer, read_yes_no, yes_no_prompt
from usim.scorer import Scorer
from usim.servers.llm import ChatAnswer, Endpoint

Write = Callable[[str, str], Path]
SENTENCES = ("He see the dog.", "He sees the dog.", "He sees the cat.")
ASKS = ("--judge", "llm:m")


@pytest.mark.parametrize(
    ("first", "share"),
    [
        ({"yes": math.log(0.9), "no": math.log(0.1)}, 0.9),
        ({" Yes": math.log(0.3), "YES": math.log(0.3), "No": math.log(0.2), "Maybe": math.log(0.2)}, 0.75),
        ({"No": 0.0}, 0.0),
        ({"The": math.log(0.6), "Yes": math.log(0.4)}, None),
        ({}, None),
    ],
)
def test_the_probability_of_yes(first: dict[str, float], share: float | None) -> None:
    assert read_yes_no(first) == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize(
    ("text", "share"),
    [("yes", 1.0), (" No.\n", 0.0), ("<think>yes?</think>NO", 0.0)]
    + [(text, None) for text in ("", "yes and no", "Well, yes", "85", "<think>yes", "\0", "nope")],
)
def test_a_word(text: str, share: float | None) -> None:
    assert read_answer(ChatAnswer(text)) == read_answer(ChatAnswer(text, {"<think>": -0.1})) == share
    assert read_answer(ChatAnswer(text, {"Yes": math.log(0.6), "no": math.log(0.2)})) == pytest.approx(0.75)


def test_both_sentences_are_in_the_prompt() -> None:
    *_, message = yes_no_prompt("Before.", 'After\n"it".')
    assert 'Original: "Before."\nChanged: "After\\n\\"it\\"."\nIs the meaning kept? Answer' in message.content


def judged_by_words(request: Request) -> str:
    return "yes" if "sees the dog" in request["messages"][-1]["content"] else "no"


@pytest.mark.model
class TestWithGraphs:
    """The judge in the pipeline."""

    def test_probabilities_where_the_server_gives_them(self) -> None:
        def answer(request: Request) -> dict[str, object]:
            share = 0.95 if judged_by_words(request) == "yes" else 0.2
            return completion("yes", first={"yes": math.log(share), "no": math.log(1 - share)})

        with serving(answer) as server:
            judge = LlmJudge(Endpoint(url=server.url, model="m"))
            assert judge.name.startswith("llm:m@127.0.0.1+")
            scorer = Scorer(judge=judge)
            kept, dropped, same = (
                scorer.score(SENTENCES[0], output).judgement for output in (SENTENCES[1], SENTENCES[2], SENTENCES[0])
            )
            assert (kept.verdict, dropped.verdict) == ("keep", "drop")
            assert kept.faithfulness == pytest.approx(0.95)
            assert same.faithfulness == 1.0
            assert len(server.requests) == 2  # nothing is asked about a sentence that is the same
            assert all(request["logprobs"] for request in server.requests)

    def test_commands_have_it(self, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        source = write("a.txt", f"{SENTENCES[0]}\n" * 2)
        output = write("b.txt", f"{SENTENCES[1]}\n{SENTENCES[2]}\n")
        with serving(judged_by_words) as server:
            monkeypatch.setenv("USIM_LLM_ENDPOINT", server.url)
            monkeypatch.setenv("USIM_LLM_CONCURRENCY", "1")
            done = usim_here("score", source, output, "--format", "jsonl", *ASKS)
            results = [json.loads(line) for line in done.stdout.splitlines()]
            assert done.returncode == 0, done.stderr
            assert [(r["faithfulness"], r["verdict"]) for r in results] == [(1.0, "keep"), (0.0, "drop")]
            assert "2 requests, 0 answers from the cache" in done.stderr
            assert "judge:llm:m@127.0.0.1+" in done.stderr

            monkeypatch.setenv("USIM_LLM_CACHE", str(tmp_path / "c.db"))
            record = {"sentence": "He sees the dog.", "start": 12, "end": 15, "substitutes": ["cat"]}
            records = write("s.jsonl", json.dumps(record))
            server.answer = in_turn(["perhaps"])
            done = usim_here("screen", records, *ASKS, "--keep", "0.9", "--drop", "0.1")
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout)["suggestions"][0]["verdict"] == "review"
            assert "1 without an answer, left to review, in no mean" in done.stderr

    def test_what_is_asked_of_a_pair_depends_on_no_other(self) -> None:
        pairs = [(SENTENCES[0], SENTENCES[1]), (SENTENCES[0], SENTENCES[2]), (SENTENCES[1], SENTENCES[2])]

        def answer(request: Request) -> str | dict[str, object]:
            if 'Changed: "He sees the dog' in request["messages"][-1]["content"]:
                return completion("yes", first={"yes": -0.01})
            return "answer 1" if SENTENCES[0] in request["messages"][-1]["content"] else "no"

        with serving(answer) as server:
            for order in (pairs, pairs[::-1]):
                judge = LlmJudge(Endpoint(url=server.url, model="m", max_tokens=20))
                of_pair = {(r.source, r.output): r.judgement for r in Scorer(judge=judge).score_pairs(order)}
                assert [of_pair[pair].is_answered for pair in pairs] == [True, False, True]
                assert [of_pair[pair].faithfulness for pair in pairs] == [1.0, pytest.approx(0.65), 0.0]
                assert [of_pair[pair].verdict for pair in pairs] == ["keep", "review", "drop"]
                assert (judge.model.usage.requests, judge.unparsed) == (3, 1)
            assert {request["max_tokens"] for request in server.requests} == {20}

    def test_a_pair_without_an_answer_is_in_no_mean(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        texts = {"a": [SENTENCES[0]] * 2, "b": SENTENCES[1:], "c": [SENTENCES[1], "He saw a dog."]}
        source, output, other = (write(name, "\n".join(lines)) for name, lines in texts.items())
        with serving(lambda request: "yes" if "sees the dog" in request["messages"][-1]["content"] else "?") as server:
            for name, value in (("ENDPOINT", server.url), ("TIMEOUT", "9"), ("MAX_TOKENS", "7")):
                monkeypatch.setenv(f"USIM_LLM_{name}", value)
            done = usim_here("score", source, output, "--format", "json", *ASKS)
            judged = json.loads(done.stdout)["summary"]["faithfulness"]
            assert (judged["mean"], judged["unanswered"]) == (1.0, 1)
            assert server.requests[-1]["max_tokens"] == 7
            done = usim_here("score", source, output, other, "--format", "json", *ASKS)
            systems = json.loads(done.stdout)["summary"]["systems"]
            assert [system["faithfulness"]["mean"] for system in systems.values()] == [1.0, 1.0]
            server.answer = in_turn(["?"])
            done = usim_here("score", source, output, "--fail-under-faithfulness", "0.1", *ASKS)
            assert done.returncode == 1
            assert "no faithfulness: the judge answered for no pair" in done.stdout
            assert "the mean faithfulness is not known" in done.stderr

    def test_a_server_that_refuses_is_one_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        out = tmp_path / "out.jsonl"
        with serving(in_turn([fault(401, "wrong key")])) as server:
            monkeypatch.setenv("USIM_LLM_ENDPOINT", server.url)
            done = usim_here("score", "-t", *SENTENCES[:2], "--format", "jsonl", "-o", out, *ASKS)
        advice = "the server refuses the request (401: wrong key): give a key in USIM_LLM_KEY"
        assert (done.returncode, done.stderr) == (2, f"usim: {server.url}: {advice}\n")
        assert not out.exists()


def test_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("USIM_LLM_ENDPOINT", raising=False)
    with pytest.raises(OptionError, match="which server has the model m"):
        load_judge("llm:m")
    monkeypatch.setenv("USIM_LLM_ENDPOINT", "http://localhost:1/v1")
    assert isinstance(load_judge("llm:m"), LlmJudge)


@pytest.mark.parametrize(
    ("arguments", "endpoint", "said"),
    [
        (ASKS, "", "which server has the model m? Name it by USIM_LLM_ENDPOINT"),
        (ASKS, "h", "'h' is no address"),
        (("--judge", "llm:"), "http://h/v1", "a model must be named"),
        ((*ASKS, "--ask", "llm:n"), "http://h/v1", "--judge and --ask cannot both be language models"),
    ],
)
def test_wrong_options(arguments: tuple[str, ...], endpoint: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USIM_LLM_ENDPOINT", endpoint)
    done = usim_here("score", "-t", *SENTENCES[:2], *arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
