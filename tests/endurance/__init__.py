"""The endurance test: what breaks software in use, tried many times over.

pytest tests/endurance                                   the short form, as in CI
USIM_ENDURANCE=long pytest tests/endurance -k fuzz       all cases of one experiment
"""
