"""Export a trained judge to the files that ``usim`` loads.

::

    python -m judges.export runs/judge runs/judge-head --encoded encoded/tmu.pkl encoded/swords.pkl
                             [--out DIR] [--name judge-1.0]

Two graphs, made as the parser's is (:mod:`training.onnx_graph`): ``alone.onnx`` reads a sentence by itself,
``joint.onnx`` both sentences of a pair. Both take vectors: the word embeddings are in the table that the models share.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto

from judges.encode import Encoded, load
from judges.head import Head
from judges.network import Alone, JudgeNet
from training.calibration import choose_places
from training.encoders import encoder_folder
from training.onnx_graph import CONTRIB, EncoderGraph, as_array
from usim.compare import FEATURE_SCHEMA, feature_names
from usim.judge.classifier import LIMIT
from usim.judge.classifier import joint_feed as feed_of
from usim.judge.trained import CLASSIFIER_FILE, ENCODER_FILE, WORDS_FILES
from usim.parsing import SHARED_TABLE, EmbeddingTable, Pieces, read_tokenizer
from usim.text import digest_of, tokenise

#: How many sentences and pairs are looked at to choose scales.
_LOOKED_AT = 300


class AloneGraph(EncoderGraph):
    """Word embeddings (batch, pieces, width) and a mask to vectors of the pieces."""

    def build(self) -> onnx.ModelProto:
        x = self.embedded("embedded")
        mask = self.attention_mask()
        for k, layer in enumerate(self.encoder.encoder.layer):
            x = self.layer(x, mask, f"layers.{k}", layer)
        self.op("Transpose", x, perm=[1, 0, 2], out="pieces")
        width = self.config.hidden_size
        return self.finished(
            {
                "embedded": (TensorProto.FLOAT, ["batch", "pieces", width]),
                "mask": (TensorProto.INT64, ["batch", "pieces"]),
            },
            {"pieces": ["batch", "pieces", width]},
        )

    def embedded(self, name: str) -> str:
        """Add the input of the first layer, (pieces, batch, width)."""
        embeddings = self.encoder.embeddings
        x = self.op("Transpose", name, perm=[1, 0, 2])
        types = as_array(embeddings.token_type_embeddings.weight)[0]
        positions = self.constant(as_array(embeddings.position_embeddings.weight) + types, "positions")
        length = self.op("Shape", name, start=1, end=2)
        places = self.op("Slice", positions, self.ints(0), length, self.ints(0))
        x = self.op("Add", x, self.op("Unsqueeze", places, self.ints(1)))
        return self.norm(x, "norm", embeddings.LayerNorm)


class JointGraph(EncoderGraph):
    """One pair: vectors of its tokens (tokens, width) and what the network reads of them, to a logit."""

    def build(self) -> onnx.ModelProto:
        net: JudgeNet = self.model  # type: ignore[assignment]
        width = self.config.hidden_size
        x = self.op("Add", "x", self._table("flag", net.flag))
        x = self.op("Add", x, self._table("lowest", net.lowest))
        x = self.op("Add", x, self._table("highest", net.highest))
        x = self.op("Add", x, self.dense(self.quantised("difference", "difference"), "difference", "m", net.difference))
        x = self.norm(x, "norm", net.norm)
        x = self.op("Unsqueeze", x, self.ints(1))  # (tokens, one pair, width)
        for k, layer in enumerate(net.joint):
            x = self.layer(x, "", f"layers.{k}", layer)
        x = self.op("Squeeze", x, self.ints(1))
        weights = self.op("Softmax", self._exact(x, "query", net.query), axis=0)
        parts = self.op("MatMul", self.op("Transpose", weights, perm=[1, 0]), x)
        mean = self.op("MatMul", self.op("Unsqueeze", "changed", self.ints(0)), x)  # weights that sum to one, or zeros
        self._head(self.op("Reshape", self.op("Concat", parts, mean, axis=0), self.ints(1, -1)), net.head)
        ints = {name: (TensorProto.INT64, ["tokens"]) for name in ("flag", "lowest", "highest")}
        floats = {
            "x": (TensorProto.FLOAT, ["tokens", width]),
            "difference": (TensorProto.FLOAT, ["tokens", width]),
            "changed": (TensorProto.FLOAT, ["tokens"]),
            "features": (TensorProto.FLOAT, [net.head.linear.in_features]),
        }
        return self.finished(floats | ints, {"logit": [1]})

    def _table(self, name: str, table: Any) -> str:
        return self.op("Gather", self.constant(as_array(table.weight), f"{name}.table"), name)

    def _exact(self, x: str, name: str, layer: Any) -> str:
        weight = self.constant(np.ascontiguousarray(as_array(layer.weight).T), f"{name}.weight")
        return self.op("Add", self.op("MatMul", x, weight), self.constant(as_array(layer.bias), f"{name}.bias"))

    def _head(self, pooled: str, head: Head) -> None:
        """Add the mean of several networks; the features are standardised already."""
        scale = 1 / head.pool_deviation
        first = torch.nn.Linear(head.pooled.in_features, head.pooled.out_features)
        first.weight.copy_(head.pooled.weight * scale)
        first.bias.copy_(head.pooled.bias - (head.pooled.weight * scale) @ head.pool_mean)
        features = self.op("Unsqueeze", "features", self.ints(0))
        each = self.ints(head.count, 1, -1)
        a = self.op("Reshape", self._gelu(self._exact(pooled, "pooled", first)), each)
        b = self.op("Reshape", self._gelu(self._exact(features, "of_features", head.of_features)), each)
        both = self.op("Concat", a, b, axis=2)
        h = self.op("MatMul", both, self.constant(as_array(head.last), "last.weight"))
        h = self._gelu(self.op("Add", h, self.constant(as_array(head.last_bias)[:, None], "last.bias")))
        h = self.op("Mul", h, self.constant(as_array(head.out)[:, None], "out"))
        each_logit = self.op("ReduceSum", h, self.ints(1, 2), keepdims=0)
        linear = self.op("Reshape", self._exact(features, "linear", head.linear), self.ints(-1))
        self.op("ReduceMean", self.op("Add", each_logit, linear), axes=[0], keepdims=1, out="logit")

    def _gelu(self, x: str) -> str:
        return self.op("FastGelu", x, domain=CONTRIB)


def quantised(
    make: Callable[..., EncoderGraph], part: torch.nn.Module, feeds: Iterable[Mapping[str, Any]]
) -> onnx.ModelProto:
    """Return the graph of a part of the network in 8 bits, its scales chosen on some inputs."""
    return make(part, choose_places(partial(make, part), feeds)).build()


def joint_feed(set_: Encoded, k: int, net: JudgeNet) -> dict[str, Any]:
    """Return the inputs of the graph of pairs for one pair."""
    r = set_.readings[k]
    begin, end = set_.offsets[set_.numbers[k]]
    x = set_.vectors[np.concatenate([r.source + begin, r.target + end])].astype(np.float32)
    features = (set_.features[k] - net.head.mean.numpy()) / net.head.deviation.numpy()
    return feed_of(x, r, features.clip(-LIMIT, LIMIT))


def export(
    run: Path,
    of_head: Path,
    encoder: Path,
    out: Path,
    words: Path,
    encoded: Sequence[Encoded],
    name: str,
    about: Mapping[str, Any],
) -> None:
    """Write the files of a judge.

    Args:
        run: a run of ``judges.train``.
        of_head: what ``judges.head`` made of it.
        encoder: the pretrained encoder.
        out: the folder to write.
        words: the table of word embeddings that the models share.
        encoded: pairs to choose scales on.
        name: the judge's name.
        about: more for its settings: thresholds, calibration.
    """
    state = torch.load(run / "best.pt", weights_only=True)
    net = JudgeNet(str(encoder), len(state["mean"]))
    net.load_state_dict(state)
    state = torch.load(of_head / "head.pt", weights_only=True)
    net.head = Head(len(state["pool_mean"]), len(feature_names()), len(state["out"]))
    net.head.load_state_dict(state)
    net.eval()
    net.encoder = SimpleNamespace(config=Alone(encoder).encoder.config)  # type: ignore[assignment]
    rng = random.Random(1)
    some = [(e, k) for e in encoded for k in rng.sample(range(len(e.pairs)), min(_LOOKED_AT, len(e.pairs)))]
    out.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        joint = quantised(JointGraph, net, [joint_feed(e, k, net) for e, k in some])
        onnx.save(joint, str(out / CLASSIFIER_FILE))
        table = EmbeddingTable(words)
        alone = torch.nn.Module()
        alone.encoder = Alone(encoder).encoder
        tokenizer = words / "tokenizer.json"
        feeds = list(_alone_feeds(tokenizer, table, [e.pairs[k].source for e, k in some]))
        onnx.save(quantised(AloneGraph, alone, feeds), str(out / ENCODER_FILE))
    settings = {
        "name": name,
        "features": list(feature_names()),
        "feature_schema": FEATURE_SCHEMA,
        "sha256": {file: digest_of(out / file) for file in (ENCODER_FILE, CLASSIFIER_FILE)},
        "words_sha256": {file: digest_of(words / file) for file in WORDS_FILES},
        "mean": [float(f"{v:.6g}") for v in net.head.mean.tolist()],
        "deviation": [float(f"{v:.6g}") for v in net.head.deviation.tolist()],
        **about,
    }
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def _alone_feeds(tokenizer: Path, table: Any, texts: Sequence[str]) -> Iterable[dict[str, Any]]:
    pieces = Pieces(read_tokenizer(tokenizer))
    for text in dict.fromkeys(texts):
        tokens = [t.text for t in tokenise(text)]
        pieces.learn(tokens)
        ids = np.array([pieces.encode(tokens, [])[0][:512]])
        yield {"embedded": table(ids), "mask": np.ones(ids.shape, np.int64)}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("run", type=Path, help="a run of judges.train")
    p.add_argument("head", type=Path, help="a run of judges.head, calibrated")
    p.add_argument("--encoded", type=Path, nargs="+", required=True, help="files of judges.encode, to choose scales on")
    p.add_argument("--words", type=Path, default=SHARED_TABLE, help="folder of the shared table and the tokeniser")
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--out", type=Path, help="by default the folder model/ of the run")
    p.add_argument("--name", default="judge")
    args = p.parse_args(argv)
    about = json.loads((args.head / "calibration.json").read_text(encoding="utf-8"))
    about = {name: about[name] for name in ("calibration", "thresholds")}
    encoded = [load(path) for path in args.encoded]
    export(
        args.run,
        args.head,
        encoder_folder(args.encoder),
        args.out or args.run / "model",
        args.words,
        encoded,
        args.name,
        about,
    )


if __name__ == "__main__":
    main()
