"""Words and phrases that stand for each other, and such that only look as if they did.

Each table has a line for a kind: ``label | old = new | new …``, ``<>`` for ``=`` where each may stand for the other. A
condition in brackets is about the tag of the token after the phrase, or before it (``[<PRP]``); tags are compared by
their beginnings, ``/`` separates alternatives, ``!`` asks for any other.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from typing import NamedTuple

from judges.pairs.pair import Change
from judges.pairs.registry import edit
from judges.pairs.sources import Sources
from training.sentence import Sentence


class Swap(NamedTuple):
    """A phrase, what may be put in its place, and where."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    label: float
    after: str = ""
    before: str = ""


_SAME = """
.92 | many <> a lot of | lots of [NNS]
.92 | much <> a lot of [NN]
.9 | a lot of = plenty of | a great deal of [NN]
.9 | a great deal of = a lot of | much [NN]
.9 | a large number of = many | a lot of [NNS/JJ]
.9 | a number of = several | some [NNS/JJ]
.8 | several <> a number of | some [NNS/JJ]
.85 | a few <> some | a couple of [NNS]
.92 | every = each [NN]
.9 | everyone <> everybody
.95 | someone <> somebody
.95 | anyone <> anybody
.95 | no one <> nobody
.9 | anything = any thing
.92 | all the <> all of the
.93 | both of the = both the | both
.9 | the majority of = most | most of
.9 | almost all = nearly all
.9 | almost <> nearly [!.]
.92 | about = around | approximately | roughly [CD]
.92 | around = about | approximately [CD]
.92 | approximately = about | around | roughly [CD]
.9 | more than = over [CD]
.9 | over = more than [CD]
.88 | at least = no fewer than [CD]
.9 | up to = as many as [CD]
.93 | enough = sufficient [NN]
.85 | only = just [!.]
.93 | also = too [.]
.9 | as well as = and also
.9 | as well = too [.]
.92 | however = nevertheless | nonetheless
.9 | nevertheless = however | nonetheless
.93 | therefore = thus | for this reason | so
.92 | thus = therefore | hence
.93 | because = since | as [PRP/DT]
.93 | because of = due to | owing to | on account of
.93 | due to = because of [DT/PRP/JJ/NN]
.95 | although <> though | even though
.93 | despite <> in spite of
.9 | while = whereas [<,]
.9 | but = yet [<,]
.92 | in order to = to [VB]
.9 | so as to = to [VB]
.95 | for example <> for instance
.92 | such as = like [NN/DT/JJ]
.93 | in addition = moreover | furthermore | besides [,]
.93 | furthermore = moreover | in addition
.93 | moreover = furthermore | in addition
.93 | finally = in the end | lastly [,]
.9 | eventually = in the end | finally
.9 | at first = initially | in the beginning
.9 | initially = at first
.93 | currently = at present | at the moment | now
.93 | nowadays = today | these days
.93 | these days = nowadays
.9 | often = frequently | many times
.93 | frequently = often
.93 | sometimes = at times | from time to time | occasionally
.93 | usually = normally | generally
.93 | generally = usually | in general
.9 | rarely <> seldom
.93 | immediately = at once | right away | instantly
.92 | again = once more
.9 | once more = again
.93 | later = afterwards [.]
.92 | later = subsequently [VB]
.92 | subsequently = later | afterwards
.92 | previously = before [.]
.9 | prior to = before
.9 | following = after [<,]
.9 | until <> till
.93 | soon = shortly | before long
.92 | perhaps <> maybe
.92 | possibly = perhaps
.9 | probably = most likely
.93 | definitely = certainly
.92 | certainly = definitely | surely
.92 | really = truly
.8 | very = extremely | really [JJ/RB]
.88 | extremely = very [JJ/RB]
.88 | quite = rather [JJ]
.9 | completely = totally | entirely | fully
.9 | entirely = completely | wholly
.92 | mainly = mostly | primarily
.92 | mostly = mainly | for the most part
.93 | especially = particularly | in particular
.93 | particularly = especially
.9 | actually = in fact | in reality
.92 | in fact = indeed | actually
.9 | of course = naturally
.93 | have to = must | need to [VB]
.92 | has to = must | needs to [VB]
.92 | must = have to [VB] [<PRP/NNS]
.92 | is able to = can [VB]
.92 | are able to = can [VB]
.92 | was able to <> could [VB]
.9 | can = is able to [VB] [<NN]
.92 | need to = have to [VB]
.92 | should = ought to [VB]
.92 | ought to = should
.92 | is going to = will [VB]
.92 | are going to <> will [VB]
.92 | might = may [VB]
.9 | may = might [VB]
.9 | would like to = want to
.9 | used to = would [VB] [<PRP]
.85 | tried to = attempted to
.93 | attempted to = tried to
.93 | began to <> started to [VB]
.93 | begins to = starts to
.93 | starts to = begins to
.93 | began = started [NN/DT/VBG]
.93 | started = began [NN/DT/VBG]
.9 | continued to = kept on
.93 | wanted to = wished to
.92 | decided to = made up his mind to [<PRP]
.92 | bought = purchased
.92 | purchased = bought
.92 | received = got [DT/JJ/NN/PRP$]
.88 | got = received [DT]
.92 | obtained = got
.9 | helped = assisted [PRP/NNP]
.92 | requires = needs
.92 | allowed = permitted | let [DT/PRP/NNP]
.9 | allowed = permitted [DT/PRP/NNP]
.93 | stated that = said that
.92 | stated = said
.9 | claimed = said
.92 | remarked = said
.9 | tell = let know [.]
.93 | died = passed away
.93 | passed away = died
.9 | left = departed [.]
.92 | finished = completed [DT/PRP$]
.92 | completed = finished [DT/PRP$]
.92 | built = constructed
.92 | constructed = built
.92 | created = made [DT]
.9 | chose = picked | selected [DT/PRP/NNP]
.9 | selected = chosen [IN] [<VBD]
.9 | increased = went up [.]
.93 | discovered = found out [IN]
.93 | returned to = went back to | came back to
.93 | went back to = returned to
.93 | took part in <> participated in
.93 | gave up = quit
.92 | continued = went on [VBG/IN]
.92 | went on = continued [VBG/IN]
.93 | postponed = put off | delayed
.9 | took place = happened | occurred
.92 | occurred = happened | took place
.92 | happened = occurred
.93 | children = kids
.93 | kids = children
.93 | film = movie
.93 | movie = film
.9 | films = movies
.9 | movies = films
.92 | automobile = car
.92 | car = automobile
.92 | doctor = physician
.92 | lawyer = attorney
.92 | attorney = lawyer
.92 | big <> large [NN]
.92 | huge = enormous | gigantic | very big
.92 | enormous = huge
.92 | quick = fast
.92 | quickly = fast | rapidly
.92 | rapidly = quickly
.92 | difficult <> hard [TO/NN/.]
.92 | easy = simple [TO]
.92 | wealthy <> rich
.92 | ill = sick [./IN]
.92 | intelligent = smart | clever
.92 | important = significant [NN]
.9 | crucial = very important | essential
.92 | amazing = wonderful | fantastic
.92 | wonderful = great | marvelous
.92 | excellent = outstanding | superb
.92 | terrible = awful | horrible
.92 | awful = terrible | horrible
.92 | horrible = terrible | awful
.92 | famous <> well-known
.9 | entire = whole [NN]
.9 | whole = entire [NN]
.92 | error = mistake
.92 | errors = mistakes
.92 | answer = reply [<DT]
.92 | present = gift [<DT]
.92 | people = persons [.]
.92 | whether or not = whether
.92 | whether = if [<VB] [PRP]
.92 | in case = if
.9 | as soon as = the moment [PRP]
.93 | per year = a year
.93 | per day = a day
.93 | each other <> one another
.93 | in the middle of = amid
.93 | next to <> beside
.93 | close to = near
.93 | near = close to [DT/NNP]
.92 | among = amongst
.92 | toward <> towards
.92 | upon = on
.92 | within = inside [DT]
.92 | regarding = concerning | about
.9 | throughout = all over [DT] [<NN]
.9 | as a result = consequently | therefore [,]
.92 | consequently = as a result | therefore
.93 | on the other hand = by contrast
.92 | in my opinion = I think [PRP/DT]
.92 | according to me = in my opinion
.92 | instead of = rather than
.9 | rather than = instead of [VBG/NN/DT]
.9 | kind of = sort of | type of [NN]
.9 | type of = kind of | sort of
.9 | i am sure that = I am certain that
.92 | i believe = I think
.92 | i think = I believe | in my opinion,
.9 | in this way = thus
.93 | do not have any = have no
.93 | did not have any = had no
.93 | had no = did not have any [NNS]
.93 | have no = do not have any [NNS]
.93 | not possible <> impossible
.9 | not easy = difficult | hard
.88 | not good = bad
.9 | not the same as = different from
.9 | unable to <> not able to
.88 | not allowed to = forbidden to
.88 | failed to = did not | was unable to
.88 | unlike = in contrast to
.88 | refused to = would not
.93 | forgot to = did not remember to
.9 | remembered to = did not forget to
.92 | unknown = not known
.92 | unclear = not clear
.92 | unhappy = not happy | sad
.92 | uncommon = not common | rare
.92 | not unusual = common
.9 | never = not once [VBD/VBN]
"""

