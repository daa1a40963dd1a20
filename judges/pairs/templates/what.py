"""Frames about what is said of things: how many, scope, opposites, set phrases, phrasal verbs, senses of words."""

from __future__ import annotations

from pathlib import Path

from judges.pairs.tables import Table
from judges.pairs.templates.family import Family, frame
from judges.pairs.templates.lexicon import (
    CITIES,
    COLOURS,
    JOBS,
    NUMBERS,
    PLACES,
    SMALL,
    THING_SCALES,
    THINGS,
    TIMES,
    Draw,
    a,
    more,
    most,
    past,
)
from judges.pairs.templates.wordings import Wordings
from training.forms import lemma

_wordings = Wordings(Path(__file__).with_suffix(".txt"))
_GROUPS, _DID = _wordings.words("groups"), _wordings.words("did")


def _not(did: str) -> str:
    """Return the negation of what a group did."""
    verb, _, rest = did.partition(" ")
    return f"were not {rest}" if verb == "were" else f"did not {lemma(verb, 'VBD')} {rest}"


@frame(2.5)
def quantities(draw: Draw) -> Family:
    """How many of a group."""
    group = draw.one([g for g in _GROUPS if g not in ("houses", "shops")])
    did = draw.one(_DID)
    neg = _not(did)
    forms = [
        [
            f"all the {group} {did}",
            f"all of the {group} {did}",
            f"none of the {group} {neg}".replace("were not", "were not"),
            f"there was no exception: the {group} all {did}",
        ],
        _wordings("quantities.forms", did=did, group=group, neg=neg),
        _wordings("quantities.forms-2", did=did, group=group),
        _wordings("quantities.forms-3", did=did, group=group, neg=neg),
        _wordings("quantities.forms-4", did=did, group=group),
        [
            f"half of the {group} {did}",
            f"50% of the {group} {did}",
            f"one {group[:-1] if group != 'children' else 'child'} in two {did}",
        ],
        _wordings("quantities.forms-5", did=did, group=group, neg=neg),
        _wordings("quantities.forms-6", did=did, group=group),
        _wordings("quantities.forms-7", did=did, group=group, neg=neg),
    ]
    if group == "children":
        forms[5] = forms[5][:2]
    return Family(draw.rng.sample(forms, 2), 0.92, 0.08)


@frame(1.5)
def counts(draw: Draw) -> Family:
    """An exact number, a bound, an approximation."""
    group, did = draw.one(_GROUPS[:10]), draw.one(_DID)
    n, m = draw.rng.sample(NUMBERS[3:], 2)
    figure = {
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "twelve": 12,
        "fifteen": 15,
        "twenty": 20,
        "thirty": 30,
        "forty": 40,
        "fifty": 50,
    }
    f = figure[n]
    forms = _wordings.meanings("counts.forms", did=did, f=f, group=group, m=m, n=n)
    return Family(draw.rng.sample(forms, 2), 0.93, 0.08)


@frame(1.2)
def amounts(draw: Draw) -> Family:
    """The same amount or another one, in other words."""
    forms = draw.of(
        (
            (("twelve", "a dozen", "12"), ("twenty", "20", "a score of"), ("ten", "10")),
            (
                ("half of", "50% of", "fifty per cent of"),
                ("a quarter of", "25% of", "25 percent of"),
                ("a third of", "one third of"),
            ),
            (("twice as many as", "double the number of"), ("half as many as", "half the number of")),
        )
    )
    x = draw.name().text
    if forms[0][0] == "twelve":
        what = draw.one("eggs|roses|bottles|chairs|letters".split("|"))
        verb = draw.one(("bought", "ordered", "counted", "sold", "found"))
        return Family([[f"{x} {verb} {n} {what}" for n in m] for m in forms], 0.96, 0.04)
    if forms[0][0] == "half of":
        what = draw.one(("the money", "the cake", "the land", "the profit", "the population"))
        verb = draw.one(("lost", "got", "owned", "studied", "described"))
        return Family([[f"{x} {verb} {n} {what}" for n in m] for m in forms], 0.96, 0.05)
    y, what = draw.name().text, draw.one(("books", "votes", "points", "customers"))
    one, two = _wordings.meanings("amounts", what=what, x=x, y=y)
    return Family([one, two], 0.95, 0.04)


