"""Large language models as systems: prompts, strict reading of answers, the command with a real server."""

import csv
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from experiments.baselines.llm_answers import find_words, read_suggestions, read_word_list
from experiments.baselines.llm_prompts import (
    PROLEX_PAPER,
    Shot,
    draw,
    prolex_candidates_prompt,
    prolex_criteria_prompt,
    prolex_prompt,
    read_prolex_shots,
    swords_prompt,
    sws_prompt,
)
from tests.benchmarks.conftest import swords_data, written
from tests.command import study_here, usim_here
from tests.llm.server import Request, fault, in_turn, serving
from usim.benchmarks import prolex, swords, sws
from usim.errors import InputError

PROLEX = (
    "target word,Sentence,acc_subs,prof_acc_subs\n"
    'overall,"But **overall**, I disagree.","[\'generally\']","[\'generally\']"\n'
    "big,A **big** dog.,\"['large']\",\"['large']\"\n"
)
SWS = {
    "a": {
        "sentence": "A big dog is a big friend.", "sentence_split": ["A", "big", "dog", "is", "a", "big", "friend", "."],
        "substitutes": [[[1, 2], {"large": 2}, 2]],
    },
    "b": {"sentence": "He ran.", "sentence_split": ["He", "ran", "."], "substitutes": []},
}  # fmt: skip
LABELS = {"large": ["TRUE", "FALSE"], "huge": ["TRUE", "TRUE"], "small": ["FALSE", "FALSE"]}
SWORDS = swords_data("A  big\ndog and a big cat.", {"t:1": ("big", "ADJ", LABELS)})
SWORDS["targets"]["t:1"]["offset"] = 17  # the second one


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("large, huge, vast", ("large", "huge", "vast")), ("Substitutes: Large, huge, large.", ("Large", "huge")),
        ("A: large", ("large",)), ("large", ("large",)), ("1. large\n2) huge\n", ("large", "huge")),
        ("'large', **huge**, carry out", ("large", "huge", "carry out")), ("None.", ()), ("[]", ()),
        ("- large\n- world's\n- e.g.", ("large", "world's", "e.g")), ('```json\n["large"]\n```', ("large",)),
        ('["large", "well-known"]', ("large", "well-known")),
        ("<think>Big, or large?</think>\nlarge, big", ("large",)),
    ],
)  # fmt: skip
def test_lists_of_words(text: str, words: tuple[str, ...]) -> None:
    assert read_word_list(text, "big") == words


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "I am sorry, but I cannot do that.", "Sorry, I can't", "Here are some words: large, huge",
        "large, huge\nThese fit best.", "large,, huge", "large; huge", '["large", 1]', '["large"', '{"large": 1}',
        "As an AI model, I have no words", "1. large because it fits the sentence well\n2. huge", "large (B1), huge (B2)",
    ],
)  # fmt: skip
def test_what_is_no_list_of_words(text: str) -> None:
    assert read_word_list(text, "big") is None


def test_suggestions_of_a_sentence_are_found_where_nothing_else_stands() -> None:
    twice = '```json\n{"big": ["large", "Large", "big", " huge "], "dog": [], "big": ["vast"]}\n```'
    assert read_suggestions(twice) == [("big", ("large", "huge")), ("dog", ()), ("big", ("vast",))]
    assert read_suggestions("{}") == []
    for wrong in ('{"big": "large"}', '{"big": [1]}', '["big"]', '"big": ["large"]', "{", '{"big": [""]}', "[" * 99999):
        assert read_suggestions(wrong) is None
    words = "A big dog is a big friend .".split()
    assert find_words("big", words, [(1, 2)]) == (5, 6)
    for text, place in (("Big", (1, 2)), ("friend.", (6, 8)), ("cat", None), ("", None)):
        assert find_words(text, words) == place


def test_prompts() -> None:
    shots = (Shot("do", "We **do** it.", ("perform", "carry out")),)
    (message,) = sws_prompt("He ran.")
    assert message.role == "user"
    assert message.content.startswith("In the following sentence, please give some suggestions to improve word usage.")
    assert message.content.endswith('the "original word" should be directly extracted from the sentence. He ran.')
    system, user = prolex_prompt("big", "A **big** dog.")
    assert (system.role, user.content) == ("system", "Target word: big \n Sentence: A **big** dog. \n Substitutes:")
    assert system.content.endswith("encompassed by two double asterisks.")
    assert prolex_prompt("big", "A **big** dog.", shots)[0].content.endswith(
        "asterisks. \n Here are some examples: \n Target word: do \n Sentence: We **do** it. \n"
        " Substitutes: perform, carry out"
    )
    (message,) = prolex_criteria_prompt("big", "A **big** dog.")
    assert "c) have an equal or higher language proficiency level compared to the target word." in message.content
    (message,) = prolex_candidates_prompt("big", "A **big** dog.", shots)
    assert message.content.startswith("You are a helpful assistant to perform a lexical substitution task.")
    assert message.content.endswith("for **big** in the above text?\nA:")
    assert "**do** in the above text?\nA: perform, carry out A **big** dog.\nQ:" in message.content
    assert swords_prompt("big", "A **big** dog.", shots)[0].content == (
        "We **do** it.\nQ: What are appropriate substitutes for **do** in the above text?\nA: perform, carry out\n\n"
        "A **big** dog.\nQ: What are appropriate substitutes for **big** in the above text?\nA:"
    )


