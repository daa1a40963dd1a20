"""Servers that the user names: large language models, ``usim serve``, and what all of them share."""

from usim.servers._access import check_address, check_key, masked, together

__all__ = ["check_address", "check_key", "masked", "together"]
