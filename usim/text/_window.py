"""The context of a sentence: the words around it in a longer text, which the encoder reads with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from usim.text._tokens import tokenise

#: The greatest number of word pieces that are read on each side of a sentence; whole tokens only.
CONTEXT_PIECES = 30
#: A token has one piece or more, so no more tokens than that are needed, and hardly ever this many characters.
_CHARACTERS = 40 * CONTEXT_PIECES


@dataclass(frozen=True, slots=True)
class Context:
    """The nearest tokens on both sides of a sentence; at least one side has some.

    Args:
        left, right: the tokens; :func:`context_between` and :func:`context_of` cut them out of a text.

    Raises:
        TypeError: a side is no tuple of strings, such as a text, which would be read letter by letter.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]

    def __post_init__(self) -> None:
        for side in ("left", "right"):
            tokens = getattr(self, side)
            if not isinstance(tokens, tuple) or not all(isinstance(token, str) for token in tokens):
                raise TypeError(
                    f"the {side} side of a context is {tokens!r:.60}, not a tuple of tokens: "
                    "use context_of(text, start, end)"
                )


@lru_cache(maxsize=64)
def context_between(before: str, after: str) -> Context | None:
    """Return the tokens beside a sentence, up to :data:`CONTEXT_PIECES` on each side; None if there are none.

    Args:
        before, after: the text on both sides of it.

    >>> context_between("He came.", "She went.")
    Context(left=('He', 'came', '.'), right=('She', 'went', '.'))
    """
    left = [token.text for token in tokenise(before[-_CHARACTERS:])]
    right = [token.text for token in tokenise(after[:_CHARACTERS])]
    # The cut may have gone through a word: drop the token beside it.
    left, right = left[len(before) > _CHARACTERS :], right[: len(right) - (len(after) > _CHARACTERS)]
    if not left and not right:
        return None
    return Context(tuple(left[-CONTEXT_PIECES:]), tuple(right[:CONTEXT_PIECES]))


def context_of(text: str, start: int, end: int) -> Context | None:
    """Return what stands around ``text[start:end]``, see :func:`context_between`.

    >>> context_of("He came. It rained. She went.", 9, 19)
    Context(left=('He', 'came', '.'), right=('She', 'went', '.'))
    >>> context_of(" It rained.", 1, 11) is None
    True
    """
    return context_between(text[max(0, start - _CHARACTERS - 1) : start], text[end : end + _CHARACTERS + 1])
