"""The public interface is what its page says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.flat import Flat, scorer_of
from usim import Screen

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/reference/results.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def validator():  # type: ignore[no-untyped-def]
    """A validator that allows no member that the schema does not name."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kinds = SCHEMA["$defs"].items()
    objects = {name: {**kind, "additionalProperties": "properties" not in kind} for name, kind in kinds}
    return jsonschema.Draft202012Validator({**SCHEMA, "$defs": objects})


def test_a_pair(validator) -> None:  # type: ignore[no-untyped-def]
    result = scorer_of().score("She paid 20 euros on Monday.", "She paid 25 euros.").to_dict()
    assert result["findings"]
    assert result["ledger"]
    validator.validate(result)
    noted = scorer_of().score("a b\u00adc", "a bc").to_dict()
    assert noted["notes"]
    validator.validate(noted)
    del result["verdict"]
    assert not validator.is_valid(result)


def test_a_suggestion(validator) -> None:  # type: ignore[no-untyped-def]
    (screened,) = Screen(parser=Flat(), judge="usim").screen("a b c", 2, 3, ["d"])
    validator.validate(screened.to_dict())
