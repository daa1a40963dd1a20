"""Features: golden values that hold a trained judge to what it was trained with."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.compare import golden
from usim.compare import FEATURE_SCHEMA, KINDS, READABLE_SCHEMAS, feature_names
from usim.compare.reasons import OF_JUDGES
from usim.judge import TrainedJudge
from usim.judge.trained import SHIPPED

GOLDEN: dict[str, Any] = json.loads(golden.FILE.read_text("utf-8"))
#: The SHA-256 of ``golden_features.json`` of each schema. A new schema gets a new line; no line is ever changed.
DIGESTS = {
    1: "17111c179ccf81d0edf434a506ba2581169027d52b114575d1a98191215b6206",
    2: "dfe91cf44d58a563d13caa47ca3157952260cd40b7114d502a87141344cfa86a",
}


@pytest.mark.parametrize("record", GOLDEN["pairs"], ids=lambda record: record["source"])
def test_golden_values(record: dict[str, Any]) -> None:
    """If this fails, a feature or the weight of a reason changed: see usim/compare/features.py for what to do."""
    values = dict(zip(feature_names(), golden.values(record), strict=True))
    expected = dict(zip(GOLDEN["names"], record["values"], strict=True))
    changed = {
        name: (expected[name], v)
        for name, v in values.items()
        if v != pytest.approx(expected[name], abs=golden.TOLERANCE)
    }
    assert not changed, "raise FEATURE_SCHEMA, run python -m tests.compare.golden, train the judge anew"


def test_golden_values_belong_to_the_schema() -> None:
    assert GOLDEN["schema"] == FEATURE_SCHEMA
    assert tuple(GOLDEN["names"]) == feature_names()
    digest = hashlib.sha256(golden.FILE.read_bytes()).hexdigest()
    assert digest == DIGESTS[FEATURE_SCHEMA], "golden values changed without another FEATURE_SCHEMA"


def test_golden_values_show_reasons_of_every_kind() -> None:
    place = {name: k for k, name in enumerate(GOLDEN["names"])}
    detected = set(KINDS) - set(OF_JUDGES)
    kinds = {kind for kind in detected for record in GOLDEN["pairs"] if record["values"][place[f"count_{kind}"]]}
    assert kinds >= detected - {"category"}, "category depends on the graph alone: tests/compare/test_reasons.py"
    assert len({record["values"][place["has_vectors"]] for record in GOLDEN["pairs"]}) == 2


@pytest.mark.model
def test_the_shipped_judge_reads_these_features() -> None:
    settings = json.loads((SHIPPED / "en" / "judge" / "settings.json").read_text("utf-8"))
    assert settings["feature_schema"] in READABLE_SCHEMAS
    assert set(settings["features"]) <= set(feature_names())
    assert TrainedJudge().name == settings["name"]


def test_the_command_asks_for_another_schema(tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "golden.json"
    file.write_bytes(golden.FILE.read_bytes())
    monkeypatch.setattr(golden, "FILE", file)
    assert golden.main([]) == 0
    assert json.loads(file.read_text("utf-8")) == GOLDEN
    monkeypatch.setattr(golden, "values", lambda record: [0.0] * len(feature_names()))
    assert golden.main([]) == 1
    assert "FEATURE_SCHEMA" in capsys.readouterr().err
    assert json.loads(file.read_text("utf-8")) == GOLDEN
    monkeypatch.setattr(golden, "FEATURE_SCHEMA", FEATURE_SCHEMA + 1)
    assert golden.main([]) == 0
    assert json.loads(file.read_text("utf-8"))["schema"] == FEATURE_SCHEMA + 1
