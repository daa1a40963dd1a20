"""What the studies share: scores that are kept, statistics, corpora, results, and the command line."""
