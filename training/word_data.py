"""Make the file of word knowledge that comes with usim from the database files of WordNet 3.0.

    python -m training.word_data FOLDER [--out usim/lexicon/wordnet-3.0.xz]

FOLDER has ``data.noun``, ``index.noun``, ``noun.exc``, … and ``cntlist.rev``; the Debian package ``wordnet-base`` puts
them into ``/usr/share/wordnet``. The same files give the same file, byte by byte. What is in it, and how it is read:
:mod:`usim.lexicon.wordnet`.

WordNet (Fellbaum 1998) is © Princeton University; its licence lies beside the file.
"""

from __future__ import annotations

import argparse
import lzma
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from usim.errors import FormatError, InputError, UsimError
from usim.lexicon.wordnet import IC_STEPS, PAIRS, PARTS, SHIPPED

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
#: Relations between synsets, and between single senses (a word in a synset), by WordNet's symbols (wninput(5WN)).
_SYNSET_RELATIONS = {
    "@": "hypernym", "@i": "hypernym", "&": "similar", "*": "entails", ">": "entails",
    "%m": "part", "%s": "part", "%p": "part", "^": "see", "$": "see", "=": "see",
}  # fmt: skip
_SENSE_RELATIONS = {"!": "antonym", "+": "derived", "\\": "derived", "<": "derived"}


class _Synset(NamedTuple):
    words: tuple[str, ...]
    pointers: tuple[tuple[str, str, int, int, int], ...]  # symbol, part, offset, word here, word there


def build(folder: Path) -> bytes:
    """Return the content of the file.

    Raises:
        InputError: a database file is missing.
        FormatError: a line of one is not what it should be.
    """
    files = {part: _FILES[part] for part in PARTS}
    data, index = "a WordNet data file (see wndb(5WN))", "a WordNet index file (see wndb(5WN))"
    synsets = {part: dict(_parsed(folder / f"data.{file}", _synset, data)) for part, file in files.items()}
    orders = {part: dict(_parsed(folder / f"index.{file}", _entry, index)) for part, file in files.items()}
    counts = Counter(dict(_parsed(folder / "cntlist.rev", _count, "cntlist.rev (see cntlist(5WN))")))

    lemmas = sorted({lemma for order in orders.values() for lemma in order}, key=str.encode)
    # Synsets are numbered part by part in the order in which the alphabet meets them: that packs best.
    number: dict[tuple[str, int], int] = {}
    for part in PARTS:
        for lemma in lemmas:
            for offset in orders[part].get(lemma, ()):
                number.setdefault((part, offset), len(number))
    part_ends = np.cumsum([sum(1 for p, _ in number if p == part) for part in PARTS])

    senses: list[int] = []
    tagged: list[int] = []
    starts = [0]
    place: dict[tuple[str, str, int], int] = {}
    for lemma in lemmas:
        for part in PARTS:
            for rank, offset in enumerate(orders[part].get(lemma, ()), start=1):
                place[lemma, part, offset] = len(senses)
                senses.append(number[part, offset])
                tagged.append(counts[lemma, part, rank])
        starts.append(len(senses))

    pairs: dict[str, set[tuple[int, int]]] = {name: set() for name in PAIRS}
    proper = set(lemmas)
    for (part, offset), source in number.items():
        synset = synsets[part][offset]
        proper.difference_update(w.lower() for w in synset.words if not w[:1].isupper())
        for symbol, to_part, to_offset, here, there in synset.pointers:
            if symbol in _SYNSET_RELATIONS:
                pairs[_SYNSET_RELATIONS[symbol]].add((source, number[to_part, to_offset]))
            elif symbol in _SENSE_RELATIONS:
                target = synsets[to_part][to_offset]
                # A pointer without word numbers (participles of old) is one of all words: none in version 3.0.
                if here and there:
                    low = place[synset.words[here - 1].lower(), part, offset]
                    high = place[target.words[there - 1].lower(), to_part, to_offset]
                    pairs[_SENSE_RELATIONS[symbol]].add((low, high))
                    if symbol in ("\\", "<"):  # these two are given in one direction only
                        pairs["derived"].add((high, low))

    above: nx.DiGraph[int] = nx.DiGraph(sorted(pairs["hypernym"]))
    above.add_nodes_from(range(len(number)))
    exceptions = {
        part: sorted(line for line in _lines(folder / f"{_FILES[part]}.exc") if len(line.split()) > 1) for part in PARTS
    }
    # The form of the file: usim.lexicon.WordNet.
    blocks = [
        _block("\n".join([*lemmas, ""]).encode()),
        _block("\n\n".join("\n".join(exceptions[part]) for part in PARTS).encode()),
        _planes(np.diff(np.array(starts), prepend=0)),
        _planes(np.array(senses)),
        _planes(np.minimum(np.array(tagged), 2**16 - 1)),
        _block(np.array([lemma in proper for lemma in lemmas], np.uint8).tobytes()),
        _planes(np.diff(part_ends, prepend=0)),
        _block(np.asarray(_depths(above), np.uint8).tobytes()),
        _block(np.asarray(_information(senses, tagged, above, part_ends), np.uint8).tobytes()),
    ]
    for name in PAIRS:
        ends = np.array(sorted(pairs[name]), np.int64).reshape(-1, 2)
        blocks += [_planes(np.diff(ends[:, 0], prepend=0)), _planes(ends[:, 1])]
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
    return lzma.compress(b"".join(blocks), format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC64, filters=filters)


