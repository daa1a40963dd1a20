"""What answers others: a service over HTTP (extra ``serve``), and a language server for editors (extra ``lsp``).

- :mod:`usim.serve.settings`: what a service can be told: where it listens, its limits, its keys;
- ``usim.serve._engine``: judges what arrives together in one batch, and remembers sources;
- :mod:`usim.serve.app`: the paths; ``usim.serve._models``: what they take; ``usim.serve._guard``: limits and keys;
- ``usim.serve._languagetool``: LanguageTool's protocol, with a checker of :mod:`usim.checkers`;
- :mod:`usim.serve.lsp`: the language server.
"""
