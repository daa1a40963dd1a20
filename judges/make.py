"""The judge from the data sets to the files that ship, by one command.

::

    python -m judges.make --data DIR --pairs pairs.jsonl --steps steps.jsonl --out runs/judge

``--data`` holds the published files under the names that ``experiments.data`` gives them. Each step writes into the
output folder and is left out where its result is there already, so that the command goes on after a stop.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from judges import calibrate, encode, export, head, pool, prepare, train

#: The data sets: the name here, the option of ``judges.prepare``, the file, and the share that is used.
SETS = (
    ("tmu", "--tmu", "tmu-gfm-dev.csv", "1"),
    ("csmd", "--csmd", "csmd-train.tsv", "1"),
    ("csmd-dev", "--csmd", "csmd-dev.tsv", "1"),
    ("prolex-dev", "--prolex-dev", "ProLex_v1.0_dev.csv", "1"),
    ("prolex", "--prolex-train", "ProLex_train_D_LS.csv", ".6"),
    ("swords", "--swords", "swords-v1.1_dev.json.gz", "1"),
)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", type=Path, required=True)
    p.add_argument("--pairs", type=Path, required=True, help="what judges.pairs made")
    p.add_argument("--steps", type=Path, required=True, help="what judges.pairs --only step. made")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="judge")
    p.add_argument("--threads", default="1")
    args = p.parse_args(argv)
    out: Path = args.out
    files = []
    own = {"made": args.pairs, "step": args.steps}
    for name, option, file, share in (*SETS, *((name, "--made", "", "1") for name in own)):
        source = own.get(name, args.data / file)
        prepared, encoded = out / f"prepared/{name}.pkl", out / f"encoded/{name}.pkl"
        step(prepared, prepare.main, "--out", out / "prepared", "--name", name, option, source)
        step(encoded, encode.main, prepared, "--out", encoded, "--share", share)
        files.append(encoded)
    step(out / "best.pt", train.main, *files, "--out", out, "--holdout", "0", "--epochs", "1", "--tokens", "1400",
         "--rate", "1.2e-4", "--head-rate", "6e-4", "--threads", args.threads)  # fmt: skip
    for file in files:
        step(file.with_suffix(".pool.npy"), pool.main, file, "--run", out)
    of_head = out / "head"
    step(of_head / "head.pt", head.main, *files, "--out", of_head, "--count", "6", "--epochs", "7", "--dropout", ".4")
    step(of_head / "calibration.json", calibrate.main, of_head / "holdout.jsonl", "--out", of_head)
    some = [out / f"encoded/{name}.pkl" for name in ("tmu", "swords", "made", "step")]
    step(out / "model/settings.json", export.main, out, of_head, "--encoded", *some, "--name", args.name,
         "--out", out / "model")  # fmt: skip


def step(result: Path, run: Callable[[Sequence[str]], None], *arguments: object) -> None:
    """Run a step unless its result is there."""
    if result.exists():
        print(f"{result}: there already", file=sys.stderr)
        return
    print(f"{result}: {run.__module__}", file=sys.stderr, flush=True)
    run([str(a) for a in arguments])


if __name__ == "__main__":
    main()