_SPELLINGS = """
colour color, favourite favorite, honour honor, neighbour neighbor, behaviour behavior, labour labor, harbour
harbor, humour humor, flavour flavor, rumour rumor, centre center, theatre theater, metre meter, litre liter,
fibre fiber, realise realize, realised realized, organise organize, organised organized, organisation
organization, recognise recognize, recognised recognized, apologise apologize, criticised criticized, analyse
analyze, analysed analyzed, emphasise emphasize, travelled traveled, traveller traveler, travelling traveling,
cancelled canceled, modelling modeling, jewellery jewelry, grey gray, programme program, defence defense,
licence license, offence offense, cheque check, tyre tire, catalogue catalog, dialogue dialog, aeroplane
airplane, ageing aging, judgement judgment, learnt learned, dreamt dreamed, burnt burned, spelt spelled,
whilst while, amongst among, enrol enroll, fulfil fulfill, skilful skillful, sceptical skeptical, mum mom,
maths math, neighbours neighbors, colours colors, favour favor, favours favors, neighbourhood neighborhood,
neighbouring neighboring, honoured honored, labelled labeled, signalled signaled, counsellor counselor,
practise practice, specialised specialized, popularised popularized, popularise popularize, characterised
characterized, ok okay, okay OK, percent per cent, email e-mail, online on-line, website web site, anymore any
more, theatres theaters, centres centers
"""

