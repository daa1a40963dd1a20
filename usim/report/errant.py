"""Types of errors by ERRANT (Bryant, Felice and Briscoe 2017), where it is installed."""

from __future__ import annotations

from collections.abc import Callable

from usim.errors import InputError
from usim.text import token_texts


def load_errant() -> Callable[[str, str], list[str]]:
    """Return what gives the types of the edits between two sentences, such as ``R:VERB:SVA``, each once.

    Raises:
        InputError: ERRANT, or the model of spaCy that it needs, is not installed.
    """
    try:
        import errant

        annotator = errant.load("en")
    except (ImportError, OSError) as e:  # spaCy raises an OSError where it has no model
        needed = "pip install errant; python -m spacy download en_core_web_sm"
        raise InputError(f"types of errors need a file of M2, which has them, or ERRANT ({needed}): {e}") from e

    def error_types(source: str, output: str) -> list[str]:
        original, corrected = (annotator.parse(" ".join(token_texts(text))) for text in (source, output))
        return sorted({edit.type for edit in annotator.annotate(original, corrected)} - {"noop"})

    return error_types
