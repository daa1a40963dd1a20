"""Systems to compare with: simple ways to find words that could be better, and what could stand in their place.

- :mod:`usim.benchmarks.baselines.thesaurus`: thesauri of the user's own, PPDB, WordNet;
- :mod:`usim.benchmarks.baselines.targets`: the words of a sentence that a thesaurus has an entry for;
- :mod:`usim.benchmarks.baselines.rules`: these words with all of their synonyms, the rule-based system of SWS;
- :mod:`usim.benchmarks.baselines.masked`: the words that a masked language model would write in their place;
- :mod:`usim.benchmarks.baselines.distant`: training data from any sentences.

``rules`` and ``masked`` write predictions as ``usim sws`` takes them.
"""
