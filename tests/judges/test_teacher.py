"""The teacher: targets and candidates of a few sentences, packed substitutes, and the command on a tiny encoder."""

from __future__ import annotations

import gzip
import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judges.teacher.candidates import Vocabulary, candidates
from judges.teacher.contexts import Target, targets
from judges.teacher.head import Head, read_swords

pytestmark = pytest.mark.slow

TEXTS = (
    "The committee rejected the plan because the costs were too high.",
    "She gave up smoking last winter and now runs every day.",
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "small.txt"
    path.write_text("\n".join(TEXTS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def swords(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SWORDS in its published form, made up: four targets with near words and far ones."""
    contexts, the_targets, substitutes, labels = {}, {}, {}, {}
    for c, (text, word) in enumerate(
        [(TEXTS[0], "plan"), (TEXTS[0], "high"), (TEXTS[1], "winter"), (TEXTS[1], "runs")]
    ):
        contexts[f"c{c}"] = {"context": text}
        the_targets[f"t{c}"] = {"context_id": f"c{c}", "target": word, "offset": text.index(word), "pos": None}
        for s in range(40):
            substitutes[f"{c}-{s}"] = {"target_id": f"t{c}", "substitute": f"{word}{'ab'[s % 2] * (s + 1)}"}
            labels[f"{c}-{s}"] = ["TRUE"] * (s % 4) + ["FALSE"] * (4 - s % 4)
    path = tmp_path_factory.mktemp("swords") / "dev.json.gz"
    data = {"contexts": contexts, "targets": the_targets, "substitutes": substitutes, "substitute_labels": labels}
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump(data, file)
    return path


def at(text: str, word: str, lemma: str, tag: str) -> Target:
    start = text.index(word)
    return Target(text, start, start + len(word), lemma, tag, "test", text)


def test_targets_are_content_words_and_phrasal_verbs(texts: Path) -> None:
    found = targets(random.Random(1), texts=[texts], each=9)
    assert {t.context for t in found} == set(TEXTS)
    written = {t.text: t for t in found}
    assert {"rejected", "plan", "costs", "gave up"} <= set(written)
    assert not {"The", "the", "because", "were", "too", "She", "gave", "and"} & set(written)
    assert (written["gave up"].lemma, written["gave up"].part) == ("give up", "v")
    assert found == targets(random.Random(1), texts=[texts], each=9)
    assert len(targets(random.Random(1), texts=[texts], each=1)) == 2


def test_candidates_are_inflected_and_differ_from_the_target() -> None:
    target = at(TEXTS[0], "rejected", "reject", "VBD")
    offered = candidates(target, lambda word, part: ["deny", "accept"], random.Random(3))
    assert len(offered) == len(set(offered)) > 5
    assert {"denied", "accepted"} <= set(offered)  # near ones, inflected
    assert not {"reject", "rejected"} & set(offered)
    known = {"refused", "turned down", "spurned", "disapproved", "dismissed", "disregarded", "resisted", "eliminated"}
    assert known & set(offered)
    assert offered == candidates(target, lambda word, part: ["deny", "accept"], random.Random(3))
    plural = candidates(at(TEXTS[0], "costs", "cost", "NNS"), lambda word, part: ["price"], random.Random(1))
    assert "prices" in plural


def test_near_words_share_the_part_of_speech() -> None:
    vectors = np.array([[1.0, 0.0], [0.9, 0.1], [0.8, 0.2], [0.99, 0.0]])
    near = Vocabulary(["plan", "program", "eat", "project"], vectors, neighbours=2).near
    assert near("plan", "n") == ["project", "program"]
    assert near("unheard-of", "n") == []


def test_the_head_finds_what_people_accept() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(1500, 4))
    shares = np.clip(0.5 + 0.3 * features[:, 0], 0, 1)
    said = Head().fit(features[:1000], shares[:1000])(features[1000:])
    assert said.min() >= 0
    assert said.max() <= 1
    assert np.corrcoef(said, shares[1000:])[0, 1] > 0.95


def test_swords_is_read_with_shares(swords: Path) -> None:
    judged = read_swords(swords)
    assert [j.context[j.start : j.end] for j in judged] == ["plan", "high", "winter", "runs"]
    assert judged[0].shares[:5] == [0.0, 0.25, 0.5, 0.75, 0.0]
    assert judged[0].fold == judged[1].fold  # of one context


# With the encoder


@pytest.fixture(scope="module")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder with random weights, in the published form; a piece is a letter or a common word."""
    torch = pytest.importorskip("torch")
    safetensors = pytest.importorskip("safetensors.torch")
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    folder = tmp_path_factory.mktemp("encoder")
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    words = ["<s>", "<pad>", "</s>", "[UNK]", *letters, *("##" + c for c in letters), ".", "the", "high", "plan"]
    pieces = Tokenizer(models.WordPiece({word: k for k, word in enumerate(words)}, unk_token="[UNK]"))
    pieces.normalizer, pieces.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    pieces.save(str(folder / "tokenizer.json"))
    generator = torch.Generator().manual_seed(1)

    def drawn(*shape: int) -> Any:
        return torch.randn(shape, generator=generator) * 0.3

    width, inner, heads = 16, 32, 2
    tensors = {
        "embeddings.word_embeddings.weight": drawn(len(words), width),
        "embeddings.position_embeddings.weight": drawn(130, width),
        "encoder.relative_attention_bias.weight": drawn(32, heads),
    }
    linear = {"attention.attn.q": (width, width), "attention.attn.k": (width, width), "attention.attn.v": (width, width),
              "attention.attn.o": (width, width), "intermediate.dense": (inner, width), "output.dense": (width, inner)}  # fmt: skip
    norms = ["embeddings.LayerNorm"]
    for layer in range(6):
        for name, shape in linear.items():
            tensors[f"encoder.layer.{layer}.{name}.weight"] = drawn(*shape)
            tensors[f"encoder.layer.{layer}.{name}.bias"] = drawn(shape[0])
        norms += [f"encoder.layer.{layer}.attention.LayerNorm", f"encoder.layer.{layer}.output.LayerNorm"]
    for name in norms:
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = torch.ones(width), torch.zeros(width)
    safetensors.save_file(tensors, str(folder / "model.safetensors"))
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": heads}), encoding="utf-8")
    return folder


def test_a_packed_substitute_is_read_as_if_it_were_alone_with_the_text(encoder_folder: Path) -> None:
    import torch
    from tokenizers import Tokenizer

    from judges.teacher.encoder import Encoder, Packer, batch

    encoder = Encoder.load(encoder_folder, 4)
    packer = Packer(Tokenizer.from_file(str(encoder_folder / "tokenizer.json")))
    start = TEXTS[0].index("plan")
    place = TEXTS[0], start, start + 4

    def states(*substitutes: str) -> tuple[Any, Any]:
        pack = packer.pack(*place, substitutes)
        return encoder(batch([pack, packer.pack("The plan.", 4, 8, ())]))[-1][0], pack

    text, without = states()
    both, packed = states("idea", "high")
    other, single = states("high")
    ((low, high),) = single.groups
    assert torch.allclose(both[: len(without)], text[: len(without)], atol=1e-5)  # the text sees no substitute
    first, last = packed.groups[1]
    assert torch.allclose(both[first:last], other[low:high], atol=1e-5)  # nor do they see one another
    with pytest.raises(ValueError, match="no word at"):
        packer.pack("The plan.", 3, 4, ())


def test_the_encoder_is_the_published_one(encoder_folder: Path) -> None:
    transformers = pytest.importorskip("transformers")
    import torch
    from tokenizers import Tokenizer

    from judges.teacher.encoder import Encoder, Packer, batch

    ours = Encoder.load(encoder_folder, 6)
    config = transformers.MPNetConfig(
        vocab_size=ours.weight("embeddings.word_embeddings.weight").shape[0], hidden_size=16, num_hidden_layers=6,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=130, layer_norm_eps=1e-5,
    )  # fmt: skip
    theirs = transformers.MPNetModel(config, add_pooling_layer=False).eval()
    from safetensors.torch import load_file

    theirs.load_state_dict(load_file(encoder_folder / "model.safetensors"), strict=False)
    pack = Packer(Tokenizer.from_file(str(encoder_folder / "tokenizer.json"))).pack(TEXTS[0], 4, 13, ())
    with torch.no_grad():
        expected = theirs(torch.tensor([pack.ids]), output_hidden_states=True).hidden_states
        for mine, other in zip(ours(batch([pack])), expected, strict=True):
            assert torch.allclose(mine, other, atol=1e-5)


def test_the_command_goes_on_where_it_stopped(
    encoder_folder: Path, swords: Path, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import judges.teacher.__main__ as teacher

    monkeypatch.setattr(
        teacher, "vocabulary", lambda: ["plan", "project", "program", "reject", "deny", "cost", "price"]
    )
    monkeypatch.setattr(teacher, "_PART", 3)
    out = tmp_path / "out"
    command = ["--out", str(out), "--encoder", str(encoder_folder), "--layers", "4", "--swords", str(swords),
               "--texts", str(texts), "--seed", "2"]  # fmt: skip
    teacher.main(command)
    written = (out / "scores.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in written.splitlines()]
    assert len(rows) > 4
    for row in rows:
        assert row["context"][row["start"] : row["end"]].strip()
        assert len(row["scores"]) == len(row["substitutes"]) == len(row["cosines"]["4"])
        assert all(0 <= score <= 1 for score in row["scores"])
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["targets"] == len(rows)
    of_teacher = manifest["agreement"]["SWORDS, teacher"]
    assert 0 <= of_teacher["gap"] <= 100
    assert set(manifest["agreement"]) == {"SWORDS, teacher", "SWORDS, cosine, layer 4", "SWORDS, cosine, layers 3 to 4"}
    assert manifest["sha256"][str(swords)] == teacher.checksum(swords)
    parts = sorted((out / "parts").iterdir())
    kept = parts[0].stat().st_mtime_ns
    parts[1].unlink()
    teacher.main(command)
    assert parts[0].stat().st_mtime_ns == kept
    assert (out / "scores.jsonl").read_text(encoding="utf-8") == written
    with pytest.raises(SystemExit):
        teacher.main([*command, "--layers", "3"])


def test_whole_sentences_are_compared_by_layer(encoder_folder: Path, tmp_path: Path) -> None:
    from judges import prepare
    from judges.teacher import sentences

    made = tmp_path / "made.jsonl"
    changed = TEXTS[0].replace("plan", "idea")
    rows = [(TEXTS[0], TEXTS[0]), (TEXTS[0], changed), (changed, TEXTS[0])]
    with open(made, "w", encoding="utf-8") as file:
        for number, (source, target) in enumerate(rows):
            row = {"source": source, "target": target, "label": 0.5, "kind": "word.x", "group": str(number)}
            file.write(json.dumps(row) + "\n")
    prepare.main(["--out", str(tmp_path), "--name", "made", "--made", str(made)])
    out = tmp_path / "made.trunk.pkl"
    sentences.main([str(tmp_path / "made.pkl"), "--out", str(out), "--encoder", str(encoder_folder)])
    written = pickle.loads(out.read_bytes())
    figures = [dict(zip(written["trunk_names"], row, strict=True)) for row in written["trunk"].tolist()]
    same, one, other = figures
    assert written["features"].shape == (3, len(written["names"]))
    assert same["matched forward, layer 6"] == pytest.approx(1, abs=1e-2)
    assert same["least aligned, layer 3"] == pytest.approx(1, abs=1e-2)
    assert (same["places"], one["places"], one["changed in source"]) == (0, 1, 1)
    assert one["least t, s, layer 6"] == pytest.approx(one["mean t, s, layer 6"], abs=1e-6)
    assert one["least t, s, layer 6"] < 0.999
    assert one["matched forward, layer 4"] == pytest.approx(other["matched back, layer 4"], abs=1e-2)
    assert one["t, alone s, layer 5"] == pytest.approx(other["s, alone t, layer 5"], abs=1e-2)
