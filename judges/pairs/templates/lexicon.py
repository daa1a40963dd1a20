"""The words that the templates are filled with, and :class:`Draw`, which draws them without repetition."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from training.forms import form
from usim.suggestions.articles import article

T = TypeVar("T")

WOMEN = (
    "Anna Maria Sophie Laura Emily Grace Olivia Hannah Julia Nina Carla Lucy Alice Rose Helen Irene Diana Martha Clara "
    "Eva Ruth Susan Linda Karen Nadia Leila Fatima Aisha Mei Yuki Priya Ingrid Astrid Elena Olga Paula Teresa Monica "
    "Beatrice Joan Margaret Victoria Rachel Naomi Sarah Amy Zoe Claire Edith Florence Ivy Keiko Lina Marta Petra "
    "Simone Tanya Ursula Vera Wendy"
).split()
MEN = (
    "Tom Peter Paul Mark David Robert George Henry Simon Adam Daniel Oscar Victor Hugo Felix Leo Max Frank Carl Bruno "
    "Ivan Boris Pablo Diego Carlos Ahmed Omar Hassan Kenji Hiro Ravi Arjun Lars Erik Nils Anton Marco Luca Stefan "
    "Walter Albert Arthur Edward Philip Martin Oliver Patrick Samuel Stuart Theo Vincent William Jacob Aaron Ben Colin "
    "Derek Ethan Fred Gavin Howard"
).split()
SURNAMES = (
    "Miller Schmidt Rossi Novak Tanaka Patel Kim Larsen Moreau Silva Costa Dubois Weber Fischer Carter Bennett Hughes "
    "Palmer Reed Foster Grant Hayes Marsh Quinn Stone Walsh Young Ibrahim Okafor Mensah Haddad Petrov Kovacs Horvath"
).split()
#: Jobs.
JOBS = (
    "teacher doctor nurse lawyer baker farmer painter singer dancer driver waiter cook pilot soldier judge journalist "
    "engineer plumber butcher gardener guard clerk manager scientist writer poet actor coach guide dentist tailor "
    "carpenter secretary accountant translator photographer musician chef librarian priest sailor detective"
).split()
#: Nouns for people.
PEOPLE = (
    "teacher doctor nurse lawyer baker farmer painter singer dancer driver waiter cook pilot soldier judge mayor "
    "journalist engineer plumber butcher gardener guard clerk manager student professor scientist writer poet actor "
    "director coach player referee neighbour tourist guide thief witness suspect patient dentist tailor carpenter "
    "secretary accountant banker customer landlord tenant editor translator photographer musician chef librarian priest "
    "king queen prince minister senator president general captain sailor detective officer hunter fisherman"
).split()
ANIMALS = (
    "dog cat horse cow goat sheep wolf fox bear rabbit duck goose monkey lion tiger elephant mouse snake parrot "
    "donkey pig eagle crow"
).split()
#: What people have, buy, lend, break.
THINGS = (
    "book car bicycle camera phone computer guitar piano table chair lamp watch ring coat hat umbrella bag suitcase "
    "letter photograph painting map ticket key knife bottle cup plate basket blanket mirror clock radio tent boat house "
    "flat garden hammer ladder violin sofa carpet necklace notebook pen desk fridge oven van tractor trumpet"
).split()
SMALL = (
    "book camera phone guitar lamp watch ring coat hat umbrella bag letter photograph map ticket key knife bottle cup "
    "plate basket blanket mirror clock radio necklace notebook pen magazine scarf wallet toy torch"
).split()
FOODS = "soup bread rice cake pizza salad pasta fish chicken cheese fruit coffee tea milk juice wine beer".split()
PLURALS = "books apples stamps houses cars friends coins paintings medals goals points letters horses shops".split()
PLACES = (
    "the park|the garden|the kitchen|the library|the market|the hotel|the museum|the school|the office|the hospital|the "
    "church|the forest|the harbour|the cinema|the theatre|the village|the stadium|the bathroom|the cellar|the tent"
).split("|")
#: Where things happen.
WHERE = (
    "in the park|in the garden|in the kitchen|in the library|at the station|at the market|in the hotel|at the museum|at "
    "school|in the office|in the hospital|in the church|on the beach|in the forest|in the harbour|at the cinema|in the "
    "theatre|at the airport|in the village|on the bridge|in the street|on the train|at the bus stop|behind the house"
).split("|")
CITIES = (
    "Paris London Rome Berlin Madrid Vienna Prague Oslo Dublin Lisbon Athens Cairo Tokyo Delhi Boston Chicago Toronto "
    "Sydney Istanbul Warsaw Budapest Geneva Milan Seville Kyoto Lagos Nairobi Lima Quito Havana"
).split()
COUNTRIES = "France Italy Spain Germany Japan Brazil Mexico Canada Egypt Kenya India China Turkey Poland Norway".split()
TIMES = (
    "yesterday|last week|last night|on Monday|on Tuesday|on Friday|in 1998|in 2005|in 2012|in the summer|last year|two "
    "days ago|this morning|in March|in October|after lunch|at noon|at midnight|during the war|before dinner"
).split("|")
#: Adjectives of degree with their opposites, both with comparatives.
SCALES = (
    ("tall", "short"), ("old", "young"), ("rich", "poor"), ("fast", "slow"), ("strong", "weak"), ("heavy", "light"),
    ("happy", "sad"), ("thin", "fat"), ("clean", "dirty"), ("brave", "cowardly"), ("polite", "rude"),
)  # fmt: skip
THING_SCALES = (
    ("big", "small"), ("old", "new"), ("cheap", "expensive"), ("heavy", "light"), ("long", "short"), ("wide", "narrow"),
    ("bright", "dark"), ("clean", "dirty"), ("hard", "soft"), ("thick", "thin"), ("noisy", "quiet"), ("safe", "dangerous"),
)  # fmt: skip
COLOURS = "red green blue yellow black white brown grey purple orange".split()
#: Verbs between people that say another thing when their participants change places.
BETWEEN = (
    "chase help praise criticize follow thank invite visit push hire interview defend accuse warn admire blame catch "
    "teach congratulate deceive recognize rescue reject trust forgive insult kiss kick ignore photograph beat defeat "
    "question protect threaten surprise watch encourage cheat phone attack scold punish reward greet attack envy "
    "replace persuade mock train copy disappoint betray arrest bore frighten impress support obey abandon"
).split()
BETWEEN_ANIMALS = "chase bite follow attack watch scare smell lick hear frighten avoid kill".split()
#: Verbs that people do to things.
HANDLE = (
    "repair paint break clean sell steal find lose hide buy draw damage photograph carry drop lift open move wash "
    "describe choose examine destroy inspect order deliver rent design measure forget"
).split()
#: What people do by themselves, as base forms.
DEEDS = (
    "leave the room|cook dinner|wash the car|feed the dog|close the window|lock the door|call the police|write the report"
    "|paint the fence|clean the kitchen|buy the tickets|pay the bill|sing a song|read the letter|turn off the light|take a"
    " taxi|go home|water the plants|pick up the children|make coffee|open the shop|sell the house|learn Spanish|visit the"
    " museum|win the race|finish the book|join the army|quit the job|move to the city|fix the roof|change the password"
    "|take the exam|answer the phone|miss the train|break the vase|lose the match|repeat the question|sign the contract"
).split("|")
#: Intransitive events.
EVENTS = (
    "arrive|leave|sing|dance|laugh|cry|fall asleep|wake up|sit down|stand up|wait|escape|apologize|resign|lie|smile|win"
    "|lose|scream|swim|cheat|complain|hesitate|disappear|fail|succeed|retire|confess|return|agree|refuse"
).split("|")
#: A state and an action that it leads to: (because clause, main clause), about one person; {p} is the pronoun.
CAUSES = (
    ("was ill", "stayed at home"), ("missed the bus", "arrived late"), ("was hungry", "made a sandwich"),
    ("lost the key", "could not open the door"), ("studied hard", "passed the exam"), ("was tired", "went to bed early"),
    ("broke a leg", "had to go to hospital"), ("forgot the umbrella", "got wet"), ("was angry", "shouted"),
    ("had no money", "walked home"), ("drove too fast", "got a fine"), ("loved music", "bought a piano"),
    ("won the lottery", "quit the job"), ("heard a noise", "called the police"), ("was late", "took a taxi"),
    ("did not like the food", "complained to the manager"), ("felt lonely", "got a dog"), ("hated the city",
    "moved to the country"), ("spilled the coffee", "changed clothes"), ("was afraid of flying", "took the train"),
    ("had a headache", "left the party"), ("wanted to lose weight", "joined a gym"), ("did not understand the question",
    "gave a wrong answer"), ("got a better offer", "changed jobs"), ("was allergic to cats", "moved out"),
)  # fmt: skip
#: What is said of one's own state: (present with I, past with he or she).
STATES = (
    ("am tired", "was tired"), ("am hungry", "was hungry"), ("need more time", "needed more time"),
    ("love this town", "loved that town"), ("have lost my keys", "had lost {poss} keys"), ("can swim", "could swim"),
    ("will call the doctor", "would call the doctor"), ("do not know the answer", "did not know the answer"),
    ("want a new job", "wanted a new job"), ("am leaving tomorrow", "was leaving the next day"),
    ("have finished the work", "had finished the work"), ("do not eat meat", "did not eat meat"),
    ("live in the north", "lived in the north"), ("saw the accident", "had seen the accident"),
)  # fmt: skip
NUMBERS = "two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty".split()


class Person(NamedTuple):
    """Somebody: as the text has them, and their pronouns."""

    text: str
    he: str
    him: str
    his: str


class Draw:
    """Draws words for one sentence; no word is drawn twice.

    Args:
        rng: decides.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._taken: set[str] = set()

    def one(self, options: Sequence[str]) -> str:
        """One of the options that was not drawn before."""
        for _ in range(50):
            found = self.rng.choice(options)
            if found not in self._taken:
                self._taken.add(found)
                return found
        return self.rng.choice(options)

    def of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.rng.choice(options)

    def name(self, woman: bool | None = None) -> Person:
        """A person by name, sometimes with a surname."""
        woman = self.rng.random() < 0.5 if woman is None else woman
        text = self.one(WOMEN if woman else MEN)
        draw = self.rng.random()
        if draw < 0.12:
            text = f"{text} {self.one(SURNAMES)}"
        elif draw < 0.17:
            text = f"{'Mrs.' if woman else 'Mr.'} {self.one(SURNAMES)}"
        return Person(text, *(("she", "her", "her") if woman else ("he", "him", "his")))

    def person(self) -> Person:
        """A person by name or by what they are."""
        if self.rng.random() < 0.5:
            return self.name()
        text = self.one(PEOPLE)
        woman = text == "queen" or (text not in ("king", "prince", "fisherman", "waiter") and self.rng.random() < 0.5)
        described = self.rng.random()
        if described < 0.2:
            text = f"{self.one(('old', 'young', 'tall', 'new', 'friendly', 'famous', 'quiet', 'foreign'))} {text}"
        return Person(f"the {text}", *(("she", "her", "her") if woman else ("he", "him", "his")))

    def thing(self, options: Sequence[str] = THINGS) -> str:
        """A thing with its article, sometimes with an adjective."""
        text = self.one(options)
        if self.rng.random() < 0.3:
            text = f"{self.one(('old', 'new', 'small', 'expensive', 'beautiful', 'broken', *COLOURS))} {text}"
        return f"the {text}" if self.rng.random() < 0.6 else a(text)

    def deed(self) -> str:
        """What somebody does, as a base form with its object."""
        return self.one(DEEDS)


