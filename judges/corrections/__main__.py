"""Make the model of corrections by one command, each step once: a second run goes on where the first one stopped.

::

    python -m judges.corrections --data DIR --graphs wiki=DIR --graphs ewt=DIR --wordnet DIR --fortunes DIR
                                 --words FILE FILE --out DIR

Into ``--out`` go ``words.npz`` (the table of words), ``sentences.txt``, ``suggestions.jsonl``, ``model/`` and
``record.json``: the options, the versions of the packages, and the checksums of what was read and of what was made.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from judges.corrections import tables, train
from judges.corrections.make import Labelled, Maker, key_of
from judges.corrections.wholes import WRITTEN, Wholes, written
from training.corpora import fortunes, from_examples, from_graphs, read_examples, split, swords
from training.errors import Errors
from training.misspell import british, misspellings
from training.recipe import LIBRARIES, add_made, named_path, record, step, write_lines
from training.sentence import Sentence
from usim.spelling.features import NAMES, Tables
from usim.spelling.model import CONTEXT_STEP, TABLES_FILE, TREES_FILE, WORDS_FILE
from usim.spelling.spelling import Channel
from usim.spelling.words import WordTable, write_table
from usim.text.checksums import digest_of
from usim.text.files import read_text, text_lines

#: The published file whose contexts are read as clean sentences.
SWORDS = "swords-v1.1_dev.json.gz"
#: How many sentences suggestions are made from, and how many of them are corrected as a whole.
SENTENCES, WHOLES = 11000, 4000


def main(argv: Sequence[str] | None = None) -> None:
    """Make the model of corrections."""
    p = argparse.ArgumentParser(prog="python -m judges.corrections", description=__doc__.partition("\n")[0])
    p.add_argument("--data", type=Path, required=True, help=f"the folder with {SWORDS}")
    p.add_argument("--graphs", action="append", default=[], type=named_path, metavar="NAME=DIR", help="UCCA XML")
    p.add_argument("--wordnet", type=Path, help="WordNet's database files (Debian: wordnet-base), for its examples")
    p.add_argument("--fortunes", type=Path, help="a folder of fortunes (Debian: fortunes, fortunes-min)")
    p.add_argument("--words", type=Path, nargs="+", required=True, help="SCOWL's lists (Debian: wamerican-large, …)")
    p.add_argument("--sentences", type=int, default=SENTENCES, help="how many to use at most (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--name", default="corrections-2.1")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    out: Path = args.out
    given = {"wordnet": args.wordnet, "fortunes": args.fortunes, "swords": args.data / SWORDS, **dict(args.graphs)}
    data = {name: path for name, path in given.items() if path} | {path.name: path for path in (*args.words, *WRITTEN)}
    record(out / "record.json", {name: getattr(args, name) for name in ("sentences", "seed", "name")}, LIBRARIES, data)
    words_file, texts, suggestions = (out / name for name in (WORDS_FILE, "sentences.txt", "suggestions.jsonl"))
    step(words_file, lambda: write_table(words_file, tables.word_entries(args.words)))
    step(texts, lambda: write_lines(texts, (s.text for s in _clean_sentences(args))))
    words = WordTable(words_file)
    sentences = [Sentence.of(text) for text in text_lines(read_text(texts))[:-1]]
    labelled = _suggestions(sentences[: args.sentences], words, args.seed)
    step(suggestions, lambda: write_lines(suggestions, (json.dumps(s, ensure_ascii=False) for s in labelled)))
    known = (Labelled(*json.loads(line)) for line in text_lines(read_text(suggestions))[:-1])
    step(out / "model/settings.json", lambda: _train(args, words, sentences, known))
    add_made(out / "record.json", (words_file, texts, suggestions, *(out / "model").iterdir()))


def _clean_sentences(args: argparse.Namespace) -> list[Sentence]:
    """Return clean sentences, all of them free to use, each once, in an order that their text alone decides."""
    sentences = [sentence for name, folder in args.graphs for sentence in from_graphs(folder, name)]
    sentences += [sentence for text in swords(args.data / SWORDS) for sentence in split(text, "swords")]
    if args.wordnet:
        sentences += from_examples(read_examples(args.wordnet))
    if args.fortunes:
        sentences += (sentence for text in fortunes(args.fortunes) for sentence in split(text, "fortunes"))
    distinct = {sentence.text: sentence for sentence in reversed(sentences)}
    return sorted(distinct.values(), key=lambda sentence: key_of(sentence.text))


def _suggestions(sentences: Sequence[Sentence], words: WordTable, seed: int) -> Iterator[Labelled]:
    errors = Errors(misspellings(), british())
    maker = Maker(errors, words, seed)
    wholes = Wholes(errors, words, maker.near, seed)
    for sentence in sentences:
        yield from maker.of_sentence(sentence)
    for sentence in sentences[:WHOLES]:
        yield from wholes.of_sentence(sentence)
    for sentence in sentences:
        yield from wholes.of_words(sentence)
    for path in WRITTEN:
        yield from written(path)


def _train(
    args: argparse.Namespace, words: WordTable, sentences: Sequence[Sentence], suggestions: Iterable[Labelled]
) -> None:
    confusions = tables.confusions(misspellings())
    contexts = tables.contexts(words, ([token.text for token in sentence.tokens] for sentence in sentences))
    channel = Channel(confusions)
    used = Tables(words, channel, tables.rounded(contexts))
    trained = train.train(used, suggestions)
    folder: Path = args.out / "model"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(args.out / WORDS_FILE, folder / WORDS_FILE)
    whole = np.clip(np.rint(used.contexts / CONTEXT_STEP), -127, 127).astype(np.int8)
    misspelt = tables.known_misspellings(words, misspellings())
    np.savez_compressed(folder / TABLES_FILE, contexts=whole, misspellings=misspelt, **confusions._asdict())
    np.savez_compressed(folder / TREES_FILE, **trained.trees._asdict())
    settings = {
        "name": args.name,
        "calibration": trained.calibration,
        "features": list(NAMES),
        "held_out": trained.figures,
        "suggestions": trained.count,
        "sha256": {name: digest_of(folder / name) for name in (WORDS_FILE, TABLES_FILE, TREES_FILE)},
    }
    (folder / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
