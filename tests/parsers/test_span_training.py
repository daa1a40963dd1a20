"""Training the embedded parser, end to end, on a few graphs and with a tiny encoder."""

import json
import pickle
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parsers.span.trees import to_graph, to_tree
from tests.brackets import graph_of
from usim.parsing import load
from usim.parsing.chart import spans_of
from usim.parsing.embedded import EmbeddedParser
from usim.parsing.network import SIEVED, SpanScores
from usim.parsing.remotes import IMPOSSIBLE, RELATIONS, Nodes, RemoteScorer
from usim.parsing.trees import Node, Tree
from usim.text.checksums import digest_of
from usim.ucca import Graph, write_xml

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("transformers")

from onnx import numpy_helper  # noqa: E402

from parsers.span import lessons  # noqa: E402
from parsers.span.data import Corpus, Examples, Inventory, Noise, read_corpus, relations_of_all  # noqa: E402
from parsers.span.export import main as export_command  # noqa: E402
from parsers.span.sieve import Seen  # noqa: E402
from parsers.span.sieve import train as train_sieve  # noqa: E402
from parsers.span.train import main  # noqa: E402

NAMES = ["John", "Mary", "Ann", "Tom"]
VERBS = ["left", "sang", "slept", "ran"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "and", *(w.lower() for w in NAMES + VERBS)]


def sentence(rng: random.Random, id: str) -> Graph:
    """ "John left and slept .": two scenes, the second with a remote participant."""
    name, *verbs = rng.choice(NAMES), rng.choice(VERBS), rng.choice(VERBS)
    return graph_of("[H [A=a {}] [P {}]] [L and] [H [P {}] [A* a]] [U .]".format(name, *verbs), id=id)


def write_tokenizer(folder: Path, pieces: Sequence[str]) -> None:
    """Write a tokeniser with these word pieces; those in brackets are special."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    tokenizer = Tokenizer(WordPiece({piece: k for k, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    if special := [piece for piece in pieces if piece.startswith("[") and piece != "[UNK]"]:
        tokenizer.add_special_tokens(special)
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny BERT, not trained."""
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(PIECES), hidden_size=64, num_hidden_layers=6, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    write_tokenizer(folder, PIECES)
    return folder


@pytest.fixture(scope="module")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    rng = random.Random(7)
    folders = {}
    for name, count in (("train", 40), ("dev", 8)):
        folders[name] = tmp_path_factory.mktemp(name)
        for k in range(count):
            write_xml(sentence(rng, f"{k:03d}"), folders[name] / f"{k:03d}.xml")
    return folders


def command(out: Path, encoder: Path, folders: dict[str, Path], epochs: int) -> list[str]:
    rates = ["--encoder-rate", "1e-3", "--head-rate", "3e-3", "--average", "0.9", "--batch", "4", "--threads", "1"]
    places = ["--wiki-train", folders["train"], "--wiki-dev", folders["dev"], "--encoder", encoder, "--out", out]
    return [*map(str, places), *rates, "--epochs", str(epochs), "--no-bf16"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, encoder: Path, data_folders: dict[str, Path]) -> Path:
    """A finished run of the training command."""
    out = tmp_path_factory.mktemp("run")
    main(command(out, encoder, data_folders, 12))
    return out


def test_the_command_learns_and_logs_it(run: Path) -> None:
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert [entry["epoch"] for entry in log] == list(range(1, 13))
    assert log[-1]["margin"] < log[0]["margin"] / 4
    assert log[-1]["wiki"]["all"] == 100.0
    assert log[-1]["wiki"]["remote"] == 100.0


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, run: Path, encoder: Path, data_folders: dict[str, Path]) -> Path:
    """The folder of the parser of the run, beside that of its trunk."""
    folder = tmp_path_factory.mktemp("model")
    given = ["--encoder", str(encoder), "--wiki-train", str(data_folders["train"]), "--name", "small"]
    export_command(["trunk", *given, "--words", str(run), "--out", str(folder / "trunk")])
    export_command(["parser", str(run), *given, "--trunk", str(folder / "trunk"), "--out", str(folder / "parser")])
    return folder / "parser"


def test_it_becomes_a_model_that_usim_loads(model: Path, data_folders: dict[str, Path]) -> None:
    gold = read_corpus(data_folders["dev"], "dev", 1).graphs
    assert load(model).parse([g.tokens for g in gold]) == gold


def test_what_a_sentence_gets_does_not_depend_on_its_batch(model: Path) -> None:
    texts = [["John", "left", "."], ["Mary", "sang", "and", "slept", "and", "left", "."]]
    parser = load(model)
    for text, graph in zip(texts, parser.parse(texts), strict=True):
        assert parser.parse([text]) == [graph]
    together, alone = scored(model, texts), scored(model, texts[:1])
    np.testing.assert_allclose(together.best[: len(alone.best)], alone.best, atol=2e-2)


