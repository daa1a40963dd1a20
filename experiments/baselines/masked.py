"""A masked language model as a system: the words that it would write in the place of a word.

The model's distribution over the word's place ranks what may stand there. How much of the word it is shown is one of
:data:`METHODS`:

- ``masked``: nothing (BERT-M of Lee et al. 2021), or, where the model has ``context``, the whole sentence before the
  masked one, so that it knows the word that it is to replace (Qiang et al. 2020, *LSBert*);
- ``keep``: all of it: the model's distribution over the place of the word itself (BERT-K).

Candidates are the words of the vocabulary that are one piece of small letters, or, with a thesaurus and ``masked``, the
synonyms of the word, whatever they are made of: a candidate of several pieces gets as many masks, and its score is the
mean of its pieces' log-probabilities.

A word is named as a target if the best candidate is at least ``margin`` more likely than the word itself, in nats: the
systems of Smart Word Suggestions (Wang et al. 2023) too change a word where their models find another one likelier.

The model is any that ``transformers`` can load for masked words (BERT, RoBERTa, …), from a folder or by name:
``pip install torch transformers``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.baselines.given import Candidate, GivenTarget
from experiments.baselines.targets import CLOSED, Finder
from experiments.common.extras import extra
from usim.errors import InputError
from usim.text import Span

#: Ways to show a target.
METHODS = ("masked", "keep")
#: How subword vocabularies mark a piece that begins a word.
_BEGINNINGS = ("Ġ", "▁")
_PIECES = 4  # of a candidate: longer ones are left out
_BATCH = 32

#: Candidates, the best first, and the score of the target itself (of one piece of it where it has several).
Proposal = tuple[list[Candidate], float]


class InPlace(NamedTuple):
    """A sentence in pieces, special ones too, with its target as the single piece at ``place``."""

    pieces: tuple[int, ...]
    place: int

    @property
    def target(self) -> int:
        """The piece of the target."""
        return self.pieces[self.place]


class MaskedModel:
    """A masked language model with its tokeniser. ``most`` is how many pieces it can take.

    Args:
        name: a folder, or a name that ``transformers`` knows.
        context: whether the whole sentence comes before the masked one.
        device: where it runs, e.g. ``cpu`` or ``cuda``.

    Raises:
        InputError: ``torch`` or ``transformers`` is not installed, or the model cannot be loaded or has no mask.
    """

    def __init__(self, name: str, *, context: bool = True, device: str = "cpu") -> None:
        self.torch, transformers = (extra(library, "masked language models") for library in ("torch", "transformers"))
        try:
            self.tokeniser: Any = transformers.AutoTokenizer.from_pretrained(name)
            self.body: Any = transformers.AutoModelForMaskedLM.from_pretrained(name).to(device).eval()
        except (OSError, ValueError, RuntimeError, KeyError) as e:
            raise InputError(f"the model cannot be loaded: {str(e).splitlines()[0]}", path=name) from e
        if self.tokeniser.mask_token_id is None:
            raise InputError("the model has no mask: a masked language model is needed", path=name)
        self.name, self.device = name, device
        self._context = context
        # RoBERTa counts its positions from 2.
        positions = getattr(self.body.config, "max_position_embeddings", 512) - 2
        self.most = int(min(positions, self.tokeniser.model_max_length))
        special = self.tokeniser("")["input_ids"]
        self.head, self.tail = special[: (len(special) + 1) // 2], special[(len(special) + 1) // 2 :]

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a word or phrase in the middle of a sentence."""
        pieces: list[int] = self.tokeniser(" " + text, add_special_tokens=False)["input_ids"]
        return pieces

    @cached_property
    def words(self) -> dict[int, str]:
        """The pieces that are whole words of small letters, by their numbers, in ascending order."""
        pieces = self.tokeniser.convert_ids_to_tokens(list(range(len(self.tokeniser))))
        special = set(self.tokeniser.all_special_ids)
        marked = any(piece.startswith(_BEGINNINGS) for piece in pieces if piece)
        texts = {
            number: piece[1:] if marked and piece.startswith(_BEGINNINGS) else "" if marked else piece
            for number, piece in enumerate(pieces)
            if number not in special
        }
        return {n: word for n, word in texts.items() if len(word) > 1 and word.isalpha() and word.islower()}

    @cached_property
    def _numbers(self) -> npt.NDArray[np.int64]:
        return np.array(list(self.words), dtype=np.int64)

    def likeliest(self, scores: npt.NDArray[Any], k: int) -> list[int]:
        """Return the k pieces that are whole words with the highest of the scores (vocabulary,), the highest first."""
        order = np.argsort(-scores[self._numbers], kind="stable")[:k]
        return [int(piece) for piece in self._numbers[order]]

    @property
    def short_name(self) -> str:
        """The name for signatures, without folders."""
        return self.name.rstrip("/").split("/")[-1]

    @property
    def signature(self) -> str:
        """The model, and what it is shown of a sentence."""
        return f"model:{self.short_name}|sees:{'pair' if self._context else 'masked'}"

    def word_of(self, piece: int) -> str:
        """Return the word that a piece of the vocabulary is."""
        return str(self.tokeniser.decode([piece])).strip()

    def in_place(self, words: Sequence[str], start: int, end: int) -> InPlace | None:
        """Return a sentence in pieces with its target, words[start:end], as one piece; None where it is too long.

        A target of several pieces stands as its longest one, as Lee et al. (2021) have it.
        """
        target = self.pieces(" ".join(words[start:end]))
        if not target:
            return None
        longest = max(target, key=lambda piece: len(self.word_of(piece)))
        before, after = self.pieces(" ".join(words[:start])), self.pieces(" ".join(words[end:]))
        pieces = (*self.head, *before, longest, *after, *self.tail)
        return InPlace(pieces, len(self.head) + len(before)) if len(pieces) <= self.most else None

    def unmasked(self, sentence: InPlace) -> npt.NDArray[np.float32]:
        """Compute the log-probabilities of pieces, (vocabulary,), in the place of a target that is there to see."""
        ids = self.torch.tensor([sentence.pieces], device=self.device)
        with self.torch.inference_mode():
            logits = self.body(input_ids=ids, attention_mask=self.torch.ones_like(ids)).logits
            scores: npt.NDArray[np.float32] = logits[0, sentence.place].float().log_softmax(-1).cpu().numpy()
        return scores

    def distributions(
        self, sentences: Sequence[tuple[Sequence[str], int, int, int]]
    ) -> list[npt.NDArray[np.float32] | None]:
        """Compute the log-probabilities of pieces at masked places.

        Args:
            sentences: words, the first word and the word after the last to mask, and the number of masks.

        Returns:
            for each an array (masks, vocabulary); None where the sentence is too long for the model.
        """
        distributions: list[npt.NDArray[np.float32] | None] = [None] * len(sentences)
        rows: list[tuple[int, Any]] = []
        for place, sentence in enumerate(sentences):
            row = self._encoded(*sentence)
            if len(row["input_ids"]) <= self.most:
                rows.append((place, row))
        rows.sort(key=lambda row: len(row[1]["input_ids"]))
        for first in range(0, len(rows), _BATCH):
            block = rows[first : first + _BATCH]
            batch = self.tokeniser.pad([row for _, row in block], return_tensors="pt").to(self.device)
            with self.torch.inference_mode():
                logits = self.body(**batch).logits
                for number, (place, _) in enumerate(block):
                    masks = (batch["input_ids"][number] == self.tokeniser.mask_token_id).nonzero()[:, 0]
                    distributions[place] = logits[number, masks].float().log_softmax(-1).cpu().numpy()
        return distributions

    def _encoded(self, words: Sequence[str], start: int, end: int, masks: int) -> Any:
        """Encode a sentence with masks in the place of some words, with ``context`` after the whole sentence."""
        mask = self.tokeniser.mask_token
        # The sentence itself may contain the mask's text.
        plain = [word.replace(mask, "") for word in words]
        masked = " ".join([*plain[:start], *[mask] * masks, *plain[end:]])
        if not self._context:
            return self.tokeniser(masked)
        return self.tokeniser(" ".join(plain), masked)

    def ranked(
        self, words: Sequence[str], start: int, end: int, candidates: Iterable[str]
    ) -> tuple[list[Candidate], float]:
        """Rank candidates by how likely they are in the place of the target words[start:end], the likeliest first.

        Those of more than four pieces are left out.

        Returns:
            the candidates, and the log-probability of the target itself; nothing, and minus infinity, where the
            sentence is too long for the model.
        """
        in_pieces = {text: self.pieces(text) for text in dict.fromkeys(candidates)}
        in_pieces = {text: pieces for text, pieces in in_pieces.items() if 0 < len(pieces) <= _PIECES}
        target = self.pieces(" ".join(words[start:end]))
        sizes = sorted({len(target), *map(len, in_pieces.values())})
        distributions = self.distributions([(words, start, end, size) for size in sizes])
        by_size = {size: scores for size, scores in zip(sizes, distributions, strict=True) if scores is not None}
        if len(by_size) < len(sizes):
            return [], float("-inf")

        def score(pieces: Sequence[int]) -> float:
            scores = by_size[len(pieces)]
            return float(sum(scores[place, piece] for place, piece in enumerate(pieces))) / len(pieces)

        scored = [Candidate(text, score(pieces)) for text, pieces in in_pieces.items()]
        return sorted(scored, key=lambda candidate: (-candidate.score, candidate.text)), score(target)


