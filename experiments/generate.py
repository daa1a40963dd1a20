"""Training data for word suggestions, made from any sentences.

Words are replaced by synonyms, so that the original is better (:mod:`experiments.baselines.distant`). The same seed
gives the same data.
"""

from __future__ import annotations

import csv
import json
import sys
from typing import Any

from experiments.baselines.distant import worsened
from experiments.baselines.prompted import synthesised
from experiments.baselines.targets import OPTIONS, make_finder
from experiments.common.command import Command, Option
from usim.cli.output import opened_output, warn
from usim.errors import InputError, OptionError
from usim.records import lines
from usim.signature import Signature


def run(
    source: str, output: str | None, form: str, rate: float, seed: int, model: str | None, **thesaurus: Any
) -> None:
    """Write training data, and print how much was replaced; lines that are not UTF-8 cost no others.

    A language model writes records of its own, as those of D_L, in the place of synonyms of a thesaurus.
    """
    if model is not None:
        texts = [line.raw.strip() for line in lines(source) if not (line.is_blank or line.error)]
        with opened_output(output) as file:
            rows = csv.DictWriter(file, ("target_words", "substitutes", "query_pos", "original_sentences"))
            rows.writeheader()
            rows.writerows(synthesised(model, texts, seed))
        return
    finder = make_finder(**thesaurus)
    if not 0 < rate <= 1:
        raise OptionError(f"the rate must lie in (0, 1], not {rate}", option="rate")
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
            example = worsened(finder, str(line.number), line.raw.strip(), seed=seed, rate=rate)
            if example is not None:
                record = example.as_sws() if form == "sws" else example.as_published()
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                written += 1
                targets += len(example.targets)
                replaced += sum(target.end - target.start for target in example.targets)
                words += len(example.words)
    share = f", {100 * replaced / words:.1f} % of their words" if words else ""
    summary = f"{targets} targets in {written} of {sentences} sentences{share}"
    signature = Signature.of("usim", f"generate|{finder.signature}|rate:{rate:g}|seed:{seed}")
    print(f"{summary}\n{signature}", file=sys.stderr)
    if unreadable:
        raise InputError(f"{unreadable} lines could not be read", path=source)


main = Command(
    run,
    Option("source", metavar="SENTENCES", help="a text with a sentence a line (-: standard input)"),
    Option("-o", "--output", metavar="FILE", help="where the data go (default: standard output)"),
    *OPTIONS,
    Option("--model", metavar="NAME", help="ask this language model behind USIM_LLM_ENDPOINT, by the prompt of ProLex"),
    Option("--rate", type=float, default=1.0, help="replace at most this share of a sentence's words, in (0, 1]"),
    Option("--format", dest="form", choices=("sws", "published"), default="sws", help="sws: the new sentence, original "
           "words as suggestions; published: the original with a synonym a target"),
    shared=("seed",),
    forms=(),
)  # fmt: skip
