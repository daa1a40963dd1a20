"""Sentences made from frames and a lexicon of the project's own.

:mod:`~judging.pairs.templates.who` (roles), :mod:`~judging.pairs.templates.when` (links between scenes),
:mod:`~judging.pairs.templates.what` (amounts, scope, set phrases); :mod:`~judging.pairs.templates.family` makes pairs.
"""

from judging.pairs.templates import bank, family, what, when, who

__all__ = ["bank", "family", "what", "when", "who"]
