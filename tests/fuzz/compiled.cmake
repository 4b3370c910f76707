langsbx_fuzzer(scanner LIBRARIES langsbx_scanner)
langsbx_fuzzer(compiled LIBRARIES langsbx_languages)
langsbx_fuzzer(elf LIBRARIES langsbx_elf)
