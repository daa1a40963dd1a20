"""Words: WordNet, relations between words, lemmas, numbers, and the closed classes of English."""

from __future__ import annotations

from usim.lexicon.relations import WordRelation, frequency, relation, word
from usim.lexicon.wordnet import Word, WordNet

__all__ = ["Word", "WordNet", "WordRelation", "frequency", "relation", "word"]
