"""The parsers from the annotated corpora to the files that ship, by one command.

::

    python -m parsers.make --wiki-train DIR --ewt-train DIR --wiki-dev DIR --ewt-dev DIR --texts FILE
                           --large DIR-OF-MPNET [--small DIR-OF-MINILM] --out runs/parsers
    python -m parsers.make --wiki-train DIR … --texts FILE --bases RUN RUN --model en-large --out runs/students

In the first form nothing begins with weights that ship. A small parser, the *base*, learns the annotated sentences; a
smaller one learns them with the base as its teacher. Teachers on a large encoder, apart but for their seeds, learn
them, too; the first is the parser of ``en-large``. Together they read the sentences of ``--texts``
(:mod:`training.texts`) and new ones made of the annotated ones. What they say of these is what the two small parsers
learn next; they end as ``en`` and ``en-fast``.

The second form begins where the first one has the small parsers and a teacher: with ``--bases``, two runs of small
parsers (:mod:`parsers.span.restore` makes runs out of models that ship), and ``--model``, a model that ships as the
teacher.

The small parsers and the judge share a table of word embeddings. The base makes it, and it stays as it is from then on;
with ``--words`` it is one that is there already (``usim/models/words``, which the judge that ships was trained with).

Each step writes into the output folder and is left out where its result is there already; a step that was stopped goes
on after its last epoch. ``make.json`` has the settings, the versions of the libraries and the SHA-256 of all data, and
the command refuses to go on in a folder that was begun with others.

On one core of a processor with bf16 products, an hour for the base and 20 minutes for the smaller one, an hour for each
teacher (``--epochs 8``: 1.1 to 1.3 seconds a step of 16 sentences), 12 minutes for the lessons, 20 for ``en``, 10 for
``en-fast``. Two cores take two thirds of that.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from parsers.span import committee, export, large, train
from parsers.span.build import load_run
from parsers.span.teachers import folder_of
from training.encoders import encoder_folder
from usim.parsing.embeddings import write_words

#: What changes results when it changes.
_LIBRARIES = ("numpy", "onnx", "onnxruntime", "tokenizers", "torch", "transformers")
_TEACHER = ("--frozen", "6", "--encoder-rate", "8e-5", "--mask", ".05", "--noise", ".2", "--variants", "4",
            "--evaluate-every", "2")  # fmt: skip
_BASE = ("--mask", ".06", "--noise", ".15", "--dropout", ".25")
#: ``en-fast`` has so many layers, and at last so many units in them and in the layer over spans.
_LAYERS = ("--layers", "3")
_BASE_FAST = (*_LAYERS, "--keep-words", "--mask", ".04", "--noise", ".15", "--disturb", ".05", "--head-rate", "8e-4",
              "--entropy", ".5", "--average", ".998", "--seed", "3")  # fmt: skip
_TAUGHT = ("--keep-words", "--mask", ".05", "--noise", ".12", "--disturb", ".04", "--entropy", ".5", "--bare", "5000")
_EN = (*_TAUGHT, "--encoder-rate", "1.5e-4", "--head-rate", "6e-4", "--warmup", ".04", "--seed", "21")
_FAST = (*_TAUGHT, *_LAYERS, "--inner", "1024", "--span-hidden", "256", "--encoder-rate", "2.5e-4", "--seed", "22")


def digest_of_data(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
        digest.update(f"{file.relative_to(path) if file != path else ''}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("wiki-train", "ewt-train", "wiki-dev", "ewt-dev"):
        p.add_argument(f"--{name}", type=Path, required=True, metavar="DIR", help="folder of UCCA XML")
    p.add_argument("--texts", type=Path, required=True, metavar="FILE", help="bare sentences, one a line")
    teacher_ = p.add_mutually_exclusive_group(required=True)
    teacher_.add_argument("--large", type=Path, metavar="DIR", help="the teachers' encoder, an MPNet")
    teacher_.add_argument("--model", metavar="NAME", help="take a model that ships as the teacher, and train none")
    p.add_argument("--bases", type=Path, nargs=2, metavar="RUN", help="the two small parsers; else they are trained")
    p.add_argument("--small", metavar="DIR", help="the students' encoder; by default that of requirements.txt")
    p.add_argument(
        "--words", type=Path, metavar="DIR", help="a table of word embeddings to keep; else a new one is made"
    )
    p.add_argument("--teachers", type=int, default=1, help="how many")
    p.add_argument("--epochs", type=int, default=8, help="of each teacher")
    p.add_argument(
        "--lessons-after", type=int, default=4, metavar="N", help="the teachers' epoch that students learn from"
    )
    p.add_argument("--base-epochs", type=int, nargs=2, default=(17, 6), metavar="N", help="of the two small parsers")
    p.add_argument("--recombined", default=".6", help="recombined sentences for each annotated one")
    p.add_argument("--student-epochs", type=int, nargs=2, default=(4, 4), metavar="N", help="and on, with the teachers")
    p.add_argument("--threads", default="2")
    p.add_argument("--limit", default="0", help="use only so many training sentences, to try things out")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    out: Path = args.out
    out.mkdir(parents=True, exist_ok=True)
    small = encoder_folder(args.small)
    names = ("wiki_train", "ewt_train", "wiki_dev", "ewt_dev", "texts", "large", "words")
    given = {name: getattr(args, name) for name in names if getattr(args, name)}
    if args.bases:
        given |= {f"base {k}": run / "best.pt" for k, run in enumerate(args.bases, 1)}
    if args.model:
        given["model"] = folder_of(args.model)
    _record(out / "make.json", vars(args), {**given, "small": small})
    corpora = [x for name in ("wiki-train", "ewt-train", "wiki-dev", "ewt-dev")
               for x in (f"--{name}", getattr(args, name.replace("-", "_")))]  # fmt: skip
    annotated = corpora[:4]
    common = ("--threads", args.threads, "--limit", args.limit, "--no-export")

    def trained(name: str, epochs: int, *options: object) -> Path:
        # The training itself goes on after its last epoch; the mark says that there is none left.
        run, mark = out / name, out / name / "done"
        _step(mark, train.main, *corpora, "--out", run, "--epochs", epochs, *common, *options)
        mark.touch()
        return run

    def lessons(name: str, teachers: Sequence[object], *options: object) -> Path:
        file = out / name
        _step(file, committee.main, *teachers, *annotated, "--threads", args.threads, "--out", file, *options)
        return file

    if args.bases:
        base, base_fast = args.bases
    else:
        begun = ("--words", args.words, "--keep-words") if args.words else ()
        base = trained("base", args.base_epochs[0], "--encoder", small, *_BASE, *begun)
        taught = (
            "--encoder", small,
            "--lessons", lessons("lessons-base.pkl", [base], "--encoder", small, "--recombined", 0),
        )  # fmt: skip
        base_fast = trained("base-fast", args.base_epochs[1], *taught, "--start", base, *_BASE_FAST)

    bare = ("--texts", args.texts, "--recombined", args.recombined)
    teachers: list[Path] = []
    if args.model:
        told = lessons("lessons.pkl", ["--model", args.model], *bare)
    else:
        teacher = ("--encoder", args.large, "--keep", min(args.lessons_after, args.epochs), *_TEACHER)
        teachers = [trained(f"teacher-{k}", args.epochs, "--seed", k, *teacher) for k in range(1, args.teachers + 1)]
        told = lessons("lessons.pkl", teachers, "--encoder", args.large, "--weights", "kept.pt", *bare)
    taught = ("--encoder", small, "--lessons", told)
    en = trained("en", args.student_epochs[0], *taught, "--start", base, *_EN)
    fast = trained("en-fast", args.student_epochs[1], *taught, "--start", base_fast, *_FAST)

    models = out / "models"
    if teachers:
        trunk, upper = models / "en-large/trunk", models / "en-large/parser"
        sources = ("--encoder", args.large, *annotated)
        _step(trunk / "settings.json", large.main, "trunk", *sources, "--out", trunk)
        _step(upper / "settings.json", large.main, "parser", teachers[0], *sources, "--trunk", trunk, "--out", upper,
              "--name", "en-large", "--no-sieve")  # fmt: skip
    words = models / "words"
    words.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(small / "tokenizer.json", words / "tokenizer.json")
    write_words(load_run(base, small)[0].encoder.get_input_embeddings().weight.detach().numpy(), words)
    for run in (en, fast):
        model = models / run.name
        _step(model / "settings.json", export.main, run, "--encoder", small, *annotated, "--name", run.name,
              "--out", model, "--shared", "../words")  # fmt: skip


def _step(result: Path, run: Callable[[Sequence[str]], None], *arguments: object) -> None:
    """Run a step unless its result is there."""
    if result.exists():
        print(f"{result}: there already", file=sys.stderr)
        return
    print(f"{result}: {run.__module__}", file=sys.stderr, flush=True)
    run([str(a) for a in arguments])


def _record(path: Path, options: dict[str, Any], data: dict[str, Path]) -> None:
    """Write down what the results depend on, or check that it is what was written down before.

    Raises:
        SystemExit: it is not.
    """
    about = {
        "options": {
            name: str(value) for name, value in options.items() if name not in ("out", "threads", "bases", *data)
        },
        "libraries": {name: version(name) for name in _LIBRARIES},
        "data": {name: digest_of_data(source) for name, source in data.items()},
    }
    if not path.exists():
        path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        return
    before = json.loads(path.read_text(encoding="utf-8"))
    changed = [
        f"{part} {name}" for part in about for name in about[part] if before[part].get(name) != about[part][name]
    ]
    if changed:
        raise SystemExit(f"{path}: begun with other {', '.join(changed)}: take another --out")


if __name__ == "__main__":
    main()