@dataclass
class Masked:
    """Proposes words that a masked language model finds likelier than those of the sentence, or likeliest there.

    Args:
        model: the model.
        finder: with one, only words with an entry in its thesaurus are targets, and only their synonyms are candidates.
        method: one of :data:`METHODS`.
        k: how many suggestions to make for a target at most.
        margin: by how much, in nats, the best must be likelier than the word itself; minus infinity names every word.
            None names no word, for targets that are given.

    Raises:
        InputError: no such method, or a finder with a method that leaves no place for candidates of several pieces.
    """

    model: MaskedModel
    finder: Finder | None = None
    _: KW_ONLY
    method: str = "masked"
    k: int = 10
    margin: float | None = 0.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InputError("no such method; there are " + ", ".join(METHODS), text=self.method)
        if self.finder is not None and self.method != "masked":
            raise InputError(
                "synonyms of several pieces can only be ranked where the target is masked: give no thesaurus"
            )

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        shown = f"model:{self.model.short_name}|sees:{self.method}"
        candidates = "vocabulary" if self.finder is None else self.finder.signature
        margin = "" if self.margin is None else f"|margin:{self.margin:g}"
        model = self.model.signature if self.method == "masked" else shown
        return f"masked|{model}|{candidates}|k:{self.k}{margin}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the likeliest first."""
        return {
            span: tuple(candidate.text for candidate in candidates[: self.k])
            for span, (candidates, itself) in self._proposals(words)
            if self.margin is not None and candidates and candidates[0].score - itself >= self.margin
        }

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return substitutes for a target that is given, the likeliest first; none where its context is too long."""
        words, start, end = target.words, target.start, target.end
        if self.finder is not None:
            synonyms = self.finder.synonyms(words, start, end, target.pos)
            return self.model.ranked(words, start, end, synonyms)[0][: self.k]
        return [candidate for _, (candidates, _) in self._proposed(words, [(start, end)]) for candidate in candidates]

    def _proposals(self, words: Sequence[str]) -> Iterator[tuple[Span, Proposal]]:
        """Yield the targets of a sentence with their candidates."""
        if self.finder is None:
            spans = [(i, i + 1) for i, word in enumerate(words) if word[:1].isalpha() and word.lower() not in CLOSED]
            yield from self._proposed(words, spans)
            return
        for start, end, _, synonyms in self.finder.targets(words):
            yield (start, end), self.model.ranked(words, start, end, synonyms)

    def _proposed(self, words: Sequence[str], spans: Sequence[Span]) -> Iterator[tuple[Span, Proposal]]:
        """Yield targets with words of the vocabulary; those whose sentence is too long for the model are left out."""
        if self.method == "masked":
            distributions = self.model.distributions([(words, *span, 1) for span in spans])
            for span, scores in zip(spans, distributions, strict=True):
                if scores is not None:
                    yield span, self._likeliest(words, span, scores[0])
            return
        for span in spans:
            sentence = self.model.in_place(words, *span)
            if sentence is not None:
                yield span, self._unmasked(" ".join(words[slice(*span)]), sentence)

    def _likeliest(self, words: Sequence[str], span: Span, scores: npt.NDArray[np.float32]) -> Proposal:
        text = " ".join(words[slice(*span)])
        # Both spellings count: a model with capitals has "The" and "the".
        pieces = {self.model.pieces(spelling)[0] for spelling in (text, text.lower()) if self.model.pieces(spelling)}
        itself = max((float(scores[piece]) for piece in pieces), default=float("-inf"))
        return self._named(text, self.model.likeliest(scores, self.k + 8), scores), itself

    def _unmasked(self, text: str, sentence: InPlace) -> Proposal:
        scores = self.model.unmasked(sentence)
        return self._named(text, self.model.likeliest(scores, self.k + 8), scores), float(scores[sentence.target])

    def _named(self, target: str, pieces: Sequence[int], scores: Any) -> list[Candidate]:
        """Return pieces as candidates with their scores, without the target itself."""
        candidates = [Candidate(self.model.word_of(piece), float(scores[piece])) for piece in pieces]
        return [candidate for candidate in candidates if candidate.text.lower() != target.lower()][: self.k]
