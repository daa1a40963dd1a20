"""Make the tables that the features of corrections are computed with: words, contexts, and the costs of misspelling.

The words are those of the SCOWL word lists (Debian: ``wamerican-large``, ``wbritish-large``) and of WordNet, the
frequencies those of the package wordfreq, the forms those of lemminflect. What is misspelled for what is counted in
the pairs of codespell (:mod:`training.misspell`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA, Levenshtein

from usim.lexicon import WordNet
from usim.spelling.edits import written_words
from usim.spelling.features import EDGE, OFFSETS
from usim.spelling.model import CONTEXT_STEP
from usim.spelling.spelling import LETTERS, START, Confusions, numbers
from usim.spelling.words import FORMS, STEPS, UNKNOWN, WordTable

Floats = npt.NDArray[np.float32]

#: How many of the most frequent words have a group of their own.
_OWN_GROUPS = 400
#: How many groups there are for the other words, by the forms that they can have.
_KINDS = 120
#: The least frequency of a word of the lists, as the logarithm to base ten of its occurrences in a thousand million.
_LEAST = 1.0


def word_entries(lists: Sequence[Path]) -> dict[str, tuple[int, int, int]]:
    """Return the frequency, the forms and the group of each word, see :func:`usim.spelling.words.write_table`.

    The files have a word a line; a word with a capital is a name unless it is there without.
    """
    import lemminflect
    import wordfreq

    frequencies = wordfreq.get_frequency_dict("en", "best")
    listed: dict[str, bool] = {}
    for path in lists:
        for line in path.read_text(encoding="utf-8").splitlines():
            word = line.strip().replace("’", "'")
            if word and not word.endswith("'s"):
                listed[word.lower()] = listed.get(word.lower(), True) and word != word.lower()
    net = WordNet.shipped()
    frequent = [w for w, f in frequencies.items() if f >= 2e-7 and w.isalpha() and w not in listed]
    for word in frequent:
        if net.word(word).known:
            listed[word] = net.word(word).is_proper
    for word in ("'s", "n't", "'m", "'re", "'ve", "'ll", "'d", "i'm", "okay", "ok"):
        listed[word] = False
    entries: dict[str, tuple[int, int, int]] = {}
    for word, is_name in listed.items():
        frequency = frequencies.get(word, 0.0)
        steps = round(STEPS * math.log10(frequency * 1e9)) if frequency * 1e9 > 1 else 0
        if steps < _LEAST * STEPS:
            continue
        tags = {"NNP"} if is_name else set()
        for part, lemmas in lemminflect.getAllLemmas(word).items():
            for lemma in lemmas:
                inflected = lemminflect.getAllInflections(lemma, upos=part)
                tags |= {tag for tag, words in inflected.items() if word in words and tag in FORMS}
        forms = sum(1 << FORMS.index(tag) for tag in tags)
        entries[word] = (min(steps, 255), forms, 0)
    return _grouped(entries)


def _grouped(entries: Mapping[str, tuple[int, int, int]]) -> dict[str, tuple[int, int, int]]:
    """Return entries with their groups: 0 unknown, 1 the edge, then frequent words, then kinds of forms."""
    by_frequency = sorted(entries, key=lambda word: (-entries[word][0], word))
    own = {word: EDGE + 1 + k for k, word in enumerate(by_frequency[:_OWN_GROUPS])}
    counts = Counter(_kind(word, entries[word][1]) for word in by_frequency[_OWN_GROUPS:])
    kinds = [kind for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_KINDS]]
    of_kind = {kind: EDGE + 1 + _OWN_GROUPS + k for k, kind in enumerate(kinds)}
    other = EDGE + 1 + _OWN_GROUPS + _KINDS
    return {
        word: (steps, forms, own.get(word) or of_kind.get(_kind(word, forms), other))
        for word, (steps, forms, _) in entries.items()
    }


def _kind(word: str, forms: int) -> tuple[int, str]:
    ending = next((e for e in ("ing", "ed", "ly", "s") if word.endswith(e)), "") if not forms else ""
    return forms, ending


def contexts(words: WordTable, sentences: Iterable[Sequence[str]]) -> Floats:
    """Count which groups of words stand near each other, see :class:`~usim.spelling.features.Tables`."""
    size = EDGE + 2 + _OWN_GROUPS + _KINDS
    joint = np.zeros((len(OFFSETS), size, size))
    for tokens in sentences:
        texts = [word.text.lower() for word in written_words(tokens)]
        groups = [EDGE, EDGE, *(words[text].group for text in texts), EDGE, EDGE]
        for place in range(2, len(groups) - 2):
            for n, offset in enumerate(OFFSETS):
                joint[n, groups[place], groups[place + offset]] += 1
    rows, columns = joint.sum(2, keepdims=True), joint.sum(1, keepdims=True)
    total = joint.sum((1, 2), keepdims=True)
    expected = rows * columns / np.maximum(total, 1)
    return np.log((joint + 2) / (expected + 2)).astype(np.float32)


def rounded(values: Floats) -> Floats:
    """Return contexts as they are after they have been written and read."""
    return (np.clip(np.rint(values / CONTEXT_STEP), -127, 127) * CONTEXT_STEP).astype(np.float32)


def known_misspellings(words: WordTable, pairs: Mapping[str, Sequence[str]]) -> npt.NDArray[np.uint8]:
    """Return what single misspellings mean, as :func:`usim.spelling.model.read_misspellings` reads it.

    Left out is what may be a word, and what stands for several words. ``pairs`` are right words with misspellings.
    """
    single = {w: m for m, misspelt in pairs.items() for w in misspelt if m.isalpha() and w.isalpha()}
    lines = sorted(f"{w} {m}" for w, m in single.items() if words[w] is UNKNOWN and words[m] is not UNKNOWN)
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def confusions(pairs: Mapping[str, Sequence[str]]) -> Confusions:
    """Count how words are misspelled, from right words with their misspellings."""
    size = len(LETTERS)
    right = np.full(size, 1.0)
    replaced, lost, added, swapped = (np.zeros((size + 1, size + 1)) for _ in range(4))
    letters = np.full(size + 1, 1.0)
    for meant, written in ((m, w) for m, misspelt in pairs.items() for w in misspelt):
        if OSA.distance(meant, written) > 3:
            continue
        a, b = list(numbers(meant)), list(numbers(written))
        letters[START] += 1
        for letter in a:
            letters[letter] += 1
        place = next((k for k in range(min(len(a), len(b)) - 1) if a[k] != b[k]), None)
        if place is not None and b == [*a[:place], a[place + 1], a[place], *a[place + 2 :]]:
            swapped[a[place], a[place + 1]] += 1
            continue
        touched = set()
        for tag, i, j in Levenshtein.editops(meant, written).as_list():
            touched.add(i)
            if tag == "replace":
                replaced[a[i], b[j]] += 1
            elif tag == "delete":
                lost[a[i - 1] if i else START, a[i]] += 1
            else:
                added[a[i - 1] if i else START, b[j]] += 1
        for i, letter in enumerate(a):
            right[letter] += i not in touched

    def cost(counts: npt.NDArray[np.float64], of: npt.NDArray[np.float64]) -> Floats:
        return (-np.log((counts + 0.3) / (of + 0.3 * size))).astype(np.float32)

    of = letters[:, None]
    return Confusions(
        (-np.log(right / letters[:size])).astype(np.float32), cost(replaced, of), cost(lost, of), cost(added, of),
        cost(swapped, of),
    )  # fmt: skip
