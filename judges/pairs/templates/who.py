"""Frames about who does what to whom: voice, clefts, dative, converses, control, relative clauses, speech."""

from __future__ import annotations

from pathlib import Path

from judges.pairs.templates.family import Family, frame
from judges.pairs.templates.lexicon import (
    ANIMALS,
    BETWEEN,
    BETWEEN_ANIMALS,
    CITIES,
    COUNTRIES,
    EVENTS,
    FOODS,
    HANDLE,
    JOBS,
    NUMBERS,
    PEOPLE,
    PLACES,
    SCALES,
    SMALL,
    STATES,
    THINGS,
    TIMES,
    WHERE,
    Draw,
    Person,
    a,
    done,
    past,
)
from judges.pairs.templates.wordings import Wordings
from training.forms import form

_wordings = Wordings(Path(__file__).with_suffix(".txt"))


def _acts(x: str, verb: str, y: str, tail: str = "") -> list[str]:
    """Return the ways to say that x did something to y."""
    return _wordings("acts", tail=tail, verb=verb, x=x, y=y)


@frame(4.0)
def roles(draw: Draw) -> Family:
    """One person does something to another, or the other way round."""
    x, y, verb = draw.person().text, draw.person().text, draw.one(BETWEEN)
    tail = f" {draw.one(TIMES)}" if draw.rng.random() < 0.35 else f" {draw.one(WHERE)}" * (draw.rng.random() < 0.3)
    meanings = [_acts(x, verb, y, tail), _acts(y, verb, x, tail)]
    if draw.rng.random() < 0.25:
        meanings[1] = _acts(draw.person().text, verb, y, tail)
    elif draw.rng.random() < 0.25:
        meanings[1] = _acts(x, draw.one(BETWEEN), y, tail)
    return Family(meanings, 0.95, 0.03)


@frame(1.5)
def animals(draw: Draw) -> Family:
    """The same for animals."""
    x, y, verb = f"the {draw.one(ANIMALS)}", f"the {draw.one(ANIMALS)}", draw.one(BETWEEN_ANIMALS)
    tail = f" {draw.one(WHERE)}" if draw.rng.random() < 0.4 else ""
    return Family([_acts(x, verb, y, tail), _acts(y, verb, x, tail)], 0.95, 0.03)


@frame(1.5)
def handled(draw: Draw) -> Family:
    """Somebody does something to a thing; somebody else, or to another thing."""
    x, thing, verb = draw.person().text, draw.thing(), draw.one(HANDLE)
    tail = f" {draw.one(TIMES)}" if draw.rng.random() < 0.4 else ""
    draw_ = draw.rng.random()
    if draw_ < 0.35:
        other = _acts(draw.person().text, verb, thing, tail)
    elif draw_ < 0.7:
        other = _acts(x, verb, draw.thing(), tail)
    else:
        other = _acts(x, draw.one(HANDLE), thing, tail)
    return Family([_acts(x, verb, thing, tail), other], 0.95, 0.05)


@frame(2.0)
def dative(draw: Draw) -> Family:
    """Something goes from one person to another."""
    x, y, thing = draw.person().text, draw.person().text, draw.thing(SMALL)
    verb = draw.one("give send show lend sell hand offer bring".split())

    def gives(x: str, y: str) -> list[str]:
        meaning = _wordings("dative.gives", thing=thing, verb=verb, x=x, y=y)
        if verb in ("give", "hand"):
            meaning += _wordings("dative.gives-2", thing=thing, x=x, y=y)
        if verb == "sell":
            meaning += [f"{y} bought {thing} from {x}"]
        if verb == "lend":
            meaning += [f"{y} borrowed {thing} from {x}"]
        return meaning

    return Family([gives(x, y), gives(y, x)], 0.95, 0.03)


_CONVERSES = _wordings.rows("converses", 3)


@frame(2.5)
def converses(draw: Draw) -> Family:
    """Buy and sell, lend and borrow, above and below."""
    one, two, verbs = draw.of(_CONVERSES)
    x, y, thing = draw.person().text, draw.person().text, draw.thing(SMALL)
    fill = {v: ("was" if v == "be" else past(v)) for v in verbs.split()}
    tail = f" {draw.one(TIMES)}" if draw.rng.random() < 0.3 else ""

    def said(x: str, y: str) -> list[str]:
        meaning = [t.format(x=x, y=y, t=thing, **fill) + tail for t in (one, two)]
        return [*meaning, f"it was {x} who {meaning[0][len(x) + 1 :]}"]

    return Family([said(x, y), said(y, x)], 0.93, 0.03)