def test_shots_are_the_papers_or_drawn(tmp_path: Path) -> None:
    path = tmp_path / "train.csv"
    rows = [(f"w{n}", f"A **w{n}** here. ", f"['s{n}']") for n in range(1383)]
    rows[894], rows[16] = ("honest", "An **honest** man.", "['true']"), ("Filling", "**Filling** it.", "['Use']")
    rows[5] = ("", "", "[]")
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("target_words", "tagged_sentences", "substitutes"), *rows])
    shots = read_prolex_shots(path)
    paper = draw(shots, 32, None, path)
    assert [shot.word for shot in paper[:3]] == ["honest", "w475", "w128"]
    assert len(set(PROLEX_PAPER)) == 32
    assert draw(shots, 32, 1, path) != paper
    assert draw(shots, 4, 1, path) == draw(shots, 4, 1, path)
    assert draw(shots, 4, None, path) == draw(shots, 4, 0, path)
    with pytest.raises(InputError, match="1400 examples are wanted, and there are 1382"):
        draw(shots, 1400, 1, path)


# The command


def words_of(request: Request) -> str:
    return str(request["messages"][-1]["content"])


def asked(task: str, gold: Path, out: Path, url: str, *options: str | Path) -> CompletedProcess[str]:
    """Ask the model *m* for a benchmark's suggestions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("USIM_LLM_ENDPOINT", url)
        return study_here("baseline", "llm", gold, "--task", task, "--model", "m", "-o", out, *options)


def test_prolex_from_data_to_a_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USIM_LLM_KEY", "sk-1")
    gold, out = written(tmp_path / "gold.csv", PROLEX), tmp_path / "out.csv"
    monkeypatch.setenv("USIM_LLM_CACHE", str(tmp_path / "answers.jsonl"))

    def answer(request: Request) -> str:
        return "generally, Overall" if "overall" in words_of(request) else "I would say: large"

    with serving(answer) as server:
        done = asked("prolex", gold, out, server.url)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert server.keys == ["Bearer sk-1"] * 2
        again = asked("prolex", gold, out, server.url)
        assert len(server.requests) == 2
    assert "2 questions, 1 suggestions, 1 answers unparsed" in done.stderr
    assert "2 requests, 0 answers from the cache, 20 tokens in, 4 tokens out" in done.stderr
    assert "usim|baseline|llm:m|host:127.0.0.1|temperature:0.0|max_tokens:512|prolex|prompt:paper|k:10" in done.stderr
    assert "0 requests, 2 answers from the cache" in again.stderr
    predictions = prolex.read_predictions(out, prolex.read_gold(gold))
    assert predictions == {0: ("generally",), 1: ()}
    assert usim_here("prolex", gold, out, "--resamples", "0").returncode == 0


def test_sws_and_swords_in_the_form_of_their_scorers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, out = written(tmp_path / "gold.json", SWS), tmp_path / "out.json"

    def suggest(request: Request) -> str:
        both = '{"big": ["large"], "big": ["huge", "vast"], "cat": ["x"]}'
        return both if words_of(request).endswith("A big dog is a big friend.") else "No."

    with serving(suggest) as server:
        done = asked("sws", gold, out, server.url, "-k", "1")
    assert done.returncode == 0, done.stderr
    assert "2 questions, 2 suggestions, 1 answers unparsed, 1 words not in their sentence" in done.stderr
    assert sws.read_predictions(out, sws.read_gold(gold)) == {"a": {(1, 2): ("large",), (5, 6): ("huge",)}, "b": {}}

    with serving(in_turn(["No.", "No.", "No.", '{"big": ["large"]}'])) as server:
        monkeypatch.setenv("USIM_LLM_CONCURRENCY", "1")
        done = asked("sws", gold, out, server.url, "--again", "2", "--temperature", "1")
        seeds = [request.get("seed") for request in server.requests]
    assert done.returncode == 0, done.stderr
    assert (seeds[:2], set(seeds[2:])) == ([None, None], {1, 2})
    assert "0 answers unparsed" in done.stderr

    gold = written(tmp_path / "swords.json", SWORDS)
    with serving(in_turn(["large, tiny, huge"])) as server:
        done = asked("swords", gold, out, server.url, "--shots", "1", "--shots-from", gold)
        prompt = words_of(server.requests[0])
    assert done.returncode == 0, done.stderr
    question = "A big dog and a **big** cat.\nQ: What are appropriate substitutes for **big** in the above text?\nA:"
    assert prompt == f"{question} huge, large\n\n{question}"
    made = swords.read_predictions(out, swords.read_gold(gold))
    assert made == {"t:1": [("large", 0.0), ("tiny", -1.0), ("huge", -2.0)]}


@pytest.mark.parametrize(
    ("url", "arguments", "said"),
    [
        ("", (), "Name it by USIM_LLM_ENDPOINT"),
        ("localhost", (), "'localhost' is no address"),
        ("http://h/v1", ("--prompt", "criteria"), "sws has no prompt 'criteria'"),
        ("http://h/v1", ("--shots", "2"), "the prompt of SWS has no examples"),
        ("http://h/v1", ("--again", "2"), "--again needs a --temperature above 0"),
    ],
)
def test_wrong_options(url: str, arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    gold, out = written(tmp_path / "gold.json", SWS), tmp_path / "out.json"
    done = asked("sws", gold, out, url, *arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert not out.exists()


def test_a_server_that_refuses_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USIM_LLM_CONCURRENCY", "1")
    gold, out = written(tmp_path / "gold.csv", PROLEX), tmp_path / "out.csv"
    with serving(in_turn(["large", fault(401, "wrong key")])) as server:
        done = asked("prolex", gold, out, server.url)
    assert done.returncode == 2
    advice = "the server refuses the request (401: wrong key): give a key in USIM_LLM_KEY"
    assert [line for line in done.stderr.splitlines() if line.startswith("usim: ")] == [f"usim: {server.url}: {advice}"]
    assert "1 request, 0 answers" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.csv"]
