"""Frames about how one thing hangs together with another: time, cause, condition, contrast, purpose."""

from __future__ import annotations

from judges.pairs.templates.family import Family, frame
from judges.pairs.templates.lexicon import CAUSES, CITIES, EVENTS, NUMBERS, TIMES, Draw, done, ing, past, third

_WEATHER = (
    "it was raining|it was very cold|the road was closed|the train was late|the shop was closed|the lights went out|the "
    "phone rang|the bell rang|the film ended|the war began|the sun rose|the door opened|the guests arrived"
).split("|")


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
            f"{one} before {two}", f"{two} after {one}", f"before {two}, {one}", f"after {one}, {two}", f"first {one}, then {two}",
            f"{one}, and afterwards {two}", f"after {p[0]} had {done(p[1])}, {two}", f"{one} and then {two}",
        ]  # fmt: skip

    return Family([before(p, q), before(q, p)], 0.95, 0.04)


@frame(1.5)
def order_of_one(draw: Draw) -> Family:
    """What one person does first."""
    x = draw.person()
    p, q = draw.deed(), draw.deed()

    def before(p: str, q: str) -> list[str]:
        return [
            f"{x.text} {past(p)} before {ing(q)}", f"after {ing(p)}, {x.text} {past(q)}", f"{x.text} {past(q)} after {ing(p)}",
            f"before {ing(q)}, {x.text} {past(p)}", f"{x.text} first {past(p)} and then {past(q)}",
            f"having {done(p)}, {x.text} {past(q)}",
        ]  # fmt: skip

    return Family([before(p, q), before(q, p)], 0.95, 0.04)


@frame(2.5)
def cause(draw: Draw) -> Family:
    """Why: and not the other way round, nor in spite of it."""
    x = draw.person()
    why, what = draw.of(CAUSES)
    because = [
        f"{x.text} {what} because {x.he} {why}", f"because {x.he} {why}, {x.text} {what}", f"{x.text} {why}, so {x.he} {what}",
        f"{x.text} {why}. Therefore, {x.he} {what}", f"since {x.text} {why}, {x.he} {what}",
        f"the reason why {x.text} {what} is that {x.he} {why}", f"{x.text} {why}. That is why {x.he} {what}",
        f"{x.text} {what}, as {x.he} {why}",
    ]  # fmt: skip
    reverse = [
        f"{x.text} {why} because {x.he} {what}", f"because {x.he} {what}, {x.text} {why}", f"{x.text} {what}, so {x.he} {why}",
        f"{x.text} {what}. Therefore, {x.he} {why}",
    ]  # fmt: skip
    despite = [
        f"{x.text} {what} although {x.he} {why}", f"although {x.he} {why}, {x.text} {what}", f"{x.text} {why}, but {x.he} {what}",
        f"{x.text} {why}. Nevertheless, {x.he} {what}",
    ]  # fmt: skip
    if_ = [f"if {x.text} {why}, {x.he} {what}", f"{x.text} {what} whenever {x.he} {why}"]
    before = [f"{x.text} {what} before {x.he} {why}", f"before {x.he} {why}, {x.text} {what}"]
    others = [reverse, despite, despite, if_, before]
    return Family([because, draw.of(others)], 0.94, 0.06)


@frame(1.2)
def contrast(draw: Draw) -> Family:
    """Although, but, despite."""
    x = draw.person()
    deed = draw.deed()
    state = draw.one(("was tired", "had no time", "was ill", "had a headache", "was afraid", "was busy"))
    although = [
        f"although {x.he} {state}, {x.text} {past(deed)}", f"{x.text} {past(deed)} although {x.he} {state}",
        f"{x.text} {state}, but {x.he} still {past(deed)}", f"{x.text} {state}. Nevertheless, {x.he} {past(deed)}",
        f"even though {x.he} {state}, {x.text} {past(deed)}", f"{x.text} {past(deed)} in spite of the fact that {x.he} {state}",
    ]  # fmt: skip
    because = [
        f"because {x.he} {state}, {x.text} did not {deed}", f"{x.text} did not {deed} because {x.he} {state}",
        f"{x.text} {state}, so {x.he} did not {deed}",
    ]  # fmt: skip
    wrong = [f"because {x.he} {state}, {x.text} {past(deed)}", f"{x.text} {past(deed)} because {x.he} {state}"]
    return Family([although, draw.of((because, wrong))], 0.95, 0.06)


