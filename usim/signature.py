"""Signatures: one line that says what a result was made with, so that the same result can be had again.

A signature is a sequence of parts between bars: fields, ``name:value``, and bare words. The first is ``usim`` and the
last the version, as in sacrebleu. Each stage adds its own part.

>>> Signature.stamped({"parser": "en-1.0"}, {"judge": "usim", "keep": 0.9})
'usim|parser:en-1.0|judge:usim|keep:0.9|v:...'
"""

from __future__ import annotations

from collections.abc import Mapping

from usim._version import __version__


class Signature(str):
    """A signature: a string that is made of parts."""

    __slots__ = ()

    @classmethod
    def of(cls, *parts: str | Mapping[str, object]) -> Signature:
        """Join parts: words, fields by name, and other signatures. Empty ones are left out.

        >>> Signature.of("usim", {"parser": "en-1.0"}, "", Signature.of("swords", {"n": 2}))
        'usim|parser:en-1.0|swords|n:2'
        """
        texts = [
            part if isinstance(part, str) else "|".join(f"{name}:{value}" for name, value in part.items())
            for part in parts
        ]
        return cls("|".join(filter(None, texts)))

    @classmethod
    def stamped(cls, *parts: str | Mapping[str, object]) -> Signature:
        """Join parts to a whole signature, from ``usim`` to the version."""
        return cls.of("usim", *parts, {"v": __version__})

    def extended(self, *parts: str | Mapping[str, object]) -> Signature:
        """Return a whole signature with more parts, before the version.

        >>> Signature("usim|parser:en-1.0|v:1").extended("rerank", {"gamma": 0.3})
        'usim|parser:en-1.0|rerank|gamma:0.3|v:1'
        """
        *own, version = self.split("|")
        return Signature.of(*own, *parts, version)
