"""The code node: typed native objects in, one `result` out. Runs in the node host, and behind the walls in a cell."""
