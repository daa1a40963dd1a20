"""The judge of a model from the data sets to the files that ship, by one command.

::

    python -m judges.make --data DIR --graphs wiki=DIR --graphs ewt=DIR --wordnet DIR --model en --out runs/judge

``--data`` holds SWORDS dev, ProLex, PAWS-Wiki dev, the translations with marked errors, Breaking NLI, SummEdits and
entailment under the names in :data:`SETS`, ``--graphs`` UCCA training texts, ``--wordnet`` WordNet's database files.
The model's parser and trunk are there already (``parsers.make``); both stay as they are. Each step writes into the
output folder and is left out where its result is there, so that the command goes on after a stop; to do a step again,
remove its result. ``manifest.json`` holds options, versions, and the checksums of all that is read; the command refuses
to go on with others. The files of the judge are in ``model``.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from judges import calibrate, data, encode, errors, export, head, risk
from judges.data import OF_THEIR_OWN, Pair
from judges.pairs import make as pairs
from training.recipe import LIBRARIES, named_path, record, step
from usim.judge.grammar import DETECTOR_FILE
from usim.registry import find_model

Read = Callable[[Path, random.Random], Iterable[Pair]]
#: The published data sets: the name here, the file, how many pairs of it are read at most, and how.
SETS: tuple[tuple[str, str, int | None, Read], ...] = (
    ("swords", "swords-v1.1_dev.json.gz", None, lambda path, rng: data.some_of_each(data.swords(path), 20, rng)),
    ("prolex", "ProLex_train_D_LS.csv", 1500, data.prolex_train),
    ("paws", "paws-wiki-dev.tsv.gz", 4500, lambda path, _: data.paws(path)),
    ("mqm", "mqm-ted-zhen.tsv.gz", 2000, data.mqm),
    ("breaking-nli", "breaking-nli-train.jsonl.gz", 2500, lambda path, _: data.breaking_nli(path)),
    ("summedits", "summedits-dev.jsonl.gz", None, lambda path, _: data.summedits(path)),
    ("entailment", "entailment-dev.tsv.gz", None, lambda path, _: data.entailment(path)),
    ("covering", "entailment-dev.tsv.gz", 12000, lambda path, _: data.covering(path)),
)
#: The pairs that are made, a set each: how many, how many of these are read, and the beginning of their makers' names.
MADE: dict[str, tuple[int, int, str]] = {
    "made": (12500, 3000, ""), "step": (6000, 2000, "step."), "ends": (4000, 2000, "ends."),
}  # fmt: skip
#: The pairs that were written for the project: the tables that are data sets of their own, and of the others so many.
WRITTEN = Path(__file__).parent / "written"
MOST_WRITTEN = 5000
#: Data sets without a part in the calibration: ProLex' training set has two labels of our own, not people's.
MEASURED = ("prolex",)
SEED = 1


def main(argv: Sequence[str] | None = None) -> None:
    """Make a judge."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=Path, required=True, help="folder of the published files")
    p.add_argument("--graphs", action="append", default=[], type=named_path, metavar="NAME=DIR", help="UCCA XML")
    p.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's database files")
    p.add_argument("--model", default="en", help="the model whose parser and trunk the judge stands on")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="judge", help="the name of the judge in signatures")
    args = p.parse_args(argv)
    out: Path = args.out
    published = {file: args.data / file for _, file, *_ in SETS}
    read = {"wordnet": args.wordnet, "written": WRITTEN}
    read |= dict(args.graphs) | published
    record(out / "manifest.json", {"model": args.model, "seed": SEED}, LIBRARIES, read)
    files = _encoded(args)
    every = list(files.values())
    detector = out / DETECTOR_FILE
    step(detector, lambda: errors.make(args.data, WRITTEN, args.graphs, args.model, SEED, detector))
    of_head, model = out / "head", out / "model"
    holdout = of_head / "holdout.jsonl"
    step(of_head / "head.pt", lambda: head.make(every, of_head, SEED))
    step(of_head / "calibration.json", lambda: calibrate.make(holdout, of_head, MEASURED))
    trunk = find_model(args.model).parser.parent / "trunk"
    step(model / "settings.json", lambda: export.export(out, trunk, model, args.name))
    rows = [json.loads(line) for line in holdout.read_text(encoding="utf-8").splitlines()]
    risk.make(rows, args.model, model, SEED)


def _encoded(args: argparse.Namespace) -> dict[str, Path]:
    """Make the pairs, read them with those that people judged, and return the files by name."""
    out: Path = args.out

    def make(file: Path, name: str) -> None:
        sources = pairs.read_sources(args.graphs, args.wordnet, SEED, parse=name == "made")
        pairs.write(file, pairs.make(sources, MADE[name][0], SEED, MADE[name][2]))

    def read(name: str, path: Path, most: int | None, rows: Read) -> None:
        rng = random.Random(SEED)
        found = list(rows(path, rng))
        encode.make(rng.sample(found, most) if most and most < len(found) else found, files[name], args.model)

    given = [(name, args.data / file, most, rows) for name, file, most, rows in SETS]
    for name, (_, most, _) in MADE.items():
        file = out / f"{name}.jsonl"
        step(file, partial(make, file, name))
        given.append((name, file, most, lambda path, _: data.made(path)))
    tables = {**{name: (WRITTEN / f"{name}.tsv", None) for name in OF_THEIR_OWN}, "written": (WRITTEN, MOST_WRITTEN)}
    given += [(name, path, most, lambda path, _: data.written(path)) for name, (path, most) in tables.items()]
    files = {name: out / f"{name}.pkl" for name, *_ in given}
    for entry in given:
        step(files[entry[0]], partial(read, *entry))
    return files


if __name__ == "__main__":
    main()
