"""How well a graph agrees with a gold graph of the same tokens: the figures that UCCA papers print.

*What is counted.* Not edges but yields: the sets of words, punctuation left out, under the children of edges (an
implicit unit stands for the yield of its parent). A yield of one graph matches if the other has it too; labelled, if
also some category of the edges to it is the same on both sides; weakly labelled, if some category is the same or
equivalent (P and S, H and C, N and L, R and F). Primary, remote and implicit edges are counted apart. Edges of
punctuation, of linkages and to terminals are left out.

*Precision* is matched / predicted, *recall* matched / gold; each is 1 where there is nothing to count. *F* is their
harmonic mean. Over several passages counts are added up (micro-average).

*All* is primary and remote together, without the implicit units, as the shared task counted (Hershcovich et al. 2019,
*SemEval-2019 Task 1*).

By default both graphs are normalised first (:mod:`usim.ucca.normalise`). Each count is the one that
``ucca.evaluation.evaluate`` (version 1.3.11) gives for the same files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from usim.errors import AlignmentError
from usim.ucca._categories import EQUIVALENTS, in_order
from usim.ucca._graph import Graph
from usim.ucca.normalise import GraphView, move_common_functions

#: The ways to compare labels, with the name of each in the toolkit.
LABELS = {"labelled": "labeled", "unlabelled": "unlabeled", "weak": "weak_labeled"}
#: The kinds of edges that are counted.
KINDS = ("primary", "remote", "implicit")


@dataclass(frozen=True)
class Counts:
    """Counts of matched, predicted and gold items; added up, they give a micro average.

    Attributes:
        matched: the number of items that both have.
        predicted: the number of items in the prediction (or the guess, the first annotation).
        gold: the number of items in the gold standard (or the reference, the second annotation).

    >>> (Counts(1, 2, 2) + Counts(1, 1, 2)).f
    0.5714285714285715
    """

    matched: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """Matched / predicted; 1 if nothing was predicted."""
        return self.matched / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Matched / gold; 1 if there is nothing in the gold graph."""
        return self.matched / self.gold if self.gold else 1.0

    @property
    def f(self) -> float:
        """The harmonic mean of both; 0 if either is 0."""
        p, r = self.precision, self.recall
        return 2.0 * p * r / (p + r) if p and r else 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.matched + other.matched, self.predicted + other.predicted, self.gold + other.gold)

    def to_dict(self) -> dict[str, float]:
        """Return the scores and the counts, as JSON values."""
        return {"precision": self.precision, "recall": self.recall, "f": self.f} | asdict(self)


@dataclass(frozen=True)
class Evaluation:
    """How well predicted graphs agree with gold graphs; :func:`total` adds evaluations up.

    Attributes:
        tables: counts by the name of a table and of a row. ``labelled``: a yield matches if a category is the same;
            ``unlabelled``: if the other graph has it; ``weak``: if a category is the same or equivalent. Their rows are
            ``primary``, ``remote``, ``all`` (both) and ``implicit``. ``categories``: for each category the yields that
            have it in the predicted graph, in the gold graph, and in both; primary and remote edges are counted apart
            and added up.
        passages: how many pairs of graphs were compared.
    """

    tables: Mapping[str, Mapping[str, Counts]]
    passages: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and scores as JSON values."""
        tables = {name: {row: c.to_dict() for row, c in rows.items()} for name, rows in self.tables.items()}
        return {"passages": self.passages, **tables}


def evaluate(gold: Graph, predicted: Graph, *, normalise: bool = True) -> Evaluation:
    """Compare a graph with a gold graph of the same tokens, by default after differences of notation are removed.

    Raises:
        AlignmentError: the graphs have different tokens; with the first that differs.
    """
    if gold.tokens != predicted.tokens:
        both = zip_longest(gold.tokens, predicted.tokens, fillvalue="")
        i, (expected, token) = next((i, pair) for i, pair in enumerate(both, 1) if pair[0] != pair[1])
        raise AlignmentError(f"token {i} is {token!r} here and {expected!r} in the gold graph")
    views = GraphView(predicted), GraphView(gold)
    if normalise:
        for view in views:
            view.normalise()
        move_common_functions(*views)
    predicted_yields, gold_yields = (_by_yield(view) for view in views)
    tables: dict[str, dict[str, Counts]] = {}
    for how in LABELS:
        primary, remote, implicit = (_compare(predicted_yields[kind], gold_yields[kind], how) for kind in KINDS)
        tables[how] = {"primary": primary, "remote": remote, "all": primary + remote, "implicit": implicit}
    return Evaluation(tables | {"categories": _by_category(predicted_yields, gold_yields)})


def total(evaluations: Iterable[Evaluation]) -> Evaluation:
    """Add up the evaluations of passages."""
    tables: dict[str, dict[str, Counts]] = {name: {} for name in (*LABELS, "categories")}
    passages = 0
    for evaluation in evaluations:
        passages += evaluation.passages
        for name, rows in evaluation.tables.items():
            for row, counts in rows.items():
                tables[name][row] = tables[name].get(row, Counts()) + counts
    categories = tables["categories"]
    return Evaluation(tables | {"categories": {name: categories[name] for name in in_order(categories)}}, passages)


#: For each yield the categories of the edges to it.
_Yields = dict[int, set[str]]


def _by_yield(view: GraphView) -> dict[str, _Yields]:
    """Return for each kind of edge the yields that edges count for, with the categories of these edges."""
    words = view.yields()
    tables: dict[str, _Yields] = {kind: {} for kind in KINDS}
    for node in view.nodes:
        for edge in node.out if node.kind != "LKG" else ():
            child, kind = edge.child, "remote" if edge.remote else "primary"
            if child.implicit and not edge.remote:
                child, kind = node, "implicit"
            elif child.implicit or "U" in edge.tags or child.kind != "FN":
                continue
            tables[kind].setdefault(words[child], set()).update(edge.tags)
    return tables


def _compare(predicted: _Yields, gold: _Yields, how: str) -> Counts:
    def matches(tags: set[str], gold_tags: set[str]) -> bool:
        if how == "weak":
            tags = tags.union(*(pair for pair in EQUIVALENTS if not tags.isdisjoint(pair)))
        return how == "unlabelled" or not tags.isdisjoint(gold_tags)

    matched = sum(matches(predicted[y], gold[y]) for y in predicted.keys() & gold.keys())
    return Counts(matched, len(predicted), len(gold))


def _by_category(predicted: dict[str, _Yields], gold: dict[str, _Yields]) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    for kind in ("primary", "remote"):
        for y in predicted[kind].keys() | gold[kind].keys():
            tags, gold_tags = predicted[kind].get(y, set()), gold[kind].get(y, set())
            for category in tags | gold_tags:
                count = Counts(category in tags & gold_tags, category in tags, category in gold_tags)
                counts[category] = counts.get(category, Counts()) + count
    return {name: counts[name] for name in in_order(counts)}
