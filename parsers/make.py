"""Make the parsers of ``en`` and ``en-fast``, with their trunks, from the annotated corpora by one command.

::

    python -m parsers.make --wiki-train DIR --ewt-train DIR --wiki-dev DIR --ewt-dev DIR --texts FILE
                           --large DIR-OF-MPNET [--small DIR-OF-MINILM] --out runs/parsers

The parser of ``en`` and a small one, the *base*, learn the annotated sentences; then the base learns what the parser of
``en`` says of bare sentences, and so becomes that of ``en-fast``. With ``--model en`` in place of ``--large`` the
parser that ships is the teacher, and only that of ``en-fast`` is made. ``models`` in the output folder has the folders
of ``usim/models``. A step whose result is there is left out, and one that was stopped goes on after its last epoch;
``make.json`` has settings, versions and the SHA-256 of all data, and the command refuses to go on with others. On one
core, each step of training takes about an hour, the lessons 12 minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from parsers.span import export, lessons, train
from parsers.span.build import encoder_folder
from parsers.span.data import add_corpora
from training.recipe import LIBRARIES, record, step

_CORPORA = ("wiki_train", "ewt_train", "wiki_dev", "ewt_dev")
_LARGE = ("--encoder-rate", "8e-5", "--mask", ".05", "--noise", ".2", "--variants", "4", "--evaluate-every", "2")
_BASE = ("--mask", ".06", "--noise", ".15", "--dropout", ".25")
_FAST = ("--keep-words", "--mask", ".05", "--noise", ".12", "--entropy", ".5", "--bare", "5000",
         "--encoder-rate", "1.5e-4", "--head-rate", "6e-4", "--warmup", ".04", "--seed", "21")  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Make the parsers."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_corpora(p, "train", "dev", required=True)
    p.add_argument("--texts", type=Path, required=True, metavar="FILE", help="bare sentences, one a line")
    teacher = p.add_mutually_exclusive_group(required=True)
    teacher.add_argument("--large", type=Path, metavar="DIR", help="the encoder of en, an MPNet")
    teacher.add_argument("--model", metavar="NAME", help="take the parser of a model that is there as the teacher")
    p.add_argument("--small", metavar="DIR", help="the encoder of en-fast; by default that of requirements.txt")
    p.add_argument("--epochs", type=int, nargs=3, default=(8, 17, 9), metavar="N", help="of en, base and en-fast")
    p.add_argument("--recombined", default=".7", help="recombined sentences for each annotated one")
    p.add_argument("--threads", default="2")
    p.add_argument("--limit", default="0", help="use only so many training sentences, to try things out")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    out: Path = args.out
    small = encoder_folder(args.small)
    data = {name: getattr(args, name) for name in (*_CORPORA, "texts")} | {"small": small}
    data["teacher"] = args.large or lessons.folder_of(args.model)
    options = {name: getattr(args, name) for name in ("epochs", "recombined", "limit")}
    record(out / "make.json", options, LIBRARIES, data)
    corpora = [x for name in _CORPORA for x in (f"--{name.replace('_', '-')}", data[name])]
    annotated = corpora[:4]

    def trained(name: str, epochs: int, encoder: Path, *more: object) -> Path:
        # The training itself goes on after its last epoch; the mark says that there is none left.
        run, mark = out / name, out / name / "done"
        step(mark, train.main, *corpora, "--out", run, "--epochs", epochs, "--encoder", encoder,
             "--threads", args.threads, "--limit", args.limit, *more)  # fmt: skip
        mark.touch()
        return run

    def exported(run: Path, encoder: Path, trunk: str, *words: object) -> Path:
        given = ("--encoder", encoder, *annotated)
        lower, parser = (out / "models" / run.name / part for part in ("trunk", "parser"))
        step(lower / "settings.json", export.main, "trunk", *given, "--name", trunk, "--out", lower, *words)
        step(parser / "settings.json", export.main, "parser", run, *given, "--trunk", lower, "--name", run.name,
             "--out", parser)  # fmt: skip
        return parser

    if args.large:
        master = exported(trained("en", args.epochs[0], args.large, *_LARGE), args.large, "mpnet")
    else:
        master = args.model
    base = trained("base", args.epochs[1], small, *_BASE)
    told = out / "lessons.pkl"
    step(told, lessons.main, master, *annotated, "--texts", args.texts, "--recombined", args.recombined, "--out", told)
    fast = trained("en-fast", args.epochs[2], small, "--start", base, "--lessons", told, *_FAST)
    exported(fast, small, "minilm", "--words", fast)


if __name__ == "__main__":
    main()
