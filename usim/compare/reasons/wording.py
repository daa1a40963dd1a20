"""How reasons are put into words: a sentence for people for each kind.

>>> say("opposite", "happy", "sad")
'“happy” became “sad”, the opposite'
>>> say("number", "", "three")
'The number changed: “three” is new'
"""

from __future__ import annotations

from usim.compare.reasons.kinds import SENTENCES


def say(case: str, old: str = "", new: str = "", **more: str) -> str:
    """Return the sentence of a kind, or of a case of it, about words of the source and of the output.

    Args:
        case: a key of :data:`usim.compare.reasons.kinds.SENTENCES`.
        old: the words of the source; empty where it has none.
        new: the words of the output.
        more: what else the sentence names.
    """
    return SENTENCES[case].format(old=quote(old or new), new=quote(new or old), change=_change(old, new), **more)


def quote(words: str) -> str:
    """Return words in quotation marks."""
    return f"“{words}”"


def _change(old: str, new: str) -> str:
    if not new:
        return f"{quote(old)} is gone"
    if not old:
        return f"{quote(new)} is new"
    return quote(old) if old.lower() == new.lower() else f"{quote(old)} became {quote(new)}"
