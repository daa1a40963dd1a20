"""Corrections of misspellings: whether a misspelt word was corrected to the one that the writer meant.

A misspelling says nothing by itself, so there is no meaning that could have been kept; what counts is what the writer
meant. Whether a correction hits it can be told from the letters of both words, their sound, how people misspell, how
frequent both are, and the words around them. :class:`CorrectionModel` tells it by boosted trees over such features,
which ``judges/corrections`` trains on clean text with errors put in.
"""

from usim.spelling.model import Correction, CorrectionModel, Corrections

__all__ = ["Correction", "CorrectionModel", "Corrections"]
