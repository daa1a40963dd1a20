"""A judge that reads what a trunk has read for the parser; the trunk is tiny, and its layers are multiples of words."""

import json
import pickle
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.support.flat import Flat
from tests.support.trunk import Session
from usim.errors import ParsingError
from usim.evidence import FEATURE_SCHEMA, Analysis, feature_names
from usim.judge import Analyser, EncoderInput, TokenEncoder, TrainedJudge, reading
from usim.judge.classifier import INPUTS
from usim.judge.grammar import SPAN
from usim.judge.inputs import PairInputs
from usim.judge.similarities import NAMES, similar_layers
from usim.judge.trained import load_encoder
from usim.parsing import ReadPart, load_trunk
from usim.text.checksums import digest_of


@pytest.fixture
def encoder(folder: Path) -> TokenEncoder:
    return TokenEncoder(folder, (6, 3))


def read_so_far(folder: Path) -> list[int]:
    session: Session = load_trunk(folder)._session
    return session.read


def test_tokens_get_the_layers_one_behind_the_other(encoder: TokenEncoder, folder: Path) -> None:
    whole = np.load(folder / "whole.npy")
    (vectors,) = encoder([["a", "b", ".", "d"]])
    assert vectors.shape == (4, encoder.width)
    assert encoder.width == 2 * encoder.lower
    rows = whole[[9, 10, 12, 13]]
    np.testing.assert_allclose(vectors, np.concatenate([6 * rows, 3 * rows], axis=1), rtol=2e-3, atol=2e-3)


def test_what_the_parser_has_read_is_not_read_again(encoder: TokenEncoder, folder: Path) -> None:
    tokens = ("a", "b", ".")
    (window,) = encoder.trunk.windows(tokens)
    part = ReadPart(window.ids, window.starts, encoder.trunk.outputs([window.ids])[0])
    before = len(read_so_far(folder))
    (handed,) = encoder.packed([EncoderInput(tokens, parts=(part,))])
    assert len(read_so_far(folder)) == before
    (kept,) = encoder([tokens])
    assert len(read_so_far(folder)) == before
    np.testing.assert_array_equal(handed.unpacked(), kept)
    (anew,) = TokenEncoder(folder, (6, 3))([tokens])
    assert len(read_so_far(folder)) == before + 1
    np.testing.assert_array_equal(handed.unpacked(), anew)


def test_of_a_text_only_sentences_that_are_new_are_read(encoder: TokenEncoder, folder: Path) -> None:
    encoder([["a", "b", "."]])
    before = len(read_so_far(folder))
    (both,) = encoder([["a", "b", ".", "d"]])
    assert len(read_so_far(folder)) == before + 1
    (anew,) = TokenEncoder(folder, (6, 3))([["a", "b", ".", "d"]])
    np.testing.assert_array_equal(both, anew)


def test_an_encoder_is_sent_to_another_process_by_its_path(encoder: TokenEncoder) -> None:
    copy = pickle.loads(pickle.dumps(encoder))
    np.testing.assert_array_equal(copy([["a", "c"]])[0], encoder([["a", "c"]])[0])


class PairSession:
    """A graph of pairs that sums the vectors of all tokens, and remembers what it was given.

    The logits of what is supported and of what is covered are two and three times that of the same meaning.
    """

    def __init__(self) -> None:
        self.given: list[dict[str, Any]] = []

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name=name) for name in INPUTS]

    def run(self, names: list[str], inputs: dict[str, Any]) -> list[Any]:
        self.given.append(inputs)
        return [np.tanh(inputs["x"].sum(axis=(1, 2)))[:, None] * [1.0, 2.0, 3.0]]


