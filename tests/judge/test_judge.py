"""The trained judge: what it makes of pairs, and what it refuses."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import cases
from usim.errors import ParsingError
from usim.judge import Analyser, JudgePipeline, TrainedJudge, UsimJudge, load_judge
from usim.judge.inputs import FLAGS, LONGEST, ROLES, flags, pair_inputs, roles
from usim.judge.trained import SHIPPED, load_encoder
from usim.measures import align_graphs
from usim.options import Options
from usim.parsing import load
from usim.verdicts import Opinion

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def judge() -> TrainedJudge:
    return TrainedJudge()


@pytest.fixture(scope="module")
def pipeline(judge: TrainedJudge) -> JudgePipeline:
    return JudgePipeline(load("en"), judge)


@pytest.fixture(scope="module")
def analyser(pipeline: JudgePipeline) -> Analyser:
    return pipeline.analyser


def said(analyser: Analyser, judge: TrainedJudge, source: str, output: str) -> Opinion:
    a, b = analyser.analyse([source, output])
    return judge.judge([(a, b)])[0]


@pytest.mark.parametrize(("source", "faithful", "unfaithful"), cases(__file__, "faithful.tsv"))
def test_a_faithful_change_is_above_an_unfaithful_one(
    analyser: Analyser, judge: TrainedJudge, source: str, faithful: str, unfaithful: str
) -> None:
    assert said(analyser, judge, source, faithful).same > said(analyser, judge, source, unfaithful).same


def test_identical_sentences_are_faithful_and_unrelated_ones_are_not(analyser: Analyser, judge: TrainedJudge) -> None:
    one = "The council wants to close two of its libraries next year."
    same = said(analyser, judge, one, one)
    assert (same.same, same.findings) == (1.0, None)
    other = said(analyser, judge, one, "My grandmother never learned how to swim.")
    assert other.same <= 0.05
    assert other.findings
    assert said(analyser, judge, "He left.", "").same == 0.0
    assert said(analyser, judge, "", "").same == 1.0


# Plain pairs come out on the right side, at the rates that the judge's card states: a few of either kind may miss it.

ROWS = cases(__file__, "sides.tsv")
SENTENCES = [text for kind, text, *_ in ROWS if kind == "plain"]


def faithfulness(pipeline: JudgePipeline, pairs: list[tuple[str, str]]) -> list[tuple[float, str]]:
    return [(j.judgement.faithfulness, j.judgement.verdict) for j in pipeline.judge_pairs(pairs)]


def test_unrelated_sentences_are_dropped(pipeline: JudgePipeline) -> None:
    """Short plain ones are the hardest: of longer ones 97 % have at most .05 (the card's figure)."""
    pairs = [(a, b) for k, a in enumerate(SENTENCES) for b in (SENTENCES[k - 1], SENTENCES[k - 3])]
    said = faithfulness(pipeline, pairs)
    assert sum(value > 0.05 for value, _ in said) <= 3
    assert sum(verdict != "drop" for _, verdict in said) <= 2
    assert all(value < 0.25 and verdict != "keep" for value, verdict in said)


def test_plain_negations_are_dropped(pipeline: JudgePipeline) -> None:
    pairs = [(a, b) for kind, *both in ROWS if kind == "negated" for a, b in (both, both[::-1])]
    said = faithfulness(pipeline, pairs)
    assert sum(verdict != "drop" for _, verdict in said) <= 2
    assert all(verdict != "keep" for _, verdict in said)


def test_identical_sentences_and_other_spellings_are_kept(pipeline: JudgePipeline) -> None:
    respelled = [(one, other) for kind, one, *others in ROWS if kind == "respelled" for other in others]
    said = faithfulness(pipeline, [*((text, text) for text in SENTENCES), *respelled])
    assert all(value >= 0.95 for value, _ in said[: len(SENTENCES)])
    assert all(verdict == "keep" for _, verdict in said)


def test_words_without_an_equal_one_are_linked_to_those_most_like_them(analyser: Analyser, judge: TrainedJudge) -> None:
    source, output = "A lorry stopped outside the house.", "Outside the house, a truck came to a halt."
    links = said(analyser, judge, source, output).soft_links
    (a, b) = analyser.analyse([source, output])
    words = {(a.tokens[i], b.tokens[j]) for i, j, _ in links}
    assert words >= {("lorry", "truck"), ("stopped", "halt")}
    assert all(0.5 <= cosine <= 1 for *_, cosine in links)
    assert list(links) == sorted(links)
    assert said(analyser, judge, source, source).soft_links == ()


def test_a_pair_does_not_depend_on_its_neighbours(analyser: Analyser, judge: TrainedJudge) -> None:
    texts = ["He saw a large dog.", "He saw a big dog.", "It rained for three days in the whole of the north.", "No."]
    together, each = analyser.analyse(texts), [analyser.analyse([text])[0] for text in texts]
    alone = [judge.judge([(x, y)])[0].same for x in each for y in each]
    assert [j.same for j in judge.judge([(a, b) for a in together for b in together])] == alone


def test_usim_alone_sees_no_opposites(analyser: Analyser, judge: TrainedJudge) -> None:
    pair = tuple(analyser.analyse(["The child was happy.", "The child was sad."]))
    (by_structure,), (by_words,) = UsimJudge().judge([pair]), judge.judge([pair])
    assert by_structure.same == 1.0
    assert by_words.same < 0.5
    assert by_words.comparison is not None
    assert by_structure.comparison is not None
    assert by_words.comparison.score.f == by_structure.comparison.score.f
    assert [r.kind for r in by_words.findings or ()] == ["opposite"]


def test_long_sentences_are_read_around_their_changes(analyser: Analyser, judge: TrainedJudge) -> None:
    long = " and ".join(f"the clerk of office {k} wrote a letter" for k in range(60)) + "."
    changed = long.replace("office 41 wrote", "office 41 burned")
    a, b = analyser.analyse([long, changed])
    inputs = pair_inputs(a.graph, b.graph, align_graphs(a.graph, b.graph))
    assert len(inputs.source) == len(inputs.output) == LONGEST
    assert a.tokens.index("41") in inputs.source
    assert 0 < judge.judge([(a, b)])[0].same < 1


WORDS = st.lists(st.sampled_from("the a dog Dog dogs saw was not it , .".split()), max_size=8)


@settings(deadline=None, max_examples=40)
@given(WORDS, WORDS)
def test_inputss_point_at_partners_and_back(analyser: Analyser, one: list[str], other: list[str]) -> None:
    a, b = (x.graph for x in analyser.analyse([one, other]))
    inputs = pair_inputs(a, b, align_graphs(a, b))
    n = len(a.tokens)
    for k, partner in enumerate(inputs.partner.tolist()):
        if partner >= 0:
            assert inputs.partner[partner] == k
            assert (k < n) != (partner < n)
            assert inputs.flag[k] == inputs.flag[partner] > 0
        else:
            assert inputs.flag[k] == 0
    assert inputs.flag.max(initial=0) < FLAGS
    assert inputs.role.max(initial=0) < ROLES
    assert inputs.role.shape == (n + len(b.tokens), 2)


def test_flags_and_roles_by_hand(analyser: Analyser) -> None:
    assert flags(("The", "dog", "ran"), np.array([0, 1, -1]), ("the", "cat")).tolist() == [2, 3, 0]
    graph = analyser.analyse(["Birds sing."])[0].graph
    assert roles(graph).tolist() == [[1, 1], [10, 10], [15, 15]]  # A, P and U, which hangs beside the scene


def test_vectors_are_those_of_tokens_in_context(analyser: Analyser) -> None:
    one, other = analyser.analyse(["The bank lent money.", "The bank of the river."])
    assert one.vectors is not None
    assert other.vectors is not None
    assert one.upper is not None
    assert one.vectors.shape == (len(one.tokens), 768)
    assert one.upper.unpacked().shape == (len(one.tokens), 3 * 768)
    assert not np.allclose(one.vectors[1], other.vectors[1])
    many = load_encoder(SHIPPED / "en/judge")([["word"] * 1200, []])
    assert [v.shape for v in many] == [(1200, 4 * 768), (0, 4 * 768)]


def test_wrong_use_is_an_error_that_says_what_to_do(judge: TrainedJudge, tmp_path: Path) -> None:
    bare = Analyser(load("en"), None).analyse(["One.", "Two."])
    with pytest.raises(ValueError, match="needs the vectors"):
        judge.judge([(bare[0], bare[1])])
    with pytest.raises(ValueError, match="no such judge: 'nobody'; there are en"):
        load_judge("nobody")
    with pytest.raises(ParsingError, match=r"not a usable judge.*missing"):
        TrainedJudge(tmp_path / "missing")


def linked(tmp_path: Path) -> Path:
    """Return the judge of the small model in a folder of links to its files."""
    shutil.copytree(SHIPPED / "en-fast", tmp_path / "model", copy_function=os.symlink)
    return tmp_path / "model/judge"


@pytest.mark.parametrize(
    ("name", "content"),
    [("settings.json", b"{}"), ("settings.json", b"garbage"), ("pair.onnx", b""), ("pair.onnx", None),
     ("errors.npz", b"no arrays"),
     ("../trunk/settings.json", b"{}"), ("../trunk/weights.npz", b"garbage"), ("../trunk/trunk.onnx", None)],
)  # fmt: skip
def test_a_broken_file_of_a_judge_is_named(name: str, content: bytes | None, tmp_path: Path) -> None:
    folder = linked(tmp_path)
    whole = (folder / name).read_bytes()
    (folder / name).unlink()
    (folder / name).write_bytes(whole[:-100] if content is None else content)
    with pytest.raises(ParsingError) as caught:
        load_judge(str(folder))
    told = Path(str(caught.value).partition(":")[0]).resolve()
    assert (folder / name).resolve() in (told, told / "settings.json")


def test_a_judge_encodes_with_its_own_encoder(tmp_path: Path) -> None:
    folder = linked(tmp_path)
    pipeline = Options(judge=str(folder)).load_pipeline()
    assert pipeline.analyser.encoder is pipeline.judge.encoder
    assert pipeline.judge.name.startswith("judge-fast")


def test_every_file_of_a_judge_has_a_checksum() -> None:
    folder = SHIPPED / "en-fast/judge"
    about = json.loads((folder / "settings.json").read_text())
    assert set(about["sha256"]) == {file.name for kind in ("*.onnx", "*.npz") for file in folder.glob(kind)}
