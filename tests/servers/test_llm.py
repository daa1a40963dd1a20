"""A model behind a server: answers, faults, retries, the cache, the key."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.processes import free_port
from tests.servers.server import FaultError, Request, completion, fault, in_turn, serving
from usim.errors import InputError, OptionError
from usim.servers.llm import AnswerCache, ChatAnswer, ChatModel, Endpoint, LlmError, Message, Messages

KEY = "sk-secret/0123456789"
PROTOCOL = "not what the protocol of OpenAI's chat completions says"


def chat(text: str) -> Messages:
    return (Message("user", text),)


def endpoint(url: str, **settings: Any) -> Endpoint:
    return Endpoint(**({"url": url, "model": "m", "key": KEY, "retries": 1, "seconds": 5.0} | settings))


def echo(request: Request) -> str:
    return str(request["messages"][-1]["content"])


def test_answers_come_in_order_and_are_counted() -> None:
    with serving(echo) as server:
        model = ChatModel(endpoint(server.url, concurrency=3, max_tokens=7))
        answers = list(model.ask_all(chat(str(n)) for n in range(20)))
        assert [answer.text for answer in answers] == [str(n) for n in range(20)]
        assert server.busiest <= 3
        request = server.requests[0]
        assert (request["model"], request["temperature"], request["max_tokens"]) == ("m", 0, 7)
        assert server.keys[0] == f"Bearer {KEY}"
    assert model.usage.text() == "20 requests, 0 answers from the cache, 200 tokens in, 40 tokens out"


def test_a_server_that_fails_is_asked_again() -> None:
    with serving(in_turn([*(fault(status, "busy") for status in (429, 500, 503)), "yes"])) as server:
        assert ChatModel(endpoint(server.url, retries=3)).ask(chat("a")).text == "yes"
        assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (fault(429, "slow down"), "the server refuses the request (429: slow down): go on later"),
        (fault(500, "oops"), "the server refuses the request (500: oops): go on later"),
        (fault(401, f"wrong key {KEY}"), "refuses the request (401: wrong key …): give the right key in USIM_LLM_KEY"),
        (fault(404, "no model m"), "(404: no model m): see the names of the model and of the address"),
        (fault(400, "too long"), "the server refuses the request (400: too long)"),
        (FaultError(302, b"", Location="http://other.invalid/"), "the server refuses the request (302)"),
        (FaultError(200, b"<html>hello"), PROTOCOL),
        (FaultError(200, b'{"choices": []}'), PROTOCOL),
        (FaultError(200, b'{"choices": [{"message": {"content": null}}]}'), PROTOCOL),
    ],
)
def test_a_fault_is_one_line_without_the_key(answer: FaultError, said: str) -> None:
    with serving(in_turn([answer])) as server, pytest.raises(LlmError) as e:
        ChatModel(endpoint(server.url)).ask(chat("a"))
    text = str(e.value)
    assert said in text
    assert text.startswith(server.url)
    assert "\n" not in text
    assert KEY not in text + repr(endpoint("http://h"))


@pytest.mark.parametrize(
    "value",
    [
        completion("yes", first={"yes": math.nan}), completion("yes", first={"yes": "0"}),
        completion("yes", first={"yes": True}), completion("\ud800"), completion(["yes"]), ["yes"],
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused(value: Any, tmp_path: Path) -> None:
    cache = tmp_path / "a.db"
    with serving(in_turn([value])) as server, pytest.raises(LlmError, match="not what the protocol"):
        list(ChatModel(endpoint(server.url, cache=cache)).ask_all([chat("a")], first_tokens=True))
    assert cache.read_text().count("\n") == 1  # the mark alone


@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_a_server_that_sends_the_key_back(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for start in (0, 160, 190):  # also where the message is cut
        echoed = fault(status, "x" * start + f"authorization: Bearer {KEY}")
        with serving(in_turn([echoed])) as server, pytest.raises(LlmError) as e:
            ChatModel(endpoint(server.url, retries=0)).ask(chat("a"))
        assert "sk-sec" not in repr(e.value.__dict__)
    assert KEY not in caplog.text


@pytest.mark.parametrize("written", [KEY, quote(KEY, safe=""), "".join(f"\\u{ord(c):04x}" for c in KEY)])
def test_a_key_in_an_answer_is_in_no_result_and_no_cache(
    written: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    cache = tmp_path / "cache"
    body = json.dumps(completion("KEY says", first={"KEY": -0.1})).replace("KEY", written).encode()
    AnswerCache(cache).put(["q"], ChatAnswer("yes"))
    with serving(in_turn([FaultError(200, body)])) as server:
        for _ in range(2):  # from the server, and from the cache
            model = ChatModel(endpoint(server.url, cache=cache))
            (answer,) = model.ask_all([chat("a")], first_tokens=True)
            assert answer.text == "… says"
            assert answer.first == {"…": -0.1}
    assert KEY not in cache.read_text() + caplog.text


@pytest.mark.parametrize("key", ["two\nlines", "a b", "é", "tab\t", "\x7f"])
def test_a_key_that_is_none_is_not_shown(key: str) -> None:
    with pytest.raises(InputError, match="a key is needed") as e:
        Endpoint(url="http://h/v1", model="m", key=key)
    assert key not in str(e.value)


def test_no_key_where_none_is_needed_or_one_is_and_asked_from_an_event_loop() -> None:
    async def ask() -> str:
        return model.ask(chat("a")).text

    with serving(in_turn(["yes", fault(401, "key?")])) as server:
        model = ChatModel(endpoint(server.url, key=None))
        assert asyncio.run(ask()) == "yes"
        with pytest.raises(LlmError, match="give a key in USIM_LLM_KEY"):
            model.ask(chat("b"))


def test_a_server_that_is_slow_or_not_there() -> None:
    def slow(_: Request) -> str:
        time.sleep(1.0)
        return "yes"

    with serving(slow) as server, pytest.raises(LlmError, match=r"no answer within 0\.05 s"):
        ChatModel(endpoint(server.url, seconds=0.05, retries=0)).ask(chat("a"))
    url = f"http://127.0.0.1:{free_port()}/v1"
    with pytest.raises(LlmError, match=r"cannot be reached .*: see whether it runs"):
        ChatModel(endpoint(url, retries=0)).ask(chat("a"))


def test_a_request_whose_settings_are_refused_is_sent_without_them() -> None:
    def answer(request: Request) -> str:
        if set(request) != {"model", "messages"}:
            raise fault(400, "unsupported parameter")
        return echo(request)

    with serving(answer) as server:
        model = ChatModel(endpoint(server.url))
        assert [a.text for a in model.ask_all([chat("a"), chat("b")], first_tokens=True)] == ["a", "b"]
        assert len(server.requests) == 4


def test_first_tokens() -> None:
    first = {"Yes": -0.1, "No": -2.5}
    with serving(in_turn([completion("Yes", first=first)])) as server:
        (answer,) = ChatModel(endpoint(server.url)).ask_all([chat("a")], first_tokens=True)
        assert answer.first == first
        assert server.requests[0]["logprobs"] is True


def test_an_interrupted_run_goes_on_and_pays_nothing_twice(tmp_path: Path) -> None:
    cache = tmp_path / "answers.db"
    chats = [chat(str(n)) for n in range(6)]

    def breaks(request: Request) -> str:
        if echo(request) == "4":
            raise fault(400, "no")
        return echo(request)

    with serving(breaks) as server:
        with pytest.raises(LlmError):
            list(ChatModel(endpoint(server.url, cache=cache, concurrency=1)).ask_all(chats[:5]))
        server.answer = echo
        model = ChatModel(endpoint(server.url, cache=cache, concurrency=1))
        assert [answer.text for answer in model.ask_all(chats)] == list("012345")
        assert (model.usage.requests, model.usage.cached) == (2, 4)
        other = ChatModel(endpoint(server.url, cache=cache, model="another"))
        other.ask(chats[0])
        assert other.usage.cached == 0
    assert KEY.encode() not in cache.read_bytes()


def test_a_damaged_line_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    cache = AnswerCache(path)
    cache.put(["q"], ChatAnswer("yes", first={"yes": -0.5}))
    mark, _, line = path.read_bytes().splitlines()
    assert AnswerCache(path).get(["q"]) == cache.get(["q"]) == ChatAnswer("yes", first={"yes": -0.5})
    key = json.loads(line)["key"]
    answers = [None, "x", {}, {"text": 5}, {"text": "a", "first": [1]}, {"text": "a", "first": {"yes": math.nan}}]
    whole = [json.dumps({"key": key, "answer": answer}).encode() for answer in answers]
    for damaged in (*whole, line[:-1], line + b"}", b"{", b"\xff", b"7", b"[" * 100_000):
        path.write_bytes(mark + b"\n" + damaged)
        again = AnswerCache(path)
        assert again.get(["q"]) is None
        again.put(["q"], ChatAnswer("no"))  # behind the line that was cut
        assert AnswerCache(path).get(["q"]) == ChatAnswer("no")


def test_a_file_of_the_user_is_refused_and_left(tmp_path: Path) -> None:
    for content in (b"something of mine", b'{"a": 1}\n', b"\n", b"SQLite format 3\0\xff"):
        path = tmp_path / "mine"
        path.write_bytes(content)
        with pytest.raises(InputError, match="no cache of answers; name another file"):
            AnswerCache(path)
        assert path.read_bytes() == content
    for path in (tmp_path, tmp_path / "nowhere" / "file"):
        with pytest.raises(InputError, match="not usable as a cache of answers"):
            AnswerCache(path)


@pytest.mark.parametrize(
    "url",
    [
        "http://h/v1?key=k",
        "localhost",
        "ftp://h/v1",
        "http://",
        "http://u:pass@h/v1",
        "http://h:x/v1",
        "http://h:99999",
        "ftp://u:pass@h",
        "http://u:pass@h:x",
        "",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(OptionError) as e:
        Endpoint(url=url, model="m")
    assert e.value.option == "endpoint"
    assert "pass" not in str(e.value).replace("a password", "")


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="USIM_LLM_ENDPOINT"):
        Endpoint.from_environment("m")
    for name, value in (("ENDPOINT", "http://h/v1"), ("KEY", KEY), ("CONCURRENCY", "9"), ("CACHE", "a.db")):
        monkeypatch.setenv(f"USIM_LLM_{name}", value)
    made = Endpoint.from_environment("m")
    assert (made.url, made.model, made.key, made.concurrency) == ("http://h/v1", "m", KEY, 9)
    assert made.cache == Path("a.db")
    with pytest.raises(OptionError, match="model"):
        Endpoint.from_environment("")
    monkeypatch.setenv("USIM_LLM_CONCURRENCY", "0")
    with pytest.raises(OptionError, match="USIM_LLM_CONCURRENCY"):
        Endpoint.from_environment("m")
