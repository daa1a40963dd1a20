"""The parsers from the annotated corpora to the files that ship, by one command.

::

    python -m parsers.make --wiki-train DIR --ewt-train DIR --wiki-dev DIR --ewt-dev DIR --texts FILE
                           --large DIR-OF-MPNET [--small DIR-OF-MINILM] --out runs/parsers

Teachers on a large encoder, apart but for their seeds, learn the annotated sentences. Together they read the sentences
of ``--texts`` (:mod:`training.texts`) and new ones made of the annotated ones; the small parsers learn from both, from
the pretrained encoder on: ``en``, and from it the narrower ``en-fast``. Nothing begins with weights that ship.

Each step writes into the output folder and is left out where its result is there already; a step that was stopped goes
on after its last epoch. ``make.json`` has the settings, the versions of the libraries and the SHA-256 of all data, and
the command refuses to go on in a folder that was begun with others.

On one core of a processor with bf16 products, about an hour for each teacher (``--epochs 8``: 1.1 to 1.3 seconds a step
of 16 sentences); ``en`` 1.5 hours, ``en-fast`` half of one. Two cores take two thirds of that.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from parsers.span import committee, export, train
from training.encoders import encoder_folder

#: What changes results when it changes.
_LIBRARIES = ("numpy", "onnx", "onnxruntime", "tokenizers", "torch", "transformers")
_TEACHER = ("--frozen", "6", "--encoder-rate", "8e-5", "--mask", ".05", "--noise", ".2", "--variants", "4")
#: Students leave the word embeddings as they are, so that both can share one table.
_STUDENT = ("--keep-words", "--mask", ".06", "--noise", ".15", "--dropout", ".25", "--encoder-rate", "2e-4")
#: ``en-fast`` has so many layers, and so many units in them and in the layer over spans.
_FAST = ("--layers", "3", "--inner", "1024", "--span-hidden", "256")


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
    p.add_argument("--large", type=Path, required=True, metavar="DIR", help="the teachers' encoder, an MPNet")
    p.add_argument("--small", metavar="DIR", help="the students' encoder; by default that of requirements.txt")
    p.add_argument("--teachers", type=int, default=2, help="how many")
    p.add_argument("--epochs", type=int, default=8, help="of each teacher")
    p.add_argument("--student-epochs", type=int, default=17)
    p.add_argument("--threads", default="2")
    p.add_argument("--limit", default="0", help="use only so many training sentences, to try things out")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    out: Path = args.out
    out.mkdir(parents=True, exist_ok=True)
    small = encoder_folder(args.small)
    given = {name: getattr(args, name) for name in ("wiki_train", "ewt_train", "wiki_dev", "ewt_dev", "texts", "large")}
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

    teachers = [trained(f"teacher-{k}", args.epochs, "--encoder", args.large, "--seed", k, *_TEACHER)
                for k in range(1, args.teachers + 1)]  # fmt: skip
    lessons = out / "lessons.pkl"
    _step(lessons, committee.main, *teachers, "--encoder", args.large, *annotated, "--texts", args.texts,
          "--threads", args.threads, "--out", lessons)  # fmt: skip
    taught = ("--encoder", small, "--lessons", lessons)
    en = trained("en", args.student_epochs, *taught, *_STUDENT)
    fast = trained("en-fast", args.student_epochs // 2 + 1, *taught, *_STUDENT, *_FAST, "--start", en)
    for run, shared in ((en, ()), (fast, ("--shared", "../en"))):
        model = out / "models" / run.name
        _step(model / "settings.json", export.main, run, "--encoder", small, *annotated, "--name", run.name,
              "--out", model, *shared)  # fmt: skip


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
        "options": {name: str(value) for name, value in options.items() if name not in ("out", "threads", *data)},
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
