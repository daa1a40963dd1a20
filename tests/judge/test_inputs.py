"""What the judge's network reads of long sentences: the same as tables of all tokens by all changes would give."""

import tracemalloc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import graphs
from usim.judge.inputs import _NUMBER, LONGEST, ROLES, _around, roles
from usim.ucca import Graph
from usim.ucca.yields import bits


@given(graphs())
def test_roles_are_those_of_the_units_around_a_token(graph: Graph) -> None:
    expected = np.zeros((len(graph.terminals), 2), dtype=np.int64)
    for edge in graph.primary:
        category = edge.categories[0]
        for place in bits(graph.yields[edge.child]):
            expected[place, 0] = _NUMBER.get(category, ROLES - 1)
            if not expected[place, 1] and category != "H":
                expected[place, 1] = expected[place, 0]
    assert roles(graph).tolist() == expected.tolist()


@given(st.lists(st.sampled_from([1, 1, 1, 0, 2]), min_size=LONGEST + 1, max_size=3 * LONGEST))
def test_the_tokens_nearest_to_changes_take_part(flag: list[int]) -> None:
    places = _around(np.array(flag), LONGEST)
    assert len(places) == LONGEST
    changed = [k for k, f in enumerate(flag) if f != 1]
    distance = [min((abs(k - c) for c in changed), default=k) for k in range(len(flag))]
    assert places.tolist() == sorted(sorted(range(len(flag)), key=distance.__getitem__)[:LONGEST])


def test_long_texts_of_many_changes_need_no_table() -> None:
    flag = np.arange(50_000) % 2
    tracemalloc.start()
    assert len(_around(flag, LONGEST)) == LONGEST
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 * len(flag)