def a(phrase: str) -> str:
    """The phrase with its indefinite article."""
    return f"{article(phrase)} {phrase}"


def past(phrase: str) -> str:
    """The past of a phrase that begins with a base form."""
    return form(phrase, "VBD")


def done(phrase: str) -> str:
    """The past participle."""
    return form(phrase, "VBN")


def ing(phrase: str) -> str:
    """The *-ing* form."""
    return form(phrase, "VBG")


def third(phrase: str) -> str:
    """The third person of the present."""
    return form(phrase, "VBZ")


def more(adjective: str) -> str:
    """The comparative."""
    return _REGULAR.get(adjective) or f"more {adjective}"


def most(adjective: str) -> str:
    """The superlative."""
    comparative = _REGULAR.get(adjective)
    return comparative[:-1] + "st" if comparative else f"most {adjective}"


_REGULAR = dict(
    pair.split(":")
    for pair in (
        "tall:taller short:shorter old:older young:younger rich:richer poor:poorer fast:faster slow:slower "
        "strong:stronger weak:weaker heavy:heavier light:lighter happy:happier sad:sadder thin:thinner fat:fatter "
        "clean:cleaner dirty:dirtier brave:braver rude:ruder big:bigger small:smaller new:newer cheap:cheaper "
        "long:longer wide:wider narrow:narrower bright:brighter dark:darker hard:harder soft:softer thick:thicker "
        "noisy:noisier quiet:quieter safe:safer"
    ).split()
)
