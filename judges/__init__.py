"""The training side of the judge: data, network, export. Not part of the installed usim."""
