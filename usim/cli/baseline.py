"""``usim baseline``: simple systems to compare with, on SWS, SWORDS and ProLex."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from usim.cli import llm
from usim.cli.help import Group, examples
from usim.cli.options import Command, output_option, with_options
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from usim.benchmarks.baselines.given import Candidate, GivenTarget, GivenTargets, Substituter
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.sws import Span

_System = Callable[[Sequence[str]], Mapping["Span", Sequence[str]]]
#: Ways in which a masked model sees a target, by what ``--method`` calls them.
_METHODS = ("pair", "mask", "keep", "dropout", "spsv")


@click.group(
    "baseline", cls=Group, epilog=examples("usim baseline rules dev.json --thesaurus wordnet -o predictions.json")
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


def thesaurus_options(*, required: bool) -> Command:
    """Return the options of :func:`load_finder`."""
    return with_options(
        click.option("--no-inflect", is_flag=True, help="Look words up, and take synonyms, only as they stand."),
        click.option(
            "--or", "union", metavar="NAME", help="A second thesaurus: take the synonyms that one of the two has."
        ),
        click.option("--and", "other", metavar="NAME", help="A second thesaurus: take the synonyms that both have."),
        click.option(
            "--thesaurus",
            metavar="NAME",
            required=required,
            help="wordnet (comes with usim), wn:LEXICON, or a file: TSV, JSON or PPDB, see docs/how-to/baselines.md.",
        ),
    )


def load_finder(thesaurus: str, other: str | None, union: str | None, no_inflect: bool) -> Finder:
    """Return the finder of targets that the options ask for."""
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.baselines.thesaurus import Both, Either, load

    if other is not None and union is not None:
        raise click.UsageError("--and and --or take the second thesaurus in two ways: give one of them")
    first = load(thesaurus)
    if other is not None:
        first = Both(first, load(other))
    elif union is not None:
        first = Either(first, load(union))
    return Finder(first, forms=not no_inflect)


def _optional_finder(thesaurus: str | None, other: str | None, union: str | None, no_inflect: bool) -> Finder | None:
    if thesaurus is not None:
        return load_finder(thesaurus, other, union, no_inflect)
    if other is not None or union is not None:
        raise click.UsageError("--and and --or add to a thesaurus: give --thesaurus as well")
    return None


_shared_options = with_options(
    click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="Suggestions for a target."),
    click.option("--given", is_flag=True, help="Give the system the targets of the gold data (SWS)."),
    output_option("Where predictions go."),
    click.argument("source", metavar="INPUT"),
)


@command.command("rules", epilog=examples("usim baseline rules dev.json --thesaurus wordnet -o predictions.json"))
@_shared_options
@thesaurus_options(required=True)
@click.option("--shuffle", type=int, metavar="SEED", help="Shuffle synonyms.  [default: the thesaurus's order]")
def rules(
    source: str,
    output: str | None,
    given: bool,
    k: int,
    thesaurus: str,
    other: str | None,
    union: str | None,
    no_inflect: bool,
    shuffle: int | None,
) -> None:
    """Propose the synonyms of every word that a thesaurus has: the rule-based system of SWS.

    Where targets are given, propose theirs.
    """
    from usim.benchmarks.baselines.rules import RuleBased, Synonyms

    finder = load_finder(thesaurus, other, union, no_inflect)
    if targets := _given(source, given):
        _substitute(targets, output, Synonyms(finder, k=k, seed=shuffle))
    else:
        system = RuleBased(finder, k=k, seed=shuffle)
        _run(source, output, system, system.signature)


@command.command(
    "masked", epilog=examples("usim baseline masked dev.json --model bert-base-uncased -o predictions.json")
)
@_shared_options
@thesaurus_options(required=False)
@click.option("--model", required=True, metavar="NAME", help="A folder, or a name that transformers knows.")
@click.option(
    "--method", type=click.Choice(_METHODS), default="pair", show_default=True,
    help="pair: the sentence, then the masked one; mask: the masked one (BERT-M); keep: the word is seen (BERT-K); "
    "dropout: a part of it is seen (BERT-LS); spsv: so, with a validation score (BERT-sp,sv).",
)  # fmt: skip
@click.option("--alone", is_flag=True, help="The same as --method mask.")
@click.option(
    "--dropout", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.3, show_default=True,
    help="The share of the word's embedding that is set to zero: dropout and spsv.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of --dropout.")
@click.option("--margin", type=float, default=0.0, show_default=True, help="Nats by which the best must beat the word.")
@click.option("--device", default="cpu", show_default=True, help="Where the model runs.")
def masked(
    source: str,
    output: str | None,
    given: bool,
    k: int,
    thesaurus: str | None,
    other: str | None,
    union: str | None,
    no_inflect: bool,
    model: str,
    method: str,
    alone: bool,
    dropout: float,
    seed: int,
    margin: float,
    device: str,
) -> None:
    """Propose what a masked language model finds likelier than the word in the sentence.

    Where targets are given, propose what it finds likeliest. With a thesaurus, only its synonyms are candidates (pair
    and mask); without one, all words of the model's vocabulary.
    """
    from usim.benchmarks.baselines.masked import Masked, MaskedModel, MaskedSubstitutes
    from usim.benchmarks.baselines.proposals import Proposer

    method = "mask" if alone and method == "pair" else method
    if alone and method != "mask":
        raise click.UsageError(f"--alone masks the word, --method {method} does not")
    if thesaurus is not None and method not in ("pair", "mask"):
        raise click.UsageError(f"--thesaurus goes with --method pair or mask: {method} ranks single words only")
    finder = _optional_finder(thesaurus, other, union, no_inflect)
    targets = _given(source, given)
    loaded = MaskedModel(model, context=method == "pair", device=device, attention=method == "spsv")
    way = "masked" if method in ("pair", "mask") else method
    proposer = Proposer(loaded, method=way, dropout=dropout, seed=seed)
    if targets:
        _substitute(targets, output, MaskedSubstitutes(proposer, finder, k=k))
    else:
        system = Masked(proposer, finder, k=k, margin=margin)
        _run(source, output, system, system.signature)


@command.command(
    "vectors", epilog=examples("usim baseline vectors swords.json.gz --vectors glove.6B.300d.txt -o out.json")
)
@_shared_options
@thesaurus_options(required=False)
@click.option("--vectors", "vectors_file", required=True, metavar="FILE", help="GloVe's or word2vec's text form.")
@click.option(
    "--most", type=click.IntRange(1), metavar="N", help="Read the first N words of --vectors.  [default: all]"
)
def vectors(
    source: str,
    output: str | None,
    given: bool,
    k: int,
    thesaurus: str | None,
    other: str | None,
    union: str | None,
    no_inflect: bool,
    vectors_file: str,
    most: int | None,
) -> None:
    """Propose the words whose vectors are closest to the target's (GloVe), which must be given.

    With a thesaurus, propose its synonyms, the closest first.
    """
    from usim.benchmarks.baselines.vectors import NearestWords, read_vectors

    finder = _optional_finder(thesaurus, other, union, no_inflect)
    targets = _given(source, given)
    if targets is None:
        raise click.UsageError("vectors do not say which words could be better: add --given")
    _substitute(targets, output, NearestWords(read_vectors(vectors_file, most=most), finder, k=k))


def _given(source: str, given: bool) -> GivenTargets | None:
    """Return the targets of INPUT where they are given; None where the system is to find them."""
    from usim.benchmarks.baselines.given import are_given, read_given

    if source != "-" and (given or are_given(source)):
        return read_given(source)
    if given:
        raise click.UsageError("--given needs the gold data: standard input is a text")
    return None


def _substitute(given: GivenTargets, output: str | None, system: Substituter) -> None:
    from usim.benchmarks.baselines.given import write_given

    substitutes = 0

    def answers() -> Iterator[tuple[GivenTarget, Sequence[Candidate]]]:
        nonlocal substitutes
        for target in progress(given.targets, len(given.targets), "predicting"):
            candidates = system(target.cropped())
            substitutes += len(candidates)
            yield target, candidates

    with opened_output(output) as file:
        write_given(file, given, answers())
    signature = Signature.of("usim", "baseline", f"{system.signature}|given:{given.benchmark}")
    click.echo(f"{substitutes} substitutes for {len(given.targets)} targets\n{signature}", err=True)


def _run(source: str, output: str | None, system: _System, signature: str) -> None:
    from usim.benchmarks.baselines.files import read_sentences, write_predictions

    sentences = list(read_sentences(source))
    targets = 0

    def predictions() -> Iterator[tuple[str, Sequence[str], Mapping[Span, Sequence[str]]]]:
        nonlocal targets
        for name, words in progress(sentences, len(sentences), "predicting"):
            suggestions = system(words)
            targets += len(suggestions)
            yield name, words, suggestions

    with opened_output(output) as file:
        write_predictions(file, predictions())
    click.echo(
        f"{targets} targets in {len(sentences)} sentences\n{Signature.of('usim', 'baseline', signature)}", err=True
    )
