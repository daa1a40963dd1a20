"""Sentences made from frames and a lexicon of the project's own, and pairs of them."""

from judges.pairs.templates.frames import FRAMES, Family, Frame, pairs, plain, read_frames

__all__ = ["FRAMES", "Family", "Frame", "pairs", "plain", "read_frames"]
