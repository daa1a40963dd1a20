"""The closed classes of English: the small words that carry negation, quantity, modality, person, direction, and links.

:func:`form_classes` tells which classes a form belongs to; a form can belong to several. The classes are coarse on
purpose: two words of one class may replace each other without changing what is said (*may*, *might*; *each*,
*every*), and the tables of costs say how grave a change to another class is, in [0, 1].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log1p
from typing import NamedTuple

from usim.lexicon.numbers import may_count
from usim.lexicon.tables import classes_of, read_tables, word_sets
from usim.lexicon.topics import topics
from usim.lexicon.wordnet import Word, WordNet

_TABLES = read_tables("closed_classes.tsv")
_WORDS = word_sets("closed_classes.tsv")
_QUANTIFIERS, _MODALS, _PRONOUNS = (classes_of(_TABLES[kind]) for kind in ("quantifier", "modal", "pronoun"))
_LINKS = {word: frozenset(kinds.split()) for word, kinds in classes_of(_TABLES["link"]).items()}
_AUXILIARIES = _WORDS["be"] | _WORDS["auxiliaries"]
# Verbs that say how certain something is.
_EVIDENCE = classes_of(_TABLES["evidence"])
#: Phrases whose words are all of function.
PHRASES = frozenset(tuple(phrase.split()) for phrase in _TABLES["phrases"][""].split(","))
#: Short forms, and other spellings, with the form in full: *km*, *kilometers* → *kilometre*.
SHORT_FORMS: Mapping[str, str] = classes_of(_TABLES["short form"])
#: Prefixes and endings that turn a word into its opposite.
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")

# What it costs to put a word of one class in place of one of another, and to lose or add a word.
_COSTS = {
    kind: {
        frozenset(pair.split()): float(cost)
        for cost, pairs in _TABLES[f"{kind} cost"].items()
        for pair in pairs.split(",")
    }
    for kind in ("quantity", "modal", "person", "link", "opposed")
}
_ALONE = {
    kind: {name: float(cost) for name, cost in (entry.split("=") for entry in _TABLES[f"{kind} alone"][""].split())}
    for kind in ("quantity", "modal", "link")
}
#: For a word of direction those that point the other way, and what it costs to confuse them.
OPPOSED: dict[str, dict[str, float]] = {}
for _pair, _cost in _COSTS["opposed"].items():
    for _word in sorted(_pair):
        OPPOSED.setdefault(_word, {}).update(dict.fromkeys(_pair - {_word}, _cost))


def _exchange_cost(kind: str, a: str | None, b: str | None, other: float = 0.5) -> float:
    """Return the cost of class ``b`` in place of ``a``; ``other`` where the tables do not have the pair."""
    if a == b:
        return 0.0
    if a is None or b is None:
        return _ALONE[kind][a or b or ""]
    return _COSTS[kind].get(frozenset((a, b)), other)


def quantity_cost(a: str | None, b: str | None) -> float:
    """Return the cost of a quantifier of class ``b`` in place of one of class ``a``; None for no quantifier."""
    return _exchange_cost("quantity", a, b, other=0.6)


def modal_cost(a: str | None, b: str | None) -> float:
    """Return the cost of a modal of class ``b`` in place of one of class ``a``; None for no modal."""
    return _exchange_cost("modal", a, b)


def person_cost(a: str, b: str) -> float:
    """Return the cost of a pronoun of person ``b`` in place of one of person ``a``."""
    return _exchange_cost("person", a, b)


def link_cost(a: frozenset[str] | None, b: frozenset[str] | None) -> float:
    """Return the cost of a connective of classes ``b`` in place of one of classes ``a``; None for no connective."""
    return min(_exchange_cost("link", x, y) for x in a or (None,) for y in b or (None,))


class FormClasses(NamedTuple):
    """The properties of a form, out of context.

    Attributes:
        form: the form, in lower case.
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
        says: how much it says, in [0, 1]: 0 for marks, 0.1 for function words, 0.6 for negators, 0.4 for light verbs
            and words of degree, for others more the rarer they are.
        is_plain_verb: whether it is a verb in the form of a dictionary entry.
        word: what WordNet knows about it.
        topics: what it may be about, bits of :mod:`usim.lexicon.topics`.
    """

    form: str
    is_word: bool
    is_function: bool
    is_content: bool
    is_article: bool
    is_be: bool
    is_auxiliary: bool
    is_preposition: bool
    is_degree: bool
    is_light: bool
    negation: float
    quantity: str | None
    modal: str | None
    person: str | None
    links: frozenset[str] | None
    opposed: Mapping[str, float]
    is_focus: bool
    evidence: str | None
    digits: bool
    counts: bool
    frequency: float
    says: float
    is_plain_verb: bool
    word: Word
    topics: int


_FOCUS = frozenset(("only", "almost", "always", "usually", "often", "sometimes", "rarely", "most", "all"))
_NOTHING: Mapping[str, float] = {}


@lru_cache(20000)
def form_classes(form: str) -> FormClasses:
    """Return the properties of a form in lower case.

    >>> form_classes("might").modal, form_classes("each").quantity, form_classes("car").is_content
    ('may', 'all', True)
    """
    quantity, modal, person = (table.get(form) for table in (_QUANTIFIERS, _MODALS, _PRONOUNS))
    links = _LINKS.get(form)
    negation = 1.0 if form in _WORDS["negators"] else 0.7 if form in _WORDS["half negators"] else 0.0
    is_word = any(c.isalnum() for c in form)
    word = WordNet.shipped().word(form)
    is_function = (
        not is_word
        or bool(negation or person or links or (modal and modal not in ("need", "certainly", "probably")))
        or (quantity is not None and form not in _WORDS["content quantifiers"])
        or form in _AUXILIARIES
        or any(form in _WORDS[kind] for kind in ("articles", "prepositions", "other function words"))
    )
    frequency = 8.0 if is_function else log1p(word.count)
    is_degree = form in _WORDS["degree"]
    lemmas = {WordNet.shipped().lemma(n) for n in word.lemmas}
    is_light = not lemmas.isdisjoint(_WORDS["light"])
    if not is_word:
        says = 0.0
    elif is_function:
        says = 0.6 if negation else 0.1
    else:
        says = 0.4 if is_light or is_degree else 1.0 - 0.05 * min(frequency, 8.0)
    return FormClasses(
        form,
        is_word,
        is_function,
        is_word and not is_function,
        form in _WORDS["articles"],
        form in _WORDS["be"],
        form in _AUXILIARIES or modal in ("can", "may", "should", "must", "will", "would"),
        form in _WORDS["prepositions"],
        is_degree,
        is_light,
        negation,
        quantity,
        modal,
        person,
        links,
        OPPOSED.get(form, _NOTHING),
        bool(negation or quantity in _FOCUS or form in _WORDS["focus"] or modal),
        next((_EVIDENCE[lemma] for lemma in sorted(lemmas) if lemma in _EVIDENCE), None),
        any(c.isdigit() for c in form),
        may_count(form),
        frequency,
        says,
        WordNet.shipped().find(form) in WordNet.shipped().lemmas(form, "v"),
        word,
        topics(form),
    )