@pytest.fixture
def judge_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A judge beside the trunk."""
    home = folder / "judge"
    home.mkdir()
    (home / "pair.onnx").write_bytes(b"graph")
    zeros = {"first": [[0.0]], "near": np.zeros((SPAN, 1, 1)), "last": [0.0]}
    np.savez(home / "errors.npz", **zeros, first_bias=[0.0], near_bias=[0.0], last_bias=0.0, least=1.0)
    names = list(feature_names())
    count = len(names) + 2 * len(NAMES)
    about = {
        "name": "made", "features": names, "feature_schema": FEATURE_SCHEMA, "trunk": "..",
        "trunk_digest": load_trunk(folder).digest, "layers": [6, 3], "mean": [0.0] * count,
        "deviation": [1.0] * count, "calibration": [[1.0, 0.0], [1.0, 0.5], [0.5, 0.0]],
        "thresholds": {"keep": 0.6, "drop": 0.1}, "risk": {},
        "sha256": {name: digest_of(home / name) for name in ("pair.onnx", "errors.npz")},
    }  # fmt: skip
    (home / "settings.json").write_text(json.dumps(about))
    session = PairSession()
    monkeypatch.setattr("usim.judge.classifier.load_session", lambda *arguments: session)
    return home


def analyses(judge: TrainedJudge, *sentences: str) -> list[Analysis]:
    return Analyser(Flat(), judge.encoder).analyse([sentence.split() for sentence in sentences])


def logistic(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def test_a_judge_on_a_trunk(judge_folder: Path) -> None:
    judge = TrainedJudge(judge_folder)
    a, b, c = analyses(judge, "a b c", "a a c", "a b a")
    one, same, other = judge.judge([(a, b), (a, a), (a, c)])
    assert same.same == 1.0
    session: PairSession = judge._classify._session
    fed = session.given[0]
    width = judge.encoder.lower
    assert fed["x"].shape == (2, 6, width)
    logit = np.tanh(fed["x"][0].sum())
    assert one.same == pytest.approx(logistic(logit), abs=1e-4)
    assert one.supported == pytest.approx(logistic(2 * logit + 0.5), abs=1e-4)
    assert one.covered == pytest.approx(logistic(1.5 * logit), abs=1e-4)
    assert (same.supported, same.covered) == (1.0, 1.0)
    assert judge.judge([(a, c)])[0] == other  # whatever stands beside it
    assert fed["features"].shape == (2, len(feature_names()) + 2 * len(NAMES))


def test_pairs_are_read_together_in_order(judge_folder: Path) -> None:
    judge = TrainedJudge(judge_folder)
    sentences = analyses(judge, *(" ".join("abc"[k % 3 : k % 3 + 1] * (1 + k % 7)) for k in range(40)))
    pairs = list(pairwise(sentences))
    together = judge.judge(pairs)
    session: PairSession = judge._classify._session
    assert len(session.given) == 3  # 39 pairs, 16 at a time
    assert together == [judge.judge([pair])[0] for pair in pairs]


def test_a_judge_whose_graph_reads_something_else_is_refused(
    judge_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PairSession, "get_inputs", lambda session: [])
    with pytest.raises(ParsingError, match=r"another version of usim exported this judge.*export it anew"):
        TrainedJudge(judge_folder)


def test_similarities_of_several_layers(judge_folder: Path) -> None:
    judge = TrainedJudge(judge_folder)
    (before, width), (after, _) = (reading._all_vectors(x) for x in analyses(judge, "a b", "a c"))
    ones = np.ones(4, np.int64)
    inputs = PairInputs(np.arange(2), np.arange(2), np.array([2, -1, 0, -1]), ones, np.ones((4, 2), np.int64))
    both, soft = similar_layers(before, after, width, inputs)
    last, _ = similar_layers(before[:, -width:], after[:, -width:], width, inputs)
    np.testing.assert_array_equal(both[len(NAMES) :], last)
    assert soft.to_output.shape == soft.of_output.shape == (2, 2)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_similarities_by_hand() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(3, 5)).astype(np.float32), rng.normal(size=(4, 5)).astype(np.float32)
    flag, partner = np.array([1, 0, 1, 1, 3, 1, 0]), np.array([3, -1, 5, 0, -1, 2, -1])
    inputs = PairInputs(np.arange(3), np.arange(4), partner, flag, np.ones((7, 2), np.int64))
    a_unit, b_unit = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (a, b))

    table = np.array([[cosine(x, y) for y in b] for x in a])
    by_source, by_output = table.max(axis=1), table.max(axis=0)
    kept = [table[0, 0], table[2, 2]]
    expected = [
        cosine(a_unit.mean(axis=0), b_unit.mean(axis=0)),
        by_source.mean(), by_output.mean(), by_source.min(), by_output.min(),
        by_source[1], by_source[1], by_output[[1, 3]].mean(), by_output[[1, 3]].min(), np.mean(kept), min(kept),
        cosine(a_unit[1], b_unit[[1, 3]].mean(axis=0)), by_source.mean(), np.sort(by_output)[:3].mean(),
    ]  # fmt: skip

    same = PairInputs(np.arange(3), np.arange(3), np.array([3, 4, 5, 0, 1, 2]), np.ones(6), np.ones((6, 2)))
    for y, given, values in ((b, inputs, expected), (a, same, np.ones(len(NAMES)))):
        figures, _ = similar_layers(a, y, 5, given)
        np.testing.assert_allclose(figures, values, atol=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trunk": "nowhere"}, "not a usable trunk"),
        ({"trunk_digest": "0" * 64}, "not the trunk that the judge was trained with"),
        ({"layers": [6, 9]}, r"gives layers \[3, 6\], and the judge reads \[6, 9\]"),
        ({"layers": None}, "not a usable judge"),
        ({"calibration": [1.0, 0.0]}, "not a usable judge"),
        *(({"feature_schema": n}, f"train it anew.*schema {n!r}") for n in (None, 0, FEATURE_SCHEMA + 1)),
        ({"features": ["another"]}, "train it anew"),
        ({"sha256": {}}, r"no SHA-256 of pair\.onnx"),
    ],
)
def test_other_settings_are_refused(judge_folder: Path, changes: dict[str, Any], message: str) -> None:
    about = json.loads((judge_folder / "settings.json").read_text())
    (judge_folder / "settings.json").write_text(json.dumps(about | changes))
    is_of_trunk = bool(changes.keys() & {"trunk", "trunk_digest", "layers"})
    for load in (TrainedJudge, load_encoder) if is_of_trunk else (TrainedJudge,):
        with pytest.raises(ParsingError, match=message):
            load(judge_folder)
