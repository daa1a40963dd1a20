"""Half precision, where the processor computes with it."""

from __future__ import annotations

import torch

#: Without AVX-512 or AMX, torch computes with 16 bits sixty times as slowly as with 32.
_HAS_BF16 = torch.backends.cpu.get_cpu_capability() not in ("DEFAULT", "AVX2")


def half(*, is_on: bool = True) -> torch.autocast:
    """Return a context in which layers compute with 16 bits, unless that is slower here or is not wanted."""
    return torch.autocast("cpu", torch.bfloat16, enabled=is_on and _HAS_BF16)
