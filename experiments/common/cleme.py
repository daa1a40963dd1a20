"""CLEME 2.0 (Ye et al. 2025): which chunks of sentences a corrector hit, got wrong, missed, or changed needlessly.

Edits of an output and of all references that overlap or touch are joined, so that all versions of a sentence have the
same chunks (CLEME, Ye et al. 2023). A reference says which chunks need a change; the output hits such a chunk, changes
it wrongly, or leaves it, and what it changes elsewhere is over-correction. Of several references the one counts that
makes the score best, as in the authors' program without weights ("dependent"). Its weights by similarity come from
BERTScore or a language model; here each chunk counts as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

#: An edit of a tokenised sentence: its first token, the one after its last, and what takes their place.
Edit = tuple[int, int, tuple[str, ...]]

#: The weights of hit, 1 − wrong, 1 − under and 1 − over in the score.
_WEIGHTS = (0.45, 0.35, 0.15, 0.05)


class Counts(NamedTuple):
    """Numbers of chunks: of those that need a change, hit, wrong and missed; of the others, changed and kept."""

    hit: int = 0
    wrong: int = 0
    missed: int = 0
    needless: int = 0
    kept: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    def aspects(self) -> dict[str, float]:
        """Return hit-, wrong- and under-correction as shares of the chunks that need a change, over-correction as a
        share of those that are changed, and the score; each in [0, 1].

        >>> Counts(hit=2, missed=2, needless=2).aspects()  # doctest: +ELLIPSIS
        {'hit': 0.5, 'wrong': 0.0, 'under': 0.5, 'over': 0.5, 'score': 0.67...}
        """
        needed, changed = self.hit + self.wrong + self.missed, self.hit + self.wrong + self.needless
        hit, wrong, under = (count / needed if needed else 0.0 for count in self[:3])
        over = self.needless / changed if changed else 0.0
        parts = zip(_WEIGHTS, (hit, 1 - wrong, 1 - under, 1 - over), strict=True)
        return {"hit": hit, "wrong": wrong, "under": under, "over": over, "score": sum(w * part for w, part in parts)}


def edits(source: str, output: str) -> list[Edit]:
    """Return the edits between two tokenised sentences, by the edit distance of their tokens."""
    tokens, others = source.split(), output.split()
    return [
        (op.src_start, op.src_end, tuple(others[op.dest_start : op.dest_end]))
        for op in Levenshtein.opcodes(tokens, others)
        if op.tag != "equal"
    ]


def counts(source: Sequence[str], output: Sequence[Edit], references: Sequence[Sequence[Edit]]) -> list[Counts]:
    """Count the chunks of an output by each reference.

    >>> counts("He go to home .".split(), [(1, 2, ("went",)), (4, 5, ("!",))], [[(1, 2, ("goes",)), (2, 3, ())]])
    [Counts(hit=0, wrong=1, missed=0, needless=1, kept=0)]
    """
    chunks: list[list[int]] = []
    for start, end, _ in sorted(edit for version in (output, *references) for edit in version):
        if chunks and start <= chunks[-1][1]:
            chunks[-1][1] = max(end, chunks[-1][1])
        else:
            chunks.append([start, end])
    texts = [[_text(source, version, *chunk) for chunk in chunks] for version in (output, *references)]
    return [_compared(texts[0], reference) for reference in texts[1:]]


def _text(source: Sequence[str], version: Iterable[Edit], start: int, end: int) -> list[str] | None:
    """Return the tokens of a chunk in a version, None where it is not changed."""
    own = [edit for edit in sorted(version) if start <= edit[0] and edit[1] <= end]
    tokens: list[str] = []
    for first, last, new in own:
        tokens += [*source[start:first], *new]
        start = last
    return [*tokens, *source[start:end]] if own else None


def _compared(output: Sequence[list[str] | None], reference: Sequence[list[str] | None]) -> Counts:
    pairs = list(zip(output, reference, strict=True))
    hit = sum(o is not None and o == r for o, r in pairs)
    needed, changed = (sum(text is not None for text in side) for side in (reference, output))
    both = sum(o is not None and r is not None for o, r in pairs)
    return Counts(hit, both - hit, needed - both, changed - both, len(pairs) - needed - changed + both)


def total(sentences: Iterable[Sequence[Counts]]) -> Counts:
    """Add up sentences; of the counts by their references those count that make the score so far best."""
    so_far = Counts()
    for of_references in sentences:
        # Among equal scores the better counts.
        merits = [
            (so_far.plus(own).aspects()["score"], own.hit, -own.wrong - own.needless, -own.missed, own.kept)
            for own in of_references
        ]
        so_far = so_far.plus(of_references[merits.index(max(merits))])
    return so_far
