# Files of clients that `install` edits.
langsbx_fuzzer(toml LIBRARIES langsbx_clients)
