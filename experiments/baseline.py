"""Simple systems to compare with, on SWS, SWORDS and ProLex."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments.baselines import llm
from experiments.baselines.run import COMMAND, Task, with_finder, with_task
from usim.cli import run
from usim.cli.help import examples
from usim.cli.options import ABOVE_ZERO, AT_LEAST_ONE, SHARE, make_screen, model_option, option

if TYPE_CHECKING:
    from experiments.baselines.targets import Finder

#: Ways in which a masked model sees a target, by what ``--method`` calls them.
_METHODS = ("pair", "mask", "keep", "dropout", "spsv")


@click.group(
    "baseline",
    epilog=examples(COMMAND + " rules dev.json --thesaurus wordnet -o predictions.json"),
)
def command() -> None:
    """Run a simple system on sentences to compare yours with.

    INPUT is data of Smart Word Suggestions (.json), or a text with a sentence a line (- is standard input): the system
    says which words could be better, and what would be. With --given it gets the targets of the gold data. INPUT may
    also be data of SWORDS (.json, .json.gz) or ProLex (.csv), which always give the target.

    Predictions are in the form that usim sws, usim swords or usim prolex takes.

    Exit code: 0 done, 2 something could not be read.
    """


command.add_command(llm.command)


@command.command("rules", epilog=examples(COMMAND + " rules dev.json --thesaurus wordnet -o predictions.json"))
@with_task
@with_finder(required=True)
@option("--shuffle", type=int, metavar="SEED", help="Shuffle synonyms.  [default: the thesaurus's order]")
def rules(task: Task, finder: Finder, k: int, shuffle: int | None) -> None:
    """Propose the synonyms of every word that a thesaurus has: the rule-based system of SWS.

    Where targets are given, propose theirs.
    """
    from experiments.baselines.targets import RuleBased

    task.run(RuleBased(finder, k=k, seed=shuffle))


@command.command(
    "masked",
    epilog=examples(COMMAND + " masked dev.json --model bert-base-uncased -o predictions.json"),
)
@with_task
@with_finder(required=False)
@option("--model", required=True, metavar="NAME", help="A folder, or a name that transformers knows.")
@option("--method", type=click.Choice(_METHODS), default="pair", help="pair: the sentence, then the masked one; mask: "
        "the masked one (BERT-M); keep: the word is seen (BERT-K); dropout: a part of it is seen (BERT-LS); spsv: so, "
        "with a validation score (BERT-sp,sv).")  # fmt: skip
@option("--dropout", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.3,
        help="The share of the word's embedding that is set to zero: dropout and spsv.")  # fmt: skip
@option("--seed", type=int, default=0, help="Seed of --dropout.")
@option("--margin", type=float, default=0.0, help="Nats by which the best must beat the word.")
@option("--device", default="cpu", help="Where the model runs.")
def masked(
    task: Task,
    finder: Finder | None,
    model: str,
    method: str,
    margin: float,
    device: str,
    **given: Any,
) -> None:
    """Propose what a masked language model finds likelier than the word in the sentence.

    Where targets are given, propose what it finds likeliest. With a thesaurus, only its synonyms are candidates (pair
    and mask); without one, all words of the model's vocabulary.
    """
    from experiments.baselines.masked import Masked, MaskedModel

    if finder is not None and method not in ("pair", "mask"):
        raise click.UsageError(f"--thesaurus goes with --method pair or mask: {method} ranks single words only")
    loaded = MaskedModel(model, context=method == "pair", device=device, attention=method == "spsv")
    way = "masked" if method in ("pair", "mask") else method
    task.run(Masked(loaded, finder, method=way, margin=None if task.given else margin, **given))


@command.command(
    "vectors",
    epilog=examples(COMMAND + " vectors swords.json.gz --vectors glove.6B.300d.txt -o out.json"),
)
@with_task
@with_finder(required=False)
@option("--vectors", "vectors_file", required=True, metavar="FILE", help="GloVe's or word2vec's text form.")
@option("--most", type=AT_LEAST_ONE, metavar="N", help="Read the first N words of --vectors.  [default: all]")
def vectors(task: Task, finder: Finder | None, k: int, vectors_file: str, most: int | None) -> None:
    """Propose the words whose vectors are closest to the target's (GloVe), which must be given.

    With a thesaurus, propose its synonyms, the closest first.
    """
    from experiments.baselines.vectors import NearestWords, read_vectors

    if task.given is None:
        raise click.UsageError("vectors do not say which words could be better: add --given")
    task.run(NearestWords(read_vectors(vectors_file, most=most), finder, k=k))


@command.command(
    "decontextualised",
    epilog=examples(
        "python -m experiments baseline decontextualised swords.json.gz --sentences corpus.txt -o out.json"
    ),
)
@with_task
@with_finder(required=False)
@option("--sentences", required=True, metavar="FILE", help="Sentences, one a line: words get their vectors there.")
@option("--least", type=AT_LEAST_ONE, default=3, help="How often a word must occur in --sentences.")
@option("--encoder", metavar="NAME", help="A model that transformers knows.  [default: the judge's encoder]")
@model_option
def decontextualised(
    task: Task, finder: Finder | None, k: int, sentences: str, least: int, encoder: str | None, model: str
) -> None:
    """Propose the words that mean elsewhere what the target means here (Wada et al. 2022); it must be given.

    A word's vector is the mean of its contextual vectors in --sentences. With a thesaurus, propose its synonyms, the
    closest first.
    """
    from experiments.baselines.given import read_sentences
    from experiments.baselines.vectors import NearestWords, averaged

    if task.given is None:
        raise click.UsageError("vectors do not say which words could be better: add --given")
    texts = [words for _, words in read_sentences(sentences)]
    loaded: Any
    if encoder is None:
        judge = make_screen(model=model).judge
        loaded, name = judge.encoder, judge.name
        assert loaded is not None  # judges of models have one
    else:
        from experiments.baselines.transformer import TransformerVectors

        loaded, name = TransformerVectors(encoder), encoder
    vectors = averaged(loaded, texts, least=least, name=Path(sentences).name)
    system = f"decontextualised|encoder:{name}"
    task.run(NearestWords(vectors, finder, k=k, encoder=loaded, name=system))


@command.command("train", epilog=examples(COMMAND + " train data.jsonl --model bert-base-uncased -o my-baseline"))
@click.argument("data", metavar="DATA")
@option("--model", required=True, metavar="NAME", help="A folder, or a name that transformers knows.")
@option("-o", "--output", required=True, metavar="FOLDER", help="The folder to make.")
@option("--epochs", type=AT_LEAST_ONE, default=1, help="How often a sentence is seen.")
@option("--batch", type=AT_LEAST_ONE, default=32, help="Sentences a step.")
@option("--rate", type=ABOVE_ZERO, default=5e-5, help="Learning rate.")
@option("--most", type=AT_LEAST_ONE, metavar="N", help="Learn from the first N sentences.  [default: all]")
@option("--seed", type=click.IntRange(0), default=0, help="Seed of everything that is drawn.")
@option("--save-every", type=AT_LEAST_ONE, default=500, help="Steps between two states.")
@option("--device", default="cpu", help="Where the model runs.")
def train(data: str, output: str, save_every: int, device: str, **given: Any) -> None:
    """Fine-tune a masked language model on DATA, which experiments generate writes.

    The model learns which words could be better, and what would be. FOLDER appears when it is whole; the same command
    goes on where one was stopped, from FOLDER.part.
    """
    from experiments.baselines.train import Settings, read_examples
    from experiments.baselines.train import train as fine_tune

    settings = Settings(**given)
    fine_tune(
        read_examples(data, most=settings.most),
        output,
        settings,
        device=device,
        save_every=save_every,
        say=lambda line: click.echo(line, err=True),
    )


@command.command(
    "trained",
    epilog=examples(COMMAND + " trained dev.json --model my-baseline -o predictions.json"),
)
@with_task
@option("--model", required=True, metavar="FOLDER", help="A folder that the command train made.")
@option("--threshold", type=SHARE, default=0.5, help="The probability from which a word is named.")
@option("--device", default="cpu", help="Where the model runs.")
def trained(task: Task, k: int, model: str, threshold: float, device: str) -> None:
    """Propose what a fine-tuned model would change (the command train)."""
    from experiments.baselines.trained import Trained

    task.run(Trained(model, k=k, threshold=threshold, device=device))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run(command, None if arguments is None else list(arguments), COMMAND)


if __name__ == "__main__":
    sys.exit(main())
