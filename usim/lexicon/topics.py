"""What a word may be about, as far as its form shows: the cheap test before a detector reads a pair."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from usim.lexicon.converses import converses
from usim.lexicon.equivalents import anchors
from usim.lexicon.quantities import MEASURES, joined_measure
from usim.lexicon.wordnet import WordNet

#: Topics, as bits.
UNIT, CLOCK, CALENDAR, PLACE, STANCE, FEW, ADDRESS, EMOJI, EQUIVALENT, SIGN, DIGITS, HAVE, PARTICLE, CONVERSE = (
    1 << k for k in range(14)
)


def _table(**classes: str) -> dict[str, tuple[str, str]]:
    """Return for each form its class and the entry that it stands for: forms joined by ``=`` are one entry."""
    return {
        form: (name, entry.split("=")[0])
        for name, entries in classes.items()
        for entry in entries.split()
        for form in entry.split("=")
    }


#: Days, months, seasons, parts of the day, and how often: the class and the entry of each form.
CALENDAR_CLASSES: Mapping[str, tuple[str, str]] = _table(
    weekday="monday=mon=mon.=mondays tuesday=tue=tue.=tues=tues.=tuesdays wednesday=wed=wed.=wednesdays"
    " thursday=thu=thu.=thurs=thursdays friday=fri=fri.=fridays saturday=sat.=saturdays sunday=sun.=sundays",
    month="january=jan=jan. february=feb=feb. march april=apr=apr. may june july august=aug=aug."
    " september=sept=sept.=sep=sep. october=oct=oct. november=nov=nov. december=dec=dec.",
    season="spring=springtime summer=summers=summertime autumn=fall=autumns winter=winters=wintertime",
    daypart="morning=mornings noon=midday afternoon=afternoons evening=evenings night=nights midnight dawn=daybreak"
    " dusk=nightfall",
    day="today yesterday tomorrow tonight",
    often="hourly daily weekly fortnightly monthly yearly=annually=annual",
    era="bc=bce ad=ce",
)  # fmt: skip
#: Forms that are mostly something else; they count as dates only beside a number or behind a preposition.
DATES_ONLY = frozenset("march may mon sun fall spring sep sat second ad bc ce".split())

_SCALES = frozenset("° degrees celsius fahrenheit c f".split())
_CLOCK = frozenset("am pm a.m. p.m. o'clock morning afternoon evening night noon midday midnight".split())
_ANTE = frozenset(("am", "a.m."))
_POST = frozenset(("pm", "p.m."))
_FEW = frozenset("few little a only quite very".split())
_SIGNS = frozenset(("-", "−", "+", "±", "minus", "plus", "<", ">", "≤", "≥", "="))
_PARTICLES = frozenset("up down off out over away back on in through around along apart by after for into at".split())
#: Where something is, by class: forms of a class mean nearly the same.
PLACES: Mapping[str, str] = {
    form: name
    for name, forms in (
        ("under", "under underneath beneath below"),
        ("above", "above over"),
        ("on", "on upon onto atop"),
        ("in", "in into inside within"),
        ("at", "at"),
        ("behind", "behind"),
        ("front", "front"),
        ("near", "near beside alongside nearby"),
        ("between", "between among amongst amid"),
        ("outside", "outside"),
        ("across", "across"),
        ("through", "through throughout"),
        ("around", "around round"),
        ("along", "along"),
        ("past", "past"),
        ("beyond", "beyond"),
        ("opposite", "opposite"),
        ("towards", "towards toward"),
        ("from", "from"),
        ("by", "by"),
        ("to", "to"),
        ("for", "for"),
        ("with", "with"),
        ("without", "without"),
        ("against", "against versus"),
        ("of", "of"),
        ("out", "out"),
        ("far", "far"),
    )
    for form in forms.split()
}
#: Verbs that say how far it is true what stands behind them, by class.
STANCES: Mapping[str, str] = {
    lemma: name
    for name, lemmas in (
        ("fact", "know realise realize discover learn notice prove show confirm admit remember regret demonstrate"),
        ("belief", "think believe guess suppose suspect assume expect imagine fear feel doubt"),
        ("report", "say claim allege report tell argue state announce insist suggest deny"),
        ("seem", "seem appear"),
        ("pretend", "pretend dream"),
        ("wish", "wish hope want plan intend promise threaten offer"),
        ("try", "try attempt struggle"),
        ("fail", "fail refuse forget decline hesitate"),
        ("do", "manage succeed happen dare"),
    )
    for lemma in lemmas.split()
}
_WEB = re.compile(
    r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|[@#]\w[\w-]*|\w[\w.-]*\.(?:com|org|net|edu|gov|co\.uk)(?:/\S*)?"
)
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff\u2b50\u2764]|[:;=8][-o']?[)(\\]\\[DPpO/\\\\|]$")
_FEELINGS: Mapping[str, str] = {
    sign: name
    for name, signs in (
        ("glad", "😀 😃 😄 😁 😆 😂 🤣 😊 🙂 😉 😍 😘 🥰 🥳 🎉 🎂 👍 👏 🙏 💪 😎 😇 ❤ ♥ 💕 💖 ⭐ 🌟 ✨ ✅ ☺ 🤗"),
        ("glad", ":) :-) =) :d :-d ;) ;-) :p"),
        ("sad", "😢 😭 😞 😔 😟 🙁 ☹ 💔 😩 😫 😿 😨 😰 😱 🥺 :( :-( =( :'( :/ :-/"),
        ("angry", "😠 😡 🤬 👎 👿 🖕 😤 💩 🤮 ❌"),
    )
    for sign in signs.split()
}  # fmt: skip


def is_address(form: str) -> bool:
    """Return whether a form is an e-mail address, a page of the web, a handle or a tag."""
    return bool(_WEB.fullmatch(form))


def feeling(form: str) -> str:
    """Return the feeling that an emoji or emoticon shows: ``glad``, ``sad``, ``angry``; empty for others."""
    return _FEELINGS.get(form, "")


def is_emoji(form: str) -> bool:
    """Return whether a form is an emoji or an emoticon."""
    return bool(_EMOJI.match(form))


def half_of_day(form: str) -> str:
    """Return ``am`` or ``pm`` for the marks of a clock, empty for others."""
    return "am" if form in _ANTE else "pm" if form in _POST else ""


@lru_cache(20000)
def topics(form: str) -> int:
    """Return the topics of a form in lower case, as bits."""
    bits = 0
    has_digit = any(c.isdigit() for c in form)
    if form in MEASURES or form in _SCALES or (has_digit and joined_measure(form)):
        bits |= UNIT
    if form in _CLOCK:
        bits |= CLOCK
    if has_digit:
        bits |= DIGITS
    if form in CALENDAR_CLASSES:
        bits |= CALENDAR
    if form in PLACES:
        bits |= PLACE
    if form in _FEW:
        bits |= FEW
    if form in _SIGNS:
        bits |= SIGN
    if form in _PARTICLES:
        bits |= PARTICLE
    if form in ("have", "'ve", "’ve"):
        bits |= HAVE
    if ("@" in form or "." in form or "#" in form or "/" in form) and is_address(form):
        bits |= ADDRESS
    if form and (not form[0].isalnum()) and is_emoji(form):
        bits |= EMOJI
    net = WordNet.shipped()
    lemmas = {net.lemma(n) for n in net.lemmas(form, "v")}
    if converses(form):
        bits |= CONVERSE
    if any(lemma in STANCES for lemma in lemmas):
        bits |= STANCE
    words = anchors()
    if form in words or not words.isdisjoint(lemmas):
        bits |= EQUIVALENT
    return bits


def stance(form: str) -> str | None:
    """Return the class of a verb of stance in any of its forms, None for other words."""
    net = WordNet.shipped()
    return next((STANCES[x] for x in sorted(net.lemma(n) for n in net.lemmas(form, "v")) if x in STANCES), None)
