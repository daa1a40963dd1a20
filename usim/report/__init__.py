"""What people see in the terminal: graphs as trees, evaluations as tables."""
