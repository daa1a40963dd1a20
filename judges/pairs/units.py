"""Changes of who does what in a sentence, by its UCCA graph: units swapped, dropped, added, moved."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

from judges.pairs.registry import Change, Sources, edit, shuffled
from judges.pairs.words import is_person, net
from training.forms import form, is_plural, lemma
from training.sentence import Sentence
from training.tagging import BE, HAVE
from usim.lexicon import WordRelation
from usim.lexicon.topics import MONTHS, WEEKDAYS
from usim.ucca import Graph

_OBJECT = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
_SUBJECT = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
_RELATIVE = frozenset("who whom whose which that what where when it there this".split())
#: Verbs that say the same when their participants change places.
_SYMMETRICAL = frozenset("meet marry resemble equal match date fight divorce be become remain join mean".split())
_INTENSIFIERS = frozenset("very really so quite too extremely rather pretty just also even still actually".split())
_NEGATIONS = frozenset("not n't n’t never no nor hardly without".split())
_DETERMINERS = frozenset("the a an this that these those his her its their my our your".split())
_BEFORE_PHRASES = frozenset("to in of at on by for from with as".split())
_OF_TIME = frozenset("in on at during after before for".split())
_LIMITS = frozenset("only almost nearly partly mostly first once twice always rarely often seldom usually".split())


class Span(NamedTuple):
    """A unit whose tokens stand together: its number, its tokens from begin to end, its category."""

    unit: int
    begin: int
    end: int
    category: str


def spans(sentence: Sentence) -> list[Span]:
    """Return the units whose yields have no gap, without punctuation at their ends."""
    graph = sentence.graph
    contiguous = []
    for unit in range(1, len(graph.units)):
        places = graph.positions(unit)
        if not places or places[-1] - places[0] + 1 != len(places):
            continue
        begin, end = places[0], places[-1] + 1
        while end > begin and not sentence.tokens[end - 1].text[-1].isalnum():
            end -= 1
        while begin < end and not sentence.tokens[begin].text[0].isalnum():
            begin += 1
        if begin < end:
            contiguous.append(Span(unit, begin, end, graph.category(unit)[0]))
    return contiguous


def _relator(graph: Graph, span: Span) -> int:
    """Return the token after the unit's preposition; the unit's beginning where it has none."""
    for edge in graph.children(span.unit, remote=False):
        places = graph.positions(edge.child)
        if "R" in edge.categories and places and places[0] == span.begin:
            return places[-1] + 1
    return span.begin


def children(sentence: Sentence, category: str) -> Iterator[tuple[int, list[Span]]]:
    """Yield the units with their children of a category alone that have no gap."""
    graph = sentence.graph
    of_unit = {span.unit: span for span in spans(sentence)}
    for unit in range(len(graph.units)):
        edges = graph.children(unit, remote=False)
        yield unit, [of_unit[e.child] for e in edges if e.categories == (category,) and e.child in of_unit]


def _is_phrase(sentence: Sentence, begin: int, end: int) -> bool:
    """Return whether the tokens can be moved: a noun phrase of some length without a relative pronoun."""
    if not 0 < end - begin <= 8 or sentence.words[begin] in _RELATIVE:
        return False
    head = sentence.tags[begin:end]
    text = sentence.slice(begin, end)
    if text.count('"') % 2 or text.count("(") != text.count(")") or {"VBZ", "VBP", "VBD", "MD"} & set(head):
        return False
    return any(t.startswith(("NN", "PRP")) for t in head) and not head[0].startswith(("VB", "TO", "MD", "IN"))


def _is_person(sentence: Sentence, begin: int, end: int) -> bool:
    """Return whether a phrase is about a person: a pronoun, a name, or a noun below WordNet's *person*."""
    heads = _heads(sentence, begin, end)
    if not heads:
        return False
    head = heads[-1]
    if sentence.tags[head] in ("PRP", "NNP", "NNPS"):
        return sentence.words[head] not in ("it", "they", "them", "itself")
    return is_person(lemma(sentence.words[head], sentence.tags[head]))


def _is_several(sentence: Sentence, begin: int, end: int) -> bool:
    heads = _heads(sentence, begin, end)
    several = "and" in sentence.words[begin:end]
    return several or (bool(heads) and is_plural(sentence.words[heads[-1]], sentence.tags[heads[-1]]))


