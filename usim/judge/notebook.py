"""HTML of results for notebooks: the verdict, the sentences with the words that reasons are about, the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from usim.compare import Reason
from usim.judge._base import Verdict
from usim.text import printable

_COLOURS: dict[Verdict, str] = {"keep": "#1a7f37", "review": "#9a6700", "drop": "#b3261e"}


def verdict_html(verdict: Verdict, faithfulness: float, usim: float) -> str:
    """Return a verdict and its figures as a paragraph."""
    colour = _COLOURS[verdict]
    return f'<p><b style="color: {colour}">{verdict}</b> faithfulness {faithfulness:.3f}, USim {usim:.3f}</p>'


def tokens_html(tokens: Sequence[str], reasons: Iterable[tuple[Sequence[int], str]]) -> str:
    """Return a sentence as a paragraph in which the tokens of reasons are marked, with the texts of these.

    >>> tokens_html(["He", "left"], [((1,), "another word")])
    '<p>He <mark title="another word">left</mark></p>'
    """
    notes: dict[int, list[str]] = {}
    for places, text in reasons:
        for place in places:
            notes.setdefault(place, []).append(text)
    words = []
    for place, token in enumerate(tokens):
        word = _escape(token)
        words.append(f'<mark title="{_escape("; ".join(notes[place]))}">{word}</mark>' if place in notes else word)
    return f"<p>{' '.join(words)}</p>"


def reasons_html(reasons: Sequence[Reason]) -> str:
    """Return reasons as a list; nothing if there are none."""
    items = "".join(f"<li>{_escape(reason.text)}</li>" for reason in reasons)
    return f"<ul>{items}</ul>" if items else ""


def text_html(text: str) -> str:
    """Return a text as a paragraph."""
    return f"<p>{_escape(text)}</p>"


def _escape(text: str) -> str:
    return escape(printable(text))
