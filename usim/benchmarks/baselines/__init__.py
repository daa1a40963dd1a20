"""Systems to compare with: simple ways to find words that could be better, and what could stand in their place.

- :mod:`usim.benchmarks.baselines.thesaurus`: thesauri of the user's own, PPDB, WordNet;
- :mod:`usim.benchmarks.baselines.targets`: the words of a sentence that a thesaurus has an entry for;
- :mod:`usim.benchmarks.baselines.rules`: these words with all of their synonyms, the rule-based system of SWS;
- :mod:`usim.benchmarks.baselines.masked`: the words that a masked language model would write in their place, shown the
  word, part of it or nothing (:mod:`~usim.benchmarks.baselines.masked_model`);
- :mod:`usim.benchmarks.baselines.vectors`: the words with the closest vectors;
- :mod:`usim.benchmarks.baselines.distant`: training data from any sentences.

A system is called with the words of a sentence and finds its targets there, or has a method ``substitutes`` for a
target that it is given (:class:`usim.benchmarks.case.GivenTarget`), or both.
"""
