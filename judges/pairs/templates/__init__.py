"""Sentences made from frames and a lexicon of the project's own, and pairs of them."""
