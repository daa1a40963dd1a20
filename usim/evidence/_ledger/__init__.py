"""The ledger of facts: what two texts commit themselves to, matched across them, and what became of each fact."""
