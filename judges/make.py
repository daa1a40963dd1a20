"""The judge from the data sets to the files that ship, by one command.

::

    python -m judges.make --data DIR --graphs wiki=DIR --graphs ewt=DIR --wordnet DIR --teacher DIR --out runs/judge

``--data`` holds SWORDS dev and ProLex under the names that ``experiments.data`` gives them, ``--graphs`` UCCA training
texts, ``--wordnet`` WordNet's database files, ``--teacher`` the large encoder (all-mpnet-base-v2), or ``--scores`` the
files that it gave already. Each step writes into the output folder and is left out where its result is there, so that
the command goes on after a stop. ``manifest.json`` holds the seed, versions, and the checksums of all that was read.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from judges import calibrate, encode, export, head, prepare, train, vectors
from judges.pairs import __main__ as pairs
from usim.text import digest_of, written_whole

#: The human judgements: the name here, the file, and the options of ``judges.prepare``: its kind, how much of it.
SETS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("swords", "swords-v1.1_dev.json.gz", ("--each", "22", "--swords")),
    ("prolex", "ProLex_train_D_LS.csv", ("--count", "2000", "--prolex-train")),
)
#: The pairs that are made, a set each: how many, and which makers. What is made alone gives half of what is named.
MADE: dict[str, tuple[int, tuple[str, ...]]] = {
    "made": (20000, ("--parse",)),
    "step": (4000, ("--only", "step.")),
    "simple": (5000, ("--only", "simple.")),
    "ends": (3200, ("--only", "ends.")),
}
#: How many pairs with what the teacher says of them are read.
TAUGHT = 3000
#: Into how many of the clean sentences learners' errors are put.
LEARNERS = 3000
_LIBRARIES = ("torch", "transformers", "numpy", "onnx", "scikit-learn", "lemminflect")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=Path, required=True, help="folder of the published files")
    p.add_argument("--graphs", action="append", default=[], metavar="NAME=DIR", help="a folder of UCCA XML")
    p.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's database files")
    teacher = p.add_mutually_exclusive_group(required=True)
    teacher.add_argument("--teacher", type=Path, help="folder of the large encoder")
    teacher.add_argument("--scores", type=Path, nargs="+", help="what judges.teacher wrote")
    p.add_argument("--encoder", type=Path, help="folder of the small encoder; by default that of the package")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="judge")
    p.add_argument("--share", type=float, default=1.0, help="make so much of the pairs, for a trial; 0 for none")
    p.add_argument("--epochs", type=int, default=4, help="of the networks over pairs (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    encoder = ("--encoder", args.encoder) if args.encoder else ()
    scores = args.scores or [_rated(args)]
    _write_manifest(args, scores)
    files = _encoded(args, scores, encoder)
    step(args.out / "words/best.pt", train.main, *scores, "--swords", args.data / "swords-v1.1_dev.json.gz",
         "--out", args.out / "words", "--seed", args.seed, *encoder)  # fmt: skip
    for file in files:
        step(file.with_suffix(".npz"), vectors.main, file, "--run", args.out / "words", *encoder)
    of_head = args.out / "head"
    step(of_head / "head.pt", head.main, *files, "--out", of_head, "--epochs", args.epochs, "--seed", args.seed)
    step(of_head / "calibration.json", calibrate.main, of_head / "holdout.jsonl", "--out", of_head)
    step(args.out / "model/settings.json", export.main, args.out / "words", of_head, "--encoded", *files,
         "--name", args.name, "--out", args.out / "model", *encoder)  # fmt: skip


def _rated(args: argparse.Namespace) -> Path:
    """Have the teacher rate words in contexts, and return the file."""
    from judges.teacher import __main__ as teacher

    folder: Path = args.out / "teacher"
    graphs = [word for pair in args.graphs for word in ("--graphs", pair)]
    step(folder / "scores.jsonl", teacher.main, "--out", folder, "--encoder", args.teacher,
         "--swords", args.data / "swords-v1.1_dev.json.gz", *graphs, "--wordnet", args.wordnet,
         "--seed", args.seed)  # fmt: skip
    return folder / "scores.jsonl"


def _encoded(args: argparse.Namespace, scores: Sequence[Path], encoder: Sequence[object]) -> list[Path]:
    """Make the pairs, parse and encode them with those that people judged, and return the files."""
    out: Path = args.out
    graphs = [word for pair in args.graphs for word in _option(pair)]
    sources = (*graphs, "--wordnet", args.wordnet, "--learners", LEARNERS, "--seed", args.seed)
    given = [(name, (*options, args.data / file)) for name, file, options in SETS]
    given.append(("taught", ("--count", TAUGHT, "--taught", scores[0])))
    for name, (count, which) in MADE.items() if args.share else ():
        file = out / f"{name}.jsonl"
        step(file, pairs.main, "--out", file, "--count", round(args.share * count), *which, *sources)
        given.append((name, ("--made", file)))
    files = []
    for name, options in given:
        prepared, encoded = out / f"prepared/{name}.pkl", out / f"encoded/{name}.pkl"
        step(prepared, prepare.main, "--out", out / "prepared", "--name", name, "--seed", args.seed, *options)
        step(encoded, encode.main, prepared, "--out", encoded, *encoder)
        files.append(encoded)
    return files


def _option(graphs: str) -> tuple[str, str]:
    name, _, folder = graphs.partition("=")
    return f"--{name}-train", folder


def _write_manifest(args: argparse.Namespace, scores: Sequence[Path]) -> None:
    read = [*scores, *(args.data / file for _, file, _ in SETS)]
    digests = {path.name: digest_of(path) for path in read if path.is_file()}
    versions = {name: importlib.metadata.version(name) for name in _LIBRARIES}
    manifest = {"seed": args.seed, "share": args.share, "versions": versions, "sha256": digests}
    with written_whole(args.out / "manifest.json") as file:
        json.dump(manifest, file, indent=1)


def step(result: Path, run: Callable[[Sequence[str]], None], *arguments: object) -> None:
    """Run a step unless its result is there."""
    if result.exists():
        print(f"{result}: there already", file=sys.stderr)
        return
    print(f"{result}: {run.__module__}", file=sys.stderr, flush=True)
    run([str(a) for a in arguments])


if __name__ == "__main__":
    main()
