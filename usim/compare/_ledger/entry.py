"""The entries of a ledger: a fact of either text, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

#: The kinds of facts that limit a claim: what it depends on, whom it leaves out, how certain it is, and who says it.
LIMITS = frozenset(("condition", "exception", "possibility", "attribution", "intent", "focus"))

Status = Literal["kept", "changed", "lost", "added"]


class Entry(Struct, frozen=True, rename={"is_certain": "certain"}):
    """A fact of either text, and what became of it.

    Attributes:
        kind: what it is about, such as ``number``, ``date``, ``name``, ``condition`` or ``negation``.
        status: ``kept``, ``changed``, ``lost`` or ``added``.
        old, new: the words of the source and of the output as they are written; empty where there are none.
        source, target: the places of their tokens, from 0.
        is_certain: whether a careful rule says so; a guess is for readers alone and decides nothing.
    """

    kind: str
    status: Status
    old: str
    new: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    is_certain: bool = False


@dataclass(frozen=True)
class Ledger:
    """The facts of a pair of texts, in the order of the source; what was added comes last.

    Attributes:
        entries: the facts.
        is_all: whether one certain change is all that changed: the texts are equal otherwise.
    """

    entries: tuple[Entry, ...] = ()
    is_all: bool = False

    @property
    def findings(self) -> tuple[Entry, ...]:
        """The facts that certainly changed, are gone or are new."""
        return tuple(entry for entry in self.entries if entry.is_certain and entry.status != "kept")

    def against(self, policy: str = "same") -> tuple[Entry, ...]:
        """Return the findings that a policy does not allow: under ``shorten`` facts may go, under ``expand`` come.

        A fact that limits a claim may not: without its condition a sentence is shorter and says more.

        >>> Ledger((Entry("date", "lost", "on Monday", "", (1, 2), (), True),)).against("shorten")
        ()
        >>> len(Ledger((Entry("condition", "lost", "if it rains", "", (1, 2, 3), (), True),)).against("shorten"))
        1
        """
        allowed = {"shorten": "lost", "expand": "added"}.get(policy)
        return tuple(entry for entry in self.findings if entry.status != allowed or entry.kind in LIMITS)
