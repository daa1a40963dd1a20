"""Pairs of sentences for training the judge, made by the project itself.

``python -m judging.pairs --help`` says how to make them; ``judging/README.md`` what there is.
"""

from judging.pairs.pair import Change, Pair

__all__ = ["Change", "Pair"]
