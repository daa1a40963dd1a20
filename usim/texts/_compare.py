"""Two versions of a text compared: cut, aligned, judged block by block; and what to look at.

A judge of pairs is asked about pairs of which about half changed. In a text that somebody edited most sentences say the
same, so most of the blocks that it is not sure of are merely reworded, and in doubt. What to look at are the others:
blocks that probably changed, and those with a fact that changed. What the text around a block says is no news in it
either: *Dissolve it* may become *Dissolve the pellet*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from usim.errors import InputError
from usim.judge import JudgePipeline, TokenEncoder
from usim.judge.trained import SHIPPED, load_encoder
from usim.lexicon import word_info
from usim.text import MAX_TOKENS, Span, check_length, language_of_pair, tokenise
from usim.texts._blocks import BlockJudge, TextBlock
from usim.texts._comparison import TextComparison, TextFinding
from usim.texts._cut import CutText, cut_text, quoted
from usim.texts._facts import facts_of_one
from usim.texts._links import words_of

#: Kinds of reasons that name a fact which anybody can check, from this weight on.
_FACTS = frozenset(
    "number unit time name negation opposite roles-swapped direction quantifier modality question scope claim relation "
    "comparison address fact".split()
)
_FACT_WEIGHT = 0.6
#: Kinds whose words may stand in the text around instead.
_ADDED = frozenset(("participant-added", "modifier-added", "adverbial-added"))
_LOST = frozenset(("participant-lost", "modifier-lost"))
#: The weight from which on a reason counts by itself.
_COUNTS = 0.5
#: So many characters on either side of a block are the text around it.
_AROUND = 300

_Cuts = tuple[CutText, CutText]

#: The longest text, in characters: some 10,000 sentences.
MAX_CHARACTERS = 1_000_000


def check_text(text: str, what: str) -> None:
    """Check that a text is short enough to be compared.

    Raises:
        InputError: it is longer than :data:`MAX_CHARACTERS`.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"{what} has {len(text):,} characters, and {MAX_CHARACTERS:,} are the most: compare it in parts"
        )


@cache
def _shipped_encoder() -> TokenEncoder:
    """Load the encoder for judges that read no words, once for all texts."""
    return load_encoder(SHIPPED / "en" / "judge")


def compare_texts(
    pipeline: JudgePipeline, before: str, after: str, *, is_markdown: bool = False, max_tokens: int = MAX_TOKENS
) -> TextComparison:
    """Compare two versions of a text, by the policy of a pipeline.

    Args:
        pipeline: what parses and judges.
        before, after: the texts.
        is_markdown: whether the texts are Markdown, whose code and links are left alone.
        max_tokens: the most tokens of a sentence, and of a block.

    Raises:
        InputError: a text, or a sentence of one, is too long.
        ParsingError: a sentence cannot be parsed.
    """
    check_text(before, "the text before the change")
    check_text(after, "the text after the change")
    cuts = cut_text(before, is_markdown=is_markdown), cut_text(after, is_markdown=is_markdown)
    for cut, what in zip(cuts, ("the text before the change", "the text after the change"), strict=True):
        for key, passage in zip(cut.keys, cut.passages, strict=True):
            if len(key) > max_tokens:
                line = cut.text.count("\n", 0, passage.start) + 1
                check_length(key, f"a sentence on line {line} of {what}", max_tokens=max_tokens)
    # A judge that reads no words leaves the alignment to the encoder that ships with usim.
    encoder = pipeline.judge.encoder or _shipped_encoder()
    judge = BlockJudge(pipeline, encoder, max_tokens=max_tokens, reads_around=True)
    (judged,) = judge.judge([judge.link(*cuts)])
    middle = pipeline.thresholds.middle
    blocks: list[TextBlock] = []
    findings: list[TextFinding] = []
    doubts: list[TextFinding] = []
    for number, block in enumerate(judged):
        is_said = not block.is_alone and block.verdict != "keep" and _is_said_around(block, cuts)
        has_fact = any(r.is_shown and r.kind in _FACTS and r.weight >= _FACT_WEIGHT for r in block.reasons)
        if block.verdict == "drop" and not has_fact and is_said:
            block = replace(block, verdict="review", faithfulness=middle)
        blocks.append(block)
        # Whether it certainly or probably says something else.
        is_clear = block.is_alone or not block.reasons or block.verdict == "drop" or has_fact
        is_telling = is_clear or (block.faithfulness < middle and not is_said)
        if block.verdict != "keep":
            (findings if is_telling else doubts).extend(_findings(number, block, cuts))
    return TextComparison(
        before,
        after,
        tuple(blocks),
        tuple(findings),
        pipeline.policy,
        tuple(doubts),
        tuple(facts_of_one(*cuts)),
        pipeline.signature,
        language_of_pair(before, after),
    )


def _findings(number: int, block: TextBlock, cuts: _Cuts) -> Iterator[TextFinding]:
    """Yield what there is to say of a block that is not kept."""
    before, after = (block.before_span,), (block.after_span,)
    if block.is_alone:
        own, other = cuts if block.before else cuts[::-1]
        span = block.before_span if block.before else block.after_span
        kind, said = ("left-out", "left out") if block.before else ("added", "added")
        text = f"The sentence “{quoted(own.plain[slice(*span)])}” is {said}"
        if block.elsewhere and block.verdict == "review":
            text += f"; something like it stands in “{quoted(other.plain[slice(*block.elsewhere[0])])}”"
        yield TextFinding(kind, text, block.verdict, number, before, after)
        return
    shown = [reason for reason in block.reasons if reason.is_shown]
    for reason in shown:
        places = reason.source_spans or before, reason.target_spans or after
        yield TextFinding(reason.kind, reason.text, block.verdict, number, *places)
    if not shown:
        is_code = any(p.kind == "code" and p[:2] in block.before for p in cuts[0].passages)
        kind, text = (
            ("code", "The code changed")
            if is_code
            else ("unclear", "Much is said in other words, and usim cannot tell whether it still says the same")
        )
        yield TextFinding(kind, text, block.verdict, number, before, after)


def _is_said_around(block: TextBlock, cuts: _Cuts) -> bool:
    """Return whether all that speaks against a block stands in the text around it."""
    texts = [cut.plain for cut in cuts]
    around = [
        words_of(f"{text[max(0, start - _AROUND) : start]} {text[end : end + _AROUND]}")
        for text, (start, end) in zip(texts, (block.before_span, block.after_span), strict=True)
    ]
    is_found = False
    for reason in block.reasons:
        if not reason.is_shown:
            continue
        gone, new = _words(texts[0], reason.source_spans), _words(texts[1], reason.target_spans)
        is_named = reason.kind == "sense" and _points(gone)
        words, where = (words_of(gone), around[1]) if reason.kind in _LOST else (words_of(new), around[0])
        if (reason.kind in _ADDED | _LOST or is_named) and words and words <= where:
            is_found = True
        elif reason.weight >= _COUNTS or reason.kind in ("sense", "reworded"):
            return False
    return is_found


def _words(text: str, spans: tuple[Span, ...]) -> str:
    return " ".join(text[slice(*span)] for span in spans)


def _points(text: str) -> bool:
    """Return whether a text is of words that only point at what another one names, such as *it* and *these*."""
    words = [token.text.lower() for token in tokenise(text)]
    return bool(words) and all(word_info(word).is_function for word in words)
