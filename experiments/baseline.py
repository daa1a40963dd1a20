"""Simple systems to compare with, on SWS, SWORDS and ProLex."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from experiments.baselines.run import COMMAND, Task, with_finder, with_task
from usim.cli import run
from usim.cli.help import examples
from usim.cli.options import AT_LEAST_ONE, option

if TYPE_CHECKING:
    from experiments.baselines.targets import Finder

#: Ways in which a masked model sees a target, by what ``--method`` calls them.
_METHODS = ("pair", "mask", "keep")


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
        "the masked one (BERT-M); keep: the word is seen (BERT-K).")  # fmt: skip
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
    loaded = MaskedModel(model, context=method == "pair", device=device)
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run(command, None if arguments is None else list(arguments), COMMAND)


if __name__ == "__main__":
    sys.exit(main())
