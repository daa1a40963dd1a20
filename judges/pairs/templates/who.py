"""Frames about who does what to whom: voice, clefts, dative, converses, control, relative clauses, speech."""

from __future__ import annotations

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
    ing,
    more,
    past,
)  # fmt: skip
from training.forms import form


def _acts(x: str, verb: str, y: str, tail: str = "") -> list[str]:
    """The ways to say that x did something to y."""
    return [
        f"{x} {past(verb)} {y}{tail}",
        f"{x} {past(verb)} {y}{tail}",
        f"{y} was {done(verb)} by {x}{tail}",
        f"{y} was {done(verb)} by {x}{tail}",
        f"it was {x} who {past(verb)} {y}{tail}",
        f"it was {y} that {x} {past(verb)}{tail}",
        f"it was {x} that {y} was {done(verb)} by{tail}",
        f"the one who {past(verb)} {y}{tail} was {x}",
        f"what happened was that {x} {past(verb)} {y}{tail}",
        f"{x} was the one who {past(verb)} {y}{tail}",
    ]


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
    """The same of animals."""
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
        found = [
            f"{x} {past(verb)} {y} {thing}", f"{x} {past(verb)} {thing} to {y}", f"{thing} was {done(verb)} to {y} by {x}",
            f"{y} was {done(verb)} {thing} by {x}", f"it was {x} who {past(verb)} {y} {thing}",
            f"it was {y} that {x} {past(verb)} {thing} to",
        ]  # fmt: skip
        if verb in ("give", "hand"):
            found += [f"{y} got {thing} from {x}", f"{y} received {thing} from {x}"]
        if verb == "sell":
            found += [f"{y} bought {thing} from {x}"]
        if verb == "lend":
            found += [f"{y} borrowed {thing} from {x}"]
        return found

    return Family([gives(x, y), gives(y, x)], 0.95, 0.03)


_CONVERSES = (
    ("{x} {sell} {t} to {y}", "{y} {buy} {t} from {x}", "sell buy"),
    ("{x} {lend} {t} to {y}", "{y} {borrow} {t} from {x}", "lend borrow"),
    ("{x} {give} {t} to {y}", "{y} {receive} {t} from {x}", "give receive"),
    ("{x} {teach} {y} Spanish", "{y} {learn} Spanish from {x}", "teach learn"),
    ("{x} {rent} the flat to {y}", "{y} {rent} the flat from {x}", "rent"),
    ("{x} {inherit} {t} from {y}", "{y} {leave} {t} to {x} in the will", "inherit leave"),
    ("{x} {beat} {y} in the final", "{y} {lose} to {x} in the final", "beat lose"),
    ("{x} {defeat} {y}", "{y} {lose} to {x}", "defeat lose"),
    ("{x} {frighten} {y}", "{y} {be} afraid of {x}", "frighten be"),
    ("{x} {please} {y}", "{y} {be} pleased with {x}", "please be"),
    ("{x} {hear} the news from {y}", "{y} {tell} {x} the news", "hear tell"),
    ("{x} {employ} {y}", "{y} {work} for {x}", "employ work"),
    ("{x} {follow} {y} into the room", "{y} {lead} {x} into the room", "follow lead"),
    ("{x} {owe} {y} money", "{y} {have} to get money back from {x}", "owe have"),
    ("{x} {arrive} before {y}", "{y} {arrive} after {x}", "arrive"),
    ("{x} {sit} in front of {y}", "{y} {sit} behind {x}", "sit"),
    ("{x} {live} above {y}", "{y} {live} below {x}", "live"),
    ("{x} {bore} {y}", "{y} {find} {x} boring", "bore find"),
    ("{x} {surprise} {y}", "{y} {be} surprised by {x}", "surprise be"),
    ("{x} {host} {y} for a week", "{y} {stay} with {x} for a week", "host stay"),
)


