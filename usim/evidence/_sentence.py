"""A sentence as the comparison reads it: computed once for each sentence, shared by all its pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from usim.evidence.values import Value, find_values
from usim.lexicon import WordInfo, word_info
from usim.lexicon.phrases import FUNCTION, Phrase, find_cues, find_phrases
from usim.lexicon.tables import COMPARING, classes_of, read_tables
from usim.lexicon.topics import CALENDAR_CLASSES, DATES_ONLY
from usim.measures import words_of
from usim.measures.soft import Floats, unit_vectors
from usim.text import Span, token_spans
from usim.ucca import Graph
from usim.ucca.yields import bit_set

#: The categories that are counted together, by name.
GROUPS = {
    "participant": ("A",),
    "main": ("P", "S"),
    "scene": ("H",),
    "adverbial": ("D", "T", "G"),
    "elaborator": ("E", "Q"),
    "center": ("C",),
    "link": ("L", "N", "R"),
}
GROUP_OF = {category: k for k, categories in enumerate(GROUPS.values()) for category in categories}

# Words that make a modal of a class before *to*, and auxiliaries by the time that they say.
_MODAL_PHRASES, _TIMES = (classes_of(read_tables("comparing.tsv")[name]) for name in ("modal phrase", "time"))
_HYPHENS = frozenset(("-", "‐", "‑"))
#: The kinds of values that are numbers if some word of theirs counts.
_NUMBERS = frozenset(("number", "ordinal", "decade", "time", "date", "factor", "rhythm"))
_BLANKS = re.compile(r"\s+")

#: From this share of its uses on, a word may be a noun.
_NOUN_SHARE = 0.2


class PlacedValue(NamedTuple):
    """A value of a text, and its tokens."""

    value: Value
    places: tuple[int, ...]


class SentenceView:
    """A sentence: its words with their classes, their places in the graph and their vectors; what its verbs say.

    Attributes:
        vectors: a vector for each token in its context, (tokens, width); None without vectors.
        text: the sentence as it was given.
        words: its tokens in lower case.
        entries: the classes of each token, out of context.
        is_content: for each token whether it is a content word that is not part of a phrase of function words.
        category: for each token the category of the unit that holds it.
        scene: for each token the smallest scene that it is in, a unit; the root where there is none.
        member: for each token the child of that scene that it is in, a unit.
        parents, categories: for each unit its primary parent and the first category of the edge into it.
    """

    def __init__(self, graph: Graph, vectors: Floats | None, text: str) -> None:
        self.graph = graph
        self.tokens = graph.tokens
        self.vectors = vectors
        self.text = text
        self.words: tuple[str, ...] = words_of(graph)
        self.entries: list[WordInfo] = [word_info(word) for word in self.words]
        self.is_content = [e.is_content for e in self.entries]
        for phrase in find_phrases(self.words, FUNCTION):
            self.is_content[phrase.start : phrase.end] = [False] * (phrase.end - phrase.start)
        self.content = [i for i, is_content in enumerate(self.is_content) if is_content]
        n = len(graph.units)
        self.parents = parents = graph.parents
        self.categories = categories = ["", *(edge.categories[0] for edge in graph.primary)]
        self.is_scene = scenes = [False] * n
        for edge in graph.edges:
            if "P" in edge.categories or "S" in edge.categories:
                scenes[edge.parent] = True
        # In canonical order parents come first.
        scene_of, member_of = [0] * n, [0] * n
        for u in range(1, n):
            parent = parents[u]
            if scenes[parent] or not parent:
                scene_of[u], member_of[u] = parent, u
            else:
                scene_of[u], member_of[u] = scene_of[parent], member_of[parent]
        self.holder = holder = [0] * len(self.words)
        for u, unit in enumerate(graph.units):
            for t in unit.terminals:
                holder[t] = u
        self.category = [categories[u] for u in holder]
        self.scene, self.member = ([of[u] for u in holder] for of in (scene_of, member_of))

    @cached_property
    def content_mask(self) -> int:
        """The content words as a bit set."""
        return bit_set(self.content)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset(self.words)

    @cached_property
    def lemmas(self) -> frozenset[int]:
        """The lemmas of its words of more than two letters."""
        entries = {e.form: e for e in self.entries if len(e.form) > 2}
        return frozenset(lemma for e in entries.values() for lemma in e.word.lemmas)

    def says(self, entry: WordInfo) -> bool:
        """Return whether it has a word in some form."""
        return entry.form in self.vocabulary or not entry.word.lemmas.isdisjoint(self.lemmas)

    @cached_property
    def cues(self) -> tuple[Phrase, ...]:
        """The phrases that commit it to something, in order, see :func:`usim.lexicon.phrases.find_cues`."""
        return tuple(find_cues(self.words))

    @cached_property
    def values(self) -> list[PlacedValue]:
        """Its numbers, dates and other values, with their tokens."""
        found = ((value, self.places_in(value.span)) for value in find_values(self.text))
        return [PlacedValue(value, places) for value, places in found if places]

    @cached_property
    def numbers(self) -> list[PlacedValue]:
        """Its numbers, in digits and in words; times, dates and codes with a number among them."""
        return [
            placed
            for placed in self.values
            if placed.value.kind in _NUMBERS or (placed.value.kind == "code" and self._has_digits(placed.places))
            if any(map(self.is_counting, placed.places))
        ]

    def _has_digits(self, places: Sequence[int]) -> bool:
        """Return whether a word begins with a digit."""
        return any(self.words[i][0].isdecimal() for i in places)

    def is_counting(self, i: int) -> bool:
        """Return whether a word may be one of a number."""
        return self.entries[i].counts and not self.entries[i].is_article

    def is_date(self, i: int) -> bool:
        """Return whether a word such as *May* or *fall* is a date: beside a number, or a name behind a preposition."""
        if self.words[i] not in DATES_ONLY:
            return self.words[i] in CALENDAR_CLASSES
        beside = self.entries[max(0, i - 1) : i] + self.entries[i + 1 : i + 2]
        if any(e.digits or (e.counts and e.form not in ("a", "an")) for e in beside):
            return True
        before = self.words[i - 1] if i else ""
        return self.tokens[i][0].isupper() and i > 0 and before in COMPARING["before dates"]

    @cached_property
    def names(self) -> frozenset[int]:
        """The positions of proper names."""
        is_shouted = sum(len(t) > 1 and t.isupper() for t in self.tokens) * 2 > len(self.content)
        positions = set()
        starts = True
        for i, (e, token) in enumerate(zip(self.entries, self.tokens, strict=True)):
            if not e.is_word:
                starts = starts or token in COMPARING["before first words"]
                continue
            is_capital = token != e.form and token[0].isupper() and not e.is_function
            if e.word.is_proper or (is_capital and not (e.word.known if starts else is_shouted)):
                positions.add(i)
            starts = False
        return frozenset(positions)

    def may_be_participant(self, i: int, *, or_adjective: bool = False) -> bool:
        """Return whether a word may be a noun, a name or a pronoun of a person, or if asked for an adjective."""
        e = self.entries[i]
        if i in self.verbs or (e.is_function and not e.person):
            return False
        share = max(e.word.parts.get("n", 0.0), e.word.parts.get("a", 0.0) * or_adjective)
        return bool(e.person or not e.word.known or share >= _NOUN_SHARE or i in self.names)

    @cached_property
    def heads(self) -> dict[int, frozenset[int]]:
        """For each scene the content words of its main relation."""
        heads: dict[int, set[int]] = {}
        for i in self.content:
            u = self.member[i]
            if self.categories[u] in ("P", "S"):
                heads.setdefault(self.parents[u], set()).add(i)
        return {u: frozenset(words) for u, words in heads.items()}

    @cached_property
    def scene_words(self) -> frozenset[int]:
        """The content words of all main relations."""
        return frozenset(i for words in self.heads.values() for i in words)

    @cached_property
    def participant_words(self) -> frozenset[int]:
        """The content words and pronouns of all participants."""
        return frozenset(
            i
            for i, e in enumerate(self.entries)
            if (self.is_content[i] or e.person) and self.categories[self.member[i]] == "A"
        )

    @property
    def unit_vectors(self) -> Floats | None:
        """The vector of each token at length 1, (tokens, width); for a comparison, and not kept here."""
        return None if self.vectors is None or not len(self.vectors) else unit_vectors(self.vectors)

    @cached_property
    def means(self) -> Floats | None:
        """The means of the tokens' vectors at length 1, (2, width): of all tokens, and of content words if any."""
        vectors = self.unit_vectors
        if vectors is None:
            return None
        n = len(self.words)
        content = self.is_content if self.content else [True] * n
        return unit_vectors(np.array(([1.0] * n, content), np.float32) @ vectors)

    @cached_property
    def informativeness(self) -> list[float]:
        """The weight of each token: 0 for marks, 0.1 for function words, for others the higher the rarer they are."""
        both = zip(self.entries, self.is_content, strict=True)
        return [e.informativeness if is_content or e.is_function else 0.1 for e, is_content in both]

    @cached_property
    def weights(self) -> npt.NDArray[np.float32]:
        """The same as :attr:`informativeness`, as an array."""
        return np.array(self.informativeness, np.float32)

    @cached_property
    def total(self) -> float:
        """The sum of the weights, at least 0.1."""
        return max(0.1, sum(self.informativeness))

    @cached_property
    def unknown(self) -> float:
        """The share of content words that are no names and not in WordNet."""
        names = self.names
        unknown = [i for i in self.content if not self.entries[i].word.lemmas and i not in names]
        return len(unknown) / max(1, len(self.content))

    @cached_property
    def group_totals(self) -> list[int]:
        """The number of units of each group of categories, see :data:`GROUPS`."""
        counts = Counter(GROUP_OF.get(category) for category in self.categories[1:])
        return [counts[k] for k in range(len(GROUPS))]

    @cached_property
    def letters(self) -> str:
        """The sentence without white space."""
        return "".join(self.text.split())

    def written(self, places: Sequence[int]) -> str:
        """Return the tokens at these places as the text writes them, a gap marked by an ellipsis.

        White space between two of them is one blank, however much the text has. A token that the text does not have as
        it is stands behind a blank.
        """
        parts = [self.tokens[i] for i in places[:1]]
        for last, i in pairwise(places):
            before, span = self.spans[last], self.spans[i]
            gap = " " if i == last + 1 else " … "
            if before and span and i == last + 1:
                gap = _BLANKS.sub(" ", self.text[before[1] : span[0]])
            parts += (gap, self.tokens[i])
        return "".join(parts)

    def places_in(self, span: Span | None) -> tuple[int, ...]:
        """Return the tokens that stand within a span of the text, in characters, or overlap it; none for None."""
        if span is None:
            return ()
        return tuple(i for i, own in enumerate(self.spans) if own and own[0] < span[1] and span[0] < own[1])

    def whole(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return places with the other parts of their words with hyphens: those of *award-winning* for *winning*."""
        words = {self._compound[i] for i in places}
        return tuple(i for i, word in enumerate(self._compound) if word in words)

    @cached_property
    def _compound(self) -> list[int]:
        """For each token the first token of the word with hyphens that it is part of."""
        firsts: list[int] = []
        for i, span in enumerate(self.spans):
            before = self.spans[i - 1] if i else None
            is_touching = before is not None and span is not None and before[1] == span[0]
            is_part = is_touching and len(_HYPHENS.intersection(self.tokens[i - 1 : i + 1])) == 1
            firsts.append(firsts[-1] if is_part else i)
        return firsts

    @cached_property
    def spans(self) -> tuple[Span | None, ...]:
        """Where each token stands in the text, see :func:`usim.text.token_spans`."""
        return token_spans(self.text, self.tokens)

    @cached_property
    def _followed(self) -> list[tuple[WordInfo, str]]:
        """Each token with the word behind it, which is empty for the last one."""
        return [(e, following) for e, following in zip(self.entries, (*self.words[1:], ""), strict=False)]

    @cached_property
    def negators(self) -> list[int]:
        """The positions of the words that negate; *not only* does not."""
        return [
            i
            for i, (e, following) in enumerate(self._followed)
            if e.negation
            and not (e.form in ("not", "n't") and following in ("only", "just"))
            and not (e.form == "no" and following in (",", ".", "!", "doubt", "matter"))
        ]

    @cached_property
    def modals(self) -> list[tuple[int, str]]:
        """The words of modality and their classes; *have to*, *going to*, *supposed to* and *had better* among them."""
        modals = []
        for i, (e, following) in enumerate(self._followed):
            if e.modal:
                if e.form != "may" or not self.is_date(i):
                    modals.append((i, e.modal))
            elif following == "to" and e.form in _MODAL_PHRASES:
                if any(behind.word.parts.get("v") or behind.is_auxiliary for behind in self.entries[i + 2 : i + 3]):
                    modals.append((i, _MODAL_PHRASES[e.form]))
            elif following == "better" and e.form in ("had", "'d", "’d"):
                modals.append((i, "should"))
        return modals

    def is_denied(self, i: int) -> bool:
        """Return whether an auxiliary is denied by the word behind it, or by one of its subject: *no party may*."""
        before = {k for k in self.negators if k < i and not self.entries[k].is_preposition}
        return i + 1 in self.negators or any(self.scene[k] == self.scene[i] for k in before)

    @cached_property
    def unlinking(self) -> frozenset[int]:
        """The positions of words that link no clauses: *like* as a verb, *yet* of time, the *or* of *he or she*."""

        def is_verb(i: int) -> bool:
            before = i and (self.words[i - 1] in COMPARING["before like"] or self.entries[i - 1].modal)
            return bool(before or self.categories[self.member[i]] in ("P", "S"))

        def is_about_time(i: int) -> bool:
            ends = i + 1 == len(self.words) or not self.entries[i + 1].is_word or self.words[i + 1] == "to"
            return ends or bool(i and self.entries[i - 1].negation)

        def is_of_person(i: int) -> bool:
            return 0 < i < len(self.words) - 1 and bool(self.entries[i - 1].person and self.entries[i + 1].person)

        of_words = {"like": is_verb, "yet": is_about_time, "or": is_of_person}
        return frozenset(i for i, word in enumerate(self.words) if word in of_words and of_words[word](i))

    @cached_property
    def verbs(self) -> frozenset[int]:
        """The positions of verbs, auxiliaries included, as far as the graph and WordNet show them."""

        def is_noun(i: int) -> bool:  # the tenant
            return i > 0 and self.entries[i - 1].is_article and not self.words[i].endswith(("ed", "ing"))

        main = {i for i in self.scene_words if self.entries[i].word.parts.get("v", 0.0) > 0.05 and not is_noun(i)}
        return frozenset(i for i, e in enumerate(self.entries) if e.is_auxiliary or i in main)

    @cached_property
    def governors(self) -> list[str]:
        """For each token the preposition that its phrase begins with; empty for subjects, objects and all else."""
        governors = []
        governor, in_noun = "", False
        for i, e in enumerate(self.entries):
            if e.is_preposition and i not in self.verbs:
                governor, in_noun = e.form, False
            elif not e.is_word or e.links or i in self.verbs:
                governor, in_noun = "", False
            elif in_noun and (e.is_article or e.person):
                governor, in_noun = "", e.person is not None
            else:
                in_noun = in_noun or self.is_content[i] or e.person is not None
            governors.append(governor)
        return governors

    @cached_property
    def passives(self) -> frozenset[int]:
        """The verbs that are passive participles, by their form and a form of *be* or *get* before them."""
        return frozenset(
            i
            for i in self.verbs
            if self.is_content[i]
            and not self.words[i].endswith(("ing", "s"))
            and (not self.entries[i].is_plain_verb or self.words[i] in COMPARING["plain participles"])
            and self._after_be(i)
        )

    def _after_be(self, i: int) -> bool:
        for k in range(i - 1, max(-1, i - 4), -1):
            e = self.entries[k]
            if e.is_be or e.form in ("get", "gets", "got"):
                return True
            if not (e.negation or e.is_degree or e.word.parts.get("r", 0.0) > 0.3):
                return False
        return False

    @cached_property
    def tenses(self) -> dict[int, str]:
        """The time of verbs that show one: ``past``, ``present``, ``perfect``, ``future`` or ``bare`` (*he go*).

        A main verb has the time of its auxiliaries; infinitives, participles and verbs with other modals have none.
        """
        return {
            i: time
            for i in self.verbs
            if (self._is_main(i) or not self.entries[i].is_auxiliary) and not self.words[i].endswith("ing")
            if (time := self._time(i))
        }

    def _is_main(self, i: int) -> bool:
        """Return whether a form of be, have or do has no verb behind it."""
        if self.entries[i].modal:
            return False
        for k in range(i + 1, min(i + 4, len(self.words))):
            e = self.entries[k]
            if k in self.verbs and not (self.entries[i].is_be and (e.is_plain_verb or e.form.endswith("s"))):
                return False
            if not (e.negation or e.is_degree or e.person or e.quantity):
                return True
        return True

    def _time(self, i: int) -> str:
        form = self.words[i]
        for k in range(i - 1, max(-1, i - 5), -1):
            e = self.entries[k]
            if e.modal:
                return "future" if e.modal == "will" else ""
            if e.form in ("be", "been"):
                continue
            if e.form == "to" or e.form.endswith("ing"):
                if k and self.words[k - 1] == "used":
                    return "past"
                return "future" if k and self.words[k - 1] in ("going", "gonna") else ""
            if e.form in _TIMES:
                verbal = e.form in ("do", "does", "did", "don", "didn") or not self.entries[i].is_plain_verb
                if verbal:
                    return _TIMES[e.form]
                break
            if not (e.negation or e.is_degree or e.person or e.quantity or e.word.parts.get("r", 0.0) > 0.3):
                break
        if form in _TIMES:
            return _TIMES[form].replace("perfect", "present")
        verb = self.entries[i]
        if verb.is_plain_verb:
            return "" if verb.form in COMPARING["plain participles"] else "bare"
        if form.endswith("s"):
            return "present"
        return "" if self.words[i + 1 : i + 2] == ("by",) else "past"  # amounts disputed by the buyer

    @cached_property
    def clause_starts(self) -> list[int]:
        """For each token the last link before it in the same clause, -1 if there is none."""
        starts = []
        link = -1
        for i, e in enumerate(self.entries):
            starts.append(link)
            if self.words[i] == ",":
                link = -1
            elif e.links:
                link = i
        return starts

    @cached_property
    def asks(self) -> float:
        """Whether it is a question: 1 by its mark and its form, 0.5 by one of them, 0 by neither."""
        mark = "?" in self.words[-3:]
        first = next((i for i, w in enumerate(self.words) if w[:1].isalnum()), -1)
        form = first >= 0 and self.words[first] in COMPARING["begin questions"] and (mark or self._is_inverted(first))
        return 0.5 * mark + 0.5 * form

    def _is_inverted(self, i: int) -> bool:
        """Return whether the verb stands before its subject behind *when* and its like; elsewhere it is a clause."""
        if self.words[i] not in COMPARING["begin clauses"]:
            return True
        for k in range(i + 1, min(i + 4, len(self.words))):
            e = self.entries[k]
            if e.is_auxiliary:
                return True
            if e.person or e.is_article or k in self.names or not e.is_word:
                return False
        return False
