"""``python -m judges.teacher``: rate many words in many contexts with a large encoder.

::

    python -m judges.teacher --out DIR --encoder all-mpnet-base-v2 --swords swords-v1.1_dev.json.gz \
        --graphs wiki=DIR --graphs ewt=DIR --wordnet DIR

Writes ``candidates.jsonl`` (what is rated), ``parts/*.jsonl`` as it goes, and at the end ``scores.jsonl`` and
``manifest.json`` (seed, checksums of what was read, how well the teacher agrees with people). Started again, it goes on
after the last finished part.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import random
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from judges.evaluate import auc, gap
from judges.teacher.candidates import Near, Vocabulary, candidates, vocabulary
from judges.teacher.contexts import Target, targets
from judges.teacher.encoder import Encoder, Packer
from judges.teacher.features import Comparer
from judges.teacher.head import Head, Judged, cross_validated, read_prolex, read_swords
from usim.text import written_whole

#: By data set and method the figures by name.
Agreement = dict[str, dict[str, float]]
#: Targets of a part.
_PART = 500
#: Near words are those near by this layer of :meth:`Comparer.alone`.
_NEAR = 1


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    p = argparse.ArgumentParser(
        prog="python -m judges.teacher", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--out", type=Path, required=True, help="folder to write to")
    p.add_argument("--encoder", type=Path, required=True, help="folder of all-mpnet-base-v2")
    p.add_argument("--layers", type=int, default=8, help="layers of the encoder to use (default: %(default)s)")
    p.add_argument("--swords", type=Path, required=True, help="SWORDS' development set: what the teacher learns from")
    p.add_argument("--prolex", type=Path, help="ProLex' development set, only to measure the teacher on")
    p.add_argument("--graphs", action="append", default=[], metavar="NAME=DIR", help="a folder of UCCA XML")
    p.add_argument("--wordnet", type=Path, help="the folder of WordNet's database files, for its examples")
    p.add_argument("--texts", type=Path, nargs="*", default=[], help="plain texts")
    p.add_argument("--count", type=int, help="rate so many targets at most")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--float32", action="store_true", help="compute in 32 bits instead of bfloat16")
    args = p.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    _check_settings(args, p)
    torch.set_num_threads(1)

    comparer = load_comparer(args.encoder, args.layers, bf16=not args.float32)
    head, agreement = _fitted(args, comparer)
    for name, measured in agreement.items():
        _say(f"{name}: " + ", ".join(f"{figure} {value}" for figure, value in measured.items()))
    tasks = _candidates(args, comparer)
    files = _rate(args.out / "parts", tasks, comparer, head)
    with written_whole(args.out / "scores.jsonl") as whole:
        for path in files:
            with open(path, encoding="utf-8") as part:
                shutil.copyfileobj(part, whole)
    manifest = {
        "seed": args.seed,
        "layers": args.layers,
        "targets": len(tasks),
        "substitutes": sum(len(task["substitutes"]) for task in tasks),
        "agreement": agreement,
        "sha256": {str(path): checksum(path) for path in _inputs(args)},
    }
    with written_whole(args.out / "manifest.json") as file:
        json.dump(manifest, file, indent=1)


def _check_settings(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Write down the settings; end the command where the folder was begun with others."""
    path = args.out / "settings.json"
    settings = {name: value for name, value in vars(args).items() if name != "out"}
    text = json.dumps(settings, indent=1, default=str)
    if not path.exists():
        with written_whole(path) as file:
            file.write(text)
    elif path.read_text("utf-8") != text:
        parser.error(f"{args.out} was begun with other settings (settings.json in it); name another folder")


def load_comparer(folder: Path, layers: int, *, bf16: bool) -> Comparer:
    """Return a comparer on the lower layers of the encoder in a folder."""
    encoder = Encoder.load(folder, layers)
    packer = Packer(Tokenizer.from_file(str(folder / "tokenizer.json")))
    return Comparer(encoder.to(torch.bfloat16) if bf16 else encoder, packer)


def _fitted(args: argparse.Namespace, comparer: Comparer) -> tuple[Head, Agreement]:
    """Read the head that was fitted before, or fit and write it."""
    path = args.out / "head.pkl"
    if not path.exists():
        fitted = fit(comparer, args.swords, args.seed, args.prolex)
        partial = path.with_suffix(".part")
        partial.write_bytes(pickle.dumps(fitted, protocol=5))
        partial.replace(path)
    with open(path, "rb") as file:
        head, agreement = pickle.load(file)
    return head, agreement


