"""The language of a text, as far as it can be told: usim reads English, and says so where a text is something else.

Function words show that most texts are English. `py3langid <https://github.com/adbar/py3langid>`_, which is loaded when
it is needed, looks at the others. What is short, or could be English, gives no alarm.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from usim.text._sentences import Span, sentence_spans

#: The code of the language that usim reads.
ENGLISH = "en"
#: So many characters of a text are looked at.
_LOOKED_AT = 500
#: A text in Latin letters with fewer words is not judged.
_FEWEST_WORDS = 3
#: The share of function words from which a text is English.
_ENGLISH_SHARE = 0.2
#: The least probability of a language that raises an alarm.
_LEAST_PROBABILITY = 0.7
#: Function words and very frequent words of English that are no words of other languages with Latin letters.
_FUNCTION_WORDS = frozenset(
    """
    about after again all always and another any anything are aren't around away because been before being between both
    but can can't cannot could couldn't did didn't does doesn't doing don't down each ever every everyone everything
    few first from get give go going good has have haven't having he here him himself his how however i'm i've if
    into is isn't it it's its itself just know like little many may more most much must my myself never new no not
    nothing now of off often old only or other our out own people same she should since so some someone something
    sometimes soon still such than that that's the their them then there these they they're think this those though
    through time to too under until up us use very wasn't way well were what when where which while who why will with
    without won't work world would year years you your yourself
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def language_of_pair(source: str, output: str) -> str | None:
    """Return the language of a pair: the first that is not English; None where neither can be told.

    >>> language_of_pair("He goes to the school.", "Er geht jeden Tag in die Schule.")
    'de'
    """
    languages = language_of(source), language_of(output)
    return next(filter(is_foreign, languages), languages[0] or languages[1])


def is_foreign(language: str | None) -> bool:
    """Return whether a language is known, and not English."""
    return language not in (ENGLISH, None)


def language_of(text: str) -> str | None:
    """Return the code of the language (ISO 639) that the first 500 characters are in, or None if it cannot be told.

    >>> language_of("He go to the school every days."), language_of("Er geht jeden Tag in die Schule.")
    ('en', 'de')
    >>> language_of("Hallo!") is None
    True
    """
    return _language_of(text[:_LOOKED_AT])


def foreign_sentences(text: str) -> dict[Span, str]:
    """Return where the sentences of a text stand that are in another language than English, each with its code.

    A sentence whose language cannot be told is in that of the text.

    >>> foreign_sentences("He left the house. Er ging jeden Tag in die Schule. She came back to us.")
    {(19, 51): 'de'}
    """
    main = language_of(text) or ENGLISH
    languages = {span: language_of(text[slice(*span)]) or main for span in sentence_spans(text)}
    return {span: language for span, language in languages.items() if language != ENGLISH}


@lru_cache(maxsize=4096)
def _language_of(text: str) -> str | None:
    words = _WORD.findall(text.lower().replace("’", "'"))
    if not words:
        return None
    if sum(word in _FUNCTION_WORDS for word in words) >= _ENGLISH_SHARE * len(words):
        return ENGLISH
    latin = [each.isascii() or unicodedata.name(each, "").startswith("LATIN") for each in "".join(words)]
    is_latin = 2 * sum(latin) >= len(latin)
    if is_latin and len(words) < _FEWEST_WORDS:
        return None
    language, probability = _identifier().classify(text)
    is_sure = probability >= _LEAST_PROBABILITY or language == ENGLISH if is_latin else language != ENGLISH
    return str(language) if is_sure else None


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
