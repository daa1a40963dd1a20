"""A service over HTTP (extra ``serve``), and a language server for editors (extra ``lsp``).

- :mod:`usim.serve.settings`: where a service listens, its limits, its keys;
- ``usim.serve._engine``: judges requests in batches;
- :mod:`usim.serve.app`: the routes; ``usim.serve._models``: their bodies; ``usim.serve._guard``: limits and keys;
- ``usim.serve._languagetool``: LanguageTool's protocol, with a checker of :mod:`usim.checkers`;
- :mod:`usim.serve.lsp`: the language server.
"""
