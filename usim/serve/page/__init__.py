"""The page at ``/``: its files, plain modules without a build step, and the routes that only the page uses."""
