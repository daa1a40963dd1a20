"""Candidates in the order of faithfulness and grammaticality."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.support.flat import Flat, scorer_of
from usim.checkers import load_checker
from usim.errors import InputError
from usim.gec import CheckerGrammar, Reranker
from usim.records.nbest import Candidate, CandidateList

LIST = CandidateList(
    1, "We was at home .", (Candidate("We was at home ."), Candidate("We were at home ."), Candidate("We ."))
)


class Told:
    """Grammaticality that is known."""

    name = "told"

    def __init__(self, **scores: float) -> None:
        self.known = {name.replace("_", " "): value for name, value in scores.items()}
        self.asked: list[str] = []

    def scores(self, texts: Sequence[str]) -> list[float]:
        self.asked += texts
        return [self.known[text] for text in texts]


@pytest.mark.model
class TestOrder:
    def test_gamma_weighs_both(self) -> None:
        told = Told(**{"We was at home .": 0.2, "We were at home .": 1.0, "We .": 1.0})
        scores = {}
        for gamma in (0.0, 0.5, 1.0):
            ((one, ranked),) = Reranker(scorer_of(Flat()), told, gamma=gamma).rerank([LIST])
            assert one is LIST
            assert [r.score for r in ranked] == sorted((r.score for r in ranked), reverse=True)
            scores[gamma] = ranked
        assert [r.place for r in scores[0.0]] == [0, 1, 2]  # the sentence itself keeps all of the meaning
        assert scores[0.0][0].score == 1.0
        assert [r.place for r in scores[1.0]] == [1, 2, 0]  # of equals the corrector's order stays
        middle = scores[0.5]
        assert middle[0].text == "We were at home ."
        assert middle[0].score == pytest.approx(0.5 * 1.0 + 0.5 * middle[0].usim)
        assert len(told.asked) == 2 * 3  # with gamma 0 nobody is asked

    def test_grammaticality_that_the_file_states(self) -> None:
        given = CandidateList(4, "He go .", (Candidate("He go .", 0.0), Candidate("He goes .", 1.0)))
        ((_, ranked),) = Reranker(scorer_of(Flat()), gamma=1).rerank([given])
        assert [(r.text, r.grammar, r.score) for r in ranked] == [("He goes .", 1.0, 1.0), ("He go .", 0.0, 0.0)]
        with pytest.raises(InputError, match="give --grammar harper") as e:
            list(Reranker(scorer_of(Flat())).rerank([given, LIST]))
        assert e.value.line == 1

    def test_signature_and_limits(self) -> None:
        reranker = Reranker(scorer_of(Flat()), Told(), gamma=0.27)
        assert "|rerank|gamma:0.27|grammar:told|v:" in reranker.signature
        with pytest.raises(ValueError, match="gamma must lie between 0 and 1"):
            Reranker(scorer_of(Flat()), gamma=1.1)

    def test_harper(self) -> None:
        grammar = CheckerGrammar(load_checker("harper"), "harper")
        wrong, right = "I has an apple and an banana.", "I have an apple and a banana."
        assert grammar.scores([wrong, right, wrong])[1] == 1.0
        assert grammar.scores([wrong])[0] < 1.0
        assert grammar.scores([]) == []
        assert grammar.scores(["I have two cats ."]) == [1.0]  # as tokenised data have it

    def test_the_command(self, write: Callable[[str, str], Path], tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        wrong, right = "I has an banana.", "I have a banana."
        file = write("a.jsonl", json.dumps({"source": "I has an banana", "candidates": [wrong, right]}) + "\n")
        done = usim_here("rerank", file, "--grammar", "harper", "--gamma", "1", "--judge", "usim", "-o", out)
        assert done.returncode == 0, done.stderr
        record = json.loads(out.read_text(encoding="utf-8"))
        assert [c["text"] for c in record["candidates"]] == [right, wrong]
        assert [c["place"] for c in record["candidates"]] == [1, 0]
        assert "1 sources, 2 candidates; another one is first in 1" in done.stderr
        assert "gamma:1|grammar:harper" in done.stderr

        files = [write(name, text + "\n") for name, text in (("s", "I has an banana"), ("x", wrong), ("y", right))]
        best = usim_here("rerank", *files, "--grammar", "harper", "--gamma", "1", "--judge", "usim", "--best")
        assert (best.returncode, best.stdout) == (0, right + "\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl: No such file"),
        (("{a}", "--gamma", "2"), "--gamma"),
        (("{a}", "--grammar", "nobody"), "'nobody' is no address"),
        (("{empty}",), "no candidates in it"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    a, empty = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    a.write_text('{"source": "a", "candidates": ["b"]}\n', encoding="utf-8")
    empty.write_text("\n", encoding="utf-8")
    done = usim_here("rerank", *(argument.format(a=a, empty=empty) for argument in arguments), "-o", tmp_path / "out")
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_a_candidate_that_is_too_long_is_named_before_anything_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    records = [{"source": "a", "candidates": ["b"]}, {"source": "a", "candidates": ["b " * 70_000]}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = usim_here("rerank", path, "--gamma", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"usim: {path}:2: a text has 70000 words or more" in done.stderr