def _heads(sentence: Sentence, begin: int, end: int) -> list[int]:
    """Return the nouns and pronouns of a phrase, without those of what follows its main noun, if there are others."""
    heads = [k for k in range(begin, end) if sentence.tags[k].startswith("NN") or sentence.tags[k] == "PRP"]
    stop = next((k for k in range(begin, end) if sentence.words[k] in ("of", "in", "for", "with", "who", ",")), end)
    return [k for k in heads if k < stop] or heads


def _phrase(sentence: Sentence, begin: int, end: int, role: str, first: bool) -> str:
    """Return the words of a phrase as written in another place: pronouns get the case of their role."""
    text = sentence.slice(begin, end)
    if end - begin == 1:
        table = _OBJECT if role == "object" else _SUBJECT
        text = table.get(text.lower(), text)
    elif begin == 0 and sentence.tags[0] not in ("NNP", "NNPS"):
        text = text[0].lower() + text[1:]
    return text[0].upper() + text[1:] if first else text


def _exchange(sentence: Sentence, first: tuple[int, int], second: tuple[int, int]) -> str:
    """Return the text with two phrases exchanged, each from a token to one past another."""
    (a, b), (c, d) = first, second
    role = "subject" if b < len(sentence) and sentence.tags[b][:2] in ("VB", "MD", "RB") else "object"
    between = sentence.text[sentence.tokens[b - 1].end : sentence.tokens[c].start]
    left, right = _phrase(sentence, c, d, role, a == 0), _phrase(sentence, a, b, "object", False)
    return sentence.overwrite(a, d, left + between + right)


