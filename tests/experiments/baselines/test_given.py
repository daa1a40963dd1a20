"""Baselines that are given the target: SWORDS, ProLex and SWS."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from experiments.baselines.given import Candidate, GivenTarget, opened, targets_of, write
from experiments.baselines.masked import METHODS, Masked
from experiments.baselines.targets import Finder, RuleBased
from experiments.baselines.thesaurus import table
from tests.benchmarks.conftest import swords_data, written
from tests.command import study_here
from tests.experiments.baselines.conftest import PIECES
from tests.servers.server import LlmServer, serving
from usim.benchmarks import sws
from usim.benchmarks.benchmark import Benchmark
from usim.text import Span

WORDS = ["An", "intimate", "friend", "of", "mine"]
SWS = {
    "s": {"sentence_split": WORDS, "substitutes": [[[1, 2], {"close": 3}, 1], [[2, 3], {"pal": 2}, 2]]},
    "t": {"sentence_split": ["Go", "!"], "substitutes": []},
}
SWORDS = swords_data(
    "She walked home. An intimate friend.",
    {"u": ("walked", "VERB", {}), "v": ("intimate", "ADJ", {"close": ["TRUE", "TRUE"]})},
)
PROLEX = (
    "target word,Sentence,acc_subs,prof_acc_subs\n"
    "intimate,\"Yes, an **intimate** friend.\",\"['close', 'dear']\",['close']\n"
)
MINE = table({"intimate": {"ADJ": ["close", "dear, old"]}, "walk": {"VERB": ["stroll"], "NOUN": ["path"]}}, "mine")
#: The files of the three benchmarks, with the options that they need.
BENCHMARKS = (("swords.json.gz",), ("prolex.csv",), ("sws.json", "--given"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    written(tmp_path / "sws.json", SWS)
    written(tmp_path / "swords.json.gz", SWORDS)
    written(tmp_path / "prolex.csv", PROLEX)
    written(tmp_path / "mine.tsv", "intimate\tadj\tclose\tdear\nwalk\tverb\tstroll\n")
    written(tmp_path / "more.tsv", "intimate\tadj\tclose\tpersonal\n")
    return tmp_path


def run(name: str, folder: Path, source: str, *options: object, code: int = 0) -> str:
    """Run a baseline on a file; return what it says on standard error."""
    done = study_here("baseline", name, folder / source, "-o", folder / "out", *map(str, options))
    assert done.returncode == code, done.stderr
    return done.stderr


def suggested(folder: Path) -> Mapping[Span, Sequence[str]]:
    """What was suggested for the first sentence of the data of SWS."""
    return sws.Sws.open(folder / "sws.json").read_predictions(folder / "out")["s"]


def gold_of(path: Path) -> Benchmark[Any]:
    benchmark = opened(path, given=True)
    assert benchmark is not None
    return benchmark


# Reading and writing


def test_targets_of_the_three_benchmarks(files: Path) -> None:
    given = gold_of(files / "swords.json.gz")
    assert given.name == "swords"
    walked, intimate = targets_of(given)
    assert (walked.name, walked.text, walked.pos) == ("u", "walked", "VERB")
    assert intimate.words[intimate.start - 1 : intimate.end + 1] == ("An", "intimate", "friend")
    (only,) = targets_of(gold_of(files / "prolex.csv"))
    assert (only.name, only.text, only.words[:3]) == ("0", "intimate", ("Yes", ",", "an"))
    targets = targets_of(gold_of(files / "sws.json"))
    assert [(target.name, target.text) for target in targets] == [("s", "intimate"), ("s", "friend")]
    assert opened(files / "sws.json") is None


def test_a_long_context_is_cropped_around_its_target() -> None:
    target = GivenTarget("x", tuple("abc"[i % 3] for i in range(500)), 250, 252)
    cropped = target.cropped()
    assert len(cropped.words) == 202
    assert cropped.text == target.text
    assert GivenTarget("x", ("a", "b"), 1, 2).cropped().words == ("a", "b")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sws.json", {"s": {(1, 2): ("close", "on, and on"), (2, 3): ("close", "on, and on")}, "t": {}}),
        ("prolex.csv", {0: ("close", "on and on")}),
        ("swords.json.gz", {name: [("close", 2.0), ("on, and on", 1.0)] for name in "uv"}),
    ],
)
def test_what_is_written_is_what_the_scorer_reads(files: Path, name: str, expected: object) -> None:
    given = gold_of(files / name)
    with open(files / "made", "w", encoding="utf-8") as file:
        write(given, file, [(t, [Candidate("close", 2.0), Candidate("on, and on", 1.0)]) for t in targets_of(given)])
    assert given.read_predictions(files / "made") == expected


# Synonyms


def test_synonyms_of_a_given_target_in_its_form() -> None:
    system = RuleBased(Finder(MINE)).substitutes
    walked = GivenTarget("u", ("She", "walked", "home"), 1, 2, "VERB")
    assert [candidate.text for candidate in system(walked)] == ["strolled"]
    assert system(walked._replace(pos=None)) == system(walked)
    assert system(GivenTarget("u", ("A", "walk"), 1, 2, "NOUN"))[0] == Candidate("path", 1.0)
    assert system(GivenTarget("u", ("Go", "!"), 0, 1)) == []
    shuffled = RuleBased(Finder(MINE), k=1, seed=3).substitutes
    assert shuffled(walked) == shuffled(walked)


def test_rules_on_each_benchmark_from_the_command_line(files: Path) -> None:
    for name, *given in BENCHMARKS:
        assert f"given:{name.split('.')[0]}" in run("rules", files, name, "--thesaurus", files / "mine.tsv", *given)
    assert suggested(files) == {(1, 2): ("close", "dear"), (2, 3): ()}


def test_a_union_of_thesauri_from_the_command_line(files: Path) -> None:
    for way, synonyms in (("--and", ("close",)), ("--or", ("close", "dear", "personal"))):
        run("rules", files, "sws.json", "--thesaurus", files / "mine.tsv", way, files / "more.tsv")
        assert suggested(files)[1, 2] == synonyms
    both = ("--thesaurus", "wordnet", "--or", "wordnet", "--and", "wordnet")
    assert "give one of them" in run("rules", files, "sws.json", *both, code=2)


# A masked language model that is shown the target or a mask


@pytest.mark.slow  # torch and transformers take their time to load
@pytest.mark.parametrize(
    ("method", "shown"), [("mask", "an [MASK] friend ."), ("keep", "an intimate friend .")], ids=METHODS
)
def test_the_scores_are_those_of_the_model_itself(tiny: Path, method: str, shown: str) -> None:
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    with torch.inference_mode():
        pieces = AutoTokenizer.from_pretrained(tiny)(shown, return_tensors="pt")
        scores = AutoModelForMaskedLM.from_pretrained(tiny).eval()(**pieces).logits[0].log_softmax(-1)
    system = Masked(str(tiny), method=method, k=3)
    made = system.substitutes(GivenTarget("x", ("an", "intimate", "friend", "."), 1, 2))
    assert made[0].text == "close"
    assert "intimate" not in [candidate.text for candidate in made]
    assert [c.score for c in made] == pytest.approx([float(scores[2, PIECES.index(c.text)]) for c in made], abs=1e-5)
    assert [c.score for c in made] == sorted((c.score for c in made), reverse=True)
    assert f"|sees:{method}|" in system.signature
    # Marks, and pieces that are no words, are never proposed.
    every = Masked(str(tiny), method=method, k=50).substitutes(GivenTarget("x", ("[MASK]", "intimate"), 1, 2))
    assert {candidate.text for candidate in every} <= {p for p in PIECES if p.isalpha() and len(p) > 1}
    assert system.substitutes(GivenTarget("x", ("intimate",) * 60, 3, 4)) == []  # too long for the model


@pytest.mark.slow
def test_a_target_of_several_pieces_is_kept_as_its_longest(tiny: Path) -> None:
    system = Masked(str(tiny), method="keep")
    dearly, dear = (system.substitutes(GivenTarget("x", ("a", word, "friend"), 1, 2)) for word in ("dearly", "dear"))
    assert [c.score for c in dearly if c.text != "dear"] == [c.score for c in dear][: len(dearly) - 1]


@pytest.mark.slow
def test_masked_models_from_the_command_line(tiny: Path, files: Path) -> None:
    for name, *given in BENCHMARKS:
        run("masked", files, name, "--model", tiny, "-k", 2, *given)
    assert all(len(made) == 2 for made in suggested(files).values())
    run("masked", files, "sws.json", "--model", files / "nowhere", "--given", code=2)


class TestPrompted:
    """A large language model, asked by the papers' prompts, on a server that plays its part."""

    @pytest.fixture
    def server(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
        with serving(lambda request: self.answer) as server:
            monkeypatch.setenv("USIM_LLM_ENDPOINT", server.url)
            yield server

    answer = "close, dear, close, near."

    def test_targets_of_prolex(self, files: Path, server: LlmServer) -> None:
        run("prompted", files, "prolex.csv", "--prompt", "prolex", "--model", "m", "-k", "2")
        gold = gold_of(files / "prolex.csv")
        assert dict(gold.read_predictions(files / "out")) == {0: ("close", "dear")}
        (message,) = server.requests[0]["messages"]
        assert message["content"].endswith(
            "Target word: intimate\nSentence: Yes , an **intimate** friend .\nSubstitutes:"
        )

    def test_examples_are_drawn(self, files: Path, server: LlmServer) -> None:
        examples = "target_words,substitutes,query_pos,original_sentences\nbig,\"['large', 'huge']\",adj,A big dog.\n"
        written(files / "train.csv", examples)
        run("prompted", files, "prolex.csv", "--prompt", "prolex-32", "--model", "m", "--examples", files / "train.csv")
        assert "Sentence: A **big** dog.\nSubstitutes: large, huge\n" in server.requests[0]["messages"][0]["content"]
        named = ("--prompt", "swords", "--model", "m")
        run("prompted", files, "swords.json.gz", *named, "--examples", files / "swords.json.gz")
        assert "An **intimate** friend." in server.requests[-1]["messages"][0]["content"]
        assert "give --examples" in run("prompted", files, "swords.json.gz", *named, code=2)

    def test_sentences_of_sws(self, files: Path, server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(TestPrompted, "answer", 'Sure: {"intimate": ["close", "dear"], "absent": ["x"]}')
        run("prompted", files, "sws.json", "--prompt", "sws", "--model", "m")
        assert dict(suggested(files)) == {(1, 2): ("close", "dear")}
        assert "give --model and --prompt" in run(
            "prompted", files, "prolex.csv", "--prompt", "sws", "--model", "m", code=2
        )

    def test_training_data(self, files: Path, server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
        answer = "Tagged Sentence: A **big** dog.\nTarget word: big (A1)\nFinal Substitutes: large, huge"
        monkeypatch.setattr(TestPrompted, "answer", answer)
        (files / "texts.txt").write_text("A big dog.\nNo such word.\n", encoding="utf-8")
        done = study_here("generate", files / "texts.txt", "--model", "m", "-o", files / "data.csv")
        assert done.returncode == 0, done.stderr
        header, row = (files / "data.csv").read_text(encoding="utf-8").splitlines()
        assert header == "target_words,substitutes,query_pos,original_sentences"
        assert row.startswith("big,\"['large', 'huge']\",")
