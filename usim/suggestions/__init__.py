"""Suggestions of a writing assistant or a correction system, put into sentences as a writer would.

- :mod:`usim.suggestions.suggestion`: a suggestion, :class:`Suggestion`; :mod:`usim.records` reads files of them;
- :mod:`usim.suggestions.place`: puts a substitute into a sentence, with :mod:`~usim.suggestions.articles` and
  :mod:`~usim.suggestions.case`;
- :mod:`usim.suggestions.inflect`: puts a lemma into the form of the word that it replaces;
- :func:`usim.text.sentence_around`: finds the sentence around a place in a longer text.

>>> from usim.suggestions import put
>>> put("She is an intimate friend.", 10, 18, "close").text
'She is a close friend.'
"""

from __future__ import annotations

from usim.suggestions.inflect import Inflector
from usim.suggestions.place import Edit, Placed, apply, check_span, put
from usim.suggestions.suggestion import Inflect, Suggestion, difference
from usim.text import sentence_around, sentence_spans

__all__ = [
    "Edit",
    "Inflect",
    "Inflector",
    "Placed",
    "Suggestion",
    "apply",
    "check_span",
    "difference",
    "put",
    "sentence_around",
    "sentence_spans",
]