@frame(1.5)
def condition(draw: Draw) -> Family:
    """If, unless, only if, even if, provided that."""
    x, y = draw.name(True), draw.name(False)
    p, q = draw.deed(), draw.deed()
    forms = [
        [f"if {x.text} does not {p}, {y.text} will {q}", f"{y.text} will {q} unless {x.text} {third(p)}",
         f"unless {x.text} {third(p)}, {y.text} will {q}", f"{y.text} will {q} if {x.text} does not {p}"],
        [f"if {x.text} {third(p)}, {y.text} will {q}", f"{y.text} will {q} if {x.text} {third(p)}",
         f"{y.text} will {q} provided that {x.text} {third(p)}", f"in case {x.text} {third(p)}, {y.text} will {q}"],
        [f"if {y.text} {third(q)}, {x.text} will {p}", f"{x.text} will {p} if {y.text} {third(q)}"],
        [f"even if {x.text} {third(p)}, {y.text} will not {q}", f"{y.text} will not {q} even if {x.text} {third(p)}"],
        [f"because {x.text} will {p}, {y.text} will {q}", f"{x.text} will {p}, so {y.text} will {q}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.94, 0.05)


@frame(1.2)
def unreal(draw: Draw) -> Family:
    """What would have been: it was not."""
    x, y = draw.name(True), draw.name(False)
    p, q = draw.deed(), draw.deed()
    one = [
        f"if {x.text} had {done(p)}, {y.text} would have {done(q)}", f"{x.text} did not {p}, so {y.text} did not {q}",
        f"{y.text} would have {done(q)} if {x.text} had {done(p)}", f"had {x.text} {done(p)}, {y.text} would have {done(q)}",
    ]  # fmt: skip
    two = [
        f"{x.text} {past(p)}, so {y.text} {past(q)}", f"because {x.text} {past(p)}, {y.text} {past(q)}",
        f"{y.text} {past(q)} because {x.text} {past(p)}",
    ]  # fmt: skip
    three = [
        f"if {x.text} had not {done(p)}, {y.text} would have {done(q)}",
        f"if {y.text} had {done(q)}, {x.text} would have {done(p)}",
    ]
    return Family([one, draw.of((two, three[:1], three[1:]))], 0.85, 0.05)


@frame(1.0)
def wish(draw: Draw) -> Family:
    """What is wished is not so."""
    x, deed = draw.person(), draw.deed()
    one = [
        f"{x.text} wishes {x.he} had {done(deed)}",
        f"{x.text} is sorry that {x.he} did not {deed}",
        f"{x.text} regrets not having {done(deed)}",
    ]
    two = [f"{x.text} is glad that {x.he} {past(deed)}", f"{x.text} is happy to have {done(deed)}"]
    three = [
        f"{x.text} regrets that {x.he} {past(deed)}",
        f"{x.text} regrets having {done(deed)}",
        f"{x.text} wishes {x.he} had not {done(deed)}",
    ]
    return Family(draw.rng.sample([one, two, three], 2), 0.92, 0.06)


@frame(1.5)
def implied(draw: Draw) -> Family:
    """Managed to, failed to, refused to, almost, forgot to."""
    x, deed = draw.person(), draw.deed()
    did = [
        f"{x.text} {past(deed)}", f"{x.text} managed to {deed}", f"{x.text} succeeded in {ing(deed)}", f"{x.text} did not fail to {deed}",
        f"{x.text} did {deed}", f"it is true that {x.text} {past(deed)}",
    ]  # fmt: skip
    not_ = [
        f"{x.text} did not {deed}", f"{x.text} failed to {deed}", f"{x.text} didn't {deed}", f"{x.text} never {past(deed)}",
        f"it is not true that {x.text} {past(deed)}",
    ]  # fmt: skip
    nearly = [f"{x.text} almost {past(deed)}", f"{x.text} nearly {past(deed)}", f"{x.text} came close to {ing(deed)}"]
    refused = [
        f"{x.text} refused to {deed}",
        f"{x.text} said no when asked to {deed}",
        f"{x.text} was not willing to {deed}",
    ]
    forgot = [f"{x.text} forgot to {deed}", f"{x.text} did not remember to {deed}"]
    avoided = [f"{x.text} avoided {ing(deed)}", f"{x.text} took care not to {deed}"]
    planned = [
        f"{x.text} planned to {deed}",
        f"{x.text} intended to {deed}",
        f"{x.text} had the intention of {ing(deed)}",
    ]
    again = [f"{x.text} {past(deed)} again", f"once more, {x.text} {past(deed)}", f"{x.text} {past(deed)} once more"]
    stopped = [f"{x.text} stopped {ing(deed)}", f"{x.text} no longer {third(deed)}"]
    return Family(draw.rng.sample([did, did, not_, nearly, refused, forgot, avoided, planned, again, stopped], 2)
                  if draw.rng.random() < 0.5 else [did, draw.of([not_, nearly, refused, forgot, planned])], 0.92, 0.06)  # fmt: skip


@frame(1.5)
def modals(draw: Draw) -> Family:
    """Must, need not, must not, may, can, should."""
    x, deed = draw.person(), draw.deed()
    forms = [
        [f"{x.text} must {deed}", f"{x.text} has to {deed}", f"it is necessary for {x.text} to {deed}",
         f"{x.text} is obliged to {deed}"],
        [f"{x.text} must not {deed}", f"{x.text} is not allowed to {deed}", f"it is forbidden for {x.text} to {deed}",
         f"{x.text} mustn't {deed}"],
        [f"{x.text} need not {deed}", f"{x.text} does not have to {deed}", f"{x.text} doesn't need to {deed}",
         f"it is not necessary for {x.text} to {deed}"],
        [f"{x.text} may {deed} if {x.he} wants", f"{x.text} is allowed to {deed} if {x.he} wants",
         f"if {x.he} wants, {x.text} can {deed}"],
        [f"perhaps {x.text} will {deed}", f"{x.text} might {deed}", f"maybe {x.text} will {deed}", f"it is possible that {x.text} will {deed}"],
        [f"{x.text} will certainly {deed}", f"it is certain that {x.text} will {deed}", f"{x.text} will definitely {deed}",
         f"no doubt {x.text} will {deed}"],
        [f"{x.text} cannot {deed}", f"{x.text} is unable to {deed}", f"{x.text} is not able to {deed}",
         f"it is impossible for {x.text} to {deed}"],
        [f"{x.text} is able to {deed}", f"it is possible for {x.text} to {deed}", f"{x.text} is capable of {ing(deed)}"],
        [f"{x.text} wants to {deed}", f"{x.text} would like to {deed}", f"it is {x.text} who wants to {deed}"],
        [f"{x.text} should have {done(deed)}", f"it was a mistake that {x.text} did not {deed}",
         f"{x.text} ought to have {done(deed)}"],
        [f"{x.text} used to {deed}", f"in the past, {x.text} would often {deed}", f"{x.text} once had the habit of {ing(deed)}"],
        [f"{x.text} is used to {ing(deed)}", f"{x.text} is accustomed to {ing(deed)}"],
        [f"{x.text} will {deed}", f"{x.text} is going to {deed}"],
        [f"{x.text} has already {done(deed)}", f"{x.text} has {done(deed)} already"],
        [f"{x.text} has not {done(deed)} yet", f"{x.text} hasn't {done(deed)} so far", f"{x.text} still has to {deed}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.93, 0.08)


@frame(1.0)
def degree(draw: Draw) -> Family:
    """Too tired to, so tired that not, well enough to."""
    x, deed = draw.person(), draw.deed()
    state = draw.one("tired ill weak busy nervous drunk young old poor shy lazy".split())
    too = [
        f"{x.text} was too {state} to {deed}", f"{x.text} was so {state} that {x.he} could not {deed}",
        f"{x.text} could not {deed} because {x.he} was too {state}", f"{x.text} didn't {deed}, as {x.he} was too {state}",
    ]  # fmt: skip
    able = draw.one("strong rich brave healthy clever sober".split())
    enough = [
        f"{x.text} was {able} enough to {deed}", f"{x.text} was so {able} that {x.he} could {deed}",
    ]  # fmt: skip
    not_too = [
        f"{x.text} was not too {state} to {deed}",
        f"{x.text} was {state}, but not so {state} that {x.he} could not {deed}",
    ]
    so = [f"{x.text} was so {state} that {x.he} {past(deed)}", f"{x.text} {past(deed)} because {x.he} was so {state}"]
    return Family([too, draw.of((enough, not_too, so))], 0.92, 0.05)


@frame(1.0)
def purpose(draw: Draw) -> Family:
    """What for."""
    x, city = draw.person(), draw.one(CITIES)
    aim, other = draw.deed(), draw.deed()
    one = [
        f"{x.text} went to {city} to {aim}", f"{x.text} went to {city} in order to {aim}",
        f"{x.text} went to {city} because {x.he} wanted to {aim}", f"in order to {aim}, {x.text} went to {city}",
        f"{x.text} went to {city} with the aim of {ing(aim)}",
    ]  # fmt: skip
    two = [f"{x.text} went to {city} instead of {ing(aim)}", f"rather than {aim}, {x.text} went to {city}"]
    three = [f"{x.text} went to {city} to {other}", f"{x.text} went to {city} in order to {other}"]
    four = [f"{x.text} went to {city} after {ing(aim)}", f"after {x.he} had {done(aim)}, {x.text} went to {city}"]
    five = [f"{x.text} went to {city} without {ing(aim)}", f"{x.text} went to {city} but did not {aim}"]
    return Family([one, draw.of((two, three, four, five))], 0.94, 0.06)


@frame(0.8)
def prevented(draw: Draw) -> Family:
    """What keeps somebody from doing something, what makes them do it."""
    x, deed = draw.person().text, draw.deed()
    what = draw.one(("the rain", "the storm", "the noise", "the accident", "the strike", "the snow", "the heat"))
    kept = [
        f"{what} kept {x} from {ing(deed)}", f"{what} prevented {x} from {ing(deed)}", f"{x} could not {deed} because of {what}",
        f"because of {what}, {x} was not able to {deed}",
    ]  # fmt: skip
    made = [f"{what} made {x} {deed}", f"{x} {past(deed)} because of {what}", f"because of {what}, {x} {past(deed)}"]
    despite = [f"despite {what}, {x} {past(deed)}", f"{x} {past(deed)} in spite of {what}"]
    return Family(draw.rng.sample([kept, made, despite], 2), 0.94, 0.04)


@frame(0.8)
def at_the_time(draw: Draw) -> Family:
    """When it happened."""
    x, deed = draw.person(), draw.deed()
    event, time = draw.one(_WEATHER), draw.one(TIMES)
    when = [f"when {event}, {x.text} {past(deed)}", f"{x.text} {past(deed)} when {event}"]
    before = [
        f"before {event}, {x.text} {past(deed)}",
        f"{x.text} {past(deed)} before {event}",
        f"by the time {event}, {x.text} had {done(deed)}",
    ]
    at = [f"{time} {x.text} {past(deed)}", f"{x.text} {past(deed)} {time}", f"it was {time} that {x.text} {past(deed)}"]
    other = draw.one(TIMES)
    at_other = [
        f"{other} {x.text} {past(deed)}",
        f"{x.text} {past(deed)} {other}",
        f"it was {other} that {x.text} {past(deed)}",
    ]
    if draw.rng.random() < 0.6:
        return Family([at, at_other], 0.95, 0.06)
    return Family([when, before], 0.95, 0.15)


@frame(0.8)
def lasting(draw: Draw) -> Family:
    """For how long, until when, since when."""
    x, city = draw.person().text, draw.one(CITIES)
    n, m = draw.rng.sample(NUMBERS, 2)
    now = [
        f"{x} has lived in {city} for {n} years", f"{x} moved to {city} {n} years ago and still lives there",
        f"it is {n} years since {x} came to live in {city}",
    ]  # fmt: skip
    past_ = [
        f"{x} lived in {city} for {n} years but has moved away",
        f"{x} used to live in {city} and left after {n} years",
    ]
    will = [f"{x} is going to live in {city} for {n} years", f"{x} will stay in {city} for {n} years"]
    other = [s.replace(n, m) for s in now]
    return Family([now, draw.of((past_, will, other))], 0.92, 0.07)
