"""Suggestions of a writing assistant or a correction system, put into sentences as a writer would.

>>> from usim.suggestions import put
>>> put("She is an intimate friend.", 10, 18, "close").text
'She is a close friend.'
"""

from usim.suggestions._inflect import Inflector
from usim.suggestions._place import OFFSETS, Edit, Placed, apply, check_span, put
from usim.suggestions._suggestion import Suggestion

__all__ = [
    "OFFSETS",
    "Edit",
    "Inflector",
    "Placed",
    "Suggestion",
    "apply",
    "check_span",
    "put",
]
