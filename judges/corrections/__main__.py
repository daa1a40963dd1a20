"""Make the model of corrections by one command, each step once: a second run goes on where the first one stopped.

::

    python -m judges.corrections --data DIR --wordnet DIR --fortunes DIR --words FILE FILE --out DIR

Into ``--out`` go ``words.xz`` (the table of words), ``sentences.jsonl``, ``made/`` (the suggestions), ``model/`` and
``record.json``: the versions of the packages and the checksums of what was read. The same versions and data give the
same model, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from judges.corrections import tables, train
from judges.corrections.make import Maker, make, read
from judges.corrections.sources import read_sentences
from training.errors import Errors
from training.misspell import british, misspellings
from training.sentence import Sentence
from usim.judge.corrections.features import NAMES, Tables
from usim.judge.corrections.model import WORDS_FILE, write_model
from usim.judge.corrections.rivals import Rivals
from usim.judge.corrections.spelling import Channel
from usim.judge.corrections.words import WordTable, write_table
from usim.text import digest_of, written_whole

#: How many sentences suggestions are made from.
SENTENCES = 11000
#: The packages whose versions decide what comes out.
_MODULES = {"codespell": "codespell_lib", "harper-py": "harper", "scikit-learn": "sklearn"}
_PACKAGES = ("codespell", "harper-py", "lemminflect", "numpy", "rapidfuzz", "scikit-learn", "textblob", "wordfreq")


def main(argv: Sequence[str] | None = None) -> None:
    """Make the model of corrections."""
    p = argparse.ArgumentParser(prog="python -m judges.corrections", description=__doc__.partition("\n")[0])
    p.add_argument("--data", type=Path, required=True, help="the folder with the UCCA corpora and SWORDS dev")
    p.add_argument("--wordnet", type=Path, help="WordNet's database files (Debian: wordnet-base), for its examples")
    p.add_argument("--fortunes", type=Path, help="a folder of fortunes (Debian: fortunes, fortunes-min)")
    p.add_argument("--words", type=Path, nargs="+", required=True, help="SCOWL's lists (Debian: wamerican-large, …)")
    p.add_argument("--sentences", type=int, default=SENTENCES, help="how many to use at most (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--name", default="corrections-1.0")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    out: Path = args.out
    out.mkdir(parents=True, exist_ok=True)
    if not (out / WORDS_FILE).exists():
        _say("the table of words")
        write_table(out / WORDS_FILE, tables.word_entries(args.words))
    words = WordTable(out / WORDS_FILE)
    sentences = _sentences(args, out / "sentences.jsonl")
    maker = Maker(Errors(misspellings(), british()), words, args.seed)
    files = []
    for path in make(sentences[: args.sentences], maker, out / "made"):
        _say(str(path))
        files.append(path)
    confusions = tables.confusions(misspellings())
    contexts = tables.contexts(words, ([token.text for token in sentence.tokens] for sentence in sentences))
    channel = Channel(confusions)
    used = Tables(words, channel, Rivals(words, channel), tables.rounded(contexts))
    _say("training")
    trained = train.train(used, read(files))
    settings = {
        "name": args.name,
        "calibration": trained.calibration,
        "features": list(NAMES),
        "held_out": trained.figures,
        "suggestions": trained.count,
    }
    write_model(out / "model", (out / WORDS_FILE).read_bytes(), used, confusions, trained.trees, settings)
    record = {
        "arguments": {key: str(value) for key, value in sorted(vars(args).items()) if key != "out"},
        "versions": {package: version(package) for package in _PACKAGES if find_spec(_MODULES.get(package, package))},
        "words": digest_of(out / WORDS_FILE),
        "sentences": digest_of(out / "sentences.jsonl"),
        "made": {path.name: digest_of(path) for path in files},
        "model": {path.name: digest_of(path) for path in sorted((out / "model").iterdir())},
    }
    with written_whole(str(out / "record.json")) as file:
        file.write(json.dumps(record, indent=1) + "\n")
    _say(f"held out: {trained.figures}")


def _sentences(args: argparse.Namespace, path: Path) -> list[Sentence]:
    """Return the clean sentences, from the file that an earlier run wrote where there is one."""
    if not path.exists():
        _say("the clean sentences")
        with written_whole(str(path)) as file:
            for sentence in read_sentences(args.data, args.wordnet, args.fortunes):
                file.write(json.dumps([sentence.text, sentence.topic], ensure_ascii=False) + "\n")
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Sentence.of(text, topic=topic) for text, topic in map(json.loads, lines)]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
