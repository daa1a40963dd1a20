"""Graphs that several tests use."""

from __future__ import annotations

from pathlib import Path

from tests.brackets import graph_of
from usim.ucca import Edge, Graph, Terminal, Unit, write_xml


def chain(length: int) -> Graph:
    """A unit in a unit in a unit…, the last with the only terminal."""
    units = [*[Unit()] * length, Unit((0,))]
    return Graph([Terminal("end")], units, [Edge(k, k + 1, ("H",)) for k in range(length)])


def picked_up() -> Graph:
    text = "[H=s [A=John John] [P=p picked] [A her] [=p up]] [L=and and] [H=t [P smiled] [A* John]] [U .]"
    return graph_of(text, ("and", "s t"), id="example")


def gave(giver: str = "Anna", verb: str = "praised", other: str = "Peter", when: str = "yesterday") -> Graph:
    """ "Anna praised Peter yesterday .": a scene with two participants and a time."""
    return graph_of(f"[H [A {giver}] [P {verb}] [A {other}] [T {when}]] [U .]", id=f"{giver}-{other}")


def clause(words: str, categories: str, id: str = "") -> Graph:
    """One or more sentences of flat scenes, a category for each word: ``clause("He ran . It fell .", "APUAPU")``."""
    terminals, units, edges = [], [Unit()], []
    scene = -1
    for i, (word, category) in enumerate(zip(words.split(), categories, strict=True)):
        terminals.append(Terminal(word, category == "U"))
        if category != "U" and scene < 0:
            scene = len(units)
            units.append(Unit())
            edges.append(Edge(0, scene, ("H",)))
        edges.append(Edge(0 if category == "U" else scene, len(units), (category,)))
        units.append(Unit((i,), is_punct=category == "U"))
        if category == "U":
            scene = -1
    return Graph(terminals, units, edges, id=id)


GOLD = {"a": clause("He ran .", "APU", "1"), "b": clause("It fell . We saw it .", "APUAPAU", "2")}


PREDICTED = {"a": clause("He ran .", "ADU", "1"), "b": clause("It fell . We saw it .", "APUDPAU", "2")}


def written(folder: Path, graphs: dict[str, Graph]) -> Path:
    folder.mkdir()
    for name, graph in graphs.items():
        write_xml(graph, folder / f"{name}.xml")
    return folder
