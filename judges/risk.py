"""Choose the thresholds of a judge for each policy, band and risk, on pairs that it was not trained on.

The pairs are scored by the code in use: with the model of corrections, and texts of several sentences block by block;
what is compared with thresholds is the probability itself, which no rule changes. Writes the
table of thresholds into the settings of the judge (:class:`usim.verdicts.thresholds.RiskTable`), and beside the pairs.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from judges.data import SAYS, made
from judges.lessons import Lesson, lesson_of
from usim.judge import POLICIES, Thresholds
from usim.options import Options
from usim.scorer import Scorer
from usim.verdicts.nouns import BANDS, CORRECTED
from usim.verdicts.thresholds import FEW, RISKS, RiskTable, risk_thresholds

#: The data sets that choose. Raters of substitutes were asked what fits, not what is meant, so their lists are not
#: among them; nor are the tables of written pairs, some of which only the text around them decides, nor entailment, as
#: hardly a hypothesis is a rewrite.
TRUSTED = ("rewrites", "summedits", "paws", "mqm", "breaking-nli", "step", "made", "corrections", "clear", "ends",
           "authors")  # fmt: skip
#: Of these every other row was written, or made, to be a wrong correction, which is no set as people have it.
OFTEN_WRONG = ("corrections", "step", "made")
#: The share of wrong ones that stays where errors were corrected: of people's corrections readers found .08
#: (docs/explanation/numbers.md), of systems' raters found .09 (TMU-GFM, a mean below 3 of 4).
CORRECTIONS_WRONG = 0.1
#: Of these one rater said what is wrong, and another would often say something else: a set of which nobody can be right
#: in nine of ten cases is no set by itself, and counts a third.
NOISY = ("mqm",)
#: So many pairs of a data set are scored, and of some this multiple: of corrections the wrong ones are mostly left out
#: again, and of rewrites, all of which are scored, few fall into each band.
MOST = 500
MULTIPLE = {"mqm": 1 / 3, "corrections": 2.0, "rewrites": 4.0, "authors": 4.0}
#: From this label on a pair is faithful. What is wrong more likely than right is not kept, however seldom it is.
FAITHFUL = 0.5
#: The same for corrections. The faithfulness knows nothing of nine in ten being right, so below .5 most still are.
LEAST_MENDED = 0.3


class Row(NamedTuple):
    """A judged pair: its data set, its band, its labels, and what the judge says under each policy."""

    origin: str
    band: str
    wanted: Mapping[str, float]
    said: Mapping[str, float]


def risk_table(rows: Sequence[Row], own: Thresholds) -> RiskTable:
    """Return the thresholds of each policy, band and risk; ``own`` are those of pairs without a band."""
    values: dict[str, dict[str, dict[float, Thresholds]]] = {}
    for policy, output in zip(POLICIES, SAYS, strict=True):
        known = [row for row in rows if output in row.wanted]
        of_policy = values.setdefault(policy, {})
        for band in sorted(BANDS, key=CORRECTED.__contains__):  # those of corrections last, which may be those of edits
            of_band = [row for row in known if row.band == band]
            of_keep = of_drop = _arrays(of_band, policy, output)
            if band in CORRECTED:
                of_keep = _arrays(as_in_use(of_band, output), policy, output)
                # So few of these are dropped that one band alone shows nothing.
                of_drop = _arrays([row for row in known if row.band in CORRECTED], policy, output)
            chosen = of_policy[band] = {}
            least, most = 1.0, 0.0
            for risk in RISKS:  # what keeps a smaller risk keeps a greater one
                said, label, sets = of_keep
                keep = risk_thresholds(said, label, risk, sets).keep
                if keep == 1 and band in CORRECTED:  # too few show anything: a corrected sentence is kept as an edit is
                    keep = of_policy["edit"][risk].keep
                elif keep == 1 and band in ("edit", "edits"):
                    keep = round(1 - likely_drop(1 - said, ~label, risk, sets), 5)
                least = min(least, max(LEAST_MENDED if band in CORRECTED else FAITHFUL, keep))
                said, label, sets = of_drop
                # A right edit that is dropped is lost; of a text, one can ask for another rewrite.
                drop = risk_thresholds(said, label, risk / 2 if band == "edit" else risk, sets).drop
                if not drop and band == "reworded":
                    drop = likely_drop(said, label, risk, sets)
                # Few whole corrections are wrong; of other pairs, authors held out show what may be dropped.
                if band in CORRECTED:
                    drop = min(drop, risk)
                most = max(most, drop)
                chosen[risk] = Thresholds(least, min(most, least))
    return RiskTable(own.keep, own.drop, values)


def likely_drop(said: np.ndarray, label: np.ndarray, risk: float, sets: Sequence[str]) -> float:
    """Return the greatest ``drop`` at which the share of faithful ones among the dropped pairs is not above the risk.

    Nor is it in any set of which :data:`FEW` are dropped. Too few pairs are below it for a test to prove the risk: this
    is what it likely is. 0 if there is none.
    """
    names = np.array(sets)
    best = 0.0
    values = np.unique(said)
    for drop in (values[:-1] + values[1:]) / 2:
        below = said < drop
        parts = [below, *(below & (names == name) for name in set(sets) - {""})]
        if below.sum() >= FEW and all(label[part].mean() <= risk for part in parts if part.sum() >= FEW):
            best = float(drop)
    return round(best, 5)


def _arrays(rows: Sequence[Row], policy: str, output: str) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return what :func:`risk_thresholds` takes of some pairs: what is said, the labels, and the sets."""
    said = np.array([row.said[policy] for row in rows])
    label = np.array([row.wanted[output] >= FAITHFUL for row in rows], bool)
    return said, label, [row.origin if _is_of_a_set(row) else "" for row in rows]


