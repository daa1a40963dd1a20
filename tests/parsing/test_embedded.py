"""The embedded parser: its contract, and that no text makes it fail."""

import hashlib
import json
import pickle
import re
import shutil
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import usim
from usim.errors import InputError, ParsingError
from usim.parsing import Parser, load
from usim.parsing.embedded import EmbeddedParser, TreeCache
from usim.parsing.network import Window
from usim.parsing.wordpieces import PIECES_A_TOKEN, Pieces
from usim.text import is_punct, tokenise
from usim.ucca import Graph, parse_xml, to_xml

pytestmark = pytest.mark.model

MODEL = Path(usim.__file__).parent / "models" / "en-fast" / "parser"


@pytest.fixture(scope="module")
def large() -> EmbeddedParser:
    return load()


@pytest.fixture(scope="module")
def parser() -> EmbeddedParser:
    """The small parser, which shares all of its code with the large one."""
    return load("en-fast")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the small parser, beside a copy of its trunk."""
    for part in ("parser", "trunk"):
        shutil.copytree(MODEL.parent / part, tmp_path / part)
    return tmp_path / "parser"


def check(graph: Graph, tokens: list[str]) -> None:
    """A graph of these tokens (a Graph is valid by construction), whose marks of punctuation are as they should be."""
    assert list(graph.tokens) == tokens
    for terminal in graph.terminals:
        if is_punct(terminal.text) and terminal.text not in "&%":
            assert terminal.is_punct


# -- what it gives ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "units"),
    [
        pytest.param("The boy wanted to eat the apple, but his mother took it.",
                     "H: The boy wanted to eat the apple; H: his mother took it; A: The boy; A: the apple; A: his mother; A: it",
                     id="a plain sentence"),
        pytest.param("Only then did he take his old coat off .", "P: take ... off", id="a discontinuous unit is put back"),
        pytest.param("Mary came home and cooked dinner .", "A*: Mary", id="a shared participant is a remote edge"),
        pytest.param("New and new technology has been introduced to the society .", "P: introduced", id="a learner's sentence"),
        pytest.param("New technology has been introduced into the society .", "P: introduced", id="its correction"),
    ],
)  # fmt: skip
def test_units_of_a_sentence(large: EmbeddedParser, sentence: str, units: str) -> None:
    (graph,) = large.parse([sentence])
    present = {f"{e.label}{'*' * e.is_remote}: {graph.text(e.child)}" for e in graph.edges}
    assert set(units.split("; ")) <= present


def test_a_version_has_its_own_categories(large: EmbeddedParser) -> None:
    tokens = "Yesterday two men sold me three old books in an hour .".split()
    first, second = (p.parse([tokens])[0] for p in (large, load(guidelines=2)))
    only_second = {"Q", "T"}
    assert not only_second & {c for e in first.edges for c in e.categories}
    assert only_second <= {c for e in second.edges for c in e.categories}


def test_it_is_a_parser_that_can_be_sent_to_another_process(large: EmbeddedParser) -> None:
    assert isinstance(large, Parser)
    assert large.name.startswith("en")
    assert load(guidelines=1).name == large.name
    copy = pickle.loads(pickle.dumps(load(guidelines=2)))
    assert (copy.name, copy.guidelines) == (large.name + "+g2", 2)


# -- input -----------------------------------------------------------------------------------------------------------


def test_text_is_cut_into_tokens_and_sentences(parser: EmbeddedParser) -> None:
    graph = parser.parse(["He left. She didn't."])[0]
    assert graph.tokens == ("He", "left", ".", "She", "did", "n't", ".")
    assert [e.label for e in graph.children(0)].count("H") == 2
    alone = [parser.parse([s])[0] for s in ("He left.", "She didn't.")]
    assert str(graph) == " ".join(map(str, alone))


def test_tokens_are_taken_as_they_are(parser: EmbeddedParser) -> None:
    tokens = ["don't", "", "A b", "e-mail", "."]
    assert list(parser.parse([tokens])[0].tokens) == tokens
    assert list(parser.parse([tuple(tokens)])[0].tokens) == tokens


def test_order_and_ids(parser: EmbeddedParser) -> None:
    texts = ["One two three four five .", "Go !", "", "Birds sing ."]
    graphs = parser.parse(texts, ids=["a", "b", "c", "d"])
    assert [g.id for g in graphs] == ["a", "b", "c", "d"]
    assert [" ".join(g.tokens) for g in graphs] == texts
    assert parser.parse([]) == []


def test_a_batch_says_what_single_sentences_say(parser: EmbeddedParser) -> None:
    texts = ["No .", *(" ".join(["The old man saw", *["the dog and"] * k, "the sea ."]) for k in range(12))]
    graphs = parser.parse(texts)
    assert graphs == [parser.parse([text])[0] for text in texts]


def test_a_sentence_whose_tree_is_kept_is_not_parsed_again(
    parser: EmbeddedParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, text = TreeCache(100), "He left. She didn't."
    expected = parser.parse([text, "She didn't."])
    parser.read([text], cache=cache)
    monkeypatch.setattr(EmbeddedParser, "_run", None)
    assert [reading.graph for reading in parser.read([text, "She didn't."], cache=cache)] == expected


def test_wrong_use_is_an_error_that_says_what_to_do(parser: EmbeddedParser) -> None:
    with pytest.raises(ParsingError, match="1 ids for 2 sentences"):
        parser.parse(["a", "b"], ids=["x"])
    with pytest.raises(InputError, match=r"must be a string"):
        parser.parse([None])  # type: ignore[list-item]
    with pytest.raises(ParsingError, match=r"versions 1 and 2"):
        load(guidelines=3)


@pytest.mark.parametrize("name", ["parser/model.onnx", "trunk/words.npy"])
def test_a_broken_model_is_named(name: str, copied: Path) -> None:
    path = copied.parent / name
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"?" + whole[-8:])
    with pytest.raises(ParsingError) as caught:
        load(copied)
    assert path.name in str(caught.value)
    assert str(copied) in str(caught.value)
    path.unlink()
    with pytest.raises(ParsingError):
        load(copied)


def test_a_broken_model_with_the_checksums_of_its_broken_files(copied: Path) -> None:
    settings = json.loads((MODEL / "settings.json").read_text())
    for content in (b"[" * 100_000, (copied / "remotes.npz").read_bytes()[:1000]):
        (copied / "remotes.npz").write_bytes(content)
        settings["sha256"]["remotes.npz"] = hashlib.sha256(content).hexdigest()
        (copied / "settings.json").write_text(json.dumps(settings))
        with pytest.raises(ParsingError):
            load(copied)
    del settings["sha256"]["model.onnx"]
    (copied / "settings.json").write_text(json.dumps(settings))
    with pytest.raises(ParsingError, match=re.escape("no SHA-256 of model.onnx:")):
        load(copied)
    (copied / "settings.json").write_bytes(b"[" * 100_000)
    with pytest.raises(ParsingError):
        load(copied)


def test_the_digest_tells_models_apart(large: EmbeddedParser, copied: Path) -> None:
    small = load("en-fast")
    assert small.name.startswith("en-fast-")
    assert load(str(MODEL)).name == small.name
    assert small.digest == load(str(MODEL)).digest == load("en-fast", guidelines=2).digest != large.digest
    assert len(large.digest) == 64
    assert load(copied).digest == small.digest
    settings = copied / "settings.json"
    settings.write_text(settings.read_text().replace('"remote_threshold": -0.5', '"remote_threshold": 0'))
    assert load(copied).digest != small.digest


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_articles_have_the_category_of_the_version_of_the_guidelines(model: str) -> None:
    sentence = "The boy gave an apple to a friend of the family."
    for guidelines, category in ((1, "E"), (2, "F")):
        (graph,) = load(model, guidelines=guidelines).parse([sentence])
        articles = [u for u in range(1, len(graph.units)) if graph.text(u).lower() in ("a", "an", "the")]
        assert {graph.category(u) for u in articles} == {(category,)}


# -- any text --------------------------------------------------------------------------------------------------------

TEXTS = {
    "empty": "",
    "white space": " \t\n\u00a0\u2003 ",
    "one token": "Stop",
    "one mark": ".",
    "only punctuation": "... !? -- ( ) « »",
    "emoji": "😀 I ❤️ this 👩‍👩‍👧‍👦 !",
    "right to left": "שלום, מה שלומך? مرحبا بالعالم.",
    "chinese": "我喜欢读书。" * 50,
    "combining": "e\u0301e\u0301 Z\u0351\u036b\u0343algo",
    "control characters": "a\x00b \x01\x02 c\x7f \x1b[0m \ufeff \u200b \u202e",
    "lone surrogate": "broken \ud800 text",
    "private use": "\ue000 \U0010ffff",
    "one long word": "x" * 20_000,
    "one long run of marks": "!" * 2000 + " " + "-=" * 700,
    "several sentences": 'Who is it? It is me. "Come in!" he said. They did.',
    "mathematics": "∑_{i=0}^n x² ≠ ∞ ∀ ε > 0",
    "xml": "<a href='x'>&amp;</a> ]]> <!-- -->",
    "special pieces": "[CLS] [SEP] [MASK] [UNK] [PAD] ##ing",
}


def test_no_text_makes_it_fail_alone_or_in_a_batch(parser: EmbeddedParser) -> None:
    for text, in_batch in zip(TEXTS.values(), parser.parse(list(TEXTS.values())), strict=True):
        for graph in (in_batch, *parser.parse([text])):
            check(graph, [t.text for t in tokenise(text)])


def test_memory_does_not_explode_with_length(parser: EmbeddedParser) -> None:
    def peak(n: int) -> int:
        tracemalloc.start()
        parser.parse([["word"] * n])
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(10)
    # Beyond the longest window memory grows with the length, not with its square.
    assert peak(1200) < 6 * peak(300)


def test_a_long_sentence_is_cut_at_a_good_place(parser: EmbeddedParser) -> None:
    tokens = ["word"] * 100 + [";"] + ["word"] * 100
    graph = parser.parse([tokens])[0]
    for u in range(1, len(graph.units)):
        positions = graph.positions(u)
        assert positions[-1] <= 100 or positions[0] >= 101


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=60), max_size=4), st.lists(st.text(max_size=12), max_size=30))
def test_any_texts_and_tokens(parser: EmbeddedParser, texts: list[str], tokens: list[str]) -> None:
    for text, graph in zip(texts, parser.parse(texts), strict=True):
        check(graph, [t.text for t in tokenise(text)])
        assert len(parse_xml(to_xml(graph)).units) == len(graph.units)
    check(parser.parse([tokens])[0], tokens)


# -- word pieces -----------------------------------------------------------------------------------------------------


def test_pieces_and_fences() -> None:
    pieces = Pieces.read(MODEL.parent / "trunk" / "tokenizer.json")
    tokens = ["misspellings", ",", "\x00", "good"]
    assert [pieces.count(t) for t in tokens] == [3, 1, 1, 1]
    window = Window(0, 0, 4, [0, 2, 3], *pieces.encode(tokens))
    assert (window.ids[0], window.ids[5], window.ids[-1]) == (pieces.cls, pieces.unknown, pieces.sep)
    assert window.starts == [1, 4, 5, 6, 7]
    assert (window.before, window.after) == ([0, 3, 5, 6], [1, 5, 6, 7])
    assert pieces.count("字" * 500) == PIECES_A_TOKEN


# -- accuracy --------------------------------------------------------------------------------------------------------


@pytest.mark.data
def test_accuracy_on_dev(corpus, large: EmbeddedParser) -> None:
    """At least 78 labelled F1 on the English Wiki dev set; the exact figures come from ``usim evaluate``."""
    from usim.ucca import read_xml
    from usim.ucca.evaluate import evaluate, total

    gold = [read_xml(p) for p in sorted(corpus("ucca-wiki-dev").glob("*.xml"))]
    predicted = large.parse([g.tokens for g in gold])
    assert total(map(evaluate, gold, predicted)).tables["labelled"]["all"].f >= 0.78