_KIN = _wordings.rows("kin", 4)


@frame(1.0)
def kin(draw: Draw) -> Family:
    """A is B's mother: B is A's daughter; not the other way round."""
    women = draw.rng.random() < 0.5, draw.rng.random() < 0.5
    x, y = draw.name(women[0]), draw.name(women[1])
    kinds = draw.of(_KIN)
    be = draw.one(("is", "was"))

    def said(x: Person, y: Person, wx: bool, wy: bool) -> list[str]:
        up, down = kinds[0 if wx else 1], kinds[2 if wy else 3]
        return _wordings("kin.said", be=be, down=down, up=up, x=x, y=y)

    return Family([said(x, y, *women), said(y, x, women[1], women[0])], 0.94, 0.04)


@frame(1.5)
def control(draw: Draw) -> Family:
    """Who is to do it: promised, asked, told, persuaded, threatened, begged."""
    woman = draw.rng.random() < 0.5
    x, y, deed = draw.name(woman), draw.name(not woman), draw.deed()
    deed = deed.replace("their", "the")
    subject = _wordings.meanings("control.subject", deed=deed, x=x, y=y)
    return Family(draw.rng.sample(subject, 3), 0.92, 0.06)


@frame(1.5)
def relative(draw: Draw) -> Family:
    """Who did what in a relative clause."""
    x, y = f"the {draw.one(PEOPLE)}", f"the {draw.one(PEOPLE)}"
    verb, other = draw.one(BETWEEN), draw.one(EVENTS)
    then = past(other)
    one, two, three, four = _wordings.meanings("relative", then=then, verb=verb, x=x, y=y)
    return Family([one, two, three, four], 0.95, 0.05)


@frame(1.3)
def attachment(draw: Draw) -> Family:
    """Whose is the dog: the man with the dog saw the woman."""
    x, y = f"the {draw.one(PEOPLE)}", f"the {draw.one(PEOPLE)}"
    verb = draw.one("see meet greet follow photograph notice watch call thank visit recognize".split())
    thing = draw.one(
        "dog|hat|red coat|umbrella|beard|glasses|long hair|guitar|suitcase|broken arm|big bag|camera".split("|")
    )
    thing = thing if thing in ("glasses", "long hair") else a(thing)
    one, two, three = _wordings.meanings("attachment", thing=thing, verb=verb, x=x, y=y)
    return Family([one, two] if draw.rng.random() < 0.8 else [one, two, three], 0.95, 0.06)


@frame(1.3)
def speech(draw: Draw) -> Family:
    """Direct and reported speech; who says it to whom, and of whom."""
    woman = draw.rng.random() < 0.5
    x, y = draw.name(woman), draw.name(not woman)
    now, then = draw.of(STATES)

    def says(x: Person, y: Person) -> list[str]:
        was = then.replace("{poss}", x.his)
        return _wordings("speech.says", now=now, was=was, x=x, y=y)

    was = then.replace("{poss}", y.his)
    of_other = _wordings("speech.of_other", was=was, x=x, y=y)
    meanings = [says(x, y), says(y, x)] if draw.rng.random() < 0.6 else [says(x, y), of_other]
    return Family(meanings, 0.93, 0.06)


@frame(1.0)
def question_reported(draw: Draw) -> Family:
    """A question asked, an answer given, a request."""
    x, y, deed = draw.name(True), draw.name(False), draw.deed()
    if draw.rng.random() < 0.5:
        x, y = y, x
    asked, reported, ordered, doubted = _wordings.meanings("question_reported", deed=deed, x=x, y=y)
    return Family(draw.rng.sample([asked, reported, ordered, doubted], 2), 0.92, 0.06)


@frame(1.5)
def compared(draw: Draw) -> Family:
    """Two people on a scale."""
    x, y = draw.person().text, draw.person().text
    high, low = draw.of(SCALES)
    be = draw.one(("is", "was"))
    much = draw.one(("", "", "much ", "a little "))

    def above(x: str, y: str) -> list[str]:
        meaning = _wordings("compared.above", be=be, high=high, low=low, much=much, x=x, y=y)
        if not much:
            meaning += _wordings("compared.above-2", be=be, high=high, x=x, y=y)
        return meaning

    equal = [
        f"{x} {be} as {high} as {y}",
        f"{y} {be} as {high} as {x}",
        f"{x} and {y} {be.replace('is', 'are').replace('was', 'were')} equally {high}",
    ]
    meanings = [above(x, y), above(y, x)]
    if draw.rng.random() < 0.3:
        meanings[1] = equal
    return Family(meanings, 0.92, 0.04)


