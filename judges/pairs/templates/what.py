"""Frames about what is said of things: how many, scope, opposites, set phrases, phrasal verbs, senses of words."""

from __future__ import annotations

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
    done,
    ing,
    more,
    most,
    past,
    third,
)  # fmt: skip

_GROUPS = "students|guests|children|workers|tourists|soldiers|players|patients|members|passengers|houses|shops".split(
    "|"
)
_DID = (
    "arrived on time|passed the test|liked the film|got a present|were from Spain|wore a hat|spoke French|paid in cash|left "
    "early|came by train|voted against the plan|were surprised|lost their luggage|slept well|had a dog"
).split("|")


def _not(did: str) -> str:
    """The negation of one of these."""
    verb, _, rest = did.partition(" ")
    if verb in ("were",):
        return f"were not {rest}"
    base = {"arrived": "arrive", "passed": "pass", "liked": "like", "got": "get", "wore": "wear", "spoke": "speak", "paid": "pay",
            "left": "leave", "came": "come", "voted": "vote", "lost": "lose", "slept": "sleep", "had": "have"}[verb]  # fmt: skip
    return f"did not {base} {rest}"


@frame(2.5)
def quantities(draw: Draw) -> Family:
    """How many of a group."""
    group = draw.one([g for g in _GROUPS if g not in ("houses", "shops")])
    did = draw.one(_DID)
    neg = _not(did)
    forms = [
        [f"all the {group} {did}", f"all of the {group} {did}", f"none of the {group} {neg}".replace("were not", "were not"),
         f"there was no exception: the {group} all {did}"],
        [f"none of the {group} {did}", f"the {group} all {neg}", f"not one of the {group} {did}", f"not a single one of the {group} {did}"],
        [f"most of the {group} {did}", f"the majority of the {group} {did}", f"more than half of the {group} {did}"],
        [f"only a few of the {group} {did}", f"few of the {group} {did}", f"most of the {group} {neg}"],
        [f"some of the {group} {did}", f"a number of the {group} {did}", f"there were some {group} who {did}"],
        [f"half of the {group} {did}", f"50% of the {group} {did}", f"one {group[:-1] if group != 'children' else 'child'} in two {did}"],
        [f"not all of the {group} {did}", f"some of the {group} {neg}", f"not every one of the {group} {did}"],
        [f"many of the {group} {did}", f"a lot of the {group} {did}", f"a large number of the {group} {did}"],
        [f"nearly all of the {group} {did}", f"almost all of the {group} {did}", f"hardly any of the {group} {neg}"],
    ]  # fmt: skip
    if group == "children":
        forms[5] = forms[5][:2]
    return Family(draw.rng.sample(forms, 2), 0.92, 0.08)


