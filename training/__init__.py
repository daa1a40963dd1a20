"""What the training of parsers and of judges shares; imports only :mod:`usim`."""
