"""The service answers as the command line does, and keeps to its limits."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from tests.command import usim_here
from tests.processes import ROOT
from tests.support.service import KEY, Client, problem
from usim.serve._models import _UnderPolicy
from usim.serve.app import create_app
from usim.serve.settings import Limits, Settings, read_keys

Write = Callable[[str, str], Path]
PAIRS = [
    ("She have two cat.", "She has two cats."),
    ("John gave Mary a book.", "Mary gave John a book."),
    ("I like tea.", "I love tea, “naïvely” 😀."),
    ("", "Something."),
    ("He left because it rained.", "He left."),
]
RECORDS = [
    {"id": "a", "sentence": "An intimate friend.", "start": 3, "end": 11, "substitutes": ["close", "hostile", "old"]},
    {"sentence": "He go home. It was late.", "corrections": ["He goes home. It was late.", "He left. It was late."]},
    {"id": "bad", "sentence": "No place.", "start": 3, "end": 40, "substitutes": ["x"]},
]


def limited(**limits: Any) -> Client:
    """A client of a service of its own, with USim alone and these limits."""
    return Client(create_app(Settings(options={"judge": "usim"}, limits=Limits(**limits))))


@pytest.fixture(scope="module")
def app() -> ASGIApp:
    return create_app(Settings(limits=Limits(body=60_000, text=2000, tokens=3000)))


@pytest.fixture(scope="module")
def client(app: ASGIApp) -> Client:
    return Client(app)


@pytest.fixture
def files(write: Write) -> tuple[Path, Path]:
    sources, outputs = ("".join(sentence + "\n" for sentence in side) for side in zip(*PAIRS, strict=True))
    return write("sources", sources), write("outputs", outputs)


def as_pairs(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    return {"pairs": [{"source": source, "output": output, "before": None} for source, output in pairs]}


class TestAnswers:
    def test_scores_are_those_of_the_command(self, client: Client, files: tuple[Path, Path]) -> None:
        answer = client("/v1/score", as_pairs(PAIRS)).json()
        done = usim_here("score", *files, "--format", "jsonl")
        assert answer["results"] == [json.loads(line) for line in done.stdout.splitlines()]
        assert answer["signature"] in done.stderr
        # As text, too: the same digits and the same order of members.
        for result, line in zip(answer["results"], done.stdout.splitlines(), strict=True):
            assert json.dumps(result, ensure_ascii=False) == line

    def test_scores_do_not_depend_on_company(self, client: Client) -> None:
        together = client.together([("/v1/score", as_pairs([pair])) for pair in PAIRS * 3])
        whole = client("/v1/score", as_pairs(PAIRS)).json()["results"]
        for number, response in enumerate(together):
            assert response.json()["results"] == [whole[number % len(PAIRS)] | {"line": 1}]

    def test_the_best_of_several_rewrites(self, client: Client) -> None:
        body = {"source": "He go home.", "candidates": ["He goes to school.", "He goes home."]}
        answer = client("/v1/best", body).json()
        assert (answer["text"], answer["nearest"]) == ("He goes home.", 1)
        pairs = as_pairs([("He go home.", "He goes to school.")])
        (alone,) = client("/v1/score", pairs).json()["results"]
        assert {"line": 1, **answer["results"][0]} == alone
        assert client("/v1/best", {**body, "candidates": ["He flew."]}).json()["text"] is None

    @pytest.mark.parametrize("rank", [False, True])
    def test_screened_records_are_those_of_the_command(self, client: Client, write: Write, rank: bool) -> None:
        file = write("records.jsonl", "".join(json.dumps(record) + "\n" for record in RECORDS))
        answer = client("/v1/screen", {"records": RECORDS, "rank": rank}).json()
        done = usim_here("screen", file, *(["--rank"] if rank else []))
        assert [json.dumps(result, ensure_ascii=False) for result in answer["results"]] == done.stdout.splitlines()
        assert answer["signature"] == done.stderr.splitlines()[-1]
        assert "error" in answer["results"][2]

    def test_explanations_are_those_of_the_command(self, client: Client) -> None:
        source, output = PAIRS[1]
        pair = {"source": source, "output": output}
        done = usim_here("explain", source, output, "--format", "json")
        assert client("/v1/explain", pair).json() == json.loads(done.stdout)
        drawing = client("/v1/explain", pair | {"format": "svg"})
        assert drawing.headers["content-type"] == "image/svg+xml"
        assert drawing.text == usim_here("explain", source, output, "--format", "svg").stdout

    @pytest.mark.parametrize("form", ["mrp", "text"])
    def test_graphs_are_those_of_the_command(self, client: Client, files: tuple[Path, Path], form: str) -> None:
        answer = client("/v1/parse", {"texts": [source for source, _ in PAIRS], "format": form}).json()
        lines = usim_here("parse", files[0], "--format", form).stdout.splitlines()
        assert answer["results"] == (lines if form == "text" else [json.loads(line) for line in lines])
        assert answer["signature"].startswith("usim|parser:en")

    def test_texts_are_compared_as_by_the_command(self, client: Client, write: Write) -> None:
        texts = {"before": "It rained. We paid 20 euros.", "after": "We paid 25 euros. It rained. Nobody came."}
        files = [write(f"{name}.txt", text) for name, text in texts.items()]
        done = usim_here("compare", *files, "--format", "json", "--policy", "expand")
        assert client("/v1/compare", texts | {"policy": "expand"}).json() == json.loads(done.stdout)
        page = client("/v1/compare", texts | {"format": "html"})
        assert page.headers["content-type"].startswith("text/html")
        assert "is added" in page.text
        assert "policy" in problem(client("/v1/compare", texts | {"policy": "longer"}), 422)

    @pytest.mark.parametrize("route", ["score", "explain", "best", "compare"])
    def test_each_request_may_bear_its_own_risk(self, client: Client, route: str) -> None:
        source, output = PAIRS[1]
        body: dict[str, Any] = {
            "score": {"pairs": [{"source": source, "output": output}]},
            "explain": {"source": source, "output": output},
            "best": {"source": source, "candidates": [output]},
            "compare": {"before": source, "after": output},
        }[route]
        needed = [client(f"/v1/{route}", body | {"risk": risk}).text for risk in (0.02, 0.3)]
        assert needed[0] != needed[1]
        assert client(f"/v1/{route}", body).text == client(f"/v1/{route}", body | {"risk": 0.1}).text
        assert "risk" in problem(client(f"/v1/{route}", body | {"risk": 2}), 422)
        assert "smallest risk" in problem(client(f"/v1/{route}", body | {"risk": 0.001}), 422)

    def test_half_a_surrogate_pair_is_answered(self, client: Client) -> None:
        body = rb'{"pairs": [{"source": "a \ud800 b", "output": "a b"}]}'
        assert client("/v1/score", body, headers={"content-type": "application/json"}).status_code in (200, 422)


class TestWatching:
    def test_metrics_count(self, client: Client) -> None:
        assert client("/health").json()["status"] == "ok"
        assert client("/ready").json()["signature"].startswith("usim|")
        client("/v1/score", as_pairs(PAIRS[:1]))
        client("/nowhere/a secret")
        text = client("/metrics").text
        assert 'usim_requests_total{path="/v1/score",status="200"}' in text
        assert 'usim_requests_total{path="other",status="404"}' in text
        assert 'usim_verdicts_total{verdict="keep"}' in text
        assert "usim_batch_size_count" in text
        assert "usim_request_seconds_bucket" in text
        assert "secret" not in text

    def test_openapi_has_examples(self, client: Client) -> None:
        api = client("/openapi.json").json()
        for path in ("score", "screen", "explain", "parse", "compare"):
            schema = api["paths"][f"/v1/{path}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
            example = api["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]["example"]
            assert client(f"/v1/{path}", example).status_code == 200

    def test_texts_are_never_logged(self, app: ASGIApp, client: Client, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        client("/v1/score?text=zyxwv", {"pairs": [{"source": "zyxwv", "output": 1}]})
        client("/v1/score", as_pairs([("zyxwv", "zyxwv")]))
        ours = [record.getMessage() for record in caplog.records if not record.name.startswith("http")]
        assert any("/v1/score 200" in line for line in ours)
        assert not any("zyxwv" in line for line in ours)


class TestProblems:
    def test_what_is_not_expected(self, client: Client) -> None:
        assert "pairs" in problem(client("/v1/score", {}), 422)
        detail = problem(client("/v1/score", {"pairs": [{"source": "secret", "output": 3}]}), 422)
        assert detail.startswith("pairs.0.output: ")
        assert "secret" not in detail
        assert "papers" in problem(client("/v1/score", {"pairs": as_pairs(PAIRS)["pairs"], "papers": []}), 422)
        problem(client("/v1/score", b"{", headers={"content-type": "application/json"}), 422)
        problem(client("/v1/score", b"[" * 50_000, headers={"content-type": "application/json"}), 400)
        assert "openapi" in problem(client("/v1/nothing"), 404)
        assert "Content-Type: application/json" in problem(client("/v1/score", json.dumps(as_pairs(PAIRS))), 415)
        broken = client("/v1/score", b'{"pairs":\n  [,]}', headers={"content-type": "application/json"})
        assert "line 2, column 4: " in problem(broken, 422)
        problem(client("/v1/score"), 405)

    @pytest.mark.parametrize(
        ("route", "name"), [("score", "pairs"), ("best", "candidates"), ("screen", "records"), ("parse", "texts")]
    )
    def test_a_list_of_nothing_is_a_mistake_on_every_route(self, client: Client, route: str, name: str) -> None:
        body = {name: [], **({"source": "He go home."} if route == "best" else {})}
        assert problem(client(f"/v1/{route}", body), 422).startswith(f"{name}: ")

    def test_too_much(self, client: Client) -> None:
        assert "60000 bytes" in problem(client("/v1/score", b"x" * 60_001), 413)
        for path, body in (("score", as_pairs([("a" * 2001, "")])), ("compare", {"before": "", "after": "a" * 2001})):
            assert "2001 characters; 2000 are allowed" in problem(client(f"/v1/{path}", body), 413)
        for path, body in (
            ("score", as_pairs([("a " * 700, "b " * 900)] * 2)),
            ("screen", {"records": [RECORDS[0] | {"substitutes": ["x"] * 900}]}),
        ):
            response = client(f"/v1/{path}", body)
            assert f"{response.json()['tokens']} tokens" in problem(response, 413)

    def test_a_long_text_of_which_little_changed_is_little_work(self) -> None:
        usual = limited(seconds=600)
        sentences = [f"The room {number} of the house is free in May." for number in range(900)]
        before, rooms = " ".join(sentences)[:39_000], sentences.copy()
        for place in (3, 400, 800):
            rooms[place] = rooms[place].replace("free", "full")
        answer = usual("/v1/compare", {"before": before, "after": " ".join(rooms)[:39_000]})
        assert answer.status_code == 200
        counts = answer.json()["counts"]
        assert counts["blocks"] - counts["same"] == 3
        # What is moved about is looked for, and what is all new is read.
        new = " ".join(sentences).replace("free", "full")[:39_000]
        for after in (" ".join(sentences[::-1])[:39_000], new):
            assert "tokens or more" in problem(usual("/v1/compare", {"before": before, "after": after}), 413)

    def test_what_is_expensive_counts(self) -> None:
        few = limited(tokens=200, text=2000)
        pairs = as_pairs([("He go.", "He goes.")] * 3)  # each 6 tokens, 1 for the pair, and 60 to judge it
        assert "this is work for 201 tokens or more" in problem(few("/v1/score", pairs), 413)
        assert few("/v1/score", as_pairs([("He goes.", "He goes.")] * 3)).status_code == 200
        blanks = as_pairs([(" " * 700, " " * 700 + "x")])  # ten characters are a token at the least
        assert "tokens or more" in problem(few("/v1/score", blanks), 413)
        sentences = {"before": "He ran. He left.", "after": "She ran. She left. It rained."}
        assert "tokens or more" in problem(few("/v1/compare", sentences), 413)
        assert few("/v1/compare", sentences | {"after": "He left. He ran."}).status_code == 200
        assert "the body has 202 commas" in problem(few("/v1/parse", {"texts": [""] * 203}), 413)
        assert "the body has 201 lines" in problem(few("/v1/report", b"{}\n" * 201), 413)
        long = {"text": "a" * 2001, "start": 0, "end": 2001}
        assert "2001 characters; 2000 are allowed" in problem(few("/v1/substitutes", long), 413)

    def test_a_body_without_length_is_counted(self, client: Client) -> None:
        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield b"x" * 10_000

        problem(client("/v1/score", endless()), 413)

    def test_beyond_what_can_be_under_way(self) -> None:
        responses = limited(under_way=2).together([("/v1/score", as_pairs(PAIRS))] * 8)
        assert sorted(response.status_code for response in responses) == [200] * 2 + [503] * 6
        refused = [response for response in responses if response.status_code == 503]
        assert all(response.headers["retry-after"] == "1" and problem(response, 503) for response in refused)

    def test_time(self) -> None:
        assert "0.01 s" in problem(limited(seconds=0.01)("/v1/score", as_pairs(PAIRS)), 503)

    def test_a_slow_body_takes_no_place(self) -> None:
        async def slow() -> AsyncIterator[bytes]:
            yield b"{"
            await asyncio.sleep(5)

        calls = [("/v1/score", slow()), ("/v1/score", as_pairs(PAIRS))]
        slow_one, other = limited(under_way=1, seconds=2).together(calls)
        assert "not done within 2 s" in problem(slow_one, 503)
        assert other.status_code == 200


@pytest.fixture(scope="module")
def guarded() -> ASGIApp:
    origins = ("https://editor.example",)
    return create_app(Settings(options={"judge": "usim"}, keys=("x" * 20, KEY), origins=origins, hosts=("localhost",)))


def test_the_page_names_the_routes_that_take_a_policy_and_a_risk() -> None:
    page = (ROOT / "docs/how-to/serve.md").read_text(encoding="utf-8")
    *names, last = (f"`{model.__name__.removesuffix('Request').lower()}`" for model in _UnderPolicy.__subclasses__())
    assert f'{", ".join(names)} and {last} also take `"policy": "same"` and `"risk": 0.1`' in page


def test_the_page_names_every_route(client: Client) -> None:
    page = (ROOT / "docs/how-to/serve.md").read_text(encoding="utf-8")
    named = set(re.findall(r"/\w[\w/.]*", "".join(re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE))))
    assert client("/openapi.json").json()["paths"].keys() <= named


class TestAccess:
    def test_keys(self, guarded: ASGIApp) -> None:
        client = Client(guarded)
        assert client("/health").status_code == 200
        for headers in ({}, {"authorization": "Bearer wrong"}, {"x-api-key": KEY[:-1]}, {"x-api-key": b"\xfc"}):
            response = client("/v1/score", as_pairs(PAIRS[:1]), headers=headers)
            assert "Authorization: Bearer" in problem(response, 401)
            assert response.headers["www-authenticate"] == "Bearer"
        problem(client("/metrics"), 401)
        for headers in ({"authorization": f"Bearer {KEY}"}, {"x-api-key": KEY}):
            assert client("/v1/score", as_pairs(PAIRS[:1]), headers=headers).status_code == 200

    def test_other_names_are_refused(self, guarded: ASGIApp) -> None:
        assert "--allow-host" in problem(Client(guarded)("/health", headers={"host": "evil.example:80"}), 421)
        assert Client(guarded)("/health", headers={"host": "LocalHost:80"}).status_code == 200

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"origin": "http://localhost"}, 200),
            ({"origin": "https://editor.example"}, 200),
            ({"origin": "chrome-extension://abc"}, 200),
            ({}, 200),
        ],
    )
    def test_no_web_page_from_elsewhere_makes_work(
        self, guarded: ASGIApp, headers: dict[str, str], status: int
    ) -> None:
        response = Client(guarded, {"x-api-key": KEY})("/v1/parse", {"texts": [""]}, headers=headers)
        assert response.status_code == status
        assert status == 200 or "--allow-origin" in problem(response, 403)
        # Pages from the list can read answers, and problems too.
        known = "https://editor.example" if headers.get("origin") == "https://editor.example" else None
        assert response.headers.get("access-control-allow-origin") == known
        assert problem(without := Client(guarded)("/v1/parse", {"texts": [""]}, headers=headers), 401)
        assert without.headers.get("access-control-allow-origin") == known

    @pytest.mark.parametrize("origin", ["https://evil.example", "chrome-extension://abc", "http://localhost"])
    def test_a_page_that_asks_before_it_sends_is_told_the_option(self, guarded: ASGIApp, origin: str) -> None:
        headers = {"origin": origin, "access-control-request-method": "POST"}
        closed = create_app(Settings(options={"judge": "usim"}))
        for client in (TestClient(app, base_url="http://localhost") for app in (guarded, closed)):
            for path in ("/v1/score", "/health"):
                assert "--allow-origin" in problem(client.options(path, headers=headers), 403)
        allowed = headers | {"origin": "https://editor.example"}
        assert TestClient(guarded).options("/v1/score", headers=allowed).status_code == 200

    def test_an_error_of_the_service_is_a_problem(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: object, **__: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("usim.serve.app.answered", broken)
        assert "log" in problem(limited()("/v1/score", as_pairs(PAIRS[:1])), 500)

    def test_keys_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "keys"
        for content in ("", "# none\n", "short\n"):
            path.write_text(content)
            done = usim_here("serve", "--api-key-file", str(path))
            assert done.returncode == 2
            assert "openssl rand -hex 32" in done.stderr
        path.write_text(f"# mine\n{KEY}\n\n")
        assert read_keys(path) == (KEY,)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--host", "0.0.0.0"), "--api-key-file"),  # no strangers without keys
            *((("--limit", limit), "a number above 0 for one of body, text, tokens")
              for limit in ("text=0", "text=many", "words=3", "text")),
            *((("--languagetool", address), "http://localhost:8081")
              for address in ("localhost:8081", "ftp://localhost", "http://", "http://a b:x")),
        ],
    )  # fmt: skip
    def test_wrong_usage(self, options: tuple[str, ...], message: str) -> None:
        done = usim_here("serve", *options)
        assert done.returncode == 2
        assert message in done.stderr
