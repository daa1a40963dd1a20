"""The judge of a model from the data sets to the files that ship, by one command.

::

    python -m judges.make --data DIR --graphs wiki=DIR --graphs ewt=DIR --wordnet DIR --model en --out runs/judge

``--data`` holds SWORDS dev, ProLex, PAWS-Wiki dev, the translations with marked errors, Breaking NLI, SummEdits and
entailment under the names in :data:`SETS`, ``--graphs`` UCCA training texts, ``--wordnet`` WordNet's database files.
The model's parser and trunk are there already (``parsers.make``); both stay as they are. Each step writes into the
output folder and is left out where its result is there, so that the command goes on after a stop. ``manifest.json``
holds options, versions, and the checksums of all that is read; the command refuses to go on with others. The files of
the judge are in ``model``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from judges import calibrate, drift, encode, errors, export, head, risk, unsupported, words
from judges.data import OF_THEIR_OWN
from judges.pairs import __main__ as pairs
from training.recipe import record, step
from usim.judge.drift import DRIFT_FILE
from usim.judge.grammar import DETECTOR_FILE
from usim.registry import find_model

#: The published data sets: the name here, the file, and the options of ``judges.encode``: how many pairs, the reader.
SETS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("swords", "swords-v1.1_dev.json.gz", ("--each", "20", "--swords")),
    ("prolex", "ProLex_train_D_LS.csv", ("--count", "1500", "--prolex-train")),
    ("paws", "paws-wiki-dev.tsv.gz", ("--count", "4500", "--paws")),
    ("mqm", "mqm-ted-zhen.tsv.gz", ("--count", "2000", "--mqm")),
    ("breaking-nli", "breaking-nli-train.jsonl.gz", ("--count", "2500", "--breaking-nli")),
    ("summedits", "summedits-dev.jsonl.gz", ("--summedits",)),
    ("entailment", "entailment-dev.tsv.gz", ("--count", "3500", "--entailment")),
)
#: The pairs that are made, a set each: how many, how many of these are read, and which makers.
MADE: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "made": (12500, 3000, ("--parse",)),
    "step": (6000, 2000, ("--only", "step.")),
    "ends": (4000, 2000, ("--only", "ends.")),
}
#: The pairs that were written for the project: the tables that are data sets of their own, and of the others so many.
WRITTEN = Path(__file__).parent / "written"
MOST_WRITTEN = 5000
#: The number of clean sentences that get learners' errors.
LEARNERS = 3000
#: Data sets without a part in the calibration: ProLex' training set has two labels of our own, not people's.
MEASURED = ("prolex",)
_OPTIONS = ("model", "seed", "share", "epochs", "rate", "start")
_LIBRARIES = ("torch", "numpy", "onnx", "scikit-learn", "lemminflect")


def main(argv: Sequence[str] | None = None) -> None:
    """Make a judge."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=Path, required=True, help="folder of the published files")
    p.add_argument("--graphs", action="append", default=[], metavar="NAME=DIR", help="a folder of UCCA XML")
    p.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's database files")
    p.add_argument("--model", default="en", help="the model whose parser and trunk the judge stands on")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="judge")
    p.add_argument("--share", type=float, default=1.0, help="use so much of all pairs, for a trial")
    p.add_argument("--start", type=Path, metavar="JUDGE", help="the folder of a judge to go on from")
    p.add_argument("--epochs", type=int, default=5, help="of the networks over pairs (default: %(default)s)")
    p.add_argument("--rate", type=float, default=head.RATE, help="their highest learning rate (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    out: Path = args.out
    graphs = dict(_option(pair) for pair in args.graphs)
    data = {"wordnet": args.wordnet, "written": WRITTEN, **graphs, **{file: args.data / file for _, file, _ in SETS}}
    record(out / "manifest.json", {name: getattr(args, name) for name in _OPTIONS}, _LIBRARIES, data)
    start = ("--start", args.start) if args.start else ()
    files = _encoded(args)
    judged = files["swords"], files["prolex"], files["written"]
    step(out / "words/words.pt", words.main, *judged, "--out", out / "words", "--apply", *files.values(),
         "--seed", args.seed, *start)  # fmt: skip
    step(out / "unsupported.json", unsupported.main, files["mqm"], "--out", out / "unsupported.json")
    given = [word for option in args.graphs for word in ("--graphs", option)]
    step(out / DETECTOR_FILE, errors.main, "--data", args.data, "--written", WRITTEN, *given,
         "--model", args.model, "--seed", args.seed, "--out", out / DETECTOR_FILE)  # fmt: skip
    of_head = out / "head"
    step(of_head / "head.pt", head.main, *files.values(), "--out", of_head, "--epochs", args.epochs,
         "--seed", args.seed, "--rate", args.rate, *start)  # fmt: skip
    step(of_head / "calibration.json", calibrate.main, of_head / "holdout.jsonl", "--out", of_head,
         "--measured", *MEASURED)  # fmt: skip
    trunk = find_model(args.model).parser.parent / "trunk"
    step(out / "model/settings.json", export.main, out, "--trunk", trunk, "--out", out / "model", "--name", args.name)
    step(out / "model" / DRIFT_FILE, drift.main, of_head / "holdout.jsonl", "--written", WRITTEN / "rewrites.tsv",
         "--model", args.model, "--judge", out / "model", "--seed", args.seed)  # fmt: skip
    step(of_head / "verdicts.json", risk.main, of_head / "holdout.jsonl", "--model", args.model,
         "--judge", out / "model", "--seed", args.seed)  # fmt: skip


def _encoded(args: argparse.Namespace) -> dict[str, Path]:
    """Make the pairs, read them with those that people judged, and return the files by name."""
    out: Path = args.out
    graphs = [word for pair in args.graphs for word in _option(pair)]
    sources = (*graphs, "--wordnet", args.wordnet, "--learners", LEARNERS, "--seed", args.seed)
    given: dict[str, tuple[object, ...]] = {name: (*options, args.data / file) for name, file, options in SETS}
    for name, (count, most, which) in MADE.items():
        file = out / f"{name}.jsonl"
        step(file, pairs.main, "--out", file, "--count", round(args.share * count), *which, *sources)
        given[name] = ("--count", most, "--made", file)
    for table in OF_THEIR_OWN:
        given[table] = ("--written", WRITTEN / f"{table}.tsv")
    given["written"] = ("--count", MOST_WRITTEN, "--written", WRITTEN)
    files = {}
    for name, options in given.items():
        files[name] = out / f"{name}.pkl"
        step(files[name], encode.main, "--out", files[name], "--model", args.model, "--share", args.share,
             "--seed", args.seed, *options)  # fmt: skip
    return files


def _option(graphs: str) -> tuple[str, Path]:
    name, _, folder = graphs.partition("=")
    return f"--{name}-train", Path(folder)


if __name__ == "__main__":
    main()
