"""Training the embedded parser, end to end, on a few graphs and with a tiny encoder."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from usim.parsing import Parser, load
from usim.parsing.chart import best_spans, spans_of
from usim.parsing.embedded import EmbeddedParser
from usim.parsing.network import SIEVED, Scores
from usim.parsing.remotes import IMPOSSIBLE, RELATIONS, Nodes, RemoteScorer, relations
from usim.parsing.trees import Node, Tree, to_tree
from usim.ucca import Edge, Graph, Terminal, Unit, write_xml

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")
pytest.importorskip("numba")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

from parsers.span.cky import decode  # noqa: E402
from parsers.span.data import Corpus, Examples, Inventory, read_corpus  # noqa: E402
from parsers.span.evaluate import ucca_scores  # noqa: E402
from parsers.span.export import main as export_command  # noqa: E402
from parsers.span.noise import Noise  # noqa: E402
from parsers.span.quick import quick_f1  # noqa: E402
from parsers.span.sieve import Seen  # noqa: E402
from parsers.span.sieve import train as train_sieve  # noqa: E402
from parsers.span.train import main  # noqa: E402

NAMES = ["John", "Mary", "Ann", "Tom"]
VERBS = ["left", "sang", "slept", "ran"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "and", *(w.lower() for w in NAMES + VERBS)]


def sentence(rng: random.Random, id: str) -> Graph:
    """ "John left and slept .": two scenes, the second with a remote participant."""
    tokens = [rng.choice(NAMES), rng.choice(VERBS), "and", rng.choice(VERBS), "."]
    units = [Unit(), Unit(), Unit((0,)), Unit((1,)), Unit((2,)), Unit(), Unit((3,)), Unit((4,), is_punct=True)]
    edges = [
        Edge(0, 1, ("H",)),
        Edge(1, 2, ("A",)),
        Edge(1, 3, ("P",)),
        Edge(0, 4, ("L",)),
        Edge(0, 5, ("H",)),
        Edge(5, 6, ("P",)),
        Edge(5, 2, ("A",), is_remote=True),
        Edge(0, 7, ("U",)),
    ]
    return Graph([Terminal(t, t == ".") for t in tokens], units, edges, id=id)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny BERT, not trained."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(PIECES),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    tokenizer = Tokenizer(WordPiece({p: i for i, p in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(PIECES[:5])
    tokenizer.save(str(folder / "tokenizer.json"))
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
    return [*map(str, places), *rates, "--epochs", str(epochs), "--span-hidden", "32", "--no-bf16"]


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


def test_it_ends_in_a_model_that_usim_loads(run: Path, data_folders: dict[str, Path]) -> None:
    gold = read_corpus(data_folders["dev"], "dev", 1).graphs
    guessed = load(run / "model").parse([g.tokens for g in gold])
    assert guessed == gold


def test_quantised_and_32_bits_agree(run: Path, encoder: Path, data_folders: dict[str, Path], tmp_path: Path) -> None:
    from parsers.span.export import export

    export(run, encoder, tmp_path)
    small, large = run / "model" / "model.onnx", tmp_path / "model.onnx"
    assert small.stat().st_size < large.stat().st_size
    tokens = [g.tokens for g in read_corpus(data_folders["dev"], "dev", 1).graphs]
    parsers = load(run / "model"), load(tmp_path)
    assert parsers[0].parse(tokens) == parsers[1].parse(tokens)
    for sentence in tokens:
        x, y = (outputs(parser, [sentence], "pieces")[0][0] for parser in parsers)
        cosine = (x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
        assert cosine.min() > 0.99


def outputs(parser: Parser, sentences: list[Any], *names: str, **inputs: bool) -> list[Any]:
    """Outputs of the model for a batch of sentences; with other values for some of its inputs."""
    from usim.parsing.network import feed

    assert isinstance(parser, EmbeddedParser)
    _, windows = parser._cut(sentences)
    network = parser._network
    fed = feed(windows, 1) | {name: np.array(value) for name, value in inputs.items()}
    fed["embedded"] = network._words(fed["ids"])  # type: ignore[misc]
    return network._session.run(list(names), {name: fed[name] for name in network._inputs})  # type: ignore[no-any-return]


def test_what_a_sentence_gets_does_not_depend_on_its_batch(run: Path) -> None:
    texts = [["John", "left", "."], ["Mary", "sang", "and", "slept", "and", "left", "."]]
    parser = load(run / "model")
    (together,) = outputs(parser, texts, "pieces")
    for text, graph, vectors in zip(texts, parser.parse(texts), together, strict=True):
        assert parser.parse([text]) == [graph]
        ((alone,),) = outputs(parser, [text], "pieces")
        np.testing.assert_allclose(vectors[: len(alone)], alone, atol=2e-2)


def test_what_is_not_asked_for_is_not_computed(run: Path) -> None:
    parser = load(run / "model")
    middle, pieces, scores = outputs(
        parser, [["Mary", "sang", "."]], "middle", "pieces", "scores", deep=False, parse=False
    )
    assert middle.shape[1] > 3
    assert pieces.size == scores.size == 0
    again, last, scores = outputs(parser, [["Mary", "sang", "."]], "middle", "pieces", "scores")
    np.testing.assert_array_equal(middle, again)
    assert not np.allclose(middle, last)
    assert scores.size


def test_a_killed_run_goes_on(
    tmp_path: Path, encoder: Path, data_folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "whole", tmp_path / "killed"
    main([*command(first, encoder, data_folders, 3), "--no-export"])
    with pytest.MonkeyPatch.context() as patch:
        from parsers.span.train import Trainer

        one_epoch = Trainer.one_epoch

        def killed(self: Trainer) -> dict[str, object]:
            if self.epoch == 2:
                raise KeyboardInterrupt
            return one_epoch(self)

        patch.setattr(Trainer, "one_epoch", killed)
        with pytest.raises(KeyboardInterrupt):
            main([*command(second, encoder, data_folders, 3), "--no-export"])
    main([*command(second, encoder, data_folders, 3), "--no-export"])
    assert "going on after epoch 2" in capsys.readouterr().err
    logs = [[json.loads(x) for x in (f / "log.jsonl").read_text().splitlines()] for f in (first, second)]
    for a, b in zip(*logs, strict=True):
        assert {k: v for k, v in a.items() if k != "seconds"} == {k: v for k, v in b.items() if k != "seconds"}


def test_without_data_it_says_what_is_missing(tmp_path: Path, encoder: Path) -> None:
    with pytest.raises(SystemExit, match="--wiki-train"):
        main(["--out", str(tmp_path), "--encoder", str(encoder)])


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


def test_the_compiled_decoder_finds_what_numpy_finds() -> None:
    rng = np.random.default_rng(3)
    sizes = [1, 2, 5, 9, 14]
    gains = np.maximum(rng.normal(size=sum(n * (n + 1) // 2 for n in sizes)), 0).astype(np.float32)
    chosen = decode(gains, np.array(sizes))
    found = {number for spans in best_spans(gains, sizes) for _, _, number in spans}
    assert {int(k) for k in np.flatnonzero(chosen & (gains > 0))} == found


def test_relations_between_nodes() -> None:
    spans = {(0, 5): "H", (0, 2): "A", (0, 1): "P", (2, 5): "A", (2, 4): "P", (2, 3): "P"}
    nodes = Nodes.of(Tree((0, 1, 2, 3, 4), spans), {"H": (1,), "A": (2,), "P": (3,)})
    kind = relations(nodes)
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

    class OnePiece:
        mask, padding = 1, 0

        def learn(self, tokens: object) -> None: ...

        def encode(self, tokens: object, words: object) -> tuple[list[int], ...]:
            return [0] * 6, [0] * 5, [0] * 5, [0] * 6

    batch = collate([item], OnePiece(), 0, None, random.Random(0))  # type: ignore[arg-type]
    with torch.no_grad():
        scores = head(batch, left, right)[0, :, :, 0].numpy()
    scorer = RemoteScorer(("A",), head.arrays(), threshold=0.0)
    found = {(p, c) for p, c, _ in scorer(item.nodes, left.numpy(), right.numpy())}
    expected = {(item.nodes.node(p), item.nodes.node(c)) for p, c in np.argwhere(scores > 0).tolist()}
    assert found == expected
    assert 0 < len(expected) < int((item.relation != IMPOSSIBLE).sum())


def test_noise_keeps_the_number_of_tokens() -> None:
    noise = Noise(sentences=1.0, words=0.5)
    rng = random.Random(0)
    tokens = "The children have received their presents , and 3 of them were opened .".split()
    made = [noise(tokens, rng) for _ in range(50)]
    assert all(len(m) == len(tokens) for m in made)
    assert sum(m != tokens for m in made) > 40
    assert all(m[6] == "," and m[8] == "3" for m in made)
    assert Noise(sentences=0.0)(tokens, rng) == tokens


def test_figures_of_the_toolkit_and_the_quick_ones() -> None:
    pytest.importorskip("ucca")
    gold = sentence(random.Random(1), "1")
    wrong = Graph(
        gold.terminals,
        gold.units,
        [e._replace(categories=("D",)) if e.categories == ("L",) else e for e in gold.edges if not e.is_remote],
    )
    # Six primary edges without punctuation: H, A, P, L, and the chain H+P over one word, which share a yield.
    quick = quick_f1([(wrong, gold)])
    assert quick["primary"] == 80.0
    assert quick["remote"] == 0.0
    scores = ucca_scores([(wrong, gold)])
    assert scores["labelled"]["primary"][2] == pytest.approx(quick["primary"], abs=1e-3)
    assert scores["labelled"]["all"][2] == pytest.approx(quick["all"], abs=1e-3)
    assert scores["unlabelled"]["primary"][2] == 100.0
    assert to_tree(gold).remotes


def test_a_smaller_model_learns_from_several(
    tmp_path: Path, run: Path, encoder: Path, data_folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    from parsers.span import committee

    other = tmp_path / "other"
    main([*command(other, encoder, data_folders, 12), "--seed", "2", "--no-export"])
    texts = tmp_path / "texts.txt"
    texts.write_text("Ann sang and left.\nTom ran.\n\nMary slept and sang.\n", encoding="utf-8")
    train, dev, lessons = data_folders["train"], data_folders["dev"], tmp_path / "lessons.pkl"
    given = [str(run), str(other), "--encoder", str(encoder), "--wiki-dev", str(dev), "--wiki-train", str(train)]
    committee.main([*given, "--texts", str(texts), "--recombined", "0.5", "--out", str(lessons)])
    said = capsys.readouterr().out.splitlines()
    assert json.loads(said[0].removeprefix("wiki "))["all"] > 90
    assert said[1].startswith("40 annotated and ")

    small = tmp_path / "small"
    options = ["--lessons", str(lessons), "--bare", "12", "--layers", "1", "--inner", "16", "--activation", "relu"]
    main([*command(small, encoder, data_folders, 12), "--start", str(run), *options, "--span-hidden", "16"])
    assert json.loads((small / "log.jsonl").read_text().splitlines()[-1])["wiki"]["all"] > 95
    gold = read_corpus(dev, "dev", 1).graphs
    assert load(small / "model").parse([g.tokens for g in gold]) == gold


@pytest.fixture(scope="module")
def one_layer(
    run: Path, encoder: Path, data_folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A finished run of a smaller model with other sizes than its encoder's."""
    out = tmp_path_factory.mktemp("small")
    sizes = ["--layers", "1", "--inner", "16", "--activation", "relu", "--span-hidden", "16"]
    main([*command(out, encoder, data_folders, 12), "--start", str(run), *sizes])
    return out


