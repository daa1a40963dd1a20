"""A fast stand-in for ``ucca.evaluation`` to watch training with: labelled F1 without its normalisation."""

from __future__ import annotations

from collections.abc import Iterable

from usim.ucca import Graph

Counts = dict[str, list[int]]


def yields(graph: Graph, remote: bool) -> dict[int, set[str]]:
    """Return the categories of the edges to each set of words (as bits), without punctuation."""
    words = ((1 << len(graph.terminals)) - 1) & ~graph.punctuation
    categories: dict[int, set[str]] = {}
    for edge in graph.edges:
        mask = graph.yields[edge.child] & words
        if edge.is_remote == remote and mask and not graph.units[edge.child].is_punct:
            categories.setdefault(mask, set()).update(edge.categories)
    return categories


def quick_f1(pairs: Iterable[tuple[Graph, Graph]]) -> dict[str, float]:
    """Return labelled F1 in percent: primary, remote, both together, and primary without labels."""
    sums: Counts = {"primary": [0, 0, 0], "remote": [0, 0, 0], "unlabelled": [0, 0, 0]}
    for guessed, gold in pairs:
        for name, remote in (("primary", False), ("remote", True)):
            a, b = yields(guessed, remote), yields(gold, remote)
            both = a.keys() & b.keys()
            for total, value in zip(
                (sums[name], sums["unlabelled"]), (sum(bool(a[y] & b[y]) for y in both), len(both)), strict=True
            ):
                if total is sums[name] or not remote:
                    total[0] += value
                    total[1] += len(a)
                    total[2] += len(b)
    sums["all"] = [p + r for p, r in zip(sums["primary"], sums["remote"], strict=True)]
    return {name: round(200 * m / max(1, a + b), 3) for name, (m, a, b) in sums.items()}
