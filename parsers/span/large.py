"""Export a parser on a frozen trunk: the trunk once, and the layers above it.

::

    python -m parsers.span.large trunk --encoder DIR --wiki-train DIR --ewt-train DIR --out usim/models/en/trunk
    python -m parsers.span.large parser RUN --encoder DIR --wiki-train DIR --ewt-train DIR --trunk DIR --out DIR
                                            [--bits 4] [--name en-large-1.0]

The trunk holds nothing that was trained here, so several models can stand on the same files. Its word embeddings have 4
bits, its layers 8. Of the layers above it, each matrix has 4 or 8 bits on disk, and 8 when it is multiplied
(:mod:`usim.parsing.packed`). Scales are chosen on training sentences (:mod:`training.calibration`), those of the parser
on what the finished trunk gives.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from transformers import AutoModel

from parsers.span.build import load_run
from parsers.span.data import read_corpus
from parsers.span.export import REMOTE_THRESHOLD, Sentence
from parsers.span.graph import UpperGraph
from parsers.span.sieve import SENTENCES, look, train
from training.calibration import choose_places
from training.encoders import load_pieces
from training.mpnet import is_mpnet, load_upper
from training.onnx_graph import as_array
from training.packing import Packing, levels_of
from training.trunk_graph import BertTrunkGraph, TrunkGraph, TrunkNet, trunk_feeds
from usim.parsing import load_packed_session, load_trunk
from usim.parsing.embeddings import EmbeddingTable, HalfByteTable
from usim.parsing.network import Window, feed
from usim.parsing.packed import pack
from usim.parsing.trees import words_of
from usim.parsing.trunk import Trunk
from usim.text import digest_of

#: On how many sentences scales are chosen.
_SENTENCES = 300
#: How many of the encoder's layers belong to the trunk.
FROZEN = 6


def export_trunk(
    encoder: Path, out: Path, sentences: Sequence[Sequence[str]], *, name: str, table: Path | None = None
) -> None:
    """Write the files of a trunk.

    Args:
        encoder: the folder of the pretrained encoder, an MPNet or a BERT. Layers of a BERT have 4 bits on disk.
        out: the folder to write into.
        sentences: sentences to choose scales on.
        name: what the trunk is called.
        table: the folder of a table of words in 8 bits to take in place of the encoder's own: that of a parser.
    """
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(encoder / "tokenizer.json", out / "tokenizer.json")
    files = ("trunk.onnx", "weights.npz", "words.npy", "scales.npy", "levels.npy", "tokenizer.json")
    if is_mpnet(encoder):
        upper, bits = load_upper(encoder, FROZEN, 0.0), 8
        words, make = upper.trunk.embeddings.word_embeddings, partial(TrunkGraph, TrunkNet(upper))
    else:
        bert, bits = AutoModel.from_pretrained(encoder, add_pooling_layer=False).float(), 4
        words, make = bert.get_input_embeddings(), partial(BertTrunkGraph, TrunkNet(bert))
    weight = EmbeddingTable(table)(np.arange(len(words.weight))) if table else as_array(words.weight)
    levels = levels_of(weight.T)
    codes, scales = pack(weight.T, levels)
    np.save(out / "words.npy", np.ascontiguousarray(codes.T))
    np.save(out / "scales.npy", np.ascontiguousarray(scales.T))
    np.save(out / "levels.npy", levels)
    feeds = list(trunk_feeds(load_pieces(encoder), sentences, HalfByteTable(out), _SENTENCES))
    packing = Packing(lambda name: bits)
    onnx.save(make(choose_places(make, feeds), packing=packing).build(), str(out / "trunk.onnx"))
    packing.save(out / "weights.npz")
    _write_settings(out, files, {"name": name, "layers": make.func.layers})


def export_parser(
    run: Path,
    encoder: Path,
    trunk_folder: Path,
    out: Path,
    sentences: Sequence[Sentence],
    *,
    name: str,
    weights: Path | None = None,
    bits: int = 4,
    sieve: bool = True,
    threshold: float = REMOTE_THRESHOLD,
) -> None:
    """Write the files of a parser that stands on a trunk.

    Args:
        run: the folder of a training run.
        encoder: the folder of the pretrained encoder.
        trunk_folder: that of the exported trunk; the parser's settings name it as seen from ``out``.
        out: the folder to write into.
        sentences: training sentences to choose scales on.
        name: how the parser calls itself.
        weights: the weights; by default those of the best epoch.
        bits: how many bits a weight has on disk, 4 or 8.
        sieve: whether to train a sieve for spans.
        threshold: what a remote edge must score above there being none.
    """
    model, inventory = load_run(run, encoder, weights)
    trunk = load_trunk(trunk_folder)
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / "remotes.npz", **{k: v.astype(np.float16) for k, v in model.remote.arrays().items()})
    make = partial(UpperGraph, model, inventory.versions)
    places = choose_places(make, _feeds(trunk, sentences, _SENTENCES))

    packing = Packing(lambda name: bits)

    def write(found: Any = None) -> None:
        onnx.save(make(places, sieve=found, packing=packing).build(), str(out / "model.onnx"))
        packing.save(out / "weights.npz")

    write()
    if sieve:
        session = load_packed_session(out / "model.onnx", out / "weights.npz")
        write(train(look(session, _feeds(trunk, sentences, SENTENCES))))
    _write_settings(
        out,
        ("model.onnx", "weights.npz", "remotes.npz"),
        {
            "name": name,
            "guidelines": 1,
            "trunk": Path("..", trunk_folder.name).as_posix(),
            "trunk_digest": trunk.digest,
            "remote_threshold": threshold,
            "labels": inventory.labels,
            "versions": inventory.versions,
            "remote_labels": inventory.remote_labels,
        },
    )


def _feeds(trunk: Trunk, sentences: Sequence[Sentence], count: int) -> Iterator[dict[str, Any]]:
    for tokens, guidelines in random.Random(1).sample(list(sentences), min(len(sentences), count)):
        words = words_of(tokens, guidelines)
        window = Window(0, 0, len(tokens), words, *trunk.pieces.encode(tokens, words))
        if words and len(window.ids) <= 512:
            fed = feed([window], guidelines)
            lower = trunk.highest(fed.pop("ids"), fed["mask"])
            del fed["deep"]
            yield fed | {"lower": lower}


def _write_settings(out: Path, files: Sequence[str], settings: dict[str, Any]) -> None:
    about = {**settings, "sha256": {file: digest_of(out / file) for file in files}}
    (out / "settings.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    for command in ("trunk", "parser"):
        q = commands.add_parser(command)
        if command == "parser":
            q.add_argument("run", type=Path)
            q.add_argument("--trunk", type=Path, required=True, help="folder of the exported trunk")
            q.add_argument("--weights", type=Path)
            q.add_argument("--bits", type=int, choices=(4, 8), default=4, help="bits a weight on disk")
            q.add_argument("--no-sieve", action="store_true", help="give every span scores")
        q.add_argument("--encoder", type=Path, required=True, metavar="DIR")
        q.add_argument("--wiki-train", required=True, metavar="DIR", help="folder of UCCA XML, to choose scales on")
        q.add_argument("--ewt-train", required=True, metavar="DIR")
        q.add_argument("--out", type=Path, required=True)
        if command == "trunk":
            q.add_argument("--table", type=Path, metavar="DIR", help="a table of words to take in place of its own")
        q.add_argument("--name", default="mpnet" if command == "trunk" else "en-large")
    args = p.parse_args(argv)
    sentences = [
        (graph.tokens, guidelines)
        for guidelines, folder in ((1, args.wiki_train), (2, args.ewt_train))
        for graph in read_corpus(folder, "train", guidelines).graphs
    ]
    if args.command == "trunk":
        export_trunk(args.encoder, args.out, [tokens for tokens, _ in sentences], name=args.name, table=args.table)
    else:
        export_parser(
            args.run, args.encoder, args.trunk, args.out, sentences, name=args.name, weights=args.weights,
            bits=args.bits, sieve=not args.no_sieve,
        )  # fmt: skip


if __name__ == "__main__":
    main()
