"""Small benchmarks of word suggestions, and outputs for them."""

WORDS = ["An", "intimate", "friend"]


SWS = {"s": {"sentence_split": WORDS, "substitutes": [[[1, 2], {"close": 3, "dear": 1}, 1]]}}


SWS_FOUND = {"s": {"input_words": WORDS, "substitute_topk": [[["intimate", 1, 2], ["close"]], [["An", 0, 1], ["A"]]]}}


PROLEX = (
    "target word,Sentence,acc_subs,prof_acc_subs\ncause,Cars **cause** noise.,\"['produce', 'make']\",['produce']\n"
)


SWORDS = {
    "targets": {"t": {"target": "quick", "pos": "ADJ"}, "u": {"target": "sad", "pos": "ADJ"}},
    "substitutes": {
        "s1": {"target_id": "t", "substitute": "fast"},
        "s2": {"target_id": "t", "substitute": "slow"},
        "s3": {"target_id": "u", "substitute": "unhappy"},
    },
    "substitute_labels": {"s1": ["TRUE", "TRUE"], "s2": ["FALSE"], "s3": ["TRUE"]},
}


GOLD_OF_SWORDS = SWORDS | {
    "contexts": {"c": {"context": "He is quick and sad."}},
    "targets": {
        "t": {"target": "quick", "pos": "ADJ", "context_id": "c", "offset": 6},
        "u": {"target": "sad", "pos": "ADJ", "context_id": "c", "offset": 16},
    },
}