@frame(1.0)
def clock(draw: Draw) -> Family:
    """The time of day, in figures and in words; days and lengths of time."""
    x, deed = draw.person().text, draw.deed()
    forms = draw.of(
        (
            (
                ("at half past three", "at 3:30", "at three thirty"),
                ("at half past four", "at 4:30"),
                ("at three o'clock", "at 3 o'clock"),
            ),
            (("at a quarter to six", "at 5:45"), ("at a quarter past six", "at 6:15"), ("at six o'clock", "at 6:00")),
            (("at noon", "at midday", "at twelve o'clock in the day"), ("at midnight", "at twelve o'clock at night")),
            (
                ("two weeks ago", "a fortnight ago"),
                ("two months ago", "eight weeks ago"),
                ("two days ago", "the day before yesterday"),
            ),
            (
                ("ten years ago", "a decade ago"),
                ("a hundred years ago", "a century ago"),
                ("a year ago", "twelve months ago"),
            ),
            (
                ("every day", "daily"),
                ("every week", "weekly", "once a week"),
                ("every year", "annually", "once a year"),
            ),
            (
                ("twice a week", "two times a week"),
                ("once a week", "one time a week"),
                ("three times a week", "3 times a week"),
            ),
            (("on Saturday and Sunday", "at the weekend"), ("on weekdays", "from Monday to Friday")),
            (("in the morning", "before noon"), ("in the evening", "before night"), ("in the afternoon", "after noon")),
            (
                ("in the 1990s", "in the nineties"),
                ("in the 1960s", "in the sixties"),
                ("in the 1980s", "in the eighties"),
            ),
        )
    )
    return Family([[f"{x} {past(deed)} {t}" for t in m] for m in forms], 0.95, 0.05)


@frame(1.2)
def only(draw: Draw) -> Family:
    """Where *only* and *even* stand."""
    x, y = draw.name().text, draw.name().text
    verb = draw.one("invite help thank photograph interview visit teach".split())
    one, two = _wordings.meanings("only", verb=verb, x=x, y=y)
    three = [f"even {x} {past(verb)} {y}"]
    four = _wordings("only.four", verb=verb, x=x, y=y)
    meanings = [one, draw.of((two, three, four))]
    return Family(meanings, 0.95, 0.06)


@frame(1.2)
def scope(draw: Draw) -> Family:
    """What is denied: the deed, the reason, the one who did it."""
    x, y = draw.name(), draw.name()
    deed, why = (
        draw.deed(),
        draw.one(("for the money", "out of fear", "for fun", "by accident", "on purpose", "out of pity")),
    )
    one, two, three, four = _wordings.meanings("scope", deed=deed, why=why, x=x, y=y)
    meanings = [one, two] if draw.rng.random() < 0.5 else [three, four]
    return Family(meanings, 0.95, 0.05)


@frame(1.2)
def complement(draw: Draw) -> Family:
    """To do or doing: stop, remember, forget, try, regret."""
    x = draw.person()
    deed = draw.deed()
    forms = _wordings.meanings("complement.forms", deed=deed, x=x)
    return Family(draw.rng.sample(forms, 2), 0.92, 0.06)


@frame(1.0)
def exists(draw: Draw) -> Family:
    """There is something somewhere."""
    place, thing = draw.one(PLACES), draw.one(THINGS)
    other_place, other = draw.one(PLACES), draw.one(THINGS)

    def there(thing: str, place: str) -> list[str]:
        return _wordings("exists.there", place=place, thing=thing)

    none, many = _wordings.meanings("exists", place=place, thing=thing)
    many = [m.replace("knifes", "knives").replace("watchs", "watches") for m in many]
    meanings = [there(thing, place), draw.of((there(other, place), there(thing, other_place), none, none, many))]
    return Family(meanings, 0.95, 0.06)


@frame(1.3)
def things_compared(draw: Draw) -> Family:
    """Two things on a scale, and superlatives."""
    high, low = draw.of(THING_SCALES)
    one, two = f"the {draw.one(THINGS)}", f"the {draw.one(THINGS)}"
    be = draw.one(("is", "was"))
    draw_ = draw.rng.random()
    if draw_ < 0.5:

        def above(x: str, y: str) -> list[str]:
            return _wordings("things_compared.above", be=be, high=high, low=low, x=x, y=y)[: 4 if draw_ < 0.2 else 3]

        return Family([above(one, two), above(two, one)], 0.92, 0.04)
    thing = draw.one(THINGS)
    group = draw.one(("of all", "in the world", "that I know", "that we have", "that can be bought here"))
    top, bottom = _wordings.meanings("things_compared", group=group, high=high, low=low, thing=thing)
    one_of = [
        f"this is one of the {most(high)} {thing}s {group}".replace("knifes", "knives").replace("watchs", "watches")
    ]
    if group == "of all":
        top, bottom = (
            [*top[:1], f"there is no {more(high)} {thing} than this one"],
            [*bottom[:1], f"there is no {more(low)} {thing} than this one"],
        )
    return Family([top, draw.of((bottom, bottom, one_of))], 0.93, 0.05)


