"""Signatures: from parts to a string."""

from __future__ import annotations

import json
import pickle

from usim import __version__
from usim.signature import Signature


def test_words_and_other_signatures_are_parts() -> None:
    inner = Signature.of("rules", {"k": 10})
    assert Signature.of("usim", "", inner, {"v": 1}) == "usim|rules|k:10|v:1"
    assert Signature.stamped(inner).extended({"n": 2}) == f"usim|rules|k:10|n:2|v:{__version__}"


def test_it_is_the_string_that_it_prints() -> None:
    signature = Signature.stamped({"parser": "xml:small"})
    assert signature == f"usim|parser:xml:small|v:{__version__}" == str(signature)
    assert json.loads(json.dumps(signature)) == signature
    assert pickle.loads(pickle.dumps(signature)) == signature
