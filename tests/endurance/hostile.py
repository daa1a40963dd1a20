"""Hostile files: graphs in XML and MRP.

Each is refused with an error of usim that says so, or read; within a bound on memory and time, and without a trace on
the disk.
"""

from __future__ import annotations

import os
import random
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.endurance.tally import Tally, Terms
from tests.support.graphs import chain
from usim.errors import UsimError
from usim.text.files import LONGEST_LINE
from usim.ucca import Edge, Graph, Linkage, Terminal, Unit, from_mrp, parse_xml, read_xml, to_mrp, to_xml
from usim.ucca.files import read_graph

_SECONDS = 30
_MEMORY = 2**30

_CHAIN = chain(20_000)
GRAPH = Graph(
    [Terminal("John"), Terminal("left"), Terminal(",", True), Terminal("laughing", paragraph=2)],
    [Unit(), Unit(), Unit((0,)), Unit((1,)), Unit((2,), is_punct=True), Unit(), Unit((3,)), Unit(is_implicit=True)],
    [
        Edge(0, 1, ("H",)), Edge(1, 2, ("A",)), Edge(1, 3, ("P", "S")), Edge(0, 4, ("U",)), Edge(0, 5, ("H",)),
        Edge(5, 6, ("P",)), Edge(5, 2, ("A",), is_remote=True), Edge(5, 7, ("A",)),
    ],
    [Linkage((1,), (1, 5))],
    id="a",
)  # fmt: skip


@contextmanager
def _bounded() -> Iterator[None]:
    """Run the block with a limit on its time and on the memory that it may take beyond what there is."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {_SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (size + _MEMORY, hard))
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGALRM, before)


def _refuse_or_read(tally: Tally, name: str, read: Callable[[], object], *, must_refuse: bool = True) -> None:
    """Count a case, which fails where reading raises anything but an error of usim, or none and it must."""
    with tally.case(name), _bounded():
        message = None
        try:
            read()
        except UsimError as e:
            message = str(e)
        assert message is None or message.isprintable(), "the message is no line that can be printed"
        assert message is not None or not must_refuse, "it is taken"


def hostile(tally: Tally, terms: Terms) -> None:
    """Read hostile files; see the module's text."""
    _xml(tally, terms)
    _mrp(tally, terms)


# -- XML -------------------------------------------------------------------------------------------------------------


def _xml(tally: Tally, terms: Terms) -> None:
    rng = terms.rng()
    plain = to_xml(GRAPH)
    assert parse_xml(plain) == GRAPH
    head, _, rest = plain.partition(">")
    hostile = {
        "an unknown entity": plain.replace("John", "&nothing;"),
        "the root below itself": plain.replace('toID="1.2"', 'toID="1.1"', 1),
        "a character that is none": plain.replace("John", "&#0;"),
        "two files": plain + plain,
        "an attribute without end": head + ' x="' + "y" * 1_000_000,
    }
    for name, text in hostile.items():
        _refuse_or_read(tally, f"XML, {name}", lambda text=text: parse_xml(text.encode()))
    deep = head + ">" + "<x>" * 1_000_000 + "</x>" * 1_000_000 + rest
    _refuse_or_read(tally, "XML, a million levels", lambda: parse_xml(deep), must_refuse=False)
    with tally.case("XML, a chain of 20,000 units"), _bounded():
        assert parse_xml(to_xml(_CHAIN)) == _CHAIN
    path = terms.folder / "hostile.xml"
    for name, data in {"UTF-16": plain.encode("utf-16"), "zeros": bytes(1000)}.items():
        path.write_bytes(data)
        _refuse_or_read(tally, f"XML, {name}", lambda: read_xml(path), must_refuse=name != "UTF-16")
    for number in range(terms.count(100, 5000)):
        data = bytearray(plain.encode())
        for _ in range(rng.randint(1, 6)):
            _scribble(rng, data)
        _refuse_or_read(tally, f"XML, scribbled {number}: {bytes(data)!r}", lambda data=data: _read_again(bytes(data)),
                       must_refuse=False)  # fmt: skip


def _read_again(data: bytes) -> None:
    graph = parse_xml(data)
    assert parse_xml(to_xml(graph)) == graph, "what was read does not come back"


def _scribble(rng: random.Random, data: bytearray) -> None:
    place = rng.randrange(len(data))
    size = rng.randint(0, 20)
    match rng.randrange(4):
        case 0:
            data[place] = rng.randrange(256)
        case 1:
            del data[place : place + size]
        case 2:
            data[place:place] = data[rng.randrange(len(data)) :][:size]
        case _:
            data[place : place + size] = rng.choice((b"9" * 30, b"-1", b'"', b"<", b">", b"&", b"1.1", b"0.1", b"\xff"))


# -- MRP -------------------------------------------------------------------------------------------------------------

_VALUES: list[Any] = [
    None, True, False, 0, -1, 10**30, 1.5, float("nan"), float("inf"), "", "x", "\ud800", "9" * 5000, [], [[]], [None], {},
    {"x": 1}, [1, "a"], "LKG", "FN", "PNCT", "LR", "U", "1000000001",
]  # fmt: skip


def _mrp(tally: Tally, terms: Terms) -> None:
    rng = terms.rng()
    plain = to_mrp(GRAPH)
    assert from_mrp(plain) == Graph(GRAPH.terminals, GRAPH.units, GRAPH.edges)
    path = terms.folder / "graphs.mrp"
    hostile = {
        "null": b"null",
        "brackets without end": b"[" * 1_000_000,
        "objects without end": b'{"x":' * 1_000_000,
        "a line that is too long": b'{"input": "' + b"a" * LONGEST_LINE + b'"}',
    }
    for name, data in hostile.items():
        path.write_bytes(data + b"\n")
        _refuse_or_read(tally, f"MRP, {name}", lambda: read_graph(path))
    with tally.case("MRP, a chain of 20,000 units"), _bounded():
        assert from_mrp(to_mrp(_CHAIN)) == _CHAIN
    spots = list(_places(plain))
    cases = [(place, value) for place in spots for value in _VALUES]
    for place, value in cases if terms.is_long else rng.sample(cases, 300):
        record = deepcopy(plain)
        _replace(record, place, value)
        _refuse_or_read(
            tally, f"MRP, {place} is {value!r}", lambda record=record: _mrp_again(record), must_refuse=False
        )


def _mrp_again(record: Any) -> None:
    graph = from_mrp(record)
    assert from_mrp(to_mrp(graph)) == graph, "what was read does not come back"


def _places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*before, key)
        yield from _places(part, (*before, key))


def _replace(record: Any, place: tuple[Any, ...], value: Any) -> None:
    for key in place[:-1]:
        record = record[key]
    record[place[-1]] = deepcopy(value)
