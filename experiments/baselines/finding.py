"""Options of commands that look words up in a thesaurus."""

from __future__ import annotations

from experiments.baselines.targets import Finder
from experiments.baselines.thesaurus import both, either, load
from experiments.common.command import Option
from usim.errors import OptionError

OPTIONS = (
    Option("--thesaurus", metavar="NAME", help="wordnet, or a file: TSV, JSON or PPDB (docs/how-to/benchmarks.md)"),
    Option("--and", dest="other", metavar="NAME", help="a second thesaurus: take the synonyms that both have"),
    Option("--or", dest="union", metavar="NAME", help="a second thesaurus: take those that one of the two has"),
    Option("--no-inflect", action="store_true", help="look words up, and take synonyms, only as they stand"),
)


def make_finder(thesaurus: str | None, other: str | None, union: str | None, no_inflect: bool) -> Finder:
    """Return what finds words with synonyms, from the values of :data:`OPTIONS`.

    Raises:
        OptionError: no thesaurus, or two ways to take the second one.
        InputError, FormatError: a thesaurus cannot be read.
    """
    if thesaurus is None:
        raise OptionError("a thesaurus is needed: give --thesaurus", option="thesaurus")
    if other is not None and union is not None:
        raise OptionError("--and and --or take the second thesaurus in two ways: give one of them", option="or")
    first = load(thesaurus)
    if other is not None:
        first = both(first, load(other))
    if union is not None:
        first = either(first, load(union))
    return Finder(first, forms=not no_inflect)
