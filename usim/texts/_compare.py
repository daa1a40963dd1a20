"""Two versions of a text compared: cut, aligned, judged block by block, and what to look at."""

from __future__ import annotations

from functools import cache

from usim.errors import InputError
from usim.judge import JudgePipeline, TokenEncoder
from usim.judge.trained import SHIPPED, load_encoder
from usim.text import MAX_TOKENS, check_length, language_of_pair
from usim.texts._blocks import BlockJudge
from usim.texts._comparison import TextComparison, TextFinding
from usim.texts._cut import cut_text
from usim.texts._facts import facts_of_one
from usim.texts._findings import Findings

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
    told = Findings(*cuts, pipeline.thresholds.middle)
    blocks = tuple(map(told.settled, judged))
    findings: list[TextFinding] = []
    doubts: list[TextFinding] = []
    for number, block in enumerate(blocks):
        if block.verdict != "keep":
            (findings if told.is_telling(block) else doubts).extend(told.of(number, block))
    return TextComparison(
        before,
        after,
        blocks,
        tuple(findings),
        pipeline.policy,
        tuple(doubts),
        tuple(facts_of_one(*cuts)),
        pipeline.signature,
        language_of_pair(before, after),
    )
