"""The studies: one module each, with a function ``run`` and a command, ``python -m experiments NAME``."""
