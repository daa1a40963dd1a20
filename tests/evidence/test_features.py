"""Features: golden values that hold a trained judge to what it was trained with.

The pairs are those of ``golden_pairs.txt``, with graphs in brackets, and the vectors of their tokens come from the
letters alone, so that neither a new parser nor a new encoder changes a value. ``golden_features.tsv`` has a line for each
feature with its value for each pair. After a change of :data:`usim.evidence.FEATURE_SCHEMA`,
``python -m tests.evidence.test_features`` writes that file and prints its digest for :data:`DIGESTS`.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from tests.brackets import graph_of
from usim.evidence import FEATURE_SCHEMA, Analysis, Finding, compare, compute_features, feature_names
from usim.evidence._finders.finding import FEATURE_KINDS
from usim.judge import TrainedJudge
from usim.judge.trained import SHIPPED

FILE = Path(__file__).with_name("golden_features.tsv")
#: The SHA-256 of ``golden_features.tsv`` of each schema. A new schema gets a new line; no line is ever changed.
DIGESTS = {2: "529cfd763d71c8a9fbe026a7951fddf967aabf268b63fa2fdc0ca95d51c07305"}


def analysis(text: str, brackets: str, *, has_vectors: bool) -> Analysis:
    """Return a sentence whose vectors depend on its tokens and their neighbours, without any model."""
    graph = graph_of(brackets)
    if not has_vectors:
        return Analysis(graph, None, text)
    letters = [np.frombuffer(hashlib.sha256(t.lower().encode()).digest()[:8], np.uint8) for t in graph.tokens]
    own = np.array(letters) / 255 - 0.3  # positive on average, so that cosines are, too
    mixed = own.copy()
    mixed[1:] += 0.25 * own[:-1]
    mixed[:-1] += 0.25 * own[1:]
    return Analysis(graph, mixed.astype(np.float32), text)


@cache
def records() -> list[list[str]]:
    """The lines of each pair: the text and the graph of the source, those of the output."""
    content = FILE.with_name("golden_pairs.txt").read_text("utf-8")
    return [record.strip().split("\n") for record in content.split("\n\n")]


@cache
def values() -> np.ndarray:
    """The features of each pair, (pairs, features)."""
    rows = []
    for lines in records():
        has_vectors = crc32(lines[0].encode()) % 4 != 0
        sides = (analysis(*side, has_vectors=has_vectors) for side in (lines[:2], lines[2:]))
        rows.append(compute_features(compare(*sides)))
    return np.array(rows)


def test_golden_values() -> None:
    """If this fails, a feature or the weight of a finding changed: see usim/evidence/_features.py for what to do."""
    table = [line.split("\t") for line in FILE.read_text("utf-8").splitlines()]
    assert [name for name, *_ in table] == list(feature_names())
    expected = np.array([row[1:] for row in table], float).T
    changed = [
        f"{feature_names()[j]}: {expected[i, j]:.6g} is {values()[i, j]:.6g} now in {records()[i][0]!r} → {records()[i][2]!r}"
        for i, j in np.argwhere(~np.isclose(values(), expected, rtol=0, atol=1e-4))
    ]
    assert not changed, "\n".join(["raise FEATURE_SCHEMA, write the new values, train the judge anew", *changed[:20]])
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert digest == DIGESTS[FEATURE_SCHEMA], "golden values changed without another FEATURE_SCHEMA"


def test_values_of_a_pair_by_hand() -> None:
    """“The teacher showed the pupils a map.” became “The teacher showed a map.”"""
    first = dict(zip(feature_names(), values()[0].tolist(), strict=True))
    # H, A, E, C, P, A, E, C, A, E, C are eleven edges of which eight are left.
    assert (first["s2r_recall"], first["s2r_precision"], first["usim"]) == pytest.approx((8 / 11, 1, 16 / 19))
    # Two of eight tokens, in one place, are gone, and of the participants one of three.
    assert (first["gone_share"], first["groups"], first["widest_group"]) == (2 / 8, 1, 2)
    assert (first["lost_participant"], first["word_overlap"]) == pytest.approx((1 / 3, 2 * 6 / (8 + 6)))
    assert (first["reasons"], first["count_participant-lost"], first["same"]) == (1, 1, 0)


def test_a_new_kind_of_finding_is_no_feature() -> None:
    cat = analysis("A cat sleeps .", "[H [A [E A] [C cat]] [P sleeps]] [U .]", has_vectors=False)
    known = [Finding("sense", "“cat” became “dog”", (1,), (1,), weight=0.5)]
    both = [Finding("new-kind", "Something new", weight=0.9), *known]
    assert compute_features(compare(cat, cat), both).tolist() == compute_features(compare(cat, cat), known).tolist()


def test_golden_pairs_show_findings_of_every_kind() -> None:
    names = list(feature_names())
    detected = set(FEATURE_KINDS)
    kinds = {kind for kind in detected if values()[:, names.index(f"count_{kind}")].any()}
    assert kinds >= detected - {"category"}, "category depends on the graph alone: tests/evidence/test_finders.py"
    assert set(values()[:, names.index("has_vectors")]) == {0, 1}


@pytest.mark.model
def test_the_shipped_judge_reads_these_features() -> None:
    settings = json.loads((SHIPPED / "en" / "judge" / "settings.json").read_text("utf-8"))
    assert settings["feature_schema"] == FEATURE_SCHEMA
    assert settings["features"] == list(feature_names())
    assert TrainedJudge().name.partition("+")[0] == settings["name"]


if __name__ == "__main__":
    rows = zip(feature_names(), values().T.tolist(), strict=True)
    lines = ["\t".join([name, *(f"{round(value, 6):.6g}" for value in row)]) + "\n" for name, row in rows]
    FILE.write_text("".join(lines), encoding="utf-8")
    print(hashlib.sha256(FILE.read_bytes()).hexdigest())