@edit("unit.participants-swapped", faithful=False, weight=3.0, graphs=True)
def swap_participants(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Let two participants of a scene change places."""
    graph = sentence.graph
    for unit, members in shuffled((scene for scene in children(sentence, "A") if len(scene[1]) > 1), rng):
        main = [e.child for e in graph.children(unit) if set(e.categories) & {"P", "S"}]
        relation = {lemma(sentence.words[k], "VB") for m in main for k in graph.positions(m)}
        if relation & _SYMMETRICAL or relation <= BE or not relation:
            continue
        left, right = sorted(rng.sample(members, 2), key=lambda s: s.begin)
        first, second = (_relator(graph, left), left.end), (_relator(graph, right), right.end)
        between = slice(left.end, second[0])
        if not (_is_phrase(sentence, *first) and _is_phrase(sentence, *second)) or left.end > second[0]:
            continue
        shared = set(sentence.words[slice(*first)]) & set(sentence.words[slice(*second)])
        if shared - {"the", "a", "of", "and"}:
            continue
        present = {"is", "are", "was", "were", "has", "have", "does", "do"} & set(sentence.words[between])
        verbs = {"VBZ", "VBP"} & set(sentence.tags[between])
        if (present or verbs) and _is_several(sentence, *first) != _is_several(sentence, *second):
            continue
        # Two people, or two things, make the better pairs: what cannot be would give itself away.
        persons = _is_person(sentence, *first) + _is_person(sentence, *second)
        if rng.random() > (0.5, 0.25, 1.0)[persons]:
            continue
        yield Change(_exchange(sentence, first, second), 0.04)


@edit("unit.coordinates-swapped", faithful=True, weight=1.4, graphs=True)
def swap_coordinates(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Exchange what *and* or *or* links within a unit."""
    tags, graph = sentence.tags, sentence.graph
    options = []
    for unit, coordinates in children(sentence, "C"):
        linked = any("N" in e.categories for e in graph.children(unit, remote=False))
        if not linked or len(coordinates) != 2:
            continue
        left, right = coordinates
        between = sentence.words[left.end : right.begin]
        if between not in (("and",), ("or",)) or left.end - left.begin > 3 or right.end - right.begin > 3:
            continue
        if left.begin and sentence.words[left.begin - 1] in ("both", "between"):
            continue
        if tags[left.begin][:2] != tags[right.begin][:2]:
            continue
        if tags[left.begin][:2] not in ("NN", "JJ") or "POS" in tags[left.begin : right.end + 1]:
            continue
        options.append((left, right))
    if options:
        left, right = rng.choice(options)
        yield Change(_exchange(sentence, (left.begin, left.end), (right.begin, right.end)), 0.95)


def _gravity(sentence: Sentence, span: Span) -> float | None:
    """Return the label when a unit is dropped; None where it should not be."""
    words = set(sentence.words[span.begin : span.end])
    size = span.end - span.begin
    category = span.category
    if words & _NEGATIONS:
        return 0.03
    if category == "A":
        return 0.1 if size > 1 or sentence.tags[span.begin].startswith("NN") else None
    if category == "D":
        if words <= _INTENSIFIERS:
            return 0.68 if not words & {"even", "still", "too"} else 0.5
        if words & {"can", "could", "may", "might", "must", "should", "would"}:
            return None
        return 0.2 if words & _LIMITS else 0.35 if size == 1 else 0.25
    if category == "T":
        return 0.35 if size < 3 else 0.28
    if category == "E":
        if words <= _DETERMINERS:
            return None
        return 0.35 if size == 1 else 0.25 if size < 5 else 0.2
    if category == "Q":
        if words & {"quite", "any", "some", "all", "a", "the"}:
            return 0.6 if words & {"quite", "any"} else None
        return 0.25 if size == 1 else None
    if category == "H":
        return 0.1 if size > 3 else 0.2
    if category == "G":
        return 0.7
    return None


_OFTEN = {"A": 1.0, "H": 1.0, "T": 3.0, "D": 1.2, "E": 0.4, "Q": 1.0, "G": 1.0}


@edit("unit.dropped", faithful=False, weight=3.5, graphs=True)
def drop_unit(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Drop a participant, adverbial, time, elaborator or scene; the other way round, add one."""
    candidates = [s for s in spans(sentence) if s.end - s.begin < 0.7 * len(sentence)]
    # Categories are not as frequent as each other, but should come nearly as often.
    order = {category: rng.expovariate(rate) for category, rate in _OFTEN.items()}
    candidates = sorted((s for s in candidates if s.category in order), key=lambda s: (order[s.category], rng.random()))
    for span in candidates:
        label = _gravity(sentence, span)
        if label is None or not _can_go(sentence, span):
            continue
        begin = span.begin
        before = sentence.words[begin - 1] if begin else ""
        if span.category == "H" and before in ("and", "but", "because", "as", "while", "when", "so", "or", "if"):
            begin -= 1
        if span.category in "AET" and before in _BEFORE_PHRASES and rng.random() < 0.8:
            begin -= 1
        text = sentence.put(begin, span.end, "")
        if text and text[0].islower() and sentence.text[0].isupper():
            text = text[0].upper() + text[1:]
        yield Change(text, label, f"unit.dropped-{span.category}")


def _can_go(sentence: Sentence, span: Span) -> bool:
    """Return whether the rest can still be a sentence: most subjects and objects of prepositions stay."""
    if not (sentence.is_whole(span.begin) and sentence.is_whole(span.end - 1)):
        return False
    first = sentence.tags[span.begin]
    after = sentence.tags[span.end] if span.end < len(sentence) else "."
    if span.category == "A":
        prepositional = first in ("IN", "TO") or (span.begin and sentence.tags[span.begin - 1] in ("IN", "TO"))
        if not prepositional:  # an object, hardly ever a subject
            before = sentence.tags[span.begin - 1 if span.begin else 0]
            return before[:2] == "VB" and not after.startswith(("VB", "MD", "RB"))
    if span.category == "D" and first.startswith(("JJ", "VB", "NN")):
        return first == "JJ" and after.startswith("NN")
    return not (span.category == "E" and after == "POS")


@edit("unit.centre-dropped", faithful=False, weight=0.7, graphs=True)
def drop_centre(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Drop a main word: the verb, or the noun of a phrase."""
    for span in shuffled((s for s in spans(sentence) if s.category in "CPS" and s.end - s.begin == 1), rng):
        tag, word = sentence.tags[span.begin], sentence.words[span.begin]
        if tag[:2] in ("NN", "VB", "JJ") and word not in BE | HAVE and sentence.is_whole(span.begin) and len(word) > 2:
            yield Change(sentence.put(span.begin, span.end, ""), 0.12)


@cache
def _phrases(sources: Sources) -> dict[str, list[tuple[str, str]]]:
    """Return phrases of other sentences to add: (text, group), by category."""
    phrases: dict[str, list[tuple[str, str]]] = {"A": [], "T": [], "H": [], "NP": []}
    for sentence in sources.graphs:
        for span in spans(sentence):
            size = span.end - span.begin
            text = sentence.slice(span.begin, span.end)
            words = set(sentence.words[span.begin : span.end])
            if span.begin == 0 or words & _RELATIVE or any(c in text for c in "\"'()“”") or text[0] == ",":
                continue
            tag, word = sentence.tags[span.begin], sentence.words[span.begin]
            plain = {t[:2] for t in sentence.tags[span.begin + 1 : span.end]} <= {"DT", "PR", "NN", "JJ", "CD"}
            prepositional = tag == "IN" and word in _PREPOSITIONS and plain
            ended = span.end < len(sentence) and sentence.words[span.end] in (".", ",")
            if span.category in ("A", "T") and prepositional and 2 <= size <= 6 and ended:
                phrases[span.category].append((text, sentence.group))
            linker = sentence.words[span.begin - 1]
            clause = tag in ("PRP", "NNP", "DT") and {"VBD", "VBZ", "VBP"} & set(sentence.tags[span.begin : span.end])
            if span.category == "H" and 4 <= size <= 12 and ended and clause and linker in _LINKERS:
                phrases["H"].append((f"{linker} {text}", sentence.group))
            nominal = tag in ("DT", "PRP$", "NNP") and not words & {"he", "she", "they"}
            if span.category == "A" and size <= 6 and nominal and _is_phrase(sentence, span.begin, span.end):
                phrases["NP"].append((text, sentence.group))
    return phrases


_PREPOSITIONS = frozenset("in at on with for from by to about after before during without against near under".split())
_LINKERS = frozenset("because and but when while so although after before if".split())


@edit("unit.added", faithful=False, weight=2.4, graphs=True)
def add_unit(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Add a participant, a time or a scene of another sentence at the end."""
    if not sentence.text.endswith(".") or len(sentence) > 32:
        return
    category = rng.choice(("A", "T", "H", "H"))
    pool = _phrases(sources)[category]
    text, group = rng.choice(pool) if pool else ("", sentence.group)
    if group == sentence.group:
        return
    comma = "," if category == "H" and rng.random() < 0.5 else ""
    label = {"A": 0.18, "T": 0.25, "H": 0.12}[category]
    if category == "T" and rng.random() < 0.4 and sentence.tags[0] in ("PRP", "DT", "NNP"):
        is_name = sentence.tags[0] == "NNP" or sentence.words[0] == "i"
        rest = sentence.text if is_name else sentence.text[0].lower() + sentence.text[1:]
        yield Change(f"{text[0].upper()}{text[1:]}, {rest}", label, "unit.added-T")
    yield Change(f"{sentence.text[:-1]}{comma} {text}.", label, f"unit.added-{category}")


@edit("unit.participant-replaced", faithful=False, weight=1.6, graphs=True)
def replace_participant(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a participant by one of another sentence."""
    graph = sentence.graph
    pool = _phrases(sources)["NP"]
    for span in shuffled((s for s in spans(sentence) if s.category == "A"), rng):
        begin = _relator(graph, span)
        if begin >= span.end or not _is_phrase(sentence, begin, span.end) or not pool:
            continue
        if sentence.tags[begin] not in ("DT", "PRP$", "NNP", "PRP", "NNS"):
            continue
        for _ in range(5):
            text, _ = rng.choice(pool)
            if not set(text.lower().split()) & set(sentence.words) - {"the", "a", "his", "her", "of"}:
                new = text[0].upper() + text[1:] if begin == 0 else text
                yield Change(sentence.overwrite(begin, span.end, new), 0.05)


_COMMON = ("be", "have", "do", "get", "make")


@cache
def _verbs(sources: Sources) -> list[str]:
    """Return the verbs that are main relations, as often as they occur."""
    verbs = []
    for sentence in sources.graphs:
        for span in spans(sentence):
            if span.category == "P" and span.end - span.begin == 1 and sentence.tags[span.begin].startswith("VB"):
                base = lemma(sentence.words[span.begin], sentence.tags[span.begin])
                if net().word(base).only("v").count > 3 and len(base) > 2 and base not in _COMMON:
                    verbs.append(base)
    return verbs


@edit("unit.verb-replaced", faithful=False, weight=1.6, graphs=True)
def replace_verb(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace the main relation of a scene by another sentence's."""
    pool = _verbs(sources)
    for span in shuffled((s for s in spans(sentence) if s.category == "P" and s.end - s.begin == 1), rng):
        i = span.begin
        tag = sentence.tags[i]
        if not tag.startswith("VB") or sentence.words[i] in BE | HAVE or not sentence.is_whole(i) or not pool:
            continue
        base = lemma(sentence.words[i], tag)
        for _ in range(6):
            new = rng.choice(sorted(pool)) if len(pool) < 50 else rng.choice(pool)
            between = WordRelation(net().word(base).only("v"), net().word(new).only("v"))
            if new != base and not between.synonym and between.path < 0.34 and not between.similar:
                yield Change(sentence.put(i, i + 1, form(new, tag)), 0.05)


_NOT_MOVED = frozenset("other same such many first last own few more".split())
_BEFORE_NOUNS = ("DT", "PRP$", "IN")


@edit("unit.modifier-moved", faithful=False, weight=1.6, graphs=True)
def move_modifier(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Move an adjective to another noun."""
    tags, words = sentence.tags, sentence.words
    before = (*_BEFORE_NOUNS, "VBD", "VBZ", "VB", "VBP")
    adjectives = [k for k in range(1, len(tags) - 1) if tags[k] == "JJ" and tags[k - 1] in before]
    adjectives = [k for k in adjectives if tags[k + 1] in ("NN", "NNS") and words[k] not in _NOT_MOVED]
    adjectives = [k for k in adjectives if sentence.is_whole(k) and sentence.is_whole(k + 1) and words[k].isalpha()]
    free = [k for k in range(1, len(tags)) if tags[k] in ("NN", "NNS") and tags[k - 1] in _BEFORE_NOUNS]
    free = [k for k in free if sentence.is_whole(k) and sentence.tokens[k].text.islower()]
    for i in shuffled(adjectives, rng):
        nouns = [k for k in free if abs(k - i) > 2]
        if not nouns:
            continue
        k = rng.choice(nouns)
        if "of" in words[min(i, k) : max(i, k)] and abs(k - i) < 5:  # a usual group of players: hardly another thing
            continue
        # The later place first, so that the earlier stays where it is.
        later, earlier = sorted([(k, k + 1, f"{words[i]} {words[k]}"), (i, i + 1, "")], reverse=True)
        moved = Sentence.of(sentence.put(*later))
        if len(moved) == len(sentence) + (1 if k > i else -1):  # the tokens before are the same
            yield Change(moved.put(*earlier), 0.1)


@edit("unit.time-moved", faithful=True, weight=2.0, graphs=True)
def move_time(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Move a time or place phrase from the end to the front, or the other way round."""
    if '"' in sentence.text or not sentence.text.endswith(".") or sentence.end != len(sentence) - 1:
        return
    text, tokens, tags = sentence.text, sentence.tokens, sentence.tags
    graph = sentence.graph
    for span in spans(sentence):
        if span.category not in ("T", "A", "D") or not sentence.is_whole(span.begin):
            continue
        if tags[span.begin] != "IN" or sentence.words[span.begin] not in _OF_TIME:
            continue
        named = "NNP" in tags[span.begin : span.end]
        after_verb = span.begin == 0 or tags[span.begin - 1] in ("VBD", "RB", "VBZ", "VBP")
        if span.category == "A" and not (named and after_verb and sentence.words[span.begin] != "for"):
            continue
        # It is the main scene that it belongs to.
        parent = graph.parents[span.unit]
        words = sentence.words[span.begin : span.end]
        timely = span.category == "T" or any(w in _TIMES or w.isdecimal() for w in words)
        if (span.category == "D" and not timely) or graph.category(parent) != ("H",):
            continue
        if sentence.words[span.begin - 1] in BE:
            continue
        phrase = sentence.slice(span.begin, span.end)
        if span.end == sentence.end and span.begin > 3 and tags[0] in ("PRP", "NNP", "DT", "PRP$"):
            if _CLAUSES & set(sentence.words[: span.begin]):
                continue
            rest = text[: tokens[span.begin].start].rstrip()
            if tags[0] not in ("NNP",) and sentence.words[0] != "i":
                rest = rest[0].lower() + rest[1:]
            label = 0.94 if timely else 0.9
            yield Change(f"{phrase[0].upper()}{phrase[1:]}, {rest}.", label)
        if span.begin == 0 and sentence.words[span.end : span.end + 1] == (",",) and timely:
            after = sentence.words[span.end + 1 :]
            if _CLAUSES & set(after):
                continue
            rest = text[tokens[span.end + 1].start : tokens[sentence.end - 1].end]
            yield Change(f"{rest[0].upper()}{rest[1:]} {phrase[0].lower()}{phrase[1:]}.", 0.94)


_TIMES = frozenset(
    "year years day days week weeks month months night morning evening afternoon summer winter spring autumn time "
    "minutes hours war century".split()
) | {*WEEKDAYS, *MONTHS}
_CLAUSES = frozenset("and but , that which who because where when if while although whether ; :".split())


class _Clause(NamedTuple):
    subject: tuple[int, int]
    verb: int
    object: tuple[int, int]


def _transitive(sentence: Sentence) -> Iterator[_Clause]:
    """Yield subject, verb in the past and object that stand side by side in a scene."""
    for (_, members), (_, verbs) in zip(children(sentence, "A"), children(sentence, "P"), strict=True):
        if len(members) < 2 or len(verbs) != 1 or verbs[0].end - verbs[0].begin != 1:
            continue
        i = verbs[0].begin
        if sentence.tags[i] != "VBD" or sentence.words[i] in BE | HAVE or not sentence.is_whole(i):
            continue
        subject = next((s for s in members if s.end == i), None)
        object_ = next((s for s in members if s.begin == i + 1), None)
        if subject is None or object_ is None or _relator(sentence.graph, object_) != object_.begin:
            continue
        if not (_is_phrase(sentence, subject.begin, subject.end) and _is_phrase(sentence, object_.begin, object_.end)):
            continue
        if sentence.tags[object_.begin] not in ("DT", "PRP$", "NNP", "CD", "JJ", "NNS", "PRP"):
            continue
        if sentence.words[object_.begin].endswith(("self", "selves")) or lemma(sentence.words[i], "VBD") in _NO_PASSIVE:
            continue
        own = {"his", "her", "their", "its", "my", "our"} & set(sentence.words[object_.begin : object_.end])
        if own or subject.begin != 0:
            continue
        after = sentence.tags[object_.end] if object_.end < len(sentence) else "."
        is_longer = after in ("DT", "PRP$", "NN", "NNS", "JJ", "VB", "NNP", "PRP", "CD", "VBG")
        if is_longer or sentence.words[i + 1] == "that":
            continue
        # Another verb of the same subject would get another subject: he came and saw.
        if any(
            sentence.words[k] in ("and", "but", "or", ",", "then") and sentence.tags[k + 1][:2] in ("VB", "RB", "MD")
            for k in range(object_.end, len(sentence) - 1)
        ):
            continue
        yield _Clause((subject.begin, subject.end), i, (object_.begin, object_.end))


_NO_PASSIVE = frozenset("become have get remain want resemble lack cost fit mean enter leave join say".split())


def _passive(same: bool, sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Put a clause into the passive, or into the passive with its participants exchanged."""
    for clause in _transitive(sentence):
        patient, agent = (clause.object, clause.subject) if same else (clause.subject, clause.object)
        be = "were" if _is_several(sentence, *patient) else "was"
        first = _phrase(sentence, *patient, "subject", True)
        by = _phrase(sentence, *agent, "object", False)
        participle = form(lemma(sentence.words[clause.verb], "VBD"), "VBN")
        rest = sentence.text[sentence.tokens[clause.object[1] - 1].end :]
        yield Change(f"{first} {be} {participle} by {by}{rest}", 0.93 if same else 0.03)


edit("unit.passive", faithful=True, weight=2.0, graphs=True)(partial(_passive, True))
edit("unit.passive-swapped", faithful=False, weight=1.2, graphs=True)(partial(_passive, False))
