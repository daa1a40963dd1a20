"""A parser on a frozen trunk, from training to the package's files, and all parsers by one command; tiny encoders."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.parsers.test_span_training import PIECES, command, data_folders, encoder, write_tokenizer  # noqa: F401
from usim.parsing import Pieces, load, load_trunk
from usim.parsing.embedded import EmbeddedParser
from usim.text.checksums import digest_of

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

from parsers import make  # noqa: E402
from parsers.span import export, train  # noqa: E402
from parsers.span.data import read_corpus  # noqa: E402
from training import packing  # noqa: E402
from training.mpnet import UpperEncoder, load_encoder  # noqa: E402

SPECIAL = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"]


@pytest.fixture(scope="module")
def mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny MPNet, not trained, whose vocabulary has BERT's special pieces as well, as the real one."""
    from transformers import MPNetConfig, MPNetModel

    folder = tmp_path_factory.mktemp("mpnet")
    words = [*SPECIAL, *(piece for piece in PIECES if piece != "[UNK]")]
    torch.manual_seed(0)
    config = MPNetConfig(
        vocab_size=len(words), hidden_size=64, num_hidden_layers=8, num_attention_heads=4, intermediate_size=128,
        max_position_embeddings=64, bos_token_id=0, pad_token_id=1, eos_token_id=2, relative_attention_num_buckets=32,
    )  # fmt: skip
    MPNetModel(config).save_pretrained(folder)
    write_tokenizer(folder, words)
    return folder


def test_trunk_and_upper_layers_give_what_the_library_gives(mpnet: Path) -> None:
    from transformers import AutoModel

    pieces = Pieces.read(mpnet / "tokenizer.json")
    assert (pieces.cls, pieces.padding, pieces.sep, pieces.mask) == (0, 1, 2, 4)
    ids = torch.tensor([pieces.encode(["Ann", "sang", "."])[0], [0, 6, 2, 1, 1]])
    mask = (ids != 1).long()
    whole = AutoModel.from_pretrained(mpnet, add_pooling_layer=False).eval()
    expected = whole(input_ids=ids, attention_mask=mask, output_hidden_states=True)
    upper = UpperEncoder(load_encoder(mpnet, 0.1)).eval()
    torch.nn.init.zeros_(upper.types.weight)
    with torch.no_grad():
        for mine, theirs in zip(upper.trunk.outputs(ids, mask), expected.hidden_states, strict=False):
            torch.testing.assert_close(mine * mask[..., None], theirs * mask[..., None])
        hidden = upper(ids, mask, torch.zeros_like(ids)).last_hidden_state
    difference = (hidden - expected.last_hidden_state).abs() * mask[..., None]
    assert difference.max() < 0.05  # the trunk gives 16 bits
    assert not any(name.startswith("trunk") for name, _ in upper.named_parameters())


def test_from_training_to_a_package_that_usim_loads(
    mpnet: Path,
    data_folders: dict[str, Path],  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packing, "_LEAST", 2000)
    run, trunk, out = tmp_path / "run", tmp_path / "trunk", tmp_path / "parser"
    train.main([*command(run, mpnet, data_folders, 12), "--noise", ".2", "--mask", ".02", "--variants", "2"])
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert log[-1]["wiki"]["all"] > 95
    given = [str(a) for a in ("--encoder", mpnet, "--wiki-train", data_folders["train"], "--name", "large")]
    export.main(["trunk", *given, "--out", str(trunk)])
    export.main(["parser", str(run), *given, "--trunk", str(trunk), "--out", str(out)])
    gold = read_corpus(data_folders["dev"], "dev", 1).graphs
    tokens = [graph.tokens for graph in gold]
    parser = load(out)
    assert sum(mine == theirs for mine, theirs in zip(parser.parse(tokens), gold, strict=True)) >= 5
    matrices = [tensor for tensor in torch.load(run / "best.pt", weights_only=True).values() if tensor.dim() == 2]
    assert (out / "weights.npz").stat().st_size < 0.75 * sum(map(torch.numel, matrices))  # half a byte a weight
    # A judge gets what the parser has read.
    assert isinstance(parser, EmbeddedParser)
    ((ids, starts, layers),) = parser.read(tokens)[0].parts
    assert len(starts) == len(tokens[0]) + 1
    assert layers.shape == (4, len(ids), 64)
    exact = UpperEncoder(load_encoder(mpnet, 0.0)).trunk.outputs(torch.tensor([ids]), torch.ones(1, len(ids)))
    for mine, theirs in zip(layers, exact[3:], strict=True):
        assert np.corrcoef(mine.ravel(), theirs.numpy().ravel())[0, 1] > 0.95


def test_one_command_makes_all_parsers_and_goes_on(
    mpnet: Path,
    encoder: Path,  # noqa: F811
    data_folders: dict[str, Path],  # noqa: F811
    tmp_path: Path,
) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("Tom sang and slept .\nMary left .\n")
    places = {"wiki-train": "train", "ewt-train": "train", "wiki-dev": "dev", "ewt-dev": "dev"}
    given = [str(x) for name, part in places.items() for x in (f"--{name}", data_folders[part])]
    given += ["--texts", str(texts), "--small", str(encoder), "--threads", "1", "--epochs", "1", "1", "1"]
    given += ["--limit", "20"]
    whole = [*given, "--large", str(mpnet), "--out", str(tmp_path / "o")]
    make.main(whole)
    for name in ("en", "en-fast"):
        folder = tmp_path / "o/models" / name
        assert load(folder / "parser").parse([["John", "left", "."]])[0].tokens == ("John", "left", ".")
        assert load_trunk(folder / "trunk").layers
    model = tmp_path / "o/models/en-fast/parser/model.onnx"
    before = digest_of(model), model.stat().st_mtime_ns
    make.main(whole)
    assert (digest_of(model), model.stat().st_mtime_ns) == before  # nothing is done twice
    # The small parser alone, taught by one that is there.
    make.main([*given, "--model", str(tmp_path / "o/models/en/parser"), "--out", str(tmp_path / "p")])
    assert {path.name for path in (tmp_path / "p/models").iterdir()} == {"en-fast"}
    assert digest_of(tmp_path / "p/models/en-fast/parser/model.onnx") == before[0]
    texts.write_text("Ann slept .\n")
    with pytest.raises(SystemExit, match=r"begun with other data texts: take another --out"):
        make.main(whole)
