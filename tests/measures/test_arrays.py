"""The arrays of a graph."""

import gc
import pickle
import weakref

from usim.measures import graph_arrays, usim_score
from usim.ucca import Edge, Graph, Terminal, Unit


def clause(*words: str) -> Graph:
    return Graph(
        map(Terminal, words),
        [Unit(), Unit(tuple(range(len(words))))],
        [Edge(0, 1, ("H",))],
    )


def test_words_are_compared_in_lower_case_without_blanks() -> None:
    assert graph_arrays(clause("The", " END\u00a0")).words == ("the", "end")


def test_they_live_no_longer_than_their_graph() -> None:
    graph, other = clause("He", "left"), clause("He", "went")
    usim_score(graph, other)
    arrays = weakref.ref(graph_arrays(graph))
    del graph
    gc.collect()
    assert arrays() is None
    assert graph_arrays(other).words == ("he", "went")


def test_arrays_do_not_travel_with_a_pickled_graph() -> None:
    graph = clause("He", "left")  # hashes of words mean nothing in another process
    usim_score(graph, clause("He", "went"))
    assert b"numpy" not in pickle.dumps(graph)
