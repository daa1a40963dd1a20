"""A bank of paraphrases written by hand: a line is a meaning in several wordings, and after ``~`` others that only look alike.

Places to fill: {x}, {y} people by name ({he}, {him}, {his} for x), {n}, {m} numbers, {h} an hour, {city}, {town}, {thing}, {job}, {day}.
Between ``~`` and the end, ``/`` separates sentences of different meanings.
"""

from __future__ import annotations

import re

from judges.pairs.templates.family import Family, frame
from judges.pairs.templates.lexicon import CITIES, JOBS, NUMBERS, SMALL, Draw

_BANK = """
{x} works at a school in {city} / {x} has a job at a school in {city} / the school that {x} works at is in {city} ~ {x} goes to school in {city} as a pupil / {x} lives near a school in {city}
the shop is open every day except {day} / the only day on which the shop is closed is {day} / on {day} the shop is closed, but on all other days it is open ~ the shop is open only on {day} / the shop is open every day including {day}
{x} has never been to {city} / {x} has not visited {city} yet / {city} is a place that {x} has never seen ~ {x} has often been to {city} / {x} has never left {city}
it takes {n} hours to get from {city} to {town} / the trip from {city} to {town} takes {n} hours / you need {n} hours to travel from {city} to {town} ~ it takes {m} hours to get from {city} to {town} / the train from {city} leaves in {n} hours
{x} could not come because {he} was ill / {x} was ill and therefore unable to come / illness kept {x} from coming ~ {x} came although {he} was ill / {x} fell ill because {he} came
there is no milk left / we have run out of milk / all the milk has been used up ~ there is some milk left / nobody left any milk for us
{x} lent {y} some money / {y} borrowed some money from {x} / some money was lent to {y} by {x} ~ {y} lent {x} some money / {x} stole some money from {y}
the film was so boring that {x} fell asleep / {x} fell asleep because the film was very boring / the boring film made {x} fall asleep ~ the film was boring, but {x} did not fall asleep / {x} fell asleep before the boring film
nobody knows where {x} lives / where {x} lives is not known to anyone / it is a mystery where {x} lives ~ everybody knows where {x} lives / nobody lives where {x} does
{x} forgot to lock the door / {x} did not remember to lock the door / the door was not locked because {x} forgot it ~ {x} remembered to lock the door / {x} forgot that the door was locked
children under {n} do not have to pay / there is no charge for children younger than {n} / it is free for children who are not yet {n} ~ children over {n} do not have to pay / children under {n} are not allowed
the meeting was moved from {day} to Thursday / the meeting will be on Thursday instead of {day} / the meeting planned for {day} will take place on Thursday ~ the meeting was moved from Thursday to {day} / there will be meetings on {day} and Thursday
{x} is allergic to nuts / nuts make {x} ill / {x} cannot eat nuts because of an allergy ~ {x} is fond of nuts / {x} is allergic to milk
{x} speaks French better than English / {x}'s French is better than {his} English / {x} does not speak English as well as French ~ {x} speaks English better than French / {x} speaks neither French nor English
the police arrested the man who had stolen {x}'s car / the man who stole {x}'s car was arrested / the thief of {x}'s car was caught by the police ~ the police stole the car of the man whom {x} had arrested / {x} arrested the man who had stolen the police car
{x} was born in {city} but grew up in {town} / {x} grew up in {town}, although {he} was born in {city} / {town} is where {x} grew up, but {city} is where {he} was born ~ {x} was born in {town} but grew up in {city} / {x} was born and grew up in {city}
you may not smoke here / smoking is not allowed here / it is forbidden to smoke here / no smoking here ~ you may smoke here / you do not have to smoke here
{x} has just left the office / {x} left the office a moment ago / a moment ago {x} was still in the office ~ {x} has just arrived at the office / {x} is about to leave the office
the soup needs more salt / there is not enough salt in the soup / you should put some more salt into the soup ~ there is too much salt in the soup / the soup does not need any salt
{x} hates getting up early / getting up early is something that {x} hates / {x} does not like to get up early at all ~ {x} loves getting up early / {x} hates going to bed early
the hotel was cheaper than we had expected / we had expected the hotel to cost more / the hotel cost less than we thought it would ~ the hotel was more expensive than we had expected / the hotel was as cheap as we had expected
{x} taught {y} how to swim / {y} learned to swim from {x} / it was {x} who taught {y} to swim ~ {y} taught {x} how to swim / {x} told {y} not to swim
the road is closed because of snow / because there is snow, the road is closed / snow is the reason why the road is closed ~ the road is open in spite of the snow / the road is closed because of an accident
{x} would rather stay at home than go out / {x} prefers staying at home to going out / going out appeals less to {x} than staying at home ~ {x} would rather go out than stay at home / {x} can neither stay at home nor go out
two thirds of the people voted yes / a third of the people did not vote yes / of three people, two voted yes ~ a third of the people voted yes / two thirds of the people voted no
{x} repaired the bicycle without any help / {x} repaired the bicycle all alone / nobody helped {x} repair the bicycle ~ {x} repaired the bicycle with some help / nobody but {x} could repair the bicycle
the bridge was built {n} years ago / it is {n} years since the bridge was built / {n} years ago they built the bridge ~ the bridge was destroyed {n} years ago / it took {n} years to build the bridge
{x} is too young to drive / {x} is not old enough to drive / {x} cannot drive yet because {he} is too young ~ {x} is old enough to drive / {x} is too old to drive
{x} saved {y}'s life / without {x}, {y} would have died / {y} owes {his} life to {x} ~ {y} saved {x}'s life / {x} could not save {y}'s life
the team won the match by one goal / the team scored one goal more than the other one / the other team lost by one goal ~ the team lost the match by one goal / the team scored only one goal and lost
{x} spends more than {he} earns / {x} earns less than {he} spends / {x}'s income is smaller than {his} expenses ~ {x} earns more than {he} spends / {x} spends all that {he} earns
the last bus leaves at {h} / there are no buses after {h} / after {h} o'clock no bus leaves ~ the first bus leaves at {h} / the last bus leaves before {h}
{x} apologized to {y} for being late / {x} said sorry to {y} because {he} was late / {x} told {y} that {he} was sorry to be late ~ {y} apologized to {x} for being late / {x} complained that {y} was late
it has been raining since {day} / it began to rain on {day} and has not stopped / the rain that began on {day} is still falling ~ it rained until {day} / it will rain on {day}
nearly all the seats were taken / there were hardly any free seats / only a few seats were free ~ nearly all the seats were free / all the seats were taken
{x} has two brothers and no sisters / {x} has no sisters, but two brothers / {x}'s parents have three children and {x} has only brothers ~ {x} has two sisters and no brothers / {x} has no brothers or sisters
you cannot enter without a ticket / you need a ticket to enter / only people with a ticket may enter / nobody may enter who has no ticket ~ you can enter without a ticket / everyone who enters gets a ticket
{x} agreed with everything that {y} said / there was nothing in what {y} said that {x} disagreed with / {x} did not disagree with anything {y} said ~ {x} agreed with nothing that {y} said / {y} agreed with everything that {x} said
the doctor advised {x} to stop smoking / {x} was advised by the doctor not to smoke any more / according to the doctor, {x} should give up smoking ~ {x} advised the doctor to stop smoking / the doctor advised {x} not to stop smoking
{x} found the {thing} under the bed / the {thing} that {x} found was under the bed / it was under the bed that {x} found the {thing} ~ {x} hid the {thing} under the bed / {x} found the {thing} on the bed
{x} regrets having sold the {thing} / {x} is sorry that {he} sold the {thing} / {x} wishes {he} had not sold the {thing} ~ {x} is glad that {he} sold the {thing} / {x} regrets not having sold the {thing}
it is not far from the station to the hotel / the hotel is near the station / the distance between the station and the hotel is short ~ it is a long way from the station to the hotel / the station is not as far as the hotel
{x} always tells the truth / {x} never lies / you will never hear a lie from {x} ~ {x} never tells the truth / {x} sometimes lies
if it rains we will stay at home / we will stay at home in case of rain / in the event of rain we will not go out ~ if it does not rain we will stay at home / even if it rains we will go out
{x} is the youngest of the {n} children / all the other {n} children are older than {x} / none of the {n} children is younger than {x} ~ {x} is the oldest of the {n} children / {x} is older than the youngest of the {n} children
the book was translated from Russian into French / someone translated the Russian book into French / the book was written in Russian and then put into French ~ the book was translated from French into Russian / the book was written in both Russian and French
{x} did not buy the {thing} because it was too expensive / the {thing} cost too much, so {x} did not buy it / the price of the {thing} was so high that {x} did not buy it ~ {x} bought the {thing} although it was too expensive / {x} did not buy the {thing} because it was too cheap
{x} can play both the piano and the violin / {x} plays the piano, and the violin too / not only the piano but also the violin is played by {x} ~ {x} can play the piano but not the violin / {x} can play neither the piano nor the violin
{x} arrived {n} minutes before the train left / when the train left, {x} had been there for {n} minutes / the train left {n} minutes after {x} had arrived ~ {x} arrived {n} minutes after the train had left / the train left {n} minutes before {x} arrived
the teacher made {x} write the essay again / {x} had to write the essay again because the teacher said so / the teacher forced {x} to rewrite the essay ~ the teacher let {x} keep the essay as it was / {x} asked the teacher to write the essay again
the price rose from {n} to {m} euros / the price was raised from {n} to {m} euros / before it rose to {m} euros, the price was {n} euros ~ the price fell from {n} to {m} euros / the price rose by {n} euros
{x} is not only a {job} but also a writer / besides being a {job}, {x} is a writer / {x} works as a {job} and writes as well ~ {x} is not a {job} but a writer / {x} was a {job} before becoming a writer
no other city in the country is as big as {city} / {city} is the biggest city in the country / {city} is bigger than all the other cities in the country ~ {city} is one of the smaller cities in the country / several cities in the country are bigger than {city}
{x} gave up the search after {n} days / after {n} days, {x} stopped searching / {x} searched for {n} days and then stopped ~ {x} began the search after {n} days / after {n} days, {x} found what {he} had been searching for
the company employs {n} people / {n} people work for the company / the company has {n} employees ~ the company dismissed {n} people / the company is looking for {n} people
please speak more slowly / please do not speak so fast / could you speak a bit more slowly ~ please speak faster / please do not speak so slowly
{x} was the first to arrive and the last to leave / nobody arrived before {x} or left after {him} / everybody else arrived later and left earlier than {x} ~ {x} was the last to arrive and the first to leave / {x} arrived first but left early
I have known {x} since we were children / {x} and I have known each other since childhood / {x} is someone I have known from my childhood on ~ I have known {x} for only a few days / I knew {x} when we were children, but not any more
the exam was easier than {x} had thought / {x} had thought the exam would be harder / the exam was not as hard as {x} had expected ~ the exam was harder than {x} had thought / {x} thought the exam was easy and failed
{x} left the lights on / {x} did not switch off the lights / the lights were still on because {x} had not turned them off ~ {x} switched off the lights / {x} left when the lights went on
it was {x}'s idea to go by train / {x} was the one who suggested going by train / going by train was suggested by {x} ~ {x} was against going by train / it was {x}'s idea to go by car
half the class passed the test / as many pupils passed the test as failed it / one in two pupils passed the test ~ the whole class passed the test / nobody in the class passed the test
{x} lives on the floor above {y} / {y} lives on the floor below {x} / {x}'s flat is one floor above {y}'s ~ {y} lives on the floor above {x} / {x} and {y} live on the same floor
{x} stopped at the shop to buy bread / {x} went into the shop because {he} wanted to buy bread / on the way {x} bought bread at the shop ~ {x} stopped buying bread at the shop / {x} passed the shop without buying bread
they had to cancel the concert / the concert could not take place / the concert had to be called off ~ they had to repeat the concert / the concert took place as planned
{x} spoke so quietly that nobody understood {him} / nobody could understand {x} because {he} spoke too quietly / {x} did not speak loudly enough to be understood ~ {x} spoke so clearly that everybody understood {him} / {x} spoke quietly, but everybody understood {him}
my car uses less petrol than yours / your car uses more petrol than mine / in comparison with your car, mine needs less petrol ~ my car uses more petrol than yours / your car is older than mine
{x} and {y} have been married for {n} years / it is {n} years since {x} and {y} got married / {n} years ago {x} married {y}, and they are still married ~ {x} and {y} were married for {n} years before they got divorced / {x} and {y} will get married in {n} years
the museum can be visited free of charge on {day} / on {day} you do not have to pay to visit the museum / entry to the museum is free on {day} ~ the museum is closed on {day} / the museum can be visited only on {day}
we ran out of time before we could finish / there was not enough time for us to finish / we could not finish because we had no more time ~ we finished before the time was over / we had enough time, but we did not finish
{x} is said to be very rich / people say that {x} is very rich / it is said that {x} has a lot of money ~ {x} says that people are very rich / {x} is known not to be rich
instead of going to work, {x} went fishing / {x} did not go to work but went fishing / {x} went fishing when {he} should have gone to work ~ {x} went to work instead of going fishing / after going to work, {x} went fishing
the letter was written by {x}, not by {y} / it was {x} who wrote the letter and not {y} / {y} did not write the letter, {x} did ~ the letter was written by {y}, not by {x} / the letter was written to {x}, not to {y}
{x} sold the house to pay {his} debts / in order to pay {his} debts, {x} sold the house / {x} needed money for {his} debts, so {he} sold the house ~ {x} borrowed money to buy the house / {x} sold the house although {he} had no debts
there is something wrong with the engine / the engine is not working properly / the engine has a fault ~ there is nothing wrong with the engine / something is wrong with the brakes
it is up to {x} to decide / the decision is {x}'s / {x} is the one who must decide ~ {x} has already decided / it is not {x} who decides
{x} has a lot of friends but few relatives / {x} has few relatives but many friends / although {x} has few relatives, {he} has many friends ~ {x} has a lot of relatives but few friends / {x} has few friends and few relatives
I was about to call you when you rang / you rang just before I called you / you rang at the moment when I was going to call you ~ I called you as soon as you had rung / I was not going to call you when you rang
the patient is getting better / the patient's health is improving / the patient is recovering ~ the patient is getting worse / the patient wants a better doctor
{x} promised never to come late again / {x} said that {he} would always be on time from now on / {x} gave a promise not to be late any more ~ {x} promised to come late again / {x} never promised to come on time
{x}'s advice was very helpful to {y} / {y} found {x}'s advice very helpful / what {x} advised helped {y} a lot ~ {y}'s advice was very helpful to {x} / {x}'s advice was of no help to {y}
the house has been empty for {n} months / nobody has lived in the house for {n} months / for {n} months there has been nobody in the house ~ the house was sold {n} months ago to a family who moved in / the house will be empty in {n} months
the more {x} reads, the less {he} sleeps / when {x} reads more, {he} sleeps less / {x}'s sleep gets shorter the more {he} reads ~ the more {x} reads, the more {he} sleeps / the less {x} reads, the less {he} sleeps
we were all tired except {x} / {x} was the only one of us who was not tired / all of us but {x} were tired ~ {x} was the only one of us who was tired / we were all tired, including {x}
{x} put on weight during the holidays / {x} gained weight while {he} was on holiday / after the holidays {x} was heavier than before ~ {x} lost weight during the holidays / {x} lifted weights during the holidays
it does not matter whether {x} comes or not / it makes no difference if {x} comes / {x}'s coming or not coming is of no importance ~ it is important that {x} comes / it is not clear whether {x} comes
the guests complained about the noise from the street / the guests were not satisfied because of the street noise / the noise from the street made the guests complain ~ the people in the street complained about the noise from the guests / the guests enjoyed the noise from the street
{x} used all the sugar for the cake / there is no sugar left because {x} put it all into the cake / {x} put all the sugar we had into the cake ~ {x} used some of the sugar for the cake / {x} used no sugar for the cake
by the time {x} arrived, the film had already begun / {x} arrived after the beginning of the film / the film had started before {x} arrived ~ {x} arrived before the film began / the film began as soon as {x} arrived
whoever comes late must wait outside / people who are late have to wait outside / those who do not come in time must wait outside ~ whoever comes early must wait outside / people who are late need not wait outside
{x} finished the race in second place / only one runner was faster than {x} in the race / {x} came second in the race ~ {x} won the race / {x} gave up in the second race
the bank refused to lend {x} money / {x} could not get a loan from the bank / the bank did not want to give {x} a loan ~ the bank agreed to lend {x} money / {x} refused to borrow money from the bank
{x} has no more than {n} dollars left / all that {x} has left is {n} dollars at most / {n} dollars is the most that {x} has left ~ {x} has more than {n} dollars left / {x} has spent no more than {n} dollars
I am looking forward to seeing {x} again / I cannot wait to see {x} again / it will be a pleasure for me to see {x} again ~ I do not want to see {x} again / I am looking for {x} again
the weather today is much better than it was yesterday / yesterday the weather was much worse than today / compared with yesterday, today's weather is a lot better ~ the weather today is much worse than it was yesterday / tomorrow the weather will be much better than today
{x} was accused of a crime that {he} had not committed / {x} was wrongly accused of a crime / though innocent, {x} was accused of a crime ~ {x} was rightly accused of a crime / {x} committed a crime but was never accused
the dog is afraid of the cat / the cat frightens the dog / the dog fears the cat ~ the cat is afraid of the dog / the dog is not afraid of the cat
it was hard for {x} to say goodbye / {x} found it difficult to say goodbye / saying goodbye was not easy for {x} ~ it was easy for {x} to say goodbye / {x} left without saying goodbye
both questions must be answered / you have to answer the two questions / neither of the two questions may be left out ~ one of the two questions must be answered / neither of the questions must be answered
on average, women live longer than men / men usually die earlier than women / the average life of a man is shorter than that of a woman ~ on average, men live longer than women / women and men live equally long
"""


