"""How reasons are put into words: a sentence for people for each kind.

>>> say("opposite", "happy", "sad")
'“happy” became “sad”, the opposite'
>>> say("number", "", "three")
'The number changed: “three” is new'
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: What each kind says, and each case that a kind has under a name of its own. ``{old}`` and ``{new}`` are the words of
#: either sentence in quotation marks, ``{change}`` says what became of them; other names are given by the detector.
SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "participant-lost": "{old} is no longer mentioned",
        "participant-added": "{new} was not mentioned before",
        "roles-swapped": "{old} and {new} have changed places",
        "roles-swapped.converse": "{change}, which turns round who does it and to whom",
        "roles-swapped.relative": "{old} and {new}: who does it, and to whom, is turned round",
        "scene-lost": "The output no longer says {old}",
        "scene-added": "Only the output says {new}",
        "adverbial-lost": "{old} is left out",
        "adverbial-added": "{new} is added",
        "modifier-lost": "{old} is left out",
        "modifier-added": "{new} is added",
        "negation": "The output says the opposite: {change}",
        "negation.opposite": "A negation gave way to an opposite word, which can be weaker or stronger: {change}",
        "number": "The number changed: {change}",
        "number.sign": "The sign of the number changed: {change}",
        "name": "The name changed: {change}",
        "quantifier": "The amount or frequency changed: {change}",
        "quantifier.some": "{old} means some now, not hardly any",
        "quantifier.few": "{old} means hardly any now, not some",
        "modality": "The certainty, duty or ability changed: {change}",
        "tense": "The time of {old} changed from {before} to {after}",
        "tense.unclear": "The time of {old} changed",
        "pronoun": "Another person is meant: {change}",
        "pronoun.alone": "{change}",
        "direction": "The direction is turned round: {change}",
        "question.gone": "It is no longer a question",
        "question.new": "It is a question now",
        "connective": "The clauses are linked in another way: {change}",
        "opposite": "{change}, the opposite",
        "sense": "{change}, which may mean something else",
        "unrelated": "{change}, which means something else",
        "category": "{old} has another part in the sentence now",
        "attachment": "{old} belongs to something else now",
        "scope": "{word} is about {new} now, not about {old}",
        "unit": "The unit changed: {change}",
        "time": "The time changed: {change}",
        "time.half": "The half of the day changed: {change}",
        "relation": "The relation changed: {change}",
        "relation.place": "The place changed: {change}",
        "comparison": "The degree changed: {change}",
        "claim": "What is claimed changed: {change}",
        "claim.gone": "It is no longer only {claim}: {change}",
        "claim.new": "It is only {claim} now: {change}",
        "particle": "It is another verb now: {change}",
        "address": "The address changed: {change}",
        "emoji": "{change}",
        "emoji.feeling": "The feeling of the emoji changed: {change}",
        "not-meant": "{change}, which is probably not the word that was meant",
        "says-else": "{new} says something else than the source",
        "says-else.same": "{new} may be about something else now",
    }
)


def say(case: str, old: str = "", new: str = "", **more: str) -> str:
    """Return the sentence of a kind, or of a case of it, about words of the source and of the output.

    Args:
        case: a key of :data:`SENTENCES`.
        old: the words of the source; empty where it has none.
        new: the words of the output.
        more: what else the sentence names.
    """
    return SENTENCES[case].format(old=quoted(old or new), new=quoted(new or old), change=_change(old, new), **more)


def quoted(words: str) -> str:
    """Return words in quotation marks."""
    return f"“{words}”"


def _change(old: str, new: str) -> str:
    if not new:
        return f"{quoted(old)} is gone"
    if not old:
        return f"{quoted(new)} is new"
    return quoted(old) if old.lower() == new.lower() else f"{quoted(old)} became {quoted(new)}"
