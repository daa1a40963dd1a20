"""Published pairs of sentences with ratings of how much of the meaning is preserved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from usim.errors import FormatError
from usim.text.files import read_csv


class RatedPair(NamedTuple):
    """A pair with its ratings.

    Attributes:
        rating: what people said together.
        ratings: what each of them said; in TMU-GFM 0 is no rating.
        systems: the systems whose output it is.
        others: further ratings that were asked for.
    """

    source: str
    output: str
    rating: float
    ratings: tuple[float, ...] = ()
    systems: tuple[str, ...] = ()
    others: tuple[float, ...] = ()


def tmu(path: Path, others: Sequence[str] = ()) -> Iterator[RatedPair]:
    """Read TMU-GFM (Yoshimura et al. 2020), or a part of it: means of up to five ratings from 1 to 4.

    Args:
        others: columns of further ratings, such as ``ave_g``.

    Raises:
        InputError: the file cannot be read.
        FormatError: a column is missing, or a rating is no number.
    """
    for line, row in read_csv(path, ("source", "output", "meaning", "system", "ave_m", *others)):
        ratings = tuple(_number(x, path, line) for x in row["meaning"].split(","))
        systems = tuple(name.strip() for name in row["system"].split(","))
        mean, *rest = (_number(row[name], path, line) for name in ("ave_m", *others))
        yield RatedPair(row["source"], row["output"], mean, ratings, systems, tuple(rest))


def csmd(path: Path) -> Iterator[RatedPair]:
    """Read a part of CSMD (Beauchemin et al. 2023): ratings from 0 to 100.

    Raises:
        InputError: the file cannot be read.
        FormatError: a column is missing, or a rating is no number.
    """
    for line, row in read_csv(path, ("original", "simplification", "label"), delimiter="\t"):
        yield RatedPair(row["original"], row["simplification"], _number(row["label"], path, line))


def _number(text: str, path: Path, line: int) -> float:
    try:
        return float(text)
    except ValueError as e:
        raise FormatError("a rating must be a number", path=path, line=line, text=text) from e
