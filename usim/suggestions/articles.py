"""The indefinite article that a word takes: ``a`` before a consonant sound, ``an`` before a vowel sound.

The sound is guessed from the spelling, in this order:

1. a number is read out: *an 8*, *an 11-year-old*, *an 1890 edition*, *a 100*;
2. what is spelled letter by letter begins with the name of its first letter: *an MP3*, *an FBI agent*, *a UN envoy*,
   *an x-ray*, *a U-turn*; capitals that can be pronounced are taken for a word: *a NATO summit*, *a SCUBA diver*;
3. a word with a silent h takes *an*: *an hour*, *an honest heir*;
4. a word that begins with the sound of *you* or *one* takes *a*: *a European*, *a university*, *a useful one-off*;
5. for any other word the first letter decides.

For words whose sound differs between speakers (*herb*, *historic*, *SQL*) the letters decide.

>>> [f"{article(w)} {w}" for w in ("apple", "house", "hour", "use", "umbrella", "MP3", "8", "UN")]
['an apple', 'a house', 'an hour', 'a use', 'an umbrella', 'an MP3', 'an 8', 'a UN']
"""

from __future__ import annotations

import re
import unicodedata

from usim.lexicon.tables import WRITING

#: The word at the beginning of a phrase, after quotation marks, brackets and signs of currency.
_FIRST = re.compile(r"[^\w]*(\w[\w.,'’-]*)")

_SILENT_H = re.compile(r"hour(?!i)|honest|honou?r|heir|hors\b")

#: Words written with a vowel letter and spoken with a consonant first.
_CONSONANT = re.compile(
    r"""
      eu(?!ler)                                                       # European, eulogy, Europe; not Euler
    | ewe
    | one(?:s|self|ness|-|['’]|$) | once(?:-|$)
    | ouija
    | u(?:
          b(?:i|untu-)                                                # ubiquitous
        | fo | k[eru] | l[ou]la                                       # ufo, ukulele, Ukraine
        | nanim                                                       # unanimous; not unanswered
        | ni(?:c|f|l(?!l)|o|p|q|s(?!s)|t|v|x|mod|dir|$|-)        # unit, unique, union; not unimportant
        | r[aeiou](?!r) | s(?:a[bg]|b|e|u)                            # uranium, urine; usage, use, usual
        | t[aeio] | vu | xo
      )
    """,
    re.VERBOSE,
)
#: A letter that stands apart is read by its name: x-ray, U-turn, F1, U.S., an n.
_NAMED = re.compile(r"([A-Za-z])(?=$|[-'’.\d])")
_AN_LETTERS = frozenset("AEFHILMNORSX")

#: Onsets of English words: capitals that begin with one of them and a vowel can be pronounced.
_ONSET = re.compile(r"(?:[FHLMNRSX]|CH|F[LR]|S[CHKLMNPTW]|S[CPT]R|SH[R]|SPL|SQU)[AEIOUY]")
#: Capitals that these two rules get wrong: said as a word, spelled out.
_SAID, _SPELLED = WRITING["acronyms said as words"], WRITING["acronyms spelled out"]
#: Words of two and three letters that are likelier than an acronym when they stand in capitals.
_SHORT = WRITING["short"]


def article(phrase: str) -> str:
    """Return the article that a phrase takes, ``"a"`` or ``"an"``; ``"a"`` where the phrase has no word."""
    first = _FIRST.match(phrase)
    return "an" if first and _begins_with_vowel(first.group(1)) else "a"


def _begins_with_vowel(word: str) -> bool:
    if word[0].isdecimal():
        return _number_begins_with_vowel(word)
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    capitals = re.match(r"[A-Z]+", plain)
    if _NAMED.match(plain) and not re.match(r"[OoDdLl]['’]", plain):
        return plain[0].upper() in _AN_LETTERS
    if capitals and len(capitals.group()) > 1 and _is_spelled(plain, capitals.group()):
        return plain[0] in _AN_LETTERS
    lower = plain.lower()
    if _SILENT_H.match(lower):
        return True
    if lower[0] == "y":
        return lower[1:2] not in ("", *"aeiou")
    return lower[0] in "aeiou" and not _CONSONANT.match(lower)


def _is_spelled(word: str, capitals: str) -> bool:
    """Return whether a word that begins with two or more capitals is read letter by letter."""
    following = word[len(capitals) : len(capitals) + 1]
    if following.islower():
        # MSc, PhDs, LLBs: the capitals are letters.
        return True
    if capitals in _SAID or capitals.lower() in _SHORT:
        return False
    if capitals in _SPELLED or len(capitals) < 4:
        return True
    if capitals[0] in "AEIOU":
        return not re.search("[AEIOUY]", capitals[1:])
    return not _ONSET.match(capitals)


def _number_begins_with_vowel(word: str) -> bool:
    """Return whether a number begins with a vowel when read: with eight, eleven or eighteen."""
    digits = re.match(r"\d+(?:,\d{3})*", word)
    assert digits is not None
    leading, *groups = digits.group().split(",")
    if leading[0] == "8":
        return True
    # Eleven or eighteen: alone, of thousands or millions (18,000 or 18000), as hundreds (1890).
    return leading[:2] in ("11", "18") and (len(leading) % 3 == 2 or (len(leading) == 4 and not groups))