@frame(1.5)
def counts(draw: Draw) -> Family:
    """An exact number, a bound, an approximation."""
    group, did = draw.one(_GROUPS[:10]), draw.one(_DID)
    n, m = draw.rng.sample(NUMBERS[3:], 2)
    figure = {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20,
              "thirty": 30, "forty": 40, "fifty": 50}  # fmt: skip
    f = figure[n]
    forms = [
        [f"{n} {group} {did}", f"{f} {group} {did}", f"there were {n} {group} who {did}", f"exactly {n} {group} {did}"],
        [f"more than {n} {group} {did}", f"over {f} {group} {did}", f"more than {f} {group} {did}"],
        [f"fewer than {n} {group} {did}", f"less than {f} {group} {did}", f"not even {n} {group} {did}"],
        [f"at least {n} {group} {did}", f"{n} or more {group} {did}", f"no fewer than {f} {group} {did}"],
        [f"at most {n} {group} {did}", f"no more than {n} {group} {did}", f"not more than {f} {group} {did}"],
        [f"about {n} {group} {did}", f"around {f} {group} {did}", f"approximately {n} {group} {did}", f"roughly {n} {group} {did}"],
        [f"{m} {group} {did}", f"there were {m} {group} who {did}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.93, 0.08)


@frame(1.2)
def amounts(draw: Draw) -> Family:
    """The same amount or another one, in other words."""
    forms = draw.of((
        (("twelve", "a dozen", "12"), ("twenty", "20", "a score of"), ("ten", "10")),
        (("half of", "50% of", "fifty per cent of"), ("a quarter of", "25% of", "25 percent of"), ("a third of", "one third of")),
        (("twice as many as", "double the number of"), ("half as many as", "half the number of")),
    ))  # fmt: skip
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
    one = [
        f"{x} has twice as many {what} as {y}",
        f"{x} has double the number of {what} that {y} has",
        f"{y} has half as many {what} as {x}",
    ]
    two = [
        f"{y} has twice as many {what} as {x}",
        f"{x} has half as many {what} as {y}",
        f"{x} has half the number of {what} that {y} has",
    ]
    return Family([one, two], 0.95, 0.04)


@frame(1.0)
def clock(draw: Draw) -> Family:
    """The time of day, in figures and in words; days and lengths of time."""
    x, deed = draw.person().text, draw.deed()
    forms = draw.of((
        (("at half past three", "at 3:30", "at three thirty"), ("at half past four", "at 4:30"), ("at three o'clock", "at 3 o'clock")),
        (("at a quarter to six", "at 5:45"), ("at a quarter past six", "at 6:15"), ("at six o'clock", "at 6:00")),
        (("at noon", "at midday", "at twelve o'clock in the day"), ("at midnight", "at twelve o'clock at night")),
        (("two weeks ago", "a fortnight ago"), ("two months ago", "eight weeks ago"), ("two days ago", "the day before yesterday")),
        (("ten years ago", "a decade ago"), ("a hundred years ago", "a century ago"), ("a year ago", "twelve months ago")),
        (("every day", "daily"), ("every week", "weekly", "once a week"), ("every year", "annually", "once a year")),
        (("twice a week", "two times a week"), ("once a week", "one time a week"), ("three times a week", "3 times a week")),
        (("on Saturday and Sunday", "at the weekend"), ("on weekdays", "from Monday to Friday")),
        (("in the morning", "before noon"), ("in the evening", "before night"), ("in the afternoon", "after noon")),
        (("in the 1990s", "in the nineties"), ("in the 1960s", "in the sixties"), ("in the 1980s", "in the eighties")),
    ))  # fmt: skip
    return Family([[f"{x} {past(deed)} {t}" for t in m] for m in forms], 0.95, 0.05)


@frame(1.2)
def only(draw: Draw) -> Family:
    """Where *only* and *even* stand."""
    x, y = draw.name().text, draw.name().text
    verb = draw.one("invite help thank photograph interview visit teach".split())
    one = [
        f"only {x} {past(verb)} {y}",
        f"nobody but {x} {past(verb)} {y}",
        f"{x} was the only one who {past(verb)} {y}",
    ]
    two = [
        f"{x} {past(verb)} only {y}",
        f"{x} {past(verb)} nobody but {y}",
        f"{y} was the only one whom {x} {past(verb)}",
    ]
    three = [f"even {x} {past(verb)} {y}"]
    four = [f"everybody but {x} {past(verb)} {y}", f"{x} was the only one who did not {verb} {y}"]
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
    one = [
        f"{x.text} {past(deed)}, but not {why}",
        f"it was not {why} that {x.text} {past(deed)}",
        f"{x.text} {past(deed)}, though not {why}",
    ]
    two = [f"{x.text} {past(deed)} {why}", f"it was {why} that {x.text} {past(deed)}"]
    three = [
        f"it was not {x.text} who {past(deed)} but {y.text}",
        f"{y.text} {past(deed)}, not {x.text}",
        f"not {x.text} but {y.text} {past(deed)}",
    ]
    four = [
        f"it was {x.text} who {past(deed)}, not {y.text}",
        f"{x.text} {past(deed)}, not {y.text}",
        f"not {y.text} but {x.text} {past(deed)}",
    ]
    meanings = [one, two] if draw.rng.random() < 0.5 else [three, four]
    return Family(meanings, 0.95, 0.05)


@frame(1.2)
def complement(draw: Draw) -> Family:
    """To do or doing: stop, remember, forget, try, regret."""
    x = draw.person()
    deed = draw.deed()
    forms = [
        [f"{x.text} stopped to {deed}", f"{x.text} paused in order to {deed}", f"{x.text} made a stop so that {x.he} could {deed}"],
        [f"{x.text} stopped {ing(deed)}", f"{x.text} gave up {ing(deed)}", f"{x.text} quit {ing(deed)}"],
        [f"{x.text} remembered to {deed}", f"{x.text} did not forget to {deed}"],
        [f"{x.text} remembered {ing(deed)}", f"{x.text} remembered that {x.he} had {done(deed)}"],
        [f"{x.text} started {ing(deed)}", f"{x.text} began to {deed}", f"{x.text} started to {deed}"],
        [f"{x.text} kept {ing(deed)}", f"{x.text} went on {ing(deed)}", f"{x.text} continued to {deed}"],
        [f"{x.text} tried to {deed}", f"{x.text} made an attempt to {deed}", f"{x.text} attempted to {deed}"],
        [f"{x.text} enjoyed {ing(deed)}", f"{x.text} liked {ing(deed)}", f"{ing(deed)} was a pleasure for {x.text}"],
        [f"{x.text} hated {ing(deed)}", f"{x.text} could not stand {ing(deed)}"],
        [f"{x.text} decided to {deed}", f"{x.text} made the decision to {deed}", f"{x.text} made up {x.his} mind to {deed}"],
        [f"{x.text} decided against {ing(deed)}", f"{x.text} decided not to {deed}"],
        [f"{x.text} admitted {ing(deed)}", f"{x.text} admitted that {x.he} had {done(deed)}", f"{x.text} confessed to {ing(deed)}"],
        [f"{x.text} denied {ing(deed)}", f"{x.text} denied that {x.he} had {done(deed)}", f"{x.text} said that {x.he} had not {done(deed)}"],
        [f"{x.text} is afraid to {deed}", f"{x.text} does not dare to {deed}"],
        [f"{x.text} is going to {deed}", f"{x.text} will {deed}"],
        [f"{x.text} pretended to {deed}", f"{x.text} acted as if {x.he} {past(deed)}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.92, 0.06)


@frame(1.0)
def exists(draw: Draw) -> Family:
    """There is something somewhere."""
    place, thing = draw.one(PLACES), draw.one(THINGS)
    other_place, other = draw.one(PLACES), draw.one(THINGS)

    def there(thing: str, place: str) -> list[str]:
        return [
            f"there is {a(thing)} in {place}", f"{a(thing)} can be found in {place}", f"in {place} there is {a(thing)}",
            f"{place} has {a(thing)} in it",
        ]  # fmt: skip

    none = [
        f"there is no {thing} in {place}",
        f"there isn't {a(thing)} in {place}",
        f"in {place} there is no {thing}",
        f"{place} does not have {a(thing)} in it",
    ]
    many = [f"there are several {thing}s in {place}", f"in {place} there are some {thing}s"]
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
            return [f"{x} {be} {more(high)} than {y}", f"{y} {be} {more(low)} than {x}", f"{y} {be} not as {high} as {x}",
                    f"compared to {y}, {x} {be} {high}"][: 4 if draw_ < 0.2 else 3]  # fmt: skip

        return Family([above(one, two), above(two, one)], 0.92, 0.04)
    thing = draw.one(THINGS)
    group = draw.one(("of all", "in the world", "that I know", "that we have", "that can be bought here"))
    top = [f"this is the {most(high)} {thing} {group}", f"no {thing} {group} is {more(high)} than this one",
           f"every other {thing} {group} is {more(low)} than this one"]  # fmt: skip
    bottom = [f"this is the {most(low)} {thing} {group}", f"no {thing} {group} is {more(low)} than this one"]
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
            f"{x} {verb} {a(f'{p} {one}')} and {a(f'{q} {two}')}", f"{x} {verb} {a(f'{q} {two}')} and {a(f'{p} {one}')}",
            f"{x} {verb} {a(one)} and {a(two)}; the {one} was {p} and the {two} was {q}",
            f"{x} {verb} {a(one)}, which was {p}, and {a(two)}, which was {q}",
        ]  # fmt: skip

    return Family([said(p, q), said(q, p)], 0.94, 0.05)


# -- set phrases -----------------------------------------------------------------------------------------------------

#: Verb phrases that say the same, and one or more that do not; {x} is the subject, {his} their pronoun.
_PHRASES = """
took a walk / went for a walk / walked a little ~ took a nap / went for a swim
took a decision / made a decision / decided ~ took a break / made a mistake
had a conversation with the manager / talked to the manager / had a talk with the manager ~ had an argument with the manager / hid from the manager
gave the dog a bath / bathed the dog / washed the dog ~ gave the dog a bone / walked the dog
made a suggestion / suggested something / came up with a suggestion ~ rejected a suggestion / made a complaint
took a look at the map / looked at the map / had a look at the map ~ took the map away / drew a map
had a rest / rested / took a rest ~ had a fight / took a test
made a phone call / phoned someone / called someone on the phone ~ broke a phone / bought a phone
gave an answer / answered / replied ~ gave a speech / gave up
paid a visit to the old lady / visited the old lady ~ paid the old lady / wrote to the old lady
took care of the children / looked after the children / cared for the children ~ took the children away / looked at the children
put off the meeting / postponed the meeting / delayed the meeting ~ put up with the meeting / called off the meeting / held the meeting
called off the wedding / cancelled the wedding ~ put off the wedding / called about the wedding
turned down the offer / rejected the offer / said no to the offer ~ turned up the radio / accepted the offer / took up the offer
turned up late / arrived late / came late ~ turned off late / left late
gave up smoking / stopped smoking / quit smoking ~ took up smoking / began smoking
took up painting / started painting as a hobby / began to paint ~ gave up painting / stopped painting
looked for the key / searched for the key / tried to find the key ~ looked at the key / found the key
looked up to the teacher / admired the teacher / respected the teacher ~ looked down on the teacher / looked at the teacher
looked down on the poor / despised the poor / thought of the poor as inferior ~ looked after the poor / looked up to the poor
got on with the neighbours / had a good relationship with the neighbours ~ got away from the neighbours / quarrelled with the neighbours
ran out of milk / had no milk left / had used up all the milk ~ ran out with the milk / had a lot of milk
put out the fire / extinguished the fire ~ lit the fire / put wood on the fire
put on a coat / got into a coat ~ took off a coat / put away a coat
found out the truth / discovered the truth / learned the truth ~ hid the truth / told the truth
made up the story / invented the story ~ wrote down the story / believed the story
brought up three children / raised three children ~ brought along three children / taught three children
set off early / left early / departed early ~ came back early / got up late
broke up with the dentist / ended the relationship with the dentist ~ got together with the dentist / met up with the dentist
came across an old letter / found an old letter by chance ~ wrote an old friend a letter / looked for an old letter
carried on working / continued working / kept working ~ stopped working / carried work home
carried out the plan / put the plan into practice ~ dropped the plan / carried the plan home
handed in the essay / submitted the essay ~ handed out the essay / lost the essay
pointed out the mistake / drew attention to the mistake ~ made the mistake / missed the mistake
threw away the old shoes / got rid of the old shoes ~ put on the old shoes / repaired the old shoes
filled in the form / completed the form ~ tore up the form / asked for the form
showed up at the party / came to the party / appeared at the party ~ left the party / missed the party
let the team down / disappointed the team ~ let the team in / led the team
went over the report / checked the report / looked through the report ~ wrote the report / lost the report
kicked the bucket / died / passed away ~ kicked the ball / picked up the bucket
spilled the beans / revealed the secret / gave the secret away ~ kept the secret / cooked the beans
hit the sack / went to bed / went to sleep ~ carried the sack / got out of bed
was under the weather / felt ill / was not feeling well ~ was out in the rain / was in good health
was over the moon / was extremely happy / was delighted ~ was very sad / was on the way to the moon
was feeling blue / was sad / felt unhappy ~ was cheerful / was painted blue
cost an arm and a leg for the family / was very expensive for the family ~ was very cheap for the family
pulled my leg / was teasing me / was joking with me ~ broke my leg / was serious with me
broke the ice / got the conversation going ~ ended the conversation / fell through the ice
let the cat out of the bag / revealed the secret ~ kept the secret / put the cat in a bag
was in hot water / was in trouble ~ took a hot bath / was out of danger
had cold feet / was too nervous to go on ~ had warm shoes / was determined to go on
bit off more than anyone could chew / took on too much / tried to do too much ~ ate too much / did too little
cut corners / did the work carelessly to save time ~ did the work with great care / turned the corner
was on cloud nine / was very happy ~ was deeply depressed / was on the ninth floor
made ends meet / had just enough money to live on ~ had more than enough money / brought the meeting to an end
missed the boat / missed the opportunity / was too late ~ took the opportunity / bought the boat
saw eye to eye with the boss / agreed with the boss ~ disagreed with the boss / looked the boss in the eye
turned a blind eye to the problem / ignored the problem ~ dealt with the problem / went blind
lost weight / became thinner ~ gained weight / lost money
kept an eye on the baby / watched the baby ~ ignored the baby / closed the baby's eyes
had second thoughts / began to have doubts ~ was absolutely sure / thought for a second
was broke / had no money ~ was rich / broke something
gave birth to a son / had a baby boy ~ gave a present to a son / had a daughter
got married / became husband and wife with someone ~ got divorced / stayed single
got lost / lost the way ~ got rich / found the way
fell in love with a singer / lost a heart to a singer ~ fell out with a singer / broke a singer's heart
changed the subject / began to talk about something else ~ kept to the subject / failed the subject
had no idea / did not know at all ~ had a good idea / knew it well
came to an agreement / reached an agreement / agreed in the end ~ came to blows / broke an agreement
lent a hand / helped / gave some help ~ shook hands / refused to help
took part in the race / participated in the race / competed in the race ~ watched the race / took the prize in the race
took advantage of the good weather / made use of the good weather ~ complained about the bad weather / missed the good weather
lost patience / became impatient ~ stayed patient / lost patients
was about to leave / was on the point of leaving / was just going to leave ~ had just left / was not going to leave
was fond of music / liked music ~ hated music / taught music
was sick of waiting / was tired of waiting / did not want to wait any longer ~ was happy to wait / fell ill while waiting
was in charge of the shop / was responsible for the shop / ran the shop ~ robbed the shop / worked for the owner of the shop
was short of money / did not have enough money ~ had plenty of money / was short and had money
was good at chess / played chess well ~ was bad at chess / had a good chess set
was in a hurry / had no time to lose ~ had a lot of time / was slow
was out of work / had no job / was unemployed ~ worked out / was at work
was used to hard work / was accustomed to hard work ~ used to work hard / avoided hard work
was supposed to pay / was expected to pay / should have paid ~ was paid / was forced to pay
""".strip()


def _read(table: str) -> list[tuple[list[str], list[str]]]:
    found = []
    for line in table.splitlines():
        same, other = line.split("~")
        found.append(([p.strip() for p in same.split("/")], [p.strip() for p in other.split("/")]))
    return found


_TABLE = _read(_PHRASES)


@frame(5.0)
def set_phrases(draw: Draw) -> Family:
    """Light verbs, phrasal verbs, idioms."""
    x = draw.person()
    same, other = draw.of(_TABLE)
    tail = draw.one(("", "", "", f" {draw.one(TIMES)}", f" in {draw.one(CITIES)}"))
    if len(same) == 1:
        same = [same[0], same[0]]
    different = draw.of(other)
    return Family([[f"{x.text} {p}{tail}" for p in same], [f"{x.text} {different}{tail}"]], 0.9, 0.06, key=same[0])


#: Sentences in which a word has one sense; a synonym of it, and of another sense: {} is the place of the word.
_SENSES = """
the river overflowed its {} : bank / shore / edge ~ savings institution / cash office / treasury
she put all her money in the {} : bank / savings bank ~ shore / riverside / slope
it was a {} day, without a cloud : bright / sunny ~ clever / intelligent / smart
he is a {} pupil and learns quickly : bright / clever / intelligent ~ shining / sunny / glowing
the exam was very {} : hard / difficult ~ solid / stiff / rigid
the bread had become {} : hard / stiff ~ difficult / tricky / complicated
it was a {} mistake, and it cost us a lot : grave / serious ~ tomb / burial / funeral
she plays the violin in a {} : band / group ~ strip / ribbon / belt
the {} of the story is sad : end / ending / close ~ purpose / aim / goal
you need a {} to get into the building : pass / permit ~ throw / kick / mountain road
the {} was decided in the last minute : match / game ~ light / lighter / pair
she wore a {} blue dress : light / pale ~ weightless / easy / lit
the box was so {} that a child could lift it : light / easy to carry ~ pale / bright / sunny
she had to {} the window : close / shut ~ near / approach / stop
they are {} friends : close / intimate ~ shut / nearby / ending
I {} your point of view : see / understand ~ watch / look at / date
the {} of the company resigned : head / director / leader ~ skull / face / top of the body
he has a {} in his tooth : hole / cavity ~ pit / trench / cave
we had a {} meal before the trip : light / small ~ bright / pale / shining
the {} of the meeting was to find a solution : object / purpose / aim ~ thing / item / article
she {} a company with forty workers : runs / manages / directs ~ jogs / races / flees
the nurse {} the wound carefully : dressed / bandaged ~ clothed / decorated / wore
he {} the first prize : won / got / gained ~ lost / beat / conquered
the court found him {} : guilty / to be the culprit ~ ashamed / sorry / embarrassed
the minister {} the question : avoided / evaded ~ cancelled / prevented / annulled
they {} the new law last week : passed / approved / adopted ~ overtook / handed / went by
the teacher {} the homework : marked / graded / corrected ~ stained / signalled / celebrated
I want to {} a table for two : book / reserve ~ novel / write / publish
the {} of the film was unknown : star / leading actor ~ planet / sun / asterisk
this medicine will {} the pain : ease / relieve / soothe ~ simplify / rest / loosen
the soldiers {} the town at dawn : left / abandoned ~ remained / bequeathed / forgot
she gave a {} answer : sharp / harsh ~ pointed / edged / steep
his knowledge of the town is {} : intimate / close / detailed ~ private / sexual / cosy
we took the wrong {} at the crossroads : turn / turning ~ chance / role / performance
the {} in this office is friendly : atmosphere / mood ~ air / sky / gas
my aunt has a very {} temper : short / quick ~ small / brief / little
the plant {} the whole town with electricity : supplies / provides ~ stocks / equips / bids
the {} rose from five to six euros : charge / price / fee ~ attack / accusation / command
they had to {} their house to pay the debts : sell / dispose of ~ betray / advertise / convince
he {} his leg when he fell : broke / fractured ~ interrupted / tamed / announced
the band {} a new song last night : performed / played ~ executed / fulfilled / joked
he felt {} when she left : blue / sad / down ~ azure / coloured / dirty
the price of petrol {} again : dropped / fell / went down ~ spilled / let go / tripped
she is a {} of the local choir : member / part ~ limb / organ / branch
the old man has a {} heart : warm / kind ~ heated / hot / lukewarm
she made a {} of all the things to buy : list / note ~ lean / tilt / slope
the train was delayed, so we had to {} our plans : change / alter ~ coin / swap clothes / exchange
the {} in the garden grew very fast : plant / flower ~ factory / mill / works
there was a long {} in front of the cinema : line / queue ~ wrinkle / rope / sentence
she drew a {} under the title : line / stroke ~ queue / row of people / cord
he spoke in a low {} : voice / tone ~ vote / opinion / say
the {} of the tree was covered with moss : trunk / stem ~ suitcase / nose / chest
the elephant lifted the log with its {} : trunk / nose ~ stem / suitcase / chest
we saw a good {} at the theatre : play / drama ~ game / toy / joke
I cannot {} this noise any longer : stand / bear / tolerate ~ rise / be upright / carry
she was late, but she did not {} why : say / explain ~ pronounce / recite / speak
the {} of the car was damaged in the crash : body / frame ~ corpse / group / person
he opened a {} with the money he had saved : business / firm / company ~ matter / concern / affair
the two sisters are very {} : alike / similar ~ liked / likely / fond
she has a {} for languages : gift / talent ~ present / donation / parcel
the {} of the hill was covered with snow : top / summit / peak ~ shirt / lid / toy
we were {} by the news : shocked / stunned ~ electrified by a cable / hit / injured
the {} lasted two hours : interview / conversation ~ view / look / outlook
he {} the ball to his sister : threw / tossed ~ lost / vomited / cast a vote
she {} her hair every morning : brushes / combs ~ sweeps / paints / polishes
they {} their flat last winter : furnished / fitted out ~ provided / supplied / delivered
the {} has no windows : room / chamber ~ space / scope / opportunity
there is enough {} for all of us in the car : room / space ~ chamber / flat / hall
the judge gave a {} sentence : mild / lenient ~ warm / soft-skinned / bland
he told us a {} story from his childhood : funny / amusing ~ strange-smelling / suspicious / sick
the milk tastes {} : sour / off ~ angry / bitter about life / sulky
her hands were {} from the hard work : rough / coarse ~ approximate / violent / stormy
that is only a {} estimate : rough / approximate ~ coarse / bumpy / uneven
she {} the sheets every week : changes / replaces ~ becomes / transforms / exchanges money for
the actor {} his lines : forgot / could not remember ~ neglected / abandoned / left behind on the bus
the committee {} a decision : reached / came to ~ touched / stretched out for / handed over
he is a {} friend of mine : good / close ~ well-behaved / tasty / useful
the tea is too {} for me : strong / powerful in taste ~ muscular / robust / athletic
a {} wind was blowing from the sea : strong / powerful ~ muscular / intense in colour / athletic
she {} the child to sleep : sang / lulled ~ betrayed / confessed / hummed about
the {} of the exam were announced on Friday : results / marks ~ consequences / effects / answers
the {} of the accident is still unknown : cause / reason ~ ideal / charity / lawsuit
he {} at the picture for a long time : looked / gazed ~ seemed / appeared / searched
she {} tired after the trip : looked / seemed ~ gazed / searched / watched
the firm {} three hundred workers : employs / has ~ uses up / applies / exploits
I {} the bus and had to walk : missed / did not catch ~ longed for / lacked / felt the absence of
I {} my sister since she moved away : miss / long to see ~ fail to hit / overlook / do not catch
the {} was full of old letters : drawer / chest of drawers ~ artist / sketcher / painter
he gave her a {} of flowers : bunch / bouquet ~ gang / crowd / group of friends
the workers demanded higher {} : pay / wages ~ payments of tax / fees / rents
she has a very {} ear for music : fine / good ~ thin / fair-weather / punished
he had to pay a {} for parking there : fine / penalty ~ nice thing / beautiful day / health
""".strip()


def _senses(table: str) -> list[tuple[str, list[str], list[str]]]:
    found = []
    for line in table.splitlines():
        text, words = line.split(" : ")
        same, other = words.split("~")
        found.append((text, [w.strip() for w in same.split("/")], [w.strip() for w in other.split("/")]))
    return found


_SENSE_TABLE = _senses(_SENSES)


@frame(3.5)
def senses(draw: Draw) -> Family:
    """A word in one of its senses; a synonym of that, and of another one."""
    text, same, other = draw.of(_SENSE_TABLE)
    different = [text.replace("{}", draw.of(other))]
    return Family([[text.replace("{}", w) for w in same], different], 0.9, 0.08, key=text)


@frame(1.0)
def double_negation(draw: Draw) -> Family:
    """Not impossible, not without, no doubt."""
    x = draw.person()
    deed = draw.deed()
    forms = draw.of((
        ((f"it is not impossible for {x.text} to {deed}", f"it is possible for {x.text} to {deed}", f"{x.text} can perhaps {deed}"),
         (f"it is impossible for {x.text} to {deed}", f"it is not possible for {x.text} to {deed}", f"{x.text} cannot {deed}")),
        ((f"{x.text} never {past(deed)} without help", f"whenever {x.text} {past(deed)}, {x.he} had help"),
         (f"{x.text} always {past(deed)} without help", f"whenever {x.text} {past(deed)}, {x.he} had no help")),
        ((f"there is no doubt that {x.text} {past(deed)}", f"it is certain that {x.text} {past(deed)}", f"{x.text} undoubtedly {past(deed)}"),
         (f"it is doubtful whether {x.text} {past(deed)}", f"it is not certain that {x.text} {past(deed)}")),
        ((f"{x.text} does not deny that {x.he} {past(deed)}", f"{x.text} admits that {x.he} {past(deed)}"),
         (f"{x.text} denies that {x.he} {past(deed)}", f"{x.text} does not admit that {x.he} {past(deed)}")),
        ((f"nobody was unaware that {x.text} had {done(deed)}", f"everybody knew that {x.text} had {done(deed)}"),
         (f"nobody was aware that {x.text} had {done(deed)}", f"nobody knew that {x.text} had {done(deed)}")),
        ((f"{x.text} hardly ever {third(deed)}", f"{x.text} almost never {third(deed)}", f"{x.text} rarely {third(deed)}"),
         (f"{x.text} almost always {third(deed)}", f"{x.text} hardly ever fails to {deed}", f"{x.text} nearly always {third(deed)}")),
    ))  # fmt: skip
    return Family(forms, 0.92, 0.04)


@frame(1.0)
def believed(draw: Draw) -> Family:
    """Whether it is so, and who says so."""
    x, y = draw.name().text, draw.person().text
    deed = draw.deed()
    forms = [
        [f"{x} knows that {y} {past(deed)}", f"{x} is aware that {y} {past(deed)}", f"{x} is aware of the fact that {y} {past(deed)}"],
        [f"{x} doubts that {y} {past(deed)}", f"{x} does not believe that {y} {past(deed)}", f"{x} finds it hard to believe that {y} {past(deed)}"],
        [f"{x} believes that {y} {past(deed)}", f"{x} thinks that {y} {past(deed)}", f"in {x}'s opinion, {y} {past(deed)}"],
        [f"{x} hopes that {y} {past(deed)}", f"{x} would be glad if {y} {past(deed)}"],
        [f"{x} is afraid that {y} {past(deed)}", f"{x} fears that {y} {past(deed)}"],
        [f"{x} dreamt that {y} {past(deed)}", f"in {x}'s dream, {y} {past(deed)}"],
        [f"{x} wonders whether {y} {past(deed)}", f"{x} would like to know whether {y} {past(deed)}", f"{x} asks if {y} {past(deed)}"],
        [f"{x} lied that {y} {past(deed)}", f"{x} said falsely that {y} {past(deed)}", f"{x} lied when saying that {y} {past(deed)}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.92, 0.07)


@frame(0.8)
def habits(draw: Draw) -> Family:
    """How often."""
    x, deed = draw.person().text, draw.deed()
    forms = [
        [f"{x} always {third(deed)}", f"{x} {third(deed)} every time", f"{x} never fails to {deed}"],
        [f"{x} never {third(deed)}", f"{x} does not ever {deed}", f"at no time does {x} {deed}"],
        [f"{x} often {third(deed)}", f"{x} frequently {third(deed)}", f"many times {x} {third(deed)}"],
        [f"{x} rarely {third(deed)}", f"{x} seldom {third(deed)}", f"{x} does not often {deed}"],
        [f"{x} sometimes {third(deed)}", f"from time to time {x} {third(deed)}", f"{x} {third(deed)} now and then"],
        [f"{x} usually {third(deed)}", f"as a rule, {x} {third(deed)}", f"{x} normally {third(deed)}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.93, 0.1)


@frame(0.8)
def possession(draw: Draw) -> Family:
    """What somebody has, lacks, wants, lost."""
    x, thing = draw.person().text, draw.one(THINGS)
    forms = [
        [f"{x} has {a(thing)}", f"{x} owns {a(thing)}", f"{x} is the owner of {a(thing)}"],
        [f"{x} does not have {a(thing)}", f"{x} has no {thing}", f"{x} lacks {a(thing)}"],
        [f"{x} wants {a(thing)}", f"{x} would like to have {a(thing)}", f"{x} wishes for {a(thing)}"],
        [f"{x} needs {a(thing)}", f"{x} is in need of {a(thing)}", f"{a(thing)} is what {x} needs"],
        [f"{x} has lost {a(thing)}", f"{x} cannot find {a(thing)} any more"],
        [f"{x} is looking for {a(thing)}", f"{x} is searching for {a(thing)}"],
        [f"{x} makes {thing}s for a living", f"{x} earns money by making {thing}s"],
    ]  # fmt: skip
    forms[-1] = [f.replace("knifes", "knives").replace("watchs", "watches") for f in forms[-1]]
    return Family(draw.rng.sample(forms, 2), 0.93, 0.05)


@frame(0.8)
def jobs(draw: Draw) -> Family:
    """What somebody is, was, wants to be, is not."""
    x, job = draw.name().text, draw.one(JOBS)
    forms = [
        [f"{x} is {a(job)}", f"{x} works as {a(job)}", f"{x} is {a(job)} by profession"],
        [f"{x} wants to become {a(job)}", f"{x} would like to be {a(job)}", f"{x}'s dream is to be {a(job)}"],
        [f"{x} used to be {a(job)}", f"{x} was once {a(job)}", f"{x} is a former {job}"],
        [f"{x} is not {a(job)}", f"{x} does not work as {a(job)}", f"{x} isn't {a(job)}"],
        [f"{x} is married to {a(job)}", f"{x} is the spouse of {a(job)}"],
        [f"{x} pretends to be {a(job)}", f"{x} acts as if {x} were {a(job)}"],
    ]  # fmt: skip
    return Family(draw.rng.sample(forms, 2), 0.93, 0.05)
