"""The judge of the large model: the networks of :mod:`judges.head` on the layers of a trunk, which stays as it is."""
