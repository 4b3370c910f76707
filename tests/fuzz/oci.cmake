# The reader of config.json and the record of a container.
langsbx_fuzzer(config LIBRARIES langsbx_oci)
langsbx_fuzzer(state LIBRARIES langsbx_state)
