"""The closed classes of English: the small words that carry negation, quantity, modality, person, direction, and links.

:func:`word_info` returns the classes that a form belongs to; a form can belong to several. The classes are coarse on
purpose: two words of one class may replace each other without changing what is said (*may*, *might*; *each*,
*every*), and the tables of costs say how grave a change to another class is, in [0, 1].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log1p

from usim.lexicon.numbers import may_count
from usim.lexicon.tables import classes_of, read_tables, word_sets
from usim.lexicon.topics import topics
from usim.lexicon.wordnet import WordNet

_TABLES = read_tables("closed_classes.tsv")
_WORDS = word_sets("closed_classes.tsv")
_QUANTIFIERS, _MODALS, _PRONOUNS = (classes_of(_TABLES[kind]) for kind in ("quantifier", "modal", "pronoun"))
_LINKS = {word: frozenset(kinds.split()) for word, kinds in classes_of(_TABLES["link"]).items()}
_AUXILIARIES = _WORDS["be"] | _WORDS["auxiliaries"]
# Verbs that say how certain something is.
_EVIDENCE = classes_of(_TABLES["evidence"])
#: Short forms, and other spellings, with the form in full: *km*, *kilometers* → *kilometre*.
SHORT_FORMS: Mapping[str, str] = classes_of(_TABLES["short form"])
#: Prefixes and endings that turn a word into its opposite.
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
# Prefixes that say the opposite, mostly of terms that no dictionary has.
_OPPOSITE_PREFIXES = [
    pair.split("/") for pair in "hyper/hypo inter/intra intra/extra pre/post macro/micro endo/exo homo/hetero".split()
]

# What it costs to put a word of one class in place of one of another, and to lose or add a word.
_COSTS = {
    kind: {
        frozenset(pair.split()): float(cost)
        for cost, pairs in _TABLES[f"{kind} cost"].items()
        for pair in pairs.split(",")
    }
    for kind in ("quantity", "modal", "person", "link", "opposed", "tense", "stance", "preposition")
}
_ALONE = {
    kind: {name: float(cost) for name, cost in (entry.split("=") for entry in _TABLES[f"{kind} alone"][""].split())}
    for kind in ("quantity", "modal", "link", "stance")
}
#: For a word of direction those that point the other way, and what it costs to confuse them.
OPPOSED: dict[str, dict[str, float]] = {}
for _pair, _cost in _COSTS["opposed"].items():
    for _word in sorted(_pair):
        OPPOSED.setdefault(_word, {}).update(dict.fromkeys(_pair - {_word}, _cost))


#: What a pair costs that the tables do not have.
_OTHER = {"quantity": 0.6, "tense": 0.0, "stance": 0.55, "preposition": 0.0}


def exchange_cost(kind: str, a: str | None, b: str | None, other: float | None = None) -> float:
    """Return the cost of a word of class ``b`` in place of one of class ``a``; None for no such word.

    ``kind`` is ``quantity``, ``modal``, ``link`` or ``stance``, or, for two words only, ``person``, ``tense`` or
    ``preposition``. ``other`` is the cost of a pair that the table does not have.
    """
    if a == b:
        return 0.0
    if a is None or b is None:
        return _ALONE[kind][a or b or ""]
    return _COSTS[kind].get(frozenset((a, b)), _OTHER.get(kind, 0.5) if other is None else other)


def link_cost(a: frozenset[str] | None, b: frozenset[str] | None) -> float:
    """Return the cost of a connective of classes ``b`` in place of one of classes ``a``; None for no connective."""
    return min(exchange_cost("link", x, y) for x in a or (None,) for y in b or (None,))


class WordInfo:
    """The properties of a form, out of context.

    Attributes:
        is_word: whether it has a letter or a digit.
        is_function: whether it is an article, auxiliary, preposition, pronoun, conjunction, … or no word.
        is_content: whether it is a word, but not a function word.
        is_article, is_be, is_auxiliary, is_preposition, is_degree, is_light: what kind; light verbs say little.
        negation: 1 for a negator, 0.7 for *hardly* and its like, 0 for others.
        quantity, modal, person: its class, or None.
        links: its classes as a connective, or None.
        opposed: the words that point the other way, with their costs; empty for most.
        is_focus: whether its place says what it applies to: negators, *only*, *often*, *even*, modals.
        evidence: ``weak`` or ``strong`` for verbs of certainty, or None.
        digits: whether it has a digit.
        counts: whether a number may begin with it.
        frequency: log(1 + its count in WordNet's texts), 8 for function words.
        informativeness: how much it contributes to the meaning, in [0, 1]: 0 for marks, 0.1 for function words, 0.6
            for negators, 0.4 for light verbs and words of degree; for others higher the rarer they are.
        is_plain_verb: whether it is a verb in the form of a dictionary entry.
        topics: what it may be about, of :data:`usim.lexicon.topics.TOPICS`.
    """

    def __init__(self, form: str) -> None:
        net = WordNet.shipped()
        self.form = form
        self.word = net.word(form)
        lemmas = {net.lemma(n) for n in self.word.lemmas}
        self.quantity, self.modal, self.person = (table.get(form) for table in (_QUANTIFIERS, _MODALS, _PRONOUNS))
        self.links = _LINKS.get(form)
        self.negation = 1.0 if form in _WORDS["negators"] else 0.7 if form in _WORDS["half negators"] else 0.0
        self.is_word = any(c.isalnum() for c in form)
        self.is_article, self.is_be = form in _WORDS["articles"], form in _WORDS["be"]
        self.is_auxiliary = form in _AUXILIARIES or self.modal in ("can", "may", "should", "must", "will", "would")
        self.is_preposition, self.is_degree = form in _WORDS["prepositions"], form in _WORDS["degree"]
        self.is_light = not lemmas.isdisjoint(_WORDS["light"])
        self.is_function = (
            not self.is_word
            or bool(self.negation or self.person or self.links)
            or (self.modal is not None and self.modal not in ("need", "certainly", "probably"))
            or (self.quantity is not None and form not in _WORDS["content quantifiers"])
            or (
                self.is_article or self.is_preposition or form in _AUXILIARIES or form in _WORDS["other function words"]
            )
        )
        self.is_content = self.is_word and not self.is_function
        self.opposed: Mapping[str, float] = OPPOSED.get(form, _NOTHING)
        self.is_focus = bool(self.negation or self.quantity in _FOCUS or form in _WORDS["focus"] or self.modal)
        self.evidence = next((_EVIDENCE[lemma] for lemma in sorted(lemmas) if lemma in _EVIDENCE), None)
        self.digits = any(c.isdigit() for c in form)
        self.counts = may_count(form)
        self.frequency = 8.0 if self.is_function else log1p(self.word.count)
        self.informativeness = 0.4 if self.is_light or self.is_degree else 1.0 - 0.05 * min(self.frequency, 8.0)
        if self.is_function:
            self.informativeness = 0.0 if not self.is_word else 0.6 if self.negation else 0.1
        self.is_plain_verb = net.find(form) in net.lemmas(form, "v")
        self.topics = topics(form)


_FOCUS = frozenset(("only", "almost", "always", "usually", "often", "sometimes", "rarely", "most", "all"))
_NOTHING: Mapping[str, float] = {}


def have_opposite_prefixes(x: str, y: str) -> bool:
    """Return whether two words in lower case differ only in prefixes that say the opposite.

    >>> have_opposite_prefixes("hyperglycaemia", "hypoglycaemia"), have_opposite_prefixes("interact", "intact")
    (True, False)
    """
    return any(
        a.startswith(first) and b.startswith(second) and len(a) > len(first) + 2 and a[len(first) :] == b[len(second) :]
        for first, second in _OPPOSITE_PREFIXES
        for a, b in ((x, y), (y, x))
    )


@lru_cache(20000)
def word_info(form: str) -> WordInfo:
    """Return the properties of a form in lower case.

    >>> word_info("might").modal, word_info("each").quantity, word_info("car").is_content
    ('may', 'all', True)
    """
    return WordInfo(form)
