"""Which blocks that are not kept somebody should look at.

A judge of pairs is asked about pairs of which about half changed. In a text that somebody edited most sentences say the
same, so among the blocks that it is not sure of those whose wording alone changed are the many. What to look at are the
others: blocks that probably changed, and those with a fact that changed. What the text around a block says is no news
in it either: *Dissolve it* may become *Dissolve the pellet*.
"""

from __future__ import annotations

from collections.abc import Iterable

from usim.compare import Reason
from usim.judge import Judgement, Policy
from usim.lexicon import word_info
from usim.text import Span, tokenise
from usim.texts._moves import words_of

#: Kinds of reasons that name a fact which anybody can check, from this weight on.
FACTS = frozenset(
    "number unit time name negation opposite roles-swapped direction quantifier modality question scope claim relation "
    "comparison address fact".split()
)
FACT_WEIGHT = 0.6
#: Kinds whose words may stand in the text around instead.
_ADDED = frozenset(("participant-added", "modifier-added", "adverbial-added"))
_LOST = frozenset(("participant-lost", "modifier-lost"))
#: Kinds that only follow another reason, and the weight from which on one counts by itself.
_BESIDE, _COUNTS = frozenset(("unsupported",)), 0.5
#: So many characters on either side of a block are the text around it.
_AROUND = 300


def names_fact(judgement: Judgement, policy: Policy) -> bool:
    """Return whether a fact changed: by the ledger, or by one of the reasons that people are told."""
    return bool(judgement.ledger.against(policy)) or any(
        reason.kind in FACTS and reason.weight >= FACT_WEIGHT for reason in judgement.shown
    )


def is_said_around(reasons: Iterable[Reason], texts: tuple[str, str], spans: tuple[Span, Span]) -> bool:
    """Return whether all that speaks against a block stands in the text around it.

    Args:
        reasons: with places in the texts.
        texts: before and after the change.
        spans: where the block stands in each.
    """
    around = [
        words_of(text[max(0, start - _AROUND) : start] + " " + text[end : end + _AROUND])
        for text, (start, end) in zip(texts, spans, strict=True)
    ]
    is_found = False
    for reason in reasons:
        if not reason.is_shown or reason.kind in _BESIDE:
            continue
        gone, new = (
            " ".join(text[slice(*span)] for span in places)
            for text, places in zip(texts, (reason.source_spans, reason.target_spans), strict=True)
        )
        is_named = reason.kind == "sense" and _points(gone)
        own, where = (gone, around[1]) if reason.kind in _LOST else (new, around[0])
        words = words_of(own)
        if (reason.kind in _ADDED | _LOST or is_named) and words and words <= where:
            is_found = True
        elif reason.weight >= _COUNTS or reason.kind in ("sense", "reworded"):
            return False
    return is_found


def _points(text: str) -> bool:
    """Return whether a text is of words that only point at what another one names, such as *it* and *these*."""
    words = [token.text.lower() for token in tokenise(text)]
    return bool(words) and all(word_info(word).is_function for word in words)
