"""The page at ``/``: files that browsers load, and the questions that the page has of its own.

The files are plain modules without a build step, so that what is in the repository is what browsers run. Drawings come
from :mod:`usim.draw`; the page adds only what happens when somebody points at them.
"""
