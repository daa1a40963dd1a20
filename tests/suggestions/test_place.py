"""Substitutes put into sentences: worked examples a rule, and what holds for every sentence and substitute."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from usim.errors import SuggestionError
from usim.suggestions import Edit, apply, put
from usim.suggestions.articles import article, differ
from usim.suggestions.case import Case, recased
from usim.suggestions.suggestion import difference
from usim.text import sentence_around, sentence_spans, tokenise


def put_for(sentence: str, substitute: str) -> str:
    """The sentence with a substitute for what stands between | and |; the result with the substitute marked so, too."""
    before, target, after = sentence.split("|")
    text = before + target + after
    placed = put(text, len(before), len(before) + len(target), substitute)
    return f"{placed.text[: placed.start]}|{placed.text[placed.start : placed.end]}|{placed.text[placed.end :]}"


# Articles


@pytest.mark.parametrize(
    "phrase",
    """an apple; a house; an hour; an hourly rate; an honest man; an honour; an honor; an heir; an heirloom; a hotel; an M&M
    a use; a user; a usual day; a usage; an usher; a utensil; an utter lie; a utopia; an umbrella; a uniform; a union; a unit
    an unimportant thing; an unusual day; an uninvited guest; a unique hat; a unanimous vote; an unanswered call; a UNICEF post
    a European; a eulogy; a ewe; an Euler path; an eel; a one; a one-off; a once-famous man; an onion; an only child; a ouija
    an MP3; an MP; a UN envoy; an EU rule; a US ship; a UK bank; an FBI agent; an HIV test; a NATO summit; a NASA engineer
    a SCUBA diver; an SUV; an HTML page; a RAM chip; an MSc; a PhD; an LLB; an NHS trust; an AIDS ward; a YMCA; an SOS; an NGO
    an x-ray; an X-ray; a U-turn; a u-boat; a T-shirt; an L-shaped room; an F1 car; an A-level; an e-mail; an S; a B; an F.B.I. man
    an 8; an 8-year-old; an 80s song; an 800-page book; an 11; an 11th hour; an 18th birthday; an 1890 edition; an 18,000 crowd
    a 1,800 crowd; a 1; a 100; a 10; a 7; a 110; an 11,000; a 2018 film; an 11000
    a uranium mine; a urine test; an urgent call; an urban myth; a ukulele; a Ukrainian; a ubiquitous pest; a year; an yttrium atom
    an élan; a über; a "house"; an "old" house; an (old) house; a $5 note; an $8 note; a ufo; a HUGE hall; an UGLY hall; a STRANGE act""".replace(
        "\n", ";"
    )
    .replace("a über", "an über")
    .split(";"),
)
def test_article(phrase: str) -> None:
    expected, following = phrase.strip().split(" ", 1)
    assert article(following) == expected


def test_articles_of_nothing_and_of_doubtful_sound() -> None:
    assert article("") == article(" …") == "a"
    assert put("She has a book.", 10, 14, "²x").text == "She has a ²x."  # a digit that is no number
    assert differ("historic", "historical") is differ("hour", "hourglass") is False
    assert differ("hour", "minute")


# Replacing


@pytest.mark.parametrize(
    ("sentence", "substitute", "expected"),
    [
        # the article before, and only where it becomes wrong
        ("She told an |old| story.", "new", "She told a |new| story."),
        ("She told a |new| story.", "old", "She told an |old| story."),
        ("A |house| burned.", "office", "An |office| burned."),
        ("AN |OLD| HOUSE", "new", "A |NEW| HOUSE"),
        ("He is a |7|-year-old.", "8", "He is an |8|-year-old."),
        ('It was an "|old|" house.', "new", 'It was a "|new|" house.'),
        ("A |MP3| file.", "audio", "A |audio| file."),  # wrong for both: the writer's own affair
        ("Plan A |succeeded|.", "excelled", "Plan A |excelled|."),  # no article
        ("a well-|known| man", "established", "a well-|established| man"),
        ("an |idea|", "a thought", "an |a thought|"),  # two articles: not to be guessed
        ("He ate |the| apple.", "a", "He ate |an| apple."),
        ("He ate |the| apple.", "half a", "He ate |half an| apple."),
        ("He ate |a| apple.", "an", "He ate |an| apple."),
        ("He ate |an| pear.", "a", "He ate |a| pear."),
        # case
        ("|Intimate| friends.", "close", "|Close| friends."),
        ("He came. |Intimate| friends left.", "close", "He came. |Close| friends left."),
        ("“|Go| home,” he said.", "leave", "“|Leave| home,” he said."),
        ("He said, “|Go| home.”", "leave", "He said, “|Leave| home.”"),
        ("Note: |Important| things.", "vital", "Note: |Vital| things."),
        ("|2| men came.", "two", "|Two| men came."),
        ("|obviously| i agree", "clearly", "|clearly| i agree"),  # the writer writes small
        ("|Phones| ring.", "iPhones", "|iPhones| ring."),
        ("The |Quick| Fox Jumps.", "very fast", "The |Very Fast| Fox Jumps."),
        ("The Old |Man| and the Sea", "captain of the boat", "The Old |Captain of the Boat| and the Sea"),
        ("He lives in |Paris| now.", "town", "He lives in |town| now."),
        ("We met. In |Paris| we ate.", "town", "We met. In |town| we ate."),
        ("He lives in |town| now.", "Paris", "He lives in |Paris| now."),
        ("This is |VERY| good.", "extremely", "This is |EXTREMELY| good."),
        ("This is |NOT| good.", "never", "This is |NEVER| good."),
        ("THE |CAT| SAT DOWN", "old dog", "THE |OLD DOG| SAT DOWN"),
        ("WHAT |I| SAID", "we", "WHAT |WE| SAID"),
        ("A |NASA| team.", "space", "A |space| team."),
        ("|TV| is fun.", "television", "|Television| is fun."),
        ("He is |rich|.", "in the EU", "He is |in the EU|."),
        ("then |I| went", "we", "then |we| went"),
        # blanks and punctuation
        ("He is |rich|.", "  very   rich\n", "He is |very rich|."),
        ("Apples |and| pears.", ",", "Apples|,| pears."),
        ("Apples|,| pears.", "and", "Apples |and| pears."),
        ("apples , pears |and| plums", ",", "apples , pears |,| plums"),  # tokens stand apart
        ("yes|,|no", "and", "yes |and| no"),
        ("Pears, |plums|.", "etc.", "Pears, |etc|."),
        ("Really|.| Yes.", "!", "Really|!| Yes."),
        ("a | big | house", "small", "a | small| house".replace("| small|", " |small| ")),
        # hyphens
        ("a |well|-known man", "little", "a |little|-known man"),
        # clitics and possessives
        ("I |don't| know.", "cannot", "I |cannot| know."),
        ("I |do|n't know.", "can", "I |ca|n't know."),
        ("I |do|n't know.", "will", "I |wo|n't know."),
        ("I |do|n't know.", "really", "I |really| not know."),
        ("I do|n't| know.", "not", "I do |not| know."),
        ("I ca|n't| go.", "not", "I can |not| go."),
        ("He |is not| here.", "isn't", "He |isn't| here."),
        ("He |is| here.", "'s", "He|'s| here."),
        ("|It|'s cold.", "they", "|They|'re cold."),
        ("|It|'s been cold.", "they", "|They|'ve been cold."),
        ("|We|'re cold.", "he", "|He|'s cold."),
        ("|John|'s toys", "the boys", "|The boys|' toys"),
        ("|John|'s toys", "James", "|James|'s toys"),
        ("The |boys|' toys", "girl", "The |girl|'s toys"),
        ("'The |boys|' he said", "girl", "'The |girl|' he said"),  # a quotation mark
        ("He left , |did| n't he ?", "can", "He left , |ca| n't he ?"),
    ],
)
def test_replaced(sentence: str, substitute: str, expected: str) -> None:
    assert put_for(sentence, substitute) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She told an |old| story.", "She told a story."),
        ("an |old| apple", "an apple"),
        ("We saw him |yesterday|.", "We saw him."),
        ("We saw him |yesterday| .", "We saw him ."),
        ("We |often| saw him.", "We saw him."),
        ("We| often| saw him.", "We saw him."),
        ("We |often |saw him.", "We saw him."),
        ("|Very| good cats", "Good cats"),
        ("He came. |Then| we left.", "He came. We left."),
        ("|Obviously|, iPhones rock.", "iPhones rock."),
        ("|Moreover|, he left.", "He left."),
        ("|Moreover,| he left.", "He left."),
        ("He, |obviously|, left.", "He left."),
        ("He, |of course|, left.", "He left."),
        ("Apples, |pears|, plums.", "Apples, plums."),
        ("He left, |too|.", "He left."),
        ("I like it, |too|", "I like it"),
        ("He said (|yes|) twice.", "He said twice."),
        ("He said “|yes|” twice.", "He said twice."),
        ("He is a (|very|) old man.", "He is an old man."),
        ("a |well|-known man", "a known man"),
        ("an |ill|-known man", "a known man"),
        ("He is well-|known|.", "He is well."),
        ("I |do|n't go.", "I not go."),
        ("|John|'s book", "Book"),
        ("He left.\n|Then| she left.", "He left.\nShe left."),
        ("He left. |Then|\nshe left.", "He left.\nShe left."),
        ("|All of it|", ""),
        ("| |", " "),
        ("It is an| |old house.", "It is an old house."),
    ],
)
def test_deleted(sentence: str, expected: str) -> None:
    before, target, after = sentence.split("|")
    placed = put(before + target + after, len(before), len(before) + len(target), "")
    assert placed.text == expected
    assert placed.start == placed.end


@pytest.mark.parametrize(
    ("sentence", "place", "substitute", "expected"),
    [
        ("He sleeps.", 2, "never", "He never sleeps."),
        ("He sleeps.", 3, "never", "He never sleeps."),
        ("He sleeps.", 9, "well", "He sleeps well."),
        ("He sleeps", 9, "well", "He sleeps well"),
        ("However I left", 7, ",", "However, I left"),
        ("However I left", 8, ",", "However, I left"),
        ("an apple", 3, "red", "a red apple"),
        ("The cats sleep", 0, "all", "All the cats sleep"),
        ("Cats sleep", 0, "the", "The Cats sleep"),  # a capital that may be the word's own stays
        ("cats sleep", 0, "the", "the cats sleep"),
        ("see (below)", 4, "page 3", "see page 3 (below)"),
        ("", 0, "Hello", "Hello"),
    ],
)
def test_inserted(sentence: str, place: int, substitute: str, expected: str) -> None:
    assert put(sentence, place, place, substitute).text == expected


def test_all_changes_are_told() -> None:
    placed = put("It is an old house.", 9, 12, "big")
    assert placed == ("It is a big house.", 8, 11, (Edit(6, 8, "a"), Edit(9, 12, "big")))
    # Only the article changes back.
    there = put("an old house", 3, 6, "big")
    assert put(there.text, there.start, there.end, "old").text == "an old house"


HOUSE = "It is an old house."


@pytest.mark.parametrize(
    ("text", "start", "end", "message"),
    [
        (HOUSE, 0, 99, "does not fit a text of 19 characters"),
        (HOUSE, -1, 2, "does not fit"),
        (HOUSE, 5, 3, "does not fit"),
        (HOUSE, 1, 3, r"cuts a word \(I\|t\)"),
        (HOUSE, 9, 11, r"cuts a word \(ol\|d\)"),
        ("cafe\u0301 au lait", 0, 4, "cuts a word"),
    ],
)
def test_spans_that_do_not_fit(text: str, start: int, end: int, message: str) -> None:
    with pytest.raises(SuggestionError, match=message):
        put(text, start, end, "x")


def test_edits_that_overlap_cannot_be_carried_out() -> None:
    with pytest.raises(SuggestionError, match="overlaps"):
        apply("abcdef", [Edit(0, 3, "x"), Edit(2, 4, "y")])


@pytest.mark.parametrize(
    ("text", "case", "expected"),
    [
        ("go to NASA", Case.TITLE, "Go to NASA"),
        ("very good", Case.UPPER, "VERY GOOD"),
        ("eBay", Case.FIRST, "eBay"),
        ("'tis so", Case.FIRST, "'Tis so"),
        ("ßa", Case.FIRST, "ßa"),  # a capital would be two letters
        ("Paris", Case.UPPER, "PARIS"),
        ("as it is", Case.AS_IS, "as it is"),
    ],
)
def test_recased(text: str, case: Case, expected: str) -> None:
    assert recased(text, case) == expected


# What always holds

WORDS = st.sampled_from(
    "a an A An the The I he they don't can't it's boys' John's house hour apple UN MP3 8 11th old big very VERY one use"
    " well-known mother-in-law Mr. U.S. (yes) “no” , . ; : ! ? - \" ' … etc. iPhone É über honest".split()
)
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\n", ""])
TEXTS = st.lists(st.tuples(WORDS, BLANKS), max_size=12).map(lambda parts: "".join(w + b for w, b in parts))
SUBSTITUTES = st.lists(WORDS, max_size=3).map(" ".join) | st.sampled_from(
    ["", " ", "a", "'s", "n't", ",", "close", "rather old"]
)


@st.composite
def places(draw: st.DrawFn) -> tuple[str, int, int]:
    """A text and a span of whole tokens, which may be none."""
    text = draw(TEXTS)
    tokens = tokenise(text)
    if not tokens:
        return text, 0, 0
    first = draw(st.integers(0, len(tokens) - 1))
    last = draw(st.integers(first - 1, min(len(tokens) - 1, first + 3)))
    return text, tokens[first].start, tokens[last].end if last >= first else tokens[first].start


@given(places())
def test_putting_the_target_back_changes_nothing(place: tuple[str, int, int]) -> None:
    text, start, end = place
    for target in (text[start:end], f" {text[start:end]} "):
        placed = put(text, start, end, target)
        assert placed.text == text
        assert placed.edits == ()


@given(places(), SUBSTITUTES)
def test_the_edits_are_the_change(place: tuple[str, int, int], substitute: str) -> None:
    text, start, end = place
    placed = put(text, start, end, substitute)
    assert apply(text, placed.edits) == placed.text
    assert all(one.end <= other.start for one, other in zip(placed.edits, placed.edits[1:], strict=False))
    assert all(text[edit.start : edit.end] != edit.new for edit in placed.edits)


@given(places(), SUBSTITUTES)
def test_the_substitute_is_where_it_is_said_to_be(place: tuple[str, int, int], substitute: str) -> None:
    text, start, end = place
    placed = put(text, start, end, substitute)
    there = placed.text[placed.start : placed.end].casefold()
    plain = " ".join(substitute.split()).casefold()
    if substitute == text[start:end]:
        plain = substitute.casefold()
    # An article at its end takes the form of what follows, a stem that of its n't, and a full stop is not doubled.
    assert (
        there == plain
        or re.fullmatch(r"(.*\b)?an?", there)
        or plain.rstrip(".,;:!?") == there
        or plain.startswith(there)
    )


@given(places(), SUBSTITUTES)
@example(("an old house", 3, 6), "")
@example(("I can't go", 2, 5), "house")
def test_what_is_around_stays(place: tuple[str, int, int], substitute: str) -> None:
    """Up to the word before, if that is no article, and from the word after on, but for its first letter."""
    text, start, end = place
    placed = put(text, start, end, substitute)
    before = re.sub(r"(?:(?<![\w])(?:an?|ca|wo|sha))?[\W_]*$", "", text[:start], flags=re.IGNORECASE)
    assert placed.text.startswith(before)
    near = re.match(
        r"(?:\s*n['’]t(?!\w)|['’](?:s|re|ve|ll|d|m)(?!\w))?(?:[\W_]*(?:The|An?)(?!\w)|[\W_]*\w?)", text[end:], re.I
    )
    assert near
    assert placed.text.endswith(text[end + near.end() :])


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40), st.text(max_size=10))
def test_any_text_is_taken_or_refused(text: str, start: int, end: int, substitute: str) -> None:
    try:
        placed = put(text, start, end, substitute)
    except SuggestionError:
        return
    assert apply(text, placed.edits) == placed.text
    assert 0 <= placed.start <= placed.end <= len(placed.text)
    (a, b), (c, d) = placed.around(text)
    assert text[:a] == placed.text[:c]
    assert text[b:] == placed.text[d:]


# Sentences


def test_sentences_end_at_blank_lines() -> None:
    text = "A title\n \nHe came. She\nwent.\n\n"
    assert [text[slice(*span)] for span in sentence_spans(text)] == ["A title", "He came.", "She\nwent."]
    assert sentence_around("  ", 1, 1) == (0, 2)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 2, "He came."),
        (8, 9, "He came. "),
        (9, 9, "She went."),
        (3, 12, "He came. She went."),
        (26, 26, "We left."),
        (0, 27, "He came. She went. We left."),
    ],
)
def test_the_sentence_around(start: int, end: int, expected: str) -> None:
    text = "He came. She went. We left."
    begin, stop = sentence_around(text, start, end)
    assert text[begin:stop] == expected


@given(TEXTS, st.data())
def test_the_sentence_around_holds_the_place(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    begin, stop = sentence_around(text, start, end)
    assert 0 <= begin <= start <= end <= stop <= len(text)


# Differences


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("She have two cat.", "She has two cats.", Edit(4, 16, "has two cats")),
        ("He go.", "He goes.", Edit(3, 5, "goes")),
        ("the end", "an end", Edit(0, 3, "an")),
        ("He left", "He left.", Edit(7, 7, ".")),
        ("same", "same", Edit(4, 4, "")),
        ("", "new", Edit(0, 0, "new")),
        ("a a b", "a b", Edit(2, 4, "")),
    ],
)
def test_difference(one: str, other: str, expected: Edit) -> None:
    assert difference(one, other) == expected


@given(TEXTS, TEXTS)
def test_the_difference_makes_one_into_the_other(one: str, other: str) -> None:
    assert apply(one, [difference(one, other)]) == other
