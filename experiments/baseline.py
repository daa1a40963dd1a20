"""Simple systems to compare with, on SWS, SWORDS and ProLex."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from experiments.baselines.given import opened, read_sentences, targets_of, write, write_predictions
from experiments.baselines.masked import METHODS, Masked
from experiments.baselines.prompted import NAMES, Prompted
from experiments.baselines.targets import OPTIONS, RuleBased, make_finder
from experiments.common.command import Command, Option
from usim.cli.output import opened_output, progress
from usim.errors import OptionError
from usim.signature import Signature


def run(
    name: str,
    source: str,
    output: str | None,
    given: bool,
    k: int,
    shuffle: int | None,
    model: str | None,
    method: str,
    prompt: str | None,
    examples: str | None,
    **thesaurus: Any,
) -> None:
    """Run a system, and write its predictions as ``usim sws``, ``usim swords`` or ``usim prolex`` reads them."""
    if source == "-" and given:
        raise OptionError("--given needs the gold data: standard input is a text", option="given")
    benchmark = None if source == "-" else opened(source, given=given)
    if name == "rules":
        system = RuleBased(make_finder(**thesaurus), k=k, seed=shuffle)
    elif name == "prompted":
        if model is None or prompt is None or (prompt == "sws") != (benchmark is None):
            raise OptionError("give --model and --prompt: sws for sentences, the others for targets", option="prompt")
        system = Prompted(model, prompt, k=k, examples=examples, seed=shuffle or 0)
    elif model is None:
        raise OptionError("a masked language model is needed: give --model", option="model")
    elif benchmark is None:
        raise OptionError("a masked language model needs the targets: add --given", option="given")
    else:
        system = Masked(model, method=method, k=k)
    items: Sequence[Any] = list(read_sentences(source)) if benchmark is None else targets_of(benchmark)
    shown = progress(items, len(items), "predicting")
    with opened_output(output) as file:
        if benchmark is None:
            predictions = [(name, words, system(words)) for name, words in shown]
            write_predictions(file, predictions)
            count = sum(len(spans) for *_, spans in predictions)
            summary, target = f"{count} targets in {len(items)} sentences", ""
        else:
            answers = [(item, system.substitutes(item.cropped())) for item in shown]
            write(benchmark, file, answers)
            count = sum(len(substitutes) for _, substitutes in answers)
            summary, target = f"{count} substitutes for {len(items)} targets", f"|given:{benchmark.name}"
    print(f"{summary}\n{Signature.of('usim', 'baseline', system.signature + target)}", file=sys.stderr)


main = Command(
    run,
    Option("name", choices=("rules", "masked", "prompted"), metavar="SYSTEM", help="rules: the synonyms of a "
           "thesaurus, the rule-based system of SWS; masked: what a masked language model finds likeliest for a given "
           "target; prompted: a large language model behind USIM_LLM_ENDPOINT, by a paper's prompt"),
    Option("source", metavar="INPUT", help="data of SWS (.json), SWORDS (.json, .json.gz) or ProLex (.csv), or a text "
           "with a sentence a line (-: standard input)"),
    Option("-o", "--output", metavar="FILE", help="where predictions go (default: standard output)"),
    Option("--given", action="store_true", help="give the system the targets of the gold data (SWS)"),
    Option("-k", type=int, default=10, help="suggestions for a target (default: %(default)s)"),
    *OPTIONS,
    Option("--shuffle", type=int, metavar="SEED", help="rules: shuffle synonyms (default: the thesaurus's order)"),
    Option("--model", metavar="NAME", help="masked: a folder, or a name that transformers knows; prompted: its name "
           "on the server"),
    Option("--prompt", choices=NAMES, help="prompted: one of experiments/prompts.toml"),
    Option("--examples", metavar="FILE", help="prompted: what examples are drawn from (by --shuffle): "
           "ProLex_train_D_L.csv or the dev data of SWORDS"),
    Option("--method", choices=METHODS, default="mask", help="masked: whether the model sees the target (keep, BERT-K) "
           "or not (mask, BERT-M, the default)"),
    shared=(),
    forms=(),
)  # fmt: skip
