"""The best of several rewrites, and outputs that are repaired."""

from __future__ import annotations

import json
import re

import pytest

from tests.command import usim_here
from tests.servers.server import in_turn, serving
from usim.errors import InputError, OptionError
from usim.evidence import Finding
from usim.rewrites import Change, Repair
from usim.scorer import Scorer
from usim.servers.llm import ChatModel, Endpoint
from usim.verdicts import Judgement, Result

pytestmark = pytest.mark.model

SOURCE, CHANGED = "We pays 20 euros unless it rain.", "We pay 25 euros unless it rains."
GOOD = "We pay 20 euros unless it rains."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


class TestBest:
    def test_the_most_faithful_that_is_kept(self, scorer: Scorer) -> None:
        best = scorer.best(SOURCE, [CHANGED, GOOD, "We pay."])
        assert best.text == GOOD
        assert best.nearest is best.results[1]
        assert [result.output for result in best.results] == [CHANGED, GOOD, "We pay."]
        assert best.to_dict()["nearest"] == 1

    def test_none_has_the_findings_of_the_nearest(self, scorer: Scorer) -> None:
        best = scorer.best(SOURCE, [CHANGED])
        assert best.text is None
        assert best.nearest is best.results[0]
        assert any("25" in finding.text for finding in best.nearest.judgement.shown)

    def test_no_candidates(self, scorer: Scorer) -> None:
        with pytest.raises(InputError, match="no candidates"):
            scorer.best(SOURCE, [])
        with pytest.raises(TypeError, match="list of texts"):
            scorer.best(SOURCE, GOOD)

    def test_the_policy_decides(self, scorer: Scorer) -> None:
        source, short = "He was tired, so he went home early.", "He went home early."
        assert scorer.best(source, [short]).text is None
        assert scorer.best(source, [short], policy="shorten").text == short
        with pytest.raises(OptionError, match="no such policy"):
            scorer.best(source, [short], policy="longer")  # type: ignore[arg-type]


class TestRepair:
    @pytest.mark.parametrize(
        ("source", "output", "text", "changes"),
        [
            (SOURCE, GOOD, GOOD, []),
            (SOURCE, CHANGED, GOOD, ["put “20” back in place of “25”"]),
            ("Unless it rains, Tom goes home.", "Tom goes home.", "Unless it rains, Tom goes home.",
             ["put back “Unless it rains,”"]),
            ("He don't like it , but he do not complains.", "He likes it, but he doesn't complain.",
             "He don't like it, but he doesn't complain.", ["put “don't like” back in place of “likes”"]),
            # A noun is undone with what counts it.
            ("The van stopped, so we came a day late.", "The van stopped, so we came two days late.",
             "The van stopped, so we came a day late.", ["put “a day” back in place of “two days”"]),
        ],
    )  # fmt: skip
    def test_as_little_as_possible_is_undone(
        self, scorer: Scorer, source: str, output: str, text: str, changes: list[str]
    ) -> None:
        repair = scorer.repair(source, output)
        assert repair.text == text
        assert [str(change) for change in repair.changes] == changes
        assert repair.result.judgement.verdict == "keep"

    def test_the_source_is_the_last_resort(self, scorer: Scorer) -> None:
        assert scorer.repair("The cat sleeps.", "Stocks fell sharply.").text == "The cat sleeps."

    def test_of_two_sentences_no_third_one_is_made(self, scorer: Scorer) -> None:
        source = "The museum is closed on Mondays and admission is free for children under six."
        repair = scorer.repair(source, "The museum is closed on Sundays, and children under six get in free.")
        assert len(repair.changes) == 1 or repair.text == source

    def test_many_differences_are_undone_together(self, scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("usim.rewrites.MOST_CHANGES", 3)
        source, output = "He saw 30 dogs. He saw 31 dogs.", "She met 50 cats. She met 51 cats."
        repair = scorer.repair(source, output)
        assert repair.text == source
        assert len(repair.changes) <= 3

    def test_a_model_is_told_the_findings(self, scorer: Scorer) -> None:
        with serving(in_turn(["We pay 30 euros unless it rains.", GOOD])) as server:
            repair = scorer.repair(SOURCE, CHANGED, model=ChatModel(Endpoint(url=server.url, model="m")))
        assert (repair.text, repair.changes) == (GOOD, ())
        first, second = ([message["content"] for message in request["messages"]] for request in server.requests)
        assert SOURCE in first[0]
        assert re.search("“20( euros)?” became “25", first[0])
        assert re.search("“20( euros)?” became “30", second[-1])

    def test_where_the_model_fails_differences_are_undone(self, scorer: Scorer) -> None:
        with serving(in_turn(["We pay 30 euros unless it rains."])) as server:
            model = ChatModel(Endpoint(url=server.url, model="m"))
            repair = scorer.repair(SOURCE, CHANGED, model=model, tries=2)
        assert repair.text == GOOD
        assert len(server.requests) == 2


class TestCommand:
    def test_it_prints_what_was_undone(self) -> None:
        assert (
            usim_here("repair", SOURCE, CHANGED).stdout
            == f"the output was drop: put “20” back in place of “25”\n{GOOD}\n"
        )
        assert usim_here("repair", GOOD, GOOD).stdout == f"the output was keep: there is nothing to undo\n{GOOD}\n"
        answer = json.loads(usim_here("repair", SOURCE, CHANGED, "--format", "json").stdout)
        assert answer["text"] == GOOD
        assert answer["changes"] == [{"source": "20", "output": "25"}]

    def test_of_a_source_that_is_given_back_nothing_is_said_that_was_not_tried(self) -> None:
        """Other texts may keep the meaning, too: they are not known."""
        rewrite = "Unless it rains we are going to be charged 25 euros."
        head, text = usim_here("repair", "We pay 20 euros.", "We pay 25 euros.").stdout.splitlines()
        said = "no mixture of both texts that was tried is sound, so this is the source"
        assert (head, text) == (f"the output was drop: {said}", "We pay 20 euros.")
        assert json.loads(usim_here("repair", GOOD, rewrite, "--format", "json").stdout)["note"] in said

    def test_what_is_still_found_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first, finding = Judgement(0.1, (), verdict="drop"), Finding("number", "The number is gone", (3,))
        for verdict, line in (
            ("keep", "drop: put back “20”"),
            ("drop", "drop: not repaired, the verdict even on this text is drop"),
        ):
            left = Judgement(0.9, (finding,), verdict=verdict)
            results = [Result(SOURCE, text, 0.9, judgement) for text, judgement in ((CHANGED, first), (GOOD, left))]
            repaired = Repair(results[1], (Change("20", ""),), (results[0],))
            monkeypatch.setattr(Scorer, "repair", lambda *_, repaired=repaired, **__: repaired)
            head, text, found = usim_here("repair", SOURCE, CHANGED).stdout.splitlines()
            assert head.startswith(f"the output was {line}")
            assert (text, found) == (GOOD, "still found: The number is gone")

    def test_a_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with serving(in_turn([GOOD])) as server:
            monkeypatch.setenv("USIM_LLM_ENDPOINT", server.url)
            done = usim_here("repair", SOURCE, CHANGED, "--rewriter", "m")
        assert done.stdout == f"the output was drop: written anew by the model\n{GOOD}\n"
