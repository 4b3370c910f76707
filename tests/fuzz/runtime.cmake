# What init says, and paths below a hostile root.
langsbx_fuzzer(handshake LIBRARIES langsbx_handshake)
langsbx_fuzzer(path LIBRARIES langsbx_kernel)
