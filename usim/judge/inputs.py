"""The inputs of the judge's network for a pair of sentences: flags and roles of tokens, beside their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.measures import Alignment
from usim.ucca import Graph

Ints = npt.NDArray[np.int64]

#: Categories with a number of their own, from 1; all others share the next number.
_CATEGORIES = "ACDEFGHLNPQRSTU"
#: The number of values of a token's role.
ROLES = len(_CATEGORIES) + 2
#: The number of flags of a token: no partner; a partner of the same form; one that differs in case; any other partner.
FLAGS = 4
#: Of longer sentences only the tokens near changes are read: by the networks, and by a reader.
LONGEST, LONGEST_READ = 120, 240

_NUMBER = {c: k + 1 for k, c in enumerate(_CATEGORIES)}


def roles(graph: Graph) -> Ints:
    """Return for each token the category of its smallest unit and its role in the main scene: int64 (n, 2).

    The role is the category of the highest unit around the token that is no parallel scene; 0 for none.
    """
    lowest, highest = [0] * len(graph.units), [0] * len(graph.units)
    for edge in graph.primary:  # in canonical order parents come first
        category = edge.categories[0]
        lowest[edge.child] = number = _NUMBER.get(category, ROLES - 1)
        highest[edge.child] = highest[edge.parent] or (number if category != "H" else 0)
    numbers = np.zeros((len(graph.terminals), 2), dtype=np.int64)
    for u, unit in enumerate(graph.units):
        for place in unit.terminals:
            numbers[place] = lowest[u], highest[u]
    return numbers


def flags(tokens: tuple[str, ...], partners: Ints, others: tuple[str, ...]) -> Ints:
    """Return what happened to each token, below :data:`FLAGS`: int64 (n,); a partner of -1 is none."""
    happened = np.zeros(len(tokens), dtype=np.int64)
    for k, partner in enumerate(partners.tolist()):
        if partner >= 0:
            a, b = tokens[k], others[partner]
            happened[k] = 1 if a == b else 2 if a.lower() == b.lower() else 3
    return happened


@dataclass(frozen=True, eq=False)
class PairInputs:
    """What the network reads of a pair: the tokens that take part, first those of the source, then of the output.

    Attributes:
        source, output: the places of the tokens that take part; all of them, except in long sentences.
        partner: int64 (n + m,): for each token the place of its partner in this sequence, -1 for none.
        flag: int64 (n + m,), see :func:`flags`.
        role: int64 (n + m, 2), see :func:`roles`.
    """

    source: Ints
    output: Ints
    partner: Ints
    flag: Ints
    role: Ints


def pair_inputs(source: Graph, output: Graph, alignment: Alignment) -> PairInputs:
    """Return what the network reads of a pair of graphs."""
    back = alignment.reversed.to_output
    flag_a = flags(source.tokens, alignment.to_output, output.tokens)
    flag_b = flags(output.tokens, back, source.tokens)
    a, b = _around(flag_a, LONGEST), _around(flag_b, LONGEST)
    where_a, where_b = (np.full(len(flag) + 1, -1, dtype=np.int64) for flag in (flag_a, flag_b))
    where_a[a], where_b[b] = np.arange(len(a)), np.arange(len(a), len(a) + len(b))
    partner = np.concatenate([where_b[alignment.to_output[a]], where_a[back[b]]])  # [-1] is the spare last one
    flag = np.concatenate([flag_a[a], flag_b[b]])
    role = np.concatenate([roles(source)[a], roles(output)[b]])
    return PairInputs(a, b, partner, flag, role)


def padded_inputs(inputs: Sequence[PairInputs]) -> dict[str, Any]:
    """Return what the network reads of pairs, each (pairs, tokens), padded.

    Codes are int64: flags, which begin at :data:`FLAGS` for the output; roles; partners, -1 for none. The masks of all
    tokens and of changed tokens are float32.
    """
    shape = len(inputs), max(len(own.flag) for own in inputs)
    flag, lowest, highest = np.zeros((3, *shape), np.int64)
    mask, changed = np.zeros((2, *shape), np.float32)
    padded: dict[str, Any] = {"flag": flag, "lowest": lowest, "highest": highest, "mask": mask, "changed": changed}
    padded["partner"] = np.full(shape, -1)
    for row, own in enumerate(inputs):
        sides = np.repeat([0, FLAGS], [len(own.source), len(own.output)])
        codes = (own.flag + sides, *own.role.T, np.ones_like(own.flag), own.flag != 1, own.partner)
        for rows, values in zip(padded.values(), codes, strict=True):
            rows[row, : len(values)] = values
    return padded


def read_places(source: Graph, output: Graph, alignment: Alignment) -> tuple[Ints, Ints]:
    """Return the places of the tokens of either side that a reader reads: all, except in texts of many sentences."""
    n, m = len(source.tokens), len(output.tokens)
    if max(n, m) <= LONGEST_READ:  # as nearly always: nothing to choose
        return np.arange(n), np.arange(m)
    flag_a = flags(source.tokens, alignment.to_output, output.tokens)
    flag_b = flags(output.tokens, alignment.reversed.to_output, source.tokens)
    return _around(flag_a, LONGEST_READ), _around(flag_b, LONGEST_READ)


def _around(flag: Ints, most: int) -> Ints:
    """Return the places of at most so many tokens, those nearest to the changes."""
    n = len(flag)
    if n <= most:
        return np.arange(n)
    changed = np.flatnonzero(flag != 1)
    if not len(changed):
        return np.arange(most)
    places = np.arange(n)
    following = np.searchsorted(changed, places).clip(max=len(changed) - 1)
    distance = np.minimum(np.abs(changed[following] - places), np.abs(changed[following - 1] - places))
    return np.sort(np.argsort(distance, kind="stable")[:most])
