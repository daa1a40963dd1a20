"""What the commands of ``usim baseline`` share: a thesaurus, what a system is run on, and its output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from usim.cli.options import AT_LEAST_ONE, Command, option, output_option, with_options
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.benchmark import Benchmark
    from usim.benchmarks.case import Candidate, GivenTarget
    from usim.text import Span


def with_finder(*, required: bool) -> Command:
    """Return a decorator that gives a command the options for a thesaurus, and the finder of targets as ``finder``.

    It is None where no thesaurus is named.
    """

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
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.baselines.thesaurus import Both, Either, load

    if thesaurus is None:
        if other is not None or union is not None:
            raise click.UsageError("--and and --or add to a thesaurus: give --thesaurus as well")
        return None
    if other is not None and union is not None:
        raise click.UsageError("--and and --or take the second thesaurus in two ways: give one of them")
    first = load(thesaurus)
    if other is not None:
        first = Both(first, load(other))
    elif union is not None:
        first = Either(first, load(union))
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
    """What a system is run on, and where its predictions go.

    Attributes:
        given: the benchmark whose targets the system is given; None where it is to find them.
    """

    def __init__(self, source: str, output: str | None, given: bool) -> None:
        from usim.benchmarks import of_file

        if source == "-" and given:
            raise click.UsageError("--given needs the gold data: standard input is a text")
        benchmark = None if source == "-" else of_file(source, otherwise="sws" if given else None)
        self.given: Benchmark[Any] | None = None if benchmark is None else benchmark.open(source)
        self._source = source
        self._output = output

    def run(self, system: Any) -> None:
        """Run a system, and write its predictions as the benchmark's scorer reads them.

        Args:
            system: has a ``signature``; is called with words, or has ``substitutes`` for a target.
        """
        if self.given is None:
            _find_targets(self._source, self._output, system)
        else:
            _fill_targets(self.given, self._output, system)
        given = f"|given:{self.given.name}" if self.given else ""
        click.echo(Signature.of("usim", "baseline", system.signature + given), err=True)


def _fill_targets(given: Benchmark[Any], output: str | None, system: Any) -> None:
    targets = given.targets()
    substitutes = 0

    def answers() -> Iterator[tuple[GivenTarget, Sequence[Candidate]]]:
        nonlocal substitutes
        for target in progress(targets, len(targets), "predicting"):
            candidates = system.substitutes(target.cropped())
            substitutes += len(candidates)
            yield target, candidates

    with opened_output(output) as file:
        given.write(file, answers())
    click.echo(f"{substitutes} substitutes for {len(targets)} targets", err=True)


def _find_targets(source: str, output: str | None, system: Any) -> None:
    from usim.benchmarks.sws.gold import read_sentences, write_predictions

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
    click.echo(f"{targets} targets in {len(sentences)} sentences", err=True)
