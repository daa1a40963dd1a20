"""Export a trained model to the files that ``usim`` loads: ONNX with 8-bit weights, settings, tokeniser.

::

    python -m parsers.span.export runs/x --wiki-train DIR --ewt-train DIR [--weights runs/x/best.pt] [--out DIR]
                                         [--name en-1.0]

The graph is that of :mod:`parsers.span.graph`. What is kept in 8 bits: the word embeddings, half of all
parameters, with a scale for each row; all other matrices with a scale for each column. How the numbers between them are
brought into 8 bits is chosen on some of the training sentences (:mod:`training.calibration`), which are needed here
for that. The head for remote edges stays in 16 bits.
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

from parsers.span.build import load_run
from parsers.span.data import read_corpus
from parsers.span.graph import SpanGraph
from parsers.span.model import SpanModel
from parsers.span.sieve import SENTENCES, look, train
from training.calibration import choose_places
from training.encoders import encoder_folder, load_pieces
from usim.parsing import Pieces
from usim.parsing.embeddings import write_words
from usim.parsing.network import Window, feed, load_session
from usim.parsing.trees import words_of
from usim.text import digest_of

#: What a remote edge must score above there being none; chosen on dev.
REMOTE_THRESHOLD = -0.5
#: How many sentences are looked at to choose scales.
_SENTENCES = 300

#: A sentence to choose scales on: its tokens, and the version of the guidelines that it is annotated by.
Sentence = tuple[Sequence[str], int]


def to_onnx(
    model: SpanModel,
    versions: Sequence[Sequence[int]],
    path: Path,
    *,
    pieces: Pieces | None = None,
    sentences: Sequence[Sentence] = (),
    sieve: bool = True,
) -> None:
    """Write the network as ONNX: in 8 bits if there are sentences to choose scales on, else in 32.

    With sentences there is a sieve for spans, too, if wanted.
    """
    if pieces is None or not sentences:
        onnx.save(SpanGraph(model, versions).build(), str(path))
        return
    table = model.encoder.get_input_embeddings().weight.detach().float().numpy()
    places = choose_places(partial(SpanGraph, model, versions), _feeds(pieces, sentences, table, _SENTENCES))
    onnx.save(SpanGraph(model, versions, places).build(), str(path))
    if sieve:
        seen = look(load_session(path), _feeds(pieces, sentences, table, SENTENCES))
        onnx.save(SpanGraph(model, versions, places, sieve=train(seen)).build(), str(path))


def _feeds(pieces: Pieces, sentences: Sequence[Sentence], table: Any, count: int) -> Iterator[dict[str, Any]]:
    chosen = random.Random(1).sample(list(sentences), min(len(sentences), count))
    for tokens, guidelines in chosen:
        words = words_of(tokens, guidelines)
        pieces.learn(tokens)
        window = Window(0, 0, len(tokens), words, *pieces.encode(tokens, words))
        if words and len(window.ids) <= 512:
            fed = feed([window], guidelines)
            yield fed | {"embedded": table[fed.pop("ids")]}


def export(
    run: Path,
    encoder: Path,
    out: Path,
    *,
    weights: Path | None = None,
    name: str = "en",
    sentences: Sequence[Sentence] = (),
    threshold: float = REMOTE_THRESHOLD,
    shared: str | None = None,
    sieve: bool = True,
) -> None:
    """Write the files of a model.

    Args:
        run: the folder of a training run.
        encoder: the folder of the pretrained encoder, for its sizes and its tokeniser.
        out: the folder to write into.
        weights: the weights; by default those of the best epoch.
        name: how the parser calls itself.
        sentences: training sentences to choose scales on; without any, everything stays in 32 bits.
        threshold: what a remote edge must score above there being none.
        shared: where the table of word embeddings and the tokeniser are, seen from ``out``; None to write them.
        sieve: whether to train a sieve for spans on the sentences (:mod:`parsers.span.sieve`).
    """
    model, inventory = load_run(run, encoder, weights)
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / "remotes.npz", **{k: v.astype(np.float16) for k, v in model.remote.arrays().items()})
    pieces = load_pieces(encoder)
    to_onnx(model, inventory.versions, out / "model.onnx", pieces=pieces, sentences=sentences, sieve=sieve)
    if shared is None:
        shutil.copyfile(encoder / "tokenizer.json", out / "tokenizer.json")
        write_words(model.encoder.get_input_embeddings().weight.detach().float().numpy(), out)
    home = Path("." if shared is None else shared)
    files = [
        "model.onnx",
        "remotes.npz",
        *((home / file).as_posix() for file in ("tokenizer.json", "words.npy", "scales.npy")),
    ]
    about = {
        **({} if shared is None else {"words": shared}),
        "name": name,
        "guidelines": 1,
        "sha256": {file: digest_of(out / file) for file in files},
        "remote_threshold": threshold,
        "labels": inventory.labels,
        "versions": inventory.versions,
        "remote_labels": inventory.remote_labels,
    }
    (out / "settings.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("run", type=Path)
    p.add_argument("--weights", type=Path)
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--out", type=Path, help="by default the folder model/ of the run")
    p.add_argument("--name", default="en")
    p.add_argument("--threshold", type=float, default=REMOTE_THRESHOLD)
    for corpus in ("wiki", "ewt"):
        p.add_argument(f"--{corpus}-train", metavar="DIR", help="folder of UCCA XML, to choose scales on")
    p.add_argument("--shared", metavar="DIR", help="where, seen from --out, the words and the tokeniser already are")
    p.add_argument("--no-sieve", action="store_true", help="give every span scores")
    p.add_argument("--fp32", action="store_true", help="do not quantise")
    args = p.parse_args(argv)
    given = {1: args.wiki_train, 2: args.ewt_train}
    if not any(given.values()) and not args.fp32:
        p.error("8 bits need training sentences: pass --wiki-train and --ewt-train (or --fp32)")
    sentences = [
        (graph.tokens, guidelines)
        for guidelines, folder in given.items()
        if folder and not args.fp32
        for graph in read_corpus(folder, "train", guidelines).graphs
    ]
    export(
        args.run,
        encoder_folder(args.encoder),
        args.out or args.run / "model",
        weights=args.weights,
        name=args.name,
        sentences=sentences,
        threshold=args.threshold,
        shared=args.shared,
        sieve=not args.no_sieve,
    )


if __name__ == "__main__":
    main()
