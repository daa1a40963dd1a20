"""Simple systems for SWS, ProLex and SWORDS, to compare yours with.

Each has a ``signature``; most are called with the words of a sentence and return spans with suggestions, and give
``substitutes`` for a target that is known.
"""
