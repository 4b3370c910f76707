"""Real clients with a chosen runtime; see ../README.md."""
