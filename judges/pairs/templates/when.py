"""Frames about how one thing hangs together with another: time, cause, condition, contrast, purpose."""

from __future__ import annotations

from pathlib import Path

from judges.pairs.templates.family import Family, frame
from judges.pairs.templates.lexicon import CAUSES, CITIES, EVENTS, NUMBERS, TIMES, Draw, done, past
from judges.pairs.templates.wordings import Wordings

_wordings = Wordings(Path(__file__).with_suffix(".txt"))
_WEATHER = _wordings.words("weather")


@frame(2.5)
def order(draw: Draw) -> Family:
    """One thing before the other."""
    x, y = draw.name().text, draw.name().text
    if draw.rng.random() < 0.5:
        p, q = (x, draw.one(EVENTS)), (y, draw.one(EVENTS))
    else:
        p, q = (x, draw.deed()), (y, draw.deed())

    def before(p: tuple[str, str], q: tuple[str, str]) -> list[str]:
        one, two = f"{p[0]} {past(p[1])}", f"{q[0]} {past(q[1])}"
        return [
            f"{one} before {two}",
            f"{two} after {one}",
            f"before {two}, {one}",
            f"after {one}, {two}",
            f"first {one}, then {two}",
            f"{one}, and afterwards {two}",
            f"after {p[0]} had {done(p[1])}, {two}",
            f"{one} and then {two}",
        ]

    return Family([before(p, q), before(q, p)], 0.95, 0.04)


@frame(1.5)
def order_of_one(draw: Draw) -> Family:
    """What one person does first."""
    x = draw.person()
    p, q = draw.deed(), draw.deed()

    def before(p: str, q: str) -> list[str]:
        return _wordings("order_of_one.before", p=p, q=q, x=x)

    return Family([before(p, q), before(q, p)], 0.95, 0.04)


@frame(2.5)
def cause(draw: Draw) -> Family:
    """Why: and not the other way round, nor in spite of it."""
    x = draw.person()
    why, what = draw.of(CAUSES)
    because, reverse, despite, if_, before = _wordings.meanings("cause", what=what, why=why, x=x)
    others = [reverse, despite, despite, if_, before]
    return Family([because, draw.of(others)], 0.94, 0.06)


@frame(1.2)
def contrast(draw: Draw) -> Family:
    """Although, but, despite."""
    x = draw.person()
    deed = draw.deed()
    state = draw.one(("was tired", "had no time", "was ill", "had a headache", "was afraid", "was busy"))
    although, because, wrong = _wordings.meanings("contrast", deed=deed, state=state, x=x)
    return Family([although, draw.of((because, wrong))], 0.95, 0.06)


@frame(1.5)
def condition(draw: Draw) -> Family:
    """If, unless, only if, even if, provided that."""
    x, y = draw.name(True), draw.name(False)
    p, q = draw.deed(), draw.deed()
    forms = _wordings.meanings("condition.forms", p=p, q=q, x=x, y=y)
    return Family(draw.rng.sample(forms, 2), 0.94, 0.05)


@frame(1.2)
def unreal(draw: Draw) -> Family:
    """What would have been: it was not."""
    x, y = draw.name(True), draw.name(False)
    p, q = draw.deed(), draw.deed()
    one, two, three = _wordings.meanings("unreal", p=p, q=q, x=x, y=y)
    return Family([one, draw.of((two, three[:1], three[1:]))], 0.85, 0.05)


@frame(1.0)
def wish(draw: Draw) -> Family:
    """What is wished is not so."""
    x, deed = draw.person(), draw.deed()
    one, two, three = _wordings.meanings("wish", deed=deed, x=x)
    return Family(draw.rng.sample([one, two, three], 2), 0.92, 0.06)


@frame(1.5)
def implied(draw: Draw) -> Family:
    """Managed to, failed to, refused to, almost, forgot to."""
    x, deed = draw.person(), draw.deed()
    did, not_, nearly, refused, forgot, avoided, planned, again, stopped = _wordings.meanings("implied", deed=deed, x=x)
    return Family(
        draw.rng.sample([did, did, not_, nearly, refused, forgot, avoided, planned, again, stopped], 2)
        if draw.rng.random() < 0.5
        else [did, draw.of([not_, nearly, refused, forgot, planned])],
        0.92,
        0.06,
    )


@frame(1.5)
def modals(draw: Draw) -> Family:
    """Must, need not, must not, may, can, should."""
    x, deed = draw.person(), draw.deed()
    forms = _wordings.meanings("modals.forms", deed=deed, x=x)
    return Family(draw.rng.sample(forms, 2), 0.93, 0.08)


@frame(1.0)
def degree(draw: Draw) -> Family:
    """Too tired to, so tired that not, well enough to."""
    x, deed = draw.person(), draw.deed()
    state = draw.one("tired ill weak busy nervous drunk young old poor shy lazy".split())
    too = _wordings("degree.too", deed=deed, state=state, x=x)
    able = draw.one("strong rich brave healthy clever sober".split())
    enough, not_too, so = _wordings.meanings("degree", able=able, deed=deed, state=state, x=x)
    return Family([too, draw.of((enough, not_too, so))], 0.92, 0.05)


@frame(1.0)
def purpose(draw: Draw) -> Family:
    """What for."""
    x, city = draw.person(), draw.one(CITIES)
    aim, other = draw.deed(), draw.deed()
    one, two, three, four, five = _wordings.meanings("purpose", aim=aim, city=city, other=other, x=x)
    return Family([one, draw.of((two, three, four, five))], 0.94, 0.06)


@frame(0.8)
def prevented(draw: Draw) -> Family:
    """What keeps somebody from doing something, what makes them do it."""
    x, deed = draw.person().text, draw.deed()
    what = draw.one(("the rain", "the storm", "the noise", "the accident", "the strike", "the snow", "the heat"))
    kept, forced, despite = _wordings.meanings("prevented", deed=deed, what=what, x=x)
    return Family(draw.rng.sample([kept, forced, despite], 2), 0.94, 0.04)


@frame(0.8)
def at_the_time(draw: Draw) -> Family:
    """When it happened."""
    x, deed = draw.person(), draw.deed()
    event, time = draw.one(_WEATHER), draw.one(TIMES)
    when, before, at = _wordings.meanings("at_the_time", deed=deed, event=event, time=time, x=x)
    other = draw.one(TIMES)
    at_other = _wordings("at_the_time.at_other", deed=deed, other=other, x=x)
    if draw.rng.random() < 0.6:
        return Family([at, at_other], 0.95, 0.06)
    return Family([when, before], 0.95, 0.15)


@frame(0.8)
def lasting(draw: Draw) -> Family:
    """For how long, until when, since when."""
    x, city = draw.person().text, draw.one(CITIES)
    n, m = draw.rng.sample(NUMBERS, 2)
    now, past_, will = _wordings.meanings("lasting", city=city, n=n, x=x)
    other = [s.replace(n, m) for s in now]
    return Family([now, draw.of((past_, will, other))], 0.92, 0.07)
