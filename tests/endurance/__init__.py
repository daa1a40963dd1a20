"""The endurance test: what breaks software in use, tried many times over.

    python -m tests.endurance                      the short form, as in CI
    python -m tests.endurance --long               all of it
    python -m tests.endurance --long --only fuzz   one experiment
    python -m tests.endurance --seed 7             other random choices

Each experiment prints how many cases it tried and how many failed, and what failed. The exit code is 1 if anything did.
"""
