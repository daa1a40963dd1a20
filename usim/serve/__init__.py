"""A service over HTTP (extra ``serve``), a language server for editors (extra ``lsp``), tools for agents (``mcp``).

- :mod:`usim.serve.settings`: where a service listens, its limits, its keys;
- ``usim.serve._service``: judges requests in turn, within the limits on work;
- :mod:`usim.serve.app`: the routes; ``usim.serve._models``: their bodies; ``usim.serve._guard``: keys and limits;
- ``usim.serve._languagetool``: LanguageTool's protocol, with a checker of :mod:`usim.checkers`;
- :mod:`usim.serve.lsp`: the language server; :mod:`usim.serve.mcp`: the tools for agents.
"""
