"""Words: WordNet, relations between words, lemmas, and the closed classes of English."""

from usim.lexicon._closed_classes import (
    NEGATIVE_PREFIXES,
    SHORT_FORMS,
    WordInfo,
    exchange_cost,
    have_opposite_prefixes,
    link_cost,
    word_info,
)
from usim.lexicon._lemmatise import FirstWordLemmatiser, Lemmatise, WordNetLemmatiser
from usim.lexicon._relations import WordRelation, relation
from usim.lexicon._variants import are_variants
from usim.lexicon.wordnet import Word, WordNet

__all__ = [
    "NEGATIVE_PREFIXES",
    "SHORT_FORMS",
    "FirstWordLemmatiser",
    "Lemmatise",
    "Word",
    "WordInfo",
    "WordNet",
    "WordNetLemmatiser",
    "WordRelation",
    "are_variants",
    "exchange_cost",
    "have_opposite_prefixes",
    "link_cost",
    "relation",
    "word_info",
]
