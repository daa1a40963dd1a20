"""Pairs of sentences for training the judge, made by the project itself; ``judges/README.md`` says what there is."""
