"""Results as JSON values: what the commands print and what the service answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from usim.evidence.values import value_rows
from usim.judge import Result
from usim.measures import UsimScore
from usim.records import BadRecord, Record
from usim.report.words import figure_lines, one_line
from usim.screen import SuggestionResult, ranking
from usim.text import aligned
from usim.ucca import Edge, Graph, to_mrp


def screen_record(
    part: Record | BadRecord, screened: Sequence[SuggestionResult], *, rank: bool = False
) -> dict[str, Any]:
    """Return the verdicts on the suggestions of a record, or the error of a bad record.

    With ``rank`` the suggestions of each target are sorted, the most faithful first.
    """
    if isinstance(part, BadRecord):
        return {"id": part.id, "line": part.line, "error": part.error.message}
    order = ranking(part.suggestions, screened) if rank else range(len(screened))
    return {
        "id": part.id,
        "suggestions": [{**screened[place].to_dict(), **part.suggestions[place].about} for place in order],
    }


def explanation_record(result: Result) -> dict[str, Any]:
    """Return a result with both graphs, both alignments of their tokens and the edges that have no counterpart."""
    score = result.usim
    return {
        **result.to_dict(),
        "signature": result.signature,
        "values": [row._asdict() for row in value_rows(result.source, result.output)],
        "alignment": [[int(i), int(j)] for i, j in score.token_alignment.pairs],
        "soft": [list(link) for link in result.judgement.opinion.soft_links],
        "unmatched": {
            "source": [_edge(result.source_graph, edge) for edge in score.unmatched_source],
            "output": [_edge(result.output_graph, edge) for edge in score.unmatched_output],
        },
        "graphs": {"source": to_mrp(result.source_graph), "output": to_mrp(result.output_graph)},
    }


def _edge(graph: Graph, edge: Edge) -> dict[str, Any]:
    units = {"parent": graph.text(edge.parent), "child": graph.text(edge.child)}
    return {"categories": list(edge.categories), "remote": edge.is_remote, **units}


def alignment_record(source: Graph, output: Graph, score: UsimScore) -> dict[str, Any]:
    """Return which words and units of two graphs belong together, as places of partners, -1 for none."""
    partners = {"words": score.token_alignment.to_output.tolist(), "units": score.nodes.to_output.tolist()}
    names = {
        "words": [[one_line(token) for token in graph.tokens] for graph in (source, output)],
        "units": [[one_line(str(unit)) for unit in graph.find()] for graph in (source, output)],
    }
    return {
        **{kind: dict(zip(("source", "output", "partner"), (*names[kind], partners[kind]), strict=True))
           for kind in names},
        "usim": score.to_dict(),
    }  # fmt: skip


def alignment_lines(source: Graph, output: Graph, score: UsimScore) -> Iterator[str]:
    """Yield the same as a table; roots and punctuation without a partner, which can have none, are left out.

    Each unit is given the one that shares most words with it, so several can have one partner: that is marked.
    """
    words = [-1] * len(output.terminals)
    for i, j in score.token_alignment.pairs:
        words[j] = i
    back = {"words": words, "units": score.nodes.to_source.tolist()}
    record = alignment_record(source, output, score)
    is_marked = False
    for kind in ("words", "units"):
        own, others, partners = record[kind].values()
        links = [(i, j, "→" if j >= 0 and back[kind][j] != i else "") for i, j in enumerate(partners)]
        links += [(i, j, "←" if i >= 0 else "") for j, i in enumerate(back[kind]) if j not in partners]
        own, others = [*own, "–"], [*others, "–"]  # what has no partner has the last one, -1
        rows = [(own[i], others[j], sign) for i, j, sign in links]
        shown = [row for row in rows if kind == "words" or not row[row[0] == "–"].startswith(("root:", "U:"))]
        is_marked |= any(sign for *_, sign in shown)
        yield from (kind, *(aligned([(f"  {a}", b, sign) for a, b, sign in shown])), "")
    if is_marked:
        yield from ("→ ←  one way: this unit shares most words with the other, which has another partner itself", "")
    yield from figure_lines(score)
