"""The arrays of a graph."""

import pickle

from usim.measures import usim_score, words_of
from usim.ucca import Edge, Graph, Terminal, Unit


def clause(*words: str) -> Graph:
    return Graph(
        map(Terminal, words),
        [Unit(), Unit(tuple(range(len(words))))],
        [Edge(0, 1, ("H",))],
    )


def test_words_are_compared_in_lower_case_without_blanks() -> None:
    assert words_of(clause("The", " END\u00a0")) == ("the", "end")


def test_arrays_do_not_travel_with_a_pickled_graph() -> None:
    graph = clause("He", "left")
    usim_score(graph, clause("He", "went"))
    assert b"numpy" not in pickle.dumps(graph)
