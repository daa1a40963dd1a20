"""Export a trained model to the files that ``usim`` loads: ONNX with 8-bit weights, settings, tokeniser.

::

    python -m parsers.span.export runs/x [--weights runs/x/best.pt] [--out DIR] [--name en-1.0]

The encoder is written out here once more, layer by layer, so that the graph is small and says what is meant. What is
kept in 8 bits: the word embeddings, half of all parameters, with a scale for each row; the matrices of the encoder and
of the fences with a scale for each column, their inputs quantised as they come with a scale for each word piece. A
scale for the whole batch, which is what the usual dynamic quantisation has, would make the parse of a sentence depend
on the sentences beside it. Weights keep to 7 of the 8 bits: on processors without VNNI the sum of two products of 8
bits overflows. The scores of labels stay in 32 bits.
"""

from __future__ import annotations

import argparse
import json
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from parsers.span.data import Inventory
from parsers.span.model import SpanModel

#: What a remote edge must score above there being none; chosen on dev.
REMOTE_THRESHOLD = -0.5


class QuantisedEmbedding(nn.Module):
    """Embeddings in 8 bits, with a scale for each row."""

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale.float())

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The vectors of the pieces."""
        return F.embedding(ids, self.rows).float() * F.embedding(ids, self.scale)


class _IntegerProduct(torch.autograd.Function):
    """ONNX's MatMulInteger, which torch has no word for."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor, zero: torch.Tensor) -> torch.Tensor:
        return ((x.int() - zero.int()).double() @ w.double()).int()

    @staticmethod
    def symbolic(g: Any, x: Any, w: Any, zero: Any) -> Any:
        return g.op("MatMulInteger", x, w, zero)


