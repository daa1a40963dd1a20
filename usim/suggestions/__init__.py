"""Suggestions of a writing assistant or a correction system, put into sentences as a writer would."""

from usim.suggestions._inflect import Inflector
from usim.suggestions._place import OFFSETS, Edit, Placed, Suggestion, apply, check_span, put

__all__ = ["OFFSETS", "Edit", "Inflector", "Placed", "Suggestion", "apply", "check_span", "put"]