_OTHER = {
    "quantifier": """
.05 | all = some | few | none of | half of [DT/PRP$]
.08 | all = some | few | many | no [NNS]
.12 | all = most [NNS/DT/PRP$]
.06 | every = no | hardly any [NN]
.2 | every = almost every [NN]
.05 | everyone = no one | someone
.1 | everybody = somebody | hardly anybody
.05 | everything = nothing | something
.06 | nothing = everything | something
.04 | nobody = everybody | somebody
.04 | no one = everyone | someone
.12 | most of = some of | few of | half of | all of
.1 | most = some | few | all [NNS] [<!DT]
.08 | many = few | no | all [NNS/JJ]
.2 | many = some | several [NNS/JJ]
.1 | many of = few of | none of | all of
.06 | several = no | all the [NNS/JJ]
.3 | several = two | a dozen [NNS]
.08 | some = all | no | most [NNS]
.1 | some of = all of | none of | most of
.06 | few = many | most [NNS/JJ]
.15 | a few = few | many | all [NNS]
.06 | a lot of = little | few | no [NN]
.06 | lots of = few | no [NNS]
.06 | much = little [NN]
.05 | both = neither | one [IN]
.06 | both of = neither of | one of
.1 | one of = all of | none of [DT/PRP$]
.08 | none of = all of | some of
.06 | always = never | sometimes | rarely
.06 | often = never | rarely | always
.08 | usually = never | rarely | sometimes
.1 | sometimes = always | never | usually
.05 | never = always | often | sometimes
.05 | rarely = often | usually
.08 | frequently = rarely | occasionally
.08 | generally = rarely | never
.12 | mostly = partly | hardly
.12 | mainly = partly
.08 | half of = all of | a third of
.15 | only = also | even [!.]
.1 | almost = exactly | more than [CD/DT]
.08 | the first = the last | the second
.08 | the last = the first
.15 | enough = too much [NN]
.08 | each of = one of | none of
.15 | the whole = part of the | half of the
.15 | the entire = part of the | half of the
""",
    "comparison": """
.03 | more than = less than | exactly [!CD]
.03 | less than = more than
.05 | more than = fewer than | exactly [CD]
.05 | over = under | exactly [CD]
.05 | at least = at most | exactly | less than [CD/DT]
.05 | at most = at least
.05 | up to = at least | over [CD]
.04 | more = less [JJ/RB]
.04 | less = more [JJ/RB/NN/IN]
.08 | more = fewer | as many [NNS]
.08 | more = no more | less [NN]
.04 | most = least [JJ]
.04 | better = worse
.04 | best = worst
.04 | worse = better
.04 | worst = best
.04 | larger = smaller
.04 | largest = smallest
.04 | bigger = smaller
.04 | higher = lower
.04 | highest = lowest
.04 | lower = higher [<DT/VB]
.04 | older = younger
.04 | younger = older
.04 | longer = shorter [!.]
.04 | earlier = later
.04 | later = earlier
.04 | faster = slower
.04 | cheaper = more expensive
.04 | stronger = weaker
.05 | too = not [JJ]
.3 | very = a little [JJ]
.3 | very = fairly | somewhat [JJ]
.06 | not as = just as
.06 | the same as = different from
.06 | similar to = different from
.06 | different from = similar to | the same as
.5 | best = good [NN]
.4 | biggest = big [NN]
""",
    "link": """
.06 | before = after
.06 | after = before [!NN]
.15 | after = because of | during [DT]
.07 | because = although | even though | unless | if | before
.07 | although = because | if
.07 | though = because [PRP/DT] [<!RB]
.07 | even though = because
.07 | despite = because of | thanks to
.07 | in spite of = because of
.06 | because of = despite | instead of | without
.1 | due to = despite
.05 | if = unless | although | because
.35 | if = when | whenever
.05 | unless = if
.15 | when = if | unless | until | before [PRP/DT/NN]
.3 | when = after | before [VBG]
.1 | while = because | before [PRP]
.1 | until = before | after | since
.15 | since = until | before [PRP/DT/CD]
.12 | so = because | although [PRP] [<,]
.1 | therefore = nevertheless | however | otherwise
.1 | however = therefore | for example
.35 | but = and | so [PRP/DT]
.15 | but = because [PRP]
.25 | and = or [NN/JJ/DT/PRP$]
.2 | and = but not [NN/DT]
.3 | or = and
.15 | and = because | although | if [PRP]
.12 | so that = because | unless
.12 | in order to = instead of [x]
.12 | instead of = together with | because of
.1 | as well as = but not | instead of
.06 | with = without | against [DT/PRP$/NNP]
.12 | for = against [DT/PRP$/NNP]
.05 | without = with
.1 | except = including
.1 | including = except for
.12 | such as = except for
.08 | like = unlike [NNP/DT]
""",
    "direction": """
.05 | left = right [NN/./,] [<DT/PRP$]
.05 | to the left = to the right
.05 | north = south
.05 | south = north
.05 | northern = southern
.05 | southern = northern
.05 | east = west [!NN]
.05 | west = east [!NN]
.05 | eastern = western
.05 | western = eastern
.06 | up = down [.]
.06 | from = to [DT/NNP/PRP$]
.08 | into = out of
.06 | out of = into
.08 | inside = outside
.08 | outside = inside
.1 | in front of = behind
.1 | behind = in front of
.1 | above = below
.1 | below = above
.1 | under = on top of [DT/PRP$]
.15 | near = far from
.12 | next to = far from
.1 | by = for | against [NNP]
.06 | to = from [NNP/DT] [<NN/VBD]
.06 | first = last [NN]
.06 | last = first [NN] [<DT]
.06 | next = previous [NN]
.06 | previous = next
.06 | early = late [NN/CD]
.06 | late = early [NN/CD]
.06 | today = yesterday | tomorrow
.06 | yesterday = today | tomorrow
.06 | tomorrow = yesterday
.06 | morning = evening
.06 | evening = morning
.06 | day = night [.]
.1 | summer = winter
.06 | winter = summer
.06 | monday = Tuesday | Friday
.06 | sunday = Wednesday | Saturday
.06 | january = August | March
.06 | february = October
.06 | march = June [CD]
.06 | april = September
.06 | may = November [CD]
.06 | june = December
.06 | july = February
.06 | august = April
.06 | september = May
.06 | october = January
.06 | november = July
.06 | december = June
""",
    "opposite": """
.04 | increase = decrease
.04 | increased = decreased
.04 | decrease = increase
.04 | won = lost [DT/CD/PRP$]
.04 | lost = won [DT/PRP$]
.04 | accept = reject
.04 | accepted = rejected | refused
.04 | rejected = accepted
.04 | loved = hated
.04 | love = hate [DT/PRP/TO/VBG]
.04 | like = dislike [DT/VBG/TO] [<PRP]
.04 | agreed = disagreed
.04 | agree = disagree
.05 | bought = sold
.05 | buy = sell
.05 | sold = bought
.05 | gave = took [DT/PRP$]
.05 | began = ended | stopped
.05 | started = stopped [NN/DT/VBG]
.05 | stopped = started [VBG]
.05 | opened = closed
.05 | closed = opened
.04 | succeeded = failed
.04 | failed = succeeded
.03 | failed to = managed to
.03 | refused to = agreed to
.03 | agreed to = refused to
.03 | forgot to = remembered to
.04 | allow = forbid
.04 | allowed = forbidden [TO]
.04 | supported = opposed
.04 | support = oppose [DT]
.04 | remembered = forgot
.04 | remember = forget
.04 | possible = impossible
.04 | impossible = possible
.04 | able = unable
.04 | unable = able
.04 | good = bad
.04 | great = terrible | awful
.04 | excellent = poor | terrible
.04 | terrible = great | excellent
.04 | awful = great
.04 | friendly = rude | unfriendly
.04 | rude = friendly | polite
.04 | happy = sad | unhappy
.04 | easy = difficult | hard
.04 | difficult = easy
.04 | important = unimportant | trivial
.04 | necessary = unnecessary
.04 | useful = useless
.04 | advantages = disadvantages
.04 | advantage = disadvantage
.05 | success = failure
.05 | true = false
.05 | right = wrong [.]
.05 | wrong = right
.05 | safe = dangerous
.05 | dangerous = safe
.05 | cheap = expensive
.05 | expensive = cheap
.05 | clean = dirty
.05 | dirty = clean
.05 | fast = slow
.05 | quickly = slowly
.05 | old = young | new
.05 | young = old
.05 | new = old
.05 | rich = poor
.05 | poor = rich
.05 | men = women
.08 | man = woman
.08 | woman = man
.08 | boy = girl
.08 | girl = boy
.08 | mother = father
.08 | father = mother
.08 | brother = sister
.08 | husband = wife
.08 | wife = husband
.08 | son = daughter
.08 | daughter = son
.05 | friend = enemy
.05 | friends = enemies
.05 | public = private
.05 | private = public
.05 | future = past
.05 | past = future [<DT]
.05 | more and more = fewer and fewer [NNS]
""",
}

