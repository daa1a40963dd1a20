"""The lessons of the reader, the network, and its graph."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("lemminflect")
from judges.data import Pair
from judges.lessons import (
    HELD_AUTHORS,
    UNKNOWN,
    Lesson,
    Vectors,
    _crossed,
    _joined,
    _marked,
    _unlike,
    encode,
    lesson_of,
    texts_of,
    tokens_of,
    vectors_of,
)
from usim.parsing.network import Window


def _pair(source: str, output: str, label: float) -> Lesson:
    return lesson_of(Pair(source, output, label, "words", source), "words")


def test_what_was_exchanged_in_one_place_drifted() -> None:
    lesson = _pair("The rally was put off .", "The rally was called off .", 0.05)
    assert lesson.drifted == ([0, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0])


def test_of_what_says_the_same_nothing_drifted() -> None:
    assert _pair("The rally was put off .", "They postponed the rally .", 0.95).drifted == ([0] * 6, [0] * 5)


def test_of_a_whole_sentence_that_says_something_else_no_place_is_known() -> None:
    source, output = "Ann met Bo in the old town on Monday .", "Nobody in the whole city had ever seen either of them ."
    assert set(_pair(source, output, 0.05).drifted[0]) == {UNKNOWN}


def test_marks_of_authors_are_tokens_of_either_side() -> None:
    row = {"source": "Either party may end it.", "output": "The client can end it.", "label": "0", "kind": "x",
           "direction": "changed", "marks": "Either party|The client"}  # fmt: skip
    (lesson,) = _marked([row], "rewrites")
    assert lesson.drifted == ([1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0])


def test_where_only_one_side_of_a_change_is_marked_the_other_is_unknown() -> None:
    row = {"source": "She may come.", "output": "She will come.", "label": "0", "kind": "x", "direction": "changed",
           "marks": "will"}  # fmt: skip
    (lesson,) = _marked([row], "rewrites")
    assert lesson.drifted == ([UNKNOWN] * 4, [0, 1, 0, 0])


def test_outputs_of_one_source_are_read_beside_each_other() -> None:
    source = "Either party may end it."
    rows = [
        {"source": source, "output": output, "label": label, "kind": "x", "direction": direction, "marks": marks}
        for output, label, direction, marks in (
            ("Each of the two may end it.", "1", "", ""),
            ("Both sides are free to end it.", "1", "", ""),
            ("Each of the two may end it today.", "0", "added", "today"),
        )
    ]
    same, changed = _crossed(list(_marked(rows, "authors", "a")))
    assert {same.source, same.output} == {rows[0]["output"], rows[1]["output"]}
    assert same.wanted[0] > 0.8
    assert same.drifted == ([0] * 8, [0] * 8)
    assert (changed.source, changed.output) == (same.source, rows[2]["output"])
    assert changed.wanted[0] < 0.2 < changed.wanted[2]
    assert changed.drifted[0] == [0] * 8
    assert [word for word, mark in zip(tokens_of(changed.output), changed.drifted[1], strict=True) if mark] == ["today"]


def test_turned_what_supports_the_output_covers_the_source() -> None:
    lesson = _pair("A rally ended .", "A rally .", 0.1)._replace(
        wanted=(0.1, 0.9, 0.2), drifted=([0, 0, 1, 0], [0] * 3)
    )
    turned = lesson.turned
    assert (turned.source, turned.output, turned.wanted) == ("A rally .", "A rally ended .", (0.1, 0.2, 0.9))
    assert turned.drifted == ([0] * 3, [0, 0, 1, 0])
    assert turned.turned == lesson


def test_all_pairs_of_some_authors_are_held_out() -> None:
    row = {
        "source": "She may come.",
        "output": "She might come.",
        "label": "1",
        "kind": "x",
        "direction": "",
        "marks": "",
    }
    held = {name: next(_marked([row], "authors", name)).is_held_out for name in (*HELD_AUTHORS, "contracts")}
    assert held == dict.fromkeys(HELD_AUTHORS, True) | {"contracts": False}


def test_pairs_of_an_author_in_a_row_say_the_same_if_all_of_them_do() -> None:
    rows = [
        {"source": f"{name} may come.", "output": f"{name} {verb} come.", "label": label, "kind": "x",
         "direction": "changed" * (label == "0"), "marks": "may|will" * (label == "0")}
        for name in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
        for verb, label in (("might", "1"), ("could", "1"), ("will", "0"), ("will", "0"))
    ]  # fmt: skip
    for k, row in enumerate(rows):
        row["output"] += f" {k}"
    lessons = list(_marked(rows, "authors", "contracts"))
    joined = list(_joined(lessons))
    assert joined
    assert joined == list(_joined(lessons[::-1]))  # the order does not matter
    for lesson in joined:
        is_drifted = "will" in lesson.output
        assert [len(tokens_of(text)) for text in (lesson.source, lesson.output)] == list(map(len, lesson.drifted))
        assert lesson.wanted[0] == (min(one.wanted[0] for one in lessons) if is_drifted else lessons[0].wanted[0])
        assert lesson.drifted[1].count(1) == lesson.drifted[0].count(1) == is_drifted
        assert not lesson.is_held_out


def test_texts_of_two_authors_have_nothing_in_common() -> None:
    lessons = [_pair(source, f"{source} too", 0.9)._replace(author="x") for source in ("One", "Two", "Three", "Four")]
    unlike = list(_unlike(lessons))
    assert [(one.source, one.output) for one in unlike] == [("One", "Three too"), ("Two", "Four too")]
    assert {one.wanted for one in unlike} == {(0.02, 0.02, 0.02)}
    assert unlike[0].drifted == ([UNKNOWN], [UNKNOWN] * 2)


class _Trunk:
    """A trunk that gives the number of each piece, plus that of the layer, as its vectors, and counts what it reads."""

    width = 2

    def __init__(self, layers: tuple[int, ...] = (3, 4, 5, 6)) -> None:
        self.read, self.layers = 0, layers

    def windows(self, tokens: tuple[str, ...]) -> list[Window]:
        ids = [0, *(len(token) for token in tokens), 0]
        return [Window(0, 0, len(tokens), [], ids, list(range(1, len(ids))))]

    def outputs(self, sentences: list[list[int]]) -> list[np.ndarray]:
        self.read += len(sentences)
        layers = np.array(self.layers, np.float16)[:, None, None]
        return [np.repeat(np.array(ids, np.float16)[None, :, None] + layers, 2, axis=2) for ids in sentences]


def test_vectors_of_a_text_are_those_of_its_tokens_and_are_written_once(tmp_path: Path) -> None:
    trunk = _Trunk()
    lessons = [_pair("A rally", "A rally ended", 0.9)]
    encode(texts_of(lessons), trunk, tmp_path)  # type: ignore[arg-type]
    encode([*texts_of(lessons), "A day"], trunk, tmp_path)  # type: ignore[arg-type]
    assert trunk.read == 3
    vectors = Vectors(tmp_path)
    assert vectors["A rally ended"].tolist() == [[7, 7], [11, 11], [11, 11]]
    assert vectors["A day"].tolist() == [[7, 7], [9, 9]]


def test_over_a_whole_encoder_a_reader_goes_on_from_its_middle_and_compares_the_layer_below_the_last() -> None:
    (vectors,) = vectors_of(_Trunk((2, 3, 5, 6)), ["A day"])  # type: ignore[arg-type]
    assert vectors.tolist() == [[4, 4, 6, 6], [6, 6, 8, 8]]


def _tiny_reader(kind: str):  # type: ignore[no-untyped-def]
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from judges.reader import ReaderNet
    from training.mpnet import UpperBert, UpperEncoder

    torch.manual_seed(1)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=30, hidden_size=24, num_hidden_layers=8, num_attention_heads=4, intermediate_size=32,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, attn_implementation="eager",
    )  # fmt: skip
    encoder = getattr(transformers, f"{kind}Model")(config, add_pooling_layer=False)
    upper = (UpperEncoder if kind == "MPNet" else UpperBert)(encoder)
    torch.nn.init.normal_(upper.bias.weight)
    return ReaderNet(upper).eval(), config


def _fed(lengths: list[tuple[int, int]], layers: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    longest = max(map(sum, lengths))
    x = rng.normal(size=(len(lengths), longest, layers * 24)).astype(np.float32)
    side, place = np.full((len(lengths), longest), 2), np.zeros((len(lengths), longest), np.int64)
    for k, (n, m) in enumerate(lengths):
        side[k, :n], side[k, n : n + m] = 0, 1
        place[k, :n], place[k, n : n + m] = np.arange(n), np.arange(m)
        x[k, n + m :] = 0
    return {"x": x, "side": side, "place": place}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["MPNet", "Bert"])
def test_padding_changes_nothing(kind: str) -> None:
    torch = pytest.importorskip("torch")
    net, _ = _tiny_reader(kind)
    both = _fed([(4, 5), (2, 3)])
    with torch.no_grad():
        said, tokens = net(*(torch.from_numpy(both[name]) for name in ("x", "side", "place")))
        alone, of_tokens = net(*(torch.from_numpy(both[name][1:, :5]) for name in ("x", "side", "place")))
    assert np.allclose(said[1], alone[0], atol=1e-4)
    assert np.allclose(tokens[1, :5], of_tokens[0], atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "layers"), [("MPNet", 1), ("Bert", 2)])
def test_the_graph_says_what_the_network_says(kind: str, layers: int) -> None:
    torch, ort = pytest.importorskip("torch"), pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from judges.reader_graph import ReaderGraph

    net, config = _tiny_reader(kind)
    session = ort.InferenceSession(ReaderGraph(net, config, count=layers).build().SerializeToString())
    fed = _fed([(4, 5), (7, 2), (1, 1)], layers)
    said, tokens = session.run(["said", "tokens"], fed)
    with torch.no_grad():
        expected, of_tokens = net(*(torch.from_numpy(fed[name]) for name in ("x", "side", "place")))
    assert np.allclose(said, expected, atol=0.002)
    is_token = fed["side"] < 2
    assert np.allclose(tokens[is_token], of_tokens.numpy()[is_token], atol=0.002)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["MPNet", "Bert"])
def test_a_run_begins_with_what_a_graph_says(kind: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    onnx = pytest.importorskip("onnx")
    from judges.reader_graph import ReaderGraph, take
    from training.packing import Packing
    from training.scales import choose_places
    from usim.judge.reader import GRAPH_FILE, WEIGHTS_FILE

    net, config = _tiny_reader(kind)
    packing = Packing(4)
    places = choose_places(lambda **options: ReaderGraph(net, config, **options), [_fed([(5, 6)])] * 3)
    onnx.save(ReaderGraph(net, config, places, packing=packing).build(), str(tmp_path / GRAPH_FILE))
    packing.save(tmp_path / WEIGHTS_FILE)
    other, _ = _tiny_reader(kind)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.normal_()
    take(other, tmp_path)
    fed = [torch.from_numpy(value) for value in _fed([(4, 5), (7, 2)]).values()]
    with torch.no_grad():
        for expected, found in zip(net(*fed), other(*fed), strict=True):
            assert torch.allclose(expected, found, atol=0.05)


@pytest.mark.slow
def test_it_learns_which_token_the_other_side_lacks() -> None:
    torch = pytest.importorskip("torch")
    from judges.reader import loss_of

    net, _ = _tiny_reader("MPNet")
    net.train()
    fed = {name: torch.from_numpy(value) for name, value in _fed([(3, 3)] * 8).items()}
    drifted = torch.zeros(8, 6, dtype=torch.long)
    fed["x"][:, 3:] = fed["x"][:, :3]  # the same tokens on both sides
    fed["x"][:4, 5] = torch.randn(4, 24) * 3  # but for one of the output, in half of the pairs
    drifted[:4, 5] = 1
    wanted = torch.tensor([[0.02, math.nan, math.nan]] * 4 + [[0.98, math.nan, math.nan]] * 4)
    fed |= {"drifted": drifted, "wanted": wanted}
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for _ in range(60):
        said, tokens = net(fed["x"], fed["side"], fed["place"])
        loss = loss_of(said, tokens, fed)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (said[4:, 0] > said[:4, 0].max()).all()
    assert (tokens[:4].argmax(1) == 5).all()
