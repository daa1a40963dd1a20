"""What to look at in two texts: which blocks that are not kept have findings, and which are merely in doubt.

A judge of pairs is asked about pairs of which about half changed. In a text that somebody edited most sentences say the
same, so among the blocks that it is not sure of those whose wording alone changed are the many. What to look at are the
others: blocks that probably changed, and those with a fact that changed. What the text around a block says is no news
in it either: *Dissolve it* may become *Dissolve the pellet*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from usim.lexicon import word_info
from usim.text import Span, tokenise
from usim.texts._blocks import TextBlock
from usim.texts._comparison import TextFinding
from usim.texts._cut import CutText, quoted
from usim.texts._links import words_of

#: Kinds of reasons that name a fact which anybody can check, from this weight on.
FACTS = frozenset(
    "number unit time name negation opposite roles-swapped direction quantifier modality question scope claim relation "
    "comparison address fact".split()
)
FACT_WEIGHT = 0.6
#: Kinds whose words may stand in the text around instead.
_ADDED = frozenset(("participant-added", "modifier-added", "adverbial-added"))
_LOST = frozenset(("participant-lost", "modifier-lost"))
#: A kind that only follows another reason, and the weight from which on one counts by itself.
_BESIDE, _COUNTS = "unsupported", 0.5
#: So many characters on either side of a block are the text around it.
_AROUND = 300


class Findings:
    """What to look at in the blocks of two texts.

    Args:
        before, after: the texts.
        middle: the faithfulness in the middle of the judge's thresholds.
    """

    def __init__(self, before: CutText, after: CutText, middle: float) -> None:
        self._cuts, self._middle = (before, after), middle

    def settled(self, block: TextBlock) -> TextBlock:
        """Return a block, to be reviewed and not dropped if all that is new in it stands in the text around."""
        if block.verdict == "drop" and not names_fact(block) and self._is_said_around(block):
            return replace(block, verdict="review", faithfulness=self._middle)
        return block

    def is_telling(self, block: TextBlock) -> bool:
        """Return whether a block that is not kept certainly or probably says something else."""
        if block.is_alone or not block.reasons or block.verdict == "drop" or names_fact(block):
            return True
        return block.faithfulness < self._middle and not self._is_said_around(block)

    def of(self, number: int, block: TextBlock) -> Iterator[TextFinding]:
        """Yield what there is to say of a block that is not kept."""
        before, after = (block.before_span,), (block.after_span,)
        if block.is_alone:
            own, other = self._cuts if block.before else self._cuts[::-1]
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
            is_code = any(p.kind == "code" and p[:2] in block.before for p in self._cuts[0].passages)
            kind, text = (
                ("code", "The code changed")
                if is_code
                else ("unclear", "Much is said in other words, and usim cannot tell whether it still says the same")
            )
            yield TextFinding(kind, text, block.verdict, number, before, after)

    def _is_said_around(self, block: TextBlock) -> bool:
        """Return whether all that speaks against a block stands in the text around it."""
        texts = [cut.plain for cut in self._cuts]
        around = [
            words_of(f"{text[max(0, start - _AROUND) : start]} {text[end : end + _AROUND]}")
            for text, (start, end) in zip(texts, (block.before_span, block.after_span), strict=True)
        ]
        is_found = False
        for reason in block.reasons:
            if not reason.is_shown or reason.kind == _BESIDE:
                continue
            gone, new = _words(texts[0], reason.source_spans), _words(texts[1], reason.target_spans)
            is_named = reason.kind == "sense" and _points(gone)
            words, where = (words_of(gone), around[1]) if reason.kind in _LOST else (words_of(new), around[0])
            if (reason.kind in _ADDED | _LOST or is_named) and words and words <= where:
                is_found = True
            elif reason.weight >= _COUNTS or reason.kind in ("sense", "reworded"):
                return False
        return is_found


def names_fact(block: TextBlock) -> bool:
    """Return whether people are told a fact that changed in a block: by the ledger, or by another reason."""
    return any(reason.is_shown and reason.kind in FACTS and reason.weight >= FACT_WEIGHT for reason in block.reasons)


def _words(text: str, spans: tuple[Span, ...]) -> str:
    return " ".join(text[slice(*span)] for span in spans)


def _points(text: str) -> bool:
    """Return whether a text is of words that only point at what another one names, such as *it* and *these*."""
    words = [token.text.lower() for token in tokenise(text)]
    return bool(words) and all(word_info(word).is_function for word in words)