@frame(1.0)
def coloured(draw: Draw) -> Family:
    """Which of two things is which."""
    x = draw.person().text
    (p, q) = draw.rng.sample(COLOURS, 2) if draw.rng.random() < 0.5 else draw.of(THING_SCALES)
    one, two = draw.one(SMALL), draw.one(SMALL)
    verb = draw.one(("bought", "lost", "found", "brought", "wanted", "carried", "forgot"))

    def said(p: str, q: str) -> list[str]:
        return [
            f"{x} {verb} {a(f'{p} {one}')} and {a(f'{q} {two}')}",
            f"{x} {verb} {a(f'{q} {two}')} and {a(f'{p} {one}')}",
            f"{x} {verb} {a(one)} and {a(two)}; the {one} was {p} and the {two} was {q}",
            f"{x} {verb} {a(one)}, which was {p}, and {a(two)}, which was {q}",
        ]

    return Family([said(p, q), said(q, p)], 0.94, 0.05)


# -- set phrases -----------------------------------------------------------------------------------------------------

_SET_PHRASES = Table(Path(__file__).with_name("set_phrases.txt")).contrasts("set_phrases")
_SENSES = Table(Path(__file__).with_name("senses.txt")).contrasts("senses")


@frame(5.0)
def set_phrases(draw: Draw) -> Family:
    """Light verbs, phrasal verbs, idioms."""
    x = draw.person()
    _, same, other = draw.of(_SET_PHRASES)
    tail = draw.one(("", "", "", f" {draw.one(TIMES)}", f" in {draw.one(CITIES)}"))
    if len(same) == 1:
        same = (same[0], same[0])
    different = draw.of(other)
    return Family([[f"{x.text} {p}{tail}" for p in same], [f"{x.text} {different}{tail}"]], 0.9, 0.06, key=same[0])


@frame(3.5)
def senses(draw: Draw) -> Family:
    """A word in one of its senses; a synonym of that, and of another one."""
    text, same, other = draw.of(_SENSES)
    different = [text.replace("{}", draw.of(other))]
    return Family([[text.replace("{}", w) for w in same], different], 0.9, 0.08, key=text)


@frame(1.0)
def double_negation(draw: Draw) -> Family:
    """Not impossible, not without, no doubt."""
    x = draw.person()
    deed = draw.deed()
    forms = draw.of(
        (
            _wordings.meanings("double_negation.forms", deed=deed, x=x),
            _wordings.meanings("double_negation.forms-2", deed=deed, x=x),
            _wordings.meanings("double_negation.forms-3", deed=deed, x=x),
            _wordings.meanings("double_negation.forms-4", deed=deed, x=x),
            _wordings.meanings("double_negation.forms-5", deed=deed, x=x),
            _wordings.meanings("double_negation.forms-6", deed=deed, x=x),
        )
    )
    return Family(forms, 0.92, 0.04)


@frame(1.0)
def believed(draw: Draw) -> Family:
    """Whether it is so, and who says so."""
    x, y = draw.name().text, draw.person().text
    deed = draw.deed()
    forms = _wordings.meanings("believed.forms", deed=deed, x=x, y=y)
    return Family(draw.rng.sample(forms, 2), 0.92, 0.07)


@frame(0.8)
def habits(draw: Draw) -> Family:
    """How often."""
    x, deed = draw.person().text, draw.deed()
    forms = _wordings.meanings("habits.forms", deed=deed, x=x)
    return Family(draw.rng.sample(forms, 2), 0.93, 0.1)


@frame(0.8)
def possession(draw: Draw) -> Family:
    """What somebody has, lacks, wants, lost."""
    x, thing = draw.person().text, draw.one(THINGS)
    forms = _wordings.meanings("possession.forms", thing=thing, x=x)
    forms[-1] = [f.replace("knifes", "knives").replace("watchs", "watches") for f in forms[-1]]
    return Family(draw.rng.sample(forms, 2), 0.93, 0.05)


@frame(0.8)
def jobs(draw: Draw) -> Family:
    """What somebody is, was, wants to be, is not."""
    x, job = draw.name().text, draw.one(JOBS)
    forms = _wordings.meanings("jobs.forms", job=job, x=x)
    return Family(draw.rng.sample(forms, 2), 0.93, 0.05)