_LINE = re.compile(r"(\.\d+) \| ([^=<\[]+?) (=|<>) ([^\[]+?)((?: \[[^\]]+\])*)$")


def read_table(table: str) -> dict[str, list[Swap]]:
    """The swaps of a table by the first word of what they replace.

    Raises:
        ValueError: a line that is none.
    """
    found: dict[str, list[Swap]] = defaultdict(list)
    for line in table.strip().splitlines():
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"not a line of a table: {line!r}")
        label, old, sign, news, conditions = match.groups()
        after = before = ""
        for condition in re.findall(r"\[([^\]]+)\]", conditions):
            if condition.startswith("<"):
                before = condition[1:]
            else:
                after = condition
        new = tuple(n.strip() for n in news.split("|"))
        found[old.split()[0]].append(Swap(tuple(old.split()), new, float(label), after, before))
        if sign == "<>":
            for other in new:
                found[other.split()[0].lower()].append(
                    Swap(tuple(other.lower().split()), (old,), float(label), after, before)
                )
    return dict(found)


def swapped(table: dict[str, list[Swap]], sentence: Sentence, rng: random.Random, kind: str) -> Change | None:
    """A phrase of a table replaced; None where the sentence has none."""
    words, tags = sentence.words, sentence.tags
    for i in sentence.shuffled(rng):
        fitting = [s for s in table.get(words[i], ()) if words[i : i + len(s.old)] == s.old]
        rng.shuffle(fitting)
        for swap in fitting:
            j = i + len(swap.old)
            if not _holds(swap.after, tags[j] if j < len(tags) else ".") or not _holds(
                swap.before, tags[i - 1] if i else "^"
            ):
                continue
            if not (sentence.is_whole(i) and sentence.is_whole(j - 1)) or _is_name(sentence, i, j):
                continue
            return Change(sentence.put(i, j, rng.choice(swap.new)), swap.label, kind)
    return None