def test_a_killed_run_goes_on(
    tmp_path: Path, encoder: Path, data_folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "whole", tmp_path / "killed"
    main(command(first, encoder, data_folders, 3))
    with pytest.MonkeyPatch.context() as patch:
        from parsers.span.train import Trainer

        one_epoch = Trainer.one_epoch

        def killed(self: Trainer) -> dict[str, object]:
            if self.epoch == 2:
                raise KeyboardInterrupt
            return one_epoch(self)

        patch.setattr(Trainer, "one_epoch", killed)
        with pytest.raises(KeyboardInterrupt):
            main(command(second, encoder, data_folders, 3))
    main(command(second, encoder, data_folders, 3))
    assert "going on after epoch 2" in capsys.readouterr().err
    logs = [[json.loads(x) for x in (f / "log.jsonl").read_text().splitlines()] for f in (first, second)]
    for a, b in zip(*logs, strict=True):
        assert {k: v for k, v in a.items() if k != "seconds"} == {k: v for k, v in b.items() if k != "seconds"}


def test_without_data_it_says_what_is_missing(tmp_path: Path, encoder: Path) -> None:
    with pytest.raises(SystemExit):
        export_command(["trunk", "--encoder", str(encoder), "--name", "small", "--out", str(tmp_path / "trunk")])
    with pytest.raises(SystemExit, match="--wiki-train"):
        main(["--out", str(tmp_path), "--encoder", str(encoder), "--threads", "1"])


# -- the parts -------------------------------------------------------------------------------------------------------


def test_examples_hold_the_gold_tree() -> None:
    corpus = Corpus("x", 1, [sentence(random.Random(1), "x")])
    inventory = Inventory.of([corpus])
    assert inventory.labels == ("A", "H", "H+P", "L", "P")
    assert inventory.remote_labels == ("A",)
    item = Examples(inventory).of_corpora([corpus])[0]
    named = {i: inventory.labels[label - 1] for i, label in enumerate(item.gold.tolist()) if label}
    # spans of four words by number: (0,1) (0,2) (0,3) (0,4) (1,2) (1,3) (1,4) (2,3) (2,4) (3,4)
    assert named == {0: "A", 1: "H", 4: "P", 7: "L", 9: "H+P"}
    p, c = np.argwhere(item.remote).tolist()[0]
    assert (item.nodes.node(p), item.nodes.node(c)) == (Node(3, 4, 0), Node(0, 1, 0))


def test_relations_between_nodes() -> None:
    spans = {(0, 5): "H", (0, 2): "A", (0, 1): "P", (2, 5): "A", (2, 4): "P", (2, 3): "P"}
    nodes = Nodes.of(Tree((0, 1, 2, 3, 4), spans), {"H": (1,), "A": (2,), "P": (3,)})
    kind = relations_of_all(nodes)
    assert kind.shape == (7, 7)
    assert kind.max() < RELATIONS
    place = {nodes.node(v)[:2]: v for v in range(1, 7)}
    subject, clause, verb, scene, leaf = place[0, 2], place[2, 5], place[2, 4], place[0, 5], place[2, 3]
    assert kind[clause, subject] == 0 * 2 + 2  # its parent is one level over the clause; it stands before
    assert kind[verb, subject] == 2 * 2
    assert kind[subject, verb] == 11  # no sister of any ancestor, and after
    assert kind[scene, verb] == 12  # already below
    assert kind[verb, scene] == kind[verb, verb] == IMPOSSIBLE
    assert (kind[leaf] == IMPOSSIBLE).all()  # nothing is below it


def pieces_of(*encoded: list[int]) -> Any:
    """Word pieces that make the same of any tokens."""
    return SimpleNamespace(mask=0, padding=0, encode=lambda tokens: encoded)


def test_the_remote_head_is_the_same_in_torch_and_in_numpy() -> None:
    from parsers.span.data import Inventory, collate
    from parsers.span.model import RemoteHead, Sizes

    corpus = Corpus("x", 1, [sentence(random.Random(1), "x")])
    inventory = Inventory.of([corpus])
    item = Examples(inventory).of_corpora([corpus])[0]
    torch.manual_seed(5)
    head = RemoteHead(Sizes(len(inventory.labels), len(inventory.categories), 1), 0.0).eval()
    torch.nn.init.normal_(head.relation, mean=-3.0, std=2.0)
    left, right = torch.randn(5, 128), torch.randn(5, 128)

    batch = collate([item], pieces_of([0] * 6, [1] * 6), 0, None, random.Random(0))
    with torch.no_grad():
        scores = head(batch, left, right)[0, :, :, 0].numpy()
    scorer = RemoteScorer(("A",), head.arrays(), threshold=0.0)
    edges = {(p, c) for p, c, _ in scorer(item.nodes, left.numpy(), right.numpy())}
    expected = {(item.nodes.node(p), item.nodes.node(c)) for p, c in np.argwhere(scores > 0).tolist()}
    assert edges == expected
    assert 0 < len(expected) < int((item.relation != IMPOSSIBLE).sum())


def test_noise_keeps_the_number_of_tokens() -> None:
    noise = Noise(sentences=1.0, words=0.5)
    rng = random.Random(0)
    tokens = "The children have received their presents , and 3 of them were opened .".split()
    generated = [noise(tokens, rng) for _ in range(50)]
    assert all(len(m) == len(tokens) for m in generated)
    assert sum(m != tokens for m in generated) > 40
    assert all(m[6] == "," and m[8].lower() == "3" for m in generated)
    assert Noise(sentences=0.0)(tokens, rng) == tokens


def test_a_model_learns_from_another(
    tmp_path: Path, run: Path, unsieved: Path, encoder: Path, data_folders: dict[str, Path]
) -> None:
    texts, file = tmp_path / "texts.txt", tmp_path / "lessons.pkl"
    texts.write_text("Ann sang and left.\nTom ran.\n\nMary slept and sang.\n", encoding="utf-8")
    given = ["--wiki-train", str(data_folders["train"]), "--texts", str(texts), "--recombined", "0.5"]
    lessons.main([str(unsieved), *given, "--out", str(file)])
    _, annotated, bare = pickle.loads(file.read_bytes())
    assert len(annotated) == 40
    assert 3 <= len(bare) <= 23
    for item in annotated:  # the teacher has learned them: it is sure of what is annotated
        soft, pairs = item.soft, item.soft.pairs
        expected = np.zeros((len(soft.at), soft.probabilities.shape[1]))
        expected[np.arange(len(soft.at)), item.gold[soft.at]] = 1
        assert soft.probabilities == pytest.approx(expected, abs=0.3)
        assert {tuple(pairs[k]) for k in np.flatnonzero(soft.remotes[:, 1] > 0.5)} == set(
            zip(*np.nonzero(item.remote), strict=True)
        )
    by_text = {" ".join(item.tokens): item for item in bare if item.guidelines == 1}
    parser = load(unsieved)
    for text, item in by_text.items():
        assert to_graph(item.tokens, item.tree) == parser.parse([text.split()])[0]
    small = tmp_path / "small"
    main([*command(small, encoder, data_folders, 12), "--start", str(run), "--lessons", str(file), "--bare", "12"])
    assert json.loads((small / "log.jsonl").read_text().splitlines()[-1])["wiki"]["all"] > 95
    write_xml(graph_of("[S a]", id="a"), tmp_path / "a.xml")
    with pytest.raises(SystemExit, match="other labels than the training data"):
        main(["--wiki-train", str(tmp_path), "--encoder", str(encoder), "--lessons", str(file), "--out", str(small),
              "--threads", "1"])  # fmt: skip


def test_what_teachers_say_weighs_by_its_share() -> None:
    from parsers.span.data import Soft, collate
    from parsers.span.model import Sizes, SpanModel
    from parsers.span.train import losses

    items = Examples(Inventory(("A", "P"), (), ((1,), (1,)))).of_corpora([Corpus("toy", 1, [graph_of("[A a] [P b]")])])

    class Encoder(torch.nn.Module):
        def forward(self, input_ids: object, **_: object) -> object:
            return SimpleNamespace(last_hidden_state=torch.nn.functional.one_hot(input_ids, 4).float())

    torch.manual_seed(0)
    model = SpanModel(Encoder(), 4, Sizes(2, 3, 1, span_hidden=8, node_hidden=8, pair_hidden=4)).eval()

    def entropy(soft: Soft | None, share: float) -> float:
        pieces = pieces_of([0, 1, 2, 3], [1, 2, 3])
        batch = collate([replace(items[0], soft=soft)], pieces, 0, None, random.Random(0))
        return losses(model, batch, {"bf16": False, "distil": share})[1].item()

    # A teacher that says what the annotation says changes nothing; one that is sure of "no label" counts by its share.
    nothing_remote = np.zeros((0, 2), np.int16), np.zeros((0, 2), np.float16)
    same = Soft(np.array([0, 2]), np.array([[0, 1, 0], [0, 0, 1]], np.float16), *nothing_remote)
    assert entropy(same, 0.8) == pytest.approx(entropy(None, 0.8), rel=1e-6)
    none = Soft(np.array([0, 2]), np.array([[1, 0, 0], [1, 0, 0]], np.float16), *nothing_remote)
    whole, half, nothing = (entropy(none, share) for share in (1.0, 0.5, 0.0))
    assert nothing == pytest.approx(entropy(None, 0.8), rel=1e-6)
    assert half == pytest.approx((whole + nothing) / 2, rel=1e-5)
    assert whole < nothing  # a fresh model says "no label"


def test_recombined_sentences_are_made_of_units_of_the_same_label() -> None:
    items = [(g.tokens, to_tree(g, 1)) for g in (sentence(random.Random(k), str(k)) for k in range(20))]
    generated = list(lessons.recombined(items, 50, random.Random(1)))
    assert len(generated) == 50
    assert generated == list(lessons.recombined(items, 50, random.Random(1)))
    assert set(generated) - {tuple(tokens) for tokens, _ in items}
    for tokens in generated:  # a name for a name, a verb for a verb, a scene for a scene
        assert tokens[-1] == "."
        assert all(t in {*NAMES, *VERBS, "and", "."} for t in tokens)


# -- the sieve -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unsieved(tmp_path_factory: pytest.TempPathFactory, model: Path, run: Path, encoder: Path) -> Path:
    """The same model without a sieve, so that every span gets scores."""
    folder = tmp_path_factory.mktemp("unsieved")
    for part in ("trunk", "parser"):
        shutil.copytree(model.parent / part, folder / part)
    graph = onnx.load(model / "model.onnx")
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.graph.initializer}
    constants["sieve.threshold"] = np.float32(-1e9)
    del graph.graph.initializer[:]
    graph.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    onnx.save(graph, folder / "parser/model.onnx")
    about = json.loads((folder / "parser/settings.json").read_text())
    about["sha256"]["model.onnx"] = digest_of(folder / "parser/model.onnx")
    (folder / "parser/settings.json").write_text(json.dumps(about))
    return folder / "parser"


