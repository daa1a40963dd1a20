"""Files of benchmarks, and a screen that was told what to say."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from usim.errors import FormatError, InputError
from usim.judge import Judgement, Thresholds
from usim.screen import SuggestionResult
from usim.suggestions import Suggestion
from usim.verdicts.decide import verdict_of


def written(path: Path, value: object) -> Path:
    """Write a file: texts as they are, other values as JSON; packed where the name says so."""
    content = (value if isinstance(value, str) else json.dumps(value)).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def swords_data(text: str, targets: Mapping[str, tuple[str, str, Mapping[str, Sequence[str]]]]) -> dict[str, Any]:
    """Return data of SWORDS: a context, and its targets with their parts of speech, and substitute → labels."""
    data: dict[str, Any] = {"contexts": {"c": {"context": text}}}
    data |= {member: {} for member in ("targets", "substitutes", "substitute_labels")}
    for name, (word, pos, judged) in targets.items():
        data["targets"][name] = {"context_id": "c", "target": word, "offset": text.index(word), "pos": pos}
        for substitute, labels in judged.items():
            data["substitutes"][f"{name}:{substitute}"] = {"target_id": name, "substitute": substitute}
            data["substitute_labels"][f"{name}:{substitute}"] = labels
    return data


def refused(read: Callable[..., object], path: Path, said: str, *more: object) -> str:
    """Read a file that is not what it should be; the error says so, and names the file."""
    with pytest.raises((FormatError, InputError), match=said) as caught:
        read(path, *more)
    assert str(path) in str(caught.value)
    return str(caught.value)


class Told:
    """A screen that has been told how faithful each substitute is; ``seen`` is what it was asked."""

    signature = "usim|parser:none|judge:told|keep:0.7|drop:0.5|v:0"

    def __init__(self, faithfulness: Mapping[str, float], otherwise: float = 1.0) -> None:
        self.faithfulness, self.otherwise = faithfulness, otherwise
        self.seen: list[tuple[str, str, str, str | None]] = []

    def screen_texts(self, texts: Iterable[tuple[str, Sequence[Suggestion]]]) -> Iterator[list[SuggestionResult]]:
        for text, suggestions in texts:
            screened = []
            for suggestion in suggestions:
                assert suggestion.span is not None
                target = text[slice(*suggestion.span)]
                self.seen.append((text, target, suggestion.substitute, suggestion.about.get("pos")))
                value = self.faithfulness.get(suggestion.substitute, self.otherwise)
                judgement = Judgement(value, (), verdict=verdict_of(value, Thresholds(keep=0.7, drop=0.5)))
                screened.append(SuggestionResult(suggestion.substitute, text, judgement, value, text, text))
            yield screened
