"""One module, one suite; see ../README.md."""
