"""Word pieces are those of the ``tokenizers`` library, for both vocabularies."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from usim.parsing import Pieces, wordpieces

ROOT = Path(__file__).parents[2]
FILES = {name: ROOT / "usim" / "models" / name / "trunk" for name in ("en", "en-fast")}

#: What the library does not cut where it stands in a text.
_SPECIAL = re.compile(r"\[(CLS|SEP|MASK|PAD|UNK)\]|</?(s|mask|pad|unk)>")
Both = tuple[Pieces, Tokenizer]


@pytest.fixture(scope="module", params=FILES)
def both(request: pytest.FixtureRequest) -> Both:
    path = FILES[request.param] / "tokenizer.json"
    library = Tokenizer.from_file(str(path))
    library.no_padding()
    library.no_truncation()
    return Pieces.read(path), library


def check(both: Both, tokens: list[str]) -> None:
    own, library = both
    encoding = library.encode(tokens, is_pretokenized=True, add_special_tokens=False)
    expected: list[list[int]] = [[] for _ in tokens]
    for number, token in zip(encoding.ids, encoding.word_ids, strict=True):
        expected[token].append(number)
    for token, ids in zip(tokens, expected, strict=True):
        assert own.of_text(token) == ids, ascii(token)


def test_of_each_kind_of_character(both: Both) -> None:
    def codes() -> Iterable[int]:
        yield from range(0x3100)
        yield from range(0x3100, 0x110000, 499)
        table = Path(wordpieces.__file__).with_name("characters.tsv").read_text()
        for line in table.splitlines():
            first, last = (int(end, 16) for end in line.split("\t")[1:])
            yield from (first - 1, first, last, last + 1)

    characters = [chr(code) for code in sorted(set(codes()) - set(range(0xD800, 0xE000))) if 0 <= code < 0x110000]
    check(both, characters)
    check(both, [f"a{character}b" for character in characters])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.text(max_size=6) | st.just("Été"), max_size=4).map("".join)))
def test_of_any_text(both: Both, tokens: list[str]) -> None:
    # Special pieces in a text are words for usim.
    check(both, [token.encode("utf-8", "ignore").decode() for token in tokens if not _SPECIAL.search(token)])


def test_of_real_text(both: Both) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))]
    check(both, sorted({token for text in texts for token in text.split() if not _SPECIAL.search(token)}))


def test_of_long_words(both: Both) -> None:
    check(both, ["a" * 99, "a" * 100, "a" * 101, "字" * 300, "é" * 101, "", " ", "\u00ad"])


@pytest.mark.parametrize(
    "change",
    [
        {"model": {"type": "BPE"}},
        {"normalizer": {"type": "BertNormalizer", "lowercase": False, "strip_accents": None}},
        {"normalizer": None},
        {"model": {"type": "WordPiece", "continuing_subword_prefix": "##", "vocab": {"a": "b"}}},
    ],
)
def test_another_tokeniser_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    record = json.loads((FILES["en-fast"] / "tokenizer.json").read_text(encoding="utf-8"))
    (tmp_path / "tokenizer.json").write_text(json.dumps(record | change))
    with pytest.raises(ValueError, match=r"not a|without \[UNK\]"):
        Pieces.read(tmp_path / "tokenizer.json")
    (tmp_path / "tokenizer.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match="not a tokeniser"):
        Pieces.read(tmp_path / "tokenizer.json")