@frame(1.0)
def counted(draw: Draw) -> Family:
    """Who has more."""
    x, y = draw.person().text, draw.person().text
    things = draw.one(
        "books|friends|horses|medals|points|coins|stamps|students|customers|mistakes|questions".split("|")
    )
    verb = {"mistakes": "made", "questions": "asked", "points": "scored"}.get(things, "had")

    def more_than(x: str, y: str) -> list[str]:
        return [
            f"{x} {verb} more {things} than {y}",
            f"{y} {verb} fewer {things} than {x}",
            f"{y} did not {form(verb, 'VB') if verb != 'had' else 'have'} as many {things} as {x}".replace(
                "not made", "not make"
            )
            .replace("not asked", "not ask")
            .replace("not scored", "not score"),
        ]

    return Family([more_than(x, y), more_than(y, x)], 0.94, 0.04)


@frame(1.0)
def prefer(draw: Draw) -> Family:
    """One thing rather than another."""
    x = draw.person()
    one, two = draw.one((*FOODS, *CITIES)), draw.one(FOODS)
    one = one if one in FOODS else draw.one(FOODS)

    def prefers(a_: str, b: str) -> list[str]:
        return _wordings("prefer.prefers", a=a_, b=b, x=x)

    def instead(a_: str, b: str) -> list[str]:
        return _wordings("prefer.instead", a=a_, b=b, x=x)

    said = prefers if draw.rng.random() < 0.5 else instead
    return Family([said(one, two), said(two, one)], 0.94, 0.04)


@frame(1.0)
def replace(draw: Draw) -> Family:
    """One takes the place of the other."""
    x = draw.person().text
    one, two = draw.thing(), draw.thing()

    def replaced(a_: str, b: str) -> list[str]:
        return _wordings("replace.replaced", a=a_, b=b, x=x)

    def exchanged(a_: str, b: str) -> list[str]:
        return _wordings("replace.exchanged", a=a_, b=b, x=x)

    said = replaced if draw.rng.random() < 0.5 else exchanged
    return Family([said(one, two), said(two, one)], 0.92, 0.04)


@frame(1.0)
def respective(draw: Draw) -> Family:
    """Each their own."""
    x, y = draw.name().text, draw.name().text
    places = draw.rng.random() < 0.5
    one, two = (draw.one(CITIES), draw.one(CITIES)) if places else (draw.one(JOBS), draw.one(JOBS))

    def each(x: str, y: str) -> list[str]:
        if places:
            return _wordings("respective.each", one=one, two=two, x=x, y=y)
        return _wordings("respective.each-2", one=one, two=two, x=x, y=y)

    return Family([each(x, y), each(y, x)], 0.95, 0.04)


_PARTS = [(part, qualities.split(", ")) for part, qualities in _wordings.rows("parts", 2)]


@frame(1.5)
def qualities(draw: Draw) -> Family:
    """Which of two things has which quality."""
    (one, ones), (two, twos) = draw.rng.sample(_PARTS, 2)
    p, q = draw.of(ones), draw.of(twos)
    if p == q or "cold" in (p, q):
        p = "good"

    def said(one: str, p: str, two: str, q: str) -> list[str]:
        return _wordings("qualities.said", one=one, p=p, q=q, two=two)

    shared = ("good", "bad", "great", "terrible", "disappointing", "excellent", "awful", "perfect")
    if draw.rng.random() < 0.6:
        p, q = draw.rng.sample(shared, 2)
        return Family([said(one, p, two, q), said(one, q, two, p)], 0.94, 0.04)
    return Family([said(one, p, two, q), said(one, f"not {p}", two, q)], 0.94, 0.04)


@frame(1.0)
def apposition(draw: Draw) -> Family:
    """Who is what, and does what."""
    x, deed = draw.name(), past(draw.deed())
    role = f"the {draw.one(('mayor', 'director', 'owner', 'leader', 'founder', 'coach', 'president', 'manager'))}"
    of = draw.one(("the club", "the company", "the team", "the school", "the museum", "the party", "the hotel"))
    one = _wordings("apposition.one", deed=deed, of=of, role=role, x=x)
    verb = draw.one(BETWEEN)
    two = _wordings("apposition.two", deed=deed, of=of, role=role, verb=verb, x=x)
    three = [f"{x.text} told {role} of {of} that {x.he} {deed}"]
    return Family([one, draw.of((two, three))], 0.94, 0.07)