def _depths(above: nx.DiGraph[int]) -> np.ndarray:
    """Count the steps from each synset up to its nearest root."""
    depths = np.zeros(len(above), np.int64)
    roots = [synset for synset, count in above.out_degree() if not count]
    for depth, layer in enumerate(nx.bfs_layers(above.reverse(copy=False), roots)):
        depths[layer] = depth
    return depths


def _information(senses: list[int], tagged: list[int], above: nx.DiGraph[int], part_ends: np.ndarray) -> np.ndarray:
    """Compute the information content of each synset in steps of 1 / IC_STEPS nats (Resnik 1995), at most 255.

    The frequency of a synset is that of its senses in WordNet's own tagged texts, plus 1, with that of all below it.
    """
    n = len(above)
    own = [1] * n
    for synset, count in zip(senses, tagged, strict=True):
        own[synset] += count
    total = [0] * n
    for synset, count in enumerate(own):
        for high in (synset, *nx.descendants(above, synset)):
            total[high] += count
    ic = np.zeros(n)
    start = 0
    for end in part_ends.tolist():
        mass = sum(own[start:end])
        ic[start:end] = [-math.log(t / mass) for t in total[start:end]]
        start = end
    return np.minimum(np.rint(ic * IC_STEPS), 255)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"no WordNet database file ({e}); name the folder that has data.noun", path=path) from e


def _block(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


def _planes(numbers: Any) -> bytes:
    """Return numbers below 2²⁴ as bytes: all the low bytes, then all the middle ones, then the high ones."""
    as_bytes = np.asarray(numbers, "<i4").view(np.uint8).reshape(-1, 4)
    return _block(np.ascontiguousarray(as_bytes[:, :3].T).tobytes())


def _parsed(path: Path, parse: Callable[[str], Any], what: str) -> Iterator[Any]:
    """Yield what the lines of a database file say; raises a FormatError for one that is not of its form."""
    for n, line in enumerate(_lines(path), start=1):
        if line.startswith("  ") or not line:  # the licence
            continue
        try:
            yield parse(line)
        except (ValueError, KeyError, IndexError) as e:
            raise FormatError(f"no line of {what}", path=path, line=n, text=line) from e


def _synset(line: str) -> tuple[int, _Synset]:
    """Read a line of a data file: the offset of a synset, and the synset."""
    fields = line.split(" | ", 1)[0].split()
    n_words = int(fields[3], 16)
    words = tuple(w.split("(")[0].replace("_", " ") for w in fields[4 : 4 + 2 * n_words : 2])
    rest = fields[4 + 2 * n_words :]
    pointers = []
    for k in range(int(rest[0])):
        symbol, offset, to_part, ends = rest[1 + 4 * k : 5 + 4 * k]
        to_part = "a" if to_part == "s" else to_part
        pointers.append((symbol, to_part, int(offset), int(ends[:2], 16), int(ends[2:], 16)))
    return int(fields[0]), _Synset(words, tuple(pointers))


def _entry(line: str) -> tuple[str, tuple[int, ...]]:
    """Read a line of an index file: a lemma, and the offsets of its synsets."""
    fields = line.split()
    return fields[0].replace("_", " "), tuple(map(int, fields[-int(fields[2]) :]))


def _count(line: str) -> tuple[tuple[str, str, int], int]:
    """Read how often a sense was tagged, by lemma, part of speech and rank."""
    key, rank, count = line.split()
    lemma, rest = key.split("%")
    return (lemma.replace("_", " "), _TYPES[rest[0]], int(rank)), int(count)


def main(argv: Sequence[str] | None = None) -> int:
    """Make the file. Return 0, or 2 where the database cannot be read."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=Path, help="the folder with the database files of WordNet")
    p.add_argument("--out", type=Path, default=SHIPPED, help="the file to write (default: %(default)s)")
    args = p.parse_args(argv)
    try:
        data = build(args.folder)
    except UsimError as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    args.out.write_bytes(data)
    print(f"{args.out}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
