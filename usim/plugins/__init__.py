"""usim inside other libraries: a module for each, which needs that library when it is imported."""
