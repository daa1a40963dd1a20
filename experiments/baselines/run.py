"""What the commands of the study ``baseline`` share: a thesaurus, what a system is run on, and its output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from usim.cli.options import AT_LEAST_ONE, Command, option, output_option, with_options
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from experiments.baselines.targets import Finder
    from usim.benchmarks.benchmark import Benchmark

COMMAND = "python -m experiments baseline"


def with_finder(*, required: bool) -> Command:
    """Return a decorator that gives a command options for a thesaurus, and its ``finder``; None where none is named."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*, thesaurus: str | None, other: str | None, union: str | None, no_inflect: bool, **given: Any) -> Any:
            return command(finder=_finder(thesaurus, other, union, not no_inflect), **given)

        decorated: Command = with_options(
            option("--thesaurus", metavar="NAME", required=required, help="wordnet (comes with usim), wn:LEXICON, or "
                   "a file: TSV, JSON or PPDB, see docs/how-to/baselines.md."),
            option("--and", "other", metavar="NAME", help="A second thesaurus: take the synonyms that both have."),
            option("--or", "union", metavar="NAME",
                   help="A second thesaurus: take the synonyms that one of the two has."),
            option("--no-inflect", is_flag=True, help="Look words up, and take synonyms, only as they stand."),
        )(run)  # fmt: skip
        return decorated

    return decorate


def _finder(thesaurus: str | None, other: str | None, union: str | None, forms: bool) -> Finder | None:
    from experiments.baselines.targets import Finder
    from experiments.baselines.thesaurus import both, either, load

    if thesaurus is None:
        if other is not None or union is not None:
            raise click.UsageError("--and and --or add to a thesaurus: give --thesaurus as well")
        return None
    if other is not None and union is not None:
        raise click.UsageError("--and and --or take the second thesaurus in two ways: give one of them")
    first = load(thesaurus)
    if other is not None:
        first = both(first, load(other))
    elif union is not None:
        first = either(first, load(union))
    return Finder(first, forms=forms)


def with_task(command: Command) -> Command:
    """Give a command the argument INPUT and the options of each system, and what they ask for as ``task``."""

    @wraps(command)
    def run(*, source: str, output: str | None, given: bool, **own: Any) -> Any:
        return command(task=Task(source, output, given), **own)

    decorated: Command = with_options(
        click.argument("source", metavar="INPUT"),
        output_option("Where predictions go."),
        option("--given", is_flag=True, help="Give the system the targets of the gold data (SWS)."),
        option("-k", type=AT_LEAST_ONE, default=10, help="Suggestions for a target."),
    )(run)
    return decorated


class Task:
    """What a system is run on, and where its predictions go; ``given`` is the benchmark whose targets it gets."""

    def __init__(self, source: str, output: str | None, given: bool) -> None:
        from experiments.baselines.given import opened

        if source == "-" and given:
            raise click.UsageError("--given needs the gold data: standard input is a text")
        self.given: Benchmark[Any] | None = None if source == "-" else opened(source, given=given)
        self._source = source
        self._output = output

    def run(self, system: Any) -> None:
        """Run a system, and write its predictions as the benchmark's scorer reads them.

        It has a ``signature``, and is called with words, or has ``substitutes`` for a target.
        """
        from experiments.baselines.given import read_sentences, targets_of, write, write_predictions

        given = self.given
        items: Sequence[Any] = list(read_sentences(self._source)) if given is None else targets_of(given)
        count = 0

        def answers() -> Iterator[Any]:
            nonlocal count
            for item in progress(items, len(items), "predicting"):
                predicted = system(item[1]) if given is None else system.substitutes(item.cropped())
                count += len(predicted)
                yield (*item, predicted) if given is None else (item, predicted)

        with opened_output(self._output) as file:
            if given is None:
                write_predictions(file, answers())
            else:
                write(given, file, answers())
        if given is None:
            told, target = f"{count} targets in {len(items)} sentences", ""
        else:
            told, target = f"{count} substitutes for {len(items)} targets", f"|given:{given.name}"
        click.echo(f"{told}\n{Signature.of('usim', 'baseline', system.signature + target)}", err=True)
