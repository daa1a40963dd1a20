"""Export a trunk, and a parser that uses it, to the files that ``usim`` loads.

::

    python -m parsers.span.export trunk --encoder DIR --wiki-train DIR --ewt-train DIR --name NAME --out DIR
                                        [--words RUN]
    python -m parsers.span.export parser RUN --encoder DIR --wiki-train DIR --ewt-train DIR --trunk DIR --name NAME
                                        --out DIR

The trunk is the lower half of an MPNet (8 bits on disk) or a whole BERT (4 bits), with its word embeddings in 4 bits. A
parser that was trained on an MPNet stands on the trunk's highest layer, in 4 bits; one that was trained on a BERT has
layers of its own, in 8 bits, reads the trunk's word embeddings, and has a sieve for spans (:mod:`parsers.span.sieve`).
How numbers between the layers are brought into 8 bits is chosen on training sentences (:mod:`training.scales`). The
head for remote edges stays in 16 bits.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from parsers.span.build import encoder_folder, load_run
from parsers.span.data import add_corpora, given_corpora, window_of
from parsers.span.graph import SpanGraph, UpperGraph
from parsers.span.sieve import SENTENCES, look, train
from training.mpnet import UpperEncoder, is_mpnet, load_encoder
from training.onnx_graph import as_array
from training.packing import Packing, levels_of, pack
from training.scales import choose_places
from training.trunk_graph import BertTrunkGraph, TrunkGraph, trunk_feeds
from usim.parsing import Pieces, load_trunk
from usim.parsing.network import feed, load_session
from usim.parsing.packed import EmbeddingTable
from usim.parsing.trees import words_of
from usim.text.checksums import digest_of

#: The margin by which a remote edge must score above no edge; chosen on dev.
REMOTE_THRESHOLD = -0.5
#: How many sentences are looked at to choose scales.
_SENTENCES = 300
#: The files of a trunk that a parser with layers of its own reads.
_TABLE = ("tokenizer.json", "words.npy", "scales.npy", "levels.npy")

#: A sentence to choose scales on: its tokens, and the version of the guidelines that it is annotated by.
Sentence = tuple[Sequence[str], int]


def export_trunk(
    encoder: Path, out: Path, sentences: Sequence[Sentence], *, name: str, words: Path | None = None
) -> None:
    """Write the files of an MPNet or BERT as a trunk, perhaps with a training run's word embeddings (``words``)."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(encoder / "tokenizer.json", out / "tokenizer.json")
    whole = load_encoder(encoder, 0.0)
    weight = whole.get_input_embeddings().weight
    if is_mpnet(encoder):
        make, bits = partial(TrunkGraph, UpperEncoder(whole)), 8
    else:
        make, bits = partial(BertTrunkGraph, whole), 4
    if words is not None:
        weight = load_run(words, encoder)[0].encoder.get_input_embeddings().weight
    table = as_array(weight).T
    levels = levels_of(table)
    codes, scales = pack(table, levels)
    np.save(out / "words.npy", np.ascontiguousarray(codes.T))
    np.save(out / "scales.npy", np.ascontiguousarray(scales.T))
    np.save(out / "levels.npy", levels)
    texts = [tokens for tokens, _ in sentences]
    feeds = list(trunk_feeds(Pieces.read(out / "tokenizer.json"), texts, EmbeddingTable(out), _SENTENCES))
    packing = Packing(bits)
    onnx.save(make(choose_places(make, feeds), packing=packing).build(), str(out / "trunk.onnx"))
    packing.save(out / "weights.npz")
    _write_settings(out, ("trunk.onnx", "weights.npz", *_TABLE), {"name": name, "layers": make.func.layers})


def export_parser(
    run: Path, encoder: Path, trunk: Path, out: Path, sentences: Sequence[Sentence], *, name: str
) -> None:
    """Write the files of a run's best parser; training sentences choose scales and train a sieve."""
    model, inventory = load_run(run, encoder)
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / "remotes.npz", **{k: v.astype(np.float16) for k, v in model.remote.arrays().items()})
    stands_on_trunk = is_mpnet(encoder)
    make = partial(UpperGraph if stands_on_trunk else SpanGraph, model, inventory.versions)
    places = choose_places(make, _feeds(make.func, trunk, sentences, _SENTENCES))
    path = Path(os.path.relpath(trunk, out)).as_posix()
    if stands_on_trunk:
        packing = Packing(4)
        onnx.save(make(places, packing=packing).build(), str(out / "model.onnx"))
        packing.save(out / "weights.npz")
        files = ["model.onnx", "weights.npz", "remotes.npz"]
        about = {"trunk": path, "trunk_digest": load_trunk(trunk).digest}
    else:
        onnx.save(make(places).build(), str(out / "model.onnx"))
        seen = look(load_session(out / "model.onnx"), _feeds(make.func, trunk, sentences, SENTENCES))
        onnx.save(make(places, sieve=train(seen)).build(), str(out / "model.onnx"))
        files = ["model.onnx", "remotes.npz", *(f"{path}/{file}" for file in _TABLE)]
        about = {"words": path}
    about |= {"name": name, "guidelines": 1, "remote_threshold": REMOTE_THRESHOLD} | asdict(inventory)
    _write_settings(out, files, about)


def _feeds(graph: type[SpanGraph], folder: Path, sentences: Sequence[Sentence], count: int) -> Iterator[dict[str, Any]]:
    """Yield the inputs of a graph for some of the sentences, one each."""
    trunk = load_trunk(folder)
    for tokens, guidelines in random.Random(1).sample(list(sentences), min(len(sentences), count)):
        words = words_of(tokens, guidelines)
        window = window_of(tokens, words, trunk.pieces)
        if words and len(window.ids) <= 512:
            fed = feed([window], guidelines)
            ids = fed.pop("ids")
            lower = trunk.read(ids, fed["mask"], has_layers=False)[0] if graph.below == "lower" else trunk.words(ids)
            yield {name: fed[name] for name in graph.inputs} | {graph.below: lower}


def _write_settings(out: Path, files: Sequence[str], settings: dict[str, Any]) -> None:
    about = {**settings, "sha256": {file: digest_of(out / file) for file in files}}
    (out / "settings.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Export a trunk or a parser."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    trunk, parser = commands.add_parser("trunk"), commands.add_parser("parser")
    trunk.add_argument("--words", type=Path, metavar="RUN", help="take the word embeddings of this training run")
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a training run")
    parser.add_argument("--trunk", type=Path, required=True, metavar="DIR", help="folder of the exported trunk")
    for q in (trunk, parser):
        q.add_argument("--encoder", metavar="DIR", help="pretrained encoder, as parsers.span.train has it")
        add_corpora(q, "train")
        q.add_argument("--name", required=True, help="how it calls itself")
        q.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = p.parse_args(argv)
    corpora = given_corpora(args, "train")
    sentences = [(graph.tokens, corpus.guidelines) for corpus in corpora for graph in corpus.graphs]
    if not sentences:
        p.error("scales are chosen on training sentences: pass --wiki-train and --ewt-train")
    encoder = encoder_folder(args.encoder)
    if args.command == "trunk":
        export_trunk(encoder, args.out, sentences, name=args.name, words=args.words)
    else:
        export_parser(args.run, encoder, args.trunk, args.out, sentences, name=args.name)


if __name__ == "__main__":
    main()
