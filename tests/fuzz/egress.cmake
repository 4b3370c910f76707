# What a sandbox's program and a name server say to the proxy.
langsbx_fuzzer(http LIBRARIES langsbx_egress)
langsbx_fuzzer(dns LIBRARIES langsbx_egress)
