"""A service over HTTP (extra ``serve``), a language server for editors (extra ``lsp``), tools for agents (``mcp``)."""
