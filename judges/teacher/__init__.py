"""A large encoder rates many words in many contexts: material that the judges learn from."""