def fit(comparer: Comparer, swords: Path, seed: int, prolex: Path | None) -> tuple[Head, Agreement]:
    """Return the teacher's head, and how well it agrees with people on targets it never saw."""
    judged = read_swords(swords)
    features = _features(comparer, judged)
    head = Head(seed).fit(np.concatenate(features), np.concatenate([j.shares for j in judged]))
    agreement = {"SWORDS, teacher": _agreement(judged, cross_validated(judged, features, seed))}
    top = comparer.layers[-1]
    for name, layers in ((f"layer {top}", slice(top, top + 1)), (f"layers 3 to {top}", slice(3, top + 1))):
        agreement[f"SWORDS, cosine, {name}"] = _agreement(judged, [f[:, layers].mean(1) for f in features])
    if prolex is not None:
        judged = read_prolex(prolex)
        features = _features(comparer, judged)
        agreement["ProLex, teacher"] = _agreement(judged, [head(f) for f in features])
        agreement[f"ProLex, cosine, layers 3 to {top}"] = _agreement(
            judged, [f[:, 3 : top + 1].mean(1) for f in features]
        )
    return head, agreement


def _features(comparer: Comparer, judged: Sequence[Judged]) -> list[np.ndarray]:
    return comparer.features([(j.context, j.start, j.end, j.substitutes) for j in judged])


def _agreement(judged: Sequence[Judged], said: Sequence[np.ndarray]) -> dict[str, float]:
    """Return GAP in per cent, and the AUC of what at least half, or more than half, of the people accept."""
    ranked = [gap(np.array(j.shares), s) for j, s in zip(judged, said, strict=True) if max(j.shares) > 0]
    shares, scores = np.concatenate([j.shares for j in judged]), np.concatenate(said)
    return {
        "gap": round(100 * float(np.mean(ranked)), 2),
        "auc": round(auc(shares >= 0.5, scores), 4),
        "auc above half": round(auc(shares > 0.5, scores), 4),
    }


def _candidates(args: argparse.Namespace, comparer: Comparer) -> list[dict[str, Any]]:
    """Read the candidates of all targets, or draw and write them."""
    path = args.out / "candidates.jsonl"
    if not path.exists():
        graphs = [(name, Path(folder)) for name, _, folder in (given.partition("=") for given in args.graphs)]
        chosen = targets(
            random.Random(args.seed), graphs=graphs, wordnet=args.wordnet, swords=args.swords, texts=args.texts
        )
        _say(f"{len(chosen)} targets")
        words = vocabulary()
        near = Vocabulary(words, comparer.alone(words).astype(np.float32)[:, _NEAR]).near
        _say(f"{len(words)} words")
        _write_candidates(path, chosen[: args.count], near, random.Random(args.seed + 1))
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _write_candidates(path: Path, chosen: Sequence[Target], near: Near, rng: random.Random) -> None:
    with written_whole(path) as file:
        for target in chosen:
            words = candidates(target, near, rng)
            if words:
                row = {
                    "context": target.context,
                    "start": target.start,
                    "end": target.end,
                    "tag": target.tag,
                    "source": target.source,
                    "group": target.group,
                    "substitutes": words,
                }
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _rate(folder: Path, tasks: Sequence[dict[str, Any]], comparer: Comparer, head: Head) -> list[Path]:
    """Write the scores in parts, without those that are there; return the files."""
    folder.mkdir(exist_ok=True)
    files = []
    began, done = time.time(), 0
    for at in range(0, len(tasks), _PART):
        path = folder / f"{at // _PART:04}.jsonl"
        files.append(path)
        if path.exists():
            continue
        part = tasks[at : at + _PART]
        features = comparer.features([(t["context"], t["start"], t["end"], t["substitutes"]) for t in part])
        ends = np.cumsum([len(rows) for rows in features])[:-1]
        said = np.split(head(np.concatenate(features)), ends)
        with written_whole(path) as file:
            for task, rows, scores in zip(part, features, said, strict=True):
                cosines = {k: [round(float(x), 4) for x in rows[:, k]] for k in comparer.layers if k > 2}
                row = {**task, "scores": scores.round(4).tolist(), "cosines": cosines}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        done += len(part)
        _say(f"{at + len(part)} of {len(tasks)} targets, {done / (time.time() - began):.1f} a second")
    return files


def _inputs(args: argparse.Namespace) -> list[Path]:
    folders = [Path(given.partition("=")[2]) for given in args.graphs]
    wordnet = sorted(args.wordnet.glob("data.*")) if args.wordnet else []
    return [args.encoder / "model.safetensors", args.swords, *args.texts, *wordnet, *folders]


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file, or of all XML files of a folder in the order of their names."""
    total = hashlib.sha256()
    for file in sorted(path.glob("*.xml")) if path.is_dir() else [path]:
        total.update(file.read_bytes())
    return total.hexdigest()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
