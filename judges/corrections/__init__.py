"""The judge of corrections: data made from clean text alone, and the training of its trees."""
