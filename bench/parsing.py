"""Measure the speed of the embedded parser, from text to graphs, everything included.

::

    python -m bench.parsing [--model en]

On one core: sentences a second in batches and one at a time; the best of several times, of the processor; and the
seconds to import and load the parser, with the memory at the peak. The peer in the same run is the ``ucca`` toolkit
(``pip install --no-deps ucca``) making its passages from finished graphs: what its users pay for the data structure
alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from bench.common import command, peak, seconds, sentences, ucca_reader


def main(argv: Sequence[str] | None = None) -> None:
    p = command(__doc__, repeat=5)
    p.add_argument("--model", default="en")
    p.add_argument("--sentences", type=int, default=300)
    args = p.parse_args(argv)

    texts = sentences(args.sentences)
    began = time.perf_counter()
    from usim.parsing.embedded import EmbeddedParser
    from usim.ucca import to_xml

    parser = EmbeddedParser(args.model)
    loading = time.perf_counter() - began
    graphs = parser.parse(texts)
    tokens = sum(len(g.terminals) for g in graphs) / len(graphs)
    batch = seconds(lambda: parser.parse(texts), args.repeat) / len(texts)
    single = min(seconds(lambda t=t: parser.parse([t]), args.repeat) for t in texts[:20])  # type: ignore[misc]
    each = seconds(lambda: [parser.parse([t]) for t in texts[:100]], args.repeat) / len(texts[:100])

    print(f"model {parser.name}, one core, {tokens:.1f} tokens a sentence")
    print(f"in batches        {1 / batch:8.0f} sentences/s   {1000 * batch:6.2f} ms a sentence")
    print(f"one at a time     {1 / each:8.0f} sentences/s   {1000 * each:6.2f} ms a sentence")
    print(f"  the fastest     {' ' * 24}{1000 * single:6.2f} ms")
    print(f"to begin          {loading:8.2f} s to import and load, {peak():.0f} MiB at most")
    read = ucca_reader()
    if read is None:
        print("peer: the ucca toolkit is not installed")
        return
    xml = [to_xml(g) for g in graphs[:100]]
    peer = seconds(lambda: [read(text) for text in xml], 2) / len(xml)
    print(f"peer: ucca makes its passage from a finished graph in {1000 * peer:.2f} ms; text to graph here takes")
    print(f"{batch / peer:.2f} times as long")


if __name__ == "__main__":
    main()
