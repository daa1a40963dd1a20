"""What people see: graphs in brackets and trees for the terminal, drawings as SVG."""
