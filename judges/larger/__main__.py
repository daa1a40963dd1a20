"""The judge of the large model by one command, from the pairs that ``judges.make`` has made and parsed.

::

    python -m judges.larger runs/judge/prepared --trunk models/large/usim_model_en_large/trunk --out runs/large

Each step writes into the output folder and is left out where its result is there, so that the command goes on after a
stop; the reading of the pairs goes on in the middle. The files of the judge are in ``model``; ``--model`` names another
folder, that of the package.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from judges import calibrate, head
from judges.larger import encode, export, words
from judges.make import step
from usim.text import digest_of, written_whole

#: The prepared sets, and how many pairs of each are read at most.
SETS: dict[str, int | None] = {
    "swords": None, "prolex": None, "made": 20000, "step": 4000, "simple": None, "ends": None,
}  # fmt: skip
#: How many networks over pairs there are, and how many of them read the features alone.
COUNT, PLAIN = 12, 6
#: The share of SWORDS in what they learn from, more than that of the small judge, which learns from a teacher as well.
SWORDS = 0.4
#: What has no part in the calibration: the labels of ProLex' training set are two numbers, not what people said.
MEASURED = ("prolex",)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("prepared", type=Path, help="folder of what judges.prepare wrote")
    p.add_argument("--trunk", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--model", type=Path, help="folder for the files of the judge (default: OUT/model)")
    p.add_argument("--name", default="judge-large")
    p.add_argument("--epochs", type=int, default=4, help="of the networks over pairs (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    names = [name for name in SETS if (args.prepared / f"{name}.pkl").is_file()]
    if "swords" not in names:
        p.error(f"no swords.pkl in {args.prepared}: run judges.make first")
    with written_whole(args.out / "manifest.json") as file:
        digests = {name: digest_of(args.prepared / f"{name}.pkl") for name in names}
        json.dump({"seed": args.seed, "sets": {n: SETS[n] for n in names}, "sha256": digests}, file, indent=1)
    files = [args.out / "encoded" / f"{name}.pkl" for name in names]
    for name, path in zip(names, files, strict=True):
        count = ("--count", SETS[name]) if SETS[name] else ()
        step(path, encode.main, args.prepared / path.name, "--trunk", args.trunk, "--out", path, *count,
             "--seed", args.seed)  # fmt: skip
    step(args.out / "words.pt", words.main, files[0], "--out", args.out, "--apply", *files, "--seed", args.seed)
    of_head = args.out / "head"
    step(of_head / "head.pt", head.main, *files, "--out", of_head, "--epochs", args.epochs, "--seed", args.seed,
         "--count", COUNT, "--plain", PLAIN, "--share", f"swords={SWORDS}")  # fmt: skip
    step(of_head / "calibration.json", calibrate.main, of_head / "holdout.jsonl", "--out", of_head,
         "--measured", *MEASURED)  # fmt: skip
    model = args.model or args.out / "model"
    step(model / "settings.json", export.main, args.out, "--head", of_head, "--trunk", args.trunk, "--out", model,
         "--name", args.name)  # fmt: skip


if __name__ == "__main__":
    main()