@frame(2.5)
def converses(draw: Draw) -> Family:
    """Buy and sell, lend and borrow, above and below."""
    one, two, verbs = draw.of(_CONVERSES)
    x, y, thing = draw.person().text, draw.person().text, draw.thing(SMALL)
    fill = {v: ("was" if v == "be" else past(v)) for v in verbs.split()}
    tail = f" {draw.one(TIMES)}" if draw.rng.random() < 0.3 else ""

    def said(x: str, y: str) -> list[str]:
        found = [t.format(x=x, y=y, t=thing, **fill) + tail for t in (one, two)]
        return [*found, f"it was {x} who {found[0][len(x) + 1 :]}"]

    return Family([said(x, y), said(y, x)], 0.93, 0.03)


_KIN = (("mother", "father", "daughter", "son"), ("aunt", "uncle", "niece", "nephew"),
        ("grandmother", "grandfather", "granddaughter", "grandson"),
        ("teacher", "teacher", "student", "student"), ("boss", "boss", "employee", "employee"),
        ("landlady", "landlord", "tenant", "tenant"), ("doctor", "doctor", "patient", "patient"),
        ("host", "host", "guest", "guest"))  # fmt: skip


@frame(1.0)
def kin(draw: Draw) -> Family:
    """A is B's mother: B is A's daughter; not the other way round."""
    women = draw.rng.random() < 0.5, draw.rng.random() < 0.5
    x, y = draw.name(women[0]), draw.name(women[1])
    kinds = draw.of(_KIN)
    be = draw.one(("is", "was"))

    def said(x: Person, y: Person, wx: bool, wy: bool) -> list[str]:
        up, down = kinds[0 if wx else 1], kinds[2 if wy else 3]
        return [
            f"{x.text} {be} {y.text}'s {up}", f"{y.text} {be} {x.text}'s {down}", f"{x.text} {be} the {up} of {y.text}",
            f"{y.text} {be} the {down} of {x.text}", f"{y.text}'s {up} {be} {x.text}",
        ]  # fmt: skip

    return Family([said(x, y, *women), said(y, x, women[1], women[0])], 0.94, 0.04)