def scored(model: Path, texts: list[list[str]]) -> SpanScores:
    """What the network of a model says about a batch."""
    parser = EmbeddedParser(model)
    _, windows = parser._cut(texts)
    return parser._network.run(windows, 1)


def test_a_sieve_takes_most_spans_away_and_no_label(model: Path, unsieved: Path, data_folders: dict[str, Path]) -> None:
    tokens = [list(g.tokens) for g in read_corpus(data_folders["dev"], "dev", 1).graphs]
    some, every = scored(model, tokens), scored(unsieved, tokens)
    passes = some.best > SIEVED
    assert 0.4 < passes.mean() < 1  # four words: seven of ten spans are in a tree, if not all are words
    assert passes[every.best > 0].all()
    start, end = spans_of(4)
    assert passes.reshape(len(tokens), -1)[:, end - start == 1].all()
    np.testing.assert_allclose(some.best[passes], every.best[passes], atol=1e-4)
    numbers = np.flatnonzero(passes).tolist()
    assert some.labels(numbers) == every.labels(numbers)
    assert load(model).parse(tokens) == load(unsieved).parse(tokens)


def test_an_export_is_the_same_each_time(
    model: Path, run: Path, encoder: Path, data_folders: dict[str, Path], tmp_path: Path
) -> None:
    given = ("--wiki-train", data_folders["train"], "--encoder", encoder, "--name", "small")
    shutil.copytree(model.parent / "trunk", tmp_path / "trunk")
    given += ("--trunk", tmp_path / "trunk", "--out", tmp_path / "parser")
    export_command([str(a) for a in ("parser", run, *given)])
    assert {f.name: f.read_bytes() for f in (tmp_path / "parser").iterdir()} == {
        f.name: f.read_bytes() for f in model.iterdir()
    }


def test_a_sieve_learns_which_spans_have_labels() -> None:
    rng = np.random.default_rng(2)

    def seen(n: int) -> Seen:  # a span has a label if some features of its ends are the same
        fences = rng.choice([-1, 1], size=(n + 1, 6)).astype(np.float16)
        start, end = (a for a in spans_of(n))
        best = np.where(fences[start, 0] == fences[end, 3], 2, -6).astype(np.float32)
        return Seen(fences, start, end, best)

    sieve = train_sieve([seen(6) for _ in range(2000)], width=4)
    assert sieve.left.shape == sieve.right.shape == (6, 4)
    new = [seen(9) for _ in range(20)]
    for s in new:
        left, right = s.fences @ sieve.left + sieve.left_bias, s.fences @ sieve.right + sieve.right_bias
        np.testing.assert_array_equal((left @ right.T)[s.start, s.end] > sieve.threshold, s.best > 0)
    with pytest.raises(ValueError, match="none"):
        train_sieve([])
    # Nothing to choose from: words alone, which need no sieve.
    assert train_sieve([Seen(np.zeros((2, 6), np.float16), *(np.zeros(0, np.int64),) * 2, np.zeros(0, np.float32))])
