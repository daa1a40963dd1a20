"""Pairs of sentences for training the judge, made by the project itself.

``python -m judges.pairs --help`` says how to make them; ``judges/README.md`` what there is.
"""
