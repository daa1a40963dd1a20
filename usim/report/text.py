"""A scored pair for the terminal: the verdict, both graphs as trees, and the alignment."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Group, RenderableType, group
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from usim.evidence.values import value_rows
from usim.judge import Result
from usim.report.words import figure_lines, verdict_lines
from usim.text import printable
from usim.ucca import Edge, Graph, legend

_LOST = "bold red"


def graph_tree(graph: Graph, unmatched: Collection[Edge] = (), title: str = "") -> Tree:
    """Return a graph as a tree of units; edges in ``unmatched`` are red and marked with ✗, remote ones with ``*``."""
    tree = Tree(Text(title or graph.id, style="bold"), guide_style="dim")
    stack = [(tree, edge) for edge in reversed(_ordered(graph, 0))]
    while stack:
        branch, edge = stack.pop()
        is_lost = edge in unmatched
        style, mark = (_LOST, "  ✗") if is_lost else ("", "")
        words = printable(graph.text(edge.child)) or "(implicit)"
        label = (edge.label + ("*" if edge.is_remote else ""), style or "cyan")
        twig = branch.add(Text.assemble(label, (f"  {words}{mark}", style)))
        if not edge.is_remote:
            stack += [(twig, edge) for edge in reversed(_ordered(graph, edge.child))]
    return tree


def _ordered(graph: Graph, unit: int) -> list[Edge]:
    """Return the edges of a unit in the order of the text, remote ones and implicit units last."""
    end = len(graph.terminals)
    return sorted(graph.children(unit), key=lambda e: (e.is_remote, [*graph.positions(e.child), end], e.child))


@group()
def explanation(result: Result) -> Iterator[RenderableType]:
    """Return a whole result: verdict, findings, facts, both graphs, the alignment, figures and the signature."""
    score = result.usim
    verdict, *findings = verdict_lines(result.judgement, result.notes)
    yield Text(verdict, style="bold")
    yield from map(Text, findings)
    parts: list[RenderableType] = [
        graph_tree(result.source_graph, score.unmatched_source, f"source: {printable(result.source)}"),
        graph_tree(result.output_graph, score.unmatched_output, f"output: {printable(result.output)}"),
        Group(*_legend(result)),
        Group(Text("alignment", style="bold"), _alignment(result)),
        Group(*map(Text, figure_lines(score))),
        Text(result.signature, style="dim"),
    ]
    if not score.unmatched_source and not score.unmatched_output:
        parts.insert(4, Text("every edge has a counterpart", style="green"))
    for part in (*_values(result), *_ledger(result), *parts):
        yield Text()
        yield part


def _values(result: Result) -> Iterator[Table]:
    rows = value_rows(result.source, result.output)
    if not rows:
        return
    headings = ("value", "source", "normal form", "output", "normal form")
    table = Table(*headings, title="values", title_justify="left", box=None)
    for kind, *written, is_equal in rows:
        table.add_row(kind, *(Text(printable(each)) for each in written), style="" if is_equal else _LOST)
    yield table


def _ledger(result: Result) -> Iterator[Table]:
    entries = result.judgement.ledger.entries
    if not entries:
        return
    table = Table("fact", "", "source", "output", title="ledger of facts", title_justify="left", box=None)
    for entry in entries:
        style = "" if entry.status == "kept" else _LOST if entry.is_certain else "yellow"
        status = entry.status if entry.is_certain or entry.status == "kept" else f"{entry.status}?"
        table.add_row(entry.kind, status, Text(printable(entry.old)), Text(printable(entry.new)), style=style)
    yield table


def _legend(result: Result) -> Iterator[Text]:
    edges = [*result.source_graph.edges, *result.output_graph.edges]
    yield Text("legend", style="bold")
    for category, meaning in legend(edges):
        yield Text(f"  {category}  {meaning}")
    if any(edge.is_remote for edge in edges):
        yield Text("  *  remote: also takes part here")
    if result.usim.unmatched_source or result.usim.unmatched_output:
        yield Text("  ✗  without a counterpart in the other sentence")


def _alignment(result: Result) -> Text:
    """Return the alignment of the tokens in the order of the source; what is not aligned stands at the end."""
    source, output = ([printable(t) for t in g.tokens] for g in (result.source_graph, result.output_graph))
    pairs = sorted((int(i), int(j)) for i, j in result.usim.token_alignment.pairs)
    parts = []
    for i, j in pairs:
        style = "" if source[i].lower() == output[j].lower() else "yellow"
        parts.append(Text(source[i]) if source[i] == output[j] else Text(f"{source[i]}→{output[j]}", style))
    left = {i for i, _ in pairs}
    right = {j for _, j in pairs}
    parts += [Text(f"−{w}", style="red") for i, w in enumerate(source) if i not in left]
    parts += [Text(f"+{w}", style="green") for j, w in enumerate(output) if j not in right]
    text = Text("  ").append_text(Text("  ").join(parts))
    links = result.judgement.opinion.soft_links
    if links:
        alike = (f"{source[i]} ≈ {output[j]} ({cosine:.2f})" for i, j, cosine in links)
        text.append(f"\n  most alike in meaning: {', '.join(alike)}", "dim")
    return text
