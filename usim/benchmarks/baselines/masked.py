"""A masked language model as a system: the words that it would write in the place of a word.

The word is masked, and the model's distribution over its place ranks what may stand there. With ``context`` the whole
sentence comes before the masked one, as a pair, so that the model knows the word that it is to replace (Qiang et al.
2020, *LSBert*; Zhou et al. 2019 show the word in part instead, by dropping out some of its embedding); without it the
masked sentence stands alone. Candidates are the words of the model's vocabulary, or, with a thesaurus, the synonyms of
the word, whatever they are made of: a candidate of several pieces gets as many masks, and its score is the mean of its
pieces' log-probabilities.

A word is named as a target if the best candidate is at least ``margin`` more likely than the word itself, in nats: the
systems of Smart Word Suggestions (Wang et al. 2023) too change a word where their models find another one likelier.

The model is any that ``transformers`` can load for masked words (BERT, RoBERTa, …), from a folder or by name:
``pip install torch transformers``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from usim.benchmarks.baselines.targets import CLOSED, Finder
from usim.benchmarks.sws import Span
from usim.errors import InputError, UsimError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_PIECES = 4  # of a candidate: longer ones are left out
_BATCH = 32
#: How subword vocabularies mark a piece that begins a word.
_BEGINNINGS = ("Ġ", "▁")


class Candidate(NamedTuple):
    """A word or phrase that may stand in the place of a word, and its log-probability there."""

    text: str
    score: float


class MaskedModel:
    """A masked language model with its tokeniser.

    Args:
        name: a folder, or a name that ``transformers`` knows.
        context: whether the whole sentence comes before the masked one.
        device: where it runs, e.g. ``cpu`` or ``cuda``.

    Raises:
        UsimError: ``transformers`` or ``torch`` is not installed.
        InputError: the model cannot be loaded, or has no mask.
    """

    def __init__(self, name: str, *, context: bool = True, device: str = "cpu") -> None:
        try:
            self._torch: Any = importlib.import_module("torch")
            transformers: Any = importlib.import_module("transformers")
        except ImportError as e:
            raise UsimError(
                "a masked language model needs transformers and torch: pip install torch transformers"
            ) from e
        try:
            self._tokeniser: Any = transformers.AutoTokenizer.from_pretrained(name)
            self._model: Any = transformers.AutoModelForMaskedLM.from_pretrained(name).to(device).eval()
        except (OSError, ValueError, RuntimeError) as e:
            raise InputError(f"the model cannot be loaded: {str(e).splitlines()[0]}", path=name) from e
        if self._tokeniser.mask_token_id is None:
            raise InputError("the model has no mask: a masked language model is needed", path=name)
        self.name = name
        self._context = context
        self._device = device
        most = getattr(self._model.config, "max_position_embeddings", 512)
        # RoBERTa counts its positions from 2.
        self._most = min(most - 2, self._tokeniser.model_max_length)
        self._words = self._whole_words()

    @property
    def signature(self) -> str:
        """The model, and what it sees."""
        return f"model:{self.name.rstrip('/').split('/')[-1]}|sees:{'pair' if self._context else 'masked'}"

    def _whole_words(self) -> npt.NDArray[np.int64]:
        """Return the numbers of the pieces that are words of letters, in lower case."""
        import numpy as np

        pieces = self._tokeniser.convert_ids_to_tokens(list(range(len(self._tokeniser))))
        special = set(self._tokeniser.all_special_ids)
        marked = any(piece.startswith(_BEGINNINGS) for piece in pieces if piece)
        numbers = []
        for number, piece in enumerate(pieces):
            word = piece[1:] if marked and piece.startswith(_BEGINNINGS) else "" if marked else piece
            if number not in special and len(word) > 1 and word.isalpha() and word.islower():
                numbers.append(number)
        return np.array(numbers, dtype=np.int64)

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a word or phrase in the middle of a sentence."""
        pieces: list[int] = self._tokeniser(" " + text, add_special_tokens=False)["input_ids"]
        return pieces

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
            if len(row["input_ids"]) <= self._most:
                rows.append((place, row))
        rows.sort(key=lambda row: len(row[1]["input_ids"]))
        for first in range(0, len(rows), _BATCH):
            block = rows[first : first + _BATCH]
            batch = self._tokeniser.pad([row for _, row in block], return_tensors="pt").to(self._device)
            with self._torch.inference_mode():
                logits = self._model(**batch).logits
                for number, (place, _) in enumerate(block):
                    masks = (batch["input_ids"][number] == self._tokeniser.mask_token_id).nonzero()[:, 0]
                    distributions[place] = logits[number, masks].float().log_softmax(-1).cpu().numpy()
        return distributions

    def _encoded(self, words: Sequence[str], start: int, end: int, masks: int) -> Any:
        """Encode a sentence with masks in the place of some words, with ``context`` after the whole sentence."""
        mask = self._tokeniser.mask_token
        # The sentence itself may contain the mask's text.
        plain = [word.replace(mask, "") for word in words]
        masked = " ".join([*plain[:start], *[mask] * masks, *plain[end:]])
        if not self._context:
            return self._tokeniser(masked)
        return self._tokeniser(" ".join(plain), masked)

    def ranked(
        self, words: Sequence[str], start: int, end: int, candidates: Iterable[str]
    ) -> tuple[list[Candidate], float]:
        """Rank candidates by how likely they are in the place of a target, the likeliest first.

        Args:
            words: the sentence.
            start, end: the target: its first word, and the word after its last.
            candidates: words and phrases; those of more than four pieces are left out.

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

    def likeliest(
        self, words: Sequence[str], places: Sequence[int], k: int
    ) -> list[tuple[list[Candidate], float] | None]:
        """Find the likeliest words of the vocabulary in the place of single words, and how likely these are themselves.

        Args:
            words: the sentence.
            places: of the single words, from 0.
            k: how many candidates to find for each.

        Returns:
            for each place the candidates, the likeliest first, and the log-probability of the word itself (of its first
            piece where it has several); None where the sentence is too long for the model.
        """
        import numpy as np

        likeliest: list[tuple[list[Candidate], float] | None] = []
        distributions = self.distributions([(words, place, place + 1, 1) for place in places])
        for place, scores in zip(places, distributions, strict=True):
            if scores is None:
                likeliest.append(None)
                continue
            word = words[place].lower()
            order = self._words[np.argsort(-scores[0, self._words], kind="stable")[: k + 8]]
            texts = [self._tokeniser.decode([int(piece)]).strip() for piece in order]
            candidates = [
                Candidate(text, float(scores[0, piece]))
                for text, piece in zip(texts, order, strict=True)
                if text.lower() != word
            ]
            # Both spellings count: a model with capitals has "The" and "the".
            spellings = {self.pieces(spelling)[0] for spelling in (word, words[place]) if self.pieces(spelling)}
            itself = max((float(scores[0, piece]) for piece in spellings), default=float("-inf"))
            likeliest.append((candidates[:k], itself))
        return likeliest


class Masked:
    """Proposes words that a masked language model finds likelier than those of the sentence.

    Args:
        model: the model.
        finder: with one, only words with an entry in its thesaurus are targets, and only their synonyms are candidates.
        k: how many suggestions to make for a target at most.
        margin: by how much, in nats, the best must be likelier than the word itself; minus infinity names every word.
    """

    def __init__(self, model: MaskedModel, finder: Finder | None = None, *, k: int = 10, margin: float = 0.0) -> None:
        self._model = model
        self._finder = finder
        self._k = k
        self._margin = margin

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        candidates = "vocabulary" if self._finder is None else self._finder.signature
        return f"masked|{self._model.signature}|{candidates}|k:{self._k}|margin:{self._margin:g}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the likeliest first."""
        return {
            span: tuple(candidate.text for candidate in candidates[: self._k])
            for span, candidates, itself in self._ranked(words)
            if candidates and candidates[0].score - itself >= self._margin
        }

    def _ranked(self, words: Sequence[str]) -> Iterator[tuple[Span, list[Candidate], float]]:
        """Yield spans with their candidates and the log-probability of the span itself."""
        if self._finder is not None:
            for target in self._finder.targets(words):
                yield (target.start, target.end), *self._model.ranked(words, target.start, target.end, target.synonyms)
            return
        places = [i for i, word in enumerate(words) if word[:1].isalpha() and word.lower() not in CLOSED]
        for place, likeliest in zip(places, self._model.likeliest(words, places, self._k), strict=True):
            if likeliest is not None:
                yield (place, place + 1), *likeliest