class QuantisedLinear(nn.Module):
    """A linear layer in integers: weights with a scale for each column, inputs with a scale for each row."""

    #: The largest weight; two products with an input of 8 bits fit into 16 bits.
    LARGEST = 63

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach().T.contiguous()
        scale = weight.abs().amax(dim=0).clamp(min=1e-8) / self.LARGEST
        self.register_buffer("weight", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.register_buffer("zero", torch.tensor(128, dtype=torch.uint8))
        self.bias = None if linear.bias is None else nn.Parameter(linear.bias.detach().clone())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """As that of the linear layer."""
        scale = x.abs().amax(dim=-1, keepdim=True) * (1 / 127) + 1e-9
        rows = (x * (1 / scale) + 128.5).to(torch.uint8)  # rounds, as the numbers are above 0
        y = _IntegerProduct.apply(rows, self.weight, self.zero).float() * scale * self.scale
        return y if self.bias is None else y + self.bias


class Exported(nn.Module):
    """The whole network as it runs in usim; BERT's encoder (Devlin et al. 2019) written out.

    Takes the model over: with ``quantise`` its layers are replaced. ``versions`` has for each label the versions of the
    guidelines that know it; no span gets another. A batch follows one version.
    """

    def __init__(self, model: SpanModel, versions: Sequence[Sequence[int]], *, quantise: bool) -> None:
        super().__init__()
        absent = torch.tensor([[0.0 if v in seen else -1e4 for seen in versions] for v in (1, 2)])
        self.register_buffer("label_bias", absent + model.label.bias.detach())
        model = model.eval()
        encoder: Any = model.encoder
        config = encoder.config
        self.heads = config.num_attention_heads
        embeddings = encoder.embeddings
        words = embeddings.word_embeddings.weight.detach()
        self.words = QuantisedEmbedding(words) if quantise else embeddings.word_embeddings
        self.positions = nn.Parameter(embeddings.position_embeddings.weight.detach().clone())
        self.types = embeddings.token_type_embeddings
        self.norm = embeddings.LayerNorm
        self.layers = encoder.encoder.layer
        self.projections = nn.ModuleList(_projection(layer.attention.self) for layer in self.layers)
        self.model = model
        if quantise:
            self.projections = nn.ModuleList(map(QuantisedLinear, self.projections))
            for layer in self.layers:
                for part in (layer.attention.output, layer.intermediate, layer.output):
                    part.dense = QuantisedLinear(part.dense)
            for name in ("left", "right", "node_left", "node_right"):
                setattr(model, name, QuantisedLinear(getattr(model, name)))

    def forward(
        self,
        ids: torch.Tensor,
        mask: torch.Tensor,
        types: torch.Tensor,
        before: torch.Tensor,
        after: torch.Tensor,
        start: torch.Tensor,
        end: torch.Tensor,
    ) -> tuple[torch.Tensor, ...]:
        """The best label of each span and its score, the fences for the nodes, the vectors of the pieces."""
        batch, length = ids.shape
        x = self.words(ids) + self.types(types) + self.positions[:length].unsqueeze(0)
        x = self.norm(x)
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer, projection in zip(self.layers, self.projections, strict=True):
            x = self._layer(layer, projection(x), x, bias, batch, length)
        fences = self.model.fences(x, before, after)
        spans = F.relu(self.model.norm(self.model.left(fences)[start] + self.model.right(fences)[end]))
        score, label = (spans @ self.model.label.weight.T + self.label_bias[types[0, 0]]).max(1)
        return score, label, self.model.node_left(fences), self.model.node_right(fences), x

    def _layer(
        self, layer: Any, projected: torch.Tensor, x: torch.Tensor, bias: torch.Tensor, batch: int, length: int
    ) -> torch.Tensor:
        width = x.shape[-1]
        head = width // self.heads

        def split(y: torch.Tensor) -> torch.Tensor:
            return y.view(batch, length, self.heads, head).transpose(1, 2)

        q, k, v = (split(y) for y in projected.split(width, dim=-1))
        weights = torch.softmax(q @ k.transpose(-1, -2) + bias, dim=-1)
        y = (weights @ v).transpose(1, 2).reshape(batch, length, width)
        out = layer.attention.output
        x = out.LayerNorm(out.dense(y) + x)
        y = F.gelu(layer.intermediate.dense(x))
        return layer.output.LayerNorm(layer.output.dense(y) + x)


def _projection(attention: Any) -> nn.Linear:
    """Query, key and value as one matrix, the query scaled, so that there is one large product instead of three."""
    scale = attention.attention_head_size**-0.5
    parts = [attention.query, attention.key, attention.value]
    width = attention.query.in_features
    made = nn.Linear(width, 3 * width)
    with torch.no_grad():
        made.weight.copy_(torch.cat([p.weight * (scale if p is parts[0] else 1) for p in parts]))
        made.bias.copy_(torch.cat([p.bias * (scale if p is parts[0] else 1) for p in parts]))
    return made


_NAMES = ["ids", "mask", "types", "before", "after", "start", "end"]
_OUTPUTS = ["score", "label", "node_left", "node_right", "pieces"]


def to_onnx(model: SpanModel, versions: Sequence[Sequence[int]], path: Path, *, quantise: bool = True) -> None:
    """Write the network as ONNX, in 8 bits or in 32."""
    exported = Exported(model, versions, quantise=quantise).eval()
    two = torch.ones(2, 6, dtype=torch.long)
    fences = torch.tensor([[0, 1, 2], [0, 1, 2]])
    spans = torch.tensor([0, 0, 1, 3, 3, 4])
    example = (two, two, 0 * two, fences, fences + 1, spans, spans + 1)
    axes = {
        **{name: {0: "batch", 1: "pieces"} for name in ("ids", "mask", "types")},
        **{name: {0: "batch", 1: "fences"} for name in ("before", "after")},
        **{name: {0: "spans"} for name in ("start", "end", "score", "label")},
        **{name: {0: "rows"} for name in ("node_left", "node_right")},
        "pieces": {0: "batch", 1: "pieces"},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.no_grad():
            torch.onnx.export(
                exported,
                example,
                str(path),
                input_names=_NAMES,
                output_names=_OUTPUTS,
                dynamic_axes=axes,
                opset_version=17,
                dynamo=False,
            )


def export(
    run: Path,
    encoder: Path,
    out: Path,
    *,
    weights: Path | None = None,
    name: str = "en",
    quantise: bool = True,
    threshold: float = REMOTE_THRESHOLD,
) -> None:
    """Write the files of a model.

    Args:
        run: the folder of a training run.
        encoder: the folder of the pretrained encoder, for its sizes and its tokeniser.
        out: the folder to write into.
        weights: the weights; by default those of the best epoch.
        name: how the parser calls itself.
        quantise: 8-bit weights rather than 32.
        threshold: what a remote edge must score above there being none.
    """
    from parsers.span.train import build

    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    inventory = Inventory.from_settings(settings)
    model = build(encoder, inventory, settings, pretrained=False)
    model.load_state_dict(torch.load(weights or run / "best.pt", weights_only=True))
    model.eval()
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / "remotes.npz", **{k: v.astype(np.float16) for k, v in model.remote.arrays().items()})
    to_onnx(model, inventory.versions, out / "model.onnx", quantise=quantise)
    shutil.copyfile(encoder / "tokenizer.json", out / "tokenizer.json")
    about = {
        "name": name,
        "guidelines": 1,
        "remote_threshold": threshold,
        "labels": inventory.labels,
        "remote_labels": inventory.remote_labels,
    }
    (out / "settings.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """The command; see the module's text."""
    from parsers.span.train import encoder_folder

    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("run", type=Path)
    p.add_argument("--weights", type=Path)
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--out", type=Path, help="by default the folder model/ of the run")
    p.add_argument("--name", default="en")
    p.add_argument("--threshold", type=float, default=REMOTE_THRESHOLD)
    p.add_argument("--fp32", action="store_true", help="do not quantise")
    args = p.parse_args(argv)
    export(
        args.run,
        encoder_folder(args.encoder),
        args.out or args.run / "model",
        weights=args.weights,
        name=args.name,
        quantise=not args.fp32,
        threshold=args.threshold,
    )


if __name__ == "__main__":
    main()
