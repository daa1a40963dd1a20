"""Checksums of model files."""

import hashlib
from pathlib import Path

import pytest

from usim.errors import ParsingError
from usim.text.checksums import check_digests, digest_of


@pytest.mark.parametrize("content", [b"tex", b"texts", b"Text"])
def test_other_bytes_than_those_of_the_checksum(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(b"text")
    digest = hashlib.sha256(b"text").hexdigest()
    assert digest_of(tmp_path / "a") == digest
    check_digests(tmp_path, {"a": digest})
    check_digests(tmp_path, {})
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(ParsingError, match=r"a: this file of the model is damaged"):
        check_digests(tmp_path, {"a": digest})


@pytest.mark.parametrize(
    ("digests", "message"),
    [
        ({"a": "0" * 64}, r"a: this file of the model is empty"),
        ({"b": "0" * 64}, r"b: a file of the model cannot be read \(No such file"),
        ({}, r"settings\.json: the settings have no SHA-256 of c, d: install"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, digests: dict[str, str], message: str) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(ParsingError, match=message):
        check_digests(tmp_path, digests, [] if digests else ["c", "d"])