def _is_of_a_set(row: Row) -> bool:
    """Return whether a pair belongs to a set by itself; the authors wrote rewrites, and few single edits."""
    return row.origin not in (*NOISY, "corrections") and (row.origin, row.band) != ("authors", "edit")


def as_in_use(rows: Sequence[Row], output: str, seed: int = 1) -> list[Row]:
    """Return corrections, of the wrong ones of :data:`OFTEN_WRONG` as many, by chance, as there are in use."""

    def is_drawn(row: Row) -> bool:
        return row.origin in OFTEN_WRONG and row.wanted[output] < FAITHFUL

    right = sum(row.origin in OFTEN_WRONG and row.wanted[output] >= FAITHFUL for row in rows)
    wrong = [k for k, row in enumerate(rows) if is_drawn(row)]
    left = min(round(right * CORRECTIONS_WRONG / (1 - CORRECTIONS_WRONG)), len(wrong))
    chosen = set(random.Random(seed).sample(wrong, left))
    return [row for k, row in enumerate(rows) if k in chosen or not is_drawn(row)]


def _some(rows: Sequence[dict[str, Any]], seed: int) -> Iterator[dict[str, Any]]:
    """Yield at most :data:`MOST` pairs of each data set that chooses, or its :data:`MULTIPLE`, by chance."""
    rng = random.Random(seed)
    for name in TRUSTED:
        own = [row for row in rows if row["origin"] == name and row["source"] != row["target"]]
        yield from rng.sample(own, min(round(MULTIPLE.get(name, 1) * MOST), len(own)))


def rows_of(lessons: Iterable[Lesson]) -> Iterator[dict[str, Any]]:
    """Yield the lessons that are held out as :func:`make` takes pairs."""
    for lesson in lessons:
        if lesson.is_held_out:
            wanted = {name: said for name, said in zip(SAYS, lesson.wanted, strict=True) if not math.isnan(said)}
            yield {"origin": lesson.origin, "source": lesson.source, "target": lesson.output, "wanted": wanted}


def make(rows: Sequence[dict[str, Any]], model: str, judge: Path, seed: int, bands: Sequence[str] = BANDS) -> None:
    """Choose the thresholds of some bands of a judge's folder on pairs of :func:`rows_of` or :mod:`judges.head`."""
    chosen = list(_some(rows, seed))
    scorer = Scorer(options=Options(model=model, judge=str(judge)))
    results = scorer.score_pairs([(row["source"], row["target"]) for row in chosen])
    judged = []
    for row, result in zip(chosen, results, strict=True):
        said = {policy: result.judgement.opinion.under(policy) for policy in POLICIES}
        judged.append(Row(row["origin"], result.judgement.band, row["wanted"], said))
    path = judge / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    table = risk_table(judged, Thresholds(**settings["thresholds"])).to_dict()
    for policy, of_band in table.items():
        settings["risk"].setdefault(policy, {}).update({band: of_band[band] for band in bands if band in of_band})
    path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Choose the thresholds of a judge on the lessons of its reader that are held out."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--run", type=Path, required=True, help="the folder of the reader's training, for its lessons")
    p.add_argument("--pairs", type=Path, nargs="*", default=[], help="made pairs, which choose, too")
    p.add_argument("--judge", type=Path, required=True, help="folder of the judge")
    p.add_argument("--model", default="en", help="the model whose parser reads the pairs")
    p.add_argument("--bands", default=",".join(BANDS), help="the bands that get new thresholds")
    args = p.parse_args(argv)
    lessons = pickle.loads((args.run / "lessons.pkl").read_bytes())
    lessons += [lesson_of(pair) for path in args.pairs for pair in made(path)]
    make(list(rows_of(lessons)), args.model, args.judge, 1, args.bands.split(","))


if __name__ == "__main__":
    main()
