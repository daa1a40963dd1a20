"""The closed classes of English: the small words that carry negation, quantity, modality, person, direction, and links.

:func:`form_classes` tells which classes a form belongs to; a form can belong to several. The classes are coarse on
purpose: two words of one class may replace each other without changing what is said (*may*, *might*; *each*,
*every*), and the tables of costs say how grave a change to another class is, in [0, 1].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log1p
from types import MappingProxyType
from typing import NamedTuple

from usim.lexicon.numbers import may_count
from usim.lexicon.topics import topics
from usim.lexicon.wordnet import Word, WordNet

# -- negation --------------------------------------------------------------------------------------------------------

_NEGATORS = frozenset(
    "not n't n’t nt never no nobody nothing none nowhere neither nor cannot without "
    # as learners write them, in one word
    "dont doesnt didnt cant wont isnt arent wasnt werent havent hasnt hadnt couldnt wouldnt shouldnt mustnt".split()
)
_HALF_NEGATORS = frozenset("hardly scarcely barely".split())

#: Prefixes and endings that turn a word into its opposite.
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")

# -- quantity --------------------------------------------------------------------------------------------------------


def _table(**classes: str) -> dict[str, str]:
    return {word: name for name, words in classes.items() for word in words.split()}


def _costs(*groups: tuple[float, str]) -> Mapping[frozenset[str], float]:
    return {frozenset(pair.split()): cost for cost, pairs in groups for pair in pairs.split(",")}


def _exchange_cost(
    a: str | None, b: str | None, costs: Mapping[frozenset[str], float], alone: Mapping[str, float], other: float
) -> float:
    """Return the cost of class ``b`` in place of ``a``: ``alone`` where one is None, ``other`` for unlisted pairs."""
    if a == b:
        return 0.0
    if a is None or b is None:
        return alone[a or b or ""]
    return costs.get(frozenset((a, b)), other)


_QUANTIFIERS = _table(
    all="all every each everyone everybody everything everywhere entire whole",
    most="most mostly mainly majority",
    many="many much lots lot plenty numerous",
    several="several various",
    some="some someone somebody something somewhere",
    any="any anyone anybody anything anywhere either",
    few="few fewer minority",
    more="more",
    less="less least",
    both="both",
    half="half",
    enough="enough sufficient",
    only="only merely solely exclusively",
    almost="almost nearly virtually",
    always="always constantly forever continually",
    usually="usually normally generally typically commonly",
    often="often frequently regularly repeatedly",
    sometimes="sometimes occasionally",
    rarely="rarely seldom",
)
# The cost of one class in place of another; for pairs that are not here, _OTHER_QUANTITY.
_OTHER_QUANTITY = 0.6
_QUANTITY_COSTS = _costs(
    (0.0, "some any, almost most"),
    (0.1, "more most, less few"),
    (0.2, "some several, several many, all any, usually often, many enough, usually most, any both, many more"),
    (0.3, "all both, half some, sometimes some, all always, most usually, often many, almost only"),
    (0.4, "some many, often sometimes, always usually, any many, few several, any several"),
    (0.5, "some few, any few, rarely few"),
    (0.7, "most many, most some, usually sometimes, always often, rarely sometimes, all many"),
    (
        0.8,
        "all most, all some, all several, most few, often rarely, usually rarely, always sometimes, more "
        "less, more few, most less",
    ),
    (0.9, "all few, many few, always rarely"),
)
# The cost of a quantifier that is lost or added.
_QUANTITY_ALONE = MappingProxyType(
    {
        "all": 0.35, "most": 0.5, "many": 0.35, "several": 0.25, "some": 0.1, "any": 0.1, "few": 0.55, "both": 0.3,
        "half": 0.6, "enough": 0.4, "only": 0.6, "almost": 0.5, "always": 0.5, "usually": 0.45, "often": 0.4,
        "sometimes": 0.5, "rarely": 0.7, "more": 0.2, "less": 0.6,
    }
)  # fmt: skip


def quantity_cost(a: str | None, b: str | None) -> float:
    """Return the cost of a quantifier of class ``b`` in place of one of class ``a``; None for no quantifier."""
    return _exchange_cost(a, b, _QUANTITY_COSTS, _QUANTITY_ALONE, _OTHER_QUANTITY)


# -- modality and time -----------------------------------------------------------------------------------------------

_MODALS = _table(
    can="can could able ca",
    may="may might perhaps maybe possibly",
    probably="probably likely presumably apparently supposedly allegedly reportedly seemingly",
    should="should ought",
    must="must",
    need="need needs needed",
    certainly="certainly definitely surely undoubtedly clearly obviously inevitably",
    shall="shall",
    will="will 'll ’ll wo",
    would="would 'd ’d",
)
_MODAL_COSTS = _costs(
    (0.1, "must need, will would, should would, can would, shall will"),
    (0.2, "shall should, shall would, shall must"),
    (0.25, "can may, may probably, can will, should need"),
    (0.4, "must should, may would, will certainly, should can"),
    (0.6, "will may, probably certainly, will should, will probably, should may, need can, must will"),
    (0.8, "must may, must can, may certainly, need may, must would"),
)
_MODAL_ALONE = MappingProxyType(
    {
        "can": 0.25, "may": 0.55, "probably": 0.5, "should": 0.5, "must": 0.6, "need": 0.3, "certainly": 0.3,
        "will": 0.2, "would": 0.2, "shall": 0.3,
    }
)  # fmt: skip


def modal_cost(a: str | None, b: str | None) -> float:
    """Return the cost of a modal of class ``b`` in place of one of class ``a``; None for no modal."""
    return _exchange_cost(a, b, _MODAL_COSTS, _MODAL_ALONE, 0.5)


# -- person ----------------------------------------------------------------------------------------------------------

_PRONOUNS = _table(
    i="i me my mine myself",
    we="we us our ours ourselves",
    you="you your yours yourself yourselves u",
    he="he him his himself",
    she="she her hers herself",
    it="it its itself",
    they="they them their theirs themselves themself",
    one="one's oneself",
    this="this that these those",
)
_PERSON_COSTS = _costs(
    (0.0, "it this"),
    (0.1, "they this"),
    (0.2, "it they, one you, one we, one they, he this, she this, one it, i this, we this"),
    (0.35, "he they, she they, one he, one she, one i, you this"),
    (0.5, "i we, it he, it she, you we, you they, we they, i it, you it, we it"),
    (0.7, "i you, i he, i she, i they, we he, we she, you he, you she, he she"),
)


def person_cost(a: str, b: str) -> float:
    """Return the cost of a pronoun of person ``b`` in place of one of person ``a``."""
    return 0.0 if a == b else _PERSON_COSTS.get(frozenset((a, b)), 0.5)


# -- direction -------------------------------------------------------------------------------------------------------

_OPPOSED = (
    ("before", "after", 0.8),
    ("more", "less", 0.8), ("more", "fewer", 0.8), ("most", "least", 0.8), ("most", "fewest", 0.8),
    ("above", "below", 0.8), ("above", "under", 0.7), ("over", "under", 0.7), ("up", "down", 0.7),
    ("over", "below", 0.7),
    ("inside", "outside", 0.7), ("into", "from", 0.5), ("to", "from", 0.5), ("toward", "from", 0.6),
    ("towards", "from", 0.6), ("for", "against", 0.7), ("since", "until", 0.6), ("in", "out", 0.5), ("on", "off", 0.5),
    ("ahead", "behind", 0.7), ("with", "without", 0.8), ("with", "against", 0.5), ("beyond", "within", 0.6),
    ("earlier", "later", 0.8), ("behind", "before", 0.6), ("beneath", "above", 0.7), ("till", "since", 0.6),
    ("including", "excluding", 0.8), ("including", "except", 0.8), ("despite", "because", 0.8),
    ("away", "toward", 0.6), ("away", "towards", 0.6), ("preceding", "following", 0.8), ("prior", "after", 0.8),
    ("before", "following", 0.8), ("into", "out", 0.7), ("onto", "off", 0.7),
)  # fmt: skip
#: For a word of direction those that point the other way, and what it costs to confuse them.
OPPOSED: Mapping[str, dict[str, float]] = {word: {} for *pair, _ in _OPPOSED for word in pair}
for _a, _b, _cost in _OPPOSED:
    OPPOSED[_a][_b] = OPPOSED[_b][_a] = _cost

# -- links -----------------------------------------------------------------------------------------------------------

_LINKS: dict[str, frozenset[str]] = {
    word: frozenset(classes.split())
    for words, classes in (
        ("and &", "and"),
        ("also moreover furthermore besides additionally plus too", "and"),
        ("or either", "or"),
        ("but however nevertheless nonetheless", "but"),
        ("yet", "but"),
        ("although though despite notwithstanding albeit", "but"),
        ("while", "but when"),
        ("whereas", "but"),
        ("because cuz", "because"),
        ("since", "because when"),
        ("as", "because when like"),
        ("so thus therefore hence consequently accordingly", "so"),
        ("if provided", "if"),
        ("whether", "if whether"),
        ("unless", "unless"),
        ("when whenever once", "when"),
        ("until till", "until"),
        ("like", "like"),
        ("then", "so when"),
    )
    for word in words.split()
}
_LINK_COSTS = _costs(
    (0.15, "and so, and when, and but, when so, because like, when like"),
    (0.3, "if when, but so, and because, and like, until when"),
    (0.5, "because so, because when, and if, or if, so if, but or, or when"),
    (0.6, "and or, because if, but if, and unless, but when, and until, or because"),
    (0.75, "because but, if unless, because unless, when unless"),
)
_LINK_ALONE = MappingProxyType(
    {"and": 0.05, "or": 0.25, "but": 0.2, "because": 0.25, "so": 0.15, "if": 0.5, "unless": 0.7, "when": 0.25,
     "until": 0.4, "like": 0.1, "whether": 0.15}
)  # fmt: skip


def link_cost(a: frozenset[str] | None, b: frozenset[str] | None) -> float:
    """Return the cost of a connective of classes ``b`` in place of one of classes ``a``; None for no connective."""
    if a is None or b is None:
        return min(_LINK_ALONE[c] for c in (a or b or ()))
    if a & b:
        return 0.0
    return min(_LINK_COSTS.get(frozenset((x, y)), 0.5) for x in a for y in b)


# -- function words --------------------------------------------------------------------------------------------------

_ARTICLES = frozenset("a an the".split())
_BE = frozenset("be am is are was were been being 's ’s 'm ’m 're ’re".split())
_AUXILIARIES = _BE | frozenset(
    "do does did done doing have has had having 've ’ve 'd ’d get got gets getting going gonna used let lets".split()
)
_PREPOSITIONS = frozenset(
    "of in on at to from by for with about into onto over under above below between among through during within "
    "without against toward towards upon across along around behind beside besides beyond near off out outside inside "
    "since until till per via than as like up down amid past throughout except despite unlike regarding concerning "
    "according due amongst beneath before after following aboard alongside".split()
)
_OTHER_FUNCTION = frozenset(
    "who whom whose which what that there here how why where when whatever whoever whichever wherever however 's s ’s "
    "' ’ to etc such so very too just even also as else own same other another others please oh yes yeah ok okay "
    "mr mrs ms dr one ones thing things".split()
)
_DEGREE = frozenset(
    "very really quite so extremely rather pretty too fairly somewhat totally completely absolutely highly truly "
    "especially particularly just even actually basically simply indeed still already then now also again back "
    "together personally literally".split()
)
# Verbs that say how certain something is.
_EVIDENCE = _table(
    weak="suggest indicate imply seem appear believe guess suppose hope expect suspect assume claim allege doubt think",
    strong="prove show know confirm demonstrate establish realise realize reveal ensure guarantee",
)
_LIGHT = frozenset(
    "be have do make take get give go come put let become seem keep start begin want thing stuff people person fact "
    "way time place area situation process aspect level field issue kind type sort case matter part something".split()
)
#: Phrases whose words are all of function.
PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "in addition", "in order", "in spite", "in fact", "in front", "in case", "in general", "in particular",
        "in terms", "in conclusion", "in contrast", "in my opinion", "for example", "for instance", "of course",
        "a lot", "lots of", "a number of", "a great deal", "a bit", "kind of", "sort of", "at all", "at first",
        "at last", "at least", "as well", "as soon", "as long", "as far", "as a result", "on the other hand",
        "on the one hand",
        "on account", "on top", "because of", "due to", "instead of", "such as", "so that", "even though", "even if",
        "by means", "in the end", "first of all", "that is", "no doubt", "in other words", "according to", "next to",
        "in view", "with regard", "with respect", "in regard", "on behalf", "in favour", "in favor", "by the way",
        "at the same time", "from time to time", "in relation", "each other", "one another", "as if", "as though",
        "years old", "year old",
    )
)  # fmt: skip

# -- short forms -----------------------------------------------------------------------------------------------------

_SHORT: Mapping[str, str] = {
    short: word
    for word, shorts in (
        ("percent", "% pct"), ("dollar", "$ dollars usd"), ("euro", "€ euros eur"), ("pound", "£ pounds gbp"),
        ("kilometre", "km kms kilometers kilometer kilometres"), ("metre", "meter meters metres"),
        ("kilogram", "kg kgs kilo kilos kilograms kilogramme kilogrammes"), ("gram", "grams gramme grammes"),
        ("centimetre", "cm centimeter centimeters centimetres"),
        ("millimetre", "mm millimetres millimeter millimeters"),
        ("litre", "liter liters litres"), ("hour", "hrs hr hours"), ("minute", "mins min minutes"),
        ("second", "sec secs seconds"), ("mister", "mr mr."), ("doctor", "dr dr."), ("professor", "prof prof."),
        ("and", "&"), ("with", "w/"), ("television", "tv"), ("america", "usa u.s. u.s.a."), ("britain", "uk u.k."),
        ("january", "jan jan."), ("february", "feb feb."), ("august", "aug aug."), ("september", "sept sept. sep sep."),
        ("october", "oct oct."), ("november", "nov nov."), ("december", "dec dec."), ("monday", "mon mon."),
        ("tuesday", "tue tue. tues tues."), ("wednesday", "wed wed."), ("thursday", "thu thu. thurs"),
        ("friday", "fri fri."), ("saturday", "sat."), ("sunday", "sun."), ("information", "info"),
        ("photo", "photograph"),
        ("photos", "photographs"), ("phone", "telephone"), ("ok", "okay"), ("versus", "vs vs."), ("you", "u"),
        ("because", "cuz bc coz"), ("please", "pls plz"), ("approximately", "approx approx."), ("number", "no. nr nr."),
        ("exam", "examination"), ("exams", "examinations"), ("laboratory", "lab"), ("mathematics", "maths math"),
        ("department", "dept dept."), ("advertisement", "ad advert"), ("advertisements", "ads adverts"),
        ("refrigerator", "fridge"), ("bicycle", "bike"), ("bicycles", "bikes"), ("aeroplane", "plane airplane"),
        ("colour", "color"), ("centre", "center"), ("theatre", "theater"), ("favourite", "favorite"),
        ("towards", "toward"), ("til", "till until"),
    )
    for short in shorts.split()
}  # fmt: skip


def expand_short_form(form: str) -> str:
    """Return a form in full if it is short or has several spellings: *km*, *kilometers* → *kilometre*."""
    return _SHORT.get(form, form)


# -- forms -----------------------------------------------------------------------------------------------------------


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
_FOCUS_WORDS = frozenset(("even", "just", "also", "still", "again"))
_NOTHING: Mapping[str, float] = {}


@lru_cache(20000)
def form_classes(form: str) -> FormClasses:
    """Return the properties of a form in lower case.

    >>> form_classes("might").modal, form_classes("each").quantity, form_classes("car").is_content
    ('may', 'all', True)
    """
    quantity, modal, person = (table.get(form) for table in (_QUANTIFIERS, _MODALS, _PRONOUNS))
    links = _LINKS.get(form)
    negation = 1.0 if form in _NEGATORS else 0.7 if form in _HALF_NEGATORS else 0.0
    is_word = any(c.isalnum() for c in form)
    word = WordNet.shipped().word(form)
    is_function = (
        not is_word
        or bool(negation or person or links or (modal and modal not in ("need", "certainly", "probably")))
        or (quantity is not None and form not in _CONTENT_QUANTIFIERS)
        or any(form in words for words in (_ARTICLES, _AUXILIARIES, _PREPOSITIONS, _OTHER_FUNCTION))
    )
    frequency = 8.0 if is_function else log1p(word.count)
    is_degree = form in _DEGREE
    lemmas = {WordNet.shipped().lemma(n) for n in word.lemmas}
    is_light = not lemmas.isdisjoint(_LIGHT)
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
        form in _ARTICLES,
        form in _BE,
        form in _AUXILIARIES or modal in ("can", "may", "should", "must", "will", "would"),
        form in _PREPOSITIONS,
        is_degree,
        is_light,
        negation,
        quantity,
        modal,
        person,
        links,
        OPPOSED.get(form, _NOTHING),
        bool(negation or quantity in _FOCUS or form in _FOCUS_WORDS or modal),
        next((_EVIDENCE[lemma] for lemma in sorted(lemmas) if lemma in _EVIDENCE), None),
        any(c.isdigit() for c in form),
        may_count(form),
        frequency,
        says,
        WordNet.shipped().find(form) in WordNet.shipped().lemmas(form, "v"),
        word,
        topics(form),
    )


_CONTENT_QUANTIFIERS = frozenset(
    "entire whole majority numerous various minority sufficient plenty lot lots constantly forever "
    "continually frequently regularly repeatedly commonly typically normally generally".split()
)