@frame(1.5)
def control(draw: Draw) -> Family:
    """Who is to do it: promised, asked, told, persuaded, threatened, begged."""
    woman = draw.rng.random() < 0.5
    x, y, deed = draw.name(woman), draw.name(not woman), draw.deed()
    deed = deed.replace("their", "the")
    subject = [
        [f"{x.text} promised {y.text} to {deed}", f"{x.text} promised {y.text} that {x.he} would {deed}",
         f"{x.text} told {y.text} that {x.he} would {deed}", f'"I will {deed}," {x.text} said to {y.text}'],
        [f"{x.text} asked {y.text} to {deed}", f"{x.text} asked {y.text} if {y.he} would {deed}",
         f"{y.text} was asked by {x.text} to {deed}", f'"Please {deed}," {x.text} said to {y.text}'],
        [f"{y.text} promised {x.text} to {deed}", f"{y.text} promised {x.text} that {y.he} would {deed}"],
        [f"{x.text} forbade {y.text} to {deed}", f"{x.text} did not allow {y.text} to {deed}",
         f"{x.text} told {y.text} not to {deed}", f"{y.text} was not allowed by {x.text} to {deed}"],
        [f"{x.text} persuaded {y.text} to {deed}", f"{x.text} convinced {y.text} that {y.he} should {deed}",
         f"{x.text} talked {y.text} into {ing(deed)}"],
        [f"{x.text} talked {y.text} out of {ing(deed)}", f"{x.text} persuaded {y.text} not to {deed}",
         f"{x.text} dissuaded {y.text} from {ing(deed)}"],
        [f"{x.text} allowed {y.text} to {deed}", f"{x.text} let {y.text} {deed}",
         f"{x.text} gave {y.text} permission to {deed}"],
        [f"{x.text} forced {y.text} to {deed}", f"{x.text} made {y.text} {deed}",
         f"{y.text} was forced by {x.text} to {deed}"],
        [f"{x.text} helped {y.text} to {deed}", f"{x.text} helped {y.text} {deed}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(subject, 3), 0.92, 0.06)


@frame(1.5)
def relative(draw: Draw) -> Family:
    """Who did what in a relative clause."""
    x, y = f"the {draw.one(PEOPLE)}", f"the {draw.one(PEOPLE)}"
    verb, other = draw.one(BETWEEN), draw.one(EVENTS)
    then = past(other)
    one = [
        f"{x} who {past(verb)} {y} {then}", f"{x} that {past(verb)} {y} {then}", f"{x} by whom {y} was {done(verb)} {then}",
    ]  # fmt: skip
    two = [
        f"{x} who {y} {past(verb)} {then}", f"{x} whom {y} {past(verb)} {then}", f"{x} that {y} {past(verb)} {then}",
        f"{x} who was {done(verb)} by {y} {then}", f"{x} {y} {past(verb)} {then}",
    ]  # fmt: skip
    three = [f"{y} who {past(verb)} {x} {then}", f"{y} that {past(verb)} {x} {then}"]
    four = [f"{y} who was {done(verb)} by {x} {then}", f"{y} whom {x} {past(verb)} {then}"]
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
    one = [
        f"{x} with {thing} {past(verb)} {y}", f"{x} who had {thing} {past(verb)} {y}", f"{y} was {done(verb)} by {x} with {thing}",
        f"{x}, who had {thing}, {past(verb)} {y}",
    ]  # fmt: skip
    two = [
        f"{x} {past(verb)} {y} who had {thing}", f"{y} with {thing} was {done(verb)} by {x}",
        f"{y} who had {thing} was {done(verb)} by {x}", f"{x} {past(verb)} {y}, who had {thing}",
    ]  # fmt: skip
    three = [f"{x} without {thing} {past(verb)} {y}", f"{x} who did not have {thing} {past(verb)} {y}"]
    return Family([one, two] if draw.rng.random() < 0.8 else [one, two, three], 0.95, 0.06)


@frame(1.3)
def speech(draw: Draw) -> Family:
    """Direct and reported speech; who says it to whom, and of whom."""
    woman = draw.rng.random() < 0.5
    x, y = draw.name(woman), draw.name(not woman)
    now, then = draw.of(STATES)

    def says(x: Person, y: Person) -> list[str]:
        was = then.replace("{poss}", x.his)
        return [
            f'"I {now}," {x.text} said to {y.text}', f"{x.text} told {y.text} that {x.he} {was}",
            f"{x.text} told {y.text}: \"I {now}\"", f"{y.text} was told by {x.text} that {x.he} {was}",
            f"{x.text} said to {y.text} that {x.he} {was}",
        ]  # fmt: skip

    was = then.replace("{poss}", y.his)
    of_other = [f"{x.text} told {y.text} that {y.he} {was}", f"{x.text} said to {y.text} that {y.he} {was}"]
    meanings = [says(x, y), says(y, x)] if draw.rng.random() < 0.6 else [says(x, y), of_other]
    return Family(meanings, 0.93, 0.06)


@frame(1.0)
def question_reported(draw: Draw) -> Family:
    """A question asked, an answer given, a request."""
    x, y, deed = draw.name(True), draw.name(False), draw.deed()
    if draw.rng.random() < 0.5:
        x, y = y, x
    asked = [
        f"{x.text} asked {y.text} whether {y.he} had {done(deed)}", f'"Did you {deed}?" {x.text} asked {y.text}',
        f"{x.text} wanted to know from {y.text} whether {y.he} had {done(deed)}",
    ]  # fmt: skip
    told = [
        f"{x.text} told {y.text} that {x.he} had {done(deed)}", f'"I {past(deed)}," {x.text} told {y.text}',
        f"{y.text} heard from {x.text} that {x.he} had {done(deed)}",
    ]  # fmt: skip
    ordered = [f"{x.text} told {y.text} to {deed}", f"{x.text} ordered {y.text} to {deed}"]
    doubted = [
        f"{x.text} did not believe that {y.text} had {done(deed)}",
        f"{x.text} doubted that {y.text} had {done(deed)}",
    ]
    return Family(draw.rng.sample([asked, told, ordered, doubted], 2), 0.92, 0.06)


@frame(1.5)
def compared(draw: Draw) -> Family:
    """Two people on a scale."""
    x, y = draw.person().text, draw.person().text
    high, low = draw.of(SCALES)
    be = draw.one(("is", "was"))
    much = draw.one(("", "", "much ", "a little "))

    def above(x: str, y: str) -> list[str]:
        found = [f"{x} {be} {much}{more(high)} than {y}", f"{y} {be} {much}{more(low)} than {x}"]
        if not much:
            found += [f"{y} {be} not as {high} as {x}", f"of the two, {x} {be} the {more(high)} one"]
        return found

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
            f"{x} {verb} more {things} than {y}", f"{y} {verb} fewer {things} than {x}",
            f"{y} did not {form(verb, 'VB') if verb != 'had' else 'have'} as many {things} as {x}".replace("not made", "not make")
            .replace("not asked", "not ask").replace("not scored", "not score"),
        ]  # fmt: skip

    return Family([more_than(x, y), more_than(y, x)], 0.94, 0.04)


@frame(1.0)
def prefer(draw: Draw) -> Family:
    """One thing rather than another."""
    x = draw.person()
    one, two = draw.one((*FOODS, *CITIES)), draw.one(FOODS)
    one = one if one in FOODS else draw.one(FOODS)

    def prefers(a_: str, b: str) -> list[str]:
        return [
            f"{x.text} prefers {a_} to {b}", f"{x.text} likes {a_} better than {b}", f"{x.text} would rather have {a_} than {b}",
            f"{x.text} likes {b} less than {a_}",
        ]  # fmt: skip

    def instead(a_: str, b: str) -> list[str]:
        return [
            f"{x.text} ordered {a_} instead of {b}", f"{x.text} did not order {b} but {a_}", f"instead of {b}, {x.text} ordered {a_}",
            f"{x.text} ordered {a_} rather than {b}",
        ]  # fmt: skip

    said = prefers if draw.rng.random() < 0.5 else instead
    return Family([said(one, two), said(two, one)], 0.94, 0.04)


@frame(1.0)
def replace(draw: Draw) -> Family:
    """One takes the place of the other."""
    x = draw.person().text
    one, two = draw.thing(), draw.thing()

    def replaced(a_: str, b: str) -> list[str]:
        return [
            f"{x} replaced {a_} with {b}", f"{x} substituted {b} for {a_}", f"{a_} was replaced with {b} by {x}",
            f"{x} got rid of {a_} and used {b} in its place",
        ]  # fmt: skip

    def exchanged(a_: str, b: str) -> list[str]:
        return [f"{x} exchanged {a_} for {b}", f"{x} gave {a_} away and got {b} for it", f"{x} traded {a_} for {b}"]

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
            return [
                f"{x} lives in {one} and {y} lives in {two}", f"{x} and {y} live in {one} and {two} respectively",
                f"{y} lives in {two} and {x} in {one}", f"{x} lives in {one}, while {y} lives in {two}",
            ]  # fmt: skip
        return [
            f"{x} is {a(one)} and {y} is {a(two)}", f"{x} and {y} are {a(one)} and {a(two)} respectively",
            f"{y} is {a(two)} and {x} is {a(one)}", f"{x} works as {a(one)}, while {y} works as {a(two)}",
        ]  # fmt: skip

    return Family([each(x, y), each(y, x)], 0.95, 0.04)


_PARTS = (("food", ("delicious", "tasteless", "cold", "excellent")), ("service", ("slow", "friendly", "rude", "fast")),
          ("room", ("dirty", "spacious", "clean", "tiny")), ("view", ("beautiful", "boring", "stunning")),
          ("price", ("fair", "too high", "very low")), ("staff", ("helpful", "unfriendly", "polite")),
          ("location", ("perfect", "terrible", "convenient")), ("acting", ("brilliant", "weak", "convincing")),
          ("plot", ("confusing", "thrilling", "predictable")), ("music", ("too loud", "wonderful", "annoying")))  # fmt: skip


@frame(1.5)
def qualities(draw: Draw) -> Family:
    """Which of two things has which quality."""
    (one, ones), (two, twos) = draw.rng.sample(_PARTS, 2)
    p, q = draw.of(ones), draw.of(twos)
    if p == q or "cold" in (p, q):
        p = "good"

    def said(one: str, p: str, two: str, q: str) -> list[str]:
        return [
            f"the {one} was {p} but the {two} was {q}", f"although the {two} was {q}, the {one} was {p}",
            f"the {two} was {q}, but the {one} was {p}", f"the {one} was {p}. The {two}, however, was {q}",
            f"while the {one} was {p}, the {two} was {q}",
        ]  # fmt: skip

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
    one = [
        f"{x.text}, {role} of {of}, {deed}", f"{x.text}, who is {role} of {of}, {deed}", f"{role} of {of}, {x.text}, {deed}",
        f"{x.text}, who {deed}, is {role} of {of}", f"{x.text} is {role} of {of} and {deed}",
    ]  # fmt: skip
    verb = draw.one(BETWEEN)
    two = [f"{x.text} {past(verb)} {role} of {of}, who {deed}", f"{role} of {of}, whom {x.text} {past(verb)}, {deed}"]
    three = [f"{x.text} told {role} of {of} that {x.he} {deed}"]
    return Family([one, draw.of((two, three))], 0.94, 0.07)


_NOMINAL = (("criticize", "criticism"), ("support", "support"), ("defeat", "defeat"), ("arrest", "arrest"),
            ("invade", "invasion"), ("destroy", "destruction"), ("discover", "discovery"), ("admire", "admiration"))  # fmt: skip


@frame(1.2)
def nominal(draw: Draw) -> Family:
    """A noun for what somebody does: his arrival, her criticism of him."""
    result = draw.one(("surprised everyone", "was in all the newspapers", "came too late", "changed everything",
                       "was a mistake", "made many people angry"))  # fmt: skip
    if draw.rng.random() < 0.5:
        x = draw.person().text
        verb, noun = draw.of((("arrive", "arrival"), ("depart", "departure"), ("resign", "resignation"), ("retire",
                              "retirement"), ("return", "return"), ("die", "death"), ("apologize", "apology"),
                              ("escape", "escape"), ("fail", "failure"), ("refuse", "refusal")))  # fmt: skip
        other = draw.of([v for v in ("arrive", "resign", "return", "escape", "win") if v != verb])
        other_noun = {
            "arrive": "arrival",
            "resign": "resignation",
            "return": "return",
            "escape": "escape",
            "win": "victory",
        }

        def said(verb: str, noun: str) -> list[str]:
            return [
                f"the {noun} of {x} {result}", f"{x}'s {noun} {result}", f"the fact that {x} {past(verb)} {result}",
                f"{x} {past(verb)}, which {result}", f"that {x} {past(verb)} {result}",
            ]  # fmt: skip

        return Family([said(verb, noun), said(other, other_noun[other])], 0.92, 0.06)
    x, y = draw.person().text, draw.person().text
    verb, noun = draw.of(_NOMINAL)
    if verb in ("invade", "destroy", "discover"):
        x, y = (
            f"the {draw.one(('army', 'Romans', 'rebels', 'soldiers'))}",
            draw.one(("the city", "the island", "the castle")),
        )
        whose = f"{x}' {noun} of {y}" if x.endswith("s") else f"{x}'s {noun} of {y}"
        one = [f"the {noun} of {y} by {x} {result}", f"{x} {past(verb)} {y}, which {result}",
               f"the fact that {x} {past(verb)} {y} {result}", f"{whose} {result}"]  # fmt: skip
        new = draw.one(("liberate", "leave", "defend", "build", "visit"))
        two = [f"{x} {past(new)} {y}, which {result}", f"the fact that {x} {past(new)} {y} {result}"]
        return Family([one, two], 0.94, 0.05)
    of = {"support": "support for", "admiration": "admiration for"}.get(noun, f"{noun} of")

    def done_to(x: str, y: str) -> list[str]:
        return [
            f"{x}'s {of} {y} {result}", f"the {noun} of {y} by {x} {result}" if noun not in ("support", "admiration")
            else f"the fact that {x} {past(verb)} {y} {result}", f"{x} {past(verb)} {y}, which {result}",
            f"the fact that {y} was {done(verb)} by {x} {result}",
        ]  # fmt: skip

    return Family([done_to(x, y), done_to(y, x)], 0.93, 0.04)


@frame(1.0)
def easy(draw: Draw) -> Family:
    """Easy to please, eager to please."""
    x = draw.person().text
    verb = draw.one(("please", "surprise", "help", "find", "understand", "convince", "forget", "frighten", "deceive"))
    how = draw.one(("easy", "difficult", "hard", "impossible", "pleasant"))
    one = [f"{x} is {how} to {verb}", f"it is {how} to {verb} {x}", f"{ing(verb)} {x} is {how}"]
    opposite = {
        "easy": "difficult",
        "difficult": "easy",
        "hard": "easy",
        "impossible": "possible",
        "pleasant": "boring",
    }[how]
    two = [f"{x} is {opposite} to {verb}", f"it is {opposite} to {verb} {x}"]
    will = draw.one(("eager", "ready", "unwilling", "afraid", "happy"))
    three = [f"{x} is {will} to {verb} people", f"{x} is {will} to {verb} others"]
    return Family([one, draw.of((two, three))], 0.94, 0.05)


@frame(1.0)
def raising(draw: Draw) -> Family:
    """It seems that somebody does: somebody seems to."""
    x, y = draw.person().text, draw.person().text
    deed = draw.deed()

    def said(x: str) -> list[str]:
        return [
            f"it seems that {x} has {done(deed)}", f"{x} seems to have {done(deed)}", f"it appears that {x} has {done(deed)}",
            f"apparently {x} has {done(deed)}",
        ]  # fmt: skip

    wants = [f"{x} wants to {deed}", f"what {x} wants is to {deed}"]
    return Family([said(x), draw.of((said(y), wants))], 0.93, 0.06)


@frame(1.0)
def shares(draw: Draw) -> Family:
    """Both, neither, only one."""
    x, y, deed = draw.name().text, draw.name().text, draw.deed()
    both = [
        f"both {x} and {y} {past(deed)}", f"{x} {past(deed)} and so did {y}", f"{x} and {y} both {past(deed)}",
        f"{y} as well as {x} {past(deed)}", f"{x} {past(deed)}, and {y} did too",
    ]  # fmt: skip
    neither = [
        f"neither {x} nor {y} {past(deed)}", f"{x} did not {deed} and neither did {y}",
        f"{x} did not {deed}, and {y} did not either", f"neither {y} nor {x} {past(deed)}",
    ]  # fmt: skip
    first = [f"{x} {past(deed)} but {y} did not", f"only {x} {past(deed)}, not {y}", f"unlike {y}, {x} {past(deed)}"]
    second = [f"{y} {past(deed)} but {x} did not", f"only {y} {past(deed)}, not {x}", f"unlike {x}, {y} {past(deed)}"]
    one_of = [f"either {x} or {y} {past(deed)}", f"{x} or {y} {past(deed)}"]
    return Family(draw.rng.sample([both, neither, first, second, one_of], 2), 0.94, 0.05)


@frame(0.8)
def travel(draw: Draw) -> Family:
    """From one place to another."""
    x, one, two = draw.person().text, draw.one((*CITIES, *COUNTRIES)), draw.one(CITIES)
    verb = draw.one(("travel", "move", "fly", "drive", "walk"))

    def goes(one: str, two: str) -> list[str]:
        return [
            f"{x} {past(verb)} from {one} to {two}", f"{x} left {one} and {past(verb)} to {two}",
            f"from {one}, {x} {past(verb)} to {two}", f"{x} {past(verb)} to {two} from {one}",
        ]  # fmt: skip

    return Family([goes(one, two), goes(two, one)], 0.95, 0.04)


@frame(0.8)
def loading(draw: Draw) -> Family:
    """Loading hay onto the truck, the truck with hay."""
    x = draw.person().text
    verb, what, onto, where = draw.of((
        ("load", "hay", "onto", "the truck"), ("spray", "paint", "onto", "the wall"), ("spread", "butter", "on", "the bread"),
        ("pack", "clothes", "into", "the suitcase"), ("stuff", "feathers", "into", "the pillow"),
        ("plant", "roses", "in", "the garden"), ("hang", "pictures", "on", "the wall"),
        ("load", "boxes", "onto", "the ship"), ("smear", "mud", "on", "the window"),
    ))  # fmt: skip
    one = [f"{x} {past(verb)} {what} {onto} {where}", f"{what} was put {onto} {where} by {x}".replace("clothes was", "clothes were")
           .replace("roses was", "roses were").replace("boxes was", "boxes were").replace("pictures was", "pictures were")
           .replace("feathers was", "feathers were")]  # fmt: skip
    if verb != "hang":
        one.append(f"{x} {past(verb)} {where} with {what}")
    two = [f"{x} removed {what} from {where}", f"{x} took {what} from {where}", f"{x} took {what} off {where}"][:2]
    return Family([one, two], 0.92, 0.05)


@frame(0.8)
def priced(draw: Draw) -> Family:
    """Who pays whom how much for what."""
    x, y, thing = draw.person().text, draw.person().text, draw.thing(THINGS)
    much = draw.rng.choice((20, 50, 80, 100, 150, 200, 300, 500, 1200))
    other = draw.rng.choice([n for n in (20, 50, 80, 100, 150, 200, 300, 500, 1200) if n != much])

    def pays(x: str, y: str, much: int) -> list[str]:
        return [
            f"{x} paid {y} {much} dollars for {thing}", f"{x} bought {thing} from {y} for {much} dollars",
            f"{y} sold {thing} to {x} for ${much}", f"{y} got ${much} from {x} for {thing}",
            f"{y} charged {x} {much} dollars for {thing}",
        ]  # fmt: skip

    return Family([pays(x, y, much), draw.of((pays(y, x, much), pays(x, y, other)))], 0.94, 0.05)


@frame(0.8)
def aged(draw: Draw) -> Family:
    """Years older, years younger."""
    x, y, n = draw.name().text, draw.name().text, draw.one(NUMBERS)

    def older(x: str, y: str, n: str) -> list[str]:
        return [
            f"{x} is {n} years older than {y}", f"{y} is {n} years younger than {x}", f"{x} was born {n} years before {y}",
            f"{y} was born {n} years after {x}",
        ]  # fmt: skip

    return Family([older(x, y, n), draw.of((older(y, x, n), older(x, y, draw.one(NUMBERS))))], 0.95, 0.04)


@frame(0.8)
def belongs(draw: Draw) -> Family:
    """Whose it is."""
    x, y, thing = draw.name().text, draw.name().text, f"the {draw.one(THINGS)}"

    def owns(x: str) -> list[str]:
        return [f"{thing} belongs to {x}", f"{x} owns {thing}", f"{thing} is {x}'s", f"{x} is the owner of {thing}"]

    wants = [f"{x} would like to own {thing}", f"{x} wants to have {thing}"]
    return Family([owns(x), draw.of((owns(y), wants))], 0.95, 0.05)


@frame(0.8)
def located(draw: Draw) -> Family:
    """Where things are, seen from either."""
    one, two = f"the {draw.one(THINGS)}", f"the {draw.one(THINGS)}"
    if draw.rng.random() < 0.4:
        one, two = draw.one(PLACES), draw.one(PLACES)
        where, back = draw.of((("to the left of", "to the right of"), ("north of", "south of"), ("east of", "west of"),
                               ("in front of", "behind")))  # fmt: skip
    else:
        where, back = draw.of((("above", "below"), ("on top of", "under"), ("in front of", "behind"),
                               ("to the left of", "to the right of")))  # fmt: skip
    first = [f"{one} is {where} {two}", f"{two} is {back} {one}"]
    second = [f"{two} is {where} {one}", f"{one} is {back} {two}"]
    return Family([first, second], 0.94, 0.04)