def _is_name(sentence: Sentence, i: int, j: int) -> bool:
    """Whether the words are a part of a name: a capital within the sentence, before or after another capital."""
    if not i or not any(sentence.tokens[k].text[0].isupper() for k in range(i, j)):
        return False
    if sentence.words[i] in _DATES or sentence.words[i] == "i":
        return False
    return sentence.tokens[i - 1].text[0].isalnum() or sentence.tokens[i - 1].text in "\"“'-"


_DATES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december".split()
)


def _holds(condition: str, tag: str) -> bool:
    if not condition:
        return True
    if condition.startswith("!"):
        return not _holds(condition[1:], tag)
    return any(tag.startswith(wanted) or (wanted == "." and tag in (",", ".", ":")) for wanted in condition.split("/"))


_SAME_TABLE = read_table(_SAME)
_OTHER_TABLES = {kind: read_table(table) for kind, table in _OTHER.items()}
_WEIGHTS = {"quantifier": 1.6, "comparison": 1.3, "link": 1.5, "direction": 0.9, "opposite": 1.6}


@edit("phrase.same", faithful=True, weight=4.0)
def same(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Phrases that say the same, at one place or two."""
    first = swapped(_SAME_TABLE, sentence, rng, "phrase.same")
    if first is not None and rng.random() < 0.5:
        second = swapped(_SAME_TABLE, Sentence.of(first.text), rng, "phrase.same")
        if second is not None and second.text != sentence.text:
            return Change(second.text, first.label * second.label, "phrase.same")
    return first


def _register(kind: str) -> None:
    @edit(f"{kind}.changed", faithful=False, weight=_WEIGHTS[kind])
    def change(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
        return swapped(_OTHER_TABLES[kind], sentence, rng, f"{kind}.changed")


for _kind in _OTHER_TABLES:
    _register(_kind)


_VARIANTS: dict[str, str] = {}
for _pair in _SPELLINGS.replace("\n", " ").split(","):
    _british, _american = _pair.strip().split(" ", 1)
    _VARIANTS[_british] = _american
    _VARIANTS.setdefault(_american.lower(), _british)


@edit("spelling.variant", faithful=True, weight=0.4)
def spelling(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """British and American spelling, at all places."""
    text = sentence.text
    made = re.sub(r"\b[a-z]+\b", lambda m: _VARIANTS.get(m.group(), m.group()), text)
    return Change(made, 0.99, "spelling.variant") if made != text else None