@pytest.mark.parametrize("of", ["run", "one_layer"])
def test_a_model_without_its_run_is_restored(
    of: str, encoder: Path, data_folders: dict[str, Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from parsers.span import restore
    from parsers.span.build import load_run

    source: Path = request.getfixturevalue(of)
    restore.main([str(source / "model"), "--encoder", str(encoder), "--out", str(tmp_path / "again")])
    before, inventory = load_run(source, encoder)
    after, same = load_run(tmp_path / "again", encoder)
    assert same == inventory
    assert after.encoder.config.hidden_act == before.encoder.config.hidden_act
    # Scores, not weights: the graph has divisors of 8 bits in some weights and takes them out of others.
    ids, ones = torch.arange(2, 9)[None], torch.ones(1, 7, dtype=torch.long)
    places = torch.arange(6)[None]
    i, j = torch.triu_indices(5, 5)
    with torch.no_grad():
        scores = []
        for model in (before, after):
            fences = model.fences(model.encode(ids, ones, 0 * ones), places, places + 1)
            scores.append(torch.cat([model.spans(fences, i, j + 1), model.node_left(fences)[:1, :1].expand(15, 1)], 1))
    assert (scores[0] - scores[1]).abs().max() < 0.05 * scores[0].abs().max()
    for name, values in before.remote.arrays().items():
        assert np.allclose(values, after.remote.arrays()[name], rtol=2e-3, atol=2e-3), name
    export_command([str(tmp_path / "again"), "--encoder", str(encoder), "--wiki-train", str(data_folders["train"])])
    gold = read_corpus(data_folders["dev"], "dev", 1).graphs
    assert load(tmp_path / "again" / "model").parse([g.tokens for g in gold]) == gold


def test_a_model_on_a_trunk_is_not_restored(tmp_path: Path, encoder: Path) -> None:
    from parsers.span import restore

    (tmp_path / "settings.json").write_text('{"trunk": "../trunk"}')
    with pytest.raises(SystemExit, match="on a trunk"):
        restore.main([str(tmp_path), "--encoder", str(encoder), "--out", str(tmp_path / "out")])


def test_a_model_that_ships_teaches_as_its_run_does(
    run: Path, unsieved: Path, encoder: Path, data_folders: dict[str, Path], tmp_path: Path
) -> None:
    import pickle

    from parsers.span import committee

    texts = tmp_path / "texts.txt"
    texts.write_text("Ann sang and left.\nTom ran.\nMary slept and sang.\n", encoding="utf-8")
    given = ["--encoder", str(encoder), "--wiki-train", str(data_folders["train"]), "--texts", str(texts)]
    said = []
    for teachers in ([str(run)], ["--model", str(unsieved)], [str(run), "--model", str(unsieved)]):
        out = tmp_path / "lessons.pkl"
        committee.main([*teachers, *given, "--out", str(out)])
        said.append(pickle.loads(out.read_bytes()))
    for known, bare in said[1:]:
        assert [item.tokens for item in bare] == [item.tokens for item in said[0][1]]
        assert [item.tree for item in bare] == [item.tree for item in said[0][1]]
        for item, other in zip(known + bare, said[0][0] + said[0][1], strict=True):
            assert dense(item) == pytest.approx(dense(other), abs=0.1)


def dense(item: Any) -> np.ndarray:
    """Return the probabilities of a sentence's spans, and of its pairs, in one row."""
    soft, n = item.soft, len(item.nodes)
    spans = np.zeros((len(item.gold), soft.probabilities.shape[1]))
    spans[:, 0] = 1
    spans[soft.at] = soft.probabilities
    pairs = np.zeros((n, n, soft.remotes.shape[1]))
    pairs[..., 0] = 1
    pairs[tuple(soft.pairs.T.astype(int))] = soft.remotes
    return np.concatenate([spans.ravel(), pairs.ravel()])


@pytest.mark.parametrize(("version", "right", "wrong"), [(1, "E", "F"), (2, "F", "E")])
def test_articles_have_the_category_of_the_version(version: int, right: str, wrong: str) -> None:
    from dataclasses import replace

    from parsers.span.articles import with_articles
    from parsers.span.data import Soft

    inventory = Inventory(("A", "C", "E", "F"), (), ((1, 2),) * 4)
    # "The old cat": words 0, 1, 2; its spans are 0-1, 0-2, 0-3, 1-2, 1-3, 2-3.
    tree = Tree((0, 1, 2), {(0, 3): "A", (0, 1): wrong, (1, 2): wrong, (2, 3): "C"})
    item = Examples(inventory).of_tree(("The", "old", "cat"), version, tree)
    likely = np.array([[0.1, 0.0, 0.0, 0.3, 0.6], [0.0, 0.0, 0.0, 0.5, 0.5]], np.float16)
    nothing = np.zeros((0, 2), np.int16), np.zeros((0, 1), np.float16)
    item = replace(item, soft=Soft(np.array([0, 3], np.int32), likely, *nothing))
    changed = with_articles(item, inventory)
    assert changed.tree.spans == {(0, 3): "A", (0, 1): right, (1, 2): wrong, (2, 3): "C"}
    assert changed.gold.tolist() == [1 + "ACEF".index(right), 0, 1, 1 + "ACEF".index(wrong), 0, 2]
    assert changed.soft is not None
    first, second = changed.soft.probabilities.tolist()
    assert first[1 + "ACEF".index(right)] == pytest.approx(0.9, abs=1e-3)
    assert first[1 + "ACEF".index(wrong)] == 0
    assert second == likely[1].tolist()  # no article


def test_articles_of_the_other_version_are_counted() -> None:
    from parsers.span.articles import count

    tokens = [Terminal(t) for t in ("The", "cat", "saw", "a", "dog")]
    units = [Unit(), Unit(), *(Unit((k,)) for k in range(5))]
    edges = [Edge(0, 1, ("H",)), *(Edge(1, k + 2, (c,)) for k, c in enumerate("ECPFC"))]
    graph = Graph(tokens, units, edges)
    assert count([graph, graph], 1) == (2, 4)
    assert count([graph], 2) == (1, 2)


def test_teachers_must_have_the_same_labels(run: Path, encoder: Path, tmp_path: Path) -> None:
    from parsers.span import committee

    shutil.copytree(run / "model", tmp_path / "other")
    about = json.loads((tmp_path / "other/settings.json").read_text())
    about["labels"] = about["labels"][::-1]
    (tmp_path / "other/settings.json").write_text(json.dumps(about))
    with pytest.raises(SystemExit, match="different labels"):
        committee.main([str(run), "--model", str(tmp_path / "other"), "--encoder", str(encoder)])
    with pytest.raises(SystemExit):
        committee.main([])


def test_what_teachers_say_weighs_by_its_share() -> None:
    from parsers.span.data import Soft, collate
    from parsers.span.model import Sizes, SpanModel
    from parsers.span.train import losses

    items = Examples(Inventory(("A", "P"), (), ((1,), (1,)))).of_corpora(
        [Corpus("toy", 1, [Graph([Terminal("a"), Terminal("b")], [Unit(), Unit((0,)), Unit((1,))],
                                 [Edge(0, 1, ("A",)), Edge(0, 2, ("P",))])])]
    )  # fmt: skip

    class Pieces:
        mask = 0

        def learn(self, tokens: object) -> None:
            pass

        def encode(self, tokens: list[str], words: list[int]) -> tuple[list[int], list[int], list[int], list[int]]:
            return [0, 1, 2, 3], [0, 1, 2], [1, 2, 3], [1, 2, 3]

    class Encoder(torch.nn.Module):
        def forward(self, input_ids: object, **_: object) -> object:
            from types import SimpleNamespace

            return SimpleNamespace(last_hidden_state=torch.nn.functional.one_hot(input_ids, 4).float())  # type: ignore

    torch.manual_seed(0)
    model = SpanModel(Encoder(), 4, Sizes(2, 3, 1, span_hidden=8, node_hidden=8, pair_hidden=4)).eval()

    def entropy(soft: Soft | None, share: float) -> float:
        from dataclasses import replace

        batch = collate([replace(items[0], soft=soft)], Pieces(), 0, None, random.Random(0))  # type: ignore[arg-type]
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


def test_narrowing_keeps_what_matters() -> None:
    from parsers.span.model import Sizes, SpanModel
    from parsers.span.narrow import narrow_spans

    torch.manual_seed(0)
    model = SpanModel(torch.nn.Identity(), 4, Sizes(3, 2, 1, span_hidden=6, node_hidden=4, pair_hidden=2)).eval()
    dead = [1, 4]
    with torch.no_grad():
        model.label.weight[:, dead] = 0
        for layer in (model.left, model.right):  # equal to the mean, so that the norm does not see them
            layer.weight[dead] = 0
            layer.bias is not None and layer.bias[dead].zero_()
    kept = [k for k in range(6) if k not in dead]
    weights = model.left.weight[kept].clone(), model.label.weight[:, kept].clone()
    narrow_spans(model, 4)
    assert torch.equal(model.left.weight, weights[0])
    assert torch.equal(model.label.weight, weights[1])
    assert model.spans(torch.randn(3, 8), torch.tensor([0]), torch.tensor([2])).shape == (1, 3)


def test_recombined_sentences_are_made_of_units_of_the_same_label() -> None:
    from parsers.span.recombine import recombined

    items = [(g.tokens, to_tree(g, 1)) for g in (sentence(random.Random(k), str(k)) for k in range(20))]
    made = list(recombined(items, 50, random.Random(1)))
    assert len(made) == 50
    assert made == list(recombined(items, 50, random.Random(1)))
    assert set(made) - {tuple(tokens) for tokens, _ in items}
    for tokens in made:  # a name for a name, a verb for a verb, a scene for a scene
        assert tokens[-1] == "."
        assert all(t in {*NAMES, *VERBS, "and", "."} for t in tokens)


def test_errors_are_counted_where_they_are() -> None:
    from parsers.span.errors import tables

    gold = sentence(random.Random(1), "x")
    wrong = Graph(gold.terminals, gold.units, [e for e in gold.edges if not e.is_remote and e.child != 3] +
                  [Edge(1, 3, ("S",))], id="x")  # fmt: skip
    found, confused = tables([(wrong, gold), (gold, gold)])
    assert confused == {("P", "S"): 1}
    assert found["category"]["P"] == [3, 3, 4]
    assert found["category"]["S"] == [0, 1, 0]
    assert found["remote"]["A"] == [1, 1, 2]
    assert found["words in the unit"]["1"] == [9, 10, 10]
    assert "discontinuous" not in found


# -- the sieve -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unsieved(tmp_path_factory: pytest.TempPathFactory, run: Path, encoder: Path, data_folders: dict[str, Path]) -> Path:
    """The model of the run once more, exported so that every span gets scores."""
    out = tmp_path_factory.mktemp("unsieved")
    train = ["--wiki-train", str(data_folders["train"]), "--encoder", str(encoder)]
    export_command([str(run), *train, "--out", str(out), "--no-sieve"])
    return out


def scored(model: Path, texts: list[list[str]]) -> Scores:
    """What the network of a model says about a batch."""
    parser = EmbeddedParser(model)
    _, windows = parser._cut(texts)
    return parser._network.run(windows, 1)


def test_a_sieve_takes_most_spans_away_and_no_label(run: Path, unsieved: Path, data_folders: dict[str, Path]) -> None:
    tokens = [list(g.tokens) for g in read_corpus(data_folders["dev"], "dev", 1).graphs]
    some, every = scored(run / "model", tokens), scored(unsieved, tokens)
    passes = some.best > SIEVED
    assert 0.4 < passes.mean() < 1  # four words: seven of ten spans are in a tree, if not all are words
    assert passes[every.best > 0].all()
    start, end = spans_of(4)
    assert passes.reshape(len(tokens), -1)[:, end - start == 1].all()
    np.testing.assert_allclose(some.best[passes], every.best[passes], atol=1e-4)
    numbers = np.flatnonzero(passes).tolist()
    assert some.labels(numbers) == every.labels(numbers)
    assert load(run / "model").parse(tokens) == load(unsieved).parse(tokens)


def test_a_sieve_is_the_same_each_time(run: Path, encoder: Path, data_folders: dict[str, Path], tmp_path: Path) -> None:
    export_command(
        [str(run), "--wiki-train", str(data_folders["train"]), "--encoder", str(encoder), "--out", str(tmp_path)]
    )
    assert (tmp_path / "model.onnx").read_bytes() == (run / "model" / "model.onnx").read_bytes()


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