def read_bank(bank: str) -> list[tuple[list[str], list[str]]]:
    """The families of a bank: wordings of one meaning, and sentences that mean something else."""
    found = []
    for line in bank.strip().splitlines():
        same, other = line.split("~")
        found.append(([s.strip() for s in same.split(" / ")], [s.strip() for s in other.split(" / ")]))
    return found


_FAMILIES = read_bank(_BANK)


@frame(9.0)
def bank(draw: Draw) -> Family:
    """A line of the bank, filled."""
    same, other = draw.of(_FAMILIES)
    x, y = draw.name(), draw.name()
    fill = {
        "x": x.text,
        "y": y.text,
        "he": x.he,
        "him": x.him,
        "his": x.his,
        "n": draw.one(NUMBERS),
        "m": draw.one(NUMBERS),
    }
    fill |= {"city": draw.one(CITIES), "town": draw.one(CITIES), "thing": draw.one(SMALL), "job": draw.one(JOBS)}
    fill["h"] = draw.one(NUMBERS[:9])
    fill["day"] = draw.one(("Monday", "Tuesday", "Wednesday", "Saturday", "Sunday"))

    def filled(text: str) -> str:
        made = text.replace("owes {his} life", "owes {owner} life")
        made = made.replace("{owner}", y.his)
        return re.sub(r"\{(\w+)\}", lambda m: fill[m.group(1)], made)

    return Family([[filled(s) for s in same], [filled(draw.of(other))]], 0.92, 0.05, key=same[0])
