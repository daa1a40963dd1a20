"""The same pairs in other batches, orders and processes, and in other environments: how far figures differ.

A pair's figures do not depend on the pairs beside it, nor on where it is scored, but for the last bits of the arithmetic:
a model adds in another order where sentences of other lengths go through it together. No figure differs by more than
:data:`BOUND`, no verdict at all where the faithfulness is no nearer to a threshold than that; each is a number in [0, 1].
"""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.reasons import PAIRS
from judges.data import contrast
from tests.endurance.fuzz import changed, random_text
from tests.endurance.tally import Tally, Terms
from tests.processes import ROOT
from usim import Scorer
from usim.judge import load_judge
from usim.verdicts.nouns import BANDS
from usim.verdicts.thresholds import DEFAULT_RISK

#: The judge rounds to five digits, and two sums that differ in their last bits may be rounded apart.
BOUND = 2e-5
Pair = tuple[str, str]
Figures = tuple[float, float, str]
#: What may differ around a process. HOME is a folder that nobody can write to, even as root.
_OTHER = {
    "PYTHONHASHSEED": "4294967295", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati",
    "HOME": "/proc/self", "OMP_NUM_THREADS": "4", "PYTHONOPTIMIZE": "2",
}  # fmt: skip


def numbers(tally: Tally, terms: Terms) -> None:
    """Score pairs again and again; see the module's text."""
    rng = terms.rng()
    pairs = _pairs(rng, terms.count(12, 300))
    scorer = Scorer()
    by_band = [load_judge("en").thresholds.at("same", band, DEFAULT_RISK) for band in BANDS]
    thresholds = [value for each in by_band for value in (each.keep, each.drop)]
    first = dict(zip(pairs, _scored(scorer, pairs), strict=True))
    for pair, (*figures, verdict) in first.items():
        wrong = [f"{value} is no number in [0, 1]" for value in figures if not 0 <= value <= 1]
        tally.check(*wrong, None if verdict else f"{pair}: no verdict")

    def compare(what: str, order: Sequence[Pair], results: Sequence[Figures], bound: float = BOUND) -> None:
        differences = [
            abs(a - b) for pair, new in zip(order, results, strict=True)
            for a, b in zip(new[:2], first[pair][:2], strict=True)
        ]  # fmt: skip
        far = max(differences) if all(map(math.isfinite, differences)) else math.inf
        changed_verdicts = [
            pair for pair, new in zip(order, results, strict=True)
            if new[2] != first[pair][2] and all(abs(new[0] - t) > bound for t in thresholds)
        ]  # fmt: skip
        tally.check(
            f"{what}: figures differ by {far}" if far > bound else None,
            f"{what}: other verdicts on {changed_verdicts[:2]}" if changed_verdicts else None,
        )

    for batch in (1, 5, 10_000):
        compare(f"batches of {batch}", pairs, _scored(scorer, pairs, batch))
    for number in range(terms.count(2, 20)):
        order = rng.sample(pairs, len(pairs))
        compare(f"order {number}", order, _scored(scorer, order))
    given = terms.folder / "pairs.jsonl"
    given.write_text("".join(json.dumps({"source": a, "output": b}) + "\n" for a, b in pairs), encoding="utf-8")
    for name, other, jobs in (("another environment", _OTHER, 1), ("two processes", {}, 2)):
        with tally.case(name):
            compare(name, pairs, _by_command(given, terms.folder / f"{jobs}.jsonl", other, jobs))


def _pairs(rng: random.Random, count: int) -> list[Pair]:
    known = [(pair.source, pair.output) for pair in contrast(PAIRS)]
    texts = [random_text(rng) for _ in range(count // 3)]
    # Half of a surrogate pair is no text that a file in UTF-8 can hold.
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    odd = [(text, changed(rng, text).encode("utf-8", "replace").decode()) for text in texts]
    return list(dict.fromkeys(rng.sample(known, min(count, len(known))) + odd))


def _scored(scorer: Scorer, pairs: Sequence[Pair], batch: int = 64) -> list[Figures]:
    results = scorer.score_pairs(pairs, batch=batch)
    return [(r.judgement.faithfulness, r.score, r.judgement.verdict) for r in results]


def _by_command(given: Path, out: Path, other: dict[str, str], jobs: int) -> list[Figures]:
    """Score the pairs by the command line in another environment."""
    command = [sys.executable, *f"-m usim batch {given} -o {out} --jobs {jobs} --chunk 5".split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **other}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=False, timeout=250)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-400:]
    records: list[dict[str, Any]] = [json.loads(line) for line in out.read_bytes().splitlines()]
    return [(record["faithfulness"], record["score"], record["verdict"]) for record in records]
