"""Texts are cut into sentences whose places stay known."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from usim.documents import cut_text

LETTER = """Dear Ms. Hall,

Thank you for your letter of Jan. 5 regarding Smith & Co. Ltd. in Leeds. We said "No!" He left, and
the rest of the line goes on here.

- one item, e.g. this
  and on
- [ ] two
1. three

> quoted here. And
> there.

Kind regards,
Tom Miller
"""
MARKDOWN = """# A *heading*

See [our page](https://a.example/b) and `code`.

| a | b |
|---|---|
| c | d |

```py
x = 1.
```

Done.
"""


def keys(text: str, **options: bool) -> list[str]:
    return list(cut_text(text, **options).keys)


def test_greetings_lists_quotations_and_abbreviations_survive() -> None:
    assert keys(LETTER) == [
        "Dear Ms. Hall,", "Thank you for your letter of Jan. 5 regarding Smith & Co. Ltd. in Leeds.", 'We said "No!"',
        "He left, and the rest of the line goes on here.", "one item, e.g. this and on", "[ ] two", "three", "quoted here.",
        "And there.", "Kind regards,", "Tom Miller",
    ]  # fmt: skip
    kinds = [passage.kind for passage in cut_text(LETTER).passages]
    assert [kinds[0], kinds[4], kinds[-2]] == ["greeting", "item", "greeting"]


def test_a_time_of_the_clock_ends_a_sentence_before_a_word_that_begins_one() -> None:
    cut = cut_text("We open at 9 a.m. Please knock. We meet at 9 a.m. Monday.")
    texts = [cut.text[passage.start : passage.end] for passage in cut.passages]
    assert texts == ["We open at 9 a.m.", "Please knock.", "We meet at 9 a.m. Monday."]


def test_the_number_of_an_item_belongs_to_the_item() -> None:
    assert keys("Do this. 1. Wash it. 2. Dry it. 12. Done.") == ["Do this.", "1. Wash it.", "2. Dry it.", "12. Done."]
    assert keys("How many? 5.") == ["How many?", "5."]


def test_markup_is_left_alone_and_code_is_one_passage() -> None:
    assert keys(MARKDOWN, is_markdown=True) == [
        "A heading", "See our page and code.", "a | b", "c | d", "x = 1.", "Done.",
    ]  # fmt: skip
    assert [p.kind for p in cut_text(MARKDOWN, is_markdown=True).passages if p.kind == "code"] == ["code"]


@pytest.mark.parametrize("text", ["", "  \n\n ", "---\n", "…"])
def test_a_text_without_words_has_no_passages(text: str) -> None:
    assert cut_text(text).passages == ()


@pytest.mark.parametrize(
    ("markdown", "passages"),
    [
        ("Set NO\\_CACHE.", ["Set NO_CACHE."]),
        ("A caf&eacute; &#38; bar.", ["A café & bar."]),
        ("    x = 1\n      y = 2", ["x = 1\n  y = 2"]),
        ("```py\nx = 1\n  y = 2\n```", ["x = 1\n  y = 2"]),
        ("Title\n=====\n\nText.", ["Title", "Text."]),
        ("- [ ] buy tea\n- [x] buy milk", ["☐ buy tea", "☒ buy milk"]),
        ("> quoted *here*\n> and there.", ["quoted here and there."]),
        ("A [link](http://a.example \"t\"), ![a picture](x.png) and [one][r].\n\n[r]: http://b", ["A link, a picture and one."]),
        ("It costs 5 * 3 = 15 and a_b_c.", ["It costs 5 * 3 = 15 and a_b_c."]),
        ("<div align='left'>\nIn HTML.<!-- not this -->\n</div>\n\nA<br>b.", ["In HTML.", "A b."]),
        ("| a | b\\|c |\n|--|--|\n| c | `d` |", ["a | b|c", "c | d"]),
        ("1. one\n\n   two\n2. three", ["one", "two", "three"]),
        ("-\r1", ["1"]),  # an item may be empty
        ("~~gone~~ **here**", ["gone here"]),
    ],
)  # fmt: skip
def test_markdown_is_read_without_its_markup(markdown: str, passages: list[str]) -> None:
    assert keys(markdown, is_markdown=True) == passages


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_a_paragraph_on_each_line_is_cut_as_one_between_blank_lines(gap: str) -> None:
    """So a text file says what a Word file with the same paragraphs says; lines that were wrapped go on."""
    paragraphs = [
        "Starting the boiler in the east building",
        "Before you begin, read this policy and the log book",
        "This is the list of the people who work on the pipes today",
    ]
    assert keys(gap.join(paragraphs)) == paragraphs
    wrapped = "Thank you for your letter of 3 May about the flat in\nPark Road, which we read at once with Mr.\nHill. It is {}"
    assert keys(wrapped.format("let.")) == ["Thank you for your letter of 3 May about the flat in Park Road, which we read at once with Mr. Hill.", "It is let."]  # fmt: skip


def test_places_of_markdown_are_those_of_its_source() -> None:
    text = "> A **caf&eacute;** is\n> [open](x) `now`.\n\n| é | NO\\_CACHE |\n|--|--|\n| 1 | 2 |\n"
    cut = cut_text(text, is_markdown=True)

    def source(words: str) -> str:
        start = cut.plain.index(words)
        return text[slice(*cut.in_text((start, start + len(words))))]

    assert [source(words) for words in ("café", "open", "now", "NO_CACHE", "2", "is open")] == [
        "caf&eacute;", "open", "now", "NO\\_CACHE", "2", "is\n> [open",
    ]  # fmt: skip
    assert [cut.plain[slice(*span)] for span in cut.code] == ["now"]


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("| `--depth N` | `1` |\n|---|---|\n| **wide** | see [it](x.md) |", ["`--depth N` | `1`", "**wide** | see [it](x.md)"]),
        ("- `task` one\n- _do_\n- [link](u.md)", ["`task` one", "_do_", "[link](u.md)"]),
        ("# `usim` *here*\n\n> **Second one** is here. `Third`", ["`usim` *here*", "**Second one** is here.", "`Third`"]),
        ("**All. Bold.**\n\n```\n*x*\n```", ["All.", "Bold.", "*x*"]),  # no mark without the other one
    ],
)  # fmt: skip
def test_passages_of_markdown_are_shown_with_the_marks_around_them(markdown: str, shown: list[str]) -> None:
    cut = cut_text(markdown, is_markdown=True)
    assert [markdown[slice(*cut.with_marks(passage[:2]))] for passage in cut.passages] == shown


@given(st.text(alphabet=st.sampled_from("ab. \n-#>`*[](1)|!?\"'É，。\r\t&;\\<"), max_size=80), st.booleans())
@example("1\r>11", True)
def test_places_are_those_of_the_text(text: str, is_markdown: bool) -> None:
    """Passages are in order and do not overlap, and none is empty; without Markdown no character moves."""
    cut = cut_text(text, is_markdown=is_markdown)
    ends = [0, *(end for passage in cut.passages for end in passage[:2])]
    assert ends == sorted(ends)
    assert all(cut.keys)
    if is_markdown:
        starts = [cut.in_text(passage[:2])[0] for passage in cut.passages]
        assert starts == sorted(starts)
        for passage in cut.passages:
            (start, end), (first, last) = cut.in_text(passage[:2]), cut.with_marks(passage[:2])
            assert 0 <= first <= start <= end <= last <= len(text)
        return
    assert len(cut.plain) == len(text)
    assert all(a in (b, " ") for a, b in zip(cut.plain, text, strict=True))
    words = [c for start, end, *_ in cut.passages for c in cut.plain[start:end] if c.isalnum()]
    assert words == [c for c in cut.plain if c.isalnum()]
