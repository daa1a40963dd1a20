"""Signatures: from parts to a string and back."""

from __future__ import annotations

import json
import pickle

from hypothesis import given
from hypothesis import strategies as st

from usim import __version__
from usim.signature import Signature

names = st.text(st.characters(exclude_characters="|:"), min_size=1)
values = st.text(st.characters(exclude_characters="|"))
fields = st.dictionaries(names, values)


@given(fields, fields)
def test_fields_come_back_in_order(first: dict[str, str], second: dict[str, str]) -> None:
    signature = Signature.stamped(first, second)
    assert list(signature.fields.items()) == list((first | second | {"v": __version__}).items())
    assert Signature.of(*signature.parts) == signature


def test_words_and_other_signatures_are_parts() -> None:
    inner = Signature.of("rules", {"k": 10})
    assert Signature.of("usim", "", inner, {"v": 1}).parts == ("usim", "rules", "k:10", "v:1")


def test_it_is_the_string_that_it_prints() -> None:
    signature = Signature.stamped({"parser": "xml:small"})
    assert signature == f"usim|parser:xml:small|v:{__version__}" == str(signature)
    assert json.loads(json.dumps(signature)) == signature
    assert pickle.loads(pickle.dumps(signature)).fields["parser"] == "xml:small"