_NOMINAL = _wordings.rows("nominal", 2)


@frame(1.2)
def nominal(draw: Draw) -> Family:
    """A noun for what somebody does: his arrival, her criticism of him."""
    result = draw.one(
        (
            "surprised everyone",
            "was in all the newspapers",
            "came too late",
            "changed everything",
            "was a mistake",
            "made many people angry",
        )
    )
    if draw.rng.random() < 0.5:
        x = draw.person().text
        verb, noun = draw.of(
            (
                ("arrive", "arrival"),
                ("depart", "departure"),
                ("resign", "resignation"),
                ("retire", "retirement"),
                ("return", "return"),
                ("die", "death"),
                ("apologize", "apology"),
                ("escape", "escape"),
                ("fail", "failure"),
                ("refuse", "refusal"),
            )
        )
        other = draw.of([v for v in ("arrive", "resign", "return", "escape", "win") if v != verb])
        other_noun = {
            "arrive": "arrival",
            "resign": "resignation",
            "return": "return",
            "escape": "escape",
            "win": "victory",
        }

        def said(verb: str, noun: str) -> list[str]:
            return _wordings("nominal.said", noun=noun, result=result, verb=verb, x=x)

        return Family([said(verb, noun), said(other, other_noun[other])], 0.92, 0.06)
    x, y = draw.person().text, draw.person().text
    verb, noun = draw.of(_NOMINAL)
    if verb in ("invade", "destroy", "discover"):
        x, y = (
            f"the {draw.one(('army', 'Romans', 'rebels', 'soldiers'))}",
            draw.one(("the city", "the island", "the castle")),
        )
        whose = f"{x}' {noun} of {y}" if x.endswith("s") else f"{x}'s {noun} of {y}"
        one = _wordings("nominal.one", noun=noun, result=result, verb=verb, whose=whose, x=x, y=y)
        new = draw.one(("liberate", "leave", "defend", "build", "visit"))
        two = _wordings("nominal.two", new=new, result=result, x=x, y=y)
        return Family([one, two], 0.94, 0.05)
    of = {"support": "support for", "admiration": "admiration for"}.get(noun, f"{noun} of")

    def done_to(x: str, y: str) -> list[str]:
        return [
            f"{x}'s {of} {y} {result}",
            f"the {noun} of {y} by {x} {result}"
            if noun not in ("support", "admiration")
            else f"the fact that {x} {past(verb)} {y} {result}",
            f"{x} {past(verb)} {y}, which {result}",
            f"the fact that {y} was {done(verb)} by {x} {result}",
        ]

    return Family([done_to(x, y), done_to(y, x)], 0.93, 0.04)


@frame(1.0)
def easy(draw: Draw) -> Family:
    """Easy to please, eager to please."""
    x = draw.person().text
    verb = draw.one(("please", "surprise", "help", "find", "understand", "convince", "forget", "frighten", "deceive"))
    how = draw.one(("easy", "difficult", "hard", "impossible", "pleasant"))
    one = _wordings("easy.one", how=how, verb=verb, x=x)
    opposite = {
        "easy": "difficult",
        "difficult": "easy",
        "hard": "easy",
        "impossible": "possible",
        "pleasant": "boring",
    }[how]
    two = _wordings("easy.two", opposite=opposite, verb=verb, x=x)
    will = draw.one(("eager", "ready", "unwilling", "afraid", "happy"))
    three = _wordings("easy.three", verb=verb, will=will, x=x)
    return Family([one, draw.of((two, three))], 0.94, 0.05)


@frame(1.0)
def raising(draw: Draw) -> Family:
    """It seems that somebody does: somebody seems to."""
    x, y = draw.person().text, draw.person().text
    deed = draw.deed()

    def said(x: str) -> list[str]:
        return _wordings("raising.said", deed=deed, x=x)

    wants = _wordings("raising.wants", deed=deed, x=x)
    return Family([said(x), draw.of((said(y), wants))], 0.93, 0.06)


