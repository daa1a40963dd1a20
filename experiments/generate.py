"""Training data for word suggestions, made from any sentences.

Words are replaced by synonyms, so that the original is better (:mod:`experiments.baselines.distant`). The same seed
gives the same data. With ``--format prolex``, the data are like those of ProLex instead
(:mod:`experiments.baselines.lessons`): from sentences and a thesaurus like its D_L, from SWORDS like its D_S.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from experiments.baselines.distant import Generator
from experiments.baselines.finding import OPTIONS, make_finder
from experiments.baselines.lessons import from_sentences, from_swords, write_lessons
from experiments.common.command import Command, Option
from experiments.common.levels import load_levels
from usim.cli.output import opened_output, warn
from usim.errors import InputError, OptionError
from usim.records import lines
from usim.screen import Screen
from usim.signature import Signature


def run(
    source: str, output: str | None, form: str, rate: float, is_screened: bool, seed: int, **thesaurus: Any
) -> None:
    """Write training data, and print how much was replaced.

    Raises:
        OptionError: options that do not go together, or no thesaurus.
        InputError, FormatError: something cannot be read. Lines that are not UTF-8 cost no others.
    """
    if form == "prolex":
        if is_screened:
            raise OptionError("--screen is not for --format prolex", option="screen")
        _write_lessons(source, output, seed, thesaurus)
        return
    finder = make_finder(**thesaurus)
    generator = Generator(finder, seed=seed, rate=rate, screen=Screen() if is_screened else None)
    sentences = written = targets = replaced = words = unreadable = 0
    with opened_output(output) as file:
        for line in lines(source):
            if line.is_blank:
                continue
            sentences += 1
            if line.error:
                unreadable += 1
                warn(f"{source}:{line.number}: {line.error}; left out")
                continue
            example = generator(str(line.number), line.raw.strip())
            if example is not None:
                record = example.as_sws() if form == "sws" else example.as_published()
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                written += 1
                targets += len(example.targets)
                replaced += sum(target.end - target.start for target in example.targets)
                words += len(example.words)
    share = f", {100 * replaced / words:.1f} % of their words" if words else ""
    summary = f"{targets} targets in {written} of {sentences} sentences{share}"
    print(f"{summary}\n{Signature.of('usim', generator.signature)}", file=sys.stderr)
    if unreadable:
        raise InputError(f"{unreadable} lines could not be read", path=source)


def _write_lessons(source: str, output: str | None, seed: int, thesaurus: Mapping[str, Any]) -> None:
    levels = load_levels()
    if source.removesuffix(".gz").endswith(".json"):
        lessons, made_by = from_swords(source, levels), "swords"
    else:
        finder = make_finder(**thesaurus)
        sentences = (line.raw.strip() for line in lines(source) if not (line.is_blank or line.error))
        lessons, made_by = from_sentences(finder, sentences, levels, seed=seed), f"{finder.signature}|seed:{seed}"
    with opened_output(output) as file:
        written, substitutes = write_lessons(file, lessons)
    signature = Signature.of("usim", f"generate|prolex|{made_by}|levels:{levels.name}")
    print(f"{substitutes} substitutes of {written} targets\n{signature}", file=sys.stderr)


main = Command(
    run,
    Option("source", metavar="SENTENCES", help="a text with a sentence a line (-: standard input); for prolex also a "
           "file of SWORDS (.json, .json.gz), which needs no thesaurus"),
    Option("-o", "--output", metavar="FILE", help="where the data go (default: standard output)"),
    *OPTIONS,
    Option("--rate", type=float, default=1.0, help="replace at most this share of a sentence's words, in (0, 1]"),
    Option("--screen", dest="is_screened", action="store_true", help="leave out synonyms that usim screen would drop"),
    Option("--format", dest="form", choices=("sws", "published", "prolex"), default="sws", help="sws: the new "
           "sentence, original words as suggestions; published: the original with a synonym a target; prolex: CSV, one "
           "target a sentence with its synonyms"),
    shared=("seed",),
    forms=(),
)  # fmt: skip
