"""Evaluate a parser on a corpus with the ``ucca`` toolkit, as the published figures are made.

::

    python -m parsers.span.evaluate DIR --guidelines 1 [--model en]           # a passage is a sentence (Wiki)
    python -m parsers.span.evaluate DIR --guidelines 2 --sentences            # passages of several sentences (EWT)
    python -m parsers.span.evaluate DIR --guidelines 1 --conversion           # graph -> tree -> graph, no parser

The parser gets the gold tokens. The scores are those of ``ucca.evaluation``
with its normalisation, summed over all sentences: primary edges, remote edges, and both together (implicit units, which
its ``average_f1`` adds in late versions, are left out).
"""

from __future__ import annotations

import argparse
import json
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from usim.parsing import load
from usim.parsing.trees import to_graph, to_tree
from usim.ucca import Graph, read_xml, to_xml

_ROWS = ("primary", "remote")


def ucca_scores(pairs: Iterable[tuple[Graph, Graph]]) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Return precision, recall and F1 in percent of (guessed, gold) graphs by ``ucca.evaluation``.

    Returns:
        ``{"labelled": {"primary": (p, r, f), "remote": ..., "all": ...}, "unlabelled": ...}``
    """
    from ucca import convert, evaluation

    def passage(graph: Graph) -> Any:
        return convert.from_standard(ET.fromstring(to_xml(graph)))

    sums = {kind: {row: [0, 0, 0] for row in _ROWS} for kind in ("labeled", "unlabeled")}
    for guessed, gold in pairs:
        scores = evaluation.evaluate(passage(guessed), passage(gold), eval_type=list(sums))
        for kind, rows in sums.items():
            for construction, result in scores[kind].results.items():
                if construction.name in rows:
                    row = rows[construction.name]
                    row[0] += result.num_matches
                    row[1] += result.num_guessed
                    row[2] += result.num_ref
    out = {}
    for kind, rows in sums.items():
        rows["all"] = [sum(c) for c in zip(*rows.values(), strict=True)]
        out[kind.replace("labeled", "labelled")] = {name: _prf(*row) for name, row in rows.items()}
    return out


def _prf(matches: int, guessed: int, gold: int) -> tuple[float, float, float]:
    p, r = 100 * matches / max(1, guessed), 100 * matches / max(1, gold)
    return p, r, 2 * p * r / (p + r) if matches else 0.0


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus", help="folder of UCCA XML")
    p.add_argument("--model", default="en", help="en, or the folder of an exported model")
    p.add_argument("--guidelines", type=int, choices=(1, 2), required=True)
    p.add_argument("--sentences", action="store_true", help="cut the passages into their sentences first")
    p.add_argument("--conversion", action="store_true", help="no parser: from the gold graph to its tree and back")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--json", action="store_true")
    args = p.parse_args(argv)
    files = sorted(Path(args.corpus).glob("*.xml"))
    if not files:
        raise SystemExit(f"{args.corpus}: no XML files")
    gold = [read_xml(file) for file in files]
    if args.sentences:
        gold = [sentence for passage in gold for sentence in passage.sentences()]
    began = time.perf_counter()
    if args.conversion:
        guessed = [to_graph(g.tokens, to_tree(g, args.guidelines)) for g in gold]
    else:
        parser = load(args.model, threads=args.threads, guidelines=args.guidelines)
        began = time.perf_counter()
        guessed = parser.parse([g.tokens for g in gold])
    seconds = time.perf_counter() - began
    scores = ucca_scores(zip(guessed, gold, strict=True))
    if args.json:
        print(json.dumps({"sentences": len(gold), "seconds": seconds} | scores))
        return
    print(f"{len(gold)} sentences, {sum(len(g.terminals) for g in gold)} tokens; {len(gold) / seconds:.0f} sentences/s")
    for kind, rows in scores.items():
        for name, (precision, recall, f) in rows.items():
            print(f"{kind:>10} {name:>8}   P {precision:6.2f}   R {recall:6.2f}   F1 {f:6.2f}")


if __name__ == "__main__":
    main()