@frame(1.0)
def shares(draw: Draw) -> Family:
    """Both, neither, only one."""
    x, y, deed = draw.name().text, draw.name().text, draw.deed()
    both, neither, first, second, one_of = _wordings.meanings("shares", deed=deed, x=x, y=y)
    return Family(draw.rng.sample([both, neither, first, second, one_of], 2), 0.94, 0.05)


@frame(0.8)
def travel(draw: Draw) -> Family:
    """From one place to another."""
    x, one, two = draw.person().text, draw.one((*CITIES, *COUNTRIES)), draw.one(CITIES)
    verb = draw.one(("travel", "move", "fly", "drive", "walk"))

    def goes(one: str, two: str) -> list[str]:
        return _wordings("travel.goes", one=one, two=two, verb=verb, x=x)

    return Family([goes(one, two), goes(two, one)], 0.95, 0.04)


@frame(0.8)
def loading(draw: Draw) -> Family:
    """Loading hay onto the truck, the truck with hay."""
    x = draw.person().text
    verb, what, onto, where = draw.of(
        (
            ("load", "hay", "onto", "the truck"),
            ("spray", "paint", "onto", "the wall"),
            ("spread", "butter", "on", "the bread"),
            ("pack", "clothes", "into", "the suitcase"),
            ("stuff", "feathers", "into", "the pillow"),
            ("plant", "roses", "in", "the garden"),
            ("hang", "pictures", "on", "the wall"),
            ("load", "boxes", "onto", "the ship"),
            ("smear", "mud", "on", "the window"),
        )
    )
    one = [
        f"{x} {past(verb)} {what} {onto} {where}",
        f"{what} was put {onto} {where} by {x}".replace("clothes was", "clothes were")
        .replace("roses was", "roses were")
        .replace("boxes was", "boxes were")
        .replace("pictures was", "pictures were")
        .replace("feathers was", "feathers were"),
    ]
    if verb != "hang":
        one.append(f"{x} {past(verb)} {where} with {what}")
    two = _wordings("loading.two", what=what, where=where, x=x)[:2]
    return Family([one, two], 0.92, 0.05)


@frame(0.8)
def priced(draw: Draw) -> Family:
    """Who pays whom how much for what."""
    x, y, thing = draw.person().text, draw.person().text, draw.thing(THINGS)
    much = draw.rng.choice((20, 50, 80, 100, 150, 200, 300, 500, 1200))
    other = draw.rng.choice([n for n in (20, 50, 80, 100, 150, 200, 300, 500, 1200) if n != much])

    def pays(x: str, y: str, much: int) -> list[str]:
        return _wordings("priced.pays", much=much, thing=thing, x=x, y=y)

    return Family([pays(x, y, much), draw.of((pays(y, x, much), pays(x, y, other)))], 0.94, 0.05)


@frame(0.8)
def aged(draw: Draw) -> Family:
    """Years older, years younger."""
    x, y, n = draw.name().text, draw.name().text, draw.one(NUMBERS)

    def older(x: str, y: str, n: str) -> list[str]:
        return _wordings("aged.older", n=n, x=x, y=y)

    return Family([older(x, y, n), draw.of((older(y, x, n), older(x, y, draw.one(NUMBERS))))], 0.95, 0.04)


@frame(0.8)
def belongs(draw: Draw) -> Family:
    """Whose it is."""
    x, y, thing = draw.name().text, draw.name().text, f"the {draw.one(THINGS)}"

    def owns(x: str) -> list[str]:
        return _wordings("belongs.owns", thing=thing, x=x)

    wants = _wordings("belongs.wants", thing=thing, x=x)
    return Family([owns(x), draw.of((owns(y), wants))], 0.95, 0.05)


@frame(0.8)
def located(draw: Draw) -> Family:
    """Where things are, seen from either."""
    one, two = f"the {draw.one(THINGS)}", f"the {draw.one(THINGS)}"
    if draw.rng.random() < 0.4:
        one, two = draw.one(PLACES), draw.one(PLACES)
        where, back = draw.of(
            (
                ("to the left of", "to the right of"),
                ("north of", "south of"),
                ("east of", "west of"),
                ("in front of", "behind"),
            )
        )
    else:
        where, back = draw.of(
            (
                ("above", "below"),
                ("on top of", "under"),
                ("in front of", "behind"),
                ("to the left of", "to the right of"),
            )
        )
    first, second = _wordings.meanings("located", back=back, one=one, two=two, where=where)
    return Family([first, second], 0.94, 0.04)
