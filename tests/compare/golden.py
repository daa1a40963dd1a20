"""Golden values of the features: what a trained judge was promised to read.

::

    python -m tests.compare.golden

writes ``golden_features.json`` anew: the values of all features for the pairs that are in it. Their graphs and texts
stay as they are, and their vectors are made from the tokens, so that neither a new parser nor a new encoder changes a
value. Where a value changed, the command asks for another :data:`usim.compare.FEATURE_SCHEMA` first; then judges have
to be trained again (``judges/README.md``). With ``--pairs``, the pairs are taken anew from the examples in
``docs/explanation/reasons.md``, parsed by the parser that ships.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from usim.compare import FEATURE_SCHEMA, Analysis, compare, compute_features, feature_names
from usim.ucca import Graph, from_mrp, to_mrp

FILE = Path(__file__).with_name("golden_features.json")
#: Values may differ by so much from one processor to another.
TOLERANCE = 1e-5
_WIDTH = 8
#: Coordinates lie between minus this and one less this: positive on average, so that cosines are, too.
_LEAST = 0.3
#: How much of a token's vector comes from its neighbours.
_CONTEXT = 0.25


def analysis(graph: Graph, text: str, *, vectors: bool) -> Analysis:
    """Return a sentence whose vectors depend on its tokens and their neighbours, without any model."""
    if not vectors:
        return Analysis(graph, None, text)
    own = np.array(
        [np.frombuffer(hashlib.sha256(t.lower().encode()).digest()[:_WIDTH], np.uint8) for t in graph.tokens]
    )
    own = own.astype(np.float64) / 255 - _LEAST
    mixed = own.copy()
    mixed[1:] += _CONTEXT * own[:-1]
    mixed[:-1] += _CONTEXT * own[1:]
    return Analysis(graph, mixed.astype(np.float32), text)


def values(record: dict[str, Any]) -> list[float]:
    """Return the features of a pair of the file, rounded to nine digits."""
    with_vectors = crc32(record["source"].encode()) % 4 != 0
    source, target = (
        analysis(from_mrp(record[f"{side}_graph"]), record[side], vectors=with_vectors) for side in ("source", "target")
    )
    return [round(value, 9) for value in compute_features(compare(source, target)).tolist()]


def main(arguments: list[str]) -> int:
    """Run the command, see the module's docstring."""
    old: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"pairs": []}
    pairs = [{k: v for k, v in record.items() if k != "values"} for record in old["pairs"]]
    if "--pairs" in arguments:
        pairs = documented_pairs()
    golden = {
        "schema": FEATURE_SCHEMA,
        "names": list(feature_names()),
        "pairs": [{**pair, "values": values(pair)} for pair in pairs],
    }
    if is_equal(golden, old):
        return 0
    if old.get("schema") == FEATURE_SCHEMA and "--pairs" not in arguments:
        print("features or weights of reasons changed: raise usim.compare.FEATURE_SCHEMA first", file=sys.stderr)
        return 1
    lines = [json.dumps(pair, ensure_ascii=False) for pair in golden["pairs"]]
    head = f'"schema": {FEATURE_SCHEMA},\n"names": {json.dumps(golden["names"])},\n"pairs": [\n'
    FILE.write_text("{" + head + ",\n".join(lines) + "\n]}\n", "utf-8")
    return 0


def is_equal(golden: dict[str, Any], old: dict[str, Any]) -> bool:
    """Return whether golden values are equal but for the last bits of the arithmetic."""
    if any(golden[key] != old.get(key) for key in ("schema", "names")) or len(golden["pairs"]) != len(old["pairs"]):
        return False
    return all(
        np.allclose(new["values"], pair["values"], rtol=0, atol=TOLERANCE)
        for new, pair in zip(golden["pairs"], old["pairs"], strict=True)
    )


def documented_pairs() -> list[dict[str, Any]]:
    """Return the examples of the documentation with their graphs."""
    from tests.compare.test_reasons import EXAMPLES, NO_REASON
    from usim.parsing import load

    texts = [tuple(row[-2:]) for row in (*EXAMPLES, *NO_REASON)]
    parser = load("en")
    return [
        {
            "source": a,
            "target": b,
            "source_graph": to_mrp(parser.parse([a])[0]),
            "target_graph": to_mrp(parser.parse([b])[0]),
        }
        for a, b in texts
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
