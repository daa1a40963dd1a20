"""The page at ``/``: its files, and the routes that only the page uses.

The files are plain modules without a build step, so that what is in the repository is what browsers run. Drawings come
from :mod:`usim.draw`; the page adds only what happens when somebody points at them.
"""
