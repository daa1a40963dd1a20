"""Sentences made from frames and a lexicon of the project's own.

:mod:`~judges.pairs.templates.who` (roles), :mod:`~judges.pairs.templates.when` (links between scenes),
:mod:`~judges.pairs.templates.what` (amounts, scope, set phrases); :mod:`~judges.pairs.templates.family` makes pairs.
"""

from judges.pairs.templates import bank, family, what, when, who

__all__ = ["bank", "family", "what", "when", "who"]
